"""A real Chromium against the site as it is served. Without one, these tests skip and say so."""

import json
import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg2
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, sync_playwright

from tests.running_site import Site, manage, new_environment, running_site

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
PATIENCE = 10_000

OpenPage = Callable[..., Page]


def find_chromium() -> str | None:
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def chromium() -> str:
    """Return the path of a Chromium, or skip, or fail where one is required."""
    path = find_chromium()
    if path is None:
        if os.environ.get("JURYROOM_REQUIRE_BROWSER") == "1":
            pytest.fail("No Chromium was found, and JURYROOM_REQUIRE_BROWSER=1 asks for one.")
        pytest.skip("No Chromium was found, so the browser tests were skipped.")
    return path


@pytest.fixture(scope="module")
def playwright(chromium: str) -> Iterator[Playwright]:
    """Run Playwright for one file: its loop would keep Django from the database in later ones."""
    with sync_playwright() as running:
        yield running


@pytest.fixture(scope="module")
def browser(chromium: str, playwright: Playwright) -> Iterator[Browser]:
    launched = playwright.chromium.launch(executable_path=chromium, args=QUIET)
    yield launched
    launched.close()


@dataclass
class FilledSite:
    """The site of the browser tests: served, with a worker, and with two studies in it."""

    site: Site
    built: dict[str, Any]

    @property
    def url(self) -> str:
        return self.site.url

    @property
    def pages(self) -> dict[str, str]:
        pages: dict[str, str] = self.built["pages"]
        return pages

    def cookie(self, username: str) -> dict[str, str]:
        """Return the cookie of somebody who is signed in."""
        value = self.built["sessions"][username]
        return {"name": self.built["cookie"], "value": value, "url": self.url}

    def query(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """Ask the site's database, or change it."""
        connection = psycopg2.connect(self.site.environment["DATABASE_URL"])
        connection.autocommit = True
        try:
            with connection.cursor() as cursor:
                cursor.execute(sql, values)
                return cursor.fetchall() if cursor.description else []
        finally:
            connection.close()


@pytest.fixture(scope="session")
def filled(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[FilledSite]:
    with new_environment(tmp_path_factory.mktemp("site"), "browser") as environment:
        manage(environment, "migrate", "--verbosity", "0")
        built = json.loads(manage(environment, "-m", "tests.browser.building"))
        with running_site(environment) as site:
            yield FilledSite(site, built)


@pytest.fixture
def open_page(browser: Browser, filled: FilledSite) -> Iterator[OpenPage]:
    """Return a function that opens a page for somebody signed in, in a browser of their own."""
    contexts: list[BrowserContext] = []

    def open_for(
        username: str = "",
        path: str = "/",
        *,
        phone: bool = False,
        dark: bool = False,
        script: bool = True,
    ) -> Page:
        context = browser.new_context(
            viewport=PHONE if phone else DESKTOP,
            color_scheme="dark" if dark else "light",
            has_touch=phone,
            is_mobile=phone,
            reduced_motion="reduce",
            java_script_enabled=script,
        )
        contexts.append(context)
        if username:
            context.add_cookies([filled.cookie(username)])
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(filled.url + path)
        return page

    yield open_for
    for context in contexts:
        context.close()
