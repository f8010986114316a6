"""What import-linter cannot see: foreign keys point downward, text keys included."""

import pytest
from django.apps import apps
from django.db import connection
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

    # How far somebody has come, and that they are signed in, is no evidence.
    allowed_to_go = {"cursors", "sessions"}
    for model in apps.get_app_config("annotation").get_models():
        if model.__name__.endswith("Event"):
            continue
        for key in keys_of(model):
            if key.remote_field.related_name in allowed_to_go:
                continue
            assert key.remote_field.on_delete is PROTECT, f"{model.__name__}.{key.name}"


HOT_TABLES = [
    f"annotation_{name}"
    for name in ("task", "place", "assignment", "vote", "cursor", "standing", "sitting")
]
INDEXES = """
    SELECT class.relname, index.indexrelid::regclass::text, index.indkey::text, index.indisunique
    FROM pg_index AS index JOIN pg_class AS class ON class.oid = index.indrelid
    WHERE class.relname = ANY (%s)
        AND index.indpred IS NULL AND index.indexprs IS NULL AND NOT 0 = ANY (index.indkey)
"""


@pytest.mark.django_db
def test_no_index_that_votes_write_says_what_another_begins_with():
    with connection.cursor() as cursor:
        cursor.execute(INDEXES, [HOT_TABLES])
        rows = cursor.fetchall()
    found = [
        (name, other)
        for table, name, columns, is_unique in rows
        for other_table, other, other_columns, _other_is_unique in rows
        if table == other_table and name != other and not is_unique
        if f"{other_columns} ".startswith(f"{columns} ")
    ]
    assert not found
