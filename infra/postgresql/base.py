"""The database backend: an `EMBEDDED_ROOT` in its settings stands for host, user and password.

Commands that never touch the database never start a server.
"""

import select
from pathlib import Path
from typing import Any

from django.db.backends.postgresql import base

# The plans that connections keep are those of the task engine and of `annotation.queries.rows`.
# They fit all values; planning one anew costs more than its work, and compiling one never pays.
PLANNING = "-c plan_cache_mode=force_generic_plan -c jit=off"


class DatabaseWrapper(base.DatabaseWrapper):
    """Asks the supervisor for the server's address when a connection is made."""

    def get_connection_params(self) -> dict[str, Any]:
        """Return psycopg2's parameters; start the embedded server first where it is meant."""
        root = self.settings_dict.get("EMBEDDED_ROOT")
        if root and not self.settings_dict["HOST"]:
            from infra.servers import ensure_database

            database = ensure_database(Path(root))
            self.settings_dict.update(
                HOST=database.host,
                PORT=database.port,
                USER=database.user,
                PASSWORD=database.password,
            )
        parameters: dict[str, Any] = super().get_connection_params()
        parameters["options"] = f"{PLANNING} {parameters.get('options', '')}".strip()
        return parameters

    def close_if_health_check_failed(self) -> None:
        """Ask the server whether it is there only when it said something unasked.

        A server that ends says so, and closes the connection: both can be seen without a round
        trip, which every request would pay for.
        """
        if self.connection is not None and is_silent(self.connection.fileno()):
            self.health_check_done = True
        super().close_if_health_check_failed()


def is_silent(descriptor: int) -> bool:
    """Say whether a connection has nothing to read, nor an end of it."""
    waiting = select.poll()
    waiting.register(descriptor, select.POLLIN)
    return not waiting.poll(0)
