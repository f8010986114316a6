"""What the simulated people write down for themselves; all figures are counted again from it.

It knows nothing of Juryroom's tables: a post is its id in the file, a person their name. Whether a
post was a check is told from what the researchers know of it, not from what the site says.
"""

from collections import Counter
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction

from tests.acceptance.people import AMBIGUOUS, LABELS

PASS_SHARE, FEWEST_SCORED, MOST_TESTS = Fraction(7, 10), 10, 2
PASSED, FAILED, UNDECIDED = "passed", "failed", "undecided"


@dataclass(frozen=True)
class Said:
    """An answer that the site has acknowledged as new; a correction has no sitting of its own."""

    person: str
    post: str
    label: str
    batch: int
    day: int
    counted: bool
    is_correction: bool = False


@dataclass
class TakenTest:
    """A prescreening test of one person: the posts in it, and what was said of them."""

    person: str
    said: dict[str, str] = field(default_factory=dict)
    skipped: list[str] = field(default_factory=list)

    def outcome(self, gold: dict[str, str]) -> str:
        """Return how it must come out: the method's rule, on the answers that were given."""
        scored = [post for post in self.said if gold[post] != AMBIGUOUS]
        right = sum(self.said[post] == gold[post] for post in scored)
        if len(scored) >= FEWEST_SCORED:
            return PASSED if Fraction(right, len(scored)) >= PASS_SHARE else FAILED
        in_it = [post for post in (*self.said, *self.skipped) if gold[post] != AMBIGUOUS]
        return FAILED if len(in_it) >= FEWEST_SCORED else UNDECIDED


@dataclass
class Log:
    """All that people did, in its order."""

    truth: dict[str, str]
    hard: frozenset[str] = frozenset()
    day: int = 1
    gold_said: dict[str, list[str]] = field(default_factory=dict)
    attention: dict[str, str] = field(default_factory=dict)
    tests: list[TakenTest] = field(default_factory=list)
    said: list[Said] = field(default_factory=list)
    votes_in: Counter[int] = field(default_factory=Counter)
    rate_of: dict[int, Decimal] = field(default_factory=dict)
    person_of: dict[int, str] = field(default_factory=dict)
    unpaid: set[int] = field(default_factory=set)
    bonuses: list[tuple[str, Decimal]] = field(default_factory=list)
    looks: list[tuple[str, float]] = field(default_factory=list)
    taken_out: set[str] = field(default_factory=set)
    withdrawn: set[str] = field(default_factory=set)
    events: Counter[str] = field(default_factory=Counter)

    def gold(self) -> dict[str, str]:
        """Return the gold labels: what both researchers said, ambiguous where they differ."""
        return {
            post: labels[0] if len(set(labels)) == 1 else AMBIGUOUS
            for post, labels in self.gold_said.items()
        }

    def is_check(self, post: str) -> bool:
        """Say whether a post was put among the work to see how somebody works."""
        return post in self.gold_said or post in self.attention

    def begin(self, sitting: int, person: str, rate: Decimal) -> None:
        """Note what a sitting pays, on the day on which it begins."""
        self.rate_of.setdefault(sitting, rate)
        self.person_of[sitting] = person

    def earned(self) -> Counter[str]:
        """Return what each person earned, in cents, by their own count."""
        cents: Counter[str] = Counter()
        for sitting, votes in self.votes_in.items():
            if sitting not in self.unpaid:
                cents[self.person_of[sitting]] += int(votes * self.rate_of[sitting] * 100)
        for person, amount in self.bonuses:
            cents[person] += int(amount * 100)
        return cents

    def current(self) -> dict[tuple[str, str], Said]:
        """Return the newest answer of each person to each post of the work and among it."""
        return {(one.person, one.post): one for one in self.said}

    def standing(self) -> list[Said]:
        """Return the newest counted answers on posts of the work, but for those taken out."""
        return [
            one
            for one in self.current().values()
            if one.counted and not self.is_check(one.post) and one.person not in self.taken_out
        ]

    def counts(self) -> dict[str, list[int]]:
        """Return for each post how many standing answers each label has, in the labels' order."""
        counts: dict[str, list[int]] = {}
        for one in self.standing():
            counts.setdefault(one.post, [0] * len(LABELS))[LABELS.index(one.label)] += 1
        return counts

    def gold_answers(self, person: str) -> list[bool]:
        """Return whether each of a person's answers to gold posts was right, in their order."""
        gold = self.gold()
        mine = (one for one in self.current().values() if one.person == person)
        return [one.label == gold[one.post] for one in mine if one.post in gold]

    def is_right(self, person: str) -> list[bool]:
        """Return whether a person's answers at work were right, where that can be told."""
        mine = (one for one in self.current().values() if one.person == person)
        work = [one for one in mine if not self.is_check(one.post) and one.post not in self.hard]
        return [one.label == self.truth[one.post] for one in work]
