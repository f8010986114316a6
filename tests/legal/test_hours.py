"""Hours: active time by week, for an expert their own, for researchers each by pseudonym."""

import csv
import io
from datetime import UTC, date, datetime, timedelta

import pgtrigger
import pytest
from django.urls import reverse
from django.utils import timezone

from annotation.models import Vote
from legal.queries.hours import monday, week_in_words, weeks_of, worked
from legal.services.settings import change_settings
from tests.legal.world import answering, experts, legal_batch, read_guide

pytestmark = pytest.mark.django_db

SUNDAY_NIGHT = datetime(2026, 3, 1, 23, 30, tzinfo=UTC)


@pytest.fixture
def batch(cast):
    batch = legal_batch(cast.study, 4)
    read_guide(cast.expert, batch)
    return batch


def url(cast, name, *more):
    return reverse(name, args=[cast.study.slug, *more])


def answered_at(member, moment, seconds):
    """Answer the next post, at another time than now."""
    vote = answering(member, seconds=seconds).answer.vote
    with pgtrigger.ignore("annotation.Vote:vote_is_append_only"):
        Vote.objects.filter(pk=vote.pk).update(created_at=moment)
    return vote


def correct(client, cast, vote, seconds):
    held = vote.task.assignments.get(member=cast.expert)
    sent = {"label": "unclear", "seconds": str(seconds), "version": "1"}
    assert client.post(url(cast, "legal_correct", held.pk), sent).status_code == 302


def test_a_week_holds_answers_corrections_and_what_came_without_a_time(cast, batch, sign_in):
    first = answering(cast.expert, seconds=100.0).answer.vote
    answering(cast.expert, seconds=None)
    correct(sign_in(cast.expert), cast, first, 20)
    (week,) = weeks_of(cast.expert)
    assert (week.posts, week.corrections, week.unmeasured, week.seconds) == (2, 1, 1, 120.0)
    assert week.begins.weekday() == 0 and week.ends - week.begins == timedelta(days=6)


def test_weeks_are_those_of_the_readers_own_time_zone(cast, batch):
    answered_at(cast.expert, SUNDAY_NIGHT, 60.0)
    with timezone.override("UTC"):
        assert [week.begins for week in weeks_of(cast.expert)] == [date(2026, 2, 23)]
    with timezone.override("Europe/Zurich"):
        assert [week.begins for week in weeks_of(cast.expert)] == [date(2026, 3, 2)]


def test_a_week_across_a_change_of_the_clock_begins_on_its_monday(cast, batch):
    with timezone.override("America/Toronto"):
        answered_at(cast.expert, datetime(2026, 3, 8, 12, tzinfo=UTC), 60.0)
        assert [week.begins for week in weeks_of(cast.expert)] == [date(2026, 3, 2)]


def test_this_week_counts_from_monday_and_not_before(cast, batch):
    answered_at(cast.expert, monday() - timedelta(seconds=1), 50.0)
    answered_at(cast.expert, monday(), 70.0)
    own = worked([cast.expert])[cast.expert.pk]
    assert (own.seconds, own.week_seconds, own.posts, own.median_seconds) == (120.0, 70.0, 2, 60.0)


def test_nobody_elses_time_is_counted(cast, batch):
    other = experts(cast.study, 1)[0]
    answering(other, seconds=500.0)
    assert weeks_of(cast.expert) == []
    found = worked([cast.expert, other])
    assert (found[cast.expert.pk].seconds, found[other.pk].seconds) == (0.0, 500.0)


def test_an_answer_counts_for_no_more_than_four_hours(cast, batch):
    answering(cast.expert, seconds=1e9)
    assert worked([cast.expert])[cast.expert.pk].hours == 4


def test_hours_stand_beside_the_goal_where_there_is_one(cast, batch, sign_in):
    answering(cast.expert, seconds=8_640.0)
    own = worked([cast.expert])[cast.expert.pk]
    assert week_in_words(own, None) == "2.4 hours this week"
    assert week_in_words(own, 3) == "2.4 of 3 hours this week"
    change_settings(by=cast.owner, study=cast.study, weekly_hours=3)
    client = sign_in(cast.expert)
    for address in (url(cast, "legal_work"), reverse("home"), url(cast, "study")):
        assert "2.4 of 3 hours this week" in client.get(address).content.decode(), address
    shown = sign_in(cast.researcher).get(url(cast, "legal")).content.decode()
    assert cast.expert.pseudonym in shown and "of 3" in " ".join(shown.split())


def test_ones_own_statement_has_ones_name_and_a_researchers_has_not(cast, batch, sign_in):
    answering(cast.expert, seconds=3_600.0)
    name = cast.expert.user.get_username()
    own = sign_in(cast.expert).get(url(cast, "legal_own_hours")).content.decode()
    assert f"Name: {name}" in own and cast.expert.pseudonym in own
    assert "At most 4 hours of one answer count" in " ".join(own.split())
    theirs = sign_in(cast.researcher).get(url(cast, "legal_hours", cast.expert.pk))
    assert name not in theirs.content.decode()
    assert cast.expert.pseudonym in theirs.content.decode()


def test_the_file_has_a_row_a_week(cast, batch, sign_in):
    answering(cast.expert, seconds=5_400.0)
    cast.study.title = "=1+1"
    cast.study.save()
    own = read(sign_in(cast.expert).get(url(cast, "legal_own_hours_file")))
    theirs = read(sign_in(cast.owner).get(url(cast, "legal_hours_file", cast.expert.pk)))
    assert (own["hours"], own["posts"], own["time_zone"]) == ("1.5", "1", "UTC")
    assert own["name"] == cast.expert.user.get_username() and theirs["name"] == ""
    assert not own["study"].startswith("=")


def read(response) -> dict[str, str]:
    (row,) = csv.DictReader(io.StringIO(response.content.decode("utf-8-sig")))
    return row


def test_hours_of_another_study_or_of_no_expert_do_not_exist(cast, batch, sign_in):
    client = sign_in(cast.researcher)
    for name in ("legal_hours", "legal_hours_file"):
        assert client.get(url(cast, name, cast.worker.pk)).status_code == 404
        assert client.get(url(cast, name, 987_654)).status_code == 404


def test_a_statement_without_hours_says_so(cast, batch, sign_in):
    shown = sign_in(cast.expert).get(url(cast, "legal_own_hours")).content.decode()
    assert "No hours yet" in shown and not Vote.objects.exists()


def test_hours_of_many_cost_as_much_as_those_of_one(cast, batch, django_assert_num_queries):
    members = [cast.expert, *experts(cast.study, 3)]
    for number in (1, 4):
        with django_assert_num_queries(2):
            worked(members[:number])
