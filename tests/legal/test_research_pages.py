"""The stage's pages for researchers, the guide, and how the stage reports itself."""

import pytest
from django.urls import reverse

from annotation.models import BatchState, Role
from annotation.registry import stages
from annotation.services import importing
from annotation.services.batches import move_batch
from annotation.services.people import change_member
from infra.jobs import no_report
from legal.services.batches import open_legal_batch
from legal.services.importing import import_legal_votes
from tests.cast import add_posts, upload
from tests.legal.world import LINK, answering, experts, legal_batch, read_guide
from tests.queries import queries_for

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(cast, sign_in):
    return sign_in(cast.researcher)


def url(cast, name, *more):
    return reverse(name, args=[cast.study.slug, *more])


def page(client, address):
    return client.get(address).content.decode()


def complete(cast, **said):
    for member in experts(cast.study, 3):
        answering(member, **said)


def report_of(study):
    return next(stage for stage in stages() if stage.code == "legal").describe(study)


def test_an_empty_stage_says_what_to_do(cast, client):
    assert "No post has come here yet" in page(client, url(cast, "legal"))
    report = report_of(cast.study)
    assert "promote" in str(report.blocked) and report.next_step is None
    assert [count.value for count in report.counts] == [0, 0]


def test_the_stage_reports_posts_and_verdicts_and_what_blocks(cast):
    batch = legal_batch(cast.study, 2)
    assert [count.value for count in report_of(cast.study).counts] == [2, 0]
    complete(cast)
    report = report_of(cast.study)
    assert [count.value for count in report.counts] == [2, 1] and not report.blocked
    assert report.next_step.title == "See how the experts get on"
    move_batch(by=None, batch=batch, to=BatchState.PAUSED)
    report = report_of(cast.study)
    assert "No batch is open" in str(report.blocked)
    assert report.next_step.url == url(cast, "legal")


def test_a_stage_without_experts_says_so(cast):
    legal_batch(cast.study, 1)
    change_member(by=cast.owner, member=cast.expert, role=Role.EXPERT, is_active=False)
    report = report_of(cast.study)
    assert "no expert" in str(report.blocked) and report.next_step is None


def test_only_experts_are_sent_to_work(cast):
    work = next(stage for stage in stages() if stage.code == "legal").work
    assert work(cast.expert).url == url(cast, "legal_work")
    assert not any(work(member) for member in (cast.owner, cast.researcher, cast.worker))


def test_the_page_shows_labels_issues_batches_and_people_by_pseudonym(cast, client):
    legal_batch(cast.study, 2)
    complete(cast, label="yes", issues=("defamation",), evidence=(LINK,))
    shown = page(client, url(cast, "legal"))
    assert "Over the 1 post" in shown and "MisLC (yes)" in shown and "Defamation" in shown
    people = list(cast.study.members.filter(role=Role.EXPERT, votes__isnull=False))
    assert len(people) >= 3 and all(member.pseudonym in shown for member in people)
    assert not any(member.user.username in shown for member in people)


def test_one_vote_a_post_says_why_alpha_is_undefined(cast, client):
    add_posts(cast.study, 1)
    file = upload(cast.study, "id,annotator,misinformation\np1,e1,yes", "legal_votes")
    import_legal_votes(by=None, file=file, report=no_report)
    assert "no pair of votes to compare" in page(client, url(cast, "legal"))


def test_a_verdict_shows_only_when_the_post_is_complete(cast, client):
    batch = legal_batch(cast.study, 1)
    post = batch.tasks.get().post
    members = experts(cast.study, 3)
    said = {
        "label": "yes",
        "issues": ("hate_speech",),
        "comment": "a <b>secret</b>",
        "evidence": (LINK,),
    }
    for member in members[:2]:
        answering(member, **said)
    addresses = (url(cast, "legal_batch", batch.number), url(cast, "legal_post", post.pk))
    for address in addresses:
        shown = page(client, address)
        assert "MisLC" not in shown and "secret" not in shown and LINK not in shown
    answering(members[2], **said)
    assert "MisLC" in page(client, addresses[0]) and "Hate Speech" in page(client, addresses[0])
    shown = page(client, addresses[1])
    assert "a &lt;b&gt;secret&lt;/b&gt;" in shown and "<b>secret" not in shown
    assert f'href="{LINK}" rel="noopener noreferrer nofollow"' in shown
    assert all(member.pseudonym in shown for member in members)


def test_a_tie_is_marked(cast, client):
    batch = legal_batch(cast.study, 1)
    for member, label in zip(experts(cast.study, 3), ("yes", "no", "unclear"), strict=True):
        answering(member, label=label)
    assert "(tie)" in page(client, url(cast, "legal_batch", batch.number))
    assert "ties among them: 1" in page(client, url(cast, "legal"))


def test_a_batch_can_be_paused_opened_and_closed_for_good(cast, client):
    batch = legal_batch(cast.study, 1)
    address = url(cast, "legal_batch_move", batch.number)
    for to, state in (
        ("paused", "paused"),
        ("open", "open"),
        ("closed", "closed"),
        ("open", "closed"),
    ):
        after = client.post(address, {"to": to}, follow=True)
        batch.refresh_from_db()
        assert batch.state == state
    assert "cannot become" in after.content.decode()
    assert client.post(address, {"to": "nonsense"}).status_code == 302


def test_a_batch_of_another_stage_or_number_does_not_exist(cast, client):
    legal_batch(cast.study, 1)
    assert client.get(url(cast, "legal_batch", 2)).status_code == 404
    assert client.post(url(cast, "legal_batch_move", 2), {"to": "open"}).status_code == 404


def test_pages_cost_the_same_for_ten_rows_and_for_twenty(cast, client, sign_in):
    legal_batch(cast.study, 10)
    said = {
        "label": "yes",
        "issues": ("defamation", "hate_speech"),
        "evidence": (LINK, f"{LINK}/2"),
    }
    members = experts(cast.study, 3)
    reader = sign_in(members[0])

    def answer_all(times):
        for member in members:
            for _post in range(times):
                answering(member, **said)

    def costs():
        batch = url(cast, "legal_batch", cast.study.batches.last().number)
        pages = [(client, url(cast, "legal")), (client, batch), (reader, url(cast, "legal_votes"))]
        return [queries_for(who, address) for who, address in pages]

    answer_all(10)
    few = costs()
    more = "\n".join(f"q{n},More {n}" for n in range(20))
    importing.import_posts(by=None, file=upload(cast.study, f"id,text\n{more}"), report=no_report)
    open_legal_batch(by=None, study=cast.study, external_ids=[f"q{n}" for n in range(20)])
    answer_all(20)
    assert costs() == few


def test_the_form_costs_the_same_for_few_posts_and_many(cast, sign_in):
    batch = legal_batch(cast.study, 3)
    read_guide(cast.expert, batch)
    reader = sign_in(cast.expert)
    few = queries_for(reader, url(cast, "legal_work"))
    for _post in range(2):
        answering(cast.expert, issues=("defamation",))
    assert queries_for(reader, url(cast, "legal_work")) == few
