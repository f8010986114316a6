"""Does a filter run: reads votes, has the texts encoded, runs the trials, stores all at the end.

Nothing of the outcome is stored before everything is there, so a run that is cancelled, fails or
is started again by another worker leaves no half of itself. Vectors that were made stay stored.
"""

import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.models import Post, StageCode
from annotation.queries.counts import RoundsDiffer, rounds_of
from embeddings import encoders
from embeddings.services import EmbeddingRefused, embed_texts
from filtering import algorithms
from filtering.algorithms import FilterError, FilterSettings, intersect, label_shift, times_kept
from filtering.models import FilteredPost, FilterRun, Round, Trial
from filtering.queries.voted_posts import voted_texts
from filtering.services.runs import FilterRefused, refuse_too_few, trial_seeds
from infra.jobs import JobRefused, Report

BLOCK = 2_000


@dataclass(frozen=True)
class Posts:
    """What a run filters, in the order of the posts' ids: counts has shape (posts, labels)."""

    ids: npt.NDArray[np.int64]
    texts: list[str]
    counts: npt.NDArray[np.int64]
    labels: tuple[str, ...]


def run_filter(*, run: FilterRun, report: Report) -> dict[str, Any]:
    """Do a run; one that is finished already is left as it is."""
    if not run.is_finished:
        posts = posts_of(run)
        weights = located(run)
        settings = FilterSettings(k=run.k, **run.settings)
        with tempfile.TemporaryDirectory(prefix="juryroom-filter-") as folder:
            steps = Steps(report, posts=len(posts.ids), trials=run.trial_count)
            vectors = embed_texts(
                texts=posts.texts,
                encoder=run.encoder,
                revision=weights.revision,
                pooling=pooling_of(run),
                progress=steps.encoded,
                spool=Path(folder) / "vectors.npy",
            )
            trials = list(run_trials(run, posts, vectors, settings, steps))
        store(run, revision=weights.revision, posts=posts, trials=trials)
    return {"run": run.number, "posts": run.post_count, "kept": run.kept_count}


def posts_of(run: FilterRun) -> Posts:
    """Return the posts with votes, or refuse in the words in which starting refuses."""
    try:
        rounds = rounds_of(run.study, StageCode.CROWD, run.round_number)
        rows = list(voted_texts(rounds))
        refuse_too_few(posts=len(rows), k=run.k)
    except (RoundsDiffer, FilterRefused) as refusal:
        raise JobRefused(str(refusal)) from None
    return Posts(
        ids=np.array([post_id for post_id, _text, _counts in rows], dtype=np.int64),
        texts=[text for _id, text, _counts in rows],
        counts=np.array([counts for _id, _text, counts in rows], dtype=np.int64),
        labels=rounds.labels,
    )


def located(run: FilterRun) -> encoders.Weights:
    """Find the encoder before anything is computed, and learn its real revision."""
    try:
        return encoders.locate(run.encoder, run.encoder_revision)
    except encoders.EncoderError as error:
        raise EmbeddingRefused(_(error.template) % error.values) from error


def pooling_of(run: FilterRun) -> encoders.Pooling:
    """Return the run's pooling in the encoders' own type."""
    return "mean" if run.pooling == "mean" else "first"


class Steps:
    """Turns what encoder and trials tell into the job's progress, which never goes back.

    How many rounds a trial has is not known beforehand: each round is given half of what its trial
    has left, so a trial comes near its end and reaches it when it stops.
    """

    def __init__(self, report: Report, *, posts: int, trials: int) -> None:
        self.report, self.posts, self.trials = report, posts, trials
        self.total = posts * (trials + 1)

    def encoded(self, done: int, total: int) -> None:
        """Tell how many different texts have a vector."""
        share = done / total if total else 1.0
        message = _("Encoding texts: %(done)s of %(total)s") % {"done": done, "total": total}
        self.report(int(self.posts * share), self.total, message)

    def trained(self, trial: int, progress: algorithms.Progress) -> None:
        """Tell how far a trial (counted from 1) is."""
        left = 0.5 ** (progress.round - 1)
        share = 1 - left + left / 2 * progress.step / progress.steps
        message = _("Trial %(trial)s of %(trials)s, round %(round)s: %(size)s posts") % {
            "trial": trial,
            "trials": self.trials,
            "round": progress.round,
            "size": progress.size,
        }
        self.report(int(self.posts * (trial + share)), self.total, message)


def run_trials(
    run: FilterRun,
    posts: Posts,
    vectors: npt.NDArray[np.float32],
    settings: FilterSettings,
    steps: Steps,
) -> Iterator[algorithms.Trial]:
    """Run the trials one after another; a trial that has no meaning is refused by post ids."""
    for number, seed in enumerate(trial_seeds(run), start=1):

        def progress(at: algorithms.Progress, number: int = number) -> None:
            steps.trained(number, at)

        try:
            yield algorithms.run_trial(
                vectors, posts.counts, settings, seed=seed, progress=progress
            )
        except FilterError as error:
            raise JobRefused(named_by_id(error, posts)) from error


def named_by_id(error: FilterError, posts: Posts) -> str:
    """Return an algorithm's sentence with the ids that people know in place of positions."""
    details = dict(error.details)
    if error.positions:
        keys = [int(posts.ids[position]) for position in error.positions[:10]]
        known = dict(Post.objects.filter(pk__in=keys).values_list("pk", "external_id"))
        more = ", …" if len(error.positions) > len(keys) else ""
        details["shown"] = ", ".join(known[key] for key in keys) + more
    return _(error.fault.template) % details


@transaction.atomic
def store(run: FilterRun, *, revision: str, posts: Posts, trials: list[algorithms.Trial]) -> None:
    """Write everything that a run found."""
    kept = intersect(trials)
    for number, trial in enumerate(trials, start=1):
        store_trial(run, number, trial)
    rows = filtered(run, posts, trials, kept)
    while block := list(islice(rows, BLOCK)):
        FilteredPost.objects.bulk_create(block)
    run.encoder_revision, run.labels = revision, list(posts.labels)
    run.post_count, run.kept_count = len(posts.ids), int(kept.sum())
    run.shift = asdict(label_shift(posts.counts, kept))
    run.finished_at = timezone.now()
    run.save()


def store_trial(run: FilterRun, number: int, trial: algorithms.Trial) -> None:
    """Write one trial with its rounds."""
    stored = Trial.objects.create(
        run=run,
        number=number,
        seed=trial.seed,
        kept_count=int(trial.kept.sum()),
        stop_reason=trial.stop_reason.name.lower(),
    )
    Round.objects.bulk_create(Round(trial=stored, **asdict(round_)) for round_ in trial.rounds)


def filtered(
    run: FilterRun,
    posts: Posts,
    trials: list[algorithms.Trial],
    kept: npt.NDArray[np.bool_],
) -> Iterator[FilteredPost]:
    """Yield what the trials made of each post, unsaved."""
    kept_in = times_kept(trials)
    losses = np.stack([trial.last_score for trial in trials], axis=1)
    left_in = np.stack([trial.left_in for trial in trials], axis=1)
    for place, post_id in enumerate(posts.ids.tolist()):
        yield FilteredPost(
            run=run,
            post_id=post_id,
            counts=posts.counts[place].tolist(),
            kept=bool(kept[place]),
            kept_in=int(kept_in[place]),
            losses=losses[place].tolist(),
            left_in=left_in[place].tolist(),
        )
