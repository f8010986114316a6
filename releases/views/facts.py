"""What a release states of itself: choices, versions, and what the scan found."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from filtering.models import METHODS
from releases.choices import ReleaseChoices, Stage
from releases.models import Release
from releases.scan import Finding
from releases.services.scanning import words
from releases.views.words import NONE, name_of, value_of


@dataclass(frozen=True)
class Fact:
    """One thing that a release states; `url` leads to where it is from."""

    name: str
    value: str
    url: str = ""


def facts_of(release: Release) -> list[Fact]:
    """Return how a release came about, as its manifest has it."""
    return [*chosen(release.manifest["choices"]), *made_of(release), *scanned(release.manifest)]


def chosen(stored: Mapping[str, Any]) -> Iterator[Fact]:
    """Yield what was chosen."""
    choices = ReleaseChoices.from_json(stored)
    for name in ("stages", "versions"):
        yield Fact(name_of(f"choices.{name}"), value_of(f"choices.{name}", stored[name]))
    if Stage.CROWD in choices.stages:
        round_words = str(choices.crowd_round) if choices.crowd_round else _("All rounds together")
        yield Fact(name_of("choices.crowd_round"), round_words)
    shares = ", ".join(f"{name} {choices.splits.shares[name]}%" for name in choices.splits.names)
    yield Fact(_("Splits"), shares)
    yield Fact(name_of("choices.splits.seed"), str(choices.splits.seed))
    yield Fact(name_of("choices.licence"), choices.licence or _("None is stated."))
    yield Fact(
        name_of("choices.citation"),
        choices.citation or _("Made of title, release and year, as none is stated."),
    )


def made_of(release: Release) -> Iterator[Fact]:
    """Yield by which versions and which run of the filter a release came about."""
    manifest = release.manifest
    if run := manifest["filter_run"]:
        url = reverse("filter_run", args=[release.study.slug, run["number"]])
        yield Fact(_("Filter run"), run_words(run), url)
    else:
        yield Fact(_("Filter run"), _("The filter was not run."))
    for name in ("instructions", "catalogue"):
        versions = ", ".join(str(version) for version in manifest[name])
        yield Fact(name_of(name), versions or NONE)
    software = manifest["software"]
    yield Fact(name_of("software.name"), f"{software['name']} {software['version']}")


def run_words(run: Mapping[str, Any]) -> str:
    """Return a run of the filter in a line."""
    told = ngettext(
        "%(number)s: %(method)s, %(trials)s trial",
        "%(number)s: %(method)s, %(trials)s trials",
        run["trials"],
    )
    method = dict(METHODS)[run["method"]]
    line = told % {"number": run["number"], "method": method, "trials": run["trials"]}
    return line if run["k"] is None else f"{line}, k = {run['k']:,}"


def scanned(manifest: Mapping[str, Any]) -> Iterator[Fact]:
    """Yield what the scan for personal data found, and why an owner insisted, if one did."""
    scan = manifest["scan"]
    if scan is None:
        yield Fact(_("Scan for personal data"), _("Releases were not searched yet."))
        return
    found = "; ".join(words(Finding(**one)) for one in scan["findings"])
    yield Fact(_("Scan for personal data"), found or _("It found nothing."))
    if scan["insists"]:
        yield Fact(_("The owner's reason to release it all the same"), scan["insists"])
