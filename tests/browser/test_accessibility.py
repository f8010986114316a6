"""Every page by all rules of axe; contrast and width again in the dark and at 360 pixels."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Response

from tests.browser.checks import overflow, violations
from tests.browser.conftest import DESKTOP, PATIENCE, PHONE, FilledSite
from tests.permissions import MEMBERS, PEOPLE, TABLE, Row

# Addresses whose answer is no page, or that only lead elsewhere.
NO_PAGES = {
    *("healthz", "bad_rows", "release_file", "mfa_download_recovery_codes"),
    "pay_payout_file",
    "pay_mturk_file",
    "crowd_people_file",
    "statistics_file",
    *("crowd_posts_file", "chart_file", "release_zip", "comparison_file", "activity_file"),
    *("legal_agreement_file", "legal_expert_file"),
    *("legal_evidence_warc", "legal_attachment", "legal_own_file"),
    *("legal_catalogue_yaml", "legal_catalogue_json"),
    "legal_document_file",
    *("legal_own_hours_file", "legal_hours_file"),
    "legal_take_up",  # what is held leads to the work; STATES has a parked post
    *("work_submit", "prescreening_submit", "gold_submit", "legal_submit", "account_email"),
    *("account_set_password", "account_confirm_login_code", "mfa_reauthenticate"),
    *("account_request_reauthentication_code", "account_confirm_reauthentication_code"),
    "mfa_authenticate",  # test_the_question_for_a_code
    # Nothing is left to ask, or the link of the table carries nobody.
    *("work_background", "work_visit", "join_hit", "join_start", "recruitment_platform"),
    "work_screened_out",
    "legal_own_together",  # opens once the batch is closed; it looks like legal_together
}
ROWS = {
    row.name: row
    for row in TABLE
    if row.method == "GET" and not row.is_api and row.name not in NO_PAGES
}
SHOTS = os.environ.get("SHOTS")  # a folder for pictures, for whoever wants to look at all pages


def who_sees(row: Row) -> str:
    """Return the user name of somebody to show a page to; nobody where it is for strangers."""
    if row.name.startswith("mfa_"):
        return "rumours-stranger" if "activate" in row.name.split("_") else "two-factors"
    if not row.in_study and "anonymous" in row.may and row.status_for("anonymous") == 200:
        return ""
    name = max(row.may, key=PEOPLE.index)
    return f"rumours-{'site' if name == 'site_administrator' else name}"


class Window:
    """One window for all pages here, with a warm cache: whoever looks is a matter of a cookie."""

    def __init__(self, browser: Browser, filled: FilledSite) -> None:
        self.context = browser.new_context(viewport=DESKTOP, reduced_motion="reduce")
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.filled = filled

    def open(self, username: str, path: str) -> Response:
        self.context.clear_cookies()
        if username:
            self.context.add_cookies([self.filled.cookie(username)])
        self.page.set_viewport_size(DESKTOP)
        self.page.emulate_media(color_scheme="light")
        answer = self.page.goto(self.filled.url + path)
        assert answer
        return answer


@pytest.fixture(scope="module")
def window(browser: Browser, filled: FilledSite) -> Iterator[Window]:
    opened = Window(browser, filled)
    yield opened
    opened.context.close()


def check(page: Page, name: str) -> None:
    """Ask everything of a page that is open on a desktop, in the light."""
    picture(page, name, "desktop")
    assert violations(page) == []
    assert overflow(page) <= 0, "wider than a desktop"
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size(PHONE)
    picture(page, name, "phone-dark")
    assert overflow(page) <= 0, "wider than 360 pixels"
    assert violations(page, ["color-contrast"]) == [], "in the dark, on a telephone"


def picture(page: Page, name: str, kind: str) -> None:
    if SHOTS:
        page.screenshot(path=Path(SHOTS) / f"{name}-{kind}.png", full_page=True)


@pytest.mark.parametrize("name", ROWS)
def test_a_page_is_accessible(name, filled: FilledSite, window: Window):
    answer = window.open(who_sees(ROWS[name]), filled.pages[name])
    assert answer.status == 200
    assert window.page.url == filled.url + filled.pages[name]
    check(window.page, name)


PARKED = "the parked post"
STATES = {
    "not found": ("rumours-owner", "/no-such-page/"),
    "not open": ("rumours-worker", "/studies/rumours/crowd/"),
    "first visit of a worker": ("newcomer", "/studies/labelling/work/"),
    "first visit of an expert": ("new-expert", "/studies/labelling/legal/work/"),
    "label a post": ("hand-0", "/studies/labelling/work/"),
    "guide with what changed": ("mind-0", "/studies/labelling/legal/guide/"),
    "issue of the draft": (
        "rumours-owner",
        "/studies/rumours/legal/catalogue/draft/issues/defamation/?add=tests-1",
    ),
    "answer a post": ("mind-0", "/studies/labelling/legal/work/"),
    "a parked post": ("mind-16", PARKED),
    "list of parked posts": ("mind-16", "/studies/labelling/legal/parked/"),
    "answers found": ("rumours-expert", "/studies/rumours/legal/votes/?q=a&label=no"),
    "no answer found": ("rumours-expert", "/studies/rumours/legal/votes/?q=zzzz"),
    "no hours": ("mind-1", "/studies/labelling/legal/hours/"),
    "no post left": ("rumours-worker-2", "/studies/rumours/work/"),
    "no answer left": ("mind-1", "/studies/labelling/legal/votes/"),
    "start page of a worker": ("rumours-worker", "/"),
    "study of a worker": ("rumours-worker", "/studies/rumours/"),
    "study of an expert": ("rumours-expert", "/studies/rumours/"),
    "nobody's study": ("rumours-stranger", "/"),
    "search that finds nothing": ("rumours-owner", "/studies/rumours/posts/?q=zzz"),
    "dropped posts": ("rumours-owner", "/studies/rumours/posts/?kept=dropped"),
    "posts that the filter dropped": ("rumours-owner", "/studies/rumours/filter/1/?show=dropped"),
    "posts near a threshold": ("rumours-owner", "/studies/rumours/filter/1/?show=near"),
    "preview of the filter": ("rumours-owner", "/studies/rumours/filter/2/"),
    "recovery codes": ("two-factors", "/accounts/2fa/recovery-codes/"),
}


@pytest.mark.parametrize("name", STATES)
def test_a_state_of_a_page_is_accessible(name, filled: FilledSite, window: Window):
    username, path = STATES[name]
    window.open(username, filled.built["parked"] if path == PARKED else path)
    check(window.page, re.sub(r"\W+", "-", name))


def test_a_cancelled_job_is_accessible(filled: FilledSite, window: Window):
    window.open("rumours-owner", f"/studies/rumours/jobs/{filled.built['cancelled_job']}/")
    check(window.page, "cancelled-job")


def test_a_form_with_errors_is_accessible(window: Window):
    window.open("rumours-owner", "/studies/rumours/crowd/new-batch/")
    page = window.page
    page.locator("form[method=post]").last.evaluate("form => form.noValidate = true")
    page.get_by_label("Posts").fill("0")
    page.get_by_role("button", name="Make the batch").click()
    page.locator("[aria-invalid=true]").first.wait_for()
    check(page, "form-with-errors")


def test_an_answer_with_errors_is_accessible(window: Window):
    window.open("mind-2", "/studies/labelling/legal/work/")
    page = window.page
    page.get_by_label("Evidence 1: address").fill("no address")
    page.get_by_role("button", name="Submit").click()
    page.locator("[aria-invalid=true]").first.wait_for()
    check(page, "answer-with-errors")


def test_the_question_for_a_code(window: Window):
    """Who has a second factor is asked for it after the password."""
    from tests.cast import PASSWORD

    window.open("", "/accounts/login/")
    page = window.page
    page.get_by_label("Username or e-mail", exact=False).first.fill("two-factors")
    page.locator("input[type=password]").fill(PASSWORD)
    page.locator("main button[type=submit]").first.click()
    page.wait_for_url("**/accounts/2fa/authenticate/")
    check(page, "mfa-authenticate")


def test_every_page_of_the_table_is_here():
    pages = {row.name for row in TABLE if row.method == "GET" and not row.is_api}
    assert pages == set(ROWS) | NO_PAGES
    assert all(
        set(row.may) & {*MEMBERS, "anonymous", "site_administrator"} for row in ROWS.values()
    )
