"""Writes a release's README, in English: what it is, how it was made, figures, files, columns.

A release is read far from here, by people who do not know the site's language; nothing in it is
translated.
"""

from collections.abc import Mapping
from typing import Any

from django.template.loader import render_to_string
from django.utils.translation import override

from annotation.tables import Written
from releases.columns import (
    CROWD_LABEL,
    DATASET,
    FILES,
    OLD_EVIDENCE,
    OLD_VOTES,
    README,
    STATISTICS,
    Described,
)
from releases.models import Release, Texts
from releases.queries.words import interval_of, table_lines, words_of

TEXTS_POLICY: dict[str, str] = {
    Texts.CLEANED: "Texts are given as annotators saw them, after cleaning.",
    Texts.ORIGINAL: "Texts are given as they were imported, to the last character.",
    Texts.IDS: "Texts are left out: posts are named by their ids only.",
}


def readme(release: Release, written: Mapping[str, Written]) -> str:
    """Return the README of a release whose other files are written."""
    manifest = release.manifest
    with override("en"):
        return render_to_string(
            "releases/README.md",
            {
                "release": release,
                "study": release.study,
                "manifest": manifest,
                "protocol": manifest["protocol"],
                "statistics": manifest["statistics"],
                "table": table_lines(manifest["statistics"]["table_1"]),
                "policy": TEXTS_POLICY[release.texts],
                "agreement": agreement_rows(manifest["statistics"]["agreement"]),
                "files": file_rows(written),
                "dataset_columns": released_columns(release),
                "vote_columns": OLD_VOTES,
                "evidence_columns": OLD_EVIDENCE,
            },
        )


def file_rows(written: Mapping[str, Written]) -> list[tuple[Described, Written, str]]:
    """Return each file but this one, with its checksum and its rows where it has any."""
    others = [file for file in FILES if file.name != README]
    return [
        (file, written[file.name], "" if file.name == STATISTICS else str(written[file.name].rows))
        for file in others
    ]


def released_columns(release: Release) -> list[Described]:
    """Return the dataset's columns as this release has them."""
    return [
        column
        for column in DATASET
        if not (column.name == "text" and release.texts == Texts.IDS)
        and not (column.name == CROWD_LABEL and not release.manifest["crowd_labels"])
    ]


def agreement_rows(agreement: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return each stage's agreement with its words."""
    return [
        {**found, "stage": stage, "interval": interval_of(found), "words": words_of(found)}
        for stage, found in agreement.items()
    ]
