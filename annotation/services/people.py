"""Makes accounts and studies, and lets people into studies. Raising one's own role is refused."""

import secrets
from collections.abc import Iterable
from typing import Any

import pghistory
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from annotation.models import Member, Protocol, Role, Study, StudyState, User
from annotation.services.archive import lock_study

PASSWORD_BYTES = 12


class PeopleRefused(Exception):
    """Something about people that cannot be done; its text is a sentence for the person."""


def find_user(name_or_email: str) -> User | None:
    """Return the account with this user name or e-mail address, in any case."""
    wanted = name_or_email.strip()
    return User.objects.filter(Q(username__iexact=wanted) | Q(email__iexact=wanted)).first()


def one_time_password() -> str:
    """Return a password that is shown once and is to be changed."""
    return secrets.token_urlsafe(PASSWORD_BYTES)


@transaction.atomic
def create_account(
    *,
    username: str,
    email: str = "",
    name: str = "",
    password: str = "",
    is_site_administrator: bool = False,
    may_create_studies: bool = False,
) -> User:
    """Make an account, or say what is wrong with its name or which name is taken."""
    refuse_bad_names(username, email)
    for wanted in filter(None, (username, email)):
        if find_user(wanted):
            raise PeopleRefused(_("“%s” has an account already.") % wanted)
    try:
        with transaction.atomic():
            return User.objects.create_user(
                username,
                email or None,
                password or None,
                name=name,
                is_site_administrator=is_site_administrator,
                may_create_studies=may_create_studies,
            )
    except IntegrityError:
        raise PeopleRefused(_("“%s” has an account already.") % username) from None


def refuse_bad_names(username: str, email: str) -> None:
    """Refuse a user name or an e-mail address that is none."""
    try:
        UnicodeUsernameValidator()(username)
        if email:
            validate_email(email)
    except ValidationError as error:
        raise PeopleRefused(f"“{email or username}”: {error.messages[0]}") from None


@transaction.atomic
def create_study(
    *,
    by: User | None,
    slug: str,
    title: str = "",
    description: str = "",
    owner: User | None = None,
    **protocol: Any,
) -> Study:
    """Make a study with its protocol; `owner` becomes its first member."""
    with pghistory.context(user=by.pk if by else None, action="create study"):
        if Study.objects.filter(slug=slug).exists():
            raise PeopleRefused(_("There is a study called “%s” already.") % slug)
        study = Study.objects.create(slug=slug, title=title or slug, description=description)
        Protocol.objects.create(study=study, **protocol)
        if owner:
            add_member(by=by, study=study, user=owner, role=Role.OWNER)
    return study


def new_pseudonym(role: str) -> str:
    """Return a name that says nothing but the role."""
    letter = {"owner": "r", "researcher": "r", "expert": "e", "crowd_worker": "w"}[role]
    return f"{letter}-{secrets.token_hex(4)}"


@transaction.atomic
def add_member(*, by: User | None, study: Study, user: User, role: str) -> Member:
    """Let somebody into a study."""
    with pghistory.context(user=by.pk if by else None, action="add member"):
        try:
            with transaction.atomic():
                return Member.objects.create(
                    study=study, user=user, role=role, pseudonym=new_pseudonym(role)
                )
        except IntegrityError:
            sentence = _("%s is a member of this study already.")
            raise PeopleRefused(sentence % user.get_full_name()) from None


@transaction.atomic
def invite(*, name_or_email: str, name: str = "") -> tuple[User, str]:
    """Return the account of a person, made anew where there is none, with its one-time password.

    The password is empty where the account was there already.
    """
    user = find_user(name_or_email)
    if user:
        return user, ""
    wanted = name_or_email.strip()
    password = one_time_password()
    email = wanted if "@" in wanted else ""
    return create_account(username=wanted, email=email, name=name, password=password), password


@transaction.atomic
def let_in(
    *, by: User | None, study: Study, name_or_email: str, role: str, name: str = ""
) -> tuple[Member, str]:
    """Make somebody a member, with an account and its one-time password where they have none."""
    user, password = invite(name_or_email=name_or_email, name=name)
    return add_member(by=by, study=study, user=user, role=role), password


@transaction.atomic
def change_member(
    *,
    by: Member,
    member: Member,
    role: str,
    is_active: bool,
    permissions: Iterable[str] | None = None,
) -> Member:
    """Change what somebody is in a study, and what they may do beyond the role (None: as before).

    Nobody changes their own membership.
    """
    with pghistory.context(user=by.user_id, action="change member"):
        member = Member.objects.select_for_update().get(pk=member.pk)
        if member.pk == by.pk:
            raise PeopleRefused(_("You cannot change your own role; ask another owner."))
        if member.user_id is None:
            raise PeopleRefused(_("People of an imported round have no account and no role here."))
        member.role, member.is_active = role, is_active
        if permissions is not None:
            member.permissions = sorted(permissions)
        member.save(update_fields=["role", "is_active", "permissions"])
    return member


@transaction.atomic
def reset_password(*, by: Member, member: Member) -> str:
    """Give a member a new password, which ends all their sessions; return it to be shown once."""
    user = member.user
    if user is None:
        raise PeopleRefused(_("People of an imported round have no account."))
    if member.pk == by.pk:
        raise PeopleRefused(_("Change your own password on your account's pages."))
    shared = user.memberships.exclude(study=by.study_id).exists()
    if shared or user.is_site_administrator or user.may_create_studies:
        raise PeopleRefused(
            _("%s has rights beyond this study; ask a site administrator.") % user.get_full_name()
        )
    password = one_time_password()
    user.set_password(password)
    user.save(update_fields=["password"])
    return password


@transaction.atomic
def change_study(
    *, by: Member, study: Study, title: str, description: str, state: str = "", **protocol: Any
) -> Study:
    """Change a study's words, protocol and, if one is given, state; the history keeps the old."""
    with pghistory.context(user=by.user_id, action="change study"):
        lock_study(study.pk)
        study.title, study.description = title, description
        study.state = StudyState(state or study.state)
        study.save(update_fields=["title", "description", "state"])
        for name, value in protocol.items():
            setattr(study.protocol, name, value)
        study.protocol.save()
    return study


def imported_members(*, study: Study, role: str, names: set[str]) -> dict[str, Member]:
    """Return the members that stand for an imported round's people, by the names used there."""
    known = Member.objects.filter(study=study, role=role, user=None)
    missing = names - set(known.values_list("imported_name", flat=True))
    Member.objects.bulk_create(
        [
            Member(study=study, role=role, imported_name=name, pseudonym=new_pseudonym(role))
            for name in sorted(missing)
        ]
    )
    return {member.imported_name: member for member in known.filter(imported_name__in=names)}
