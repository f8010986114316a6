"""Makes batches for the crowd and the gold pool, and discards drafts; a post is never in both."""

import secrets
import sys
from collections.abc import Sequence

import pghistory
from django.db import transaction
from django.utils.translation import gettext as _

from annotation.models import (
    Batch,
    DiscardedBatch,
    Post,
    StageCode,
    Study,
    TaskKind,
    User,
)
from annotation.services.archive import hold_open, lock_study
from annotation.services.batches import (
    BatchRefused,
    add_tasks,
    discard_batch,
    lock_batch,
    sample_posts,
    start_batch,
)
from crowd.models import CrowdRound
from crowd.queries.free_posts import taken_tasks
from crowd.queries.labels import codes_of, round_codes
from crowd.services.defaults import current_instructions, own_label_set

SHOWN_IDS = 5


@transaction.atomic
def create_batch(
    *,
    by: User | None,
    study: Study,
    posts: int | None = None,
    seed: int | None = None,
    votes_wanted: int | None = None,
    external_ids: Sequence[str] | None = None,
) -> Batch:
    """Make a draft batch for the crowd: the posts named, else `posts` drawn at random.

    What is not given comes from the protocol; a seed that is not given is drawn and recorded.
    """
    with pghistory.context(user=by.pk if by else None, action="make crowd batch"):
        batch = start_round(
            study=study,
            stage=StageCode.CROWD,
            votes_wanted=votes_wanted or study.protocol.crowd_votes,
            seed=None if external_ids is not None else chosen_seed(seed),
        )
        ids = chosen_posts(batch, posts or study.protocol.batch_size, external_ids)
        add_tasks(batch=batch, post_ids=ids)
    return batch


@transaction.atomic
def create_gold_batch(
    *,
    by: User | None,
    study: Study,
    posts: int | None = None,
    seed: int | None = None,
    external_ids: Sequence[str] | None = None,
) -> Batch:
    """Make a draft pool that each researcher labels whole, with “ambiguous” as one more label."""
    with pghistory.context(user=by.pk if by else None, action="make gold batch"):
        batch = start_round(
            study=study,
            stage=StageCode.GOLD,
            votes_wanted=None,
            seed=None if external_ids is not None else chosen_seed(seed),
        )
        ids = chosen_posts(batch, posts or 0, external_ids)
        add_tasks(batch=batch, post_ids=ids, kind=TaskKind.OPEN)
    return batch


def start_round(*, study: Study, stage: str, votes_wanted: int | None, seed: int | None) -> Batch:
    """Start a batch of one's own round, with the labels in force.

    It locks the study, so what is drawn next stays free and the labels stay in force.
    """
    lock_study(study.pk)
    current_instructions(study)
    label_set = own_label_set(study)
    batch = start_batch(
        study=study,
        stage=stage,
        labels=round_codes(stage, codes_of(label_set)),
        votes_wanted=votes_wanted,
        seed=seed,
    )
    CrowdRound.objects.create(batch=batch, label_set=label_set)
    return batch


def chosen_seed(seed: int | None) -> int:
    """Return a seed: the one given, or one that is drawn now."""
    return secrets.randbelow(2**31) if seed is None else seed


def chosen_posts(batch: Batch, number: int, external_ids: Sequence[str] | None) -> list[int]:
    """Return the posts of a new batch, in their order."""
    if external_ids is not None:
        return named_posts(batch, external_ids)
    assert batch.seed is not None
    free = sample_posts(study=batch.study, stage=batch.stage, number=sys.maxsize, seed=batch.seed)
    taken = taken_posts(batch.study)
    drawn = [post for post in free if post not in taken][:number]
    if not drawn:
        raise BatchRefused(_("No post is left: import posts, or all of them are in batches."))
    return drawn


def named_posts(batch: Batch, external_ids: Sequence[str]) -> list[int]:
    """Return the posts with these ids, or say which of them cannot be had."""
    known = dict(
        Post.objects.filter(
            study=batch.study, dropped_reason="", external_id__in=external_ids
        ).values_list("external_id", "pk")
    )
    refuse(_("The study has no kept post with these ids: %s."), external_ids, set(known))
    if len(set(external_ids)) < len(external_ids):
        raise BatchRefused(_("A post is named twice."))
    taken = taken_posts(batch.study)
    free = {external_id for external_id, post in known.items() if post not in taken}
    refuse(_("These posts are in a batch of the crowd or of gold already: %s."), external_ids, free)
    return [known[external_id] for external_id in external_ids]


def refuse(sentence: str, external_ids: Sequence[str], good: set[str]) -> None:
    """Raise BatchRefused with the ids that are not good."""
    bad = [external_id for external_id in external_ids if external_id not in good]
    if bad or not external_ids:
        shown = ", ".join(bad[:SHOWN_IDS]) + (" …" if len(bad) > SHOWN_IDS else "")
        raise BatchRefused(sentence % shown)


def taken_posts(study: Study) -> set[int]:
    """Return the posts that are in a batch of the crowd or of gold."""
    return set(taken_tasks(study).values_list("post_id", flat=True))


@transaction.atomic
def discard_draft(*, by: User | None, batch: Batch) -> DiscardedBatch:
    """Throw away a draft of the crowd or of the pool, with the batch of checks that follows it."""
    with pghistory.context(user=by.pk if by else None, action="discard batch"):
        hold_open(batch.study_id)
        batch = lock_batch(batch)
        CrowdRound.objects.filter(batch__follows=batch).delete()
        CrowdRound.objects.filter(batch=batch).delete()
        for follower in Batch.objects.select_for_update().filter(follows=batch):
            discard_batch(by=by, batch=follower)
        return discard_batch(by=by, batch=batch)
