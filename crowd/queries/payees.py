"""Under which name somebody is paid, and who knows them by it: for owners, where they pay."""

from collections.abc import Iterable
from dataclasses import dataclass

from annotation.models import Member, Sitting, SittingState, Study
from crowd.models import Recruit
from crowd.queries.recruitment import platform_ids

ACCOUNT, CODE = "account", "code"


@dataclass(frozen=True)
class Payee:
    """A name, and whose it is: a platform's id, a user name here (`account`), or a `code`."""

    name: str = ""
    known_at: str = ""


def payees(study: Study, members: Iterable[Member]) -> dict[int, Payee]:
    """Return by member the name that whoever pays knows them by.

    For whom a platform sent that is the platform's id (the newest, where there are several). Who
    came by a link has an account whose name says nothing to anybody: they are known by the
    completion code of their newest sitting, which they hold. Everybody else has a user name. The
    members come with their accounts. People of imported rounds have none and are never paid.
    """
    members = list(members)
    sent = platform_ids(study, members)
    guests = [one.pk for one in members if one.pk not in sent and is_guest(one)]
    codes = newest_codes(guests) if guests else {}
    return {one.pk: payee_of(one, sent.get(one.pk, []), codes.get(one.pk)) for one in members}


def is_guest(member: Member) -> bool:
    """Say whether somebody's account was made by a link, without e-mail and password."""
    user = member.user
    return user is not None and not user.email and not user.has_usable_password()


def newest_codes(members: list[int]) -> dict[int, str]:
    """Return the completion code of each member's newest complete sitting."""
    complete = Sitting.objects.filter(member__in=members, state=SittingState.COMPLETE)
    return dict(complete.order_by("pk").values_list("member", "completion_code"))


def payee_of(member: Member, recruits: list[Recruit], code: str | None) -> Payee:
    """Return under which name one person is paid."""
    if recruits:
        return Payee(recruits[-1].platform_id, recruits[-1].platform)
    if code:
        return Payee(code, CODE)
    return Payee(member.user.username, ACCOUNT) if member.user else Payee()
