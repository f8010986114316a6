"""From a link to the money: a worker on a telephone, and the owner who approves and pays."""

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import FilledSite, OpenPage

STUDY = "/studies/earning/"


def press(page: Page, name: str) -> None:
    """Press a button, or follow a link that looks like one."""
    page.get_by_role("button", name=name).or_(page.get_by_role("link", name=name)).first.click()


def fits(page: Page) -> None:
    """Nothing must be cut off or make a telephone scroll sideways."""
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), page.url


def judge(page: Page, number: int) -> None:
    """Answer a post of a test or of the work."""
    expect(page.locator("h1")).to_have_text(re.compile(rf"Post {number}\b"))
    page.wait_for_load_state()
    fits(page)
    page.get_by_role("radio", name="Checkworthy", exact=True).check()
    press(page, "Submit")


def test_somebody_comes_by_a_link_passes_works_and_is_paid(filled: FilledSite, open_page: OpenPage):
    page = open_page("", filled.built["way_in"], phone=True)
    come_in(page)
    pass_the_test(page)
    work(page)
    page.goto(filled.url + STUDY + "work/earnings/")
    fits(page)
    expect(page.locator("main")).to_contain_text("Waiting for approval")
    pay(open_page)
    page.reload()
    expect(page.locator("main")).to_contain_text("Paid")
    expect(page.locator("main")).to_contain_text("0.72")


def come_in(page: Page) -> None:
    """Take part, keep the return code, agree, and say how old one is."""
    press(page, "Take part")
    fits(page)
    code = page.locator("dd code").first.inner_text()
    assert re.fullmatch(r"[A-Z0-9-]{16,}", code), code
    press(page, "I have it, go on")
    fits(page)
    press(page, "I agree and take part")
    page.get_by_label("How old are you?").fill("33")
    fits(page)
    press(page, "Go on")


def pass_the_test(page: Page) -> None:
    """Answer both posts as the researchers did."""
    fits(page)
    press(page, "I have read it, start")
    for number in (1, 2):
        judge(page, number)
    expect(page.get_by_role("link", name="To the work")).to_be_visible()
    fits(page)
    press(page, "To the work")


def work(page: Page) -> None:
    """Judge both posts of a sitting; its code is there at the end and not before."""
    if page.get_by_role("button", name="I have read it, start").count():
        press(page, "I have read it, start")
    else:
        press(page, "Begin")
    judge(page, 1)
    assert page.get_by_text("Completion code").count() == 0
    judge(page, 2)
    expect(page.locator("h1")).to_have_text("This sitting is complete")
    fits(page)
    assert re.fullmatch(r"[A-F0-9]{16,}", page.locator("dd code").inner_text())


def pay(open_page: OpenPage) -> None:
    """Approve all that waits, and make the payout."""
    page = open_page("earning-owner", STUDY + "pay/sittings/")
    page.locator("button[name=all]").click()
    expect(page.locator("main")).not_to_contain_text("Approve what is ticked")
    page.goto(page.url.split(STUDY)[0] + STUDY + "pay/payouts/new/")
    press(page, "Make this payout")
    expect(page.locator("main")).to_contain_text("0.72")
