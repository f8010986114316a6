"""Keeps the checks of a study, and draws some of them into the sittings of the crowd.

Nothing about a check's page, place, time or record in a browser differs from any other post's.
"""

import random
import secrets
from collections.abc import Collection, Sequence

import pghistory
from django.db import transaction
from django.utils.translation import gettext as _

from annotation.cleaning import clean
from annotation.models import (
    ATTENTION,
    Batch,
    BatchState,
    Member,
    Post,
    Sitting,
    StageCode,
    Study,
    Task,
    TaskKind,
    User,
)
from annotation.services.archive import hold_open
from annotation.services.batches import lock_batch, start_batch
from annotation.services.importing import cleaning_settings, random_position
from crowd.models import Check, CrowdRound, GoldLabel, GoldSource
from crowd.models.defaults import AMBIGUOUS
from crowd.models.labels import MOST_CHECKS
from crowd.queries.checks import round_at_work, unmet_checks
from crowd.services.defaults import own_label_set

ID_BYTES = 6
CHANCE = random.SystemRandom()


class CheckRefused(Exception):
    """A change of checks that cannot be; its text is a sentence for the person."""


@transaction.atomic
def choose_checks(*, by: User | None, study: Study, gold_ids: Collection[int]) -> int:
    """Use these posts with a known answer as checks, and no others; return how many there are."""
    with pghistory.context(user=by.pk if by else None, action="choose checks"):
        hold_open(study.pk)
        usable = GoldLabel.objects.filter(post__study=study).exclude(label=AMBIGUOUS)
        wanted = set(usable.filter(pk__in=gold_ids).values_list("pk", flat=True))
        if len(wanted) < len(set(gold_ids)):
            raise CheckRefused(_("One of these posts has no answer that is known for certain."))
        known = Check.objects.filter(gold__post__study=study)
        for check in known.select_for_update():
            if check.in_use != (check.gold_id in wanted):
                check.in_use = not check.in_use
                check.save(update_fields=["in_use"])
        fresh = wanted - set(known.values_list("gold_id", flat=True))
        for gold in sorted(fresh):
            Check.objects.create(gold_id=gold, created_by=by)
    return len(wanted)


@transaction.atomic
def write_attention_post(*, by: User | None, study: Study, text: str, label: str) -> Post:
    """Store a post that asks for a certain answer, and use it as a check from now on.

    It is cleaned as imported posts are, and carries the metadata of one of them, so that nothing
    beside it tells it apart.
    """
    with pghistory.context(user=by.pk if by else None, action="write attention post"):
        hold_open(study.pk)
        codes = own_label_set(study).labels.values_list("code", flat=True)
        if label not in set(codes):
            raise CheckRefused(_("Choose one of the study's labels; “%s” is none.") % label[:60])
        cleaned = clean(text, cleaning_settings(study))
        if not cleaned.text:
            raise CheckRefused(_("Nothing is left of this text after cleaning. Write some words."))
        name = f"attention-{secrets.token_hex(ID_BYTES)}"
        post = Post.objects.create(
            study=study,
            external_id=name,
            original_text=text,
            text=cleaned.text,
            changed_by=list(cleaned.changed),
            metadata=borrowed_metadata(study),
            position=random_position(study, name),
            dropped_reason=ATTENTION,
        )
        gold = GoldLabel.objects.create(post=post, label=label, source=GoldSource.ATTENTION)
        Check.objects.create(gold=gold, created_by=by)
    return post


def borrowed_metadata(study: Study) -> dict[str, object]:
    """Return what stands beside some imported post."""
    kept = Post.objects.filter(study=study, dropped_reason="")
    metadata = kept.order_by("?").values_list("metadata", flat=True).first()
    return dict(metadata or {})


@transaction.atomic
def set_check_share(*, by: User | None, batch: Batch, share: float) -> CrowdRound:
    """Say what share of the posts are checks in sittings that begin while a batch is handed out."""
    with pghistory.context(user=by.pk if by else None, action="set share of checks"):
        hold_open(batch.study_id)
        if not 0 <= share <= MOST_CHECKS:
            raise CheckRefused(_("The share must lie between 0 and %d%%.") % (100 * MOST_CHECKS))
        batch = lock_batch(batch)
        if batch.state == BatchState.CLOSED:
            raise CheckRefused(_("This batch is closed; it gets no more checks."))
        found = CrowdRound.objects.select_for_update().get(batch=batch)
        found.check_share = share
        found.save(update_fields=["check_share"])
        if share and not Batch.objects.filter(follows=batch).exists():
            start_following(found)
    return found


def start_following(crowd_round: CrowdRound) -> Batch:
    """Make the batch in which the checks of a crowd batch stand."""
    batch = crowd_round.batch
    follower = start_batch(
        study=batch.study, stage=StageCode.CHECK, labels=batch.labels, votes_wanted=None
    )
    follower.follows, follower.state = batch, batch.state
    follower.save(update_fields=["follows", "state"])
    CrowdRound.objects.create(batch=follower, label_set=crowd_round.label_set)
    return follower


def draw_checks(sitting: Sitting) -> Sequence[tuple[int, Task]]:
    """Draw checks and their places for a new sitting: at random, never first, none met before."""
    member: Member = sitting.member
    found = round_at_work(member.study)
    if found is None or not found.check_share or sitting.size < 2:
        return ()
    posts = unmet_checks(member, found.batch)
    number = min(rounded(found.check_share * sitting.size), len(posts), sitting.size - 1)
    drawn = CHANCE.sample(posts, number)
    numbers = CHANCE.sample(range(2, sitting.size + 1), number)
    tasks = check_tasks(found.batch.follower, drawn)
    return [(place, tasks[post]) for place, post in zip(numbers, drawn, strict=True)]


def rounded(expected: float) -> int:
    """Return a whole number near one that is none, so that it is right on average."""
    return int(expected) + (CHANCE.random() < expected % 1)


def check_tasks(batch: Batch, post_ids: Sequence[int]) -> dict[int, Task]:
    """Return the tasks of posts in a batch of checks; those that are missing are made."""
    Task.objects.bulk_create(
        [
            Task(
                batch=batch,
                post_id=post,
                stage=batch.stage,
                origin=batch.origin,
                kind=TaskKind.OPEN,
                position=post,
            )
            for post in post_ids
        ],
        ignore_conflicts=True,
    )
    tasks = Task.objects.filter(batch=batch, post__in=post_ids)
    return {task.post_id: task for task in tasks}
