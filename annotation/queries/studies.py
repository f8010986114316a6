"""What pages show of studies, members, posts and jobs."""

from datetime import timedelta

from django.contrib.postgres.search import SearchQuery, SearchVector
from django.db.models import Count, Q, QuerySet
from django.db.models.functions import Now

from annotation.models import Job, JobWorker, Member, Post, Study, User

ALIVE_WITHIN = timedelta(seconds=15)


def studies_of(user: User) -> QuerySet[Member]:
    """Return a person's memberships with their studies."""
    return (
        Member.objects.filter(user=user, is_active=True)
        .select_related("study__protocol")
        .order_by("study__title")
    )


def members_of(study: Study) -> QuerySet[Member]:
    """Return a study's members with their accounts, owners first."""
    return Member.objects.filter(study=study).select_related("user").order_by("-role", "pk")


def post_totals(study: Study) -> dict[str, int]:
    """Return how many posts were imported, and how many of them are kept."""
    return Post.objects.filter(study=study).aggregate(
        imported=Count("pk"), kept=Count("pk", filter=Q(dropped_reason=""))
    )


def search_posts(study: Study, words: str = "", kept: str = "") -> QuerySet[Post]:
    """Return a study's posts in the order of import, those with all the words if some are given."""
    posts = Post.objects.filter(study=study).order_by("pk")
    if kept == "kept":
        posts = posts.filter(dropped_reason="")
    if kept == "dropped":
        posts = posts.exclude(dropped_reason="")
    if words.strip():
        matches = SearchVector("text", config="simple")
        posts = posts.annotate(words=matches).filter(
            Q(words=SearchQuery(words, config="simple")) | Q(external_id=words.strip())
        )
    return posts


def jobs_of(study: Study) -> QuerySet[Job]:
    """Return a study's jobs, newest first."""
    return Job.objects.filter(study=study).select_related("created_by")


def worker_is_alive() -> bool:
    """Say whether some Celery worker showed signs of life lately."""
    return JobWorker.objects.filter(seen_at__gt=Now() - ALIVE_WITHIN).exists()
