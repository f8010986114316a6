"""Web pages that experts named as evidence, as they were when they were fetched.

A page is fetched once; what was stored of it is never changed or deleted.
"""

import pgtrigger
from django.db import models
from django.db.models import Q
from django.db.models.functions import MD5
from django.utils.translation import gettext_lazy as _

from annotation.models import Study
from legal.algorithms.pages import LONGEST_NAME


class PageState(models.TextChoices):
    """How an archived page stands."""

    WAITING = "waiting", _("Waiting")
    FETCHED = "fetched", _("Fetched")
    DEAD = "dead", _("Dead link")
    FAILED = "failed", _("Not fetched")


MISSED = (PageState.DEAD, PageState.FAILED)


class ArchivedPage(models.Model):
    """An address named as evidence in a study, and what was found there.

    `attempts` counts how often fetching began since somebody asked for it, so that a page at which
    workers die is given up. `size` and `sha256` are of the body without its transport's packing.
    """

    study = models.ForeignKey(
        Study, on_delete=models.PROTECT, related_name="archived_pages", db_index=False
    )
    url = models.TextField()
    domain = models.CharField(max_length=LONGEST_NAME, blank=True)
    state = models.CharField(max_length=7, choices=PageState, default=PageState.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    reason = models.TextField(blank=True)
    status = models.PositiveSmallIntegerField(null=True)
    final_url = models.TextField(blank=True)
    title = models.TextField(blank=True)
    published_on = models.DateField(null=True)
    retrieved_at = models.DateTimeField(null=True)
    content_type = models.CharField(max_length=100, blank=True)
    size = models.PositiveBigIntegerField(null=True)
    sha256 = models.CharField(max_length=64, blank=True)
    text = models.TextField(blank=True)
    warc = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            # An address can be longer than what an index holds, so its digest is unique.
            models.UniqueConstraint("study", MD5("url"), name="archived_page_once"),
            models.CheckConstraint(
                condition=Q(state=PageState.FETCHED, retrieved_at__isnull=False, size__isnull=False)
                & ~Q(sha256="")
                & ~Q(warc="")
                | ~Q(state=PageState.FETCHED) & Q(sha256="", warc="", text=""),
                name="archived_page_is_whole",
            ),
        ]
        indexes = [
            models.Index(fields=["study", "id"], name="page_in_order"),
            models.Index(fields=["study"], condition=Q(state="waiting"), name="page_waiting"),
            models.Index(fields=["study", "domain"], name="page_by_domain"),
        ]
        triggers = [
            pgtrigger.Protect(
                name="fetched_page_stays",
                operation=pgtrigger.Update | pgtrigger.Delete,
                condition=pgtrigger.Q(old__state="fetched"),
            )
        ]

    def __str__(self) -> str:
        return self.url
