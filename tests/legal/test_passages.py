"""Text into paragraphs, paragraphs into passages: whole, in order, short enough, overlapping."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embeddings.encoders import OFFLINE_ENCODER, locate
from legal.algorithms.headings import Place, following, heading_of, section_of
from legal.algorithms.passages import Cutting, CuttingRefused, Span, paragraphs, passages
from legal.algorithms.tokens import FileTokenizer

WORD = re.compile(r"\w+|[^\w\s]")


def by_words(texts):
    """Count words and signs."""
    return [[found.span() for found in WORD.finditer(text)] for text in texts]


def words_in_paragraphs(*counts):
    number = iter(range(10**6))
    return "\n\n".join(" ".join(f"w{next(number)}" for _ in range(count)) for count in counts)


paragraph = st.lists(
    st.sampled_from(["law", "the", "harbour.", "é", "😀", "x" * 30, "(a)", "end;"]),
    min_size=1,
    max_size=60,
).map(" ".join)
texts = st.lists(paragraph, max_size=25).map("\n\n".join)
cuttings = st.builds(Cutting, st.integers(16, 80), st.sampled_from([0, 0.25, 0.5, 0.75]))


def test_paragraphs_are_parted_by_empty_lines_and_stand_without_the_space_around_them():
    text = "\n  One\nstill one \n \t\n\n Two\n\n\n"
    assert [text[one.start : one.end] for one in paragraphs(text)] == ["One\nstill one", "Two"]
    assert paragraphs(" \n\n ") == []


def test_passages_overlap_by_half_where_paragraphs_allow_it():
    found = passages(words_in_paragraphs(*[8] * 10), Cutting(32, 0.5), by_words)
    assert [one.tokens for one in found] == [32, 32, 32, 32]
    text = words_in_paragraphs(*[8] * 10)
    firsts = [text[one.start :].split()[0] for one in found]
    assert firsts == ["w0", "w16", "w32", "w48"]


def test_a_short_text_is_one_passage_and_no_text_none():
    assert passages("a b c", Cutting(), by_words) == [Span(0, 5, 3)]
    assert passages("", Cutting(), by_words) == []


def test_a_paragraph_that_is_too_long_is_cut_after_a_sentence():
    text = "one " * 10 + "ends. " + "two " * 10
    first, second = passages(text, Cutting(16, 0), by_words)
    assert text[first.start : first.end].endswith("ends.")
    assert text[second.start : second.end].startswith("two")


def test_without_overlap_nothing_is_in_two_passages():
    found = passages(words_in_paragraphs(*[10] * 9), Cutting(32, 0), by_words)
    assert [one.tokens for one in found] == [30, 30, 30]
    assert all(one.end < two.start for one, two in pairwise(found))


@pytest.mark.parametrize(("size", "overlap"), [(15, 0.5), (2048, -0.1), (2048, 0.95)])
def test_sizes_without_a_meaning_are_refused(size, overlap):
    with pytest.raises(CuttingRefused):
        Cutting(size, overlap)


@given(texts, cuttings)
def test_every_word_is_in_a_passage_and_none_is_longer_than_the_size(text, cutting):
    found = passages(text, cutting, by_words)
    assert all(0 < one.tokens <= cutting.size for one in found)
    assert all(len(by_words([text[one.start : one.end]])[0]) == one.tokens for one in found)
    for word in WORD.finditer(text):
        assert any(one.start <= word.start() and word.end() <= one.end for one in found)


@given(texts, cuttings)
def test_passages_are_in_order_and_none_lies_within_its_neighbour(text, cutting):
    found = passages(text, cutting, by_words)
    for one, two in pairwise(found):
        assert one.start < two.start
        assert one.end < two.end


short = st.lists(st.integers(1, 15), max_size=40).map(lambda counts: words_in_paragraphs(*counts))


@given(short, cuttings)
def test_a_passage_begins_within_the_stride_unless_it_would_hold_nothing_new(text, cutting):
    found = passages(text, cutting, by_words)
    starts = [span.start for span in paragraphs(text)]
    ends = [span.end for span in paragraphs(text)]
    for one, two in pairwise(found):
        before = len(by_words([text[one.start : two.start]])[0])
        new = next(end for end in ends if end > one.end)
        earlier = max(start for start in starts if start < two.start)
        assert before <= cutting.stride or len(by_words([text[earlier:new]])[0]) > cutting.size
        later = next((start for start in starts if start > two.start), len(text))
        assert later > one.end or len(by_words([text[one.start : later]])[0]) > cutting.stride - 15


def test_tokens_are_those_of_the_tokenizer_without_its_limit():
    tokenizer = FileTokenizer(locate(OFFLINE_ENCODER).folder / "tokenizer.json")
    text = "Misinformation 😀 about harbours. " * 200
    (offsets,) = tokenizer([text])
    assert len(offsets) > 512
    assert text[slice(*offsets[0])] == "Mis"
    last = offsets[-1]
    assert text[slice(*last)] == "."


def test_tokens_of_paragraphs_add_up_to_those_of_the_text():
    tokenizer = FileTokenizer(locate(OFFLINE_ENCODER).folder / "tokenizer.json")
    parts = ["No person shall publish.", "(a) knowingly; or", "«Ça», dit-il"]
    assert sum(map(len, tokenizer(parts))) == len(tokenizer(["\n\n".join(parts)])[0])


@pytest.mark.parametrize(
    ("paragraph", "heading"),
    [
        ("PURPOSE OF ACT", "PURPOSE OF ACT"),
        ("## Part II ##", "Part II"),
        ("— 1997, C. 6, S. 44(2)", ""),
        ("An ordinary sentence.", ""),
        ("12", ""),
        ("A" * 400, ""),
    ],
)
def test_a_heading_is_in_capitals_or_marked(paragraph, heading):
    assert heading_of(paragraph) == heading


@pytest.mark.parametrize(
    ("paragraph", "section"),
    [
        ("[Short title] 1 This Act may be cited.", "1 Short title"),
        ("[Offence] (2) Everybody who", ""),
        ("325.1 (1) This section", "325.1"),
        ("54 For greater certainty", "54"),
        ("Section 12 applies", "12"),
        ("Art. 5 Chiunque", "5"),
        ("2022 was a year", ""),
        ("The Minister may", ""),
    ],
)
def test_a_section_is_known_by_its_number_at_the_beginning(paragraph, section):
    assert section_of(paragraph) == section


def test_a_heading_ends_the_section_before_it():
    place = following(Place("PART I", "4 Appeal"), "PART II")
    assert place == Place("PART II", "")
    assert following(place, "Some words.") == place
