"""The loss of the filter: the divergence between what a classifier says and how people voted.

Equation 2 of the MisLC paper, for a post with logits z and votes y by label:

    p = softmax(z),  q = softmax(y)
    forward  L = KL(p || q) = Σ p (log p − log q)     ∂L/∂z = p (log p − log q − L)
    reverse  L = KL(q || p) = Σ q (log q − log p)     ∂L/∂z = p − q

The softmax is taken over the raw counts of votes (or over their proportions), so no label has a
target of zero and both directions are finite. Arrays have shape (posts, labels), losses (posts,).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from filtering.algorithms.settings import Direction, Target

Floats = npt.NDArray[np.floating[Any]]


def log_softmax(values: Floats) -> Floats:
    """The logarithm of the softmax of each row."""
    shifted = values - values.max(axis=1, keepdims=True)
    result: Floats = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return result


def log_targets(counts: npt.NDArray[np.integer[Any]], target: Target) -> Floats:
    """log q of each post, in float64. Every post must have a vote."""
    votes = counts.astype(np.float64)
    if target is Target.PROPORTIONS:
        votes /= votes.sum(axis=1, keepdims=True)
    return log_softmax(votes)


def divergences(logits: Floats, log_q: Floats, direction: Direction) -> Floats:
    """The loss of each post, never below 0."""
    log_p = log_softmax(logits)
    difference = log_p - log_q
    if direction is Direction.FORWARD:
        losses = (np.exp(log_p) * difference).sum(axis=1)
    else:
        losses = -(np.exp(log_q) * difference).sum(axis=1)
    result: Floats = np.maximum(losses, 0)
    return result


def gradient(logits: Floats, log_q: Floats, direction: Direction) -> Floats:
    """The derivative of each post's loss by its own logits."""
    log_p = log_softmax(logits)
    p = np.exp(log_p)
    if direction is Direction.REVERSE:
        reverse: Floats = p - np.exp(log_q)
        return reverse
    difference = log_p - log_q
    forward: Floats = p * (difference - (p * difference).sum(axis=1, keepdims=True))
    return forward
