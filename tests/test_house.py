"""What import-linter cannot see: foreign keys point downward, text keys included."""

import pytest
from django.apps import apps
from django.db.models import ForeignKey, Model

FLOORS = {
    "infra": 0,
    "embeddings": 1,
    "annotation": 2,
    "crowd": 3,
    "legal": 3,
    "filtering": 4,
    "releases": 5,
    "config": 7,
}


def may_point(source: str, target: str) -> bool:
    if source == target or target not in FLOORS:
        return True
    return FLOORS[target] < FLOORS[source]


def keys_of(model: type[Model]) -> list[ForeignKey]:
    fields = [*model._meta.get_fields(include_hidden=False), *model._meta.many_to_many]
    return [field for field in fields if getattr(field, "remote_field", None) and field.concrete]


@pytest.mark.parametrize("label", sorted(FLOORS))
def test_foreign_keys_point_downward(label):
    for model in apps.get_app_config(label).get_models(include_auto_created=True):
        for key in keys_of(model):
            target = key.related_model._meta.app_label
            assert may_point(label, target), f"{model.__name__}.{key.name} points to {target}"


def test_the_rule_sees_a_key_that_points_upward_or_sideways():
    assert not may_point("annotation", "crowd")
    assert not may_point("crowd", "legal")
    assert may_point("filtering", "crowd")


def test_people_posts_and_votes_are_protected_from_deletion():
    from django.db.models import PROTECT

    allowed_to_go = {"cursors"}  # how far somebody has come is no evidence
    for model in apps.get_app_config("annotation").get_models():
        if model.__name__.endswith("Event"):
            continue
        for key in keys_of(model):
            if key.remote_field.related_name in allowed_to_go:
                continue
            assert key.remote_field.on_delete is PROTECT, f"{model.__name__}.{key.name}"
