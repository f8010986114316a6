"""Fills the site of the browser tests; run as a script on its database, it prints what is there."""

import json
import time
from dataclasses import replace
from typing import Any

import django

django.setup()

from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes  # noqa: E402
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret  # noqa: E402
from django.conf import settings  # noqa: E402
from django.db import transaction  # noqa: E402
from django.test import Client  # noqa: E402
from django.urls import reverse  # noqa: E402

from annotation.models import BatchState, Member, Role, StageCode, User  # noqa: E402
from annotation.services.assignments import next_task  # noqa: E402
from annotation.services.batches import move_batch  # noqa: E402
from annotation.services.importing import import_posts  # noqa: E402
from annotation.services.people import create_study  # noqa: E402
from crowd.services.batches import create_batch  # noqa: E402
from crowd.services.consent import add_question, write_consent_text  # noqa: E402
from crowd.services.recruitment import create_recruitment, move_recruitment  # noqa: E402
from infra.jobs import no_report  # noqa: E402
from legal.algorithms import ExpertAnswer  # noqa: E402
from legal.catalogues.texts import CatalogueText, SourceText  # noqa: E402
from legal.queries.catalogues import catalogue_in_force  # noqa: E402
from legal.services.answer_drafts import park_answer  # noqa: E402
from legal.services.batches import open_legal_batch  # noqa: E402
from legal.services.catalogues import note_guide_read, publish, shipped_catalogue  # noqa: E402
from tests.cast import add_posts, join, make_cast, make_user, upload  # noqa: E402
from tests.crowd.candidates import open_with  # noqa: E402
from tests.legal.library import built  # noqa: E402
from tests.permissions import TABLE  # noqa: E402
from tests.world import (  # noqa: E402
    World,
    build_world,
    compared,
    filter_run,
    finished_release,
    hash_passwords_once,
    read_instructions,
)

PEOPLE = 22  # a test takes one worker or expert for itself
POSTS = 30


def labelling_study() -> str:
    """Make a study with work for everybody, and nothing voted on yet; return a parked post."""
    study = create_study(by=None, slug="labelling", title="Labelling", expert_votes=PEOPLE)
    texts = [f"Post {n} of the harbour.\nIts second line." for n in range(1, POSTS + 1)]
    posts = add_posts(study, texts)
    ids = [post.external_id for post in posts]
    batch = create_batch(by=None, study=study, external_ids=ids, votes_wanted=PEOPLE)
    move_batch(by=None, batch=batch, to=BatchState.OPEN)
    open_legal_batch(by=None, study=study, external_ids=ids)
    built(study)
    catalogue = catalogue_in_force(study)
    assert catalogue
    for number in range(PEOPLE):
        read_instructions(join(study, f"hand-{number}", Role.CROWD_WORKER))
        note_guide_read(by=join(study, f"mind-{number}", Role.EXPERT), catalogue=catalogue)
    join(study, "newcomer", Role.CROWD_WORKER)
    join(study, "new-expert", Role.EXPERT)
    publish(by=None, study=study, text=changed_text(), change_note="Plainer words, one issue less.")
    return parked_post(Member.objects.get(study=study, user__username=f"mind-{PEOPLE - 1}"))


def changed_text() -> CatalogueText:
    """Return the shipped catalogue with something of each kind changed."""
    text = shipped_catalogue()
    first, *topics = text.topics
    (issue,) = first.issues
    issue = replace(
        issue,
        summary=issue.summary.replace("sensible", "prudent"),
        defences=issue.defences[:2],
        sources=(*issue.sources, SourceText("case", "A case", url="https://law.example/a")),
    )
    last = replace(topics[-1], issues=topics[-1].issues[:-1])
    return replace(text, topics=(replace(first, issues=(issue,)), *topics[:-1], last))


def parked_post(expert: Member) -> str:
    """Let an expert park a post with something typed; return its address."""
    held = next_task(by=expert, stage=StageCode.LEGAL).assignment
    assert held
    typed = ExpertAnswer.of_ticks("yes", comment="Half a thought", seconds=40)
    park_answer(by=expert, assignment_id=held.pk, typed=typed)
    return reverse("legal_take_up", args=[expert.study.slug, held.pk])


def earning_study() -> str:
    """Make a study with a link, a test, and two posts to earn money with; return the link."""
    cast = make_cast("earning", sitting_size=2)
    open_with(cast, ["checkworthy"] * 4, test_size=2, min_votes=2)
    file = upload(cast.study, "id,text\nw1,The harbour is closed.\nw2,The mayor took the money.")
    import_posts(by=None, file=file, report=no_report)
    batch = create_batch(by=None, study=cast.study, external_ids=["w1", "w2"], votes_wanted=1)
    move_batch(by=None, batch=batch, to=BatchState.OPEN)
    write_consent_text(by=None, study=cast.study, markdown="We keep your votes.")
    add_question(by=None, study=cast.study, question="How old are you?", kind="number")
    link = create_recruitment(by=None, study=cast.study, kind="link", name="Everybody")
    move_recruitment(by=None, recruitment=link, to="open")
    return reverse("join", args=[link.token])


def address_book(world: World) -> dict[str, str]:
    """Return the address of every page of the permission table."""
    pages = (row for row in TABLE if row.method == "GET" and not row.is_api)
    return {row.name: reverse(row.name, args=row.arguments(world)) for row in pages}


def session_of(user: User) -> str:
    """Sign somebody in, as though they had just typed their password; return the cookie."""
    client = Client()
    client.force_login(user)
    session = client.session
    session["account_authentication_methods_user"] = str(user.pk)
    session["account_authentication_methods"] = [
        {"method": "password", "at": time.time() + 3600, "reauthenticated": True}
    ]
    session.save()
    return client.cookies[settings.SESSION_COOKIE_NAME].value


def with_second_factor() -> None:
    """Make somebody who signs in with a code from their telephone."""
    user = make_user("two-factors")
    TOTP.activate(user, generate_totp_secret())
    RecoveryCodes.activate(user)


def build() -> dict[str, Any]:
    """Make everything, and return what the tests need to know about it."""
    hash_passwords_once()
    world = build_world()
    filter_run(world.cast.study, seed=1, is_preview=True)
    world.comparison = compared([world.release, finished_release(world.cast.study)])
    parked = labelling_study()
    with_second_factor()
    way_in = earning_study()
    return {
        "way_in": way_in,
        "parked": parked,
        "cookie": settings.SESSION_COOKIE_NAME,
        "pages": address_book(world),
        "sessions": {user.username: session_of(user) for user in User.objects.all()},
        "file": world.file.pk,
        "cancelled_job": world.cancelled_job.pk,
    }


if __name__ == "__main__":
    with transaction.atomic():
        built = build()
    print(json.dumps(built))  # noqa: T201
