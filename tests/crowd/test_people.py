"""The crowd's people for researchers: their figures, the rows behind them, and what can be done."""

import csv

import pytest
from django.db.models import Count, F, Q
from django.urls import reverse
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.models import Place, Role, StageCode, Standing, Study, Task, Vote
from annotation.queries.agreement import stage_agreement
from annotation.queries.counts import rounds_of
from annotation.services.assignments import next_task, skip_task
from annotation.services.jobs import run_job
from annotation.services.votes import Answer, submit_vote
from crowd.models import Estimate, LikelyLabel, Reliability
from crowd.queries.majorities import agrees_with_others, compared_with_others
from crowd.queries.people import figures_of, in_order, people_figures
from crowd.queries.person import exclusion_of
from crowd.services.checks import write_attention_post
from crowd.services.estimates import start_estimate
from tests.cast import add_posts, join, make_cast, upload
from tests.crowd.checks import batch_with_checks, begin_anew, work_through
from tests.crowd.conftest import has_read
from tests.queries import queries_for

pytestmark = pytest.mark.django_db

LABELS = ("no_claim", "not_checkworthy", "checkworthy")
WORK = [f"p{number}" for number in range(1, 9)]
GOLD = {f"p{number}": "checkworthy" for number in range(9, 13)}


@pytest.fixture
def study(cast) -> Study:
    add_posts(cast.study, 12)
    cast.study.protocol.sitting_size = 12
    cast.study.protocol.save()
    return cast.study


@pytest.fixture
def batch(study):
    return batch_with_checks(study, WORK, GOLD, share=0.34)


def person(study, name):
    member = has_read(join(study, name, Role.CROWD_WORKER, posts=0))
    begin_anew(member)
    return member


@pytest.fixture
def people(study, batch):
    """Three people: two who agree, one who says the same to everything."""
    right = {name: LABELS[number % 3] for number, name in enumerate(WORK)} | GOLD
    members = [person(study, name) for name in ("ada", "grace", "idle")]
    for member in members[:2]:
        work_through(member, right)
    work_through(members[2], {}, "no_claim")
    return members


def url(name, study, *more):
    return reverse(name, args=[study.slug, *more])


def page(response):
    assert response.status_code == 200
    return response.content.decode()


def row_of(study, member):
    return next(row for row in people_figures(study) if row.member == member)


def test_each_figure_counts_what_it_says(study, people):
    ada, _grace, idle = people
    row = row_of(study, ada)
    assert row.votes == 8 and row.seconds == 5.0
    assert (row.gold.right, row.gold.of) == (4, 4) and row.gold.share == 1.0
    others = row_of(study, idle)
    assert (others.gold.right, others.gold.of) == (0, 4)
    assert (others.others.agreeing, others.others.votes) == (3, 8)
    assert others.attention.share is None and others.skill is None and others.flags == 0


def test_ones_own_vote_is_left_out_of_the_majority(study, people):
    ada, _grace, idle = people
    # Grace agrees with Ada where idle does not: the others of Ada tie, and that is no majority.
    row = row_of(study, ada)
    assert (row.others.agreeing, row.others.votes) == (3, 3)
    outcomes = agrees_with_others(rounds_of(study, StageCode.CROWD), idle.pk)
    assert len(outcomes) == 8 and sum(outcomes.values()) == 3


votes_of_posts = st.lists(st.lists(st.sampled_from(LABELS), min_size=1, max_size=4), max_size=5)


@given(votes_of_posts)
@settings(max_examples=15, deadline=None)
def test_leaving_out_is_what_counting_by_hand_gives(rows):
    cast = make_cast(f"hand-{Study.objects.count()}-{Vote.objects.count()}")
    add_posts(cast.study, 5)
    lines = [
        f"p{post},w{who},{label}"
        for post, labels in enumerate(rows, 1)
        for who, label in enumerate(labels)
    ]
    if not lines:
        return
    bring_in(cast.study, lines)
    found = compared_with_others(rounds_of(cast.study, StageCode.CROWD))
    by_name = {
        member.imported_name: found.get(member.pk)
        for member in cast.study.members.filter(user=None)
    }
    for name, compared in by_name.items():
        who = int(name[1:])
        wanted = [by_hand(labels, who) for labels in rows if len(labels) > who]
        known = [agrees for agrees in wanted if agrees is not None]
        assert (compared.votes if compared else 0) == len(known)
        assert (compared.agreeing if compared else 0) == sum(known)


def by_hand(labels, who):
    others = [label for number, label in enumerate(labels) if number != who]
    counts = {label: others.count(label) for label in others}
    first = [label for label, count in counts.items() if count == max(counts.values())]
    return labels[who] == first[0] if len(first) == 1 else None


def bring_in(study, lines):
    from crowd.services.vote_import import import_votes
    from infra.jobs import no_report

    file = upload(study, "id,annotator,label\n" + "\n".join(lines), kind="crowd_votes")
    import_votes(by=None, file=file, report=no_report)


def test_skips_count_but_what_was_harmful_never_does(study, batch):
    member = person(study, "picky")
    for reason in ("not_sure", "harmful", "language"):
        held = next_task(by=member, stage=StageCode.CROWD).assignment
        skip_task(by=member, assignment_id=held.pk, reason=reason)
    held = next_task(by=member, stage=StageCode.CROWD).assignment
    submit_vote(by=member, assignment_id=held.pk, answer=Answer("no_claim", 2.0))
    skips = figures_of(study, [member])[0].skips
    assert (skips.skipped, skips.of) == (2, 3)


def test_people_are_listed_by_any_figure_and_the_unknown_come_last(study, people, sign_in):
    rows = in_order(people_figures(study), "gold", descending=False)
    assert rows[0].member == people[2]
    rows = in_order(people_figures(study), "attention", descending=True)
    assert len(rows) == 3
    client = sign_in(study.members.get(role=Role.RESEARCHER))
    html = page(client.get(url("crowd_people", study) + "?sort=gold&order=up"))
    assert html.index(people[2].pseudonym) < html.index(people[0].pseudonym)
    assert 'aria-sort="ascending"' in html
    assert client.get(url("crowd_people", study) + "?sort=password").status_code == 404


def test_the_file_has_the_figures_and_no_name(study, people, sign_in):
    client = sign_in(study.members.get(role=Role.RESEARCHER))
    text = page(client.get(url("crowd_people_file", study)))
    rows = {row["pseudonym"]: row for row in csv.DictReader(text.splitlines())}
    assert rows[people[0].pseudonym]["gold_right"] == "4"
    assert rows[people[2].pseudonym]["agreeing"] == "3" and rows[people[2].pseudonym]["skill"] == ""
    assert "ada" not in text and "idle" not in text


def test_every_figure_opens_to_its_rows(study, people, sign_in):
    client = sign_in(study.members.get(role=Role.RESEARCHER))
    idle = people[2].pseudonym
    for query, rows in (
        ("", "12 rows"),
        ("?show=gold", "4 rows"),
        ("?show=against", "5 rows"),
        ("?show=compared", "8 rows"),
        ("?show=attention", "No such row"),
        ("?show=skipped", "No such row"),
        ("?label=no_claim", "8 rows"),
        ("?label=checkworthy", "No such row"),
    ):
        assert rows in page(client.get(url("crowd_person", study, idle) + query)), query
    assert client.get(url("crowd_person", study, idle) + "?show=nothing").status_code == 404


def test_what_is_not_known_is_a_sentence(study, batch, sign_in):
    member = person(study, "new")
    client = sign_in(study.members.get(role=Role.RESEARCHER))
    html = page(client.get(url("crowd_person", study, member.pseudonym)))
    assert "They met no gold check yet." in html and "Not measured." in html
    assert "Nobody has asked for an estimate yet." in html
    assert "The others have no majority" in html


def test_the_list_costs_the_same_with_more_people(study, batch, sign_in):
    client = sign_in(study.members.get(role=Role.RESEARCHER))
    work_through(person(study, "one"), {})
    few = queries_for(client, url("crowd_people", study))
    for name in ("two", "three"):
        work_through(person(study, name), {})
    assert queries_for(client, url("crowd_people", study)) == few


def test_somebody_is_paused_with_a_reason_and_works_again(study, people, sign_in):
    client = sign_in(study.members.get(role=Role.RESEARCHER))
    ada = people[0]
    address = url("crowd_person_standing", study, ada.pseudonym)
    for state in ("paused", "active"):
        form = {"state": state, "reason": "Too <b>quick</b>"}
        html = page(client.post(address, form, follow=True))
        assert "on record" in html and "Too &lt;b&gt;quick&lt;/b&gt;" in html
        assert Standing.objects.get(member=ada, stage="crowd").state == state
    html = page(client.post(address, {"state": "dismissed"}, follow=True))
    assert "Choose whether" in html
    assert Standing.objects.get(member=ada, stage="crowd").state == "active"


# Places made anew are found by the clock, which stands still inside of one transaction.
@pytest.mark.django_db(transaction=True)
def test_dismissing_says_beforehand_what_it_changes_and_refills_exactly(study, people, sign_in):
    client = sign_in(study.members.get(role=Role.RESEARCHER))
    idle = people[2]
    address = url("crowd_person_dismiss", study, idle.pseudonym)
    assert (exclusion_of(idle).votes, exclusion_of(idle).places) == (8, 8)
    assert "Votes that stop counting" in page(client.get(address))
    assert client.post(address, {"reason": ""}).status_code == 200
    assert Standing.objects.get(member=idle, stage="crowd").state == "active"
    html = page(client.post(address, {"reason": "Says one thing"}, follow=True))
    assert "8 votes are asked for anew" in html and "taken out for good" in html
    assert stage_agreement(study, StageCode.CROWD).votes == 16
    newcomers = [person(study, f"new{number}") for number in range(3)]
    for member in newcomers:
        work_through(member, {}, "checkworthy")
    assert stage_agreement(study, StageCode.CROWD).votes == 24
    votes = Vote.objects.counting().filter(task__stage=StageCode.CROWD)
    per_task = votes.values("task").annotate(number=Count("pk")).values_list("number", flat=True)
    assert set(per_task) == {3}
    unfilled = Place.objects.filter(batch__study=study, filled_at=None)
    assert not unfilled.exists()
    assert "was taken out already" in page(client.post(address, {"reason": "x"}, follow=True))


def test_an_estimate_runs_as_a_job_and_tells_the_careless_apart(study, people, sign_in):
    client = sign_in(study.members.get(role=Role.RESEARCHER))
    client.post(url("crowd_estimate", study))
    job = start_estimate(by=None, study=study)
    assert start_estimate(by=None, study=study) == job, "one at a time"
    assert "An estimate is being made" in page(client.get(url("crowd_people", study)))
    ended = run_job(job_id=job.pk)
    assert ended.state == "succeeded", ended.reason
    estimate = Estimate.objects.get()
    assert (estimate.posts, estimate.people, estimate.votes) == (8, 3, 24)
    skills = dict(Reliability.objects.values_list("member", "skill"))
    assert skills[people[0].pk] > 0.95 > 0.5 > skills[people[2].pk]
    assert all(abs(sum(row.chances) - 1) < 1e-9 for row in LikelyLabel.objects.all())
    html = page(client.get(url("crowd_person", study, people[2].pseudonym)))
    assert "says Checkworthy" in html and "chance that an answer is right" in html


def test_votes_on_checks_and_taken_out_votes_do_not_enter_an_estimate(study, people):
    write_attention_post(by=None, study=study, text="Choose no claim", label="no_claim")
    assert Task.objects.filter(stage=StageCode.CHECK, votes__isnull=False).exists()
    run_job(job_id=start_estimate(by=None, study=study).pk)
    assert not LikelyLabel.objects.filter(post__tasks__stage=StageCode.CHECK).exists()


def test_without_votes_by_people_an_estimate_says_so(cast):
    job = run_job(job_id=start_estimate(by=None, study=cast.study).pk)
    assert job.state == "failed" and "no votes by people" in job.reason


def test_rounds_with_other_labels_have_no_estimate_and_no_agreement(study, people, sign_in):
    bring_in(study, ["p1,a,0", "p1,b,1"])
    job = run_job(job_id=start_estimate(by=None, study=study).pk)
    assert job.state == "failed" and "different label sets" in job.reason
    client = sign_in(study.members.get(role=Role.RESEARCHER))
    html = page(client.get(url("crowd_people", study)))
    assert "The rounds have different labels" in html


def test_results_of_an_estimate_cannot_be_changed(study, people):
    from django.db import InternalError, transaction

    run_job(job_id=start_estimate(by=None, study=study).pk)
    with pytest.raises(InternalError), transaction.atomic():
        Reliability.objects.update(skill=1.0)
    assert Reliability.objects.filter(~Q(skill=F("skill"))).count() == 0
