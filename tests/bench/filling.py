"""Fills a database for `script/bench tasks`: a study of any size, and people who are signed in.

Posts, tasks and places are made by the database itself, as a million of them would take services an
hour; people, instructions and sittings come from the services. Prints what the annotators need.
"""

import json
import sys
from importlib import import_module

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


@transaction.atomic
def fill(slug: str, posts: int, people: int) -> dict[str, object]:
    """Make a study with an open batch of all its posts, and people in the midst of a sitting."""
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
        for sql in (POSTS, TASKS, PLACES):
            cursor.execute(sql, values)
        cursor.execute("ANALYZE")
    move_batch(batch=batch, to=BatchState.OPEN)
    return {
        "study": study.pk,
        "cookie": settings.SESSION_COOKIE_NAME,
        "csrf_cookie": settings.CSRF_COOKIE_NAME,
        "sessions": [session_of(member) for member in workers(study, people)],
    }


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
