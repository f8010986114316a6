"""Posts and the files they came in."""

import pghistory
from django.conf import settings
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVector
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.utils.translation import gettext_lazy as _

from annotation.models.studies import Study


class ImportState(models.TextChoices):
    """How far an uploaded file has come."""

    UPLOADED = "uploaded", _("Uploaded")
    CHECKED = "checked", _("Checked")
    LOADED = "loaded", _("Imported")
    REFUSED = "refused", _("Refused")


class BadRows(models.TextChoices):
    """What happens to the good rows of a file that also has bad ones."""

    REFUSE = "refuse", _("Import nothing if a row is bad")
    SKIP = "skip", _("Import the good rows only")


class ImportFile(models.Model):
    """A file that somebody brought in: what it was, how it was read, what became of its rows."""

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="imports")
    importer = models.CharField(max_length=30)
    name = models.CharField(max_length=255)
    stored_as = models.CharField(max_length=255)
    sha256 = models.CharField(max_length=64)
    size = models.PositiveBigIntegerField()
    bad_rows = models.CharField(max_length=6, choices=BadRows, default=BadRows.REFUSE)
    options = models.JSONField(default=dict)
    report = models.JSONField(default=dict)
    state = models.CharField(max_length=8, choices=ImportState, default=ImportState.UPLOADED)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.name


# Why a post that researchers wrote is no part of the dataset: it only shows who reads with care.
ATTENTION = "attention"


class PostQuerySet(models.QuerySet["Post"]):
    """Posts, and which of them are data."""

    def imported(self) -> "PostQuerySet":
        """Keep what came in a file; attention posts are written by researchers."""
        return self.filter(imported_in__isnull=False)


@pghistory.track(pghistory.UpdateEvent(), fields=["is_graphic"])
class Post(models.Model):
    """One post of a study: as it came, and as annotators see it.

    The text of a graphic post is shown to annotators when they ask for it.
    An attention post came in no file; as a dropped one it is in no sample, filter or release.
    """

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="posts", db_index=False)
    external_id = models.CharField(max_length=200)
    original_text = models.TextField()
    text = models.TextField()
    changed_by = models.JSONField(default=list)
    metadata = models.JSONField(default=dict, encoder=DjangoJSONEncoder)
    position = models.BigIntegerField()
    is_graphic = models.BooleanField(default=False, db_default=False)
    dropped_reason = models.CharField(max_length=40, blank=True)
    imported_in = models.ForeignKey(
        ImportFile, on_delete=models.PROTECT, null=True, related_name="posts"
    )
    line = models.PositiveBigIntegerField(null=True)

    objects = PostQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["study", "external_id"], name="post_id_once"),
            models.CheckConstraint(
                condition=models.Q(imported_in__isnull=False, line__isnull=False)
                | models.Q(imported_in=None, line=None, dropped_reason=ATTENTION),
                name="post_imported_or_for_attention",
            ),
        ]
        indexes = [
            models.Index(
                fields=["study", "position"],
                condition=models.Q(dropped_reason=""),
                name="post_kept_in_order",
            ),
            GinIndex(SearchVector("text", config="simple"), name="post_text_search"),
        ]

    def __str__(self) -> str:
        return self.external_id
