"""What researchers change before it is published: a draft of a study's catalogue."""

import pghistory
from django.conf import settings
from django.db import models

from annotation.models import Study
from legal.models.catalogues import Catalogue


@pghistory.track()
class CatalogueDraft(models.Model):
    """The next version of a study's catalogue while it is written; there is one at a time.

    `content` is the tree that `legal.catalogues.reading` reads, and may lack what a version needs.
    `base` is the version that it began as.
    """

    study = models.OneToOneField(Study, on_delete=models.PROTECT, related_name="catalogue_draft")
    base = models.ForeignKey(Catalogue, on_delete=models.PROTECT, null=True, related_name="drafts")
    content = models.JSONField()
    changed_at = models.DateTimeField(auto_now=True)
    changed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )

    def __str__(self) -> str:
        return f"draft of the catalogue of study {self.study_id}"
