"""What changed between two versions of a catalogue: added, removed, moved, and word by word.

Topics, issues, tests and defences are known again by their codes, which never change meaning;
sources are known again by their citation. Order counts only where the same things stand in another
one.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Protocol, TypeVar

from legal.catalogues.texts import CatalogueText, CriterionText, IssueText, SourceText

SAME, GONE, NEW = "same", "gone", "new"
ADDED, REMOVED, CHANGED = "added", "removed", "changed"
MOST_PAIRS = 200_000
FEWEST_KEPT = 0.25
WORD = re.compile(r"\S+\s*|\s+")


@dataclass(frozen=True)
class Piece:
    """Words that stayed, went or came."""

    kind: str
    text: str


@dataclass(frozen=True)
class Wording:
    """A text that reads differently; `field` says which."""

    field: str
    pieces: tuple[Piece, ...]


@dataclass(frozen=True)
class ItemChange:
    """A test, a defence or a source that came, went or reads differently."""

    what: str
    kind: str
    name: str
    wordings: tuple[Wording, ...] = ()


@dataclass(frozen=True)
class IssueChange:
    """An issue that came, went or changed; `topic_before` where it stands in another topic now."""

    kind: str
    code: str
    name: str
    topic: str
    topic_before: str = ""
    wordings: tuple[Wording, ...] = ()
    items: tuple[ItemChange, ...] = ()
    reordered: bool = False


@dataclass(frozen=True)
class TopicChange:
    """A topic that came, went or has another name."""

    kind: str
    code: str
    name: str
    wordings: tuple[Wording, ...] = ()


@dataclass(frozen=True)
class CatalogueChanges:
    """All that changed from one catalogue to another."""

    heading: tuple[Wording, ...]
    topics: tuple[TopicChange, ...]
    issues: tuple[IssueChange, ...]
    reordered: bool

    def __bool__(self) -> bool:
        return bool(self.heading or self.topics or self.issues or self.reordered)


def changes_between(old: CatalogueText, new: CatalogueText) -> CatalogueChanges:
    """Return all that changed from one catalogue to another."""
    return CatalogueChanges(
        heading=wordings(old, new, ("title", "jurisdiction", "language", "note")),
        topics=tuple(topic_changes(old, new)),
        issues=tuple(issue_changes(old, new)),
        reordered=are_reordered(codes(old.topics), codes(new.topics))
        or any(
            are_reordered(codes(before.issues), codes(after.issues))
            for before, after in both(old.topics, new.topics)
        ),
    )


def topic_changes(old: CatalogueText, new: CatalogueText) -> Iterator[TopicChange]:
    """Yield the topics that came, changed their name, or went."""
    before = {topic.code: topic for topic in old.topics}
    for topic in new.topics:
        known = before.pop(topic.code, None)
        if known is None:
            yield TopicChange(ADDED, topic.code, topic.name)
        elif known.name != topic.name:
            yield TopicChange(CHANGED, topic.code, topic.name, wordings(known, topic, ("name",)))
    for topic in before.values():
        yield TopicChange(REMOVED, topic.code, topic.name)


def issue_changes(old: CatalogueText, new: CatalogueText) -> Iterator[IssueChange]:
    """Yield the issues that came or changed in their new order, then those that went."""
    before = {issue.code: (topic, issue) for topic in old.topics for issue in topic.issues}
    for topic in new.topics:
        for issue in topic.issues:
            if issue.code not in before:
                yield IssueChange(ADDED, issue.code, issue.name, topic.name)
                continue
            known_topic, known = before.pop(issue.code)
            is_moved = known_topic.code != topic.code
            if known != issue or is_moved:
                moved_from = known_topic.name if is_moved else ""
                yield changed_issue(known, issue, topic.name, moved_from)
    for topic, issue in before.values():
        yield IssueChange(REMOVED, issue.code, issue.name, topic.name)


def changed_issue(old: IssueText, new: IssueText, topic: str, topic_before: str) -> IssueChange:
    """Return what changed in an issue."""
    texts = ("name", "summary", "test_rule", "defence_rule", "positive_example", "negative_example")
    return IssueChange(
        kind=CHANGED,
        code=new.code,
        name=new.name,
        topic=topic,
        topic_before=topic_before,
        wordings=wordings(old, new, texts),
        items=(
            *criterion_changes("test", old.tests, new.tests),
            *criterion_changes("defence", old.defences, new.defences),
            *source_changes(old.sources, new.sources),
        ),
        reordered=any(
            are_reordered(codes(before), codes(after))
            for before, after in (
                (old.tests, new.tests),
                (old.defences, new.defences),
                *parts_of_both(old.tests + old.defences, new.tests + new.defences),
            )
        )
        or are_reordered([one.cited for one in old.sources], [one.cited for one in new.sources]),
    )


def parts_of_both(
    old: Sequence[CriterionText], new: Sequence[CriterionText]
) -> Iterator[tuple[Sequence[CriterionText], Sequence[CriterionText]]]:
    """Yield the parts of each criterion that is in both, as they were and as they are."""
    yield from ((before.parts, after.parts) for before, after in both(old, new))


def criterion_changes(
    what: str, old: Sequence[CriterionText], new: Sequence[CriterionText]
) -> Iterator[ItemChange]:
    """Yield the tests or defences that came, changed or went; a group goes with its parts."""
    before, after = dict(placed(old)), dict(placed(new))
    for code, place in after.items():
        known = before.get(code)
        if known is None:
            question = (Wording("question", (Piece(NEW, place.criterion.question),)),)
            yield ItemChange(what, ADDED, place.name, question)
            continue
        found = wordings(known.criterion, place.criterion, ("name", "question", "rule"))
        if known.group != place.group:
            found += (Wording("group", whole_texts(known.group_name, place.group_name)),)
        if found:
            yield ItemChange(what, CHANGED, place.name, found)
    for code, place in before.items():
        if code not in after and (not place.group or place.group in after):
            yield ItemChange(what, REMOVED, place.name)


@dataclass(frozen=True)
class Place:
    """A criterion, and the group that it is part of."""

    criterion: CriterionText
    group: str = ""
    group_name: str = ""

    @property
    def name(self) -> str:
        """Return the name of the criterion, after that of its group."""
        return f"{self.group_name}: {self.criterion.name}" if self.group else self.criterion.name


def placed(criteria: Iterable[CriterionText]) -> Iterator[tuple[str, Place]]:
    """Yield each criterion and each part of one by its code."""
    for criterion in criteria:
        yield criterion.code, Place(criterion)
        for part in criterion.parts:
            yield part.code, Place(part, criterion.code, criterion.name)


def source_changes(old: Sequence[SourceText], new: Sequence[SourceText]) -> Iterator[ItemChange]:
    """Yield the sources that came and went, and those of which kind or address changed."""
    before = {one.cited: one for one in old}
    after = {one.cited: one for one in new}
    for cited, source in after.items():
        if cited not in before:
            yield ItemChange("source", ADDED, cited)
        elif found := wordings(before[cited], source, ("kind", "url")):
            yield ItemChange("source", CHANGED, cited, found)
    for cited in before:
        if cited not in after:
            yield ItemChange("source", REMOVED, cited)


class Coded(Protocol):
    """What has a code."""

    @property
    def code(self) -> str:
        """Return the code."""


Coded_ = TypeVar("Coded_", bound=Coded)


def both(old: Sequence[Coded_], new: Sequence[Coded_]) -> Iterator[tuple[Coded_, Coded_]]:
    """Yield what is in both, as it was and as it is."""
    before = {one.code: one for one in old}
    yield from ((before[one.code], one) for one in new if one.code in before)


def codes(things: Iterable[Coded]) -> list[str]:
    """Return the codes of things in their order."""
    return [one.code for one in things]


def are_reordered(old: Sequence[str], new: Sequence[str]) -> bool:
    """Say whether what is in both stands in another order."""
    in_both = set(old) & set(new)
    return [one for one in old if one in in_both] != [one for one in new if one in in_both]


def wordings(old: object, new: object, fields: Iterable[str]) -> tuple[Wording, ...]:
    """Return those of the named texts that differ."""
    return tuple(
        Wording(field, words_changed(getattr(old, field), getattr(new, field)))
        for field in fields
        if getattr(old, field) != getattr(new, field)
    )


def words_changed(old: str, new: str) -> tuple[Piece, ...]:
    """Return the words that stayed, went and came; texts with little in common stand whole.

    Joined, what is not gone is the new text to the character, and what is not new has the words of
    the old one: blanks that changed are shown as they are now.
    """
    before, after = WORD.findall(old), WORD.findall(new)
    words, new_words = [one.strip() for one in before], [one.strip() for one in after]
    if words == new_words or pairs(words, new_words) > MOST_PAIRS:
        return whole_texts(old, new)
    matcher = SequenceMatcher(None, words, new_words, autojunk=False)
    if matcher.ratio() < FEWEST_KEPT:
        return whole_texts(old, new)
    pieces: list[Piece] = []
    for kind, start, end, new_start, new_end in matcher.get_opcodes():
        gone, come = "".join(before[start:end]), "".join(after[new_start:new_end])
        if kind == "equal":
            pieces.append(Piece(SAME, come))
            continue
        if gone and pieces and not pieces[-1].text[-1].isspace():
            gone = f" {gone}"
        pieces += [Piece(kind, text) for kind, text in ((GONE, gone), (NEW, come)) if text]
    return tuple(pieces)


def whole_texts(old: str, new: str) -> tuple[Piece, ...]:
    """Return a text that went and one that came, or one that stayed."""
    found = [(SAME, old)] if old == new else [(GONE, old), (NEW, new)]
    return tuple(Piece(kind, text) for kind, text in found if text)


def pairs(before: Sequence[str], after: Sequence[str]) -> int:
    """Return how many pairs of equal words there are, which is what comparing costs."""
    counts = Counter(after)
    return sum(times * counts[word] for word, times in Counter(before).items())
