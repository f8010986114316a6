"""The pages of a study: the funnel, posts, one post traced, what each role sees, and their cost."""

import re

import pytest

from annotation.models import Batch, BatchState, Post, Role, StageCode, StudyState, Tally, User
from annotation.queries.studies import members_of, post_totals
from annotation.services import people
from annotation.services.assignments import next_task
from annotation.services.batches import add_tasks, move_batch, start_batch
from annotation.services.jobs import queue_job
from annotation.services.votes import Answer, correct_vote, submit_vote
from tests.annotation import job_kinds
from tests.cast import add_posts, join, sample_batch, upload
from tests.queries import queries_for

pytestmark = pytest.mark.django_db

LABELS = ["no_claim", "not_checkworthy", "checkworthy"]


def page(client, address):
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def of_study(cast, path=""):
    return f"/studies/{cast.study.slug}/{path}"


def main_of(html):
    return html[html.index("<main") : html.index("</main>")]


def open_crowd(study, number=3):
    batch = sample_batch(
        study=study, stage=StageCode.CROWD, labels=LABELS, number=number, votes_wanted=2, seed=1
    )
    return move_batch(by=None, batch=batch, to=BatchState.OPEN)


def vote(member, label="checkworthy", stage=StageCode.CROWD):
    held = next_task(by=member, stage=stage).assignment
    submit_vote(by=member, assignment_id=held.pk, answer=Answer(label, 4.0, 1))
    return held


def test_a_new_study_says_what_to_do_first(cast, sign_in):
    html = page(sign_in(cast.owner), of_study(cast))
    assert "Next step" in html and "Import posts" in html
    assert f'href="{of_study(cast, "imports/")}"' in html


def test_the_funnel_s_counts_are_those_of_the_pages_that_it_links_to(cast, sign_in):
    add_posts(cast.study, ["one", "two", "😀"])
    client = sign_in(cast.researcher)
    assert post_totals(cast.study) == {"imported": 3, "kept": 2}
    html = page(client, of_study(cast))
    assert 'max="3" value="2"' in re.sub(r"\s+", " ", html)
    assert "3 posts" in page(client, of_study(cast, "posts/"))
    assert "2 posts" in page(client, of_study(cast, "posts/?kept=kept"))
    assert "1 post," in page(client, of_study(cast, "posts/?kept=dropped"))


def test_an_annotator_sees_where_to_work_and_their_own_progress_only(cast, sign_in):
    add_posts(cast.study, 3)
    open_crowd(cast.study)
    vote(cast.worker)
    html = page(sign_in(cast.worker), of_study(cast))
    assert "Go on" in html and "1 of 10000" in html.replace(",", "")
    assert "The way of a post" not in html and "Members" not in html
    navigation = html[html.index('<nav class="subnav"') : html.index("<main")]
    assert of_study(cast, "posts/") not in navigation


def test_an_annotator_is_told_when_nothing_is_open_or_the_study_is_paused(cast, sign_in):
    client = sign_in(cast.worker)
    assert "No batch is open just now" in page(client, of_study(cast))
    cast.study.state = StudyState.PAUSED
    cast.study.save()
    assert "The study is paused" in page(client, of_study(cast))


def test_the_navigation_marks_the_section_of_a_deeper_page(cast, sign_in):
    post = add_posts(cast.study, 1)[0]
    html = page(sign_in(cast.owner), of_study(cast, f"posts/{post.pk}/"))
    assert re.search(r'/posts/"[^>]*aria-current="page"', html)
    assert 'aria-label="Path to this page"' in html


def test_posts_are_found_by_all_words_or_by_id(cast, sign_in):
    add_posts(cast.study, ["the dam broke", "the dam holds", "rain"])
    client = sign_in(cast.researcher)
    assert "1 post," in page(client, of_study(cast, "posts/?q=dam+broke"))
    assert "1 post," in page(client, of_study(cast, "posts/?q=p3"))
    assert "No post fits" in page(client, of_study(cast, "posts/?q=dam+rain"))


def test_further_pages_keep_the_search(cast, sign_in):
    add_posts(cast.study, 60)
    html = page(sign_in(cast.researcher), of_study(cast, "posts/?q=post&kept=kept"))
    assert "?q=post&amp;kept=kept&amp;page=2" in html
    assert "51 to 60" in page(sign_in(cast.researcher), of_study(cast, "posts/?page=2"))


@pytest.mark.parametrize("query", ["page=none", "page=999", "q=%00", "q=%27%3A%2A", "kept=maybe"])
def test_odd_questions_get_a_page(cast, sign_in, query):
    add_posts(cast.study, 1)
    page(sign_in(cast.researcher), of_study(cast, f"posts/?{query}"))


def test_a_post_is_never_markup(cast, sign_in):
    cast.study.protocol.non_ascii = "keep"
    cast.study.protocol.save()
    post = add_posts(cast.study, ["<script>alert(1)</script> & <b>bold</b>"])[0]
    client = sign_in(cast.researcher)
    for address in ("posts/", f"posts/{post.pk}/"):
        html = main_of(page(client, of_study(cast, address)))
        assert "<script" not in html and "&lt;script&gt;alert(1)&lt;/script&gt;" in html


def test_a_post_is_traced_to_its_file_its_votes_and_their_versions(cast, sign_in):
    add_posts(cast.study, ["@someone said “so”"])
    open_crowd(cast.study, 1)
    held = vote(cast.worker)
    correct_vote(by=cast.worker, assignment_id=held.pk, answer=Answer("no_claim", 1.0, 1))
    post = Post.objects.get()
    html = main_of(page(sign_in(cast.researcher), of_study(cast, f"posts/{post.pk}/")))
    assert "@someone said “so”" in html and "&lt;user&gt; said so" in html
    assert "masking user mentions" in html and "file.csv" in html
    assert html.count(cast.worker.pseudonym) == 2
    assert "no: corrected later" in html
    assert cast.worker.user.username not in html


def test_imported_counts_are_shown_without_people(cast, sign_in):
    post = add_posts(cast.study, 1)[0]
    batch = start_batch(
        study=cast.study,
        stage=StageCode.CROWD,
        labels=LABELS,
        votes_wanted=None,
        origin="imported",
        source="counts.jsonl",
    )
    add_tasks(batch=batch, post_ids=[post.pk])
    Tally.objects.create(batch=batch, post=post, label="checkworthy", count=2)
    html = page(sign_in(cast.researcher), of_study(cast, f"posts/{post.pk}/"))
    assert "counts.jsonl" in html and "2 votes, by people who are not named" in html


def test_a_gold_post_tells_nothing_before_one_has_labelled_it(cast, sign_in):
    post = add_posts(cast.study, 1)[0]
    batch = sample_batch(
        study=cast.study, stage=StageCode.GOLD, labels=LABELS, number=1, votes_wanted=None, seed=1
    )
    move_batch(by=None, batch=batch, to=BatchState.OPEN)
    vote(cast.owner, stage=StageCode.GOLD)
    address = of_study(cast, f"posts/{post.pk}/")
    before = page(sign_in(cast.researcher), address)
    assert cast.owner.pseudonym not in before and "checkworthy" not in main_of(before)
    vote(cast.researcher, stage=StageCode.GOLD)
    assert cast.owner.pseudonym in page(sign_in(cast.researcher), address)


def test_the_protocol_is_changed_on_its_page_and_every_setting_stands_on_it(cast, sign_in):
    client = sign_in(cast.owner)
    address = of_study(cast, "protocol/")
    html = page(client, address)
    fields = {
        field.name
        for field in cast.study.protocol._meta.fields
        if field.name not in {"id", "study"}
    }
    assert all(f'name="{name}"' in html for name in fields)
    sent = {name: getattr(cast.study.protocol, name) for name in fields}
    sent = {name: "" if value is None else value for name, value in sent.items()}
    sent |= {"languages": "it,de", "crowd_votes": 5, "title": "New", "state": "paused"}
    sent["description"] = ""
    assert client.post(address, sent).status_code == 302
    cast.study.refresh_from_db()
    assert (cast.study.title, cast.study.state) == ("New", "paused")
    assert cast.study.protocol.__class__.objects.get().crowd_votes == 5


def test_a_setting_out_of_range_is_refused_with_its_field(cast, sign_in):
    client = sign_in(cast.owner)
    answer = client.post(of_study(cast, "protocol/"), {"title": "", "filter_k": 0})
    assert 'aria-invalid="true"' in answer.content.decode()


def test_home_shows_one_s_own_studies_and_where_work_waits(cast, sign_in):
    people.create_study(by=None, slug="hidden", title="Hidden study")
    add_posts(cast.study, 2)
    open_crowd(cast.study, 2)
    html = page(sign_in(cast.worker), "/")
    assert cast.study.title in html and "Hidden study" not in html
    assert "button-primary" in main_of(html)


def test_who_has_no_study_is_told_how_to_get_one(cast, sign_in):
    assert "tell them your user name" in page(sign_in(cast.stranger), "/")
    assert "New study" in page(sign_in(cast.site_administrator), "/")


def test_a_study_is_made_in_the_browser_by_who_may(cast, sign_in):
    client = sign_in(cast.site_administrator)
    sent = {"title": "Storm", "slug": "storm"}
    assert client.post("/new-study/", sent).url == "/studies/storm/"
    assert "called “storm” already" in client.post("/new-study/", sent).content.decode()
    assert sign_in(cast.owner).post("/new-study/", sent).status_code == 403


def test_times_are_shown_in_the_zone_of_one_s_profile(cast, sign_in):
    client = sign_in(cast.owner)
    client.post("/profile/", {"name": "Olive", "time_zone": "Europe/Zurich"})
    assert 'data-time-zone="Europe/Zurich"' in page(client, "/")
    refused = client.post("/profile/", {"name": "Olive", "time_zone": "Moon/Base"})
    assert refused.status_code == 200
    assert User.objects.get(pk=cast.owner.user_id).time_zone == "Europe/Zurich"


def ten_more_posts(cast, lot):
    rows = "".join(f"q{lot}{number},text\n" for number in range(10))
    from annotation.services import importing
    from infra.jobs import no_report

    file = upload(cast.study, f"id,text\n{rows}")
    importing.import_posts(by=None, file=file, report=no_report)


def ten_more_members(cast, lot):
    for number in range(10):
        join(cast.study, f"m{lot}{number}", Role.CROWD_WORKER)


def ten_more_files(cast, lot):
    for number in range(10):
        upload(cast.study, f"id,text\n{lot},{number}\n")


def ten_more_jobs(cast, lot):
    job_kinds.register()
    for _number in range(10):
        queue_job(by=cast.owner.user, study=cast.study, kind="test_steps", parameters={})


def ten_more_studies(cast, lot):
    for number in range(10):
        study = people.create_study(by=None, slug=f"s{lot}{number}")
        people.add_member(by=None, study=study, user=cast.owner.user, role=Role.OWNER)
        people.add_member(by=None, study=study, user=cast.worker.user, role=Role.CROWD_WORKER)


@pytest.mark.parametrize(
    ("path", "add"),
    [
        ("posts/", ten_more_posts),
        ("members/", ten_more_members),
        ("imports/", ten_more_files),
        ("jobs/", ten_more_jobs),
        ("", ten_more_jobs),
    ],
)
def test_twenty_rows_cost_as_many_queries_as_ten(cast, sign_in, path, add):
    client = sign_in(cast.owner)
    add(cast, 1)
    cost = queries_for(client, of_study(cast, path))
    add(cast, 2)
    assert queries_for(client, of_study(cast, path)) == cost


@pytest.mark.parametrize("who", ["owner", "worker"])
def test_twenty_studies_cost_as_many_queries_as_ten(cast, sign_in, who):
    client = sign_in(getattr(cast, who))
    ten_more_studies(cast, 1)
    cost = queries_for(client, "/")
    ten_more_studies(cast, 2)
    assert queries_for(client, "/") == cost


def test_a_post_with_many_votes_costs_as_many_queries_as_one_with_few(cast, sign_in):
    post = add_posts(cast.study, 1)[0]
    sample = {"study": cast.study, "stage": StageCode.CROWD, "labels": LABELS, "seed": 1}
    move_batch(by=None, batch=sample_batch(**sample, number=1, votes_wanted=20), to=BatchState.OPEN)
    client, address = sign_in(cast.researcher), of_study(cast, f"posts/{post.pk}/")
    vote(cast.worker)
    cost = queries_for(client, address)
    for number in range(10):
        vote(join(cast.study, f"m{number}", Role.CROWD_WORKER))
    assert queries_for(client, address) == cost
    assert Batch.objects.count() == 1


def test_owners_come_first_and_people_of_imported_rounds_last(cast):
    people.imported_members(study=cast.study, role=Role.CROWD_WORKER, names={"A1"})
    roles = [(member.role, member.user is None) for member in members_of(cast.study)]
    assert roles == [
        (Role.OWNER, False),
        (Role.RESEARCHER, False),
        (Role.EXPERT, False),
        (Role.CROWD_WORKER, False),
        (Role.CROWD_WORKER, True),
    ]
