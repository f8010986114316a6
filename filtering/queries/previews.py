"""Tells what each k would keep, and what should make a reader careful about it."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from django.utils.translation import gettext_lazy

from filtering.algorithms import Method
from filtering.models import FilterRun
from filtering.queries.words import percent


class Caution(Enum):
    """What should make a reader careful: in a few words for a table, and as a sentence."""

    NOTHING_LEAVES = (
        gettext_lazy("Would remove nothing"),
        gettext_lazy(
            "No trial removes anything. As the paper prints the algorithm, it stops before the "
            "rest would be smaller than k, and can so stop at once. With a smaller k, posts would "
            "leave."
        ),
    )
    LESS_AGREEMENT = (
        gettext_lazy("Lowers the share on which all votes agree"),
        gettext_lazy(
            "The share of posts on which all votes agree falls from %(before)s to %(after)s. The "
            "filter is meant to raise it: look at the posts that leave before you use this."
        ),
    )
    NOTHING_KEPT = (
        gettext_lazy("No post is kept"),
        gettext_lazy(
            "No post is kept by enough of the trials. Choose a greater k, or fewer trials."
        ),
    )


@dataclass(frozen=True)
class OtherK:
    """What a k would keep: by trial the rounds that remove and the last size, then in all."""

    k: int
    is_asked: bool
    rounds: list[int]
    sizes: list[int]
    kept: int
    unanimous: str
    cautions: list[object]


def other_ks(run: FilterRun) -> list[OtherK]:
    """Return what k that were looked at would keep; empty where the method does not tell."""
    return [
        OtherK(
            k=told["k"],
            is_asked=told["k"] == run.asked_k,
            rounds=[len(sizes) - 1 for sizes in told["sizes"]],
            sizes=[sizes[-1] for sizes in told["sizes"]],
            kept=told["kept"],
            unanimous=percent(told["shift"]["after"]["unanimous"]),
            cautions=[caution.value[0] for caution in cautions(told)],
        )
        for told in run.previews
    ]


def asked(run: FilterRun) -> OtherK | None:
    """Return what the k that was asked for would keep."""
    return next((other for other in other_ks(run) if other.is_asked), None)


def cautions(told: Mapping[str, Any]) -> list[Caution]:
    """Return what should make a reader careful about what a k would do."""
    found = []
    before, after = (told["shift"][side]["unanimous"] for side in ("before", "after"))
    if all(len(sizes) == 1 for sizes in told["sizes"]):
        found.append(Caution.NOTHING_LEAVES)
    if after is not None and after < before:
        found.append(Caution.LESS_AGREEMENT)
    if not told["kept"]:
        found.append(Caution.NOTHING_KEPT)
    return found


def in_sentences(told: Mapping[str, Any]) -> list[str]:
    """Return the same as sentences."""
    shares = {side: percent(told["shift"][side]["unanimous"]) for side in ("before", "after")}
    return [str(caution.value[1]) % shares for caution in cautions(told)]


def warnings(run: FilterRun) -> list[str]:
    """Return what should make a reader careful about a finished run, or what a preview tells."""
    if run.method != Method.KL:
        return [] if run.kept_count else [str(Caution.NOTHING_KEPT.value[1])]
    return next((in_sentences(told) for told in run.previews if told["k"] == run.asked_k), [])
