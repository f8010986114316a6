"""Starts filter runs; refuses what could only fail."""

import random
import secrets
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from annotation.models import StageCode, Study, User
from annotation.queries.counts import RoundsDiffer, rounds_of
from annotation.services.archive import lock_study
from annotation.services.jobs import queue_job
from filtering.algorithms import FilterSettings, Method, Settings, settings_for
from filtering.models import FilterRun
from filtering.queries.voted_posts import voted_posts

MOST_TRIALS = 20
SEEDS = 2**31
PREVIEWED_PART = 10
"""A preview goes down to a tenth of the posts, or to the k that is asked for."""

NO_PREVIEW = {
    Method.AFLITE: gettext_noop(
        "There is a preview for the KL filter alone: one of its trials holds those of all greater "
        "k. AFLite learns from parts whose size follows k, so each k is a run of its own."
    ),
    Method.MAJORITY: gettext_noop(
        "There is a preview for the KL filter alone. A threshold on agreement has no k: a run "
        "learns nothing and is done at once."
    ),
    Method.RANDOM: gettext_noop(
        "There is a preview for the KL filter alone. By chance k posts stay, whatever k is."
    ),
}


def names_a_folder(encoder: str) -> bool:
    """Say whether an encoder is named by where it lies, which only a command may do."""
    return encoder.startswith(("/", "\\", "~", "."))


class FilterRefused(Exception):
    """A run that cannot be started or promoted; its text is a sentence for the person."""


@transaction.atomic
def start_run(
    *,
    by: User | None,
    study: Study,
    k: int | None = None,
    trials: int | None = None,
    seed: int | None = None,
    encoder: str = "",
    revision: str | None = None,
    pooling: str = "",
    round_number: int | None = None,
    at_least: int | None = None,
    method: str = Method.KL,
    settings: Mapping[str, Any] | None = None,
    is_preview: bool = False,
) -> FilterRun:
    """Queue a run. What is not given is the protocol's; a seed that is not given is drawn.

    `at_least` says how many trials must keep a post (None: all); `settings` are those of the method
    that are not its own defaults. A method that knows no k gets none. A preview tells what this
    k and others would keep, and is never given to the experts.
    """
    lock_study(study.pk)
    protocol = study.protocol
    chosen = settings_of(method, protocol.filter_k if k is None else k, settings or {})
    k = getattr(chosen, "k", None)
    trials = protocol.filter_trials if trials is None else trials
    at_least = trials if at_least is None else at_least
    refuse_wrong_trials(trials=trials, at_least=at_least)
    posts = count_posts(study=study, round_number=round_number)
    refuse_too_few(posts=posts, k=k or 1)
    encoder = encoder or protocol.encoder
    if revision is None:
        revision = protocol.encoder_revision if encoder == protocol.encoder else ""
    last = FilterRun.objects.filter(study=study).aggregate(last=Max("number"))["last"] or 0
    job = queue_job(by=by, study=study, kind="run_filter", parameters={"run": last + 1})
    return FilterRun.objects.create(
        study=study,
        number=last + 1,
        job=job,
        encoder=encoder,
        encoder_revision=revision,
        pooling=pooling or protocol.pooling,
        k=smallest_k(chosen, posts) if is_preview else k,
        previewed_k=k if is_preview else None,
        trial_count=trials,
        at_least=at_least,
        seed=secrets.randbelow(SEEDS) if seed is None else seed,
        method=chosen.method,
        settings={name: value for name, value in asdict(chosen).items() if name != "k"},
        round_number=round_number,
        created_by=by,
    )


def settings_of(method: str, k: int, chosen: Mapping[str, Any]) -> Settings:
    """Return a method's settings, or refuse what it does not know or cannot take."""
    if method not in set(Method):
        raise FilterRefused(_("There is no method “%s”.") % method)
    known = {} if method == Method.MAJORITY else {"k": k}
    try:
        return settings_for(method, {**chosen, **known})
    except TypeError:
        names = ", ".join(sorted(chosen))
        raise FilterRefused(
            _("The method “%(method)s” does not know all of these settings: %(names)s.")
            % {"method": method, "names": names}
        ) from None
    except ValueError as refusal:
        raise FilterRefused(str(refusal)) from None


def trial_seeds(run: FilterRun) -> list[int]:
    """Return a seed for each trial, drawn from the run's own."""
    generator = random.Random(run.seed)  # noqa: S311 -- reproducible
    return [generator.randrange(SEEDS) for _trial in range(run.trial_count)]


def smallest_k(chosen: Settings, posts: int) -> int:
    """Return the smallest k that a preview looks at; refuse what no preview can tell."""
    if isinstance(chosen, FilterSettings):
        return max(1, min(chosen.k, posts // PREVIEWED_PART))
    raise FilterRefused(_(NO_PREVIEW[chosen.method]))


def refuse_wrong_trials(*, trials: int, at_least: int) -> None:
    """Raise FilterRefused where trials cannot be counted so."""
    if not 1 <= trials <= MOST_TRIALS:
        raise FilterRefused(_("A run has 1 to %s trials.") % MOST_TRIALS)
    if not 1 <= at_least <= trials:
        raise FilterRefused(
            _("A post is kept by 1 to %(trials)s trials, not by %(at_least)s of them.")
            % {"trials": trials, "at_least": at_least}
        )


def count_posts(*, study: Study, round_number: int | None) -> int:
    """Return how many posts a run would take; refuse rounds that it cannot take together."""
    try:
        rounds = rounds_of(study, StageCode.CROWD, round_number)
    except RoundsDiffer as difference:
        raise FilterRefused(str(difference)) from None
    if round_number is not None and not rounds.batch_ids:
        raise FilterRefused(_("There is no crowd round %s.") % round_number)
    return voted_posts(study, rounds.batch_ids).count()


def refuse_too_few(*, posts: int, k: int) -> None:
    """Raise FilterRefused where there is nothing that the filter could remove."""
    if not posts:
        raise FilterRefused(_("No post has crowd votes yet, so there is nothing to filter."))
    if posts < k:
        sentence = ngettext(
            "Only %(posts)s post has crowd votes, fewer than k = %(k)s, so nothing could be "
            "removed. Choose a smaller k, or wait for votes.",
            "Only %(posts)s posts have crowd votes, fewer than k = %(k)s, so nothing could be "
            "removed. Choose a smaller k, or wait for votes.",
            posts,
        )
        raise FilterRefused(sentence % {"posts": posts, "k": k})
