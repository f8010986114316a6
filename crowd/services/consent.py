"""Writes what people agree to, records who agreed and what they said, and lets people withdraw."""

from collections.abc import Mapping, Sequence

import pghistory
from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from annotation.models import (
    ExclusionKind,
    Member,
    StageCode,
    Study,
    User,
)
from annotation.services.archive import hold_open, lock_study
from annotation.services.assignments import database_now, lock_standing
from annotation.services.standings import StandingRefused, exclude
from crowd.models import BackgroundAnswer, BackgroundQuestion, Consent, ConsentText, QuestionKind
from crowd.queries.admission import has_ended
from crowd.queries.consent import (
    consent_gate,
    is_turned_away,
    newest_consent_text,
    open_questions,
)
from crowd.services.instructions import tidy
from crowd.services.screening import turn_away

FEWEST_CHOICES = 2
# In the order in which whoever decides on candidates locks their standings, too.
CROWD_STAGES = (StageCode.PRESCREENING, StageCode.CROWD)


class ConsentRefused(Exception):
    """Something about consent that cannot be done; its text is a sentence for the person."""


class EndingRefused(ConsentRefused):
    """The choices that are to end a question are none of its choices."""


@transaction.atomic
def write_consent_text(
    *, by: User | None, study: Study, markdown: str, seen_version: int | None = None
) -> ConsentText:
    """Store a new version of what people agree to; text that changes nothing makes none.

    `seen_version` is the version that the person changed (0: there was none); refused when there
    is a newer one.
    """
    lock_study(study.pk)
    newest, markdown = newest_consent_text(study), tidy(markdown)
    version = newest.version if newest else 0
    if seen_version is not None and version != seen_version:
        raise ConsentRefused(
            _("Version %s was written meanwhile. Copy your text, open this page anew, and merge.")
            % version
        )
    if newest and newest.markdown == markdown:
        return newest
    return ConsentText.objects.create(
        study=study, version=version + 1, markdown=markdown, created_by=by
    )


@transaction.atomic
def give_consent(*, by: Member, version: int) -> Consent:
    """Record that somebody agrees to the newest text, which they must have seen."""
    refuse_ended(by)
    newest = newest_consent_text(by.study)
    if newest is None or newest.version != version:
        raise ConsentRefused(_("The text has changed meanwhile. Please read it once more."))
    with pghistory.context(user=by.user_id, action="give consent"):
        consent, _is_new = Consent.objects.get_or_create(member=by, text=newest)
    return consent


def refuse_ended(by: Member) -> None:
    """Refuse who withdrew or was dismissed; whoever does so at this moment comes after."""
    hold_open(by.study_id)
    lock_standing(by, StageCode.CROWD)
    if has_ended(by):
        raise ConsentRefused(_("Your work in this study has ended; nothing more is asked of you."))


@transaction.atomic
def add_question(
    *,
    by: User | None,
    study: Study,
    question: str,
    kind: str,
    choices: Sequence[str] = (),
    turns_away: Sequence[str] = (),
    required: bool = True,
) -> BackgroundQuestion:
    """Ask something more. A question that was asked never changes its words: retire it instead."""
    if kind == QuestionKind.CHOICE and len(set(choices)) < FEWEST_CHOICES:
        raise ConsentRefused(_("Give at least two different choices, one a line."))
    if not set(turns_away) <= set(choices if kind == QuestionKind.CHOICE else ()):
        raise EndingRefused(_("Only choices of this question can end it; copy them as they are."))
    lock_study(study.pk)
    last = BackgroundQuestion.objects.filter(study=study).aggregate(last=Max("order"))["last"]
    with pghistory.context(user=by.pk if by else None, action="add background question"):
        return BackgroundQuestion.objects.create(
            study=study,
            order=(last or 0) + 1,
            question=question,
            kind=kind,
            choices=list(dict.fromkeys(choices)) if kind == QuestionKind.CHOICE else [],
            turns_away=list(dict.fromkeys(turns_away)),
            required=required,
        )


@transaction.atomic
def retire_question(*, by: User | None, question: BackgroundQuestion) -> BackgroundQuestion:
    """Ask a question no more; what was answered stays."""
    hold_open(question.study_id)
    if question.retired_at is None:
        question.retired_at = database_now()
        with pghistory.context(user=by.pk if by else None, action="retire background question"):
            question.save(update_fields=["retired_at"])
    return question


@transaction.atomic
def answer_questions(*, by: Member, answers: Mapping[int, str]) -> list[BackgroundAnswer]:
    """Record answers by the questions' ids; nothing is a declined one. The first answer stands."""
    refuse_ended(by)
    if consent_gate(by):
        raise ConsentRefused(_("Please read what taking part means first, and agree to it."))
    wanted = open_questions(by).filter(pk__in=answers)
    stored = BackgroundAnswer.objects.bulk_create(
        [
            BackgroundAnswer(member=by, question=question, answer=answers[question.pk])
            for question in wanted
        ],
        ignore_conflicts=True,
    )
    if is_turned_away(by):
        turn_away(member=by)
    return stored


@transaction.atomic
def withdraw(*, by: Member) -> None:
    """Take oneself out of a study: votes stop counting and leave the next release.

    What was earned stays earned; the open sitting ends as it stands.
    """
    for stage in CROWD_STAGES:
        try:
            exclude(by=by.user, member=by, stage=stage, kind=ExclusionKind.WITHDRAWN)
        except StandingRefused:
            raise ConsentRefused(_("You have withdrawn already.")) from None
    with pghistory.context(user=by.user_id, action="withdraw consent"):
        for consent in Consent.objects.filter(member=by, withdrawn_at=None):
            consent.withdrawn_at = database_now()
            consent.save(update_fields=["withdrawn_at"])
