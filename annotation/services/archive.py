"""Keeps what is archived as it is: whoever writes into a study holds it out of the archive.

The row of the study is the lock. Writers share it (`hold_open`), or take turns by it where they
make what is numbered or unique (`lock_study`); the archive waits for all of them and then wants it
for itself. Votes ask for the state once their person's standing is locked, as their path is the hot
one; `wait_for_votes` sees the last of them end.

What stays possible: reading, whom the study is open to, what people are owed, withdrawing, and
ending what is under way.
"""

from django.core.exceptions import PermissionDenied
from django.db import connection, transaction
from django.utils.translation import gettext as _

from annotation.models import Standing, Study, StudyState


class StudyArchived(PermissionDenied):
    """A change of an archived study; its text is a sentence for the person."""


def is_held_open(study_id: int) -> bool:
    """Say whether a study is not archived, and keep it so until this transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT state FROM annotation_study WHERE id = %s FOR KEY SHARE", [study_id])
        return bool(cursor.fetchone()[0] != StudyState.ARCHIVED)


def hold_open(study_id: int) -> None:
    """Keep a study out of the archive until this transaction ends; refuse it when it is there."""
    if not is_held_open(study_id):
        raise StudyArchived(
            _(
                "This study is archived: everything in it can be read, and nothing changed. An "
                "owner can take it out of the archive."
            )
        )


def lock_study(study_id: int) -> Study:
    """Make those who change a study in this way take turns; refuse it when it is archived."""
    hold_open(study_id)
    return Study.objects.select_for_update(no_key=True).get(pk=study_id)


def wait_for_votes(study: Study) -> None:
    """Return when every vote has ended that found the study open.

    What is waited for is locked one by one, so nobody ever waits for this in a circle.
    """
    standings = Standing.objects.filter(member__study=study)
    with transaction.atomic():
        idle = standings.select_for_update(of=("self",), skip_locked=True)
        at_work = set(standings.values_list("pk", flat=True)) - set(
            idle.values_list("pk", flat=True)
        )
    for standing in sorted(at_work):
        with transaction.atomic():
            list(Standing.objects.select_for_update().filter(pk=standing))
