"""Under which name somebody is paid: only owners see it, where they pay."""

from collections.abc import Iterable

from annotation.models import Member, Study
from crowd.models import Recruit
from crowd.queries.recruitment import platform_ids


def payees(study: Study, members: Iterable[Member]) -> dict[int, str]:
    """Return by member the name that whoever pays knows them by.

    For whom a platform sent that is the platform's id (the newest, where there are several), for
    everybody else the name of the account. The members come with their accounts. People of imported
    rounds have none and are never paid.
    """
    members = list(members)
    sent = platform_ids(study, members)
    return {member.pk: name_of(member, sent.get(member.pk, [])) for member in members}


def name_of(member: Member, recruits: list[Recruit]) -> str:
    """Return the name of one person."""
    if recruits:
        return recruits[-1].platform_id
    return member.user.username if member.user else ""
