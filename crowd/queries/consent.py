"""What people are told before they agree, what they have agreed to, and what they are asked."""

from dataclasses import dataclass

from django.db import connection
from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from annotation.models import Exclusion, ExclusionKind, Member, StageCode, Study
from crowd.models import BackgroundAnswer, BackgroundQuestion, Consent, ConsentText
from crowd.queries.recruitment import size_of_visit

VOTES_FOR_MEDIAN = 1_000
FEWEST_FOR_MEDIAN = 20

# The newest votes only: the time is the same for a study of any size.
MEDIAN_SECONDS = """
    SELECT count(*), percentile_cont(0.5) WITHIN GROUP (ORDER BY seconds) FROM (
        SELECT vote.seconds FROM annotation_vote AS vote
        JOIN annotation_task AS task ON task.id = vote.task_id
        JOIN annotation_batch AS batch ON batch.id = task.batch_id
        WHERE batch.study_id = %(study)s AND batch.stage = %(stage)s AND vote.seconds IS NOT NULL
        ORDER BY vote.id DESC LIMIT %(most)s
    ) AS newest
"""


def newest_consent_text(study: Study) -> ConsentText | None:
    """Return what people agree to now; None where the study asks for no consent."""
    return ConsentText.objects.filter(study=study).first()


def consent_versions(study: Study) -> QuerySet[ConsentText]:
    """Return all versions, newest first, with how many agreed to each and how many withdrew."""
    withdrawn = Q(consents__withdrawn_at__isnull=False)
    return (
        ConsentText.objects.filter(study=study)
        .select_related("created_by")
        .annotate(given=Count("consents"), withdrawn=Count("consents", filter=withdrawn))
    )


def questions_of(study: Study) -> QuerySet[BackgroundQuestion]:
    """Return what a study asks or has asked, in its order, with the numbers of answers."""
    declined = Q(answers__answer="")
    return BackgroundQuestion.objects.filter(study=study).annotate(
        answered=Count("answers", filter=~declined & Q(answers__isnull=False)),
        declined=Count("answers", filter=declined),
    )


def open_questions(member: Member) -> QuerySet[BackgroundQuestion]:
    """Return the questions that somebody has neither answered nor declined."""
    settled = BackgroundAnswer.objects.filter(question=OuterRef("pk"), member=member)
    return BackgroundQuestion.objects.filter(
        ~Exists(settled), study=member.study_id, retired_at=None
    )


def withdrawals_of(study: Study) -> QuerySet[Exclusion]:
    """Return who took themselves out, at each stage, newest first."""
    rows = Exclusion.objects.filter(member__study=study, kind=ExclusionKind.WITHDRAWN)
    return rows.select_related("member").order_by("-pk")


def consent_gate(member: Member) -> str:
    """Ask for consent to the newest text. Who withdrew is not asked again: their work has ended."""
    text = newest_consent_text(member.study)
    if text is None or Consent.objects.filter(member=member, text=text).exists():
        return ""
    return "work_consent"


def background_gate(member: Member) -> str:
    """Ask what the study wants to know about its annotators."""
    return "work_background" if open_questions(member).exists() else ""


def is_turned_away(member: Member) -> bool:
    """Say whether somebody gave an answer of whom the study does not look for."""
    said = BackgroundAnswer.objects.filter(member=member, question__retired_at=None)
    ending = said.exclude(question__turns_away=[])
    answers = ending.values_list("answer", "question__turns_away")
    return any(answer in turns_away for answer, turns_away in answers)


def screening_gate(member: Member) -> str:
    """Stop whom the study does not look for."""
    return "work_screened_out" if is_turned_away(member) else ""


@dataclass(frozen=True)
class Expected:
    """What a sitting is expected to take; None while too few votes are known."""

    posts: int
    minutes: int | None


def expected_of(member: Member) -> Expected:
    """Return what the sitting that somebody may begin next is expected to take."""
    posts = size_of_visit(member) or member.study.protocol.sitting_size
    return expected_time(member.study, posts)


def expected_time(study: Study, posts: int) -> Expected:
    """Return how long a sitting of so many posts takes, by the median of the newest votes."""
    parameters: dict[str, int | str] = {
        "study": study.pk,
        "stage": StageCode.CROWD,
        "most": VOTES_FOR_MEDIAN,
    }
    with connection.cursor() as cursor:
        cursor.execute(MEDIAN_SECONDS, parameters)
        votes, seconds = cursor.fetchone()
    if votes < FEWEST_FOR_MEDIAN:
        return Expected(posts, None)
    return Expected(posts, max(1, round(seconds * posts / 60)))
