"""The expert's form in a real browser: keys, refusals that cost nothing, drafts, the next post."""

import pytest

WORK = "/studies/labelling/legal/work/"


@pytest.mark.parametrize(("username", "phone"), [("mind-12", True), ("mind-13", False)])
def test_a_refused_answer_stays_whole_and_goes_through_once_it_is_mended(
    username, phone, filled, open_page
):
    page = open_page(username, WORK, phone=phone)
    page.locator("h1").first.focus()
    page.keyboard.press("1")
    page.get_by_label("It makes no factual claim").check()
    page.get_by_label("Hate Speech").first.check()
    page.get_by_label("Evidence 1: address").fill("https://news.example/a")
    page.get_by_label("Evidence 2: address").fill("javascript:alert(1)")
    page.get_by_label("Comment").fill("Typed at the last moment")
    page.keyboard.press("Control+Enter")
    errors = page.locator(".alert-error")
    errors.wait_for()
    assert "there is a claim" in errors.inner_text() and "Evidence 2" in errors.inner_text()
    assert page.get_by_label("Unclear").is_visible()
    page.reload()
    assert page.get_by_label("Comment").input_value() == "Typed at the last moment"
    assert page.get_by_label("Hate Speech").first.is_checked()
    page.get_by_label("It makes no factual claim").uncheck()
    page.get_by_label("Evidence 2: address").fill("")
    page.get_by_label("Evidence 1: address").press("Control+Enter")
    page.get_by_role("heading", name="Post 2 of").wait_for()
    assert page.evaluate("document.activeElement.id") == "post-heading"
    assert page.evaluate("Object.keys(localStorage).join()") == ""
    found = filled.query(
        "SELECT vote.label, answer.comment, evidence.url, issue.code FROM annotation_vote AS vote "
        "JOIN annotation_member AS member ON member.id = vote.member_id "
        "JOIN annotation_user AS person ON person.id = member.user_id "
        "JOIN legal_legalanswer AS answer ON answer.vote_id = vote.id "
        "JOIN legal_evidence AS evidence ON evidence.answer_id = answer.id "
        "JOIN legal_issueanswer AS raised ON raised.answer_id = answer.id "
        "JOIN legal_issue AS issue ON issue.id = raised.issue_id WHERE person.username = %s",
        username,
    )
    assert found == [("yes", "Typed at the last moment", "https://news.example/a", "hate_speech")]


def test_who_ticks_an_issue_is_not_asked_why_there_is_none(open_page):
    page = open_page("mind-6", WORK)
    why = page.get_by_role("group", name="4. If it raises none: why?")
    issue = page.get_by_label("Hate Speech").first
    assert why.is_visible()
    issue.check()
    why.wait_for(state="hidden")
    issue.uncheck()
    page.get_by_label("A defence applies").check()
    issue.check()
    assert why.is_visible(), "a contradiction must be seen to be mended"


def test_the_harmful_button_brings_the_next_post_without_an_answer(filled, open_page):
    page = open_page("mind-7", WORK)
    page.get_by_label("Comment").fill("Half an answer")
    post = page.locator(".post-text").first.inner_text()
    page.get_by_role("button", name="This is harmful to me").click()
    page.get_by_text("does not count against you").wait_for()
    assert page.locator(".post-text").first.inner_text() != post
    assert page.get_by_label("Comment").input_value() == ""


def test_tests_and_defences_are_combined_while_they_are_answered(open_page):
    page = open_page("mind-18", WORK)
    issue = page.locator("[data-issue='public_mischief']")
    issue.get_by_role("checkbox").check()
    issue.get_by_text("Tests and defences").click()
    line = issue.locator("[data-finding]")

    def answer(test, word):
        group = issue.get_by_role("group", name=test)
        group.get_by_text(word, exact=True).click()

    answer("Intent to mislead", "Passes")
    for limb in ("False accusation", "Suspicion thrown", "Invented offence"):
        answer(limb, "Fails")
    assert line.inner_text() == ""
    answer("Invented death", "Fails")
    assert "the tests fail" in line.inner_text()
    answer("Invented death", "Passes")
    assert line.inner_text() == "Tests passed"
    answer("Intent to mislead", "Fails")
    issue.get_by_label("you raise it all the same").fill("He said so himself.")
    assert line.inner_text() == "Raised all the same"


def test_who_answers_otherwise_than_the_definition_is_told_before_and_may_insist(filled, open_page):
    page = open_page("mind-19", WORK)
    page.locator("h1").first.focus()
    page.keyboard.press("1")
    told = page.locator("[data-difference]")
    assert "You answer “Yes”, but no evidence is given" in told.inner_text()
    page.keyboard.press("3")
    assert not told.is_visible()
    page.keyboard.press("1")
    page.get_by_label("Keep my answer").check()
    page.get_by_label("Why do you keep it?").fill("Everybody knows the harbour.")
    page.keyboard.press("Control+Enter")
    page.get_by_role("heading", name="Post 2 of").wait_for()
    stored = filled.query(
        "SELECT vote.label, answer.derived, answer.insistence FROM annotation_vote AS vote "
        "JOIN annotation_member AS member ON member.id = vote.member_id "
        "JOIN annotation_user AS person ON person.id = member.user_id "
        "JOIN legal_legalanswer AS answer ON answer.vote_id = vote.id WHERE person.username = %s",
        "mind-19",
    )
    assert stored == [("yes", "unclear", "Everybody knows the harbour.")]


SELECT_WORDS = """
    (length) => {
        const range = document.createRange();
        const text = document.querySelector(".post-text").firstChild;
        range.setStart(text, 0);
        range.setEnd(text, length);
        const selection = document.getSelection();
        selection.removeAllRanges();
        selection.addRange(range);
    }
"""


@pytest.mark.parametrize(("username", "phone"), [("mind-20", True), ("mind-21", False)])
def test_a_claim_is_marked_in_the_text_and_stays_through_a_reload(
    username, phone, filled, open_page
):
    page = open_page(username, WORK, phone=phone)
    page.get_by_text("Mark the claim").click()
    page.evaluate(SELECT_WORDS, 5)
    page.get_by_role("button", name="Mark what is selected").click()
    words = page.locator(".post-text mark").inner_text()
    assert (
        len(words) in (4, 5)
        and f"Claim: {words}" in page.locator("claim-marks [data-list]").inner_text()
    )
    page.wait_for_timeout(600)
    page.reload()
    assert page.locator(".post-text mark").inner_text() == words
    page.get_by_role("button", name="Remove the mark").click()
    assert page.locator(".post-text mark").count() == 0


def test_a_passage_of_the_library_is_cited_beside_the_form_and_stays_through_a_reload(
    filled, open_page
):
    page = open_page("mind-17", WORK)
    page.get_by_label("Hate Speech").first.check()
    page.get_by_text("Legal library").first.click()
    page.get_by_label("Search in the legal library").fill("close a harbour")
    page.get_by_label("Search in the legal library").press("Enter")
    page.get_by_role("button", name="Cite").first.click()
    cited = page.locator("cited-passages")
    assert "Harbour Act" in cited.locator("[data-list]").inner_text()
    assert cited.locator("[data-list] select").input_value() == "hate_speech"
    page.wait_for_timeout(600)
    page.reload()
    assert "Harbour Act" in cited.locator("[data-list]").inner_text()
    page.locator("h1").first.focus()
    page.keyboard.press("3")
    page.keyboard.press("Control+Enter")
    page.get_by_role("heading", name="Post 2 of").wait_for()
    stored = filled.query(
        "SELECT issue.code FROM legal_citation AS citation "
        "JOIN legal_issue AS issue ON issue.id = citation.issue_id"
    )
    assert stored == [("hate_speech",)]


def test_issues_are_found_by_their_words_and_a_ticked_one_stays_in_view(open_page):
    page = open_page("mind-14", WORK)
    page.get_by_label("Hate Speech").first.check()
    page.locator("h1").first.focus()
    page.keyboard.press("/")
    page.keyboard.type("harbour contract")
    shown = page.locator("[data-issue]:visible")
    assert shown.count() <= 2 and page.get_by_label("Hate Speech").first.is_visible()


def test_what_is_typed_on_one_device_is_there_on_another_and_after_parking(open_page):
    desk = open_page("mind-15", WORK)
    with desk.expect_response("**/draft/") as kept:
        desk.get_by_label("Comment").fill("Begun at the desk")
        desk.get_by_label("Hate Speech").first.check()
    assert kept.value.status == 200
    phone = open_page("mind-15", WORK, phone=True)
    assert phone.get_by_label("Comment").input_value() == "Begun at the desk"
    assert phone.get_by_label("Hate Speech").first.is_checked()
    with phone.expect_response("**/draft/"):
        phone.get_by_label("Comment").fill("Gone on by phone")
    with desk.expect_response("**/draft/") as behind:
        desk.get_by_label("Comment").fill("Left open at the desk")
    assert behind.value.status == 409
    assert "has grown old" in desk.locator("[data-save-status]").inner_text()
    phone.get_by_role("button", name="Park", exact=True).click()
    phone.get_by_text("Its place is yours until").wait_for()
    assert phone.get_by_label("Comment").input_value() == ""
    phone.goto(phone.url.split("/work/")[0] + "/parked/")
    phone.get_by_role("row").get_by_role("link").click()
    phone.get_by_role("heading", name="Parked post").wait_for()
    assert phone.get_by_label("Comment").input_value() == "Gone on by phone"
