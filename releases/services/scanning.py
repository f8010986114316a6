"""Refuses a release that would name people, unless the study's owner insists with a reason."""

from dataclasses import asdict
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from infra.jobs import JobRefused
from releases.choices import ReleaseChoices
from releases.scan import EMAIL, MENTION, PLATFORM_ID, Finding, Scan

KINDS = {
    EMAIL: gettext_lazy("e-mail addresses"),
    PLATFORM_ID: gettext_lazy("ids of people"),
    MENTION: gettext_lazy("user mentions"),
}
MOST_TOLD = 8


def settle(scan: Scan, choices: ReleaseChoices) -> dict[str, Any]:
    """Return what the manifest keeps of a scan; raise JobRefused where nobody insists on it."""
    if scan.findings and not choices.insists:
        raise JobRefused(sentence(scan.findings))
    return {"findings": [asdict(one) for one in scan.findings], "insists": choices.insists}


def sentence(findings: list[Finding]) -> str:
    """Return what was found where, and what can be done."""
    told = "; ".join(words(one) for one in findings[:MOST_TOLD])
    more = len(findings) - MOST_TOLD
    if more > 0:
        told += "; " + _("and in %s more columns") % more
    advice = _(
        "Nothing was released: the tables would hold what may name people. %(found)s. Release ids "
        "or cleaned texts alone, leave the stage out, or have the study's owner insist with a "
        "reason."
    )
    return advice % {"found": told}


def words(finding: Finding) -> str:
    """Return one finding as people read it."""
    found = _("%(kind)s in %(table)s, column %(column)s (rows: %(count)s; first: %(first)s)")
    return found % {
        "kind": KINDS[finding.kind],
        "table": finding.table,
        "column": finding.column,
        "count": finding.count,
        "first": ", ".join(finding.first),
    }
