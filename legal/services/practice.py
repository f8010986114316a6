"""Writes practice posts with their model answers, and keeps what experts say on them.

Nothing here makes a vote. A post of the study that experts practise on is never handed out to them:
they have read the model answer.
"""

import pghistory
from django.db import transaction
from django.utils.translation import gettext as _

from annotation.cleaning import clean
from annotation.models import Member, Post, StageCode, Study, StudyState, Task
from annotation.services.archive import lock_study
from annotation.services.importing import cleaning_settings
from annotation.services.votes import Answer
from legal.algorithms import ExpertAnswer, plain_data, plain_lines
from legal.models import PracticePost, PracticeResult
from legal.queries.catalogues import issue_nodes
from legal.queries.library import passages_among
from legal.queries.settings import settings_of
from legal.services.catalogues import ensure_catalogue
from legal.services.checking import MOST_COMMENT, judged, text_problems

MOST_TEXT = 20_000


class PracticeRefused(Exception):
    """What cannot be done with a practice post; its text is a sentence for the person."""


@transaction.atomic
def choose_practice(*, by: Member, study: Study, external_id: str) -> PracticePost:
    """Make a post of the study one to practise on; refused where experts assess it."""
    with pghistory.context(user=by.user_id, action="choose practice post"):
        lock_study(study.pk)
        kept = Post.objects.filter(study=study, dropped_reason="")
        post = kept.filter(external_id=external_id.replace("\0", "")).first()
        if post is None:
            raise PracticeRefused(
                _("The study has no kept post with the id “%s”.") % external_id[:60]
            )
        if Task.objects.filter(post=post, stage=StageCode.LEGAL).exists():
            raise PracticeRefused(
                _(
                    "Experts assess this post, so they cannot practise on it. Choose one that did "
                    "not come to the legal stage, or write one."
                )
            )
        if PracticePost.objects.filter(study=study, post=post).exists():
            raise PracticeRefused(_("This post is one to practise on already."))
        return begin(by, study, post.text, post)


@transaction.atomic
def write_practice(*, by: Member, study: Study, text: str) -> PracticePost:
    """Store a text written for practice; it is cleaned as imported posts are, and is no data."""
    with pghistory.context(user=by.user_id, action="write practice post"):
        lock_study(study.pk)
        for sentence in text_problems(_("The text"), text, MOST_TEXT):
            raise PracticeRefused(sentence)
        cleaned = clean(text, cleaning_settings(study)).text
        if not cleaned:
            raise PracticeRefused(
                _("Nothing is left of this text after cleaning. Write some words.")
            )
        return begin(by, study, cleaned, None)


def begin(by: Member, study: Study, text: str, post: Post | None) -> PracticePost:
    """Store a practice post without its model answer yet."""
    return PracticePost.objects.create(
        study=study,
        post=post,
        text=text,
        catalogue=ensure_catalogue(by=by.user, study=study),
        created_by=by.user,
    )


@transaction.atomic
def write_model_answer(
    *, by: Member, practice: PracticePost, answer: ExpertAnswer, explanation: str, in_use: bool
) -> PracticePost:
    """Store a model answer, checked as an expert's would be, and say whether experts get it."""
    with pghistory.context(user=by.user_id, action="write model answer"):
        lock_study(practice.study_id)
        for sentence in text_problems(_("The explanation"), explanation, MOST_COMMENT):
            raise PracticeRefused(sentence)
        practice.model_answer = plain_data(judge(practice, answer))
        practice.explanation, practice.in_use = plain_lines(explanation), in_use
        practice.save(update_fields=["model_answer", "explanation", "in_use"])
    return practice


@transaction.atomic
def submit_practice(
    *, by: Member, practice: PracticePost, answer: ExpertAnswer
) -> tuple[PracticeResult, bool]:
    """Keep an expert's answer beside the model one; return the one that stands, and if it is new.

    The first answer stands: who has seen the model answer cannot practise on it again.
    """
    study = lock_study(practice.study_id)
    if study.state != StudyState.ACTIVE:
        raise PracticeRefused(_("The researchers have paused the study; come back later."))
    if not practice.in_use:
        raise PracticeRefused(_("This is not practised on any more. Go on to the next post."))
    said = judge(practice, answer)
    kept_seconds = Answer(said.label, said.seconds).kept_seconds
    return PracticeResult.objects.get_or_create(
        practice=practice,
        member=by,
        defaults={
            "answer": plain_data(said),
            "model_answer": practice.model_answer,
            "explanation": practice.explanation,
            "seconds": kept_seconds,
        },
    )


def judge(practice: PracticePost, answer: ExpertAnswer) -> ExpertAnswer:
    """Return an answer as it is stored, or raise AnswerRefused with all that is wrong with it."""
    found = judged(
        answer,
        issue_nodes(practice.catalogue),
        text=practice.text,
        settings=settings_of(practice.study),
        passages=passages_among(practice.study, [one.passage for one in answer.citations]),
    )
    return found.answer
