"""Simulated people: each answers by a known confusion matrix; a seed fixes what they say."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

LABELS = ("no_claim", "not_checkworthy", "checkworthy")
AMBIGUOUS = "ambiguous"

# For each right label, the chances of saying each label.
Matrix = tuple[tuple[float, ...], ...]

GOOD, CARELESS, MEDIOCRE, GUESSING, CONSTANT = (
    "good",
    "careless",
    "mediocre",
    "guessing",
    "constant",
)
CANDIDATES = {GOOD: 10, CARELESS: 1, MEDIOCRE: 6, GUESSING: 5, CONSTANT: 3}
SKILL = {GOOD: 0.94, MEDIOCRE: 0.5}


@dataclass
class Person:
    """Somebody who answers; whoever is careless answers well only while it is a test."""

    name: str
    kind: str
    in_test: Matrix
    at_work: Matrix
    dice: random.Random

    def says(self, truth: str, *, is_hard: bool, is_test: bool = False) -> str:
        """Return the answer to a post; where it is hard to tell, people say anything."""
        if is_hard:
            return self.dice.choice(LABELS)
        chances = (self.in_test if is_test else self.at_work)[LABELS.index(truth)]
        return self.dice.choices(LABELS, weights=chances)[0]

    def seconds(self) -> float:
        """Return how long an answer takes."""
        return round(self.dice.lognormvariate(2.0, 0.5), 1)


@dataclass
class Researcher:
    """Somebody who labels gold: nearly always right, and sees which posts are ambiguous."""

    dice: random.Random
    doubts: float = 0.02
    sees_doubt: float = 0.8

    def says(self, truth: str, *, is_hard: bool) -> str:
        """Return the gold label that this researcher gives."""
        if self.dice.random() < (self.sees_doubt if is_hard else self.doubts):
            return AMBIGUOUS
        return self.dice.choices(LABELS, weights=skilled(0.94)[LABELS.index(truth)])[0]


def skilled(skill: float) -> Matrix:
    """Return the matrix of somebody who is right with this chance, and else wrong at random."""
    wrong = (1 - skill) / (len(LABELS) - 1)
    return tuple(tuple(skill if said == right else wrong for said in LABELS) for right in LABELS)


def always(label: str) -> Matrix:
    """Return the matrix of somebody who gives one answer to everything."""
    return tuple(tuple(float(said == label) for said in LABELS) for _right in LABELS)


def matrices(kind: str, number: int) -> tuple[Matrix, Matrix]:
    """Return how somebody of a kind answers in a test and at work."""
    guess = skilled(1 / len(LABELS))
    if kind == CARELESS:
        return skilled(SKILL[GOOD]), guess
    if kind == GUESSING:
        return guess, guess
    matrix = always(LABELS[number % len(LABELS)]) if kind == CONSTANT else skilled(SKILL[kind])
    return matrix, matrix


def make_candidates(kinds: dict[str, int], dice: random.Random) -> list[Person]:
    """Return candidates of all kinds, in the order in which they happen to come."""
    people = [
        Person(f"{kind} {number + 1}", kind, *matrices(kind, number), random.Random(dice.random()))
        for kind, of_kind in kinds.items()
        for number in range(of_kind)
    ]
    dice.shuffle(people)
    return people


def share(values: Sequence[bool]) -> float | None:
    """Return the share of what is true; None of nothing."""
    return sum(values) / len(values) if values else None
