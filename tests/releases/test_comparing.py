"""Two releases side by side: posts that came, went or changed, with settings and columns."""

import csv
import io

import pytest
from django.urls import reverse

from annotation.models import Post
from annotation.services.importing import import_posts
from annotation.services.jobs import run_job
from infra.jobs import no_report
from legal.services.batches import open_legal_batch
from releases.choices import Splits
from releases.models import ChangedPost, Comparison
from releases.services.comparing import ComparisonRefused, compare
from tests.cast import upload
from tests.releases.ways import NO_CLAIM, answer_all, make

pytestmark = pytest.mark.django_db


@pytest.fixture
def compared(cast, judged, experts):
    """Release 2 has lost p6, won p7 and a verdict on p5, and shows another text of p4."""
    before = make(cast.study)
    Post.objects.filter(external_id="p6").update(dropped_reason="empty_after_cleaning")
    Post.objects.filter(external_id="p4").update(text="Another text.")
    import_posts(by=None, file=upload(cast.study, "id,text\np7,A new one"), report=no_report)
    open_legal_batch(by=None, study=cast.study, external_ids=["p5"])
    for member in experts:
        answer_all(member, {"p5": NO_CLAIM})
    cast.study.protocol.filter_k = 77
    cast.study.protocol.save()
    after = make(cast.study, splits=Splits(train=50, test=50))
    job = run_job(job_id=compare(by=None, before=before, after=after).pk)
    assert job.state == "succeeded", job.reason
    return Comparison.objects.get(job=job)


def test_each_post_that_differs_is_told_with_what_differs(compared):
    found = {post.post_id: post for post in compared.posts.all()}
    assert {key: post.changes for key, post in found.items()} == {
        "p4": ["text"],
        "p5": ["verdict"],
        "p6": ["removed"],
        "p7": ["added"],
    }
    assert (found["p5"].verdict_before, found["p5"].verdict_after) == (None, "non_mislc")
    assert compared.result["changes"] == {
        "added": 1,
        "removed": 1,
        "text": 1,
        "crowd_label": 0,
        "verdict": 1,
    }
    assert compared.result["posts"] == {"before": 6, "after": 6, "changed": 4}
    assert compared.result["labels"]["verdict"] == [
        {"before": None, "after": "non_mislc", "posts": 1}
    ]


def test_choices_and_settings_that_differ_are_told(compared):
    found = {one["name"]: (one["before"], one["after"]) for one in compared.result["settings"]}
    assert found["protocol.filter_k"][1] == 77 != found["protocol.filter_k"][0]
    assert found["choices.splits"][1]["train"] == 50
    assert "choices.texts" not in found and compared.result["columns"] == {}


def test_columns_that_only_one_has_are_told(cast, posts):
    before, after = make(cast.study), make(cast.study, texts="ids", stages=("crowd",))
    run_job(job_id=compare(by=None, before=before, after=after).pk)
    found = Comparison.objects.get().result
    assert found["columns"]["posts"] == {
        "removed": ["text", "legal_votes", "y", "verdict"],
        "added": [],
    }
    assert (
        found["columns"]["verdicts"]["added"] == []
        and "y" in found["columns"]["verdicts"]["removed"]
    )


def test_releases_that_are_the_same_differ_in_nothing(cast, judged):
    before, after = make(cast.study), make(cast.study)
    run_job(job_id=compare(by=None, before=before, after=after).pk)
    found = Comparison.objects.get().result
    assert not any(found["changes"].values()) and not found["settings"] and not found["columns"]
    assert not ChangedPost.objects.exists()


def test_a_pair_is_compared_once_and_never_with_itself(cast, posts):
    before, after = make(cast.study), make(cast.study)
    with pytest.raises(ComparisonRefused, match="another release"):
        compare(by=None, before=after, after=after)
    job = compare(by=None, before=before, after=after)
    assert compare(by=None, before=before, after=after) == job
    run_job(job_id=job.pk)
    assert compare(by=None, before=before, after=after) == job
    assert Comparison.objects.count() == 1


def test_the_page_filters_the_posts_and_gives_them_as_csv(cast, compared, sign_in):
    client = sign_in(cast.researcher)
    url = reverse("comparison", args=[cast.study.slug, compared.pk])
    shown = client.get(url).content.decode()
    assert all(one in shown for one in ("p4", "p5", "p6", "p7", "Text changed", "non_mislc"))
    only = client.get(url, {"changed": "removed"}).content.decode()
    assert "p6" in only and "p7" not in only
    answer = client.get(reverse("comparison_file", args=[cast.study.slug, compared.pk]))
    text = b"".join(answer.streaming_content).decode()
    assert [row["post_id"] for row in csv.DictReader(io.StringIO(text))] == [
        post.post_id for post in compared.posts.order_by("pk")
    ]


def test_the_release_page_starts_a_comparison_with_an_earlier_one(cast, posts, sign_in):
    make(cast.study)
    make(cast.study)
    client = sign_in(cast.researcher)
    url = reverse("release_compare", args=[cast.study.slug, 2])
    answer = client.post(url, {"other": 1})
    assert "/jobs/" in answer.url
    later = client.post(reverse("release_compare", args=[cast.study.slug, 1]), {"other": 2})
    assert later.url == reverse("release", args=[cast.study.slug, 1])
