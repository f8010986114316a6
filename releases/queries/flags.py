"""What became known of releases after they were made."""

from collections.abc import Iterator
from typing import Any

from django.db.models import Exists, OuterRef

from annotation.models import Exclusion, ExclusionKind, Member, Study
from releases.algorithms.pseudonyms import pseudonym
from releases.models import Release, ReleaseFlag
from releases.queries.sources import key_of


def unflagged_withdrawals() -> Iterator[tuple[int, int]]:
    """Yield releases whose member withdrew after they were read, and whose votes they hold.

    Withdrawals are few, so each is held against the releases of its study.
    """
    withdrawn = Exclusion.objects.filter(kind=ExclusionKind.WITHDRAWN).select_related("member")
    older = Release.objects.filter(
        study=OuterRef("member__study"), read_at__lt=OuterRef("created_at")
    )
    for exclusion in withdrawn.filter(Exists(older)):
        flags = ReleaseFlag.objects.filter(release=OuterRef("pk"), member=exclusion.member)
        releases = Release.objects.filter(
            ~Exists(flags),
            study=exclusion.member.study_id,
            read_at__lt=exclusion.created_at,
            manifest__choices__stages__contains=[exclusion.stage],
        )
        for release in releases.order_by("pk"):
            if holds_votes(release, exclusion):
                yield release.pk, exclusion.member_id


def holds_votes(release: Release, exclusion: Exclusion) -> bool:
    """Say whether a release was read when somebody had already voted at a stage."""
    votes = exclusion.member.votes.filter(
        task__stage=exclusion.stage,
        task__post__dropped_reason="",
        created_at__lt=release.read_at,
    )
    return votes.exists()


def flags_of(release: Release) -> list[dict[str, Any]]:
    """Return a release's flags, people under their names in releases."""
    key = key_of(release.study)
    return [
        {
            "flag": flag,
            "annotator": pseudonym(flag.member_id, key) if flag.member_id else "",
        }
        for flag in release.flags.select_related("created_by")
    ]


def member_called(study: Study, name: str) -> Member | None:
    """Return who has a name in a study's releases."""
    key = key_of(study)
    members = Member.objects.filter(study=study).values_list("pk", flat=True)
    found = next((pk for pk in members.iterator() if pseudonym(pk, key) == name), None)
    return Member.objects.filter(pk=found).first() if key and found else None
