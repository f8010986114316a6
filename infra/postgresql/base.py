"""The database backend: an `EMBEDDED_ROOT` in its settings stands for host, user and password.

Commands that never touch the database never start a server.
"""

from pathlib import Path
from typing import Any

from django.db.backends.postgresql import base


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
        return parameters
