"""Starts the making of releases and hands out their files; refuses to overwrite others."""

import shutil
from pathlib import Path

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.models import Job, Role, StageCode, Study, User
from annotation.queries.counts import RoundsDiffer, rounds_of
from annotation.queries.jobs import job_under_way
from annotation.services.archive import lock_study
from annotation.services.jobs import queue_job
from infra.jobs import JobRefused
from releases.choices import ReleaseChoices, Stage
from releases.layout import DOCUMENTS, FORMS
from releases.models import Release
from releases.queries.cards import with_terms
from releases.queries.posts import released_posts
from releases.queries.releases import MAKING
from releases.services.making import release_folder

# What shows that a folder holds a release.
LANDMARKS = [one.name for one in (*DOCUMENTS, *FORMS)]


AS_USUAL = ReleaseChoices()


class ReleaseRefused(Exception):
    """A release that cannot be made or handed out; its text is a sentence for the person."""


@transaction.atomic
def make_release(*, by: User | None, study: Study, choices: ReleaseChoices = AS_USUAL) -> Job:
    """Queue the making of a release. Open tasks do not forbid it; one at a time is made."""
    lock_study(study.pk)
    if not released_posts(study).exists():
        raise ReleaseRefused(
            _("The study has no post to release yet; those that only serve as gold stay out.")
        )
    if job_under_way(study, MAKING):
        raise ReleaseRefused(_("A release is being made already. Wait until it is there."))
    refuse_rounds(study, choices)
    if choices.insists and by and not is_owner(by, study):
        raise ReleaseRefused(_("Only an owner of the study may insist on what the scan found."))
    parameters = with_terms(study, choices).as_json()
    return queue_job(by=by, study=study, kind=MAKING, parameters=parameters)


def refuse_retry(job: Job, by: User | None) -> None:
    """Raise JobRefused where a release is being made, or only an owner may have this one made.

    Whoever insisted did so for what the scan had found then; a later try finds what came since.
    """
    study = lock_study(job.study_id)
    if job_under_way(study, MAKING):
        raise JobRefused(_("A release is being made already. Wait until it is there."))
    if job.parameters["insists"] and by and not is_owner(by, study):
        raise JobRefused(_("Only an owner of the study may insist on what the scan found."))


def is_owner(user: User, study: Study) -> bool:
    """Say whether somebody owns a study."""
    return study.members.filter(user=user, role=Role.OWNER, is_active=True).exists()


def refuse_rounds(study: Study, choices: ReleaseChoices) -> None:
    """Raise ReleaseRefused where a crowd round must be chosen, or the one chosen is not there."""
    if Stage.CROWD not in choices.stages:
        return
    try:
        rounds = rounds_of(study, StageCode.CROWD, choices.crowd_round)
    except RoundsDiffer as difference:
        raise ReleaseRefused(str(difference)) from None
    if choices.crowd_round is not None and not rounds.batch_ids:
        raise ReleaseRefused(_("There is no crowd round %s.") % choices.crowd_round)


def refuse_to_overwrite(folder: Path) -> None:
    """Raise ReleaseRefused where a release stands in the folder, or no folder can be."""
    taken = [name for name in LANDMARKS if (folder / name).exists()]
    if taken:
        sentence = _("%(folder)s has files of a release already (%(taken)s). Name another folder.")
        raise ReleaseRefused(sentence % {"folder": folder, "taken": ", ".join(taken)})
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        sentence = _("The folder %(folder)s cannot be made: %(reason)s.")
        raise ReleaseRefused(sentence % {"folder": folder, "reason": error.strerror}) from None


def hand_out(*, release: Release, folder: Path) -> None:
    """Copy a release's files into a folder that has none of them."""
    refuse_to_overwrite(folder)
    try:
        for file in release.files.all():
            (folder / file.name).parent.mkdir(exist_ok=True)
            shutil.copyfile(release_folder(release) / file.name, folder / file.name)
    except OSError as error:
        sentence = _("The files cannot be copied to %(folder)s: %(reason)s.")
        raise ReleaseRefused(sentence % {"folder": folder, "reason": error.strerror}) from None
