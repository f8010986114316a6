"""How many places of a way into a study are taken, and who gives theirs back without a word."""

from datetime import timedelta

from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone

from annotation.models import WORK_ENDED, Sitting, SittingState, StageCode, Standing
from crowd.models import BackgroundAnswer, Qualified, QualifiedState, Recruitment

KEPT_FOR = timedelta(hours=1)


def places_taken(recruitment: Recruitment) -> int:
    """Return how many of those who came hold a place: they are at work, are done, or may begin.

    A place is free again when its person leaves early, has ended (withdrawn, dismissed), is
    screened out, or has begun neither test nor work within an hour. Who begins later than that
    after all is let in, and counts again.
    """
    sitting = Q(sitting__state=SittingState.OPEN) | Q(
        sitting__state=SittingState.COMPLETE, sitting__votes__gt=0
    )
    tests = Sitting.objects.filter(
        member__study=recruitment.study_id,
        member__user=OuterRef("user"),
        stage=StageCode.PRESCREENING,
    )
    may_begin = Q(created_at__gt=timezone.now() - KEPT_FOR) | Exists(tests)
    waits = Q(sitting=None) & may_begin & ~gets_no_work(recruitment)
    return recruitment.arrivals.filter(sitting | waits).count()


def gets_no_work(recruitment: Recruitment) -> Q:
    """Return the condition on an arrival that its person has ended or was screened out."""
    study = recruitment.study_id
    mine = {"member__study": study, "member__user": OuterRef("user")}
    ended = Standing.objects.filter(
        stage=StageCode.CROWD,
        state__in=WORK_ENDED,
        **mine,
    )
    refused = Qualified.objects.filter(
        user=OuterRef("user"), qualification__study=study, state=QualifiedState.REFUSED
    )
    turned_away = BackgroundAnswer.objects.filter(
        question__retired_at=None, question__turns_away__contains=[F("answer")], **mine
    )
    return Q(Exists(ended)) | Q(Exists(refused)) | Q(Exists(turned_away))
