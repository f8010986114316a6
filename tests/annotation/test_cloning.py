"""Cloning a study takes its rules and nobody's work; the archive is for reading only."""

import pytest
from django.urls import reverse

from annotation.models import Batch, Member, Post, Protocol, Role, SittingState, Study, StudyState
from annotation.services.assignments import next_task
from annotation.services.batches import move_batch
from annotation.services.people import PeopleRefused
from annotation.services.studies import archive_study, clone_study, reopen_study, values_of
from annotation.services.votes import Answer, VoteRefused, correct_vote, submit_vote
from crowd.models import Instructions, LabelSet, PayRules, PrescreeningRules, QualityRule
from crowd.services.batches import create_batch
from crowd.services.instructions import write_instructions
from crowd.services.labels import NewLabel, labels_of, write_labels
from legal.models import Criterion, Issue
from legal.queries.catalogues import current_catalogue
from legal.services.catalogues import ensure_catalogue
from tests.cast import add_posts

pytestmark = pytest.mark.django_db

LABELS = [NewLabel("yes", "Yes", "1", "It is."), NewLabel("no", "No", "2")]


@pytest.fixture
def owner(cast):
    """The owner of a study with rules of every kind, posts, and a batch."""
    user = cast.owner.user
    user.may_create_studies = True
    user.save()
    cast.study.protocol.reward, cast.study.protocol.languages = 1, ["it"]
    cast.study.protocol.save()
    add_posts(cast.study, 3)
    create_batch(by=None, study=cast.study, posts=3)
    write_instructions(by=None, study=cast.study, markdown="Old")
    write_instructions(by=None, study=cast.study, markdown="New", introduction="Hello")
    write_labels(by=None, study=cast.study, question="So?", labels=LABELS)
    PrescreeningRules.objects.create(study=cast.study, is_open=True, max_tests=5)
    QualityRule.objects.create(study=cast.study, watched="gold", threshold=0.5, action="warn")
    PayRules.objects.create(study=cast.study, approval="by_hand")
    ensure_catalogue(by=None, study=cast.study)
    return cast.owner


def test_a_clone_has_protocol_instructions_labels_and_rules(cast, owner):
    made = clone_study(by=owner, slug="again", title="Again")
    first, second = (values_of(Protocol.objects.get(study=one)) for one in (cast.study, made))
    assert first | {"study": made} == second
    text = Instructions.objects.get(study=made)
    assert (text.version, text.markdown, text.introduction) == (1, "New", "Hello")
    assert text.created_by == owner.user
    own = LabelSet.objects.get(study=made)
    assert (own.question, own.version, labels_of(own)) == ("So?", 1, LABELS)
    rules = PrescreeningRules.objects.get(study=made)
    assert (rules.max_tests, rules.is_open) == (5, False)
    assert QualityRule.objects.get(study=made).threshold == 0.5
    assert PayRules.objects.get(study=made).approval == "by_hand"


def test_a_clone_has_the_whole_legal_catalogue_as_its_first_version(cast, owner):
    made = current_catalogue(clone_study(by=owner, slug="again", title="Again"))
    old = current_catalogue(cast.study)
    assert made.version == 1 and made.pk != old.pk
    for model, path in ((Issue, "catalogue"), (Criterion, "issue__catalogue")):
        codes = [
            list(model.objects.filter(**{path: one}).order_by("pk").values_list("code", flat=True))
            for one in (old, made)
        ]
        assert codes[0] == codes[1] and codes[0]
    parts = Criterion.objects.filter(issue__catalogue=made).exclude(parent=None)
    assert parts.exists()
    assert not parts.exclude(parent__issue__catalogue=made).exists()


def test_a_clone_has_nobody_s_work_and_nobody_but_its_owner(cast, owner):
    made = clone_study(by=owner, slug="again", title="Again")
    assert not Post.objects.filter(study=made).exists()
    assert not Batch.objects.filter(study=made).exists()
    people = Member.objects.filter(study=made)
    assert [(one.user, one.role) for one in people] == [(owner.user, Role.OWNER)]


def test_a_clone_needs_a_free_name_and_the_right_to_create_studies(cast, owner, sign_in):
    with pytest.raises(PeopleRefused, match="already"):
        clone_study(by=owner, slug=cast.study.slug, title="Again")
    owner.user.may_create_studies = False
    owner.user.save()
    address = reverse("study_clone", args=[cast.study.slug])
    answer = sign_in(owner).post(address, {"slug": "again", "title": "Again"})
    assert "may not create studies" in answer.content.decode()
    assert not Study.objects.filter(slug="again").exists()


def test_an_owner_clones_a_study_on_its_page(cast, owner, sign_in):
    address = reverse("study_clone", args=[cast.study.slug])
    assert (
        address in sign_in(owner).get(reverse("protocol", args=[cast.study.slug])).content.decode()
    )
    answer = sign_in(owner).post(address, {"slug": "again", "title": "Again"}, follow=True)
    assert "The clone is made" in answer.content.decode()
    assert Study.objects.get(slug="again").title == "Again"


def open_batch_with_a_vote(cast):
    """Return a worker's voted assignment and one that they hold."""
    move_batch(by=None, batch=Batch.objects.get(study=cast.study), to="open")
    voted = next_task(by=cast.worker, stage="crowd").assignment
    submit_vote(by=cast.worker, assignment_id=voted.pk, answer=Answer("yes"))
    return voted.pk, next_task(by=cast.worker, stage="crowd").assignment.pk


def fresh(member):
    return Member.objects.select_related("study__protocol").get(pk=member.pk)


def test_in_an_archived_study_annotators_read_and_change_nothing(cast, owner, sign_in):
    voted, held = open_batch_with_a_vote(cast)
    archive_study(by=owner)
    for act in (submit_vote, correct_vote):
        with pytest.raises(VoteRefused, match="archived"):
            act(by=fresh(cast.worker), assignment_id=voted, answer=Answer("no"))
    client, slug = sign_in(cast.worker), cast.study.slug
    answer = client.post(reverse("work_submit", args=[slug, held]), {"label": "no"})
    assert answer.status_code == 409 and "archived" in answer.content.decode()
    assert client.get(reverse("work_votes", args=[slug])).status_code == 200
    assert [vote.label for vote in cast.worker.votes.all()] == ["yes"]


def test_a_sitting_of_an_archived_study_is_complete_and_no_other_begins(cast, owner, sign_in):
    open_batch_with_a_vote(cast)
    archive_study(by=owner)
    client, slug = sign_in(cast.worker), cast.study.slug
    html = client.get(reverse("work", args=[slug])).content.decode()
    sitting = cast.worker.sittings.get()
    assert sitting.state == SittingState.COMPLETE and sitting.completion_code in html
    assert "This study has ended" in html
    client.post(reverse("work_start", args=[slug]), {"version": "1"})
    assert cast.worker.sittings.count() == 1


def test_out_of_the_archive_a_study_is_paused_until_its_owner_sets_it_going(cast, owner, sign_in):
    voted, _held = open_batch_with_a_vote(cast)
    client, address = sign_in(owner), reverse("study_archive", args=[cast.study.slug])
    client.post(address, {"to": "archive"})
    protocol = client.get(reverse("protocol", args=[cast.study.slug])).content.decode()
    assert "Take it out of the archive" in protocol and 'name="state"' not in protocol
    assert "Take it out" in client.get(address).content.decode()
    client.post(address, {"to": "reopen"})
    assert Study.objects.get(pk=cast.study.pk).state == StudyState.PAUSED
    correct_vote(by=fresh(cast.worker), assignment_id=voted, answer=Answer("no"))


def test_the_archive_does_nothing_twice_and_nothing_unknown(cast, owner, sign_in):
    assert reopen_study(by=owner).state == StudyState.ACTIVE
    assert archive_study(by=owner).state == archive_study(by=owner).state == StudyState.ARCHIVED
    reopen_study(by=owner)
    client, address = sign_in(owner), reverse("study_archive", args=[cast.study.slug])
    client.post(address, {"to": "nowhere"})
    assert Study.objects.get(pk=cast.study.pk).state == StudyState.PAUSED
