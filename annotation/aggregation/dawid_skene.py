"""Dawid and Skene's estimate: how reliable each person is, and the likely label of each post.

Maximum likelihood by expectation and maximisation (Dawid & Skene 1979, "Maximum Likelihood
Estimation of Observer Error-Rates Using the EM Algorithm", equations 2.3 to 2.5, started from the
shares of the votes as in 3.1). With p_j the share of posts whose label is j, π_kjl the chance that
person k says l where j is right, and n_ikl the votes of k for l on post i:

    right label of a post    P(j | i) ∝ p_j · Π_k Π_l π_kjl ^ n_ikl
    error rates              π_kjl = Σ_i P(j | i) n_ikl / Σ_l Σ_i P(j | i) n_ikl
    shares                   p_j = Σ_i P(j | i) / posts

Not everybody needs to vote on every post, and one person may vote on a post more than once.
Nothing is drawn at random: the same votes give the same estimate, in whatever order they come.
Products are sums of logarithms, so many votes on one post do not underflow.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from annotation.aggregation.soft_labels import NoVotesError

METHOD = "Dawid and Skene (1979), maximum likelihood by EM, started from the shares of the votes"
TOLERANCE = 1e-6
MOST_ROUNDS = 500

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Votes:
    """Votes as three arrays of one length: the index of the post, of the person, of the label."""

    posts: Whole
    people: Whole
    labels: Whole


@dataclass(frozen=True, slots=True)
class DawidSkene:
    """The estimate.

    `posteriors` (posts, labels) are chances of each label being right, `error_rates` (people,
    labels, labels) the chance of saying the second where the first is right, `shares` (labels,)
    those of the right labels. A row of `error_rates` is NaN where nothing is known of it: the
    person met no post of which the first label may be right.
    """

    posteriors: Floats
    error_rates: Floats
    shares: Floats
    log_likelihood: float
    rounds: int
    converged: bool
    method: str = METHOD

    def skills(self) -> Floats:
        """Chance that a person's answer is right, over the labels they met, shape (people,)."""
        right = np.diagonal(self.error_rates, axis1=1, axis2=2)
        weights = np.where(np.isnan(right), 0.0, self.shares)
        found: Floats = (np.nan_to_num(right) * weights).sum(axis=1) / weights.sum(axis=1)
        return found


def dawid_skene(
    votes: Votes,
    *,
    posts: int,
    people: int,
    labels: int,
    tolerance: float = TOLERANCE,
    most_rounds: int = MOST_ROUNDS,
) -> DawidSkene:
    """Estimate from votes; every post and every person must have one.

    Raises NoVotesError without any, ValueError for votes that name what is not there.
    It ends when no chance of any label on any post moves by more than `tolerance`.
    """
    _refuse(votes, posts, people, labels)
    votes = _in_order(votes)
    posteriors = _vote_shares(votes, posts, labels)
    likelihood, rounds, converged = -np.inf, 0, False
    shares, rates = _maximise(votes, posteriors, people)
    while rounds < most_rounds and not converged:
        rounds += 1
        moved, likelihood = _expect(votes, shares, rates, posts)
        converged = bool(np.abs(moved - posteriors).max() <= tolerance)
        posteriors = moved
        shares, rates = _maximise(votes, posteriors, people)
    return DawidSkene(posteriors, rates, shares, float(likelihood), rounds, converged)


def _refuse(votes: Votes, posts: int, people: int, labels: int) -> None:
    if not len(votes.posts):
        raise NoVotesError("Without votes there is nothing to estimate.")
    for indices, size in ((votes.posts, posts), (votes.people, people), (votes.labels, labels)):
        if len(indices) != len(votes.posts):
            raise ValueError("Posts, people and labels must be of one length.")
        if indices.min() < 0 or indices.max() >= size:
            raise ValueError("A vote names a post, a person or a label that is not there.")
    if len(np.unique(votes.posts)) < posts or len(np.unique(votes.people)) < people:
        raise ValueError("Every post and every person must have a vote.")


def _in_order(votes: Votes) -> Votes:
    """The votes sorted, because sums of floating point numbers depend on their order."""
    order = np.lexsort((votes.labels, votes.people, votes.posts))
    return Votes(votes.posts[order], votes.people[order], votes.labels[order])


def _vote_shares(votes: Votes, posts: int, labels: int) -> Floats:
    cells = np.bincount(votes.posts * labels + votes.labels, minlength=posts * labels)
    counts = cells.reshape(posts, labels).astype(np.float64)
    shares: Floats = counts / counts.sum(axis=1, keepdims=True)
    return shares


def _maximise(votes: Votes, posteriors: Floats, people: int) -> tuple[Floats, Floats]:
    """Shares (labels,) and error rates (people, labels, labels) that fit the posteriors best."""
    labels = posteriors.shape[1]
    cells = votes.people * labels + votes.labels
    said = np.stack(
        [
            np.bincount(cells, weights=posteriors[votes.posts, right], minlength=people * labels)
            for right in range(labels)
        ]
    )
    by_person = said.reshape(labels, people, labels).transpose(1, 0, 2)
    met = by_person.sum(axis=2, keepdims=True)
    rates = np.divide(by_person, met, out=np.full_like(by_person, np.nan), where=met > 0)
    return posteriors.mean(axis=0), rates


def _expect(votes: Votes, shares: Floats, rates: Floats, posts: int) -> tuple[Floats, float]:
    """Posteriors (posts, labels) under shares and error rates, and the votes' log-likelihood."""
    with np.errstate(divide="ignore"):
        log_shares, log_rates = np.log(shares), np.log(np.nan_to_num(rates))
    logs = np.stack(
        [
            np.bincount(
                votes.posts,
                weights=log_rates[votes.people, right, votes.labels],
                minlength=posts,
            )
            + log_shares[right]
            for right in range(len(shares))
        ],
        axis=1,
    )
    most = logs.max(axis=1, keepdims=True)
    chances = np.exp(logs - most)
    total = chances.sum(axis=1, keepdims=True)
    return chances / total, float((most + np.log(total)).sum())
