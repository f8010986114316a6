"""Accessibility rules and overflow, as asked of every page."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

axe = Axe()


def violations(page: Page, rules: list[str] | None = None) -> list[str]:
    """Return what axe finds on a page, as readable lines."""
    options: dict[str, Any] = {"runOnly": {"type": "rule", "values": rules}} if rules else {}
    found = axe.run(page, options=options).response["violations"]
    return [
        f"{one['id']}: {node['target']} {node.get('failureSummary', '')}"
        for one in found
        for node in one["nodes"]
    ]


def overflow(page: Page) -> int:
    """Return by how many pixels a page is wider than its window."""
    width: int = page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    return width
