"""Lets people in: the same id is the same person, whatever the device and the moment.

The unique constraints on recruits and arrivals hold it; the locks here let a second arrival at the
same moment wait and find the first, so nobody ever meets an error.
"""

import hashlib
import secrets
from http import HTTPStatus

from django.db import connection, transaction
from django.utils.translation import gettext as _

from annotation.models import WORK_ENDED, Member, Role, Standing, User
from annotation.services.archive import is_held_open
from annotation.services.people import add_member
from crowd.models import Arrival, Recruit, Recruitment, RecruitmentState
from crowd.queries.places import places_taken
from crowd.services.links import EntryRefused, Identity

NAME_BYTES = 6
START_BYTES = 24


@transaction.atomic
def arrive(*, recruitment: Recruitment, identity: Identity) -> Arrival:
    """Record that a platform sends somebody; return the arrival that is there when it is known."""
    lock_identity(recruitment, identity)
    recruitment = lock_recruitment(recruitment)
    recruit = (
        Recruit.objects.select_related("user")
        .filter(
            study=recruitment.study, platform=recruitment.platform, platform_id=identity.platform_id
        )
        .first()
    )
    known = known_arrival(recruitment, identity, recruit)
    if recruit:
        refuse_ended(recruitment, recruit.user)
    if known:
        return known
    refuse_shut(recruitment)
    if recruit is None:
        recruit = new_recruit(recruitment, identity)
    take_part(recruitment, recruit.user)
    return Arrival.objects.create(
        recruitment=recruitment,
        recruit=recruit,
        user=recruit.user,
        session_id=identity.session_id,
    )


def lock_identity(recruitment: Recruitment, identity: Identity) -> None:
    """Make arrivals of one person queue up, through whichever study they come."""
    words = f"{recruitment.platform}\n{identity.platform_id}".encode()
    key = int.from_bytes(hashlib.sha256(words).digest()[:8], "big", signed=True)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [key])


def lock_recruitment(recruitment: Recruitment) -> Recruitment:
    """Make arrivals through one way queue up, so that its places are counted exactly."""
    return (
        Recruitment.objects.select_for_update(of=("self",))
        .select_related("study", "created_by")
        .get(pk=recruitment.pk)
    )


def known_arrival(
    recruitment: Recruitment, identity: Identity, recruit: Recruit | None
) -> Arrival | None:
    """Return the arrival that is there; a platform's session belongs to one person only."""
    arrivals = Arrival.objects.select_related("user").filter(recruitment=recruitment)
    if not identity.session_id:
        return arrivals.filter(recruit=recruit).first() if recruit else None
    known = arrivals.filter(session_id=identity.session_id).first()
    if known and (recruit is None or known.recruit_id != recruit.pk):
        raise EntryRefused(
            _("This link was used by another person. Open your own where you found it."),
            HTTPStatus.FORBIDDEN,
        )
    return known


def refuse_ended(recruitment: Recruitment, user: User) -> None:
    """Refuse who was taken out of the study or left it, and who must sign in with a password."""
    refuse_taken_out(recruitment, user)
    if not may_enter_without_password(user):
        raise EntryRefused(
            _("Your account has rights that a link does not open. Sign in with your password."),
            HTTPStatus.FORBIDDEN,
        )


def refuse_taken_out(recruitment: Recruitment, user: User) -> None:
    """Refuse who was taken out of the study or left it."""
    members = Member.objects.filter(study=recruitment.study, user=user)
    ended = Standing.objects.filter(member__in=members, state__in=WORK_ENDED).exists()
    if ended or members.filter(is_active=False).exists():
        raise EntryRefused(
            _("Your work in this study has ended; there are no more posts for you."),
            HTTPStatus.FORBIDDEN,
        )


def may_enter_without_password(user: User) -> bool:
    """Say whether an account is a crowd worker's and nothing more."""
    has_rights = user.is_site_administrator or user.may_create_studies
    others = user.memberships.exclude(role=Role.CROWD_WORKER, permissions=[])
    return user.is_active and not has_rights and not others.exists()


def refuse_shut(recruitment: Recruitment) -> None:
    """Refuse newcomers where a way is paused, closed or full."""
    if not is_held_open(recruitment.study_id) or recruitment.state == RecruitmentState.CLOSED:
        raise EntryRefused(_("This study takes nobody in any more. Thank you."), HTTPStatus.GONE)
    if recruitment.state == RecruitmentState.PAUSED:
        raise EntryRefused(
            _("This study takes nobody in at present. Try again later."), HTTPStatus.FORBIDDEN
        )
    if recruitment.places is not None and places_taken(recruitment) >= recruitment.places:
        raise EntryRefused(_("All places of this study are taken. Thank you."), HTTPStatus.GONE)


def new_recruit(recruitment: Recruitment, identity: Identity) -> Recruit:
    """Record a person whom this study meets for the first time."""
    return Recruit.objects.create(
        study=recruitment.study,
        platform=recruitment.platform,
        platform_id=identity.platform_id,
        user=met_elsewhere(recruitment, identity) or new_account(),
    )


def met_elsewhere(recruitment: Recruitment, identity: Identity) -> User | None:
    """Return the account of somebody who is known in another study of the same group.

    Same group: whoever made this way in owns the other study too. Without that bound a researcher
    could enter other people's studies by making a link with a foreign id in it.
    """
    if recruitment.created_by is None:
        return None
    recruit = (
        Recruit.objects.select_related("user")
        .filter(
            platform=recruitment.platform,
            platform_id=identity.platform_id,
            study__members__user=recruitment.created_by,
            study__members__role=Role.OWNER,
            study__members__is_active=True,
        )
        .first()
    )
    return recruit.user if recruit and may_enter_without_password(recruit.user) else None


def new_account() -> User:
    """Make an account without e-mail and password, under a name that says nothing."""
    return User.objects.create_user(f"guest-{secrets.token_hex(NAME_BYTES)}")


def take_part(recruitment: Recruitment, user: User) -> Member:
    """Make somebody a crowd worker of the study, unless they are a member already."""
    known = Member.objects.filter(study=recruitment.study, user=user).first()
    return known or add_member(by=None, study=recruitment.study, user=user, role=Role.CROWD_WORKER)


@transaction.atomic
def join_by_link(*, recruitment: Recruitment, user: User | None) -> Arrival:
    """Let somebody in who has the link: with their account, or with a new one."""
    recruitment = lock_recruitment(recruitment)
    if user:
        refuse_taken_out(recruitment, user)
        known = recruitment.arrivals.select_related("user").filter(user=user).first()
        if known:
            return known
    refuse_shut(recruitment)
    user = user or new_account()
    take_part(recruitment, user)
    return Arrival.objects.create(recruitment=recruitment, user=user)


@transaction.atomic
def offer_start(*, recruitment: Recruitment, identity: Identity) -> str:
    """Record an arrival in a frame; return the start that opens the work in a tab, once."""
    arrival = arrive(recruitment=recruitment, identity=identity)
    start = secrets.token_urlsafe(START_BYTES)
    arrival.start_hash = start_hash(start)
    arrival.save(update_fields=["start_hash"])
    return start


def start_hash(start: str) -> str:
    """Return what is stored of a start."""
    return hashlib.sha256(start.encode()).hexdigest()


@transaction.atomic
def use_start(*, start: str) -> Arrival:
    """Use up a start, or say that it is none any more."""
    arrival = (
        Arrival.objects.select_for_update(of=("self",))
        .select_related("user", "recruitment__study")
        .filter(start_hash=start_hash(start))
        .first()
    )
    if arrival is None:
        raise EntryRefused(
            _("This start was used already. Press the button on the page you came from again."),
            HTTPStatus.GONE,
        )
    refuse_ended(arrival.recruitment, arrival.user)
    arrival.start_hash = ""
    arrival.save(update_fields=["start_hash"])
    return arrival
