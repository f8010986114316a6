"""Two releases side by side: posts that came, went or changed, with settings and columns."""

import csv
import io
import re

import pytest
from django.urls import reverse

from annotation.models import Post
from annotation.services.importing import import_posts
from annotation.services.jobs import run_job
from infra.jobs import no_report
from legal.services.batches import open_legal_batch
from releases.choices import Splits
from releases.models import ChangedPost, Comparison
from releases.queries.comparing import SETTINGS, flat, settings_that_differ
from releases.services.comparing import ComparisonRefused, compare
from releases.views.words import UNASKED, asked_by, value_of
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
    assert found["choices.splits.train"] == (0, 50)
    assert "choices.texts" not in found and compared.result["columns"] == {}


def test_rows_table_1_and_alpha_of_both_are_told(compared):
    rows = {one["name"]: (one["before"], one["after"]) for one in compared.result["tables"]}
    assert rows["posts"] == (6, 6) and rows["votes"] == (9, 12)
    lines = {one["name"]: (one["before"], one["after"]) for one in compared.result["table_1"]}
    assert lines["mislc"][0] == {"label": "MisLC", "count": 1, "share": 1 / 3}
    assert lines["mislc"][1] == {"label": "MisLC", "count": 1, "share": 1 / 4}
    alphas = {one["name"]: (one["before"], one["after"]) for one in compared.result["agreement"]}
    for place, release in enumerate((compared.before, compared.after)):
        told = release.manifest["statistics"]["agreement"]
        assert alphas["legal"][place] == told["legal"]["alpha"] is not None
    assert alphas["legal"][0] != alphas["legal"][1]


def test_the_page_says_settings_figures_and_moves_in_words(cast, compared, sign_in):
    client = sign_in(cast.researcher)
    url = reverse("comparison", args=[cast.study.slug, compared.pk])
    shown = re.sub(r"\s+", " ", client.get(url).content.decode())
    for words in (
        "Study: Filter&#x27;s k",
        "Share for training, in percent",
        "Rows of votes",
        "Table 1: MisLC",
        "1 (33.3%)",
        "alpha: Experts",
        "Which label went to which",
    ):
        assert words in shown, words
    for raw in ("protocol.", "choices.", "filter_k", "{&#x27;", "splits.train"):
        assert raw not in shown, raw


def test_every_setting_that_a_manifest_has_is_called_in_words(released):
    known = list(flat({name: released.manifest[name] for name in SETTINGS}))
    assert known and all(name in UNASKED or asked_by(name) for name in known)
    assert value_of("filter_run.method", "kl").startswith("KL filter")
    assert value_of("filter_run.settings.standardise", True).startswith("standardised")
    assert value_of("protocol.mask_users", False) == "No" and value_of("choices.licence", "") == "–"
    assert value_of("choices.stages", ["crowd", "legal"]).startswith("The crowd's votes, The exp")


def test_another_version_of_the_software_is_a_difference(cast, posts):
    before, after = make(cast.study), make(cast.study)
    after.manifest["software"]["version"] = "99"
    assert settings_that_differ(before, after) == [
        {
            "name": "software.version",
            "before": before.manifest["software"]["version"],
            "after": "99",
        }
    ]


def test_a_kind_of_change_that_there_is_not_shows_all_posts(cast, compared, sign_in):
    client = sign_in(cast.researcher)
    url = reverse("comparison", args=[cast.study.slug, compared.pk])
    shown = client.get(url, {"changed": "nonsense"}).content.decode()
    assert all(one in shown for one in ("p4", "p5", "p6", "p7")) and "nonsense" not in shown


def test_columns_that_came_and_went_are_told_to_who_hears_the_page(cast, posts, sign_in):
    before, after = make(cast.study), make(cast.study, texts="ids")
    run_job(job_id=compare(by=None, before=before, after=after).pk)
    url = reverse("comparison", args=[cast.study.slug, Comparison.objects.get().pk])
    shown = sign_in(cast.researcher).get(url).content.decode()
    assert '<del><span class="visually-hidden">removed: </span>text</del>' in shown


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


def test_what_only_one_release_tells_does_not_differ_by_post(cast, judged):
    before, after = make(cast.study), make(cast.study, texts="ids", stages=("crowd",))
    job = run_job(job_id=compare(by=None, before=before, after=after).pk)
    assert job.state == "succeeded", job.reason
    found = Comparison.objects.get(job=job)
    assert not found.posts.exists() and not any(found.result["changes"].values())
    assert "text" in found.result["columns"]["posts"]["removed"]
