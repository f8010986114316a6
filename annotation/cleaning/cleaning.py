"""Runs the chosen steps in their fixed order and says which of them changed the text.

The order is the MisLC paper's: users are masked before characters are dropped, so that a name in
another script is masked whole. Blanks come last, because dropping an emoji leaves two of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from annotation.cleaning import non_ascii, users, whitespace
from annotation.cleaning.non_ascii import NonAscii


@dataclass(frozen=True, slots=True)
class CleaningSettings:
    """Which steps a study wants; the defaults are the MisLC paper's."""

    mask_users: bool = True
    non_ascii: NonAscii = NonAscii.DROP
    whitespace: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "non_ascii", NonAscii(self.non_ascii))

    def versions(self) -> dict[str, int]:
        """The chosen steps in their order, each with its version, for the record of an import."""
        return {name: version for name, version, _ in _steps(self)}


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A text after cleaning, and the names of the steps that changed it."""

    text: str
    changed: tuple[str, ...]


def clean(text: str, settings: CleaningSettings) -> Cleaned:
    """The text after all steps that the settings choose."""
    changed: list[str] = []
    for name, _, step in _steps(settings):
        before, text = text, step(text)
        if text != before:
            changed.append(name)
    return Cleaned(text=text, changed=tuple(changed))


def _steps(settings: CleaningSettings) -> list[tuple[str, int, Callable[[str], str]]]:
    steps: list[tuple[str, int, Callable[[str], str]]] = []
    if settings.mask_users:
        steps.append(("mask_users", users.VERSION, users.mask_users))
    if settings.non_ascii is NonAscii.DROP:
        steps.append(("drop_non_ascii", non_ascii.VERSION, non_ascii.drop_non_ascii))
    if settings.non_ascii is NonAscii.FOLD:
        steps.append(("fold_to_ascii", non_ascii.VERSION, non_ascii.fold_to_ascii))
    if settings.whitespace:
        steps.append(("tidy_whitespace", whitespace.VERSION, whitespace.tidy_whitespace))
    return steps
