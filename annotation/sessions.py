"""Sessions in PostgreSQL: one read and no write per request, and the read brings the account too.

Every request of somebody signed in reads its session, so this is on the path of each vote.
"""

from typing import Any

from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore as DatabaseSessions
from django.utils.crypto import constant_time_compare

from annotation.models import Session, User
from annotation.queries.rows import Columns, Statement, read_row

LIVE = (Columns("session", Session), Columns("person", User))
LIVE_SESSION = Statement(
    "live_session",
    f"""
    SELECT {", ".join(columns.sql for columns in LIVE)} FROM annotation_session AS session
    LEFT JOIN annotation_user AS person ON person.id = session.user_id AND person.is_active
    WHERE session.session_key = $1 AND session.expire_date > now()
""",  # noqa: S608 -- columns
)


class SessionStore(DatabaseSessions):
    """A session, and whose it was when it was read."""

    account: User | None = None

    @classmethod
    def get_model_class(cls) -> type[Session]:
        """Return the table."""
        return Session

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        """Return the row to be saved, with the account that signed in."""
        row = super().create_model_instance(data)
        assert isinstance(row, Session)
        row.user_id = data.get(SESSION_KEY)
        return row

    def _get_session_from_db(self) -> Session | None:
        row = LIVE_SESSION.row(self.session_key)
        if row is None:
            self._session_key = None
            return None
        session: Session
        session, self.account = read_row(*LIVE, row=row)
        return session

    def signed_in(self) -> User | None:
        """Return whose session this is, unless their password was changed since.

        None also for whatever needs a second look: a session that is new or was signed out of.
        """
        key, seal = self.get(SESSION_KEY), self.get(HASH_SESSION_KEY)
        account = self.account
        if account is None or key != str(account.pk) or not seal:
            return None
        return account if constant_time_compare(seal, account.get_session_auth_hash()) else None
