"""The draft of a study's catalogue, and what is still wrong with it."""

from annotation.models import Study
from legal.models import CatalogueDraft


def draft_of(study: Study) -> CatalogueDraft | None:
    """Return the draft of the next version, if somebody has begun one."""
    drafts = CatalogueDraft.objects.filter(study=study)
    return drafts.select_related("base", "changed_by").first()
