"""The legal library: documents, the passages they are cut into, and the versions that are searched.

Answers cite passages. So a passage never changes or goes, nor does the text of a document; a
document that is taken out is missing from later versions only.
"""

import pghistory
import pgtrigger
from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from annotation.models import Study
from legal.algorithms.bm25 import Formula
from legal.algorithms.passages import Cutting
from legal.models.catalogues import append_only


class SourceType(models.TextChoices):
    """What kind of text a document is."""

    STATUTE = "statute", _("Statute or regulation")
    DECISION = "decision", _("Decision of a court or tribunal")
    BULLETIN = "bulletin", _("Bulletin or guideline")
    OPINION = "opinion", _("Opinion or commentary")
    OTHER = "other", _("Something else")


class DocumentState(models.TextChoices):
    """Whether a document's text has been taken out of its file."""

    WAITING = "waiting", _("Waiting to be read")
    READ = "read", _("Read")
    UNREADABLE = "unreadable", _("Cannot be read")


# Postgres compares what may be a megabyte only when a document that was read is changed.
TEXT_CHANGES = pgtrigger.Condition(
    "OLD.state = 'read' AND (NEW.state <> 'read' OR NEW.sha256 <> OLD.sha256"
    " OR NEW.stored_as <> OLD.stored_as OR NEW.text IS DISTINCT FROM OLD.text)"
)


@pghistory.track(exclude=["text"])
class LibraryDocument(models.Model):
    """A document as it came, with the text that was taken out of it and where it is from."""

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="library_documents")
    title = models.CharField(max_length=300, blank=True)
    source_type = models.CharField(max_length=8, choices=SourceType, default=SourceType.STATUTE)
    jurisdiction = models.CharField(max_length=200, blank=True)
    citation = models.CharField(max_length=300, blank=True)
    licence = models.CharField(max_length=300, blank=True)
    language = models.CharField(max_length=8, blank=True)
    name = models.CharField(max_length=255)
    kind = models.CharField(max_length=4)
    stored_as = models.CharField(max_length=255)
    sha256 = models.CharField(max_length=64)
    size = models.PositiveBigIntegerField()
    state = models.CharField(max_length=10, choices=DocumentState, default=DocumentState.WAITING)
    reason = models.TextField(blank=True)
    text = models.TextField(blank=True)
    characters = models.PositiveIntegerField(default=0)
    empty_pages = models.JSONField(default=list)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    removed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["study", "sha256"],
                condition=models.Q(removed_at=None),
                name="library_document_once",
            ),
        ]
        triggers = [
            pgtrigger.Protect(
                name="library_text_stays", operation=pgtrigger.Update, condition=TEXT_CHANGES
            ),
            pgtrigger.Protect(name="library_document_stays", operation=pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return self.title or self.name


class Passage(models.Model):
    """A passage of a document, by code points of its text; `cut_as` says how it was cut.

    `heading` and `section` are where the passage begins, as far as the text shows it.
    """

    document = models.ForeignKey(
        LibraryDocument, on_delete=models.PROTECT, related_name="passages", db_index=False
    )
    cut_as = models.CharField(max_length=120)
    number = models.PositiveIntegerField()
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    tokens = models.PositiveIntegerField()
    heading = models.CharField(max_length=200, blank=True)
    section = models.CharField(max_length=200, blank=True)
    text = models.TextField()

    class Meta:
        ordering = ["document", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["document", "cut_as", "number"], name="passage_number_once"
            ),
        ]
        triggers = [append_only("passage_is_append_only")]

    def __str__(self) -> str:
        return f"passage {self.number} of document {self.document_id}"

    @property
    def title(self) -> str:
        """Return by what a citation calls it: the document, and the section or heading."""
        place = f"s. {self.section}" if self.section else self.heading
        return ", ".join(part for part in (str(self.document), place) if part)


class LibraryVersion(models.Model):
    """One index of the library: of which documents it is, how it was made, where its files are.

    A version is there when its index is whole. `folder` is empty for a library without documents.
    """

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="library_versions")
    number = models.PositiveIntegerField()
    size = models.PositiveIntegerField()
    overlap = models.FloatField()
    k1 = models.FloatField()
    b = models.FloatField()
    tokenizer = models.CharField(max_length=100)
    analyzer = models.CharField(max_length=100)
    document_count = models.PositiveIntegerField()
    passage_count = models.PositiveIntegerField()
    folder = models.CharField(max_length=255, blank=True)
    documents: "models.ManyToManyField[LibraryDocument, VersionDocument]" = models.ManyToManyField(
        LibraryDocument, through="VersionDocument", related_name="versions"
    )
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(fields=["study", "number"], name="library_version_once"),
        ]
        triggers = [append_only("library_version_is_append_only")]

    def __str__(self) -> str:
        return f"version {self.number}"

    @property
    def cutting(self) -> Cutting:
        """Return how its passages are cut."""
        return Cutting(self.size, self.overlap)

    @property
    def formula(self) -> Formula:
        """Return how its passages are scored."""
        return Formula(k1=self.k1, b=self.b)

    @property
    def cut_as(self) -> str:
        """Return what its passages have in common."""
        return self.cutting.named(self.tokenizer)


class VersionDocument(models.Model):
    """A document that a version of the library holds."""

    version = models.ForeignKey(LibraryVersion, on_delete=models.PROTECT, related_name="held")
    document = models.ForeignKey(LibraryDocument, on_delete=models.PROTECT, related_name="held_in")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["version", "document"], name="version_document_once"),
        ]
        triggers = [append_only("version_document_is_append_only")]

    def __str__(self) -> str:
        return f"document {self.document_id} in version {self.version_id}"
