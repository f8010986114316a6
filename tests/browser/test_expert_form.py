"""The expert's form in a real browser: keys, refusals that cost nothing, drafts, the next post."""

import pytest

WORK = "/studies/labelling/legal/work/"


@pytest.mark.parametrize(("username", "phone"), [("mind-12", True), ("mind-13", False)])
def test_a_refused_answer_stays_whole_and_goes_through_once_it_is_mended(
    username, phone, filled, open_page
):
    page = open_page(username, WORK, phone=phone)
    page.locator("h1").first.focus()
    page.keyboard.press("2")
    page.get_by_label("It makes no factual claim").check()
    page.get_by_label("Hate Speech").first.check()
    page.get_by_label("Evidence").fill("https://news.example/a\njavascript:alert(1)")
    page.get_by_label("Comment").fill("Typed at the last moment")
    page.keyboard.press("Control+Enter")
    errors = page.locator(".alert-error")
    errors.wait_for()
    assert "there is a claim" in errors.inner_text() and "Line 2" in errors.inner_text()
    assert page.get_by_label("Unclear").is_visible()
    page.reload()
    assert page.get_by_label("Comment").input_value() == "Typed at the last moment"
    assert page.get_by_label("Hate Speech").first.is_checked()
    page.get_by_label("It makes no factual claim").uncheck()
    page.get_by_label("Evidence").fill("https://news.example/a")
    page.get_by_label("Evidence").press("Control+Enter")
    page.get_by_role("heading", name="Post 2 of").wait_for()
    assert page.evaluate("document.activeElement.id") == "post-heading"
    assert page.evaluate("Object.keys(localStorage).join()") == ""
    found = filled.query(
        "SELECT vote.label, answer.comment, evidence.url, issue.code FROM annotation_vote AS vote "
        "JOIN annotation_member AS member ON member.id = vote.member_id "
        "JOIN annotation_user AS person ON person.id = member.user_id "
        "JOIN legal_legalanswer AS answer ON answer.vote_id = vote.id "
        "JOIN legal_evidence AS evidence ON evidence.answer_id = answer.id "
        "JOIN legal_raisedissue AS raised ON raised.answer_id = answer.id "
        "JOIN legal_issue AS issue ON issue.id = raised.issue_id WHERE person.username = %s",
        username,
    )
    assert found == [("no", "Typed at the last moment", "https://news.example/a", "hate_speech")]


def test_who_ticks_an_issue_is_not_asked_why_there_is_none(open_page):
    page = open_page("mind-6", WORK)
    why = page.get_by_role("group", name="If you ticked none: why?")
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
