"""Says who may read the guide: whoever answers by it, and whoever sees what was answered."""

from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext as _

from annotation.access import Access, Permission, permissions_of
from annotation.models import Member

READERS = frozenset({Permission.WORK_LEGAL, Permission.SEE_RESULTS})


def may_read(member: Member) -> bool:
    """Say whether a member of a study may read its guide."""
    return not READERS.isdisjoint(permissions_of(member))


def refuse_others(access: Access) -> None:
    """Refuse members who neither work at the legal stage nor see results."""
    if not may_read(access.member):
        raise PermissionDenied(_("The guide is for the experts and researchers of this study."))
