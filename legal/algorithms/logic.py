"""Combines findings on legal tests and defences by three-valued logic.

Kleene's strong logic (S. C. Kleene, Introduction to Metamathematics, 1952, section 64): *all*
passes when each part passes and fails when any part fails; *any* passes when any part passes and
fails when each part fails; else nobody can tell. A question without an answer is one that nobody
can tell.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal


class Finding(StrEnum):
    """What was found about a test or a defence."""

    PASSES = "passes"
    FAILS = "fails"
    CANNOT_TELL = "cannot_tell"


@dataclass(frozen=True)
class Leaf:
    """A question that is answered itself."""

    code: str


@dataclass(frozen=True)
class Group:
    """Questions joined by a rule; a group without parts says nothing."""

    rule: Literal["all", "any"]
    parts: "tuple[Leaf | Group, ...]"


@dataclass(frozen=True)
class IssueRules:
    """The tests and the defences of a legal issue."""

    tests: Group
    defences: Group


def combined(rule: str, findings: Iterable[Finding]) -> Finding:
    """Join findings: by *all* or by *any*. Nothing to join gives CANNOT_TELL."""
    found = set(findings)
    decisive, other = Finding.FAILS, Finding.PASSES
    if rule == "any":
        decisive, other = other, decisive
    if decisive in found:
        return decisive
    return other if found == {other} else Finding.CANNOT_TELL


def finding_of(node: Leaf | Group, answers: Mapping[str, Finding]) -> Finding:
    """Return what the answers say of a question or a group; `answers` are by the leaves' codes."""
    if isinstance(node, Leaf):
        return answers.get(node.code, Finding.CANNOT_TELL)
    return combined(node.rule, (finding_of(part, answers) for part in node.parts))


def contradiction(
    rules: IssueRules, answers: Mapping[str, Finding]
) -> Literal["", "tests", "defences"]:
    """Return what in the answers speaks against an issue: failed tests, or a defence that holds."""
    if finding_of(rules.tests, answers) is Finding.FAILS:
        return "tests"
    if finding_of(rules.defences, answers) is Finding.PASSES:
        return "defences"
    return ""
