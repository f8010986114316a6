"""An expert's answer as it is said: forms parse into it, tables hold it, both compare by it."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Self


@dataclass(frozen=True)
class IssueSaid:
    """What was said of one legal issue. `findings` and `sentences` are by the criteria's codes.

    An issue that was looked into and not ticked is kept too: it says why it is none.
    """

    code: str
    is_ticked: bool = True
    findings: Mapping[str, str] = field(default_factory=dict)
    sentences: Mapping[str, str] = field(default_factory=dict)
    reasoning: str = ""
    insistence: str = ""

    @property
    def says_anything(self) -> bool:
        """Say whether there is anything to store."""
        texts = (self.reasoning, self.insistence, *self.sentences.values())
        return self.is_ticked or any(self.findings.values()) or any(texts)

    def plain(self) -> Self:
        """Return it as it is stored."""
        sentences = {code: plain_lines(text) for code, text in self.sentences.items()}
        return replace(
            self,
            findings={code: found for code, found in self.findings.items() if found},
            sentences={code: text for code, text in sentences.items() if text},
            reasoning=plain_lines(self.reasoning),
            insistence=plain_lines(self.insistence),
        )


@dataclass(frozen=True)
class EvidenceSaid:
    """A page named as evidence, and how it bears on the claim."""

    url: str
    stance: str = ""
    quote: str = ""
    note: str = ""

    def plain(self) -> Self:
        """Return it as it is stored."""
        return replace(
            self,
            url=self.url.strip(),
            quote=plain_lines(self.quote),
            note=plain_lines(self.note),
        )

    @property
    def is_empty(self) -> bool:
        """Say whether nothing was typed."""
        return not (self.url or self.quote or self.note)


@dataclass(frozen=True)
class CitationSaid:
    """A passage of the legal library cited as reasoning: for an issue, or for the whole answer."""

    passage: int
    issue: str = ""
    title: str = field(default="", compare=False)


@dataclass(frozen=True)
class ExpertAnswer:
    """What an expert sends. `spans` are the claims in the post, [start, end) in code points.

    `files` are the ids of what was attached. `insists` says that the label stands although the
    formal definition gives another one.
    """

    label: str
    issues: tuple[IssueSaid, ...] = ()
    no_claim: bool = False
    defence: bool = False
    evidence: tuple[EvidenceSaid, ...] = ()
    files: tuple[int, ...] = ()
    spans: tuple[tuple[int, int], ...] = ()
    citations: tuple[CitationSaid, ...] = ()
    kind: str = ""
    confidence: int | None = None
    comment: str = ""
    discuss: bool = False
    insists: bool = False
    insistence: str = ""
    seconds: float | None = None

    @classmethod
    def of_ticks(
        cls,
        label: str,
        *,
        issues: Iterable[str] = (),
        evidence: Iterable[str] = (),
        no_claim: bool = False,
        defence: bool = False,
        comment: str = "",
        seconds: float | None = None,
    ) -> Self:
        """Return an answer of ticks and addresses; it stands whatever follows from them."""
        return cls(
            label=label,
            issues=tuple(IssueSaid(code) for code in issues),
            evidence=tuple(EvidenceSaid(url) for url in evidence),
            no_claim=no_claim,
            defence=defence,
            comment=comment,
            seconds=seconds,
            insists=True,
        )

    def plain(self) -> Self:
        """Return it as it is stored: order that means nothing gone, each page once."""
        said = (issue.plain() for issue in self.issues)
        pages: dict[str, EvidenceSaid] = {}
        for one in (evidence.plain() for evidence in self.evidence):
            if not one.is_empty:
                pages.setdefault(one.url, one)
        return replace(
            self,
            issues=tuple(sorted((one for one in said if one.says_anything), key=code_of)),
            evidence=tuple(pages.values()),
            spans=tuple(sorted(set(self.spans))),
            citations=tuple(sorted(set(self.citations), key=place_of)),
            comment=plain_lines(self.comment),
            insistence=plain_lines(self.insistence),
        )

    @property
    def has_evidence(self) -> bool:
        """Say whether a page is named or a file attached."""
        return bool(self.evidence or self.files)

    def same_as(self, other: "ExpertAnswer") -> bool:
        """Say whether two answers say the same; how long it took, and insisting, aside."""
        own, others = self.plain(), other.plain()
        return own == replace(others, seconds=own.seconds, insists=own.insists)


def place_of(citation: CitationSaid) -> tuple[int, str]:
    """Return by what citations are put in order."""
    return citation.passage, citation.issue


def code_of(issue: IssueSaid) -> str:
    """Return an issue's code."""
    return issue.code


def plain_lines(text: str) -> str:
    """Return a text as it is stored: line breaks as one character, no blanks around it."""
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()


def plain_data(answer: ExpertAnswer) -> dict[str, Any]:
    """Return an answer as mappings, lists and texts; characters that no text can hold are gone."""
    found: dict[str, Any] = storable(asdict(answer))
    return found


def answer_from(data: Mapping[str, Any]) -> ExpertAnswer:
    """Return the answer that `plain_data` made these mappings of."""
    return ExpertAnswer(
        **{
            **data,
            "issues": tuple(IssueSaid(**one) for one in data["issues"]),
            "evidence": tuple(EvidenceSaid(**one) for one in data["evidence"]),
            "files": tuple(data["files"]),
            "citations": tuple(CitationSaid(**one) for one in data["citations"]),
            "spans": tuple((start, end) for start, end in data["spans"]),
        }
    )


def storable(value: Any) -> Any:
    """Return a value without NUL and half characters in its texts."""
    if isinstance(value, str):
        return value.replace("\0", "").encode(errors="replace").decode()
    if isinstance(value, Mapping):
        return {storable(key): storable(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [storable(one) for one in value]
    return value
