"""What annotators read when they gave the votes of a release, as texts; nobody is named in them.

A release is read far from here, so what stands around the researchers' own words is in English.
"""

from collections.abc import Iterator

from crowd.models import Instructions
from legal.catalogues.writing import as_yaml
from legal.models import Catalogue
from legal.queries.catalogues import text_of
from releases.choices import Stage
from releases.layout import CATALOGUE, INSTRUCTIONS
from releases.queries.sources import Sources
from releases.queries.votes import chosen_votes

HEAD = "# Instructions to the crowd\n\nEach version that released votes name, oldest first.\n"


def guides_of(sources: Sources) -> Iterator[tuple[str, str]]:
    """Yield the documents that released votes name, with their texts; none where no vote does."""
    versions = versions_read(sources)
    if read := versions[Stage.CROWD]:
        found = Instructions.objects.filter(study=sources.study, version__in=read)
        if parts := [as_markdown(one) for one in found.order_by("version")]:
            yield INSTRUCTIONS, "\n".join([HEAD, *parts])
    if read := versions[Stage.LEGAL]:
        catalogues = Catalogue.objects.filter(study=sources.study, version__in=read)
        if parts := [as_document(one) for one in catalogues.order_by("version")]:
            yield CATALOGUE, "".join(parts)


def versions_read(sources: Sources) -> dict[str, set[int]]:
    """Return by stage the versions of the instructions or the catalogue that votes name."""
    votes = chosen_votes(sources).order_by()
    versions: dict[str, set[int]] = {stage: set() for stage in Stage}
    for stage, version in votes.values_list("task__stage", "guide_version").distinct():
        if version is not None:
            versions[stage].add(version)
    return versions


def as_markdown(found: Instructions) -> str:
    """Return one version of the instructions, with its date."""
    shown = ", ".join(found.shown_metadata) or "none"
    parts = [
        f"## Version {found.version}, {found.created_at.date().isoformat()}",
        "### Before the first post",
        found.introduction.strip() or "Nothing.",
        "### Beside each post",
        found.markdown.strip(),
        "### Columns of the imported file shown beside a post",
        shown,
    ]
    return "\n\n".join(parts) + "\n"


def as_document(found: Catalogue) -> str:
    """Return one version of the catalogue as a YAML document of its own, with its date."""
    date = found.created_at.date().isoformat()
    return f"---\n# version {found.version}, {date}\n{as_yaml(text_of(found))}"
