"""Runs of the filter and what each did. Nothing of a finished run can be changed or deleted."""

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from annotation.models import Batch, Job, Pooling, Post, Study, User
from filtering.algorithms import Method, Settings, StopReason, settings_for

METHODS = [
    (Method.KL.value, _("KL filter")),
    (Method.AFLITE.value, _("AFLite")),
    (Method.MAJORITY.value, _("Agreement")),
    (Method.RANDOM.value, _("Chance")),
]


def append_only(name: str) -> pgtrigger.Protect:
    """Return the trigger by which the database refuses to change or delete a row."""
    return pgtrigger.Protect(name=name, operation=pgtrigger.Update | pgtrigger.Delete)


class FilterRun(models.Model):
    """One run over the posts that have crowd votes: its settings first, its outcome once.

    A post is kept when at least `at_least` of the `trial_count` trials keep it. `settings` are the
    method's without k, which is None for a method that has none. `previews` holds what other k
    would have kept, as `filtering.algorithms.Preview`. A preview is a run that asks what
    `previewed_k` and other k would do: its own k is the smallest that it looks at, it decides
    nothing, and it is not given to the experts.
    `round_number` names the crowd round whose votes were taken (None: all rounds together);
    `encoder_revision` is what was asked for until the posts are written down, then what was found.
    `shift` holds for `before`, `after` and `left` (the posts that left) how votes lie, as
    `filtering.algorithms.LabelMix`, and Krippendorff's `alpha` with its `interval` (or why it is
    `undefined`).
    """

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="filter_runs")
    number = models.PositiveIntegerField()
    job = models.OneToOneField(Job, on_delete=models.PROTECT, related_name="filter_run")
    encoder = models.CharField(_("encoder"), max_length=200)
    encoder_revision = models.CharField(_("revision"), max_length=80, blank=True)
    pooling = models.CharField(_("pooling"), max_length=5, choices=Pooling)
    method = models.CharField(_("method"), max_length=8, choices=METHODS)
    k = models.PositiveIntegerField("k", null=True)
    previewed_k = models.PositiveIntegerField(null=True)
    trial_count = models.PositiveSmallIntegerField(_("trials"))
    at_least = models.PositiveSmallIntegerField(_("kept in at least"))
    seed = models.BigIntegerField(_("seed"))
    settings = models.JSONField(default=dict)
    round_number = models.PositiveIntegerField(null=True)
    labels = ArrayField(models.CharField(max_length=60), default=list)
    post_count = models.PositiveIntegerField(null=True)
    kept_count = models.PositiveIntegerField(null=True)
    near_count = models.PositiveIntegerField(null=True)
    shift = models.JSONField(default=dict)
    previews = models.JSONField(default=list)
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(fields=["study", "number"], name="filter_run_number_once"),
            models.CheckConstraint(
                condition=models.Q(finished_at=None)
                | models.Q(post_count__isnull=False, kept_count__isnull=False),
                name="filter_run_finished_has_counts",
            ),
            models.CheckConstraint(
                condition=models.Q(at_least__gte=1, at_least__lte=models.F("trial_count")),
                name="filter_run_at_least_some_trials",
            ),
            models.CheckConstraint(
                condition=models.Q(previewed_k=None) | models.Q(previewed_k__gte=models.F("k")),
                name="filter_preview_looks_down",
            ),
        ]
        triggers = [
            pgtrigger.Protect(
                name="finished_filter_run_stays",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__finished_at__isnull=False),
            ),
            pgtrigger.Protect(name="filter_run_is_kept", operation=pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return f"filter run {self.number}"

    @property
    def chosen(self) -> Settings:
        """Return the settings of each trial."""
        k = {} if self.k is None else {"k": self.k}
        return settings_for(self.method, self.settings | k)

    @property
    def asked_k(self) -> int | None:
        """Return the k that was asked for."""
        return self.previewed_k if self.is_preview else self.k

    @property
    def is_preview(self) -> bool:
        """Say whether this only tells what a run would do."""
        return self.previewed_k is not None

    @property
    def is_finished(self) -> bool:
        """Say whether the outcome is there."""
        return self.finished_at is not None


class Trial(models.Model):
    """One of a run's trials; `kept_count` posts were left when it stopped for `stop_reason`."""

    run = models.ForeignKey(FilterRun, on_delete=models.PROTECT, related_name="trials")
    number = models.PositiveSmallIntegerField()
    seed = models.BigIntegerField()
    kept_count = models.PositiveIntegerField()
    stop_reason = models.CharField(max_length=20)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["run", "number"], name="filter_trial_number_once"),
        ]
        triggers = [append_only("filter_trial_is_append_only")]

    def __str__(self) -> str:
        return f"trial {self.number}"

    @property
    def why(self) -> StopReason:
        """Return why it ended."""
        return StopReason[self.stop_reason.upper()]


class Round(models.Model):
    """One round of a trial: who was present, the threshold, who was above it, what was decided."""

    trial = models.ForeignKey(Trial, on_delete=models.PROTECT, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    size = models.PositiveIntegerField()
    threshold = models.FloatField()
    above = models.PositiveIntegerField()
    would_remain = models.PositiveIntegerField()
    removed = models.BooleanField()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["trial", "number"], name="filter_round_number_once"),
        ]
        triggers = [append_only("filter_round_is_append_only")]

    def __str__(self) -> str:
        return f"round {self.number}"


class TrialPost(models.Model):
    """What a trial made of one post.

    `scores` has an entry for each round in which the post was present; what a score is, the method
    says (`filtering.algorithms.Trial`). `left_in` is the round that removed the post, 0 where it
    was kept. `is_near` says that a score came so near to a threshold that rounding may decide.
    """

    trial = models.ForeignKey(Trial, on_delete=models.PROTECT, related_name="posts", db_index=False)
    post = models.ForeignKey(Post, on_delete=models.PROTECT, related_name="+")
    scores = ArrayField(models.FloatField())
    left_in = models.PositiveSmallIntegerField()
    is_near = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["trial", "post"], name="filter_trial_post_once"),
        ]
        triggers = [append_only("filter_trial_post_is_append_only")]

    def __str__(self) -> str:
        return f"post {self.post_id} in trial {self.trial_id}"

    @property
    def last_score(self) -> float:
        """Return the score in the last round in which the post was present."""
        return self.scores[-1]


class FilteredPost(models.Model):
    """A post that a run filters, written down when the run begins, and once what came of it.

    `counts` are the votes per label that all trials see, in the order of `run.labels`. `kept` says
    whether enough of the trials kept the post, `kept_in` how many did, `is_near` whether it
    came near to a threshold in any.
    """

    run = models.ForeignKey(FilterRun, on_delete=models.PROTECT, related_name="posts")
    post = models.ForeignKey(Post, on_delete=models.PROTECT, related_name="filtered")
    counts = ArrayField(models.PositiveIntegerField())
    kept = models.BooleanField(null=True)
    kept_in = models.PositiveSmallIntegerField(null=True)
    is_near = models.BooleanField(null=True)

    class Meta:
        ordering = ["post"]
        constraints = [
            models.UniqueConstraint(fields=["run", "post"], name="filtered_post_once"),
        ]
        triggers = [
            pgtrigger.Protect(
                name="filtered_post_is_decided_once",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__kept__isnull=False),
            ),
            pgtrigger.Protect(name="filtered_post_is_kept", operation=pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return f"post {self.post_id} in run {self.run_id}"


class Promotion(models.Model):
    """That a run's kept posts were given to the experts, as which batch; once for each run.

    `control_count` posts that had left went with them.
    """

    run = models.OneToOneField(FilterRun, on_delete=models.PROTECT, related_name="promotion")
    batch = models.OneToOneField(Batch, on_delete=models.PROTECT, related_name="promotion")
    control_count = models.PositiveIntegerField(default=0)
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        triggers = [append_only("filter_promotion_is_append_only")]

    def __str__(self) -> str:
        return f"run {self.run_id} as batch {self.batch_id}"
