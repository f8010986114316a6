"""The rooms with the same labelling screen: the crowd's work and tests, gold, the pilot."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from annotation.access import Access
from annotation.models import StageCode, Study
from annotation.services.assignments import Offer
from annotation.services.votes import Receipt, vote_and_go_on
from crowd.queries.pay import prescreening_reward
from crowd.queries.prescreening import rules_of
from crowd.queries.reasons import GOLD_REASONS, REASONS, Reason
from crowd.services.candidates import answer_in_test, conclude_test
from crowd.services.work import conclude

Answering = Callable[..., tuple[Receipt, Offer | None]]


def posts_in_sitting(study: Study) -> int:
    """Return how many posts one visit asks for."""
    return study.protocol.sitting_size


def reward_of_work(study: Study) -> Decimal:
    """Return what a vote of the work is paid."""
    return study.protocol.reward


def posts_in_test(study: Study) -> int:
    """Return how many posts a candidate is asked for."""
    return rules_of(study).test_size


@dataclass(frozen=True)
class Room:
    """Where one stage is worked at: its word on the band, and the names of its addresses.

    `start` takes what somebody has read before the first post, `result` is where a complete sitting
    leads to, `size` says how many posts it has, `reward` what a vote pays. `answer` records an
    answer and hands out the next post; `conclude` ends a sitting.
    """

    stage: str
    word: str | Promise
    next: str
    submit: str
    skip: str
    votes: str
    correct: str
    extend: str = ""
    leave: str = ""
    has_rules: bool = False
    start: str = ""
    result: str = ""
    size: Callable[[Study], int] = posts_in_sitting
    reward: Callable[[Study], Decimal] = reward_of_work
    answer: Answering = vote_and_go_on
    conclude: Callable[..., None] = conclude

    @property
    def reasons(self) -> Mapping[str, Reason]:
        """Return what is said where there is no post."""
        return GOLD_REASONS if self.stage == StageCode.GOLD else REASONS

    def url(self, name: str, access: Access, *more: int) -> str:
        """Return one of the room's addresses in a study."""
        return reverse(name, args=[access.study.slug, *more])


CROWD = Room(
    stage=StageCode.CROWD,
    word=gettext_lazy("Work"),
    next="work",
    submit="work_submit",
    skip="work_skip",
    votes="work_votes",
    correct="work_correct",
    extend="work_extend",
    leave="work_leave",
    has_rules=True,
    start="work_start",
)
PRESCREENING = Room(
    stage=StageCode.PRESCREENING,
    word=gettext_lazy("Test"),
    next="prescreening_test",
    submit="prescreening_submit",
    skip="prescreening_skip",
    votes="prescreening_votes",
    correct="prescreening_correct",
    extend="prescreening_extend",
    start="prescreening_start",
    result="prescreening",
    size=posts_in_test,
    reward=prescreening_reward,
    answer=answer_in_test,
    conclude=conclude_test,
)
GOLD = Room(
    stage=StageCode.GOLD,
    word=gettext_lazy("Labelled by researchers"),
    next="gold_work",
    submit="gold_submit",
    skip="gold_skip",
    votes="gold_votes",
    correct="gold_correct",
)
PILOT = Room(
    stage=StageCode.CROWD,
    word=gettext_lazy("Pilot: nothing is stored"),
    next="crowd_pilot_post",
    submit="crowd_pilot_post",
    skip="crowd_pilot_skip",
    votes="crowd_batch",
    correct="crowd_pilot_post",
    leave="crowd_batch",
)
