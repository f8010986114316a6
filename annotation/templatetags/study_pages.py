"""The navigation and the path of a study's pages, built from the stages for whoever looks."""

from typing import Any, TypedDict

from django import template
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from annotation.access import Access, Permission
from annotation.registry import Page, Text, stages

register = template.Library()

STUDY = Page(_("Study"), "study", Permission.SEE_STUDY, place=0)
AROUND = (
    Page(_("Members"), "members", Permission.MANAGE_STUDY, place=910),
    Page(_("Protocol"), "protocol", Permission.MANAGE_STUDY, place=920),
    Page(_("Jobs"), "jobs", Permission.MANAGE_DATA, place=930),
    Page(_("Activity"), "activity", Permission.SEE_RESULTS, place=940),
)


class Item(TypedDict):
    """What components/subnav.html shows."""

    label: Text
    url: str
    stage: str
    current: bool


@register.simple_tag(takes_context=True)
def study_nav(context: dict[str, Any]) -> list[Item]:
    """Return the pages of the study that this member may open, with the present one marked."""
    access: Access = context["access"]
    items = [nav_item(page, access.study.slug) for page in pages_for(access)]
    here = section_of(items, context["request"].path)
    if here:
        here["current"] = True
    return items


def pages_for(access: Access) -> list[Page]:
    """Return the items that a member may open, in the order of the way of a post."""
    of_stages = (
        page for stage in stages() for page in sorted(stage.pages, key=lambda page: page.place)
    )
    return [page for page in (STUDY, *of_stages, *AROUND) if is_offered(page, access)]


def is_offered(page: Page, access: Access) -> bool:
    """Say whether a member's navigation has a page: they may open it, and find it nowhere else."""
    if page.unless and access.may(Permission(page.unless)):
        return False
    return access.may(Permission(page.permission))


def nav_item(page: Page, slug: str) -> Item:
    """Return one item."""
    url = reverse(page.url_name, args=[slug])
    return {"label": page.title, "url": url, "stage": page.colour, "current": False}


def section_of(items: list[Item], path: str) -> Item | None:
    """Return the item below whose address a page stands: the longest that fits."""
    fitting = [item for item in items if path.startswith(item["url"])]
    return max(fitting, key=lambda item: len(item["url"]), default=None)


@register.simple_tag(takes_context=True)
def study_crumbs(context: dict[str, Any], items: list[Item]) -> list[dict[str, Any]]:
    """Return the path to a page that stands below an item of the navigation, else nothing.

    The page names itself by `crumb` in its context.
    """
    here = next((item for item in items if item["current"]), None)
    if here is None or here["url"] == context["request"].path:
        return []
    way = [{"label": here["label"], "url": here["url"]}]
    return [*way, {"label": context["crumb"]}] if context.get("crumb") else way
