"""Three-valued logic over tests and defences, and the label that follows from all that was said."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from legal.algorithms import Finding, Group, IssueRules, Leaf, contradiction, derived_label
from legal.algorithms.logic import combined, finding_of

PASSES, FAILS, OPEN = Finding.PASSES, Finding.FAILS, Finding.CANNOT_TELL
findings = st.lists(st.sampled_from(list(Finding)), min_size=1, max_size=6)
NOT = {PASSES: FAILS, FAILS: PASSES, OPEN: OPEN}


@pytest.mark.parametrize(
    ("rule", "parts", "result"),
    [
        ("all", [PASSES, PASSES], PASSES),
        ("all", [PASSES, OPEN], OPEN),
        ("all", [FAILS, OPEN], FAILS),
        ("all", [], OPEN),
        ("any", [FAILS, FAILS], FAILS),
        ("any", [FAILS, OPEN], OPEN),
        ("any", [PASSES, OPEN], PASSES),
        ("any", [], OPEN),
    ],
)
def test_all_and_any_combine_as_kleene_has_them(rule, parts, result):
    assert combined(rule, parts) is result


@given(findings)
def test_any_is_all_of_the_opposites(parts):
    assert combined("any", parts) is NOT[combined("all", [NOT[one] for one in parts])]


@given(findings)
def test_an_open_question_leaves_whatever_its_answer_could_not_change(parts):
    """A decided result holds however the open questions are answered later."""
    for rule in ("all", "any"):
        result = combined(rule, parts)
        ways = product(*([PASSES, FAILS] if one is OPEN else [one] for one in parts))
        later = {combined(rule, way) for way in ways}
        assert later == {result} if result is not OPEN else later == {PASSES, FAILS}


LIMBS = Group("any", (Leaf("a"), Leaf("b"), Leaf("c"), Leaf("d")))
MISCHIEF = IssueRules(Group("all", (Leaf("intent"), LIMBS)), Group("any", ()))
COMMENT = Group("all", (Leaf("w"), Leaf("x"), Leaf("y"), Leaf("z")))
DEFAMATION = IssueRules(
    Group("all", (Leaf("nature"), Leaf("publication"))), Group("any", (Leaf("privilege"), COMMENT))
)


@pytest.mark.parametrize(
    ("rules", "answers", "against"),
    [
        (MISCHIEF, {}, ""),
        (MISCHIEF, {"intent": PASSES, "a": FAILS, "b": FAILS, "c": FAILS}, ""),
        (MISCHIEF, {"a": FAILS, "b": FAILS, "c": FAILS, "d": FAILS}, "tests"),
        (MISCHIEF, {"intent": FAILS, "a": PASSES}, "tests"),
        (MISCHIEF, {"intent": PASSES, "d": PASSES}, ""),
        (DEFAMATION, {"w": PASSES, "x": PASSES, "y": PASSES}, ""),
        (DEFAMATION, dict.fromkeys("wxyz", PASSES), "defences"),
        (DEFAMATION, {"privilege": PASSES}, "defences"),
        (DEFAMATION, {"privilege": FAILS, "w": FAILS}, ""),
        (DEFAMATION, {"nature": FAILS, "privilege": PASSES}, "tests"),
    ],
)
def test_failed_tests_or_a_defence_that_holds_speak_against_an_issue(rules, answers, against):
    assert contradiction(rules, answers) == against


def test_a_group_within_a_group_is_found_from_its_parts():
    assert finding_of(MISCHIEF.tests, {"intent": PASSES, "c": PASSES}) is PASSES
    assert finding_of(MISCHIEF.tests, {"intent": PASSES, "c": OPEN}) is OPEN


@pytest.mark.parametrize(
    ("has_evidence", "raises_issue", "no_claim", "label"),
    [
        (True, True, False, "yes"),
        (True, False, False, "no"),
        (False, True, False, "unclear"),
        (False, False, False, "unclear"),
        (False, False, True, "no"),
        (True, False, True, "no"),
        (True, True, True, "no"),
    ],
)
def test_the_label_follows_from_evidence_and_issues_and_no_claim_goes_before(
    has_evidence, raises_issue, no_claim, label
):
    found = derived_label(has_evidence=has_evidence, raises_issue=raises_issue, no_claim=no_claim)
    assert found == label
