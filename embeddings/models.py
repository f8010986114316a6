"""Stored vectors of texts; refuses a second vector for what has one already.

The text itself is not kept here: its hash finds the vector, whoever holds the text.
"""

from django.db import models
from django.db.models.functions import Length, Now
from django.db.models.lookups import Exact
from django.utils.translation import gettext_lazy as _
from pgvector.django import HalfVectorField

HASH_BYTES = 32


class StoredEmbedding(models.Model):
    """What one encoder, in one revision, with one pooling, makes of one text."""

    encoder = models.TextField(_("encoder"))
    revision = models.TextField(_("revision"))
    pooling = models.TextField(_("pooling"))
    text_hash = models.BinaryField(_("hash of the text"), max_length=HASH_BYTES)
    vector = HalfVectorField(_("vector"))
    created_at = models.DateTimeField(_("created"), db_default=Now())

    class Meta:
        verbose_name = _("stored embedding")
        verbose_name_plural = _("stored embeddings")
        constraints = [
            models.UniqueConstraint(
                fields=["encoder", "revision", "pooling", "text_hash"],
                name="embedding_once_per_text",
            ),
            models.CheckConstraint(
                condition=Exact(Length("text_hash"), HASH_BYTES),
                name="embedding_hash_is_sha256",
            ),
            models.CheckConstraint(
                condition=~models.Q(encoder="") & ~models.Q(revision=""),
                name="embedding_names_its_encoder",
            ),
            models.CheckConstraint(
                condition=models.Q(pooling__in=["first", "mean"]),
                name="embedding_pooling_is_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.encoder} ({self.pooling}) {bytes(self.text_hash).hex()[:12]}"
