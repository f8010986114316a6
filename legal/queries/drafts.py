"""The draft of a study's catalogue, and what is still wrong with it."""

from collections.abc import Callable
from typing import Any

from annotation.models import Study
from legal.catalogues.editing import Tree, issues_of
from legal.catalogues.faults import CatalogueFault
from legal.catalogues.reading import Part, read_heading, read_issue, read_tree
from legal.models import CatalogueDraft


def draft_of(study: Study) -> CatalogueDraft | None:
    """Return the draft of the next version, if somebody has begun one."""
    drafts = CatalogueDraft.objects.filter(study=study)
    return drafts.select_related("base", "changed_by").first()


def faults_of(content: Tree) -> list[tuple[str, CatalogueFault]]:
    """Return the first fault of the heading and of each issue by its code, or one of all."""
    found = [("", fault) for fault in [fault_in(read_heading, Part("", content))] if fault]
    for _topic, issue in issues_of(content):
        fault = fault_in(read_issue, Part(f"“{issue['name']}”", issue))
        if fault:
            found.append((issue["code"], fault))
    whole = None if found else fault_in(read_tree, content)
    return [*found, ("", whole)] if whole else found


def fault_in(read: Callable[[Any], object], part: object) -> CatalogueFault | None:
    """Return what is wrong with a part of a draft."""
    try:
        read(part)
    except CatalogueFault as fault:
        return fault
    return None
