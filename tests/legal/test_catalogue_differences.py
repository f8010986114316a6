"""What changed between two catalogues: everything that did, nothing else, to the word."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from legal.catalogues.differences import GONE, NEW, SAME, Piece, changes_between, words_changed
from legal.catalogues.parsing import MOST_BYTES
from legal.catalogues.reading import read_catalogue
from legal.catalogues.texts import (
    RULES,
    SOURCE_KINDS,
    CatalogueText,
    CriterionText,
    IssueText,
    SourceText,
    TopicText,
)
from legal.catalogues.writing import as_json, as_yaml
from legal.services.catalogues import shipped_catalogue

SIGNS = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
TEXTS = st.text(SIGNS, max_size=60).map(str.strip)
SOME_TEXT = TEXTS.filter(bool)
CODES = st.from_regex(r"[a-z][a-z0-9_]{0,5}", fullmatch=True)


@st.composite
def criteria(draw: st.DrawFn, codes: list[str], *, may_nest: bool) -> tuple[CriterionText, ...]:
    made = []
    for _number in range(draw(st.integers(0, 3))):
        parts: tuple[CriterionText, ...] = ()
        if may_nest and draw(st.booleans()):
            parts = draw(criteria(codes, may_nest=False))
        rule = draw(st.sampled_from(RULES)) if parts else ""
        made.append(CriterionText(codes.pop(), draw(SOME_TEXT), draw(SOME_TEXT), rule, parts))
    return tuple(made)


@st.composite
def issues(draw: st.DrawFn, code: str) -> IssueText:
    codes = draw(st.lists(CODES, min_size=24, max_size=24, unique=True))
    sources = draw(
        st.lists(
            st.builds(
                SourceText,
                st.sampled_from(SOURCE_KINDS),
                SOME_TEXT,
                TEXTS,
                st.sampled_from(["", "https://law.example/a?b=1#c"]),
            ),
            max_size=2,
            unique_by=lambda source: source.cited,
        )
    )
    return IssueText(
        code=code,
        name=code,
        summary=draw(SOME_TEXT),
        sources=tuple(sources),
        test_rule=draw(st.sampled_from(RULES)),
        tests=draw(criteria(codes, may_nest=True)),
        defence_rule=draw(st.sampled_from(RULES)),
        defences=draw(criteria(codes, may_nest=True)),
        positive_example=draw(TEXTS),
        negative_example=draw(TEXTS),
    )


@st.composite
def catalogues(draw: st.DrawFn) -> CatalogueText:
    codes = draw(
        st.lists(CODES, min_size=1, max_size=3, unique_by=lambda code: code.replace("_", ""))
    )
    made = tuple(draw(issues(code)) for code in codes)
    cut = draw(st.integers(1, len(made)))
    topics = [TopicText("one", draw(SOME_TEXT), made[:cut])]
    if made[cut:]:
        topics.append(TopicText("two", draw(SOME_TEXT), made[cut:]))
    return CatalogueText(
        title=draw(SOME_TEXT),
        jurisdiction=draw(SOME_TEXT),
        language=draw(st.sampled_from(["en", "no", "fr-CA"])),
        note=draw(TEXTS),
        topics=tuple(topics),
    )


@settings(max_examples=60)
@given(catalogues())
def test_what_is_written_reads_as_the_same_catalogue(text):
    assert read_catalogue(as_yaml(text).encode()) == text
    assert read_catalogue(as_json(text).encode()) == text


@settings(max_examples=60)
@given(catalogues(), catalogues())
def test_a_difference_is_found_where_there_is_one_and_only_there(old, new):
    assert bool(changes_between(old, new)) == (old != new)
    assert not changes_between(old, old)


WORDS = st.lists(st.sampled_from(["a", "b", "law", "post.", "é", "😀"]), max_size=12).map(" ".join)


@given(WORDS, WORDS)
def test_pieces_put_together_are_both_texts_to_the_character(old, new):
    pieces = words_changed(old, new)
    assert "".join(piece.text for piece in pieces if piece.kind != GONE) == new
    was = "".join(piece.text for piece in pieces if piece.kind != NEW)
    assert was.split() == old.split()


@given(st.text(max_size=50))
def test_the_same_text_has_no_marks(text):
    assert all(piece.kind == SAME for piece in words_changed(text, text))


def test_single_words_are_marked_and_unlike_texts_stand_whole():
    assert words_changed("tells a lie", "tells a fib") == (
        Piece(SAME, "tells a "),
        Piece(GONE, "lie"),
        Piece(NEW, "fib"),
    )
    assert words_changed("one two", "three four") == (
        Piece(GONE, "one two"),
        Piece(NEW, "three four"),
    )


def test_long_texts_of_few_words_are_compared_without_end():
    assert len(words_changed("a b " * 2_500, "b a a " * 1_600)) == 2


SHIPPED = shipped_catalogue()
DEFAMATION = SHIPPED.topics[0].issues[0]


def with_defamation(**changes) -> CatalogueText:
    issue = replace(DEFAMATION, **changes)
    topic = replace(SHIPPED.topics[0], issues=(issue,))
    return replace(SHIPPED, topics=(topic, *SHIPPED.topics[1:]))


def test_issues_that_came_went_and_moved_are_told_apart():
    without = replace(SHIPPED, topics=SHIPPED.topics[1:])
    changes = changes_between(SHIPPED, without)
    assert [(one.kind, one.code) for one in changes.issues] == [("removed", "defamation")]
    assert [(one.kind, one.name) for one in changes.topics] == [("removed", "Defamation")]
    back = changes_between(without, SHIPPED)
    assert [(one.kind, one.topic) for one in back.issues] == [("added", "Defamation")]
    other = SHIPPED.topics[-1]
    moved = replace(
        SHIPPED,
        topics=(*SHIPPED.topics[1:-1], replace(other, issues=(*other.issues, DEFAMATION))),
    )
    (change,) = changes_between(SHIPPED, moved).issues
    assert (change.kind, change.topic_before, change.topic) == ("changed", "Defamation", "Other")


def test_a_test_that_came_one_that_reads_otherwise_and_one_that_went_are_told_apart():
    harm, publication = DEFAMATION.tests
    read_otherwise = replace(harm, question=harm.question.replace("less", "little"))
    added = CriterionText("named", "Named", "Is somebody named?")
    changes = changes_between(SHIPPED, with_defamation(tests=(read_otherwise, added)))
    items = [(item.what, item.kind, item.name) for item in changes.issues[0].items]
    assert items == [
        ("test", "changed", harm.name),
        ("test", "added", "Named"),
        ("test", "removed", publication.name),
    ]
    pieces = changes.issues[0].items[0].wordings[0].pieces
    assert [piece.text.strip() for piece in pieces if piece.kind != SAME] == ["less", "little"]


def test_a_group_that_went_is_told_once_and_not_part_by_part():
    changes = changes_between(SHIPPED, with_defamation(defences=DEFAMATION.defences[:2]))
    assert [item.name for item in changes.issues[0].items] == ["Fair comment"]
    comment = DEFAMATION.defences[2]
    smaller = (*DEFAMATION.defences[:2], replace(comment, parts=comment.parts[1:]))
    changes = changes_between(SHIPPED, with_defamation(defences=smaller))
    assert [item.name for item in changes.issues[0].items] == ["Fair comment: Public interest"]


def test_rules_groups_sources_and_order_count_as_changes():
    privilege, responsible, comment = DEFAMATION.defences
    loose = replace(comment, rule="any", parts=comment.parts[:3])
    moved = replace(responsible, rule="all", parts=comment.parts[3:])
    (source, *others) = DEFAMATION.sources
    changes = changes_between(
        SHIPPED,
        with_defamation(
            test_rule="any",
            defences=(loose, moved, privilege),
            sources=(*others, replace(source, url="https://arxiv.org/")),
        ),
    )
    (issue,) = changes.issues
    assert [one.field for one in issue.wordings] == ["test_rule"] and issue.reordered
    assert {(item.what, *[one.field for one in item.wordings]) for item in issue.items} == {
        ("defence", "rule"),
        ("defence", "group"),
        ("source", "url"),
    }


@pytest.mark.parametrize("write", [as_yaml, as_json])
def test_the_largest_catalogue_that_is_taken_is_read_in_moments(write):
    topic = SHIPPED.topics[0]
    many = tuple(replace(DEFAMATION, code=f"i{n}", name=f"Issue {n}") for n in range(70))
    text = replace(SHIPPED, topics=(replace(topic, issues=many),))
    raw = write(text).encode()
    assert len(raw) < MOST_BYTES
    assert read_catalogue(raw) == text
