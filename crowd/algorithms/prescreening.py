"""Draws and scores prescreening tests: how far somebody agrees with the researchers' gold labels.

The method, appendix B.3: only unambiguous posts are scored; enough of them must be answered, and a
large enough share of them as the researchers did. Where a test has too few unambiguous posts to
tell, it is undecided, and costs the person nothing.
"""

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction


class Outcome(StrEnum):
    """What a finished test says of somebody."""

    PASSED = "passed"
    FAILED = "failed"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Requirements:
    """What passing takes: agreement on `pass_share` of at least `min_votes` unambiguous posts.

    `min_per_label` of the votes must be on posts of each of `labels` (gold).
    """

    pass_share: Fraction
    min_votes: int
    labels: tuple[str, ...] = ()
    min_per_label: int = 0

    def are_met_by(self, golds: Iterable[str | None]) -> bool:
        """Say whether votes on posts with these gold labels are enough to be scored."""
        of_label = Counter(gold for gold in golds if gold is not None)
        is_spread = all(of_label[label] >= self.min_per_label for label in self.labels)
        return of_label.total() >= self.min_votes and is_spread


@dataclass(frozen=True)
class Known:
    """A post that can stand in a test: its task, and its gold label (None: ambiguous)."""

    task: int
    gold: str | None


@dataclass(frozen=True)
class Answered:
    """A post of a test: its gold label (None: ambiguous) and the vote on it (None: no vote).

    `is_spared` marks a post that was passed on because it harms the person: it is as though it had
    not been in the test.
    """

    gold: str | None
    vote: str | None
    is_spared: bool = False


@dataclass(frozen=True)
class Score:
    """How a test came out: of `scored` votes on unambiguous posts, `correct` agree with gold."""

    outcome: Outcome
    correct: int
    scored: int


def score_test(answers: Sequence[Answered], requirements: Requirements) -> Score:
    """Score a finished test; exact, so a share just below the wanted one does not pass."""
    scored = [one for one in answers if one.gold is not None and one.vote is not None]
    correct = sum(one.gold == one.vote for one in scored)
    could_be = [one.gold for one in answers if not one.is_spared]
    if requirements.are_met_by(one.gold for one in scored):
        has_passed = correct >= requirements.pass_share * len(scored)
        outcome = Outcome.PASSED if has_passed else Outcome.FAILED
    elif requirements.are_met_by(could_be):
        outcome = Outcome.FAILED
    else:
        outcome = Outcome.UNDECIDED
    return Score(outcome, correct, len(scored))


def draw_test(
    posts: Sequence[Known],
    *,
    size: int,
    requirements: Requirements,
    only_unambiguous: bool,
    seed: int,
) -> list[int]:
    """Draw the tasks of a test in the order in which they are shown; the seed fixes them.

    First as many of each label as is required, then any; fewer than `size` where there are no more.
    """
    chance = random.Random(seed)  # noqa: S311 -- reproducible
    rest = [post for post in posts if post.gold is not None or not only_unambiguous]
    drawn: list[Known] = []
    for label in requirements.labels:
        of_label = [post for post in rest if post.gold == label]
        drawn += chance.sample(of_label, min(requirements.min_per_label, len(of_label)))
    rest = [post for post in rest if post not in drawn]
    drawn += chance.sample(rest, max(0, min(size - len(drawn), len(rest))))
    chance.shuffle(drawn)
    return [post.task for post in drawn]
