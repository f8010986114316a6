"""What stays hidden from a researcher who still votes on it."""

from annotation.access import Access, Permission
from annotation.models import StageCode
from crowd.queries.rounds import unvoted_posts


def blind_stages(access: Access) -> list[str]:
    """Return the stages at which a person still votes, so that they must not see others' votes."""
    at = {Permission.WORK_CROWD: StageCode.CROWD, Permission.LABEL_GOLD: StageCode.GOLD}
    return [stage for permission, stage in at.items() if access.may(permission)]


def hidden_posts(access: Access) -> frozenset[int]:
    """Return the posts of the crowd's rounds whose votes a person must not see yet."""
    batches = access.study.batches.filter(stage=StageCode.CROWD).values_list("pk", flat=True)
    return unvoted_posts(access.member, blind_stages(access), list(batches))
