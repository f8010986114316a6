"""BM25 of Lucene's kind on Lucene's analyzer, held to the formula in double precision."""

import math
import subprocess
import sys
from collections import Counter

import bm25s
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from legal.algorithms import bm25
from legal.algorithms.analysis import STOP_WORDS, distinct_terms, query_terms, terms, words
from legal.algorithms.bm25 import Formula, NothingToIndex
from legal.algorithms.excerpts import MOST_CHARACTERS, excerpt
from legal.algorithms.headings import Place

HARBOUR = [
    "No person shall close the harbour of Port Alder by a false notice.",
    "The mayor's notice closes the harbours. A notice, a notice!",
    "Elections are held in October.",
    "Publishing false news about an election is an offence.",
]


def by_the_formula(texts, query, k1=0.9, b=0.4):
    """Score each text by the formula as it stands in docs/legal-library.md, word by word."""
    lists = [terms(text) for text in texts]
    mean = sum(map(len, lists)) / len(lists)
    scores = []
    for words_of_text in lists:
        score = 0.0
        for term in terms(query):
            holding = sum(term in other for other in lists)
            if term in words_of_text:
                idf = math.log(1 + (len(lists) - holding + 0.5) / (holding + 0.5))
                often = words_of_text.count(term)
                length = 1 - b + b * len(words_of_text) / mean
                score += idf * often / (often + k1 * length)
        scores.append(score)
    return scores


def index_of(folder, texts, **constants):
    pairs = ((100 + number, terms(text)) for number, text in enumerate(texts))
    bm25.build(pairs, Formula(**constants), folder)
    return bm25.load(folder)


@pytest.mark.parametrize("constants", [{}, {"k1": 1.2, "b": 0.75}, {"k1": 0.0, "b": 0.0}])
@pytest.mark.parametrize("query", ["false notice", "harbour", "notice notice election", "nothing"])
def test_scores_are_those_of_the_formula(tmp_path, query, constants):
    index = index_of(tmp_path, HARBOUR, **constants)
    expected = by_the_formula(HARBOUR, query, **constants)
    np.testing.assert_allclose(index.scores(terms(query)), expected, rtol=1e-12, atol=0)


WORDS = ["law", "election", "harbour", "false", "notice", "mayor", "running", "ran", "x1"]
vocabulary = st.sampled_from(WORDS)
sentences = st.lists(vocabulary, max_size=12).map(" ".join)


@settings(max_examples=60, deadline=None)
@given(st.lists(sentences, min_size=1, max_size=12), sentences)
def test_scores_are_those_of_the_formula_for_any_words(tmp_path_factory, texts, query):
    folder = tmp_path_factory.mktemp("index")
    if not any(map(terms, texts)):
        with pytest.raises(NothingToIndex):
            index_of(folder, texts)
        return
    found = index_of(folder, texts).scores(terms(query))
    np.testing.assert_allclose(found, by_the_formula(texts, query), rtol=1e-12, atol=0)


def test_reading_the_files_gives_what_the_library_that_wrote_them_gives(tmp_path):
    index = index_of(tmp_path, HARBOUR)
    query = terms("false notice of the harbour notice")
    theirs = bm25s.BM25.load(tmp_path).get_scores(query)
    np.testing.assert_allclose(index.scores(query), theirs, rtol=1e-15)


def test_the_best_come_first_equals_in_order_and_none_without_a_word(tmp_path):
    index = index_of(tmp_path, ["harbour law", "harbour law", "law", "harbour law", "mayor"])
    assert [found for found, _score in index.best(terms("harbour"), 2)] == [100, 101]
    assert [found for found, _score in index.best(terms("harbour law"), 9)] == [100, 101, 103, 102]
    assert index.best(terms("zebra"), 3) == index.best([], 3) == []


def test_an_index_is_mapped_not_read(tmp_path):
    index = index_of(tmp_path, HARBOUR)
    assert isinstance(index.weights, np.memmap) and isinstance(index.rows, np.memmap)


def test_passages_without_a_word_are_refused(tmp_path):
    with pytest.raises(NothingToIndex):
        index_of(tmp_path, ["the of and", "…"])


def test_searching_imports_neither_bm25s_nor_scipy(tmp_path):
    index_of(tmp_path, HARBOUR)
    script = (
        "import sys; from pathlib import Path; from legal.algorithms import bm25, analysis; "
        f"i = bm25.load(Path({str(tmp_path)!r})); i.best(analysis.terms('a harbour'), 3); "
        "print(sorted({'bm25s', 'scipy', 'numba', 'jax', 'tokenizers'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr


def test_there_are_the_33_stop_words_of_lucene():
    assert len(STOP_WORDS) == 33
    assert terms("The and OF with") == []
    assert terms("who could") == ["who", "could"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Misrepresentations", ["misrepresent"]),
        ("mayor's MAYOR’S mayors", ["mayor"] * 3),
        ("don't U.S.A. 1,000.5 325.1(2)", ["don't", "u.s.a", "1,000.5", "325.1", "2"]),
        ("Internet/e-mail", ["internet", "e", "mail"]),
        ("ss. 3 and s. 4 bind us", ["ss", "3", "s", "4", "bind", "us"]),
        ("élection", ["élection"]),
    ],
)
def test_words_are_cut_and_stemmed_as_lucene_does(text, expected):
    assert terms(text) == expected


def test_a_query_with_parted_accents_finds_composed_ones():
    assert query_terms("e\u0301lection") == terms("élection")


@given(st.text(max_size=200))
def test_any_text_has_terms_with_places(text):
    found = list(words(text))
    assert [word.term for word in found] == terms(text)
    assert {word.term for word in found} == distinct_terms(text)
    assert all(text[word.start : word.end] for word in found)
    assert Counter(terms(text)).keys() == distinct_terms(text)


PASSAGE = "PART I\n\n[Closing] 4 (1) No harbour.\n\n[False notice] 5 A false notice of the harbour."


def test_an_excerpt_is_the_paragraph_with_most_of_the_words_marked_in_its_section():
    found = excerpt(PASSAGE, terms("false notices of harbours"), Place("BEFORE", "3"))
    assert found.place == Place("PART I", "5 False notice")
    marked = [piece.text for piece in found.pieces if piece.is_marked]
    assert marked == ["False", "notice", "false", "notice", "harbour"]
    text = "".join(piece.text for piece in found.pieces)
    assert text == PASSAGE[found.start : found.end]
    assert text.startswith("[False notice] 5")


def test_a_long_paragraph_is_cut_to_where_its_first_word_stands():
    found = excerpt("word " * 400 + "harbour " + "word " * 400, ["harbour"], Place())
    assert found.is_cut_before and found.is_cut_after
    assert found.end - found.start <= MOST_CHARACTERS
    assert [piece.text for piece in found.pieces if piece.is_marked] == ["harbour"]


@given(st.text(max_size=900), st.text(max_size=20))
def test_an_excerpt_is_a_part_of_its_passage_whatever_it_holds(text, query):
    found = excerpt(text, terms(query), Place())
    assert "".join(piece.text for piece in found.pieces) == text[found.start : found.end]
