"""What the tests of prescreening start from: a closed gold pool, and candidates who answer."""

from collections.abc import Callable, Sequence

from annotation.models import Batch, BatchState, Member, Role, StageCode
from annotation.services.assignments import next_task
from annotation.services.batches import move_batch
from annotation.services.votes import Answer, submit_vote
from crowd.models import PrescreeningTest
from crowd.queries.prescreening import taken_tests
from crowd.services.batches import create_gold_batch
from crowd.services.candidates import answer_in_test, begin_test
from crowd.services.defaults import current_instructions
from crowd.services.gold import close_pool
from crowd.services.prescreening import change_rules, open_prescreening
from tests.cast import Cast, add_posts, join

Choosing = Callable[[str], str]
LABELS = ("no_claim", "not_checkworthy", "checkworthy")


def right(gold: str) -> str:
    """Answer as the researchers do."""
    return "no_claim" if gold == "ambiguous" else gold


def wrong(gold: str) -> str:
    """Answer otherwise than the researchers."""
    return next(label for label in LABELS if label != gold)


def closed_pool(cast: Cast, golds: Sequence[str]) -> Batch:
    """Let two researchers label a pool alike, and close it."""
    posts = add_posts(cast.study, len(golds))
    ids = [post.external_id for post in posts]
    batch = create_gold_batch(by=None, study=cast.study, external_ids=ids)
    move_batch(by=None, batch=batch, to=BatchState.OPEN)
    for member in (cast.owner, cast.researcher):
        for gold in golds:
            held = next_task(by=member, stage=StageCode.GOLD).assignment
            assert held
            submit_vote(by=member, assignment_id=held.pk, answer=Answer(gold))
    close_pool(by=None, batch=batch)
    return batch


def open_with(cast: Cast, golds: Sequence[str], **rules: object) -> None:
    """Open prescreening over a pool with these gold labels."""
    closed_pool(cast, golds)
    change_rules(by=cast.owner.user, study=cast.study, **rules)
    open_prescreening(by=cast.owner.user, study=cast.study)


def candidate(cast: Cast, name: str = "candidate") -> Member:
    """Let somebody in who has done nothing yet."""
    return join(cast.study, name, Role.CROWD_WORKER, posts=0)


def begin(member: Member) -> None:
    begin_test(by=member, version=current_instructions(member.study).version)


def answer_next(member: Member, choose: Choosing = right) -> int:
    """Answer the next post of a test; return the assignment."""
    held = next_task(by=member, stage=StageCode.PRESCREENING).assignment
    assert held
    answer = Answer(choose(held.task.post.gold_label.label), seconds=4.0)
    answer_in_test(by=member, stage=StageCode.PRESCREENING, assignment_id=held.pk, answer=answer)
    return held.pk


def take_test(member: Member, choose: Choosing = right) -> PrescreeningTest:
    """Take a whole test."""
    begin(member)
    for _post in range(taken_tests(member)[-1].sitting.size):
        answer_next(member, choose)
    return taken_tests(member)[-1]
