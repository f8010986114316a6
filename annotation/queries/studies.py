"""What pages show of studies, members and posts."""

from collections.abc import Iterable

from django.contrib.postgres.search import SearchQuery, SearchVector
from django.db.models import Case, Count, Exists, IntegerField, OuterRef, Q, QuerySet, When

from annotation.models import (
    Batch,
    BatchState,
    ImportFile,
    Member,
    Origin,
    Place,
    Post,
    Role,
    Study,
    StudyState,
    Task,
    TaskKind,
    User,
    Vote,
)


def studies_of(user: User) -> QuerySet[Member]:
    """Return a person's memberships with their studies."""
    return (
        Member.objects.filter(user=user, is_active=True)
        .select_related("study__protocol")
        .order_by("study__title")
    )


def open_work_of(members: Iterable[Member]) -> set[tuple[int, str]]:
    """Return which stages of these members' studies hand out posts, as (study's id, stage).

    Open tasks (gold) wait as long as the member has not voted on them.
    """
    active = [member for member in members if member.study.state == StudyState.ACTIVE]
    unfilled = Place.objects.unfilled().filter(batch=OuterRef("pk"))
    own = Vote.objects.filter(task=OuterRef("pk"), member__in=active)
    unlabelled = Task.objects.filter(~Exists(own), batch=OuterRef("pk"), kind=TaskKind.OPEN)
    handed_out = Batch.objects.filter(
        Exists(unfilled) | Exists(unlabelled),
        study__in={member.study_id for member in active},
        origin=Origin.HERE,
        state=BatchState.OPEN,
    )
    return set(handed_out.values_list("study_id", "stage"))


ROLE_ORDER = Case(
    When(user=None, then=len(Role)),
    *(When(role=role, then=place) for place, role in enumerate(Role.values)),
    output_field=IntegerField(),
)


def members_of(study: Study) -> QuerySet[Member]:
    """Return a study's members and accounts: owners first, people of imported rounds last."""
    return Member.objects.filter(study=study).select_related("user").order_by(ROLE_ORDER, "pk")


def post_totals(study: Study) -> dict[str, int]:
    """Return how many posts were imported, and how many of them are kept."""
    return (
        Post.objects.imported()
        .filter(study=study)
        .aggregate(imported=Count("pk"), kept=Count("pk", filter=Q(dropped_reason="")))
    )


def search_posts(study: Study, words: str = "", kept: str = "") -> QuerySet[Post]:
    """Return a study's posts in the order of import, those with all the words if some are given."""
    posts = Post.objects.imported().filter(study=study).order_by("pk")
    if kept == "kept":
        posts = posts.filter(dropped_reason="")
    if kept == "dropped":
        posts = posts.exclude(dropped_reason="")
    words = words.replace("\0", "").strip()
    if words:
        matches = SearchVector("text", config="simple")
        posts = posts.annotate(words=matches).filter(
            Q(words=SearchQuery(words, config="simple")) | Q(external_id=words)
        )
    return posts


def twin_of(file: ImportFile) -> ImportFile | None:
    """Return an earlier import of the very same file."""
    return ImportFile.objects.filter(
        study=file.study_id, importer=file.importer, sha256=file.sha256, pk__lt=file.pk
    ).first()
