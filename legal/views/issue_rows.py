"""The issues of the expert's form: each with what was said of it."""

from collections.abc import Iterable
from dataclasses import dataclass

from legal.algorithms import ExpertAnswer, IssueSaid
from legal.models import Criterion
from legal.queries.catalogues import CriterionNode, IssueNode, TopicNode


@dataclass(frozen=True)
class CriterionRow:
    """A test or a defence with what was found; one with parts is a group, and follows from them."""

    criterion: Criterion
    finding: str
    sentence: str
    parts: "tuple[CriterionRow, ...]"


@dataclass(frozen=True)
class IssueRow:
    """An issue with what was said of it."""

    node: IssueNode
    said: IssueSaid
    tests: tuple[CriterionRow, ...]
    defences: tuple[CriterionRow, ...]


@dataclass(frozen=True)
class TopicRows:
    """A topic with its issues."""

    name: str
    issues: tuple[IssueRow, ...]


def topic_rows(topics: Iterable[TopicNode], answer: ExpertAnswer) -> list[TopicRows]:
    """Return a catalogue's topics with what an answer says of their issues."""
    said = {one.code: one for one in answer.issues}
    return [
        TopicRows(topic.name, tuple(issue_row(node, said) for node in topic.issues))
        for topic in topics
    ]


def issue_row(node: IssueNode, answers: dict[str, IssueSaid]) -> IssueRow:
    """Return an issue with what was said of it."""
    said = answers.get(node.issue.code) or IssueSaid(node.issue.code, is_ticked=False)
    return IssueRow(
        node, said, criterion_rows(node.tests, said), criterion_rows(node.defences, said)
    )


def criterion_rows(nodes: Iterable[CriterionNode], said: IssueSaid) -> tuple[CriterionRow, ...]:
    """Return tests or defences with what was found."""
    return tuple(
        CriterionRow(
            criterion=node.criterion,
            finding=said.findings.get(node.criterion.code, ""),
            sentence=said.sentences.get(node.criterion.code, ""),
            parts=criterion_rows(node.parts, said),
        )
        for node in nodes
    )
