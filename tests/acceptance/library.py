"""The 27 Canadian statutes become a library; passages and scores are counted again here.

The count knows neither numpy nor `bm25s`: paragraphs, passages, the analyzer's rules and the
formula are written once more, in plain Python. Only Porter's stemmer and the tokenizer's file are
the same.
"""

import math
import re
from collections import Counter
from pathlib import Path
from typing import Any

import Stemmer
from tokenizers import Tokenizer

from embeddings.encoders import OFFLINE_ENCODER, locate
from tests.acceptance.findings import Findings, Juryroom

SIZE, STRIDE, K1, B = 2048, 1024, 0.9, 0.4
STOP_WORDS = (
    "a an and are as at be but by for if in into is it no not of on or such that the their then "
    "there these they this to was will with"
)
STOP = set(STOP_WORDS.split())
# Text of these statutes alone: its words hold letters, digits, apostrophes, and dots or commas
# between digits or letters.
WORD = re.compile(r"[^\W_]+(?:(?:(?<=[^\W\d_])['’.:](?=[^\W\d_])|(?<=\d)['’.,](?=\d))[^\W_]+)*")
QUERIES = (
    "false or misleading representation to the public",
    "hate speech against an identifiable group",
    "Who may advertise on the Internet during an election?",
    "the collection of personal information without a person's consent",
)
TOP = 10
TOLERANCE = 1e-9


def statutes(juryroom: Juryroom, data: Path, findings: Findings) -> None:
    """Load the folder, and compare documents, passages and some searches."""
    folder = data / "legal_docs_canada"
    print("\nThe legal library of 27 statutes")
    juryroom("create_study", "library", "--title", "Library")
    loaded = juryroom("load_library", "library", str(folder), "--jurisdiction", "Canada")
    texts = {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.txt"))}
    findings.check("documents", loaded["documents"], len(texts))
    passages = [passage for text in texts.values() for passage in passages_of(text)]
    findings.check("passages", loaded["passages"], len(passages))
    bags = [Counter(terms(passage)) for passage in passages]
    for query in QUERIES:
        found = juryroom("search_library", "library", query, "--top", str(TOP))["hits"]
        compare(findings, query, found, passages, bags)


def compare(
    findings: Findings,
    query: str,
    found: list[dict[str, Any]],
    passages: list[str],
    bags: list[Counter[str]],
) -> None:
    """Check that hits have the scores of the formula, in order, and that none better is missing."""
    expected = scores(query, bags)
    best = sorted(expected, reverse=True)[:TOP]
    by_text: dict[str, float] = dict(zip(passages, expected, strict=True))
    right = sum(
        abs(hit["score"] - score) < TOLERANCE
        and abs(by_text[" ".join(hit["text"].split())] - score) < TOLERANCE
        for hit, score in zip(found, best, strict=True)
    )
    findings.check(f"hits for “{query[:40]}”", right, TOP)


def scores(query: str, bags: list[Counter[str]]) -> list[float]:
    """Score each passage by the formula of docs/legal-library.md."""
    mean = sum(bag.total() for bag in bags) / len(bags)
    found = [0.0] * len(bags)
    for term in terms(query):
        holding = sum(term in bag for bag in bags)
        rarity = math.log(1 + (len(bags) - holding + 0.5) / (holding + 0.5))
        for number, bag in enumerate(bags):
            if often := bag[term]:
                length = 1 - B + B * bag.total() / mean
                found[number] += rarity * often / (often + K1 * length)
    return found


def terms(text: str) -> list[str]:
    """Return the stems of a text's words."""
    stemmer = Stemmer.Stemmer("porter")
    words = [re.sub(r"['’]s$", "", word.lower()) for word in WORD.findall(text)]
    kept = [word for word in words if word not in STOP]
    return [word if len(word) < 3 else str(stemmer.stemWord(word)) for word in kept]


def passages_of(text: str) -> list[str]:
    """Join paragraphs to passages, each with single spaces."""
    tokenizer = Tokenizer.from_file(str(locate(OFFLINE_ENCODER).folder / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    parts: list[tuple[str, int]] = []
    for paragraph in filter(str.strip, re.split(r"\n\s*\n", text)):
        plain = " ".join(paragraph.split())
        encoded = tokenizer.encode(plain, add_special_tokens=False)
        parts += pieces(plain, encoded.offsets)
    found, first = [], 0
    while first < len(parts):
        last, total = first, 0
        while last < len(parts) and total + parts[last][1] <= SIZE:
            total += parts[last][1]
            last += 1
        found.append(" ".join(part for part, _count in parts[first:last]))
        if last == len(parts):
            break
        before, following = 0, first
        while following == first or (following < last and before + parts[following][1] <= STRIDE):
            before += parts[following][1]
            following += 1
        while sum(count for _part, count in parts[following : last + 1]) > SIZE:
            following += 1
        first = following
    return found


def pieces(paragraph: str, offsets: list[tuple[int, int]]) -> list[tuple[str, int]]:
    """Cut a paragraph that is too long: after a sentence in the second half, else after a word."""
    found = []
    while len(offsets) > SIZE:
        spaces = [
            count
            for count in range(SIZE, SIZE // 2, -1)
            if offsets[count][0] > offsets[count - 1][1]
        ]
        ends = [
            count
            for count in spaces
            if re.search(r"[.;:!?…][\"'”’)\]]*$", paragraph[: offsets[count - 1][1]])
        ]
        count = (ends or spaces or [SIZE])[0]
        found.append((paragraph[offsets[0][0] : offsets[count - 1][1]], count))
        offsets = offsets[count:]
    return [*found, (paragraph[offsets[0][0] :], len(offsets))]
