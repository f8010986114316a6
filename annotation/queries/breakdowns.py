"""A stage's agreement in parts: by week, by batch, two by two, and as the stage itself adds."""

from collections.abc import Sequence

from annotation.models import Study
from annotation.queries.counts import Rounds, rounds_of
from annotation.queries.pairs import agreement_of_pairs, pairs_of
from annotation.queries.parts import Part, parted, parts_of
from annotation.registry import stages


def week_parts(_study: Study, rounds: Rounds) -> list[Part]:
    """Return the agreement week by week."""
    return parts_of(parted(rounds, "week"))


def batch_parts(_study: Study, rounds: Rounds) -> list[Part]:
    """Return the agreement batch by batch."""
    return parts_of(parted(rounds, "batch"))


def pair_parts(_study: Study, rounds: Rounds) -> list[Part]:
    """Return the agreement of each two people, those whose votes are least often equal first."""
    return [
        Part(
            code=f"{found.pair.one.pseudonym} {found.pair.other.pseudonym}",
            name=f"{found.pair.one.pseudonym} · {found.pair.other.pseudonym}",
            agreement=found.agreement,
        )
        for found in agreement_of_pairs(rounds, pairs_of(rounds))
    ]


EVERYWHERE = {"week": week_parts, "batch": batch_parts, "pair": pair_parts}


def ways() -> list[str]:
    """Return every way in which the agreement of some stage can be told in parts."""
    return [*EVERYWHERE, *(way for stage in stages() for way in stage.agreement_by)]


def breakdown(study: Study, stage: str, by: str, number: int | None = None) -> Sequence[Part]:
    """Return a stage's agreement in parts, of all rounds or of the one with this number.

    Raises KeyError where the stage has no such parts, and RoundsDiffer where rounds cannot be
    counted together.
    """
    known = next(found for found in stages() if found.code == stage)
    found: Sequence[Part] = {**EVERYWHERE, **known.agreement_by}[by](
        study, rounds_of(study, stage, number)
    )
    return found
