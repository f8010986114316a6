"""Two answers side by side in words: what the expert said, what the model answer says."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from legal.algorithms import Comparison
from legal.models import FINDINGS, Catalogue, Criterion, Misinformation
from legal.queries.catalogues import IssueNode, issue_nodes, leaves_of

LABELS = {str(one.value): one.label for one in Misinformation}
FOUND = dict(FINDINGS)


@dataclass(frozen=True)
class Row:
    """A field of both answers; `note` is what the model answer says about it. `is_part` of an
    issue are its tests and defences.
    """

    what: str
    own: str
    model: str
    agrees: bool | None
    note: str = ""
    is_part: bool = False


def in_words(found: Comparison, catalogue: Catalogue) -> list[Row]:
    """Return the fields that have a right answer, in the order of the form."""
    rows = [
        Row(
            _("Misinformation?"),
            str(LABELS.get(found.label.own, "")),
            str(LABELS.get(found.label.model, "")),
            found.label.agrees,
        )
    ]
    rows += issue_rows(found, issue_nodes(catalogue))
    for what, (own, model) in (
        (_("No factual claim"), found.no_claim),
        (_("A defence applies"), found.defence),
    ):
        if own or model:
            rows.append(Row(what, ticked(own), ticked(model), own == model))
    if found.kind.own or found.kind.model:
        kind = found.kind
        rows.append(Row(_("Kind of misinformation"), kind.own, kind.model, kind.agrees))
    return rows


def issue_rows(found: Comparison, nodes: dict[str, IssueNode]) -> Iterator[Row]:
    """Yield a row for each issue, and below it one for each test and defence answered."""
    for issue in found.issues:
        node = nodes[issue.code]
        criteria: dict[str, Criterion] = {leaf.code: leaf for leaf in leaves_of(node)}
        own, model = ticked(issue.own), ticked(issue.model)
        yield Row(node.issue.name, own, model, issue.agrees, issue.reasoning)
        for one in issue.criteria:
            yield Row(
                criteria[one.code].name,
                str(FOUND.get(one.own, "")),
                str(FOUND.get(one.model, "")),
                one.agrees,
                one.sentence,
                is_part=True,
            )


def ticked(is_ticked: bool) -> str:
    """Return whether something was ticked, in a word."""
    return _("ticked") if is_ticked else _("not ticked")
