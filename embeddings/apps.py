"""Encoders and stored vectors, used by import, filter and benchmark alike."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class EmbeddingsConfig(AppConfig):
    """One table, and no page of its own."""

    name = "embeddings"
    label = "embeddings"
    verbose_name = _("Embeddings")
    default_auto_field = "django.db.models.BigAutoField"
