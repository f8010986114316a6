"""Files that experts give as evidence. They are kept as they came, and only ever downloaded."""

from django.db import models

from annotation.models import Assignment, Study


class Attachment(models.Model):
    """A file that an expert gives as evidence in place of an address.

    `content_type` is what the content was found to be, never what the browser said. The name is
    shown, and never used as a path. Every file that is not detached is evidence of the next answer
    to its post; one that an answer cites is never deleted.
    """

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="attachments")
    assignment = models.ForeignKey(Assignment, on_delete=models.PROTECT, related_name="attachments")
    name = models.CharField(max_length=255)
    content_type = models.CharField(max_length=100)
    size = models.PositiveBigIntegerField()
    sha256 = models.CharField(max_length=64)
    stored_as = models.CharField(max_length=200)
    created_at = models.DateTimeField(auto_now_add=True)
    detached_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["assignment", "sha256"], name="attachment_once_per_assignment"
            ),
        ]

    @property
    def reference(self) -> str:
        """Return how the file is named where evidence is listed by address."""
        return f"sha256:{self.sha256}"

    def __str__(self) -> str:
        return self.name
