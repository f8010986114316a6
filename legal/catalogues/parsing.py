"""Turns the bytes of a catalogue, YAML or JSON, into a plain tree of mappings, lists and texts.

Every plain word is a text: a catalogue in Norwegian says `language: no` and means it. Anchors and
names that stand twice in one mapping are refused, because a reader of the file would not see what
becomes of them.
"""

import json
from collections import Counter
from typing import Any

import yaml

from legal.catalogues.faults import CatalogueFault, gettext_noop

MOST_BYTES = 300_000


def parse_catalogue(raw: bytes) -> object:
    """Return the tree that a file describes, or raise CatalogueFault."""
    if len(raw) > MOST_BYTES:
        raise CatalogueFault(
            gettext_noop("The catalogue is larger than %(most)s bytes."), most=MOST_BYTES
        )
    try:
        return parse_either(raw)
    except CatalogueFault:
        raise
    except RecursionError as error:
        raise CatalogueFault(gettext_noop("The catalogue is nested too deeply.")) from error
    except (yaml.YAMLError, ValueError) as error:
        problem = " ".join(str(error).split())[:300]
        raise CatalogueFault(
            gettext_noop("The catalogue is not readable as YAML or JSON: %(problem)s"),
            problem=problem,
        ) from error


def parse_either(raw: bytes) -> object:
    """Return what JSON says, or else what YAML says, which reads some escapes of JSON otherwise."""
    try:
        return json.loads(raw, object_pairs_hook=mapping_of)
    except (json.JSONDecodeError, UnicodeDecodeError):
        return yaml.load(raw, Loader=PlainLoader)  # noqa: S506 -- a SafeLoader


def mapping_of(pairs: list[tuple[Any, Any]]) -> dict[Any, Any]:
    """Return a mapping of names and values; refuse a name that stands twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        times = Counter(name for name, _value in pairs)
        twice = next(name for name in times if times[name] > 1)
        raise CatalogueFault(
            gettext_noop("In the catalogue, one mapping has the name “%(name)s” twice."),
            name=str(twice)[:60],
        )
    return found


class PlainLoader(yaml.SafeLoader):
    """Loads plain trees of texts."""

    yaml_implicit_resolvers: dict[Any, Any] = {}

    def compose_node(self, parent: Any, index: Any) -> Any:
        """Refuse aliases: a few of them can stand for gigabytes."""
        if self.check_event(yaml.AliasEvent):
            raise CatalogueFault(gettext_noop("The catalogue may not use YAML's anchors."))
        return super().compose_node(parent, index)

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        """Refuse names that stand twice."""
        if isinstance(node, yaml.MappingNode):
            mapping_of([(name.value, None) for name, _value in node.value if name.id == "scalar"])
        return super().construct_mapping(node, deep=deep)
