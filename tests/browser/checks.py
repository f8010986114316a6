"""Accessibility rules and overflow, as asked of every page."""

from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

RUN = """async (options) => (await axe.run(options)).violations.flatMap((one) =>
  one.nodes.map((node) => `${one.id}: ${node.target} ${node.failureSummary ?? ""}`))"""


def violations(page: Page, rules: list[str] | None = None) -> list[str]:
    """Return what axe finds on a page by these rules, or by all, as readable lines."""
    options: dict[str, Any] = {"resultTypes": ["violations"]}
    if rules:
        options["runOnly"] = {"type": "rule", "values": rules}
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(AXE_SCRIPT)
    found: list[str] = page.evaluate(RUN, options)
    return found


def overflow(page: Page) -> int:
    """Return by how many pixels a page is wider than its window."""
    width: int = page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    return width
