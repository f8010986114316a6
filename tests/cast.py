"""The standing cast of the tests, and shortcuts through the services to the states they need."""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from annotation.models import (
    Batch,
    ImportFile,
    Member,
    Post,
    Role,
    StageCode,
    Study,
    TaskKind,
    User,
)
from annotation.services import batches, importing, people, uploads
from annotation.services.sittings import begin_sitting
from infra.jobs import no_report

PASSWORD = "correct horse battery"


def make_user(name: str, **more: Any) -> User:
    return User.objects.create_user(name, f"{name}@juryroom.example", PASSWORD, **more)


def join(study: Study, name: str, role: str, *, posts: int = 10_000) -> Member:
    """Let somebody in; a crowd worker begins a sitting of this many posts."""
    user = User.objects.filter(username=name).first() or make_user(name)
    member = people.add_member(by=None, study=study, user=user, role=role)
    if role == Role.CROWD_WORKER and posts:
        begin_sitting(by=member, stage=StageCode.CROWD, size=posts)
    return member


@dataclass
class Cast:
    """One study with a person of each role, and people outside it."""

    study: Study
    owner: Member
    researcher: Member
    expert: Member
    worker: Member
    stranger: User
    site_administrator: User


def make_cast(slug: str = "rumours", **protocol: Any) -> Cast:
    study = people.create_study(by=None, slug=slug, title=slug.title(), **protocol)
    return Cast(
        study=study,
        owner=join(study, f"{slug}-owner", Role.OWNER),
        researcher=join(study, f"{slug}-researcher", Role.RESEARCHER),
        expert=join(study, f"{slug}-expert", Role.EXPERT),
        worker=join(study, f"{slug}-worker", Role.CROWD_WORKER),
        stranger=make_user(f"{slug}-stranger"),
        site_administrator=make_user(
            f"{slug}-site", is_site_administrator=True, may_create_studies=True
        ),
    )


def upload(study: Study, content: str | bytes, kind: str = "posts", **more: Any) -> ImportFile:
    raw = content.encode() if isinstance(content, str) else content
    name = more.pop("name", "file.csv")
    return uploads.store_file(
        by=None, study=study, kind=kind, name=name, content=io.BytesIO(raw), **more
    )


def add_posts(study: Study, texts: Sequence[str] | int) -> list[Post]:
    """Import posts with ids p1, p2, … through the real importer."""
    if isinstance(texts, int):
        texts = [f"Post number {number}" for number in range(1, texts + 1)]
    quoted = [text.replace('"', '""') for text in texts]
    rows = [f'p{number},"{text}"' for number, text in enumerate(quoted, start=1)]
    file = upload(study, "id,text\n" + "\n".join(rows))
    importing.import_posts(by=None, file=file, report=no_report)
    return list(Post.objects.filter(study=study).order_by("line"))


def sample_batch(
    *,
    study: Study,
    stage: str,
    labels: Sequence[str],
    number: int,
    votes_wanted: int | None,
    seed: int,
) -> Batch:
    """Draw posts into a batch of any stage and labels, through the services that all stages use."""
    batch = batches.start_batch(
        study=study, stage=stage, labels=labels, votes_wanted=votes_wanted, seed=seed
    )
    drawn = batches.sample_posts(study=study, stage=stage, number=number, seed=seed)
    kind = TaskKind.OPEN if stage == StageCode.GOLD else TaskKind.CLOSED
    batches.add_tasks(batch=batch, post_ids=drawn, kind=kind)
    return batch
