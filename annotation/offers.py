"""What pages offer: never what is refused because a study is over, or somebody's work in it."""

from annotation.access import Access, Permission
from annotation.models import WORK_ENDED, Member, StudyState


def may_change(access: Access, permission: Permission) -> bool:
    """Say whether a page offers somebody the changes of a permission."""
    return access.may(permission) and access.study.state != StudyState.ARCHIVED


def is_over(member: Member, standing: str) -> bool:
    """Say whether nothing more can come for somebody who stands so at a stage."""
    return member.study.state == StudyState.ARCHIVED or standing in WORK_ENDED
