"""Fills a database for `script/bench tasks`: a study of any size, and people who are signed in.

Posts, tasks and places are made by the database itself, as a million of them would take services an
hour; people, instructions and sittings come from the services. Prints what the annotators need.
"""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import django

django.setup()

from django.conf import settings  # noqa: E402 -- after setup
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY  # noqa: E402
from django.db import connection, transaction  # noqa: E402

from annotation.models import BatchState, Member, Role, StageCode, Study, User  # noqa: E402
from annotation.services.batches import move_batch  # noqa: E402
from annotation.services.people import add_member, create_study  # noqa: E402
from annotation.services.sittings import begin_sitting  # noqa: E402
from crowd.services.batches import start_round  # noqa: E402
from crowd.services.defaults import current_instructions  # noqa: E402
from crowd.services.instructions import acknowledge  # noqa: E402

VOTES_WANTED = 3
SITTING = 10_000
PAST_VOTES = 10_000

POSTS = """
    INSERT INTO annotation_post (study_id, external_id, original_text, text, changed_by, metadata,
        position, dropped_reason, imported_in_id, line, is_graphic)
    SELECT %(study)s, number::text, body, body, '[]', '{}', hashint8(number), '', %(file)s,
        number + 1, false
    FROM generate_series(1, %(posts)s) AS number, LATERAL (
        SELECT 'Reader ' || number || ' says that gate ' || number %% 9 || ' of the harbour is '
            || 'closed, and that nobody at the port office would tell them why.' AS body
    ) AS made
"""
FILE = """
    INSERT INTO annotation_importfile (study_id, importer, name, stored_as, sha256, size, bad_rows,
        options, report, state, created_at)
    VALUES (%s, 'posts', 'bench', '', '', 0, 'refuse', '{}', '{}', 'loaded', now()) RETURNING id
"""
TASKS = """
    INSERT INTO annotation_task (batch_id, post_id, stage, origin, kind, position)
    SELECT %(batch)s, id, 'crowd', 'here', 'closed', row_number() OVER (ORDER BY id)
    FROM annotation_post WHERE study_id = %(study)s
"""
PLACES = """
    INSERT INTO annotation_place (task_id, batch_id, position, number)
    SELECT task.id, task.batch_id, task.position, number
    FROM annotation_task AS task, generate_series(1, %(votes)s) AS number
    WHERE task.batch_id = %(batch)s ORDER BY task.position, number
"""


VOTED = """
    WITH voted AS (
        SELECT place.id, place.task_id FROM annotation_place AS place
        WHERE batch_id = %(batch)s AND position <= %(voted)s AND number = 1
    ), filled AS (
        UPDATE annotation_place AS place
        SET member_id = %(member)s, filled_at = now() FROM voted WHERE place.id = voted.id
    ), submitted AS (
        INSERT INTO annotation_assignment
            (member_id, task_id, state, skip_reason, opened_at, ended_at)
        SELECT %(member)s, task_id, 'submitted', '', now(), now() FROM voted
    )
    INSERT INTO annotation_vote
        (task_id, member_id, place_id, version, label, counted, seconds, guide_version, created_at)
    SELECT task_id, %(member)s, id, 1, 'no_claim', true, 4, 1, now() FROM voted
"""
STANDING = """
    UPDATE annotation_standing SET votes = %(voted)s WHERE member_id = %(member)s
"""
CURSOR = """
    INSERT INTO annotation_cursor (member_id, batch_id, position, returned_id, looked_to)
    VALUES (%(member)s, %(batch)s, %(voted)s, 0, 0)
"""


@contextmanager
def unwatched(cursor: Any, *tables: str) -> Iterator[None]:
    """Fill tables without their triggers and without the index of words: five times as quick."""
    cursor.execute("SELECT pg_get_indexdef('post_text_search'::regclass)")
    words = cursor.fetchone()[0]
    cursor.execute("DROP INDEX post_text_search")
    for table in tables:
        cursor.execute(f"ALTER TABLE annotation_{table} DISABLE TRIGGER ALL")
    yield
    for table in tables:
        cursor.execute(f"ALTER TABLE annotation_{table} ENABLE TRIGGER ALL")
    cursor.execute(words)


@transaction.atomic
def fill(slug: str, posts: int, people: int) -> dict[str, object]:
    """Make a study with an open batch of all its posts, and people in the midst of a sitting.

    The last of the people has voted on `PAST_VOTES` posts before (on half of a smaller batch).
    """
    study = create_study(by=None, slug=slug, title=slug.title())
    batch = start_round(
        study=study,
        stage=StageCode.CROWD,
        votes_wanted=VOTES_WANTED,
        seed=None,
    )
    values = {"study": study.pk, "batch": batch.pk, "posts": posts, "votes": VOTES_WANTED}
    with connection.cursor() as cursor:
        cursor.execute(FILE, [study.pk])
        values["file"] = cursor.fetchone()[0]
        with unwatched(cursor, "post", "task", "place"):
            for sql in (POSTS, TASKS, PLACES):
                cursor.execute(sql, values)
    everybody = workers(study, people)
    give_past(everybody[-1], values)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    move_batch(by=None, batch=batch, to=BatchState.OPEN)
    return {
        "study": study.pk,
        "cookie": settings.SESSION_COOKIE_NAME,
        "csrf_cookie": settings.CSRF_COOKIE_NAME,
        "sessions": [session_of(member) for member in everybody],
    }


def give_past(member: Member, values: dict[str, int]) -> None:
    """Let somebody have voted already on the first posts of a batch."""
    values |= {"member": member.pk, "voted": min(PAST_VOTES, values["posts"] // 2)}
    with connection.cursor() as cursor:
        for sql in (VOTED, STANDING, CURSOR):
            cursor.execute(sql, values)


def workers(study: Study, people: int) -> list[Member]:
    """Make people who have read the instructions and begun a sitting."""
    found = []
    for number in range(people):
        user = User.objects.create_user(f"{study.slug}-{number}")
        member = add_member(by=None, study=study, user=user, role=Role.CROWD_WORKER)
        acknowledge(by=member, version=current_instructions(study).version)
        begin_sitting(by=member, stage=StageCode.CROWD, size=SITTING)
        found.append(member)
    return found


def session_of(member: Member) -> str:
    """Sign somebody in."""
    assert member.user
    store = import_module(settings.SESSION_ENGINE).SessionStore()
    store[SESSION_KEY] = str(member.user.pk)
    store[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    store[HASH_SESSION_KEY] = member.user.get_session_auth_hash()
    store.create()
    return str(store.session_key)


if __name__ == "__main__":
    json.dump(fill(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])), sys.stdout)
