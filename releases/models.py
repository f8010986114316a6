"""Releases and their files. A release is made whole or not at all, and never changed or deleted."""

import pghistory
import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from annotation.models import Job, Member, Study, User
from releases.choices import Texts

TEXTS = [
    (Texts.CLEANED.value, _("Cleaned texts, as annotators saw them")),
    (Texts.ORIGINAL.value, _("Original texts")),
    (Texts.IDS.value, _("Ids only")),
]


def append_only(name: str) -> pgtrigger.Protect:
    """Return the trigger by which the database refuses to change or delete a row."""
    return pgtrigger.Protect(name=name, operation=pgtrigger.Update | pgtrigger.Delete)


@pghistory.track()
class Release(models.Model):
    """One dataset, frozen. `manifest` says how it came about and holds its statistics.

    `open_tasks` counts what was still to be voted on; a release with such tasks is incomplete. What
    it holds is as it stood at `read_at`, when its making began.
    """

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="releases")
    number = models.PositiveIntegerField()
    texts = models.CharField(_("texts"), max_length=8, choices=TEXTS)
    complete = models.BooleanField()
    open_tasks = models.PositiveIntegerField()
    manifest = models.JSONField()
    job = models.OneToOneField(Job, on_delete=models.PROTECT, related_name="release")
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    read_at = models.DateTimeField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(fields=["study", "number"], name="release_number_once"),
            models.CheckConstraint(
                condition=models.Q(complete=True, open_tasks=0)
                | models.Q(complete=False, open_tasks__gt=0),
                name="release_is_complete_without_open_tasks",
            ),
        ]
        triggers = [append_only("release_is_append_only")]

    def __str__(self) -> str:
        return f"release {self.number}"


class ReleaseKey(models.Model):
    """The secret behind the names that a study's people have in releases; in no file or page."""

    study = models.OneToOneField(Study, on_delete=models.PROTECT, related_name="release_key")
    key = models.BinaryField()

    class Meta:
        triggers = [append_only("release_key_is_append_only")]

    def __str__(self) -> str:
        return f"key of {self.study_id}"


class ReleaseFile(models.Model):
    """A file of a release: its name within the release, and what it must contain."""

    release = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="files")
    name = models.CharField(max_length=100)
    sha256 = models.CharField(max_length=64)
    size = models.PositiveBigIntegerField()
    rows = models.PositiveBigIntegerField(null=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["release", "name"], name="release_file_once"),
        ]
        triggers = [append_only("release_file_is_append_only")]

    def __str__(self) -> str:
        return self.name


@pghistory.track()
class DataCard(models.Model):
    """What researchers wrote into their study's data card; what they did not follows the study.

    `sections` holds their texts by the section's code (`releases.algorithms.card`).
    """

    study = models.OneToOneField(Study, on_delete=models.PROTECT, related_name="data_card")
    licence = models.CharField(_("licence"), max_length=200, blank=True)
    citation = models.TextField(_("citation"), blank=True)
    sections = models.JSONField(default=dict, blank=True)

    def __str__(self) -> str:
        return f"data card of {self.study_id}"


class StudyStatistics(models.Model):
    """The figures of a study as a job has counted them last; the next count takes their place.

    `content` is what releases/algorithms and releases/queries/work.py return. `state` is what the
    study was like, so that a page can say what has changed since.
    """

    study = models.OneToOneField(Study, on_delete=models.PROTECT, related_name="statistics")
    content = models.JSONField()
    state = models.JSONField()
    crowd_round = models.PositiveIntegerField(null=True)
    made_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "study statistics"

    def __str__(self) -> str:
        return f"statistics of {self.study_id}"


class FlagKind(models.TextChoices):
    """Why a release is flagged."""

    WITHDRAWN = "withdrawn", _("Somebody withdrew")
    FAULT = "fault", _("A fault was found")


class ReleaseFlag(models.Model):
    """What became known of a release after it was made; it stands beside it and changes nothing.

    A withdrawal names the `member` whose votes the release holds.
    """

    release = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="flags")
    kind = models.CharField(_("kind"), max_length=9, choices=FlagKind)
    reason = models.TextField(_("reason"), max_length=2_000, blank=True)
    member = models.ForeignKey(Member, on_delete=models.PROTECT, null=True, related_name="+")
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["release", "member"], name="withdrawal_flagged_once"),
            models.CheckConstraint(
                condition=models.Q(kind=FlagKind.WITHDRAWN, member__isnull=False)
                | models.Q(kind=FlagKind.FAULT, member=None) & ~models.Q(reason=""),
                name="release_flag_says_why",
            ),
        ]
        triggers = [append_only("release_flag_is_append_only")]

    def __str__(self) -> str:
        return f"{self.kind}: {self.release_id}"


class Comparison(models.Model):
    """What differs between two releases of a study; `result` holds counts, choices, columns."""

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="comparisons")
    before = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="compared_later")
    after = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="compared_earlier")
    job = models.OneToOneField(Job, on_delete=models.PROTECT, related_name="comparison")
    result = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["before", "after"], name="releases_compared_once"),
        ]
        triggers = [append_only("comparison_is_append_only")]

    def __str__(self) -> str:
        return f"{self.before_id} and {self.after_id}"


class ChangedPost(models.Model):
    """A post that differs between two releases: in what, and what each says of it."""

    comparison = models.ForeignKey(Comparison, on_delete=models.PROTECT, related_name="posts")
    post_id = models.CharField(max_length=200)
    changes = ArrayField(models.CharField(max_length=12))
    crowd_before = models.CharField(max_length=60, null=True)
    crowd_after = models.CharField(max_length=60, null=True)
    verdict_before = models.CharField(max_length=12, null=True)
    verdict_after = models.CharField(max_length=12, null=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["comparison", "post_id"], name="changed_post_once"),
        ]
        triggers = [append_only("changed_post_is_append_only")]

    def __str__(self) -> str:
        return self.post_id
