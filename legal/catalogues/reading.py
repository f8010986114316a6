"""Reads a legal catalogue from a plain tree; refuses what is malformed, and says where.

Unknown words and deeper nesting than groups within tests or defences are refused, so that a
misspelt “defense” cannot make a defence vanish unseen.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from legal.catalogues.faults import CatalogueFault, gettext_noop
from legal.catalogues.parsing import parse_catalogue
from legal.catalogues.texts import (
    RULES,
    SOURCE_KINDS,
    CatalogueText,
    CriterionText,
    IssueText,
    SourceText,
    TopicText,
)

MOST_NAME = 200
MOST_TEXT = 10_000
MOST_URL = 2_000
MOST_ISSUES = 300
MOST_ROWS = 50
CODE = re.compile(r"[a-z][a-z0-9_]{0,59}")
LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,4})?")
HEADING = ("title", "jurisdiction", "language", "note")


def read_catalogue(raw: bytes) -> CatalogueText:
    """Return the catalogue that a YAML or JSON file describes, or raise CatalogueFault."""
    return read_tree(parse_catalogue(raw))


def read_tree(tree: object) -> CatalogueText:
    """Return the catalogue that a plain tree describes, or raise CatalogueFault."""
    top = Part("", tree)
    top.only(*HEADING, "topics")
    heading = read_heading(top)
    topics = tuple(read_topic(part) for part in top.parts("topics", MOST_ISSUES))
    refuse_contradictions(topics)
    return CatalogueText(**heading, topics=topics)


def read_heading(top: "Part") -> dict[str, str]:
    """Read what the catalogue as a whole is called, and where it is law."""
    language = top.text("language", 8)
    if not LANGUAGE.fullmatch(language):
        top.refuse(
            gettext_noop(
                "In the catalogue, %(where)s/%(name)s must be the code of a language, such as en "
                "or fr-CA."
            ),
            "language",
        )
    return {
        "title": top.text("title", MOST_NAME),
        "jurisdiction": top.text("jurisdiction", MOST_NAME),
        "language": language,
        "note": top.text("note", is_required=False),
    }


def refuse_contradictions(topics: Sequence[TopicText]) -> None:
    """Refuse topics and issues that could not be told apart, and a catalogue without any."""
    issues = [issue for topic in topics for issue in topic.issues]
    refuse_repeated("topics", [topic.code for topic in topics])
    refuse_repeated("issues", [issue.code for issue in issues])
    refuse_repeated("issues", [plain_name(issue.name) for issue in issues])
    if not issues:
        raise CatalogueFault(gettext_noop("The catalogue has no issue."))
    if len(issues) > MOST_ISSUES:
        raise CatalogueFault(
            gettext_noop("The catalogue has more than %(most)s issues."), most=MOST_ISSUES
        )


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
        if isinstance(value, bool) or not isinstance(value, str | int | float | None):
            self.refuse(gettext_noop("In the catalogue, %(where)s/%(name)s must be a text."), name)
        text = "" if value is None else str(value).strip()
        if is_required and not text:
            self.refuse(gettext_noop("In the catalogue, %(where)s/%(name)s is missing."), name)
        if len(text) > most:
            self.refuse(gettext_noop("In the catalogue, %(where)s/%(name)s is too long."), name)
        if "\0" in text:
            self.refuse(gettext_noop("In the catalogue, %(where)s/%(name)s holds NUL."), name)
        if any("\ud800" <= sign <= "\udfff" for sign in text):
            self.refuse(
                gettext_noop("In the catalogue, %(where)s/%(name)s holds half a character."), name
            )
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

    def address(self, name: str) -> str:
        """Return the address of a web page, if one is given."""
        url = self.text(name, MOST_URL, is_required=False)
        if url and not is_web_address(url):
            self.refuse(
                gettext_noop(
                    "In the catalogue, %(where)s/%(name)s must be the address of a web page, "
                    "beginning with https:// or http://."
                ),
                name,
            )
        return url

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

    def parts(self, name: str, most: int = MOST_ROWS) -> Iterator["Part"]:
        """Yield the mappings of a list below this one; a list that is not there is empty."""
        found = self.values.get(name) or []
        if not isinstance(found, list):
            self.refuse(gettext_noop("In the catalogue, %(where)s/%(name)s must be a list."), name)
        if len(found) > most:
            raise CatalogueFault(
                gettext_noop(
                    "In the catalogue, %(where)s/%(name)s has more than %(most)s entries."
                ),
                where=self.where,
                name=name,
                most=most,
            )
        for number, value in enumerate(found, start=1):
            yield Part(f"{self.where}/{name}/{number}", value)

    def refuse(self, template: str, name: str) -> None:
        """Raise CatalogueFault about a name of this part."""
        raise CatalogueFault(template, where=self.where, name=name)


def is_web_address(url: str) -> bool:
    """Say whether a browser can be sent there: http or https, a host, and no blank inside."""
    try:
        parts = urlsplit(url)
        return (
            parts.scheme in ("http", "https")
            and bool(parts.hostname)
            and not any(sign.isspace() or not sign.isprintable() for sign in url)
        )
    except ValueError:
        return False


def read_topic(part: Part) -> TopicText:
    """Read one topic."""
    part.only("code", "name", "issues")
    issues = tuple(read_issue(issue) for issue in part.parts("issues", MOST_ISSUES))
    name = part.text("name", MOST_NAME)
    if not issues:
        raise CatalogueFault(
            gettext_noop("The topic “%(name)s” has no issue: give it one, or leave it out."),
            name=name,
        )
    return TopicText(code=part.code(), name=name, issues=issues)


def read_issue(part: Part) -> IssueText:
    """Read one issue."""
    part.only(
        "code", "name", "summary", "sources", "tests", "defences",
        "positive_example", "negative_example",
    )  # fmt: skip
    test_rule, tests = read_criteria(part.part("tests"))
    defence_rule, defences = read_criteria(part.part("defences"))
    sources = tuple(read_source(source) for source in part.parts("sources"))
    refuse_repeated(part.where, list(codes_of(tests + defences)))
    refuse_repeated(f"{part.where}/sources", [source.cited for source in sources])
    return IssueText(
        code=part.code(),
        name=part.text("name", MOST_NAME),
        summary=part.text("summary"),
        sources=sources,
        test_rule=test_rule,
        tests=tests,
        defence_rule=defence_rule,
        defences=defences,
        positive_example=part.text("positive_example", is_required=False),
        negative_example=part.text("negative_example", is_required=False),
    )


def read_source(part: Part) -> SourceText:
    """Read where an issue comes from."""
    part.only("kind", "citation", "section", "url")
    return SourceText(
        kind=part.one_of("kind", SOURCE_KINDS),
        citation=part.text("citation"),
        section=part.text("section", is_required=False),
        url=part.address("url"),
    )


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


def codes_of(criteria: Iterable[CriterionText]) -> Iterator[str]:
    """Yield the codes of criteria and of their parts."""
    for criterion in criteria:
        yield criterion.code
        yield from codes_of(criterion.parts)


def refuse_repeated(where: str, codes: list[str]) -> None:
    """Refuse a code or a name that stands twice."""
    for code, times in Counter(codes).items():
        if times > 1:
            raise CatalogueFault(
                gettext_noop("In the catalogue, %(where)s has “%(code)s” twice."),
                where=where,
                code=code,
            )


def plain_name(name: str) -> str:
    """Return a name by which it is found again: no case, no punctuation, single blanks."""
    return " ".join(re.sub(r"[\W_]+", " ", name.casefold()).split())
