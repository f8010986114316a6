"""A study's activity: all that people do, with old and new values, and nothing that is secret."""

import csv
import io
from datetime import timedelta
from itertools import pairwise

import pghistory
import pytest
from django.apps import apps
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.access import permissions_of
from annotation.models import Member, Protocol, Study
from annotation.queries.activity import (
    Asked,
    NoSuchPlace,
    Place,
    activity,
    all_activity,
    newest_places,
    sources_for,
)
from annotation.registry import acts
from annotation.services.batches import move_batch
from annotation.services.people import change_member, change_study
from annotation.services.webhooks import make_webhook, rotate_secret
from crowd.models import PayRules
from crowd.services.batches import create_batch
from crowd.services.pay_rules import change_rules
from crowd.services.quality import write_rule
from tests.api import caller
from tests.cast import add_posts

pytestmark = pytest.mark.django_db

PAGE = "/studies/rumours/activity/"
NOT_SHOWN = {
    "crowd.GoldLabel": "what gold says is on the pool's page; the pool's batches are shown",
    "crowd.Check": "which posts serve as checks is on their page, by the hundred",
    "crowd.Label": "stands and falls with its label set, which is shown",
}


@pytest.fixture
def settings_changed(cast):
    """The owner changes a study's words and protocol."""
    by = cast.owner
    change_study(
        by=by, study=cast.study, title="Rumours", description="", crowd_votes=5, mask_users=False
    )
    return cast


def seen_by(member, **asked):
    found, _more = activity(member.study, permissions_of(member), Asked(**asked), size=500)
    return found


def one(acts_, title):
    return next(act for act in acts_ if str(act.title) == title)


def said(act):
    return {change.label: (change.old, change.new) for change in act.changes}


def test_every_tracked_model_is_shown_or_says_why_not():
    tracked = {
        model.pgh_tracked_model._meta.label
        for model in apps.get_models()
        if hasattr(model, "pgh_tracked_model")
    }
    shown = {source.model._meta.label for source in acts()}
    assert tracked - shown == set(NOT_SHOWN)
    assert not shown & set(NOT_SHOWN)
    assert len({source.code for source in acts()}) == len(acts())


def test_every_fact_that_is_told_or_left_out_is_a_field():
    for source in acts():
        names = {field.name for field in source.model._meta.concrete_fields}
        told = {*source.facts, *source.hidden, *source.unsaid, *source.parts}
        assert told <= names, source.code


def test_a_changed_setting_says_who_and_its_old_and_new_value_in_words(settings_changed):
    act = one(seen_by(settings_changed.researcher), "Protocol")
    assert act.who == settings_changed.owner.user.get_full_name()
    assert said(act) == {"Crowd votes a post": ("3", "5"), "Mask user mentions": ("yes", "no")}
    assert str(act.done) == "changed" and act.action == "change study"


def test_choices_and_empty_values_are_words(cast):
    change_study(
        by=cast.owner,
        study=cast.study,
        title=cast.study.title,
        description="New",
        state="paused",
        non_ascii="keep",
    )
    found = seen_by(cast.owner)
    assert said(one(found, "Study")) == {
        "Description": ("empty", "New"),
        "State": ("Active", "Paused"),
    }
    assert said(one(found, "Protocol"))["Characters outside ASCII"][1] == "Keep them"


def test_opening_and_closing_a_batch_stands_under_its_name(cast):
    add_posts(cast.study, 2)
    batch = create_batch(by=cast.owner.user, study=cast.study, posts=1)
    move_batch(by=cast.researcher.user, batch=batch, to="open")
    newest, made, *_rest = [act for act in seen_by(cast.owner) if str(act.title) == "Batch"]
    assert (newest.who, newest.name) == (cast.researcher.user.get_full_name(), "Crowd 1")
    assert said(newest) == {"State": ("Draft", "Open")}
    assert str(made.done) == "made"
    assert newest.url.endswith("/crowd/batches/1/")


def test_what_nobody_signed_for_says_so(cast):
    Protocol.pgh_event_model.objects.update(pgh_context=None)
    assert one(seen_by(cast.owner), "Protocol").who == "By a command or the database"
    with pghistory.context(user=None, action="a chore"):
        Protocol.objects.filter(study=cast.study).update(batch_size=8)
    assert one(seen_by(cast.owner), "Protocol").who == "By a command or the site itself"


def test_annotators_go_by_their_pseudonym(cast):
    with pghistory.context(user=cast.expert.user_id, action="x"):
        Protocol.objects.filter(study=cast.study).update(batch_size=7)
    assert one(seen_by(cast.owner), "Protocol").who == cast.expert.pseudonym


def test_members_webhooks_and_payouts_are_for_those_who_may_see_them(cast):
    change_member(by=cast.owner, member=cast.expert, role="researcher", is_active=True)
    make_webhook(by=cast.owner, address="https://hooks.example.org/a", events=["job.failed"])
    owner_s = {str(act.title) for act in seen_by(cast.owner)}
    researcher_s = {str(act.title) for act in seen_by(cast.researcher)}
    assert owner_s - researcher_s == {"Member", "Webhook"}
    assert not sources_for(permissions_of(cast.worker))
    owners_only = {s.code for s in sources_for(permissions_of(cast.owner))}
    assert owners_only - {s.code for s in sources_for(permissions_of(cast.researcher))} >= {
        "crowd.payout"
    }


def test_a_secret_is_said_to_have_changed_and_never_shown(cast):
    webhook, secret = make_webhook(
        by=cast.owner, address="https://hooks.example.org/a", events=["job.failed"]
    )
    rotate_secret(by=cast.owner, webhook=webhook)
    webhook.refresh_from_db()
    newest = one(seen_by(cast.owner), "Webhook")
    assert said(newest) == {"Secret made": (None, None)}
    text = "".join(f"{act}" for act in seen_by(cast.owner))
    assert secret not in text and webhook.salt not in text


def test_nothing_of_another_study_is_there(cast, settings_changed):
    from tests.cast import make_cast

    other = make_cast("elsewhere")
    change_study(by=other.owner, study=other.study, title="Other", description="")
    names = {act.who for act in seen_by(cast.owner)}
    assert other.owner.user.get_full_name() not in names
    assert cast.owner.user.get_full_name() in names


def test_the_log_is_filtered_by_person_kind_and_day(cast, settings_changed):
    write_rule(
        by=cast.researcher.user,
        study=cast.study,
        watched="gold",
        over=10,
        threshold=0.5,
        action="ask",
    )
    titles = {str(act.title) for act in seen_by(cast.owner, person=cast.researcher.user)}
    assert titles == {"Rule"}
    kinds = {act.kind for act in seen_by(cast.owner, kind="quality")}
    assert kinds == {"quality"}
    today = timezone.localdate()
    assert seen_by(cast.owner, since=today, until=today)
    assert not seen_by(cast.owner, since=today + timedelta(days=1))
    assert not seen_by(cast.owner, until=today - timedelta(days=1))


def write_history(cast, number, first=6):
    with pghistory.context(user=cast.owner.user_id, action="change study"):
        for size in range(first, first + number):
            Protocol.objects.filter(study=cast.study).update(batch_size=size)


def test_pages_follow_each_other_without_a_gap_or_a_double(cast):
    write_history(cast, 25)
    whole = [act.place for act in seen_by(cast.owner)]
    assert all(older < newer for newer, older in pairwise(whole))
    pages, below = [], None
    while True:
        found, below = activity(
            cast.study, permissions_of(cast.owner), Asked(), below=below, size=7
        )
        pages += [act.place for act in found]
        if below is None:
            break
    assert pages == whole
    assert [act.place for act in all_activity(cast.study, permissions_of(cast.owner), Asked())] == (
        whole
    )


def test_rows_of_one_moment_keep_their_order_over_pages(cast):
    write_history(cast, 12)
    Protocol.pgh_event_model.objects.update(pgh_created_at=timezone.now())
    Member.pgh_event_model.objects.update(pgh_created_at=timezone.now() - timedelta(hours=1))
    places, below = [], None
    for _page in range(20):
        found, below = activity(
            cast.study, permissions_of(cast.owner), Asked(), below=below, size=3
        )
        places += [act.place for act in found]
        if below is None:
            break
    assert len(places) == len(set(places)) == len(seen_by(cast.owner))


def test_a_hundred_rows_cost_as_many_queries_as_ten(cast):
    write_history(cast, 110)
    costs = []
    for size in (10, 100):
        with CaptureQueriesContext(connection) as captured:
            found, _more = activity(cast.study, permissions_of(cast.owner), Asked(), size=size)
        assert len(found) == size
        costs.append(len(captured))
    assert costs[0] == costs[1] < 10


def test_the_places_of_a_page_are_one_statement_that_no_table_is_read_whole_for(cast):
    """Each table is walked down its index of study and time as far as the page needs."""
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO annotation_protocolevent SELECT (json_populate_record(event,"
            " json_build_object('pgh_id', 1000000 + n, 'pgh_created_at',"
            " event.pgh_created_at - n * interval '1 minute'))).*"
            " FROM annotation_protocolevent AS event, generate_series(1, 20000) AS n"
            " WHERE event.study_id = %s",
            [cast.study.pk],
        )
        cursor.execute("ANALYZE annotation_protocolevent")
    sources = [s for s in sources_for(permissions_of(cast.owner)) if s.model is Protocol]
    with CaptureQueriesContext(connection) as captured:
        newest_places(cast.study, sources, Asked(), None, 51)
    assert len(captured) == 1
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN {captured[0]['sql']}")
        plan = "\n".join(row[0] for row in cursor.fetchall())
    assert "Seq Scan on annotation_protocolevent" not in plan, plan


def test_the_page_links_to_the_thing_and_escapes_what_people_wrote(cast, sign_in):
    change_study(by=cast.owner, study=cast.study, title="<b>x</b>", description="")
    text = sign_in(cast.owner).get(PAGE).content.decode()
    assert "&lt;b&gt;x&lt;/b&gt;" in text and "<b>x</b>" not in text
    assert 'href="/studies/rumours/protocol/"' in text
    assert '<a href="/studies/rumours/protocol/">Study' not in (
        sign_in(cast.researcher).get(PAGE).content.decode()
    )


@pytest.mark.parametrize("query", ["below=x", "below=~~", "below=2020-01-01~a~1", "since=never"])
def test_odd_questions_get_the_whole_list(cast, sign_in, query, settings_changed):
    response = sign_in(cast.owner).get(f"{PAGE}?{query}&kind=nonsense&person=nobody")
    assert response.status_code == 200 and "Protocol" in response.content.decode()


@pytest.mark.parametrize(
    "text", ["", "x~y~1", "2020-01-01T00:00:00Z~a~", "2020-13-01T00:00:00Z~a~1", "a~b~c~d"]
)
def test_a_place_that_is_none_is_refused(text):
    with pytest.raises(NoSuchPlace):
        Place.parse(text)


def test_the_file_has_what_the_page_has_and_is_safe_for_spreadsheets(cast, sign_in):
    change_study(by=cast.owner, study=cast.study, title="=1+1", description="")
    client = sign_in(cast.owner)
    response = client.get(f"{PAGE}activity.csv?kind=settings")
    rows = list(csv.DictReader(io.StringIO(b"".join(response.streaming_content).decode())))
    title = next(row for row in rows if row["field"] == "Title")
    assert (title["what"], title["old"], title["new"]) == ("Study", "Rumours", "'=1+1")
    assert {row["kind"] for row in rows} == {"settings"}


def test_the_api_gives_the_same_page_by_page(cast, settings_changed):
    api = caller(cast.owner)
    first = api.get("activity", size=2).json()
    assert len(first["results"]) == 2 and first["below"]
    second = api.get("activity", size=2, below=first["below"]).json()
    assert second["results"][0] not in first["results"]
    assert api.get("activity", below="nowhere").status_code == 422
    assert api.get("activity", person="nobody").status_code == 422


def test_rules_of_pay_are_seen_by_researchers_with_their_values(cast):
    PayRules.objects.get_or_create(study=cast.study)
    change_rules(by=cast.owner.user, study=cast.study, screen_out="0.50")
    changed = said(one(seen_by(cast.researcher), "Rules of pay"))
    assert changed["Pay for a screen-out"][1] == "0.50"


def test_a_study_without_any_act_says_so(cast, sign_in):
    bare = Study.objects.create(slug="bare", title="Bare")
    Member.objects.create(study=bare, user=cast.owner.user, role="researcher", pseudonym="r-1")
    Study.pgh_event_model.objects.all().delete()
    assert "Nothing yet" in sign_in(cast.owner).get("/studies/bare/activity/").content.decode()
