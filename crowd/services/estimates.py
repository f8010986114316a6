"""Estimates how reliable people are and how likely each label of a post is, as a job."""

from itertools import islice
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.models import Job, StageCode, Study, User
from annotation.queries.counts import RoundsDiffer, rounds_of
from annotation.queries.jobs import job_under_way
from annotation.services.archive import lock_study
from annotation.services.jobs import queue_job
from crowd.models import Estimate, LikelyLabel, Reliability
from crowd.queries.estimates import KIND, votes_to_estimate
from infra.jobs import JobRefused, Report

BLOCK = 5_000


@transaction.atomic
def start_estimate(*, by: User | None, study: Study) -> Job:
    """Queue an estimate, or return the one that has not ended."""
    lock_study(study.pk)
    return job_under_way(study, KIND) or queue_job(by=by, study=study, kind=KIND, parameters={})


def make_estimate(*, job: Job, report: Report) -> dict[str, Any]:
    """Estimate from all counting votes of the crowd's rounds, and store what comes of it."""
    from annotation.aggregation.dawid_skene import dawid_skene

    try:
        rounds = rounds_of(job.study, StageCode.CROWD)
    except RoundsDiffer as difference:
        raise JobRefused(str(difference)) from difference
    report(0, 3, _("Reading votes"))
    votes, posts, people = read(rounds)
    if not len(posts):
        raise JobRefused(
            _("There are no votes by people yet; votes that came as counts name none.")
        )
    report(1, 3, _("Estimating"))
    found = dawid_skene(votes, posts=len(posts), people=len(people), labels=len(rounds.labels))
    report(2, 3, _("Storing"))
    estimate = store(job, list(rounds.labels), votes, posts, people, found)
    return {"posts": estimate.posts, "people": estimate.people, "votes": estimate.votes}


def read(rounds: Any) -> tuple[Any, Any, Any]:
    """Return the votes by index, and the ids of the posts and of the people in that order."""
    import numpy as np

    from annotation.aggregation.dawid_skene import Votes

    rows = np.fromiter(
        (number for vote in votes_to_estimate(rounds) for number in vote), dtype=np.int64
    ).reshape(-1, 3)
    posts, post_places = np.unique(rows[:, 0], return_inverse=True)
    people, person_places = np.unique(rows[:, 1], return_inverse=True)
    return Votes(post_places, person_places, rows[:, 2]), posts, people


@transaction.atomic
def store(job: Job, labels: list[str], votes: Any, posts: Any, people: Any, found: Any) -> Estimate:
    """Write an estimate with its people and posts."""
    import numpy as np

    estimate = Estimate.objects.create(
        study=job.study,
        job=job,
        labels=labels,
        shares=found.shares.tolist(),
        posts=len(posts),
        people=len(people),
        votes=len(votes.posts),
        rounds=found.rounds,
        converged=found.converged,
        log_likelihood=found.log_likelihood,
    )
    numbers = np.bincount(votes.people, minlength=len(people))
    skills = found.skills()
    Reliability.objects.bulk_create(
        [
            Reliability(
                estimate=estimate,
                member_id=int(member),
                votes=int(numbers[place]),
                skill=float(skills[place]),
                error_rates=[known(row) for row in found.error_rates[place]],
            )
            for place, member in enumerate(people)
        ]
    )
    chances = (
        LikelyLabel(estimate=estimate, post_id=int(post), chances=row.tolist())
        for post, row in zip(posts, found.posteriors, strict=True)
    )
    while block := list(islice(chances, BLOCK)):
        LikelyLabel.objects.bulk_create(block)
    return estimate


def known(row: Any) -> list[float] | None:
    """Return a row of error rates; None where nothing is known of it."""
    import numpy as np

    return None if np.isnan(row).any() else [float(rate) for rate in row]
