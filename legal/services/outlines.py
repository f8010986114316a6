"""Changes what a draft has: its topics and issues, their order, and what an issue says."""

from collections.abc import Callable, Collection
from dataclasses import dataclass

from django.utils.translation import gettext as _

from annotation.models import Study, User
from legal.catalogues import editing
from legal.catalogues.editing import Tree
from legal.catalogues.reading import MOST_NAME
from legal.models import CatalogueDraft
from legal.queries.catalogues import codes_given
from legal.services.catalogues import CatalogueRefused
from legal.services.drafts import change_draft

NAMED = {"add_topic", "rename_topic", "add_issue"}


@dataclass(frozen=True)
class OutlineStep:
    """What to do, with the topic or issue of this code; `name` where something gets one."""

    action: str
    code: str = ""
    name: str = ""


def change_outline(*, by: User, study: Study, seen: str, step: OutlineStep) -> CatalogueDraft:
    """Add, rename, move or remove a topic, or add, move or remove an issue of the draft."""
    if step.action in NAMED and not 0 < len(step.name) <= MOST_NAME:
        raise CatalogueRefused(_("Type a name of at most %s characters.") % MOST_NAME)
    if "\0" in step.name:
        raise CatalogueRefused(_("The name holds a character that cannot be stored."))
    change = change_of(step, *codes_given(study))
    if change is None:
        raise CatalogueRefused(_("The draft cannot be changed in this way."))
    return change_draft(by=by, study=study, seen=seen, part=editing.outline_of, change=change)


def write_issue(
    *, by: User, study: Study, code: str, seen: str, issue: Tree, topic: str
) -> CatalogueDraft:
    """Let an issue of the draft say something else, and stand in this topic."""
    return change_draft(
        by=by,
        study=study,
        seen=seen,
        part=lambda tree: editing.placed_issue(tree, code),
        change=lambda tree: editing.with_issue_in(
            editing.with_issue(tree, code, issue), code, topic
        ),
    )


def change_of(
    step: OutlineStep, topics: Collection[str], issues: Collection[str]
) -> Callable[[Tree], Tree] | None:
    """Return the change that a step makes; codes that versions have or had are not given again."""
    code, name = step.code, step.name
    changes: dict[str, Callable[[Tree], Tree]] = {
        "add_topic": lambda tree: editing.with_new_topic(tree, name, topics),
        "rename_topic": lambda tree: editing.with_topic_name(tree, code, name),
        "remove_topic": lambda tree: editing.without_topic(tree, code),
        "topic_up": lambda tree: editing.with_topic_moved(tree, code, -1),
        "topic_down": lambda tree: editing.with_topic_moved(tree, code, 1),
        "add_issue": lambda tree: editing.with_new_issue(tree, code, name, issues),
        "remove_issue": lambda tree: editing.without_issue(tree, code),
        "issue_up": lambda tree: editing.with_issue_moved(tree, code, -1),
        "issue_down": lambda tree: editing.with_issue_moved(tree, code, 1),
    }
    return changes.get(step.action)
