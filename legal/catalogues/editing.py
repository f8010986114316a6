"""Changes to the tree of a draft: each returns another tree, and gives a code only once.

A draft may lack what a version needs, so nothing here refuses anything: where a topic or an issue
is not there, the tree stays as it is.
"""

import copy
import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Any

from legal.catalogues.reading import HEADING
from legal.catalogues.texts import RULES

Tree = dict[str, Any]
MOST_CODE = 50
LISTS = ("sources", "tests", "defences")
CRITERIA = ("tests", "defences")


def new_code(name: str, taken: Iterable[str], fallback: str) -> str:
    """Return a code made of a name that nothing has or had."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    stem = re.sub(r"[^a-z0-9]+", "_", plain).strip("_")[:MOST_CODE].strip("_")
    if not stem or not stem[0].isalpha():
        stem = f"{fallback}_{stem}".strip("_")
    known, code, number = set(taken), stem, 2
    while code in known:
        code, number = f"{stem}_{number}", number + 1
    return code


def heading_of(tree: Tree) -> Tree:
    """Return what is said of the catalogue as a whole."""
    return {name: tree.get(name, "") for name in HEADING}


def outline_of(tree: Tree) -> list[Any]:
    """Return the topics with the codes of their issues, in their order."""
    return [
        [topic["code"], topic["name"], [issue["code"] for issue in topic["issues"]]]
        for topic in tree["topics"]
    ]


def placed_issue(tree: Tree, code: str) -> list[Any] | None:
    """Return the code of an issue's topic, and the issue."""
    return next(
        ([topic["code"], one] for topic, one in issues_of(tree) if one["code"] == code), None
    )


def issues_of(tree: Tree) -> Iterator[tuple[Tree, Tree]]:
    """Yield each issue after its topic."""
    for topic in tree["topics"]:
        yield from ((topic, issue) for issue in topic["issues"])


def with_heading(tree: Tree, heading: Tree) -> Tree:
    """Return a tree with another heading."""
    return {**tree, **{name: heading[name] for name in HEADING}}


def with_issue(tree: Tree, code: str, issue: Tree) -> Tree:
    """Return a tree in which an issue says something else; its code stays."""
    made = copy.deepcopy(tree)
    for _topic, known in issues_of(made):
        if known["code"] == code:
            known |= {**copy.deepcopy(issue), "code": code}
    return made


def with_new_topic(tree: Tree, name: str, taken: Iterable[str]) -> Tree:
    """Return a tree with one more topic at its end."""
    known = {*taken, *(topic["code"] for topic in tree["topics"])}
    topic = {"code": new_code(name, known, "topic"), "name": name, "issues": []}
    return {**tree, "topics": [*tree["topics"], topic]}


def with_topic_name(tree: Tree, code: str, name: str) -> Tree:
    """Return a tree in which a topic is called otherwise; its code stays."""
    topics = [{**one, "name": name} if one["code"] == code else one for one in tree["topics"]]
    return {**tree, "topics": topics}


def with_new_issue(tree: Tree, topic: str, name: str, taken: Iterable[str]) -> Tree:
    """Return a tree with one more issue at the end of a topic."""
    known = {*taken, *(issue["code"] for _topic, issue in issues_of(tree))}
    made = copy.deepcopy(tree)
    for one in made["topics"]:
        if one["code"] == topic:
            one["issues"].append(empty_issue(new_code(name, known, "issue"), name))
    return made


def empty_issue(code: str, name: str) -> Tree:
    """Return an issue of which nothing but its name is known."""
    return {
        "code": code,
        "name": name,
        "summary": "",
        "sources": [],
        "tests": {"rule": "all", "items": []},
        "defences": {"rule": "any", "items": []},
        "positive_example": "",
        "negative_example": "",
    }


def without_topic(tree: Tree, code: str) -> Tree:
    """Return a tree without a topic and its issues."""
    return {**tree, "topics": [one for one in tree["topics"] if one["code"] != code]}


def without_issue(tree: Tree, code: str) -> Tree:
    """Return a tree without an issue."""
    made = copy.deepcopy(tree)
    for topic in made["topics"]:
        topic["issues"] = [one for one in topic["issues"] if one["code"] != code]
    return made


def with_topic_moved(tree: Tree, code: str, by: int) -> Tree:
    """Return a tree in which a topic stands further up (-1) or down (1)."""
    topics = [*tree["topics"]]
    shift(topics, code, by)
    return {**tree, "topics": topics}


def with_issue_moved(tree: Tree, code: str, by: int) -> Tree:
    """Return a tree in which an issue stands further up (-1) or down (1) in its topic."""
    made = copy.deepcopy(tree)
    for topic in made["topics"]:
        shift(topic["issues"], code, by)
    return made


def with_issue_in(tree: Tree, code: str, topic: str) -> Tree:
    """Return a tree in which an issue stands in this topic: at its end, if it stood elsewhere."""
    place = placed_issue(tree, code)
    if place is None or topic not in {one["code"] for one in tree["topics"]} - {place[0]}:
        return tree
    made = without_issue(tree, code)
    for one in made["topics"]:
        if one["code"] == topic:
            one["issues"].append(copy.deepcopy(place[1]))
    return made


def shift(things: list[Tree], code: str, by: int) -> None:
    """Let a thing change places with its neighbour, where there is one."""
    codes = [one["code"] for one in things]
    if code in codes and 0 <= (at := codes.index(code)) + by < len(things):
        things[at], things[at + by] = things[at + by], things[at]


def codes_in(issue: Tree) -> set[str]:
    """Return the codes of an issue's tests and defences, and of their parts."""
    items = [item for kind in CRITERIA for item in issue[kind]["items"]]
    parts = [part for item in items for rule in RULES for part in item.get(rule, [])]
    return {one["code"] for one in items + parts}
