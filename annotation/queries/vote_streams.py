"""Which votes a program asks for, and up to which one it can read on without missing any."""

import time
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection
from django.db.models import Min, QuerySet

from annotation.models import Vote

PATIENCE = 2.0  # seconds; a vote is written in milliseconds, an import may take minutes
PAUSE = 0.01


@dataclass(frozen=True)
class VotesAsked:
    """Which votes, every version of them or those that stand; `after` goes on behind a vote."""

    all_versions: bool = False
    batch: int | None = None
    annotator: str = ""
    label: str = ""
    since: datetime | None = None
    after: int | None = None
    limit: int | None = None

    def among(self, votes: QuerySet[Any]) -> QuerySet[Any]:
        """Keep the votes that are asked for."""
        asked = {
            "task__batch__number": self.batch,
            "member__pseudonym": self.annotator or None,
            "label": self.label or None,
            "created_at__gte": self.since,
            "pk__gt": self.after,
        }
        return votes.filter(**{name: value for name, value in asked.items() if value is not None})

    def part(self, rows: QuerySet[Any], *, blind: QuerySet[Vote]) -> Any:
        """Return the part of these rows that is asked for, in the order in which they came.

        Whoever goes on behind a vote comes past each once. So the part ends before a vote that may
        appear later: a `blind` one, which is told in time, and one that somebody is writing.
        """
        rows = self.among(rows)
        if self.after is not None:
            settled = settled_vote()
            first = self.among(blind).aggregate(first=Min("pk"))["first"]
            rows = rows.filter(pk__lte=settled if first is None else min(settled, first - 1))
        return rows.order_by("pk")[: self.limit]


def settled_vote() -> int:
    """Return an id such that all votes up to it are written for good; 0 while that takes long.

    Ids are drawn when votes are written and seen when that is committed, in another order. Whoever
    drew one had the table locked before, so those who have it locked now are waited for.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_sequence_last_value("
            " pg_get_serial_sequence('annotation_vote', 'id')::regclass)"
        )
        drawn = int(cursor.fetchone()[0] or 0)
    writing, until = writers(), time.monotonic() + PATIENCE
    while writing:
        if time.monotonic() > until:
            return 0
        time.sleep(PAUSE)
        writing &= writers()
    return drawn


def writers() -> set[str]:
    """Return the transactions of others that write votes at this moment."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT virtualtransaction FROM pg_locks"
            " WHERE relation = 'annotation_vote'::regclass AND mode = 'RowExclusiveLock'"
            " AND granted AND pid <> pg_backend_pid()"
            " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
        )
        return {name for (name,) in cursor.fetchall()}
