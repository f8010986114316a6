"""The card's sections say what follows from figures, and nothing where nothing does."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from releases.algorithms.card import BY_CODE, SECTIONS, texts_of
from releases.algorithms.card_limits import NONE_KNOWN
from releases.algorithms.markdown import code, inline, table
from tests.releases.algorithms.facts import COUNTS, LOW, PAY, PROTOCOL, RELIABLE, UNKNOWN, facts

CLEAN = facts(ceiling=None)


def said(section, found):
    return BY_CODE[section].prefill(found)


def test_each_section_says_something_and_what_somebody_wrote_goes_before():
    texts = texts_of(facts(), {"pay": "Everybody got a book."})
    assert list(texts) == [one.code for one in SECTIONS] and all(texts.values())
    assert texts["pay"] == "Everybody got a book."
    assert texts["limits"] == said("limits", facts())


def test_the_description_of_the_study_is_what_the_dataset_is():
    assert said("summary", facts(description=" Rumours. \n")) == "Rumours."
    assert "crowd" in said("summary", facts())
    assert "crowd" not in said("summary", facts(stages=("legal",)))


def test_collection_counts_what_was_kept_and_left_out():
    assert "Of 1,000 posts that were imported, 900 were kept" in said("collection", facts())
    assert "known answer" not in said("collection", facts())
    counts = COUNTS | {"released": 850}
    assert "50 of these only served" in said("collection", facts(counts=counts))


def test_annotation_tells_only_of_the_stages_that_are_released():
    both = said("annotation", facts())
    assert "`no_claim`, `checkworthy`" in both and "Canada" in both and "version 3" in both
    assert "versions 1 and 2" in both
    crowd = said("annotation", facts(stages=("crowd",)))
    assert "experts" not in crowd and "Canada" not in crowd
    imported = facts(sources={"crowd": ["imported"], "legal": ["here", "imported"]})
    assert "All of these votes were made elsewhere" in said("annotation", imported)
    assert both.count("Wanted were 3 votes a post.") == 2
    assert said("annotation", imported).count("Wanted were 3 votes a post.") == 1
    assert "Some of these votes" in said("annotation", imported)


def test_agreement_has_its_interval_and_its_meaning_or_a_reason():
    told = said("agreement", facts(agreement={"crowd": RELIABLE, "legal": LOW}))
    assert "0.850 (95% interval 0.800 to 0.900), from 2,700 votes on 900 posts" in told
    assert "reliable" in told and "below 0.667" in told
    assert "no alpha. Nobody voted." in said("agreement", facts(agreement={"crowd": UNKNOWN}))


def test_pay_states_the_median_only_where_the_time_of_enough_people_is_known():
    assert "0.18 USD a vote" in said("pay", facts()) and "14.40 USD" in said("pay", facts())
    for few in (replace(PAY, hourly=None, people=0), replace(PAY, people=4)):
        told = said("pay", facts(pay=few))
        assert "No hourly wage is stated" in told and "14.40" not in told and "None" not in told
    assert "Nobody of the crowd was paid" in said("pay", facts(pay=None))


def test_the_filter_is_told_with_its_settings_or_as_not_run():
    told = said("filter", facts())
    for word in ("500 of 900", "k = 1,000", "3 of 3 trials", "seed 7", "`an/encoder`", "abc"):
        assert word in told
    assert "was not run" in said("filter", facts(run=None))


def test_ethics_are_stated_as_the_study_states_them():
    assert "REB 12-3" in said("ethics", facts()) and "version 2" in said("ethics", facts())
    nothing = said("ethics", facts(protocol=PROTOCOL | {"ethics_number": ""}, consent=None))
    assert "states no ethics approval" in nothing and "no consent text" in nothing


def test_background_is_told_in_groups():
    asked = [
        {"question": "Age?", "answers": [{"answer": "18-30", "people": 9}], "others": None},
        {"question": "Unasked?", "answers": [], "others": 0},
        {"question": "Canada?", "answers": [{"answer": "yes", "people": 12}], "others": 0},
    ]
    told = said("annotators", facts(background=asked))
    assert "Age?: 18-30 9, some gave other answers" in told
    assert "Canada?: yes 12" in told and "other answers 0" not in told
    assert "Unasked" not in told
    assert "Nothing is stated about age" in said("annotators", facts())


def test_people_behind_counts_are_not_invented():
    told = said("annotators", facts(agreement={"crowd": UNKNOWN, "legal": RELIABLE}))
    assert "How many people voted with the crowd is not known. 30 people voted as experts." in told


LIMITS = [
    ({"open_tasks": {"crowd": 3, "legal": 0}}, "3 posts of the crowd still wanted votes"),
    ({"agreement": {"crowd": LOW}}, "Agreement of the crowd is low (alpha 0.300)"),
    ({"agreement": {"legal": UNKNOWN}}, "the experts agree is not known: Nobody voted."),
    ({"counts": COUNTS | {"crowd_ties": 90}}, "On 90 posts of 900 no answer of the crowd leads"),
    ({"counts": COUNTS | {"verdict_ties": 40}}, "On 40 posts of 400 no answer of the experts"),
    ({"counts": COUNTS | {"verdicts": 99}}, "Only 99 posts have a verdict"),
    (
        {"counts": COUNTS | {"unanswered": 1}},
        "Without a vote of the experts that had them: 1 post.",
    ),
    ({"ceiling": facts().ceiling}, "mean macro F1 of 71.3"),
    ({"ceiling": replace(facts().ceiling, ma_f1=None)}, "No human ceiling can be stated"),
    ({"texts": "ids"}, "fetched anew"),
    ({"protocol": PROTOCOL | {"non_ascii": "drop"}}, "characters were dropped"),
]


@pytest.mark.parametrize(("change", "sentence"), LIMITS)
def test_a_limit_is_told_where_it_follows_and_only_there(change, sentence):
    assert said("limits", CLEAN) == NONE_KNOWN
    assert sentence in said("limits", replace(CLEAN, **change))


@pytest.mark.parametrize(
    ("stage", "change"),
    [
        ("crowd", {"open_tasks": {"crowd": 3}}),
        ("crowd", {"counts": COUNTS | {"crowd_ties": 90}}),
        ("legal", {"counts": COUNTS | {"verdict_ties": 40, "verdicts": 99, "unanswered": 1}}),
        ("legal", {"ceiling": facts().ceiling}),
    ],
)
def test_a_limit_of_a_stage_that_is_left_out_is_not_told(stage, change):
    other = "legal" if stage == "crowd" else "crowd"
    found = replace(CLEAN, **change)
    assert said("limits", replace(found, stages=(stage,))) != NONE_KNOWN
    assert said("limits", replace(found, stages=(other,))) == NONE_KNOWN


def test_a_label_that_dominates_is_a_bias():
    assert "dominates" not in said("biases", facts())
    found = facts(verdicts={"mislc": 5, "unclear": 5, "non_mislc": 90})
    assert "One label dominates: Non-MisLC on 90% of the posts" in said("biases", found)
    assert "Non-MisLC" not in said("biases", replace(found, stages=("crowd",)))
    crowd = facts(crowd_labels={"a": 1, "b": 9})
    assert "One label dominates: b on 90%" in said("biases", crowd)


def html(text):
    return MarkdownIt("commonmark", {"html": True}).enable("table").render(text)


@given(st.text())
def test_words_stay_words_in_a_line_and_in_a_table(text):
    rendered = html(f"x{inline(text)}x")
    assert rendered.startswith("<p>x") and rendered.count("<") == 2, rendered
    rows = table(["a", "b"], [[inline(text) or "x", "last"]])
    assert html(rows).count("<td>") == 2 and "<td>last</td>" in html(rows)


@given(st.text("`|a \n\\"))
def test_code_stays_code_in_a_table(text):
    rendered = html(table(["a", "b"], [[code(text) if text.strip() else "x", "last"]]))
    assert rendered.count("<td>") == 2 and "<td>last</td>" in rendered
