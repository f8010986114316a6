"""A real Chromium against a live server. Without one, these tests skip and say so."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from annotation.models import Member, User

os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"  # Playwright's loop runs in the tests' thread

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
DESKTOP = {"width": 1280, "height": 860}
PHONE = {"width": 360, "height": 740}

OpenPage = Callable[..., Page]


def find_chromium() -> str | None:
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = find_chromium()
    if path is None:
        if os.environ.get("JURYROOM_REQUIRE_BROWSER") == "1":
            pytest.fail("No Chromium was found, and JURYROOM_REQUIRE_BROWSER=1 asks for one.")
        pytest.skip("No Chromium was found, so the browser tests were skipped.")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=QUIET)
        yield chromium
        chromium.close()


@pytest.fixture
def open_page(browser: Browser, live_server) -> Iterator[OpenPage]:
    """Return a function that opens a page for somebody signed in, in a browser of their own."""
    contexts: list[BrowserContext] = []

    def open_for(
        person: Member | User | None = None,
        path: str = "/",
        *,
        phone: bool = False,
        dark: bool = False,
    ) -> Page:
        context = browser.new_context(
            viewport=PHONE if phone else DESKTOP,
            color_scheme="dark" if dark else "light",
            has_touch=phone,
            reduced_motion="reduce",
        )
        contexts.append(context)
        if person:
            context.add_cookies([session_cookie(person, live_server.url)])
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.goto(live_server.url + path)
        return page

    yield open_for
    for context in contexts:
        context.close()


def session_cookie(person: Member | User, url: str) -> dict[str, str]:
    client = Client()
    client.force_login(person.user if isinstance(person, Member) else person)
    name = settings.SESSION_COOKIE_NAME
    return {"name": name, "value": client.cookies[name].value, "url": url}
