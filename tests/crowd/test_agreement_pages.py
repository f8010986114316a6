"""Agreement two by two, and posts by disagreement, down to the votes."""

import re

import pytest
from django.urls import reverse

from annotation.services.jobs import run_job
from crowd.services.estimates import start_estimate
from crowd.services.vote_import import import_votes
from infra.jobs import no_report
from tests.cast import add_posts, upload
from tests.queries import queries_for

pytestmark = pytest.mark.django_db

VOTES = {
    "p1": ("checkworthy", "checkworthy", "checkworthy"),
    "p2": ("checkworthy", "no_claim", "no_claim"),
    "p3": ("checkworthy", "no_claim", "not_checkworthy"),
    "p4": ("no_claim",),
}


@pytest.fixture
def study(cast):
    add_posts(cast.study, 8)
    bring_in(cast.study, VOTES)
    return cast.study


def bring_in(study, votes):
    lines = [
        f"{post},{name},{label}"
        for post, labels in votes.items()
        for name, label in zip("abc", labels, strict=False)
    ]
    file = upload(study, "id,annotator,label\n" + "\n".join(lines), kind="crowd_votes")
    import_votes(by=None, file=file, report=no_report)


def url(name, study, *more):
    return reverse(name, args=[study.slug, *more])


def page(response):
    assert response.status_code == 200
    return response.content.decode()


def ids(html):
    return re.findall(r">\s*(p\d)\s*</a>", html)


def person(study, name):
    return study.members.get(imported_name=name).pseudonym


def test_pairs_are_listed_with_those_who_agree_least_first_and_open_to_their_posts(
    cast, study, sign_in
):
    client = sign_in(cast.researcher)
    html = page(client.get(url("crowd_agreement", study)))
    # Equal pairs: three on p1, one on p2, none on p3.
    assert "44%" in html and "9 pairs on 3 posts; not corrected for chance" in html
    shares = re.findall(r">(\d+)%<span", html)
    assert shares == sorted(shares, key=int) and sorted(shares) == ["33", "33", "67"]
    pair = url("crowd_pair", study, person(study, "b"), person(study, "c"))
    assert url("crowd_pair", study, person(study, "a"), person(study, "b")) in html or (
        url("crowd_pair", study, person(study, "b"), person(study, "a")) in html
    )
    rows = page(client.get(pair))
    assert ids(rows) == ["p1", "p2", "p3"] and "3 posts" in rows


def test_without_two_votes_on_a_post_there_is_a_sentence(cast, sign_in):
    add_posts(cast.study, 2)
    html = page(sign_in(cast.researcher).get(url("crowd_agreement", cast.study)))
    assert "No post has two votes yet." in html and "No two people have voted" in html


def test_rounds_with_other_labels_are_said_to_be_apart_and_have_no_pairs(cast, study, sign_in):
    file = upload(study, "id,annotator,label\np1,a,0\np1,b,1\n", kind="crowd_votes")
    import_votes(by=None, file=file, report=no_report)
    client = sign_in(cast.researcher)
    assert "cannot be counted together" in page(client.get(url("crowd_agreement", study)))
    pair = url("crowd_pair", study, person(study, "a"), person(study, "b"))
    assert client.get(pair).status_code == 404


def test_posts_are_listed_by_disagreement_with_shares_and_single_votes_last(cast, study, sign_in):
    client = sign_in(cast.researcher)
    html = page(client.get(url("crowd_posts", study) + "?order=disagreement"))
    assert ids(html) == ["p3", "p2", "p1", "p4"]
    assert "100%" in html and "67%" in html and "33%" in html
    assert ids(page(client.get(url("crowd_posts", study)))) == ["p1", "p2", "p3", "p4"]


def test_the_likeliest_label_stands_beside_a_post_once_it_is_estimated(cast, study, sign_in):
    client = sign_in(cast.researcher)
    assert "Likeliest" in page(client.get(url("crowd_posts", study)))
    assert run_job(job_id=start_estimate(by=None, study=study).pk).state == "succeeded"
    html = page(client.get(url("crowd_posts", study)))
    cells = re.findall(r'data-label="Likeliest">\s*([^<]+?)\s*<', html)
    assert cells[0] == "Checkworthy" and len(cells) == 4 and "–" not in cells


def test_the_pages_cost_the_same_with_more_rows(cast, study, sign_in):
    client = sign_in(cast.researcher)
    names = ("crowd_agreement", "crowd_posts")
    few = [queries_for(client, url(name, study)) for name in names]
    bring_in(study, {f"p{number}": ("checkworthy",) * 3 for number in range(5, 9)})
    assert [queries_for(client, url(name, study)) for name in names] == few
