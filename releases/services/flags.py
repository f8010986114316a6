"""Flags releases: by people for a fault, and by itself when somebody in them withdraws.

A flag stands beside the release, which stays what it is.
"""

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.models import User
from annotation.services.archive import hold_open
from releases.models import FlagKind, Release, ReleaseFlag
from releases.queries.flags import unflagged_withdrawals


class FlagRefused(Exception):
    """A flag that cannot be set; its text is a sentence for the person."""


@transaction.atomic
def flag_fault(*, by: User, release: Release, reason: str) -> ReleaseFlag:
    """Say that a fault was found in a release."""
    hold_open(release.study_id)
    if not reason.strip():
        raise FlagRefused(_("Say what is wrong with the release."))
    return ReleaseFlag.objects.create(
        release=release, kind=FlagKind.FAULT, reason=reason.strip(), created_by=by
    )


def flag_withdrawals() -> int:
    """Flag the releases that hold votes of people who withdrew since; return how many flags."""
    flags = [
        ReleaseFlag(release_id=release, member_id=member, kind=FlagKind.WITHDRAWN)
        for release, member in unflagged_withdrawals()
    ]
    return len(ReleaseFlag.objects.bulk_create(flags, ignore_conflicts=True))
