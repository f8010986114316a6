"""A release that would name people is refused with a sentence; only an owner insists."""

import json

import pytest
from django.urls import reverse

from annotation.models import JobState
from annotation.services.jobs import cancel_job, retry_job, run_job
from infra.jobs import JobRefused
from releases.choices import ReleaseChoices
from releases.models import Release
from releases.services.making import study_folder
from releases.services.releases import ReleaseRefused, make_release
from tests.cast import add_posts
from tests.releases.ways import YES, answer_all, content, make

pytestmark = pytest.mark.django_db

ORIGINAL = ReleaseChoices(texts="original")
INSISTING = ReleaseChoices(texts="original", insists="The authors agreed.")


@pytest.fixture
def naming(cast):
    return add_posts(cast.study, ["fine", "write to ada@mail.example today", "so says @reader_7"])


def ended(cast, choices):
    return run_job(job_id=make_release(by=None, study=cast.study, choices=choices).pk)


def test_what_names_people_refuses_the_release_and_says_what_where_and_how_often(cast, naming):
    job = ended(cast, ORIGINAL)
    assert job.state == JobState.FAILED
    assert "e-mail addresses in posts, column text (rows: 1; first: p2)" in job.reason
    assert "user mentions in posts, column text (rows: 1; first: p3)" in job.reason
    assert "insist with a reason" in job.reason
    assert not Release.objects.exists() and not list(study_folder(cast.study).iterdir())


def test_texts_that_are_left_out_name_nobody(cast, naming):
    release = make(cast.study, texts="ids")
    assert release.manifest["scan"] == {"findings": [], "insists": ""}


def test_a_remark_of_an_expert_is_searched_too(cast, judged, experts):
    from legal.services.batches import open_legal_batch

    open_legal_batch(by=None, study=cast.study, external_ids=["p5"])
    said = type(YES).of_ticks("no", no_claim=True, comment="Ask ruth@mail.example")
    answer_all(experts[0], {"p5": said})
    job = ended(cast, ReleaseChoices())
    assert "e-mail addresses in votes, column comment (rows: 1; first: p5)" in job.reason


def test_an_owner_insists_with_a_reason_that_the_manifest_keeps(cast, naming):
    job = run_job(job_id=make_release(by=cast.owner.user, study=cast.study, choices=INSISTING).pk)
    assert job.state == JobState.SUCCEEDED, job.reason
    manifest = json.loads(content(Release.objects.get(), "manifest.json"))
    assert manifest["scan"]["insists"] == "The authors agreed."
    assert {(one["kind"], one["column"]) for one in manifest["scan"]["findings"]} == {
        ("email", "text"),
        ("mention", "text"),
    }


def test_a_researcher_cannot_insist(cast, naming):
    with pytest.raises(ReleaseRefused, match="Only an owner"):
        make_release(by=cast.researcher.user, study=cast.study, choices=INSISTING)


def test_a_release_that_an_owner_insisted_on_is_tried_again_by_an_owner_alone(cast, naming):
    job = make_release(by=cast.owner.user, study=cast.study, choices=INSISTING)
    cancel_job(job=job)
    with pytest.raises(JobRefused, match="Only an owner"):
        retry_job(by=cast.researcher.user, job=job)
    job.refresh_from_db()
    assert job.state == JobState.CANCELLED
    assert retry_job(by=cast.owner.user, job=job).state == JobState.QUEUED


def test_no_release_is_tried_again_beside_one_that_is_being_made(cast, naming):
    first = make_release(by=None, study=cast.study)
    cancel_job(job=first)
    make_release(by=None, study=cast.study)
    with pytest.raises(JobRefused, match="being made already"):
        retry_job(by=cast.researcher.user, job=first)


def test_the_page_says_why_a_job_is_not_tried_again(cast, naming, sign_in):
    job = make_release(by=cast.owner.user, study=cast.study, choices=INSISTING)
    cancel_job(job=job)
    url = reverse("job_retry", args=[cast.study.slug, job.pk])
    answer = sign_in(cast.researcher).post(url, follow=True)
    assert "Only an owner of the study may insist" in answer.content.decode()
