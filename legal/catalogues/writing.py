"""Writes a catalogue as a plain tree, as YAML and as JSON; reading it again gives an equal one."""

import hashlib
import json
from typing import Any

import yaml

from legal.catalogues.texts import CatalogueText, CriterionText, IssueText, SourceText, TopicText

WIDTH = 100


def as_yaml(text: CatalogueText) -> str:
    """Return a catalogue as YAML."""
    return yaml.dump(
        as_tree(text), Dumper=PlainDumper, allow_unicode=True, sort_keys=False, width=WIDTH
    )


def as_json(text: CatalogueText) -> str:
    """Return a catalogue as JSON."""
    return json.dumps(as_tree(text), ensure_ascii=False, indent=2) + "\n"


def fingerprint(tree: object) -> str:
    """Return a checksum by which two trees are known to say the same, however they were written."""
    plain = json.dumps(tree, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(plain.encode()).hexdigest()


class PlainDumper(yaml.SafeDumper):
    """Writes texts only; equal ones are written out each time, because readers refuse anchors."""

    def ignore_aliases(self, data: Any) -> bool:
        """Write everything where it stands."""
        return True

    def write_text(self, text: str) -> yaml.ScalarNode:
        """Write lines as a block, and in quotes with escapes what an editor might change."""
        rest = text.replace("\n", "")
        style = None if rest == text else "|"
        if not rest.isprintable():
            style = '"'
        return self.represent_scalar("tag:yaml.org,2002:str", text, style=style)


PlainDumper.add_representer(str, PlainDumper.write_text)


def as_tree(text: CatalogueText) -> dict[str, Any]:
    """Return a catalogue as the tree that `read_tree` reads."""
    return {
        "title": text.title,
        "jurisdiction": text.jurisdiction,
        "language": text.language,
        "note": text.note,
        "topics": [topic_tree(topic) for topic in text.topics],
    }


def topic_tree(topic: TopicText) -> dict[str, Any]:
    """Return a topic as a tree."""
    issues = [issue_tree(issue) for issue in topic.issues]
    return {"code": topic.code, "name": topic.name, "issues": issues}


def issue_tree(issue: IssueText) -> dict[str, Any]:
    """Return an issue as a tree."""
    return {
        "code": issue.code,
        "name": issue.name,
        "summary": issue.summary,
        "sources": [source_tree(source) for source in issue.sources],
        "tests": criteria_tree(issue.test_rule, issue.tests),
        "defences": criteria_tree(issue.defence_rule, issue.defences),
        "positive_example": issue.positive_example,
        "negative_example": issue.negative_example,
    }


def source_tree(source: SourceText) -> dict[str, str]:
    """Return a source as a tree; what it does not have is left out."""
    found = {"kind": source.kind, "citation": source.citation}
    if source.section:
        found["section"] = source.section
    if source.url:
        found["url"] = source.url
    return found


def criteria_tree(rule: str, criteria: tuple[CriterionText, ...]) -> dict[str, Any]:
    """Return tests or defences as a tree."""
    return {"rule": rule, "items": [criterion_tree(one) for one in criteria]}


def criterion_tree(criterion: CriterionText) -> dict[str, Any]:
    """Return a test or a defence as a tree."""
    found: dict[str, Any] = {
        "code": criterion.code,
        "name": criterion.name,
        "question": criterion.question,
    }
    if criterion.parts:
        found[criterion.rule] = [criterion_tree(part) for part in criterion.parts]
    return found
