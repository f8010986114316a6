"""The gold pool as one researcher may see it: others' labels only of posts they labelled too."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from annotation.models import Batch, BatchState, Member, StageCode, Study, Task, Vote
from crowd.models.defaults import AMBIGUOUS

FEWEST_LABELS = 2
DIFFERING, WAITING = "differing", "waiting"


@dataclass(frozen=True)
class GoldRow:
    """A labelled post of the pool: who said what, and the gold label that follows ("": not yet)."""

    task: Task
    votes: tuple[Vote, ...]
    outcome: str


@dataclass(frozen=True)
class GoldFigures:
    """What the posts open to a researcher add up to."""

    posts: int
    by_outcome: dict[str, int]
    patterns: dict[tuple[int, ...], int]
    differing: int

    @property
    def settled(self) -> int:
        """Return how many posts have a gold label, ambiguous ones too."""
        return self.posts - self.by_outcome.get("", 0)


@dataclass(frozen=True)
class PoolProgress:
    """How far a batch of the pool is: how many of its posts two researchers have labelled."""

    posts: int
    labelled: int

    @property
    def lacking(self) -> int:
        """Return how many posts lack the label of a second researcher, or of any."""
        return self.posts - self.labelled


def gold_label(labels: Iterable[str]) -> str:
    """Return the gold label of a post: what all chose; ambiguous where they differ or one says so.

    The method, appendix B.3. Empty while fewer than two people have labelled the post.
    """
    chosen = list(labels)
    if len(chosen) < FEWEST_LABELS:
        return ""
    return chosen[0] if len(set(chosen)) == 1 else AMBIGUOUS


def gold_batches(study: Study, member: Member) -> QuerySet[Batch]:
    """Return the batches of the pool with their posts, and how many of them a person labelled."""
    mine = Vote.objects.filter(member=member, task=OuterRef("tasks"))
    return (
        Batch.objects.filter(study=study, stage=StageCode.GOLD)
        .annotate(posts=Count("tasks"), mine=Count("tasks", filter=Q(Exists(mine))))
        .order_by("-number")
    )


def open_to(member: Member, study: Study) -> QuerySet[Task]:
    """Return the pool's tasks whose votes a person may see: labelled by them, or closed."""
    mine = Vote.objects.filter(member=member, task=OuterRef("pk"))
    voted = Vote.objects.filter(task=OuterRef("pk"))
    return (
        Task.objects.filter(batch__study=study, stage=StageCode.GOLD)
        .filter(Q(Exists(mine)) | Q(batch__state=BatchState.CLOSED))
        .filter(Exists(voted))
        .select_related("post", "batch")
        .order_by("batch__number", "position")
    )


def gold_rows(tasks: Iterable[Task]) -> list[GoldRow]:
    """Return tasks with their current votes."""
    tasks = list(tasks)
    by_task: dict[int, list[Vote]] = {task.pk: [] for task in tasks}
    votes = Vote.objects.filter(task__in=tasks).current().select_related("member")
    for vote in votes.order_by("member"):
        by_task[vote.task_id].append(vote)
    return [
        GoldRow(task, tuple(found), gold_label(vote.label for vote in found))
        for task, found in ((task, by_task[task.pk]) for task in tasks)
    ]


def labels_of(tasks: QuerySet[Task]) -> dict[int, list[str]]:
    """Return the current labels of each task that has any; a pool is small, so all are read."""
    chosen: dict[int, list[str]] = {}
    votes = Vote.objects.filter(task__in=tasks.order_by()).current()
    for task, label in votes.values_list("task_id", "label").iterator():
        chosen.setdefault(task, []).append(label)
    return chosen


def gold_figures(chosen: dict[int, list[str]], labels: tuple[str, ...]) -> GoldFigures:
    """Return outcomes and vote patterns of labelled tasks."""
    patterns = Counter(tuple(found.count(code) for code in labels) for found in chosen.values())
    outcomes = Counter(gold_label(found) for found in chosen.values())
    return GoldFigures(
        posts=len(chosen),
        by_outcome=dict(outcomes),
        patterns=dict(patterns),
        differing=sum(len(set(found)) > 1 for found in chosen.values()),
    )


def tasks_shown(chosen: dict[int, list[str]], show: str) -> list[int]:
    """Return the labelled tasks to show: all, those with one outcome, those that differ or wait."""
    if show == DIFFERING:
        return [task for task, found in chosen.items() if len(set(found)) > 1]
    wanted = "" if show == WAITING else show
    return [task for task, found in chosen.items() if not show or gold_label(found) == wanted]


def pool_progress(batch: Batch) -> PoolProgress:
    """Return how far the labelling of a batch of the pool is; it tells no label."""
    votes = (
        Vote.objects.filter(task=OuterRef("pk"), version=1)
        .order_by()
        .values("task")
        .annotate(people=Count("pk"))
        .filter(people__gte=FEWEST_LABELS)
    )
    tasks = Task.objects.filter(batch=batch)
    return PoolProgress(posts=tasks.count(), labelled=tasks.filter(Exists(votes)).count())
