"""Dawid and Skene's estimate once more, in plain Python and votes by name, to hold ours against.

Expectation and maximisation as they published it (1979), started from the shares of the votes.
"""

from collections import defaultdict
from math import prod

from tests.acceptance.log import Said
from tests.acceptance.people import LABELS

MOVES_NO_MORE, MOST_ROUNDS = 1e-6, 500
Chances = dict[str, list[float]]
Rates = dict[str, list[list[float]]]
ByPost = dict[str, list[tuple[str, int]]]


def skills(votes: list[Said]) -> dict[str, float]:
    """Return each person's chance to be right, over the labels in their estimated shares."""
    by_post: ByPost = defaultdict(list)
    for one in votes:
        by_post[one.post].append((one.person, LABELS.index(one.label)))
    chances = {
        post: normal([float(sum(said == label for _who, said in answers)) for label in range(3)])
        for post, answers in by_post.items()
    }
    shares, rates = fitted(by_post, chances)
    for _round in range(MOST_ROUNDS):
        before, chances = chances, expected(by_post, shares, rates)
        shares, rates = fitted(by_post, chances)
        if moved(before, chances) <= MOVES_NO_MORE:
            break
    return {who: skill(shares, rows) for who, rows in rates.items()}


def expected(by_post: ByPost, shares: list[float], rates: Rates) -> Chances:
    """Return the chances of each label to be right for each post."""
    return {
        post: normal(
            [
                shares[right] * prod(rates[who][right][said] for who, said in answers)
                for right in range(3)
            ]
        )
        for post, answers in by_post.items()
    }


def moved(before: Chances, after: Chances) -> float:
    """Return by how much any chance has moved at most."""
    return max(
        abs(new - old)
        for post in before
        for new, old in zip(after[post], before[post], strict=True)
    )


def normal(weights: list[float]) -> list[float]:
    """Return weights that sum to one; zeros where nothing is known."""
    total = sum(weights)
    return [weight / total if total else 0.0 for weight in weights]


def fitted(by_post: ByPost, chances: Chances) -> tuple[list[float], Rates]:
    """Return the shares of the labels and each person's error rates that fit the chances."""
    said_by: Rates = defaultdict(lambda: [[0.0] * 3 for _right in range(3)])
    for post, answers in by_post.items():
        for who, said in answers:
            for right in range(3):
                said_by[who][right][said] += chances[post][right]
    shares = [
        sum(chance[label] for chance in chances.values()) / len(chances) for label in range(3)
    ]
    return shares, {who: [normal(row) for row in rows] for who, rows in said_by.items()}


def skill(shares: list[float], rows: list[list[float]]) -> float:
    """Return the chance to be right, over the labels that somebody met."""
    met = [label for label in range(3) if sum(rows[label])]
    return sum(shares[label] * rows[label][label] for label in met) / sum(
        shares[one] for one in met
    )
