"""The catalogue that we ship says what Table 11 of the MisLC paper says, in our own words."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from legal.catalogues.texts import CriterionText, IssueText
from legal.services.catalogues import shipped_catalogue

CATALOGUE = shipped_catalogue()
ISSUES: dict[str, IssueText] = {
    issue.code: issue for topic in CATALOGUE.topics for issue in topic.issues
}
PAPER = Path(settings.BASE_DIR).parent / "shared" / "seeds" / "mislc.txt"
LONGEST_RUN = 9


def names(criteria: tuple[CriterionText, ...]) -> list[str]:
    return [one.name for one in criteria]


def texts(issue: IssueText) -> Iterator[str]:
    yield issue.summary
    yield issue.positive_example
    yield issue.negative_example
    for one in issue.tests + issue.defences:
        yield from (one.question, *(part.question for part in one.parts))


def said(code: str) -> str:
    return " ".join(texts(ISSUES[code])).lower()


def test_four_broader_topics_and_the_rest_under_other():
    under = {topic.name: names(topic.issues) for topic in CATALOGUE.topics}
    assert under == {
        "Defamation": ["Defamation"],
        "Freedom of Expression": ["Freedom of Expression"],
        "Criminal Laws": ["Cyberbullying", "Public Mischief"],
        "Consumer Protection Laws": [
            "Food and Drugs Act",
            "Data Privacy",
            "Federal Competition Act",
        ],
        "Other": [
            "Election Laws",
            "Intentional Infliction of Mental Suffering",
            "Hate Speech",
            "Intellectual Property",
        ],
    }


def test_food_and_drugs_and_data_privacy_have_their_own_texts_which_the_paper_exchanged():
    assert "health canada" in said("food_and_drugs") and "food" in said("food_and_drugs")
    assert "consent" not in said("food_and_drugs") and "private" not in said("food_and_drugs")
    assert "consent" in said("data_privacy") and "private" in said("data_privacy")
    assert "health" not in said("data_privacy") and "food" not in said("data_privacy")
    sections = [source.section for source in ISSUES["food_and_drugs"].sources]
    assert "Table 11, where this text stands beside Data Privacy" in sections


def test_public_mischief_takes_the_intent_to_mislead_and_any_of_four_limbs():
    mischief = ISSUES["public_mischief"]
    intent, lead = mischief.tests
    assert mischief.test_rule == "all" and not intent.rule and "mean to deceive" in intent.question
    assert lead.rule == "any"
    assert [part.code for part in lead.parts] == [
        "false_accusation",
        "false_suspicion",
        "invented_offence",
        "invented_death",
    ]
    assert any("s. 140" in source.section for source in mischief.sources)


def test_defamation_takes_harm_and_publication_and_has_three_defences_any_of_which_serves():
    defamation = ISSUES["defamation"]
    assert (defamation.test_rule, len(defamation.tests)) == ("all", 2)
    assert defamation.defence_rule == "any"
    assert names(defamation.defences) == [
        "Qualified privilege",
        "Responsible communication",
        "Fair comment",
    ]


def test_fair_comment_takes_all_four_parts():
    comment = ISSUES["defamation"].defences[2]
    assert (comment.rule, names(comment.parts)) == (
        "all",
        ["Public interest", "Rests on facts", "Recognisable as comment", "Could be honestly held"],
    )


def test_freedom_of_expression_takes_meaning_and_restriction_by_purpose_or_effect():
    freedom = ISSUES["freedom_of_expression"]
    meaning, restriction = freedom.tests
    assert freedom.test_rule == "all" and "parking a car" in meaning.question
    assert (restriction.rule, len(restriction.parts)) == ("any", 2)
    assert freedom.defence_rule == "any"
    assert names(freedom.defences) == ["Truth can be shown", "No intent to mislead"]


def test_mental_suffering_takes_all_three_and_the_words_need_not_be_false():
    suffering = ISSUES["mental_suffering"]
    assert (suffering.test_rule, names(suffering.tests)) == (
        "all",
        ["Extreme act", "Aimed at harm", "Injury"],
    )
    assert "need not be false" in suffering.summary


def test_most_issues_have_no_defence():
    assert [code for code, issue in ISSUES.items() if issue.defences] == [
        "defamation",
        "freedom_of_expression",
    ]


@pytest.mark.parametrize(
    ("code", "rule", "words"),
    [
        ("cyberbullying", "all", ["false or inaccurate", "harass"]),
        ("competition", "all", ["general impression", "buy or use", "criminal", "advertising"]),
        ("election_laws", "any", ["election period", "affect the result", "advertising"]),
        ("hate_speech", "all", ["group", "society"]),
        (
            "intellectual_property",
            "any",
            ["competitor", "mislead the public", "how good", "place", "made"],
        ),
    ],
)
def test_the_other_rows_of_the_table_are_there(code, rule, words):
    assert ISSUES[code].test_rule == rule
    assert [word for word in words if word not in said(code)] == []


def test_an_election_statement_takes_candidate_period_and_intention():
    statement, _hidden = ISSUES["election_laws"].tests
    assert (statement.rule, len(statement.parts)) == ("all", 3)


def test_each_issue_names_the_table_and_has_both_examples():
    for issue in ISSUES.values():
        assert issue.positive_example and issue.negative_example, issue.code
        assert any("Table 11" in source.section for source in issue.sources), issue.code


def words_of(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def runs(words: list[str]) -> set[tuple[str, ...]]:
    return {tuple(words[at : at + LONGEST_RUN]) for at in range(len(words) - LONGEST_RUN + 1)}


@pytest.mark.skipif(not PAPER.exists(), reason="the paper is not beside the tree")
def test_nothing_is_copied_from_the_paper():
    paper = runs(words_of(PAPER.read_text(encoding="utf-8")))
    for issue in ISSUES.values():
        assert runs(words_of(" ".join(texts(issue)))) & paper == set(), issue.code
