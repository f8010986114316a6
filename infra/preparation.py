"""Brings the tables of a database to where the code wants them, one process at a time."""

import contextlib
from collections.abc import Iterator

from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.utils import OperationalError

PREPARATION_LOCK = 4_875_121_001


def is_out_of_date() -> bool:
    """Say whether something is left to migrate; finding out is cheap."""
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def migrate() -> None:
    """Make the tables, or bring them up to date."""
    call_command("migrate", interactive=False, verbosity=0)


@contextlib.contextmanager
def prepared_by_one() -> Iterator[None]:
    """Let one process at a time migrate and fill the database."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [PREPARATION_LOCK])
    try:
        yield
    finally:
        with contextlib.suppress(OperationalError), connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [PREPARATION_LOCK])
