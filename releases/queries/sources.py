"""What a release is made of: the crowd's rounds, the filter run, the estimate, the names shown."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from annotation.models import Exclusion, StageCode, Study
from annotation.queries.counts import Rounds, rounds_of
from crowd.models import Estimate, Instructions
from crowd.queries.estimates import newest_estimate
from crowd.queries.instructions import metadata_columns
from filtering.models import FilterRun
from filtering.queries.runs import deciding_run
from legal.models import LegalSettings
from releases.algorithms.pseudonyms import pseudonym
from releases.choices import ReleaseChoices, Splits, Stage, Texts
from releases.layout import Layout
from releases.models import ReleaseKey

TEXT_FIELDS: dict[str, str | None] = {
    Texts.CLEANED: "text",
    Texts.ORIGINAL: "original_text",
    Texts.IDS: None,
}
NO_NAME = "a-…"
"""Stands for the name of anybody before the first release."""

NO_ROUNDS = Rounds(labels=(), batch_ids=())


@dataclass(frozen=True)
class Sources:
    """What the rows are read from. `rounds` are those of the crowd; none where it is left out."""

    study: Study
    choices: ReleaseChoices
    layout: Layout
    rounds: Rounds
    run: FilterRun | None
    estimate: Estimate | None
    key: bytes

    @property
    def text_field(self) -> str | None:
        """Return the field of a post that is shown as its text, if any is."""
        return TEXT_FIELDS[self.choices.texts]

    @property
    def has_legal(self) -> bool:
        """Say whether the experts' work is released."""
        return Stage.LEGAL in self.choices.stages

    @property
    def splits(self) -> Splits:
        """Return how the posts are parted."""
        return self.choices.splits

    @cached_property
    def pseudonym(self) -> Callable[[int], str]:
        """Return the function that gives a member's name in releases; it remembers names.

        Names come into being with the key, at the first release; until then nobody has one.
        """
        if not self.key:
            return lambda member_id: NO_NAME
        known: dict[int, str] = {}

        def name(member_id: int) -> str:
            if member_id not in known:
                known[member_id] = pseudonym(member_id, self.key)
            return known[member_id]

        return name


def sources_of(study: Study, choices: ReleaseChoices) -> Sources:
    """Return the sources of a release; raises RoundsDiffer where a crowd round must be chosen."""
    rounds = NO_ROUNDS
    if Stage.CROWD in choices.stages:
        rounds = rounds_of(study, StageCode.CROWD, choices.crowd_round)
    return Sources(
        study=study,
        choices=choices,
        layout=Layout.of(choices, labels=rounds.labels, metadata=shown_metadata(study)),
        rounds=rounds,
        run=deciding_run(study),
        estimate=estimate_of(study, rounds, choices.crowd_round),
        key=key_of(study),
    )


def estimate_of(study: Study, rounds: Rounds, crowd_round: int | None) -> Estimate | None:
    """Return the newest estimate, if it is about the votes that are released.

    It is about all rounds; since it was made nobody's votes may have been taken out.
    """
    found = newest_estimate(study)
    if found is None or crowd_round is not None or not set(rounds.labels) <= set(found.labels):
        return None
    taken_out = Exclusion.objects.filter(
        member__study=study, stage=StageCode.CROWD, created_at__gt=found.created_at
    )
    return None if taken_out.exists() else found


def key_of(study: Study) -> bytes:
    """Return the key of a study's pseudonyms; without one nobody has been named yet."""
    key = ReleaseKey.objects.filter(study=study).values_list("key", flat=True).first()
    return bytes(key) if key else b""


def shown_metadata(study: Study) -> list[str]:
    """Return the imported columns that the study shows to the crowd or to experts, by name."""
    crowd = Instructions.objects.filter(study=study).first()
    legal = LegalSettings.objects.filter(study=study).first()
    chosen = {*(crowd.shown_metadata if crowd else []), *(legal.shown_metadata if legal else [])}
    return sorted(chosen & set(metadata_columns(study)))
