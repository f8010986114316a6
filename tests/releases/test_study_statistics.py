"""A study's figures: each counted again from plain rows; the page, its links, files and states."""

import base64
import csv
import io
import re
from collections import Counter
from decimal import Decimal
from html import unescape

import pytest
from django.urls import reverse

from annotation.models import BatchState, Chart, JobState, Role, StageCode
from annotation.services.assignments import next_task
from annotation.services.batches import move_batch
from annotation.services.jobs import run_job
from annotation.services.votes import Answer, correct_vote, submit_vote
from crowd.models import LedgerEntry
from crowd.services.batches import create_batch
from crowd.services.consent import withdraw
from crowd.services.ledger import add_entry
from infra.jobs import no_report
from legal.queries.verdict_posts import WHICH, judged_posts
from legal.services.adjudication import decide
from legal.services.batches import open_legal_batch
from releases.models import StudyStatistics
from releases.services.study_statistics import StatisticsRefused, content_of, queue_statistics
from tests.api import caller
from tests.cast import add_posts, join
from tests.filtering.rounds import add_round
from tests.releases.recount import (
    ANSWERS,
    LABELS,
    leader,
    pairs,
    said_on_posts,
    standing_votes,
    times,
    verdicts,
    weeks,
)
from tests.releases.ways import YES, answer_all, make

pytestmark = pytest.mark.django_db


def draw(study, **chosen):
    job = run_job(job_id=queue_statistics(by=None, study=study, **chosen).pk)
    assert job.state == JobState.SUCCEEDED, job.reason
    return StudyStatistics.objects.get(study=study).content


def vote(member, label, seconds):
    held = next_task(by=member, stage=StageCode.CROWD).assignment
    submit_vote(by=member, assignment_id=held.pk, answer=Answer(label, seconds=seconds))
    return held


@pytest.fixture
def everything(cast, judged, experts):
    """Ties, a decision, a correction, somebody who withdrew, open places, counts, two rounds."""
    study = cast.study
    ids = ["p5", "p6"]
    batch = create_batch(by=cast.owner.user, study=study, external_ids=ids)
    move_batch(by=None, batch=batch, to=BatchState.OPEN)
    first, second, gone = (join(study, name, Role.CROWD_WORKER) for name in ("ada", "ben", "cleo"))
    for label, seconds in (("checkworthy", 4.0), ("no_claim", 9.0)):
        held = vote(first, label, seconds)
    correct_vote(by=first, assignment_id=held.pk, answer=Answer("checkworthy", seconds=11.0))
    vote(gone, "no_claim", 1.0)
    withdraw(by=gone)
    vote(second, "not_checkworthy", None)
    decide(by=cast.researcher, post=judged[0], label="unclear", issues=["defamation"], reason="So.")
    open_legal_batch(by=None, study=study, external_ids=["p5"])
    answer_all(experts[0], {"p5": YES})
    for amount in (Decimal("2.50"), Decimal("1.25")):
        add_entry(by=cast.owner.user, member=first, kind="bonus", amount=amount, reason="Thanks.")
    return study


@pytest.fixture
def content(everything):
    return content_of(everything, None, no_report)


def test_every_figure_follows_from_the_plain_rows(everything, content):
    has_all_the_cases(everything)
    for follow in (
        *(counts_and_table_1, posts_behind_table_1, labels_before_and_after_the_filter),
        *(issues_votes_per_post_and_crowd_against_verdict, pay_for_each_vote_and_post),
    ):
        follow(everything, content)
    for stage, labels in (("crowd", LABELS), ("legal", ANSWERS)):
        time_weeks_and_confusion(everything, content, stage, labels)


def has_all_the_cases(everything):
    found = verdicts(everything).values()
    assert {one["decided"] for one in found} == {one["tie"] for one in found} == {True, False}
    said = said_on_posts(everything, StageCode.CROWD)
    assert None in map(leader, said.values()) and {len(votes) for votes in said.values()} > {3}
    assert len(standing_votes(everything, StageCode.CROWD)) == 3


def counts_and_table_1(everything, content):
    said, judged = said_on_posts(everything, StageCode.CROWD), verdicts(everything)
    majorities = Counter(leader(votes) for votes in said.values())
    counts = content["counts"]
    assert counts["released"] == everything.posts.count() == 6
    assert counts["with_crowd_votes"] == len(said) and counts["crowd_ties"] == majorities[None]
    assert counts["verdicts"] == len(judged) and counts["awaiting_votes"] == 1
    assert counts["verdict_ties"] == sum(one["tie"] for one in judged.values())
    assert counts["verdicts_decided"] == sum(one["decided"] for one in judged.values())
    table = {line["key"]: line["count"] for line in content["table_1"]}
    by_verdict = Counter(one["verdict"] for one in judged.values())
    assert table == {
        "total": 6,
        "checkworthy": majorities["checkworthy"],
        **{key: by_verdict[key] for key in ("mislc", "non_mislc", "unclear")},
        **{
            key: sum(one[key] for one in judged.values())
            for key in ("evidence", "no_claim", "no_claim_any", "defence", "defence_any")
        },
    }


def posts_behind_table_1(everything, content):
    found = {line["key"]: line["count"] for line in content["table_1"]}
    for which in WHICH:
        expected = found[which] if which else content["counts"]["verdicts"]
        assert len(judged_posts(everything, which)) == expected, which


def labels_before_and_after_the_filter(everything, content):
    said, judged = said_on_posts(everything, StageCode.CROWD), verdicts(everything)
    kept = dict(everything.filter_runs.get().posts.values_list("post_id", "kept"))
    sides = {
        "all": set(everything.posts.values_list("pk", flat=True)),
        "before": set(kept),
        "after": {post for post, is_kept in kept.items() if is_kept},
    }
    for one in content["distributions"]:
        here = sides[one["side"]]
        expected = {
            "crowd_votes": Counter(label for post in here & set(said) for label in said[post]),
            "crowd_labels": Counter(leader(said[post]) for post in here & set(said)),
            "answers": Counter(
                label for post in here & set(judged) for label in judged[post]["said"]
            ),
            "verdicts": Counter(judged[post]["verdict"] for post in here & set(judged)),
        }[one["of"]]
        assert {line["label"]: line["count"] for line in one["lines"] if line["count"]} == expected
        assert one["total"] == expected.total()


def issues_votes_per_post_and_crowd_against_verdict(everything, content):
    said, judged = said_on_posts(everything, StageCode.CROWD), verdicts(everything)
    issues = Counter(code for one in judged.values() for code in one["issues"])
    mislc = Counter(
        code for one in judged.values() if one["verdict"] == "mislc" for code in one["issues"]
    )
    assert {one["code"]: one["count"] for one in content["issues"]} == issues
    assert {one["code"]: one["mislc"]["count"] for one in content["issues"]} == (
        {code: mislc[code] for code in issues}
    )
    legal = said_on_posts(everything, StageCode.LEGAL)
    for stage, of in (("crowd", said), ("legal", legal)):
        expected = Counter(len(of.get(post.pk, [])) for post in everything.posts.all())
        told = {line["votes"]: line["posts"] for line in content["votes_per_post"][stage]}
        assert told == expected
    cells = Counter((leader(said[post]), one["verdict"]) for post, one in judged.items())
    for line in content["crowd_by_verdict"]:
        if line["kind"] in ("label", "tie"):
            for verdict in ("mislc", "unclear", "non_mislc"):
                assert line[verdict] == cells[line["label"], verdict]
    assert content["crowd_by_verdict"][-1]["total"] == len(judged)


def time_weeks_and_confusion(everything, content, stage, labels):
    votes = standing_votes(everything, stage)
    told = {one["label"]: one for one in content["time"][stage]}
    for label in (None, *labels):
        number, hours, middle, quartiles = times(
            [one for one in votes if label in (None, one.label)]
        )
        assert told[label]["votes"] == number and told[label]["hours"] == pytest.approx(hours)
        assert told[label]["quartiles"] == (pytest.approx(quartiles) if quartiles else None)
        assert middle is None or told[label]["quartiles"][1] == pytest.approx(middle)
    by_week = {one["week"]: one[stage] for one in content["votes_by_week"] if one[stage]}
    assert by_week == weeks(votes)
    confusion = content["confusion"][stage]
    assert confusion["labels"] == list(labels)
    assert confusion["cells"] == pairs(said_on_posts(everything, stage), labels)


def pay_for_each_vote_and_post(everything, content):
    entries = LedgerEntry.objects.filter(study=everything)
    (paid,) = content["pay"]
    assert Decimal(paid["entered"]) == sum(one.amount for one in entries) == Decimal("3.75")
    assert sum(Decimal(one["amount"]) for one in content["pay_by_week"]) == Decimal("3.75")
    assert {one["week"] for one in content["pay_by_week"]} == {
        f"{one.created_at:%G-W%V}" for one in entries
    }
    votes = standing_votes(everything, StageCode.CROWD)
    posts = {one.task.post_id for one in votes}
    assert (paid["votes"], paid["posts"]) == (len(votes), len(posts))
    assert Decimal(paid["per_vote"]) == Decimal("3.75") / len(votes)
    assert Decimal(paid["per_post"]) == round(Decimal("3.75") / len(posts), 4)


def test_a_release_states_the_same_figures_as_the_study_and_has_its_own_charts(
    cast, everything, sign_in
):
    content, release = draw(everything), make(everything)
    stated = release.manifest["statistics"]
    assert {name: content[name] for name in stated} == stated
    job = everything.jobs.get(kind="draw_release_charts")
    assert run_job(job_id=job.pk).state == JobState.SUCCEEDED
    charts = Chart.objects.filter(study=everything, subject=f"release/{release.number}")
    of_study = Chart.objects.filter(study=everything, subject="statistics")
    assert {chart.name for chart in charts} < {chart.name for chart in of_study}
    for chart in charts:
        assert chart.csv == of_study.get(name=chart.name).csv
    here = reverse("release", args=[everything.slug, release.number])
    html = unescape(sign_in(cast.researcher).get(here).content.decode())
    assert all(chart.alternative in html for chart in charts)


def test_while_the_charts_of_a_release_are_drawn_its_page_says_so(cast, posts, sign_in):
    here = reverse("release", args=[cast.study.slug, make(cast.study).number])
    assert "charts are being drawn" in sign_in(cast.researcher).get(here).content.decode()


def page(client, study, name="statistics"):
    answer = client.get(reverse(name, args=[study.slug]))
    assert answer.status_code == 200
    return unescape(re.sub(r"\s+", " ", answer.content.decode()))


def test_a_researcher_has_them_made_and_sees_numbers_charts_and_what_changed(
    cast, everything, sign_in
):
    client = sign_in(cast.researcher)
    assert "No figures have been made yet" in page(client, everything)
    client.post(reverse("statistics_draw", args=[everything.slug]))
    assert "are being counted" in page(client, everything)
    (job,) = everything.jobs.filter(kind="draw_statistics")
    assert run_job(job_id=job.pk).state == JobState.SUCCEEDED and job.created_by
    html = page(client, everything)
    for chart in Chart.objects.filter(study=everything, subject="statistics"):
        assert chart.alternative in html and list(csv.DictReader(io.StringIO(chart.csv)))
        assert reverse("chart_file", args=[everything.slug, chart.pk, "svg"]) in html
    assert reverse("legal_verdicts", args=[everything.slug]) + "?which=unclear" in html
    assert "3.75" in html and "has changed" not in html
    vote(everything.members.get(user__username="ben"), "checkworthy", 3.0)
    assert "has changed" in page(client, everything)
    assert "+1 vote of the crowd" in page(client, everything)


def test_all_figures_can_be_taken_as_one_table(cast, posts, sign_in):
    everything, content = cast.study, draw(cast.study)
    answer = sign_in(cast.researcher).get(reverse("statistics_file", args=[everything.slug]))
    rows = list(csv.DictReader(io.StringIO(answer.content.decode())))
    found = {(row["figure"], row["row"], row["measure"]): row["value"] for row in rows}
    assert len(found) == len(rows)
    assert found["counts", "", "released"] == "6"
    assert found["table_1", "mislc MisLC", "count"] == str(content["table_1"][2]["count"])
    cells = content["confusion"]["crowd"]["cells"]
    assert found["confusion", "crowd", "cells 3 2"] == str(cells[2][1])
    assert {"distributions", "votes_per_post", "agreement", "time"} < {
        row["figure"] for row in rows
    }


def test_a_study_without_experts_and_pay_says_so_and_an_empty_one_is_refused(cast, sign_in):
    client = sign_in(cast.researcher)
    client.post(reverse("statistics_draw", args=[cast.study.slug]))
    assert "has no post yet" in page(client, cast.study)
    posts = add_posts(cast.study, 2)
    draw(cast.study)
    assert "Nobody has voted yet" in page(client, cast.study)
    add_round(cast.study, posts, [(0, 0, 3), (1, 1, 1)])
    draw(cast.study)
    html = page(client, cast.study)
    assert "nobody has earned anything here" in html and "Nobody has voted yet" not in html
    assert "Figure 2" not in html


def test_rounds_with_different_labels_want_one_to_be_chosen(cast, sign_in):
    posts = add_posts(cast.study, 4)
    add_round(cast.study, posts[:2], [(0, 0, 3), (1, 1, 1)])
    add_round(cast.study, posts[2:], [(2, 1), (1, 2)], labels=("true", "false"))
    with pytest.raises(StatisticsRefused, match="different label sets"):
        queue_statistics(by=None, study=cast.study)
    with pytest.raises(StatisticsRefused, match="no crowd round 9"):
        queue_statistics(by=None, study=cast.study, crowd_round=9)
    client = sign_in(cast.researcher)
    client.post(reverse("statistics_draw", args=[cast.study.slug]))
    assert "Choose one of the crowd's rounds" in page(client, cast.study)
    content = draw(cast.study, crowd_round=2)
    assert content["counts"]["with_crowd_votes"] == 2
    assert content["table_1"][1]["count"] is None
    assert "round 2 is counted" in page(client, cast.study)


def test_who_asks_while_figures_are_made_gets_the_same_job(cast, posts):
    first = queue_statistics(by=None, study=cast.study)
    assert queue_statistics(by=None, study=cast.study) == first


def test_verdicts_are_listed_by_finding_and_another_kind_is_not_known(cast, everything, sign_in):
    client, here = sign_in(cast.researcher), reverse("legal_verdicts", args=[everything.slug])
    found = verdicts(everything)
    for which in ("", "unclear", "non_mislc", "defence"):
        html = client.get(here, {"which": which}).content.decode()
        for post in everything.posts.all():
            is_listed = post.pk in judged_posts(everything, which)
            assert (reverse("legal_post", args=[everything.slug, post.pk]) in html) == is_listed
    assert judged_posts(everything, "") == set(found)
    assert client.get(here, {"which": "nonsense"}).status_code == 404


def test_programs_count_read_and_take_charts(cast, posts):
    call = caller(cast.researcher)
    assert call.get("statistics").status_code == 404
    assert call.post("statistics", body={"crowd_round": 9}).status_code == 409
    answer = call.post("statistics")
    assert answer.status_code == 201 and answer.json()["kind"] == "draw_statistics"
    run_job(job_id=answer.json()["id"])
    told = call.get("statistics").json()
    assert told["content"] == StudyStatistics.objects.get().content and told["changes"] == []
    charts = call.get("charts", subject="statistics").json()["results"]
    assert "labels-crowd" in {chart["name"] for chart in charts}
    assert call.get("charts", subject="release/1").json()["results"] == []
    chart = call.get("chart", charts[0]["id"]).json()
    assert chart["svg"].startswith("<svg") and chart["csv"].count("\n") > 1
    assert base64.b64decode(chart["png"]).startswith(b"\x89PNG")
