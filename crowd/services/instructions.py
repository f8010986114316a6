"""Writes new versions of the instructions, and records who has read which."""

from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.models import Member, Study, User
from annotation.services.archive import hold_open, lock_study
from crowd.models import Acknowledgement, Instructions
from crowd.queries.work import newest_instructions
from crowd.services.defaults import current_instructions


class InstructionsRefused(Exception):
    """Instructions that cannot be stored; the text is a sentence for the person."""


@transaction.atomic
def write_instructions(
    *,
    by: User | None,
    study: Study,
    markdown: str,
    introduction: str = "",
    shown_metadata: Sequence[str] = (),
    seen_version: int | None = None,
) -> Instructions:
    """Store a new version; text that changes nothing makes none.

    `seen_version` is the version that the person changed; refused when there is a newer one.
    """
    introduction, markdown = tidy(introduction), tidy(markdown)
    lock_study(study.pk)
    newest = current_instructions(study)
    if seen_version is not None and newest.version != seen_version:
        raise InstructionsRefused(
            _("Version %s was written meanwhile. Copy your text, open this page anew, and merge.")
            % newest.version
        )
    wanted = (introduction, markdown, list(shown_metadata))
    if wanted == (newest.introduction, newest.markdown, newest.shown_metadata):
        return newest
    return Instructions.objects.create(
        study=study,
        version=newest.version + 1,
        introduction=introduction,
        markdown=markdown,
        shown_metadata=list(shown_metadata),
        created_by=by,
    )


def tidy(text: str) -> str:
    """Return text with plain line ends, as browsers send others."""
    return "\n".join(text.splitlines()).strip()


def ready_instructions(by: Member) -> tuple[Instructions, bool]:
    """Return the newest instructions, and whether this person has read them."""
    return newest_instructions(by.study, by) or (current_instructions(by.study), False)


@transaction.atomic
def acknowledge(*, by: Member, version: int) -> Acknowledgement:
    """Record that a person has read a version of the instructions."""
    hold_open(by.study_id)
    instructions = Instructions.objects.filter(study=by.study_id, version=version).first()
    if instructions is None:
        raise InstructionsRefused(_("There is no such version of the instructions."))
    found, _is_new = Acknowledgement.objects.get_or_create(member=by, instructions=instructions)
    return found
