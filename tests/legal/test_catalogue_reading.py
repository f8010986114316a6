"""Reading a catalogue: what we ship, and a sentence for each thing that is wrong with one."""

import copy
import json
import re

import pytest
import yaml

from legal.catalogues import CANADA
from legal.catalogues.faults import CatalogueFault
from legal.catalogues.reading import plain_name, read_catalogue

CODES = {
    "defamation",
    "freedom_of_expression",
    "cyberbullying",
    "public_mischief",
    "food_and_drugs",
    "data_privacy",
    "competition",
    "election_laws",
    "mental_suffering",
    "hate_speech",
    "intellectual_property",
}
SMALL = {
    "jurisdiction": "Nowhere",
    "language": "en",
    "title": "Law",
    "topics": [
        {
            "code": "t",
            "name": "Topic",
            "issues": [
                {
                    "code": "a",
                    "name": "An issue",
                    "summary": "What it is.",
                    "sources": [{"kind": "statute", "citation": "Act"}],
                    "tests": {
                        "rule": "all",
                        "items": [
                            {
                                "code": "x",
                                "name": "X",
                                "question": "X?",
                                "any": [{"code": "y", "name": "Y", "question": "Y?"}],
                            }
                        ],
                    },
                    "defences": {"rule": "any", "items": []},
                }
            ],
        }
    ],
}


def broken(change) -> bytes:
    given = copy.deepcopy(SMALL)
    change(given, given["topics"][0]["issues"][0])
    return json.dumps(given).encode()


def test_the_shipped_catalogue_has_the_papers_eleven_issues_under_five_headings():
    catalogue = read_catalogue(CANADA.read_bytes())
    issues = [issue for topic in catalogue.topics for issue in topic.issues]
    assert {issue.code for issue in issues} == CODES and len(issues) == 11
    assert [topic.code for topic in catalogue.topics] == [
        "defamation",
        "freedom_of_expression",
        "criminal_laws",
        "consumer_protection",
        "other",
    ]
    assert all(issue.tests for issue in issues)


def test_the_shipped_catalogue_keeps_the_papers_groups():
    issues = {
        issue.code: issue
        for topic in read_catalogue(CANADA.read_bytes()).topics
        for issue in topic.issues
    }
    mischief = issues["public_mischief"].tests
    assert [len(test.parts) for test in mischief] == [0, 4] and mischief[1].rule == "any"
    comment = issues["defamation"].defences[2]
    assert comment.rule == "all" and len(comment.parts) == 4
    assert issues["mental_suffering"].test_rule == "all"
    assert len(issues["mental_suffering"].tests) == 3
    assert not issues["hate_speech"].defences


def test_a_small_catalogue_is_read():
    assert read_catalogue(yaml.safe_dump(SMALL).encode()).topics[0].issues[0].code == "a"


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda top, issue: top.pop("title"), "title is missing"),
        (lambda top, issue: top.update(defence=1), "“defence”, which means nothing"),
        (lambda top, issue: issue.update(defense={}), "“defense”, which means nothing"),
        (lambda top, issue: issue.pop("tests"), "tests must be a mapping"),
        (lambda top, issue: issue.update(code="Not A Code"), "a to z, 0 to 9 and _"),
        (lambda top, issue: issue.update(name=["a"]), "must be a text"),
        (lambda top, issue: issue.update(name="n" * 201), "too long"),
        (lambda top, issue: issue.update(summary="a\0b"), "NUL"),
        (lambda top, issue: issue.update(sources="Act"), "must be a list"),
        (lambda top, issue: issue["sources"][0].update(kind="rumour"), "must be one of"),
        (lambda top, issue: issue["tests"].update(rule="most"), "must be one of: all, any"),
        (lambda top, issue: issue["tests"]["items"][0].update(any=[]), "is empty"),
        (lambda top, issue: issue["tests"]["items"][0].update(all=[]), "both all and any"),
        (
            lambda top, issue: issue["tests"]["items"][0]["any"][0].update(any=[1]),
            "means nothing",
        ),
        (
            lambda top, issue: issue["tests"]["items"].append(
                {"code": "y", "name": "Y", "question": "?"}
            ),
            "“y” twice",
        ),
        (lambda top, issue: top["topics"][0]["issues"].append(copy.deepcopy(issue)), "“a” twice"),
        (lambda top, issue: top.update(topics=[]), "has no issue"),
        (lambda top, issue: top.update(language="English"), "code of a language"),
        (lambda top, issue: top["topics"][0].update(issues=[]), "topic “Topic” has no issue"),
        (lambda top, issue: issue.update(summary="\ud800"), "half a character"),
        (lambda top, issue: issue.update(summary=True), "must be a text"),
        (lambda top, issue: issue["sources"][0].update(url="javascript:alert(1)"), "web page"),
        (lambda top, issue: issue["sources"][0].update(url="https://a b.example"), "web page"),
        (lambda top, issue: issue["sources"].append({"kind": "case", "citation": "Act"}), "twice"),
        (lambda top, issue: top.update(topics=["x"]), "must be a mapping"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(change, sentence):
    with pytest.raises(CatalogueFault) as fault:
        read_catalogue(broken(change))
    assert sentence in str(fault.value)


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        (b"", "must be a mapping"),
        (b"a: [", "not readable as YAML"),
        (b"\xff\xfe\xfa", "not readable as YAML"),
        (b"a: &x [1]\nb: *x", "anchors"),
        (b"!!python/object/apply:os.system ['true']", "not readable as YAML"),
        (b"[" * 100_000, "nested too deeply"),
        (b" " * 300_001, "larger than 300000 bytes"),
        (b'{"title": "a", "title": "b"}', "has the name “title” twice"),
        (b"title: a\ntitle: b", "has the name “title” twice"),
        (b"? [a, b]\n: c", "must be a mapping|not readable"),
        (b'{"title": "\\ud800"}', "missing|half a character"),
    ],
)
def test_hostile_text_is_refused_with_a_sentence(raw, sentence):
    with pytest.raises(CatalogueFault) as fault:
        read_catalogue(raw)
    assert re.search(sentence, str(fault.value))


@pytest.mark.parametrize("name", ["Hate Speech", "hate_speech", " HATE-speech ", "hate  speech!"])
def test_names_are_found_again_whatever_their_case_and_punctuation(name):
    assert plain_name(name) == "hate speech"
