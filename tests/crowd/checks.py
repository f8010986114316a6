"""Gold and attention posts, and sittings with checks among their posts, for the tests."""

from annotation.models import Batch, BatchState, Member, Post, StageCode, Study, Task
from annotation.services.assignments import next_task
from annotation.services.batches import move_batch
from annotation.services.sittings import end_sitting
from annotation.services.votes import Answer, submit_vote
from crowd.models import GoldLabel
from crowd.services.admission import begin_work
from crowd.services.batches import create_batch, create_gold_batch
from crowd.services.checks import choose_checks, set_check_share
from crowd.services.defaults import current_instructions


def closed_gold(study: Study, labels: dict[str, str]) -> list[GoldLabel]:
    """Return the gold labels of a closed pool."""
    pool = create_gold_batch(by=None, study=study, external_ids=list(labels))
    move_batch(by=None, batch=pool, to=BatchState.OPEN)
    pool = move_batch(by=None, batch=pool, to=BatchState.CLOSED)
    posts = {post.external_id: post for post in Post.objects.filter(study=study)}
    return [
        GoldLabel.objects.update_or_create(
            post=posts[name], defaults={"label": label, "batch": pool}
        )[0]
        for name, label in labels.items()
    ]


def batch_with_checks(
    study: Study, posts: list[str], gold: dict[str, str], *, share: float = 0.5, votes: int = 3
) -> Batch:
    """Return an open crowd batch with a share of checks; all gold posts are in use."""
    chosen = [label.pk for label in closed_gold(study, gold)]
    choose_checks(by=None, study=study, gold_ids=chosen)
    batch = create_batch(by=None, study=study, external_ids=posts, votes_wanted=votes)
    batch = move_batch(by=None, batch=batch, to=BatchState.OPEN)
    set_check_share(by=None, batch=batch, share=share)
    return batch


def begin_anew(member: Member) -> None:
    """Begin a sitting as the page does, in place of the one that is open."""
    end_sitting(by=member, stage=StageCode.CROWD, state="left")
    begin_work(by=member, version=current_instructions(member.study).version)


def work_through(member: Member, answers: dict[str, str], default: str = "no_claim") -> list[Task]:
    """Answer all posts of a sitting, by their ids; return the tasks in their order."""
    met = []
    while held := next_task(by=member, stage=StageCode.CROWD).assignment:
        label = answers.get(held.task.post.external_id, default)
        submit_vote(by=member, assignment_id=held.pk, answer=Answer(label, 5.0, 1))
        met.append(held.task)
    return met
