"""Sessions in PostgreSQL as Django keeps them; only their reading is spared the ORM's work.

Every request of somebody signed in reads its session, so this is on the path of each vote.
"""

from typing import Any

from django.contrib.sessions.backends.db import SessionStore as DatabaseSessions
from django.contrib.sessions.models import Session

from annotation.queries.rows import Columns, Statement

SESSION = Columns("session", Session)
LIVE_SESSION = Statement(
    "live_session",
    f"SELECT {SESSION.sql} FROM django_session AS session "  # noqa: S608 -- columns
    "WHERE session_key = $1 AND expire_date > now()",
)


class SessionStore(DatabaseSessions):
    """One read and no write per request."""

    def _get_session_from_db(self) -> Any:
        row = LIVE_SESSION.row(self.session_key)
        if row is None:
            self._session_key = None
            return None
        return SESSION.read(row)
