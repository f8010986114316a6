"""Rules about the quality of work: what they see, when they look, and what follows."""

import pytest
from django.urls import reverse

from annotation.models import Member, Role, StageCode, Standing, StandingChange, Study
from annotation.services.assignments import next_task, skip_task
from annotation.services.standings import change_standing
from annotation.services.votes import Answer, submit_vote
from crowd.models import Action, Flag, GoldLabel, QualityRule, Watched
from crowd.queries.quality import seen_by
from crowd.services.checks import choose_checks, write_attention_post
from crowd.services.quality import apply_rules, settle, write_rule
from tests.cast import add_posts, join
from tests.crowd.checks import batch_with_checks, begin_anew, work_through
from tests.crowd.conftest import has_read

pytestmark = pytest.mark.django_db

WORK = [f"p{number}" for number in range(1, 41)]
GOLD = {f"p{number}": "checkworthy" for number in range(41, 51)}
SCRIPT = {"Sec-Fetch-Dest": "empty"}


@pytest.fixture
def study(cast) -> Study:
    add_posts(cast.study, 50)
    cast.study.protocol.sitting_size = 20
    cast.study.protocol.save()
    batch_with_checks(cast.study, WORK, GOLD, share=0.5)
    return cast.study


@pytest.fixture
def worker(study) -> Member:
    worker = has_read(join(study, "worker", Role.CROWD_WORKER, posts=0))
    begin_anew(worker)
    return worker


def rule_of(study, watched, threshold, *, over=5, action="ask") -> QualityRule:
    return write_rule(
        by=None, study=study, watched=watched, over=over, threshold=threshold, action=action
    )


def test_gold_accuracy_over_the_last_checks(study, worker):
    rule = rule_of(study, Watched.GOLD, 0.7)
    assert seen_by(rule, worker) is None, "too few are known"
    work_through(worker, GOLD | {"p41": "no_claim"}, "no_claim")
    assert seen_by(rule_of(study, Watched.GOLD, 0.7, over=10), worker) == 0.9


def test_attention_posts_are_watched_apart_from_gold(study, worker):
    choose_checks(by=None, study=study, gold_ids=[])
    for number in range(5):
        text = f"Choose not checkworthy {number}"
        write_attention_post(by=None, study=study, text=text, label="not_checkworthy")
    begin_anew(worker)
    work_through(worker, {}, "no_claim")
    assert seen_by(rule_of(study, Watched.ATTENTION, 0.7), worker) == 0
    assert seen_by(rule_of(study, Watched.GOLD, 0.7), worker) is None
    assert GoldLabel.objects.filter(source="attention").count() == 5


def test_agreement_with_the_others_over_the_last_that_can_be_compared(study, worker):
    others = [has_read(join(study, name, Role.CROWD_WORKER, posts=0)) for name in "ab"]
    for other in others:
        begin_anew(other)
        work_through(other, GOLD, "checkworthy")
    work_through(worker, GOLD, "no_claim")
    assert seen_by(rule_of(study, Watched.AGREEMENT, 0.5, over=10), worker) == 0
    # The two others of each of the two differ: that is no majority.
    assert seen_by(rule_of(study, Watched.AGREEMENT, 0.5, over=10), others[0]) is None


def test_median_seconds_and_skips(study, worker):
    for number in range(6):
        held = next_task(by=worker, stage=StageCode.CROWD).assignment
        if number in (1, 3):
            skip_task(by=worker, assignment_id=held.pk, reason="not_sure")
        else:
            answer = Answer("no_claim", [9.0, 0, 3.0, 0, 2.0, 1.0][number])
            submit_vote(by=worker, assignment_id=held.pk, answer=answer)
    assert seen_by(rule_of(study, Watched.SECONDS, 5, over=4), worker) == 2.5
    assert seen_by(rule_of(study, Watched.SECONDS, 5, over=5), worker) is None
    assert seen_by(rule_of(study, Watched.SKIPS, 0.3, over=6), worker) == pytest.approx(2 / 6)


def test_skips_are_bad_above_and_all_else_below_the_threshold(study):
    skips, seconds = (rule_of(study, watched, 0.5) for watched in ("skips", "seconds"))
    assert skips.is_broken_by(0.6) and not skips.is_broken_by(0.5)
    assert seconds.is_broken_by(0.4) and not seconds.is_broken_by(0.5)


def test_a_rule_flags_once_until_it_is_settled_and_then_looks_at_what_is_new(
    study, worker, django_user_model
):
    rule = rule_of(study, Watched.SECONDS, 10.0, over=3)
    answer_posts(worker, 3)
    flag = apply_rules(member=worker)[0]
    assert (flag.seen, flag.over, flag.threshold, flag.action) == (2.0, 3, 10.0, "ask")
    assert "2.0 s over the last 3 (threshold 10.0 s)" in flag.in_words
    assert apply_rules(member=worker) == []
    settled = settle(by=study.members.first().user, flag=flag, note="Fine")
    assert settled.settled_by and settled.note == "Fine"
    assert settle(by=study.members.first().user, flag=flag, note="again").note == "Fine"
    assert seen_by(rule, worker) is None


@pytest.mark.django_db(transaction=True)
def test_a_flag_that_nobody_settles_silences_no_rule(study, worker):
    rule_of(study, Watched.SECONDS, 10.0, over=3, action=Action.WARN)
    answer_posts(worker, 3)
    (first,) = apply_rules(member=worker)
    answer_posts(worker, 2)
    assert apply_rules(member=worker) == [], "not a whole window since"
    answer_posts(worker, 1)
    (second,) = apply_rules(member=worker)
    first.refresh_from_db()
    assert (first.settled_at is None, first.settled_by) == (False, None)
    assert list(Flag.objects.filter(settled_at=None)) == [second]


@pytest.mark.django_db(transaction=True)
def test_who_works_again_after_a_pause_is_watched_again(study, worker):
    rule_of(study, Watched.SECONDS, 10.0, over=3, action=Action.PAUSE)
    for _round in range(2):
        answer_posts(worker, 3)
        assert apply_rules(member=worker)
        assert Standing.objects.get(member=worker, stage="crowd").state == "paused"
        change_standing(by=None, member=worker, stage="crowd", state="active", reason="")
        assert apply_rules(member=worker) == [], "not for the same work"


@pytest.mark.parametrize(
    ("before", "now", "acts"),
    [("warn", "pause", True), ("warn", "ask", True), ("pause", "warn", False)],
)
def test_a_rule_that_asks_for_more_acts_at_once_on_what_it_saw(study, worker, before, now, acts):
    rule = rule_of(study, Watched.SECONDS, 10.0, over=3, action=before)
    answer_posts(worker, 3)
    apply_rules(member=worker)
    write_rule(by=None, study=study, rule=rule, action=now)
    assert [flag.action for flag in apply_rules(member=worker)] == ([now] if acts else [])


def answer_posts(member, number, seconds=2.0):
    for _post in range(number):
        held = next_task(by=member, stage=StageCode.CROWD).assignment
        submit_vote(by=member, assignment_id=held.pk, answer=Answer("no_claim", seconds))


def test_a_rule_out_of_force_sees_nothing(study, worker):
    rule = rule_of(study, Watched.SECONDS, 10.0, over=1)
    write_rule(by=None, study=study, rule=rule, is_active=False)
    answer_posts(worker, 2)
    assert apply_rules(member=worker) == []


def test_a_pause_is_on_record_with_what_was_seen_and_the_post_goes_back(study, worker):
    rule_of(study, Watched.SECONDS, 10.0, over=2, action=Action.PAUSE)
    answer_posts(worker, 2)
    held = next_task(by=worker, stage=StageCode.CROWD).assignment
    apply_rules(member=worker)
    assert Standing.objects.get(member=worker, stage="crowd").state == "paused"
    assert "2.0 s" in StandingChange.objects.get(standing__member=worker).reason
    held.refresh_from_db()
    assert held.state == "lapsed"
    assert next_task(by=worker, stage=StageCode.CROWD).nothing == "you_paused"


class Visit:
    """A worker at the browser, who answers one post after the other."""

    def __init__(self, client, study, member):
        self.client, self.slug, self.member = client, study.slug, member

    def answer(self, label="no_claim"):
        held = next_task(by=self.member, stage=StageCode.CROWD).assignment
        form = {"label": label, "seconds": "1", "guide_version": "1"}
        address = reverse("work_submit", args=[self.slug, held.pk])
        return self.client.post(address, form, headers=SCRIPT).content.decode()


def test_rules_look_at_every_tenth_vote_and_at_the_end_whatever_the_posts_were(
    study, worker, sign_in, monkeypatch
):
    from crowd.views import labelling

    looked = []
    monkeypatch.setattr(labelling, "apply_rules", lambda *, member: looked.append(votes[0]) or [])
    visit, votes = Visit(sign_in(worker), study, worker), [0]
    for number in range(1, 21):
        votes[0] = number
        visit.answer()
    assert looked == [10, 20]
    begin_anew(worker)
    votes[0] = 21
    visit.answer()
    visit.client.post(reverse("work_leave", args=[study.slug]))
    assert looked == [10, 20, 21]


def test_who_is_warned_reads_one_kind_sentence_once(study, worker, sign_in):
    rule_of(study, Watched.GOLD, 0.9, over=1, action=Action.WARN)
    visit = Visit(sign_in(worker), study, worker)
    pages = [visit.answer() for _number in range(20)]
    told = [number for number, html in enumerate(pages, 1) if "please read it once more" in html]
    assert len(told) == 1 and told[0] in (10, 20)
    html = pages[told[0] - 1].lower()
    assert "gold" not in html and "rule" not in html.replace("rules", "")
    assert Flag.objects.get().action == "warn"


def test_who_is_paused_reads_so_and_gets_no_post(study, worker, sign_in):
    rule_of(study, Watched.SECONDS, 10.0, over=5, action=Action.PAUSE)
    visit = Visit(sign_in(worker), study, worker)
    pages = [visit.answer() for _number in range(10)]
    assert "Your work here is paused" in pages[-1] and "Your work here is paused" not in pages[-2]
    assert "10.0 s" not in pages[-1]


def page(response):
    assert response.status_code == 200
    return response.content.decode()


def test_researchers_make_change_and_settle_from_the_pages(study, worker, sign_in):
    client = sign_in(study.members.get(role=Role.RESEARCHER))
    rules = reverse("crowd_rules", args=[study.slug])
    form = {"watched": "seconds", "over": 2, "threshold": "4", "action": "ask", "is_active": "on"}
    assert "The rule is made" in page(client.post(rules, form, follow=True))
    rule = QualityRule.objects.get()
    change = reverse("crowd_rule", args=[study.slug, rule.pk])
    assert "The rule is changed" in page(client.post(change, form | {"threshold": 6}, follow=True))
    answer_posts(worker, 2)
    apply_rules(member=worker)
    html = page(client.get(rules))
    assert worker.pseudonym in html and "2.0 s over the last 2 (threshold 6.0 s)" in html
    address = reverse("crowd_flag_settle", args=[study.slug, Flag.objects.get().pk])
    html = page(client.post(address, {"note": "Spoke <i>kindly</i>"}, follow=True))
    assert "Settled by" in html and "Spoke &lt;i&gt;kindly&lt;/i&gt;" in html
    assert "No rule has seen anything" in page(client.get(rules))


@pytest.mark.parametrize(
    ("watched", "threshold"), [("gold", "1.5"), ("gold", "-1"), ("seconds", "nan"), ("seconds", "")]
)
def test_a_threshold_that_makes_no_sense_is_refused_with_a_sentence(
    study, sign_in, watched, threshold
):
    client = sign_in(study.members.get(role=Role.RESEARCHER))
    form = {"watched": watched, "over": 2, "threshold": threshold, "action": "ask"}
    html = page(client.post(reverse("crowd_rules", args=[study.slug]), form))
    assert "field-error" in html or "errorlist" in html or "Give a number" in html
    assert not QualityRule.objects.exists()


def test_checks_are_chosen_and_shared_out_from_the_pages(study, sign_in):
    client = sign_in(study.members.get(role=Role.RESEARCHER))
    address = reverse("crowd_checks", args=[study.slug])
    some = list(GoldLabel.objects.values_list("pk", flat=True))[:3]
    assert "3 posts serve" in page(client.post(address, {"checks": some}, follow=True))
    assert "3 gold posts, 0 attention posts" in page(client.get(address))
    html = page(client.post(address, {"checks": [987654]}, follow=True))
    assert "no answer that is known" in html
    share = reverse("crowd_check_share", args=[study.slug, 1])
    assert "is set" in page(client.post(share, {"percent": "15"}, follow=True))
    assert 'value="15"' in page(client.get(address))
    assert "from 0 to 50" in page(client.post(share, {"percent": "90"}, follow=True))
    new = reverse("crowd_attention_new", args=[study.slug])
    form = {"text": "If you read this, choose no claim", "label": "no_claim"}
    assert "serves as a check" in page(client.post(new, form, follow=True))
    assert "Nothing is left" in page(client.post(new, form | {"text": "☂"}))
