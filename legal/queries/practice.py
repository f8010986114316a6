"""Practice posts: what a study has, what an expert has still to do, and what they said."""

from django.db.models import Count, Exists, OuterRef, QuerySet

from annotation.models import Assignment, Member, StageCode, Study
from legal.models import PracticePost, PracticeResult


def practice_posts(study: Study) -> "QuerySet[PracticePost]":
    """Return all practice posts of a study with how many experts have done each."""
    found = PracticePost.objects.filter(study=study).select_related("post", "catalogue")
    return found.annotate(done=Count("results")).order_by("pk")


def open_to(study: Study) -> "QuerySet[PracticePost]":
    """Return the practice posts that experts get, in order."""
    in_use = PracticePost.objects.filter(study=study, in_use=True)
    return in_use.select_related("catalogue", "post").order_by("pk")


def still_to_do(member: Member) -> "QuerySet[PracticePost]":
    """Return the practice posts that an expert has not done."""
    mine = PracticeResult.objects.filter(practice=OuterRef("pk"), member=member)
    return open_to(member.study).filter(~Exists(mine))


def next_practice(member: Member) -> PracticePost | None:
    """Return what an expert practises on before their first real post; None from then on."""
    has_begun = Assignment.objects.filter(member=member, task__stage=StageCode.LEGAL).exists()
    return None if has_begun else still_to_do(member).first()


def own_results(member: Member) -> "QuerySet[PracticeResult]":
    """Return what an expert said in practice, in order."""
    found = PracticeResult.objects.filter(member=member, practice__study=member.study_id)
    return found.select_related("practice__catalogue", "practice__post").order_by("practice_id")
