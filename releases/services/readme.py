"""Writes a release's README, in English: what it is, how it was made, figures, files, columns.

A release is read far from here, by people who do not know the site's language; nothing in it is
translated.
"""

from collections.abc import Mapping
from typing import Any

from django.template.loader import render_to_string
from django.utils.translation import override

from annotation.tables import Written
from releases.choices import ReleaseChoices, Texts
from releases.layout import DOCUMENTS, FORMS, Layout
from releases.models import Release
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
                "forms": FORMS,
                "tables": layout_of(release).tables,
            },
        )


def layout_of(release: Release) -> Layout:
    """Return the tables and files that a release has."""
    manifest = release.manifest
    choices = ReleaseChoices.from_json(manifest["choices"])
    return Layout.of(choices, labels=manifest["crowd_labels"], metadata=manifest["metadata"])


def file_rows(written: Mapping[str, Written]) -> list[tuple[str, Written, str]]:
    """Return each file but this one, with its checksum and its rows where it has any."""
    documents = {document.name for document in DOCUMENTS}
    return [
        (name, found, "" if name in documents else str(found.rows))
        for name, found in sorted(written.items())
    ]


def agreement_rows(agreement: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return each stage's agreement with its words."""
    return [
        {**found, "stage": stage, "interval": interval_of(found), "words": words_of(found)}
        for stage, found in agreement.items()
    ]
