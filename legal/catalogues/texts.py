"""A legal catalogue as a value: what is read from files, drafts and tables, and written to them."""

from dataclasses import dataclass

RULES = ("all", "any")
SOURCE_KINDS = ("statute", "case", "bulletin", "opinion", "paper")


@dataclass(frozen=True)
class SourceText:
    """Where an issue comes from; `url` is the address of a page that shows it."""

    kind: str
    citation: str
    section: str = ""
    url: str = ""

    @property
    def cited(self) -> str:
        """Return what is cited, by which it is known again in another version."""
        return f"{self.citation}, {self.section}" if self.section else self.citation


@dataclass(frozen=True)
class CriterionText:
    """A test or a defence; with a rule it is a group of its parts."""

    code: str
    name: str
    question: str
    rule: str = ""
    parts: tuple["CriterionText", ...] = ()


@dataclass(frozen=True)
class IssueText:
    """A legal issue."""

    code: str
    name: str
    summary: str
    sources: tuple[SourceText, ...]
    test_rule: str
    tests: tuple[CriterionText, ...]
    defence_rule: str
    defences: tuple[CriterionText, ...]
    positive_example: str
    negative_example: str


@dataclass(frozen=True)
class TopicText:
    """An area of law with its issues."""

    code: str
    name: str
    issues: tuple[IssueText, ...]


@dataclass(frozen=True)
class CatalogueText:
    """A whole catalogue."""

    title: str
    jurisdiction: str
    language: str
    note: str
    topics: tuple[TopicText, ...]
