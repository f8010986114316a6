"""What an importer must be told besides columns, on the page of the file."""

import pytest
from django.urls import reverse

from annotation.models import ImportFile, Job, JobState, Tally, Vote
from annotation.services.jobs import run_job
from annotation.services.uploads import queue_check
from crowd.services.count_import import import_counts
from crowd.services.vote_import import import_votes
from infra.jobs import no_report
from tests.cast import add_posts, upload

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(cast):
    add_posts(cast.study, 3)
    return cast.study


def checked(study, content: str, kind: str) -> ImportFile:
    file = upload(study, content, kind)
    run_job(job_id=queue_check(by=None, file=file).pk)
    file.refresh_from_db()
    return file


def send(client, file: ImportFile, **more: str) -> Job:
    chosen = {f"column_{thing}": name or "" for thing, name in file.report["chosen"].items()}
    address = reverse("import", args=[file.study.slug, file.pk])
    answer = client.post(address, {"bad_rows": "refuse", **chosen, **more})
    assert answer.status_code == 302, answer.context["form"].errors
    job = Job.objects.latest("pk")
    run_job(job_id=job.pk)
    job.refresh_from_db()
    return job


def test_a_mapping_typed_on_the_page_settles_unknown_issues(cast, study, sign_in):
    rows = (
        "post_id,annotator,misinformation,issues\np1,e1,yes,Securities Law\np2,e1,yes,Two crimes\n"
    )
    file = checked(study, rows, "legal_votes")
    client = sign_in(cast.researcher)
    refused = send(client, file)
    assert refused.state == JobState.FAILED
    assert "Securities Law" in refused.reason and "Two crimes" in refused.reason
    mapping = "Securities Law → \nTwo crimes → cyberbullying, public_mischief"
    done = send(client, file, option_issue_map=mapping)
    assert done.state == JobState.SUCCEEDED, done.reason
    answers = {vote.task.post.external_id: vote.legal_answer for vote in Vote.objects.all()}
    raised = {post: sorted(r.issue.code for r in a.raised_issues) for post, a in answers.items()}
    assert raised == {"p1": [], "p2": ["cyberbullying", "public_mischief"]}


def test_posts_in_other_scripts_are_warned_of_before_they_are_imported(cast, study, sign_in):
    file = checked(study, "id,text\n1,Полночь\n", "posts")
    client, address = sign_in(cast.researcher), reverse("import", args=[study.slug, file.pk])
    assert "posts in other scripts" in client.get(address).content.decode()
    study.protocol.non_ascii = "keep"
    study.protocol.save()
    assert "posts in other scripts" not in client.get(address).content.decode()


def test_what_was_typed_stands_there_again_after_a_refusal(cast, study, sign_in):
    rows = "post_id,annotator,misinformation,issues\np1,e1,yes,Unheard\n"
    file = checked(study, rows, "legal_votes")
    client = sign_in(cast.researcher)
    send(client, file, option_issue_map="Other → defamation")
    page = client.get(reverse("import", args=[study.slug, file.pk]))
    assert "Other → defamation" in page.content.decode()


def test_columns_of_counts_are_named_on_the_page(cast, study, sign_in):
    file = checked(study, 'id,first,second,o\np1,2,1,"{""x"": 1}"\n', "crowd_counts")
    job = send(sign_in(cast.researcher), file, option_counts="first, second")
    assert job.state == JobState.SUCCEEDED, job.reason
    assert dict(Tally.objects.values_list("label", "count")) == {"first": 2, "second": 1}


@pytest.mark.parametrize(
    ("kind", "content", "load"),
    [
        ("crowd_votes", "post_id,annotator,label\np1,a,yes\np1,b,no\n", import_votes),
        ("crowd_counts", "post_id,no_claim,not_checkworthy,checkworthy\np1,0,1,2\n", import_counts),
    ],
)
def test_a_round_asked_for_again_after_its_worker_died_tells_what_came_of_it(
    study, kind, content, load
):
    file = upload(study, content, kind)
    first = load(by=None, file=file, report=no_report)
    file.refresh_from_db()
    again = load(by=None, file=file, report=no_report)
    assert {name: again[name] for name in first} == first
    assert study.batches.count() == 1


def test_a_look_at_the_file_names_what_the_study_cannot_take(study):
    posts = checked(study, "id,text\np1,Another text\np9,New\n", "posts")
    assert posts.report["good"] == 1
    assert "another text" in posts.report["bad_rows"][0]["reason"]
    answers = checked(
        study, "post_id,annotator,misinformation\np8,e1,no\np1,e1,no\n", "legal_votes"
    )
    assert answers.report["good"] == 1
    assert "no post p8" in answers.report["bad_rows"][0]["reason"]
