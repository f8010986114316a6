"""Under which name somebody is paid."""

from annotation.models import Member


def payee(member: Member) -> str:
    """Return the name that whoever pays knows somebody by: here, that of the account.

    The member comes with their account. People of imported rounds have none and are never paid.
    """
    return member.user.username if member.user else ""
