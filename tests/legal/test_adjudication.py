"""Posts looked at together: which ones want it, blindness, decisions that never touch a vote."""

import pytest
from django.urls import reverse

from annotation.models import BatchState, StageCode, Vote
from annotation.queries.own_work import standing_of
from annotation.services.batches import move_batch
from annotation.services.people import change_member
from legal.models import Decision, Remark
from legal.queries.adjudication import differing, letter_of, posts_by_kind, waiting
from legal.queries.summary import legal_summary
from legal.queries.verdicts import verdicts_of
from legal.services.adjudication import AdjudicationRefused, decide, remark
from legal.services.settings import change_settings
from tests.cast import make_cast
from tests.legal.world import LINK, answering, experts, legal_batch

pytestmark = pytest.mark.django_db

YES = {"label": "yes", "issues": ("hate_speech",), "evidence": (LINK,)}


@pytest.fixture
def three(cast):
    return experts(cast.study, 3)


@pytest.fixture
def tied(cast, three):
    """Make a post on which three experts say three different things."""
    batch = legal_batch(cast.study, ["The harbour is sold."])
    for member, what in zip(three, (YES, {"label": "no"}, {"label": "unclear"}), strict=True):
        answering(member, **what)
    return batch.tasks.get().post


def verdict_on(study, post):
    return verdicts_of(study, [post.pk])[post.pk]


def decided(cast, post, **what):
    given = {"label": "yes", "issues": ["hate_speech"], "reason": "It is one.", **what}
    return decide(by=cast.researcher, post=post, **given)


def test_three_different_answers_are_a_tie_that_counts_as_unclear_and_is_marked(cast, tied):
    found = verdict_on(cast.study, tied)
    assert (found.label, found.is_tie, found.is_decided) == ("unclear", True, False)
    assert posts_by_kind(cast.study)["ties"] == {tied.pk}


def test_ties_wait_for_an_adjudicator_only_where_the_study_says_so(cast, tied):
    assert waiting(cast.study) == 0
    change_settings(by=cast.researcher, study=cast.study, tie_rule="adjudicate")
    assert waiting(cast.study) == 1
    decided(cast, tied)
    assert waiting(cast.study) == 0


def test_a_decision_goes_before_the_majority_and_touches_no_vote(cast, tied):
    votes = list(Vote.objects.order_by("pk").values_list("pk", "label", "version"))
    decided(cast, tied)
    found = verdict_on(cast.study, tied)
    assert (found.label, found.issues, found.is_tie, found.is_decided) == (
        "yes",
        ("hate_speech",),
        True,
        True,
    )
    assert found.counts == {"no": 1, "unclear": 1, "yes": 1}
    assert list(Vote.objects.order_by("pk").values_list("pk", "label", "version")) == votes


def test_the_stages_figures_follow_decisions(cast, tied):
    before = legal_summary(cast.study)
    assert (before.labels["unclear"], before.ties, before.decided) == (1, 1, 0)
    assert [(one.code, one.posts, one.any_posts) for one in before.issues] == [
        ("hate_speech", 0, 1)
    ]
    decided(cast, tied, issues=["defamation"])
    after = legal_summary(cast.study)
    assert (after.labels["yes"], after.labels["unclear"], after.ties, after.decided) == (1, 0, 0, 1)
    assert [(one.code, one.posts, one.any_posts) for one in after.issues] == [
        ("defamation", 1, 0),
        ("hate_speech", 0, 1),
    ]


def test_another_decision_is_a_new_version_and_the_same_one_is_none(cast, tied):
    assert decided(cast, tied).version == 1
    assert decided(cast, tied).version == 1
    assert decided(cast, tied, label="no", issues=[]).version == 2
    assert verdict_on(cast.study, tied).label == "no"
    with pytest.raises(Exception, match="Cannot update or delete"):
        Decision.objects.all()._raw_delete("default")


@pytest.mark.parametrize(
    ("what", "sentence"),
    [
        ({"label": "maybe"}, "yes, no or unclear"),
        ({"issues": ["piracy"]}, "does not have “piracy”"),
        ({"reason": "  "}, "Say why"),
        ({"reason": "x" * 20_001}, "at most 20000"),
        ({"reason": "a\0"}, "cannot be stored"),
    ],
)
def test_a_bad_decision_gets_a_sentence_and_changes_nothing(cast, tied, what, sentence):
    with pytest.raises(AdjudicationRefused, match=sentence):
        decided(cast, tied, **what)
    assert not Decision.objects.exists()


def test_a_post_that_still_wants_votes_can_neither_be_decided_nor_discussed(cast):
    batch = legal_batch(cast.study, 1)
    answering(cast.expert, **YES)
    post = batch.tasks.get().post
    with pytest.raises(AdjudicationRefused, match="all its votes"):
        decided(cast, post)
    with pytest.raises(AdjudicationRefused, match="all its votes"):
        remark(by=cast.researcher, post=post, text="Hm")
    assert not any(posts_by_kind(cast.study).values())


def test_answers_other_than_the_definitions_are_counted_and_listed(cast, tied, sign_in):
    assert differing(cast.study) == (1, 3)
    assert posts_by_kind(cast.study)["differ"] == {tied.pk}
    shown = sign_in(cast.researcher).get(reverse("legal_differences", args=[cast.study.slug]))
    assert "1 answer" in shown.content.decode() and tied.external_id in shown.content.decode()


def test_the_verdicts_own_label_follows_from_all_evidence_and_issues_by_majority(cast):
    batch = legal_batch(cast.study, 3)
    answers = (
        [YES, {"label": "yes", "issues": ("hate_speech",)}, {"label": "no"}],
        [YES, {"label": "no"}, {"label": "no"}],
        [{"label": "no", "no_claim": True}, {"label": "no", "no_claim": True}, YES],
    )
    for member, given in zip(experts(cast.study, 3), zip(*answers, strict=True), strict=True):
        for what in given:
            answering(member, **what)
    posts = [task.post_id for task in batch.tasks.order_by("position")]
    found = verdicts_of(cast.study, posts)
    assert [found[post].derived for post in posts] == ["yes", "no", "no"]


def together(cast, post):
    return reverse("legal_together", args=[cast.study.slug, post.pk])


def test_people_stand_under_letters_and_a_decision_is_made_on_the_page(cast, three, tied, sign_in):
    client = sign_in(cast.researcher)
    shown = client.get(together(cast, tied)).content.decode()
    for member in three:
        assert member.pseudonym not in shown
    assert all(f">{letter}</h3>" in shown for letter in "ABC") and LINK in shown
    address = reverse("legal_decision", args=[cast.study.slug, tied.pk])
    assert client.post(address, {"label": "yes", "reason": ""}).status_code == 422
    after = client.post(
        address, {"label": "yes", "issues": ["hate_speech"], "reason": "Sold to nobody."}
    )
    assert after.status_code == 302
    shown = client.get(together(cast, tied)).content.decode()
    assert "Sold to nobody." in shown and "(decided)" in shown
    listed = client.get(reverse("legal_adjudication", args=[cast.study.slug]) + "?which=decided")
    assert tied.external_id in listed.content.decode()


def test_a_post_without_all_its_votes_shows_nothing_to_an_adjudicator(cast, sign_in):
    batch = legal_batch(cast.study, 1)
    answering(cast.expert, **YES)
    post = batch.tasks.get().post
    assert sign_in(cast.researcher).get(together(cast, post)).status_code == 404


def test_an_expert_adjudicates_only_with_the_permission_on_top(cast, tied, sign_in):
    client = sign_in(cast.expert)
    assert client.get(together(cast, tied)).status_code == 403
    change_member(
        by=cast.owner,
        member=cast.expert,
        role="expert",
        is_active=True,
        permissions=["adjudicate"],
    )
    assert client.get(together(cast, tied)).status_code == 200
    assert client.get(reverse("legal", args=[cast.study.slug])).status_code == 403


def test_the_owner_gives_the_permission_on_the_members_page(cast, sign_in):
    address = reverse("member", args=[cast.study.slug, cast.expert.pseudonym])
    sent = {"role": "expert", "is_active": "on", "permissions": ["adjudicate"]}
    assert sign_in(cast.owner).post(address, sent).status_code == 302
    cast.expert.refresh_from_db()
    assert cast.expert.permissions == ["adjudicate"]
    bad = {**sent, "permissions": ["manage_study"]}
    assert sign_in(cast.owner).post(address, bad).status_code == 200
    cast.expert.refresh_from_db()
    assert cast.expert.permissions == ["adjudicate"]


def test_experts_see_the_others_only_once_no_vote_can_change(cast, three, tied, sign_in):
    own = three[0]
    assignment = own.assignments.get()
    address = reverse("legal_own_together", args=[cast.study.slug, assignment.pk])
    client = sign_in(own)
    assert client.get(address).status_code == 404
    move_batch(by=None, batch=assignment.task.batch, to=BatchState.CLOSED)
    shown = client.get(address).content.decode()
    assert "A (you)" in shown and "B</h3>" in shown and 'name="label"' not in shown
    assert client.post(address, {"text": "I had not seen that."}).status_code == 302
    assert client.post(address, {"text": " "}).status_code == 422
    shown = client.get(address).content.decode()
    assert "I had not seen that." in shown and Remark.objects.count() == 1
    assert standing_of(own, StageCode.LEGAL) == "active"


def test_who_did_not_vote_and_who_is_elsewhere_see_nothing(cast, three, tied, sign_in):
    move_batch(by=None, batch=tied.tasks.get().batch, to=BatchState.CLOSED)
    own = three[0]
    address = reverse("legal_own_together", args=[cast.study.slug, own.assignments.get().pk])
    assert sign_in(cast.expert).get(address).status_code == 404
    elsewhere = make_cast("elsewhere")
    assert sign_in(elsewhere.researcher).get(together(cast, tied)).status_code == 404
    foreign = reverse("legal_together", args=[elsewhere.study.slug, tied.pk])
    assert sign_in(elsewhere.researcher).get(foreign).status_code == 404


def test_letters_go_on_after_z():
    assert [letter_of(place) for place in (0, 25, 26, 53)] == ["A", "Z", "A2", "B3"]
