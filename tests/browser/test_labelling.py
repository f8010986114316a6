"""Labelling as people do it: by keys, on a telephone, in two tabs, with a network that goes away.

Each test has a worker (hand-…) or an expert (mind-…) of its own.
"""

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.checks import overflow
from tests.browser.conftest import PHONE, FilledSite, OpenPage
from tests.cast import PASSWORD

WORK, LEGAL = "/studies/labelling/work/", "/studies/labelling/legal/work/"
MOST_BYTES = 60_000
TARGET = 44
VOTES = """
    SELECT vote.label, vote.version FROM annotation_vote AS vote
    JOIN annotation_member AS member ON member.id = vote.member_id
    JOIN annotation_user AS person ON person.id = member.user_id
    WHERE person.username = %s ORDER BY vote.id
"""


def votes_of(filled: FilledSite, username: str) -> list[tuple[str, int]]:
    return [(label, version) for label, version in filled.query(VOTES, username)]


def heading(page: Page, number: int) -> None:
    """Wait for a post, and for the scripts that hear the keys."""
    expect(page.locator("h1")).to_have_text(re.compile(rf"Post {number}\b"))
    page.wait_for_load_state()


def submit(page: Page) -> None:
    page.get_by_role("button", name="Submit").click()


def status(page: Page, words: str) -> None:
    expect(page.locator("[data-save-status]")).to_contain_text(words, timeout=12_000)


def test_a_worker_needs_no_mouse(filled: FilledSite, open_page: OpenPage):
    page = open_page("hand-1", WORK)
    heading(page, 1)
    page.keyboard.press("2")
    expect(page.get_by_role("radio", name="Not checkworthy")).to_be_checked()
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    heading(page, 2)
    expect(page.locator("h1")).to_be_focused()
    expect(page.locator("#live")).to_contain_text("Post 2")
    status(page, "Saved")
    assert votes_of(filled, "hand-1") == [("checkworthy", 1)]
    page.keyboard.press("u")
    expect(page.locator("h1")).to_have_text("Your vote on this post")
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    heading(page, 2)
    assert votes_of(filled, "hand-1") == [("checkworthy", 1), ("no_claim", 2)]


def test_keys_skip_open_the_guideline_and_list_themselves(filled: FilledSite, open_page: OpenPage):
    page = open_page("hand-2", WORK)
    heading(page, 1)
    page.keyboard.press("g")
    expect(page.locator("details.guideline")).to_have_attribute("open", "")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("1")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.locator("input[name=label]:checked")).to_have_count(0)
    page.keyboard.press("s")
    expect(page.locator("h1")).to_have_text("Skip this post")
    page.get_by_role("radio", name="I cannot decide").focus()
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    heading(page, 1)
    assert votes_of(filled, "hand-2") == []


def test_keys_can_be_switched_off(open_page: OpenPage):
    page = open_page("hand-2", WORK)
    page.get_by_role("button", name="Keys").click()
    page.get_by_label("Use keys on this device").uncheck()
    page.get_by_role("button", name="Close").click()
    page.keyboard.press("1")
    expect(page.locator("input[name=label]:checked")).to_have_count(0)


def test_an_experts_keys_rest_while_they_type(filled: FilledSite, open_page: OpenPage):
    page = open_page("mind-3", LEGAL)
    heading(page, 1)
    page.get_by_label("Comment").press_sequentially("2 of 3?")
    expect(page.locator("input[name=label]:checked")).to_have_count(0)
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.locator("h1").focus()
    page.keyboard.press("3")
    expect(page.get_by_role("radio", name="Unclear")).to_be_checked()
    page.keyboard.press("Control+Enter")
    heading(page, 2)
    status(page, "Saved")
    assert votes_of(filled, "mind-3") == [("unclear", 1)]


def test_a_double_click_makes_one_vote(filled: FilledSite, open_page: OpenPage):
    page = open_page("hand-3", WORK)
    page.get_by_text("Checkworthy", exact=True).click()
    page.get_by_role("button", name="Submit").dblclick()
    heading(page, 2)
    page.wait_for_load_state("networkidle")
    assert votes_of(filled, "hand-3") == [("checkworthy", 1)]


def test_a_second_tab_never_overwrites_silently(filled: FilledSite, open_page: OpenPage):
    first = open_page("hand-4", WORK)
    second = first.context.new_page()
    second.goto(filled.url + WORK)
    assert first.locator(".post-text").inner_text() == second.locator(".post-text").inner_text()
    first.keyboard.press("1")
    first.keyboard.press("Enter")
    heading(first, 2)
    second.keyboard.press("3")
    second.keyboard.press("Enter")
    expect(
        second.locator("#main").get_by_text("You have voted on this post already")
    ).to_be_visible()
    assert votes_of(filled, "hand-4") == [("checkworthy", 1)]


def test_going_back_shows_no_old_post(filled: FilledSite, open_page: OpenPage):
    page = open_page("hand-5", "/studies/labelling/")
    page.get_by_role("main").get_by_role("link", name=re.compile("Label|Work|Start|Go on")).click()
    heading(page, 1)
    voted_on = page.locator(".post-text").inner_text()
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    heading(page, 2)
    page.go_back()
    expect(page).to_have_url(filled.url + "/studies/labelling/")
    page.go_forward()
    heading(page, 2)
    assert page.locator(".post-text").inner_text() != voted_on
    assert votes_of(filled, "hand-5") == [("checkworthy", 1)]


def test_a_lost_network_keeps_the_answer_and_sends_it_later(
    filled: FilledSite, open_page: OpenPage
):
    page = open_page("hand-6", WORK)
    page.context.set_offline(True)
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    status(page, "Not saved, trying again")
    expect(page.get_by_role("radio", name="Not checkworthy")).to_be_checked()
    heading(page, 1)
    page.context.set_offline(False)
    heading(page, 2)
    status(page, "Saved")
    assert votes_of(filled, "hand-6") == [("not_checkworthy", 1)]


def fill_answer(page: Page) -> None:
    page.get_by_text("Yes", exact=True).click()
    page.get_by_label("Defamation").check()
    page.get_by_label("Evidence 1: address").fill("https://news.example.org/1")
    page.get_by_label("Evidence 2: address").fill("https://news.example.org/2")
    page.get_by_label("Comment").fill("The decree is of another year.")
    status(page, "Kept on this device")


def answer_is_there(page: Page) -> None:
    expect(page.get_by_role("radio", name="Yes")).to_be_checked()
    expect(page.get_by_label("Defamation")).to_be_checked()
    expect(page.get_by_label("Evidence 1: address")).to_have_value("https://news.example.org/1")
    expect(page.get_by_label("Evidence 2: address")).to_have_value("https://news.example.org/2")
    expect(page.get_by_label("Comment")).to_have_value("The decree is of another year.")


def test_a_draft_survives_a_reload_and_goes_when_it_is_sent(
    filled: FilledSite, open_page: OpenPage
):
    page = open_page("mind-4", LEGAL)
    fill_answer(page)
    page.reload()
    answer_is_there(page)
    status(page, "are back")
    submit(page)
    heading(page, 2)
    expect(page.locator(":is([name=label], [name=issues]):checked")).to_have_count(0)
    expect(page.get_by_label("Comment")).to_have_value("")
    assert page.evaluate("Object.keys(localStorage).filter((k) => k.includes('draft'))") == []
    assert votes_of(filled, "mind-4") == [("yes", 1)]


def test_a_draft_survives_an_expired_session(filled: FilledSite, open_page: OpenPage):
    page = open_page("mind-5", LEGAL)
    fill_answer(page)
    page.context.clear_cookies(name=filled.built["cookie"])
    submit(page)
    status(page, "you have been signed out")
    answer_is_there(page)
    page.get_by_role("status").get_by_role("link", name="Sign in").click()
    page.locator("input[name=login]").fill("mind-5")
    page.locator("input[name=password]").fill(PASSWORD)
    page.locator("main button[type=submit]").first.click()
    answer_is_there(page)
    submit(page)
    heading(page, 2)
    assert votes_of(filled, "mind-5") == [("yes", 1)]


def test_the_lease_is_shown_in_the_persons_time(filled: FilledSite, open_page: OpenPage):
    filled.query("UPDATE annotation_user SET time_zone = 'Asia/Tokyo' WHERE username = 'hand-7'")
    page = open_page("hand-7", WORK)
    lease = page.locator(".lease")
    expect(lease).to_have_text(re.compile(r"Held for you until \d\d:\d\d"))
    until = lease.get_attribute("until") or ""
    assert until.endswith("+09:00") and until[11:16] in lease.inner_text()


@pytest.mark.parametrize(("person", "path"), [("hand-8", WORK), ("mind-8", LEGAL)])
def test_on_a_telephone_choices_and_submit_are_in_view(person, path, open_page: OpenPage):
    page = open_page(person, path, phone=True)
    assert overflow(page) <= 0
    controls = [
        *page.locator("fieldset.choices label").all(),
        page.get_by_role("button", name="Submit"),
    ]
    assert len(controls) == 4
    for control in controls:
        box = control.bounding_box()
        assert box and box["height"] >= TARGET
        assert box["x"] >= 0 and box["x"] + box["width"] <= PHONE["width"]
        assert box["y"] >= 0 and box["y"] + box["height"] <= PHONE["height"]


def test_a_worker_needs_no_script(filled: FilledSite, open_page: OpenPage):
    page = open_page("hand-9", WORK, script=False)
    page.get_by_text("Checkworthy", exact=True).click()
    submit(page)
    heading(page, 2)
    page.get_by_role("link", name="Last vote").click()
    page.get_by_text("Not checkworthy", exact=True).click()
    page.get_by_role("button", name="Save the correction").click()
    heading(page, 2)
    page.get_by_role("link", name="Skip", exact=True).click()
    page.get_by_text("I cannot decide").click()
    page.get_by_role("button", name="Skip").click()
    heading(page, 2)
    assert votes_of(filled, "hand-9") == [("checkworthy", 1), ("not_checkworthy", 2)]


def test_an_expert_needs_no_script(filled: FilledSite, open_page: OpenPage):
    page = open_page("mind-9", LEGAL, script=False)
    page.get_by_text("Yes", exact=True).click()
    page.get_by_text("Tests and defences").first.click()
    page.get_by_text("Cyberbullying", exact=True).first.click()
    submit(page)
    page.get_by_text("no evidence is given").first.wait_for()
    page.get_by_label("Evidence 1: address").fill("https://news.example.org/1")
    submit(page)
    heading(page, 2)
    assert votes_of(filled, "mind-9") == [("yes", 1)]


@pytest.mark.parametrize(("person", "path"), [("hand-10", WORK), ("mind-10", LEGAL)])
def test_a_labelling_page_is_light_and_asks_nobody_else(
    person, path, browser: Browser, filled: FilledSite
):
    context = browser.new_context()
    context.add_cookies([filled.cookie(person)])
    page = context.new_page()
    network = context.new_cdp_session(page)
    network.send("Network.enable")
    sizes: list[int] = []
    network.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    hosts: set[str] = set()
    page.on("request", lambda request: hosts.add(urlsplit(request.url).netloc))
    page.goto(filled.url + path)
    page.wait_for_load_state("networkidle")
    context.close()
    assert hosts == {urlsplit(filled.url).netloc}
    assert len(sizes) > 10
    assert sum(sizes) < MOST_BYTES, f"{sum(sizes)} bytes in {len(sizes)} files"
