"""Clones studies, and puts them into the archive and takes them out again."""

from typing import Any, TypeVar

import pghistory
from django.db import transaction
from django.db.models import Model
from django.utils.translation import gettext as _

from annotation.models import UNDER_WAY, Job, Member, Protocol, Study, StudyState
from annotation.registry import job_kind, stages
from annotation.services.archive import wait_for_votes
from annotation.services.people import PeopleRefused, create_study


@transaction.atomic
def clone_study(*, by: Member, slug: str, title: str) -> Study:
    """Make a study that is set up as another is; without its posts, votes and people.

    Whoever clones it owns it; nobody else comes along.
    """
    user, source = by.user, by.study
    if user is None or not user.may_create_studies:
        raise PeopleRefused(_("Your account may not create studies; ask a site administrator."))
    made = create_study(
        by=user,
        owner=user,
        slug=slug,
        title=title,
        description=source.description,
        **settings_of(source.protocol),
    )
    with pghistory.context(user=user.pk, action="clone study"):
        for stage in stages():
            stage.copy(source, made, user)
    return made


def settings_of(protocol: Protocol) -> dict[str, Any]:
    """Return all settings of a protocol."""
    return {name: value for name, value in values_of(protocol).items() if name != "study"}


Row = TypeVar("Row", bound=Model)


def copy_row(row: Row, **changes: Any) -> Row:
    """Store a row once more, with some of its values changed."""
    made = type(row)(**values_of(row) | changes)
    made.save(force_insert=True)
    return made


def values_of(row: Model) -> dict[str, Any]:
    """Return the values of a row by field, without its key."""
    fields = row._meta.concrete_fields  # noqa: SLF001 -- Django's documented interface
    return {field.name: getattr(row, field.name) for field in fields if not field.primary_key}


class StudyRefused(Exception):
    """A study that cannot be archived; its text is a sentence for the person."""


def archive_study(*, by: Member) -> Study:
    """End a study's work: annotators can read what they did and change nothing.

    Nothing is written any more when this returns: what was under way has ended.
    """
    refuse_at_work(by.study_id)
    with transaction.atomic():
        study = set_state(by, StudyState.ARCHIVED, "archive study")
        refuse_at_work(study.pk)
    wait_for_votes(study)
    return study


def refuse_at_work(study_id: int) -> None:
    """Refuse while a job reads or writes."""
    job = Job.objects.filter(study=study_id, state__in=UNDER_WAY).first()
    if job:
        raise StudyRefused(
            _("“%s” is under way. Wait for it or cancel it, then archive the study.")
            % job_kind(job.kind).title
        )


@transaction.atomic
def reopen_study(*, by: Member) -> Study:
    """Take a study out of the archive; it is paused until somebody lets its work go on."""
    return set_state(by, StudyState.PAUSED, "reopen study")


def set_state(by: Member, state: str, action: str) -> Study:
    """Change a study's state once all who hold it open have ended.

    What is archived already stays so, what is not is not reopened.
    """
    with pghistory.context(user=by.user_id, action=action):
        study = Study.objects.select_for_update().get(pk=by.study_id)
        if (study.state == StudyState.ARCHIVED) != (state == StudyState.ARCHIVED):
            study.state = state
            study.save(update_fields=["state"])
    return study
