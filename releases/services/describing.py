"""Describes a release whose tables are written: README.md and croissant.json, in English.

A release is read far from here, by people who do not know the site's language; nothing in them is
translated. What people wrote (title, labels, licence) cannot break out of a header or a table.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from django.template.loader import render_to_string
from django.utils.translation import override

from annotation.tables import Written
from releases.algorithms.card import SECTIONS
from releases.algorithms.licences import address_of
from releases.algorithms.markdown import code, inline, table
from releases.choices import ReleaseChoices
from releases.describing import Description, croissant, header
from releases.layout import DOCUMENTS, FORMS, Layout
from releases.models import Release
from releases.queries.words import interval_of, table_lines

Files = Mapping[str, Written]


def description_of(release: Release) -> Description:
    """Return a release in words."""
    manifest = release.manifest
    choices, protocol = manifest["choices"], manifest["protocol"]
    agreement = manifest["statistics"]["agreement"].items()
    software = manifest["software"]
    return Description(
        slug=release.study.slug,
        title=manifest["study"]["title"],
        number=release.number,
        made_at=release.created_at,
        languages=tuple(protocol["languages"]),
        licence=choices["licence"],
        citation=choices["citation"],
        sections=manifest["card"],
        votes={stage: (one["votes"], one["posts"]) for stage, one in agreement if one["posts"]},
        posts=manifest["statistics"]["counts"]["released"],
        software=f"{software['name']} {software['version']}",
    )


def layout_of(release: Release) -> Layout:
    """Return the tables and files that a release has."""
    manifest = release.manifest
    choices = ReleaseChoices.from_json(manifest["choices"])
    return Layout.of(choices, labels=manifest["crowd_labels"], metadata=manifest["metadata"])


def croissant_of(release: Release, written: Files) -> dict[str, Any]:
    """Return the content of croissant.json for a release with these files."""
    return croissant(description_of(release), layout_of(release), written)


def readme(release: Release, written: Files) -> str:
    """Return the data card of a release with these files."""
    told, layout = description_of(release), layout_of(release)
    statistics = release.manifest["statistics"]
    with override("en"):
        return render_to_string(
            "releases/README.md",
            {
                "header": header(told, layout, written),
                "title": inline(told.full_title),
                "release": release,
                "statistics": statistics,
                "sections": [(one.title, told.sections[one.code]) for one in SECTIONS],
                "table_1": table_1(statistics["table_1"]),
                "agreement": agreement_table(statistics["agreement"]),
                "issues": issues_table(statistics["issues"]),
                "files": files_table(written),
                "forms": FORMS,
                "empty": empty_tables(layout, written),
                "tables": [(one, columns_table(one.columns)) for one in layout.tables],
                "licence": inline(told.licence) or address_of(""),
                "citation": fenced(told.cite_as),
            },
        )


def table_1(lines: Iterable[Mapping[str, Any]]) -> str:
    """Return Table 1 as the paper prints it."""
    rows = [[line.label, line.count, line.of, line.share] for line in table_lines(lines)]
    return table(["Label", "Count", "of", "Share"], rows, numbers=frozenset({1, 2, 3}))


def agreement_table(agreement: Mapping[str, Mapping[str, Any]]) -> str:
    """Return each stage's alpha with what it rests on."""
    rows = [
        [
            {"crowd": "Crowd", "legal": "Experts"}[stage],
            "–" if found["alpha"] is None else f"{found['alpha']:.3f}",
            interval_of(found) or "–",
            *(
                "–" if found[name] is None else f"{found[name]:,}"
                for name in ("votes", "posts", "people")
            ),
        ]
        for stage, found in agreement.items()
    ]
    heads = ["Stage", "Krippendorff's alpha", "95% interval", "Votes", "Posts", "People"]
    return table(heads, rows, numbers=frozenset(range(1, 6)))


def issues_table(issues: Iterable[Mapping[str, Any]]) -> str:
    """Return on how many posts each legal issue is; nothing where there is none."""
    rows = [[code(one["code"]), inline(one["name"]), f"{one['count']:,}"] for one in issues]
    return table(["Code", "Issue", "Posts"], rows, numbers=frozenset({2})) if rows else ""


def files_table(written: Files) -> str:
    """Return each file but this one and the manifest, with its rows, if any, and checksum."""
    documents = {document.name for document in DOCUMENTS}
    rows = [
        [
            code(name),
            "" if name in documents else f"{found.rows:,}",
            f"{found.size:,}",
            code(found.sha256),
        ]
        for name, found in sorted(written.items())
    ]
    return table(["File", "Rows", "Bytes", "SHA-256"], rows, numbers=frozenset({1, 2}))


def columns_table(columns: Iterable[Any]) -> str:
    """Return the columns of a table with types and meanings."""
    rows = [[code(one.name), one.type.value, inline(one.help)] for one in columns]
    return table(["Column", "Type", "Meaning"], rows)


def empty_tables(layout: Layout, written: Files) -> str:
    """Return the names of the tables, and of the splits, that have no rows."""
    return ", ".join(
        f"{one.name} ({split})" if one.has_splits else one.name
        for one in layout.tables
        for split, path in layout.parquet_files(one).items()
        if not written[path].rows
    )


def fenced(text: str) -> str:
    """Return a text as a block of code, whatever fences it has itself."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{text}\n{fence}"
