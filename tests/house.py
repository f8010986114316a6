"""The models of the house, and by which way each belongs to a study."""

from collections.abc import Iterator

from django.apps import apps
from django.db import connection
from django.db.models import ForeignKey, Model

from annotation.models import ApiToken, Study

APPS = ("annotation", "crowd", "legal", "filtering", "releases", "embeddings")


def path_to_study(model: type[Model], seen: frozenset[type[Model]] = frozenset()) -> str | None:
    """Return the shortest way from a model to its study, as a lookup; None when it has none."""
    if model is Study:
        return ""
    ways = []
    for key in model._meta.concrete_fields:
        target = key.related_model
        if isinstance(key, ForeignKey) and target not in seen | {model}:
            onward = path_to_study(target, seen | {model})
            if onward is not None:
                ways.append(f"{key.name}__{onward}".removesuffix("__"))
    return min(ways, key=lambda way: way.count("__"), default=None)


def models_of_studies() -> Iterator[tuple[type[Model], str]]:
    """Yield every model whose rows belong to a study; histories follow what they are of."""
    for label in APPS:
        for model in apps.get_app_config(label).get_models(include_auto_created=True):
            path = path_to_study(model)
            if path is not None and not hasattr(model, "pgh_tracked_model"):
                yield model, path


def fingerprint() -> dict[str, tuple[int, int]]:
    """Return what would be another thing if any row of any study were: rows, and their hashes.

    Tokens are their people's, and asking the API makes one.
    """
    models = (model for model, _path in models_of_studies() if model is not ApiToken)
    tables = {model.__name__: model._meta.db_table for model in models}
    parts = (
        f"SELECT '{name}', count(*), sum(hashtext(row::text)) FROM {table} AS row"
        for name, table in tables.items()
    )
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(parts))
        return {name: (rows, hashes) for name, rows, hashes in cursor.fetchall()}
