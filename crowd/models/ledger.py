"""The ledger: what people are owed, and what was paid. No row of it is ever changed or deleted.

Nobody is paid twice: a sitting has one entry that pays for its votes, an entry is in one payout.
"""

import uuid

import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models import Member, Sitting, Study

APPEND_ONLY = pgtrigger.Update | pgtrigger.Delete


class EntryKind(models.TextChoices):
    """What an entry is for."""

    SITTING = "sitting", _("Sitting")
    PRESCREENING = "prescreening", _("Prescreening")
    SCREEN_OUT = "screen_out", _("Screen-out")
    BONUS = "bonus", _("Bonus")
    CORRECTION = "correction", _("Correction")


# What pays for the votes of a sitting.
EARNINGS = (EntryKind.SITTING, EntryKind.PRESCREENING)


class LedgerEntry(models.Model):
    """An amount that somebody is owed; a mistake is mended by another entry, a correction.

    `form` is the form that an entry came from: sent twice, it makes one entry.
    """

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="ledger")
    member = models.ForeignKey(Member, on_delete=models.PROTECT, related_name="ledger")
    kind = models.CharField(max_length=12, choices=EntryKind)
    amount = models.DecimalField(max_digits=12, decimal_places=2)
    currency = models.CharField(max_length=3)
    reason = models.TextField(blank=True)
    sitting = models.ForeignKey(
        Sitting, on_delete=models.PROTECT, null=True, related_name="entries"
    )
    form = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        verbose_name_plural = "ledger entries"
        constraints = [
            models.UniqueConstraint(
                fields=["sitting"],
                condition=Q(kind__in=EARNINGS),
                name="ledger_sitting_earns_once",
            ),
            models.UniqueConstraint(
                fields=["member"],
                condition=Q(kind=EntryKind.SCREEN_OUT),
                name="ledger_screen_out_once",
            ),
            models.CheckConstraint(
                condition=~Q(kind__in=EARNINGS) | Q(sitting__isnull=False),
                name="ledger_earning_has_sitting",
            ),
            models.CheckConstraint(
                condition=Q(amount__gt=0) | Q(amount__lt=0, kind=EntryKind.CORRECTION),
                name="ledger_only_corrections_are_negative",
            ),
            models.CheckConstraint(
                condition=~Q(kind__in=[EntryKind.BONUS, EntryKind.CORRECTION]) | ~Q(reason=""),
                name="ledger_bonus_and_correction_have_reason",
            ),
        ]
        indexes = [models.Index(fields=["study", "member"], name="ledger_by_person")]
        triggers = [pgtrigger.Protect(name="ledger_is_append_only", operation=APPEND_ONLY)]

    def __str__(self) -> str:
        return f"{self.kind} {self.amount} {self.currency}"


class Payout(models.Model):
    """Entries that were paid together, in one currency."""

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="payouts")
    number = models.PositiveIntegerField()
    currency = models.CharField(max_length=3)
    total = models.DecimalField(max_digits=14, decimal_places=2)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(fields=["study", "number"], name="payout_number_once"),
            models.CheckConstraint(condition=Q(total__gt=0), name="payout_pays_something"),
        ]
        triggers = [pgtrigger.Protect(name="payout_is_append_only", operation=APPEND_ONLY)]

    def __str__(self) -> str:
        return f"payout {self.number}"


class PayoutLine(models.Model):
    """One entry of a payout; there is never a second payout of it."""

    payout = models.ForeignKey(Payout, on_delete=models.PROTECT, related_name="lines")
    entry = models.OneToOneField(LedgerEntry, on_delete=models.PROTECT, related_name="line")

    class Meta:
        triggers = [pgtrigger.Protect(name="payout_line_is_append_only", operation=APPEND_ONLY)]

    def __str__(self) -> str:
        return f"entry {self.entry_id} in payout {self.payout_id}"
