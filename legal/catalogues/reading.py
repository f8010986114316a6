"""Reads a legal catalogue from YAML; refuses what is malformed, and says where.

A catalogue is a plain tree: anchors, unknown words and deeper nesting than groups within tests or
defences are refused, so that a misspelt “defense” cannot make a defence vanish unseen.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import yaml

MOST_BYTES = 2_000_000
MOST_NAME = 200
MOST_TEXT = 10_000
CODE = re.compile(r"[a-z][a-z0-9_]{0,59}")
RULES = ("all", "any")
SOURCE_KINDS = ("statute", "case", "bulletin", "opinion", "paper")


def gettext_noop(text: str) -> str:
    """Mark a sentence for translation; the service translates it."""
    return text


class CatalogueFault(ValueError):
    """What is wrong with a catalogue: a sentence with blanks, and what stands in them."""

    def __init__(self, template: str, **details: object) -> None:
        super().__init__(template % details)
        self.template, self.details = template, details


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
    sources: tuple[dict[str, str], ...]
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


class PlainLoader(yaml.SafeLoader):
    """Loads plain trees only."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        """Refuse aliases: a few of them can stand for gigabytes."""
        if self.check_event(yaml.AliasEvent):
            raise CatalogueFault(gettext_noop("The catalogue may not use YAML's anchors."))
        return super().compose_node(parent, index)


def read_catalogue(raw: bytes) -> CatalogueText:
    """Return the catalogue that a YAML (or JSON) text describes, or raise CatalogueFault."""
    if len(raw) > MOST_BYTES:
        raise CatalogueFault(
            gettext_noop("The catalogue is larger than %(most)s bytes."), most=MOST_BYTES
        )
    top = Part("", load(raw))
    top.only("jurisdiction", "language", "title", "note", "topics")
    topics = tuple(read_topic(part) for part in top.parts("topics"))
    issues = [issue for topic in topics for issue in topic.issues]
    refuse_repeated("topics", [topic.code for topic in topics])
    refuse_repeated("issues", [issue.code for issue in issues])
    refuse_repeated("issues", [plain_name(issue.name) for issue in issues])
    if not issues:
        raise CatalogueFault(gettext_noop("The catalogue has no issue."))
    return CatalogueText(
        title=top.text("title", MOST_NAME),
        jurisdiction=top.text("jurisdiction", MOST_NAME),
        language=top.text("language", 8),
        note=top.text("note", is_required=False),
        topics=topics,
    )


def load(raw: bytes) -> object:
    """Return what the YAML says."""
    try:
        return yaml.load(raw, Loader=PlainLoader)  # noqa: S506 -- a SafeLoader
    except RecursionError as error:
        raise CatalogueFault(gettext_noop("The catalogue is nested too deeply.")) from error
    except (yaml.YAMLError, UnicodeError, ValueError) as error:
        if isinstance(error, CatalogueFault):
            raise
        problem = " ".join(str(error).split())[:300]
        raise CatalogueFault(
            gettext_noop("The catalogue is not readable as YAML: %(problem)s"), problem=problem
        ) from error


@dataclass(frozen=True)
class Part:
    """A mapping somewhere in the catalogue, and the way to it."""

    where: str
    value: Any
    values: dict[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        """Refuse what is no mapping."""
        if not isinstance(self.value, dict):
            raise CatalogueFault(
                gettext_noop("In the catalogue, %(where)s must be a mapping of names to values."),
                where=self.where or "/",
            )
        object.__setattr__(self, "values", self.value)

    def only(self, *names: str) -> None:
        """Refuse names that mean nothing here."""
        unknown = [str(name) for name in self.values if name not in names]
        if unknown:
            raise CatalogueFault(
                gettext_noop("In the catalogue, %(where)s has “%(name)s”, which means nothing."),
                where=self.where or "/",
                name=unknown[0][:60],
            )

    def text(self, name: str, most: int = MOST_TEXT, *, is_required: bool = True) -> str:
        """Return a text without the blanks around it."""
        value = self.values.get(name)
        text = str(value).strip() if isinstance(value, str | int | float) else ""
        if value is not None and not isinstance(value, str | int | float):
            self.refuse(gettext_noop("In the catalogue, %(where)s/%(name)s must be a text."), name)
        if is_required and not text:
            self.refuse(gettext_noop("In the catalogue, %(where)s/%(name)s is missing."), name)
        if len(text) > most:
            self.refuse(gettext_noop("In the catalogue, %(where)s/%(name)s is too long."), name)
        if "\0" in text:
            self.refuse(gettext_noop("In the catalogue, %(where)s/%(name)s holds NUL."), name)
        return text

    def code(self) -> str:
        """Return the code of this part."""
        code = self.text("code")
        if not CODE.fullmatch(code):
            self.refuse(
                gettext_noop(
                    "In the catalogue, %(where)s/%(name)s may hold a to z, 0 to 9 and _ only."
                ),
                "code",
            )
        return code

    def one_of(self, name: str, choices: Sequence[str]) -> str:
        """Return a text that is one of these."""
        chosen = self.text(name)
        if chosen not in choices:
            raise CatalogueFault(
                gettext_noop("In the catalogue, %(where)s/%(name)s must be one of: %(choices)s."),
                where=self.where,
                name=name,
                choices=", ".join(choices),
            )
        return chosen

    def part(self, name: str) -> "Part":
        """Return a mapping below this one."""
        return Part(f"{self.where}/{name}", self.values.get(name))

    def parts(self, name: str) -> Iterator["Part"]:
        """Yield the mappings of a list below this one; a list that is not there is empty."""
        found = self.values.get(name) or []
        if not isinstance(found, list):
            self.refuse(gettext_noop("In the catalogue, %(where)s/%(name)s must be a list."), name)
        for number, value in enumerate(found, start=1):
            yield Part(f"{self.where}/{name}/{number}", value)

    def refuse(self, template: str, name: str) -> None:
        """Raise CatalogueFault about a name of this part."""
        raise CatalogueFault(template, where=self.where, name=name)


def read_topic(part: Part) -> TopicText:
    """Read one topic."""
    part.only("code", "name", "issues")
    return TopicText(
        code=part.code(),
        name=part.text("name", MOST_NAME),
        issues=tuple(read_issue(issue) for issue in part.parts("issues")),
    )


def read_issue(part: Part) -> IssueText:
    """Read one issue."""
    part.only(
        "code", "name", "summary", "sources", "tests", "defences",
        "positive_example", "negative_example",
    )  # fmt: skip
    test_rule, tests = read_criteria(part.part("tests"))
    defence_rule, defences = read_criteria(part.part("defences"))
    refuse_repeated(part.where, list(codes_of(tests + defences)))
    return IssueText(
        code=part.code(),
        name=part.text("name", MOST_NAME),
        summary=part.text("summary"),
        sources=tuple(read_source(source) for source in part.parts("sources")),
        test_rule=test_rule,
        tests=tests,
        defence_rule=defence_rule,
        defences=defences,
        positive_example=part.text("positive_example", is_required=False),
        negative_example=part.text("negative_example", is_required=False),
    )


def read_source(part: Part) -> dict[str, str]:
    """Read where an issue comes from."""
    part.only("kind", "citation", "section")
    return {
        "kind": part.one_of("kind", SOURCE_KINDS),
        "citation": part.text("citation"),
        "section": part.text("section", is_required=False),
    }


def read_criteria(part: Part) -> tuple[str, tuple[CriterionText, ...]]:
    """Read an issue's tests or defences with the rule that joins them."""
    part.only("rule", "items")
    items = tuple(read_criterion(item, may_nest=True) for item in part.parts("items"))
    return part.one_of("rule", RULES), items


def read_criterion(part: Part, *, may_nest: bool) -> CriterionText:
    """Read one test or defence, and the smaller questions that it is made of."""
    part.only("code", "name", "question", *(RULES if may_nest else ()))
    rules = [rule for rule in RULES if rule in part.values]
    if len(rules) > 1:
        part.refuse(gettext_noop("In the catalogue, %(where)s has both all and any."), "")
    rule = rules[0] if rules else ""
    parts = tuple(read_criterion(one, may_nest=False) for one in part.parts(rule)) if rule else ()
    if rule and not parts:
        part.refuse(gettext_noop("In the catalogue, %(where)s/%(name)s is empty."), rule)
    return CriterionText(
        code=part.code(),
        name=part.text("name", MOST_NAME),
        question=part.text("question"),
        rule=rule,
        parts=parts,
    )


def codes_of(criteria: Sequence[CriterionText]) -> Iterator[str]:
    """Yield the codes of criteria and of their parts."""
    for criterion in criteria:
        yield criterion.code
        yield from codes_of(criterion.parts)


def refuse_repeated(where: str, codes: list[str]) -> None:
    """Refuse a code or a name that stands twice."""
    for code in codes:
        if codes.count(code) > 1:
            raise CatalogueFault(
                gettext_noop("In the catalogue, %(where)s has “%(code)s” twice."),
                where=where,
                code=code,
            )


def plain_name(name: str) -> str:
    """Return a name by which it is found again: no case, no punctuation, single blanks."""
    return " ".join(re.sub(r"[\W_]+", " ", name.casefold()).split())
