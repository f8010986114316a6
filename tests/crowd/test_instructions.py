"""Instructions: append-only versions, shown safely, and known by each vote."""

import pytest
from django.db import connection
from django.urls import reverse

from annotation.services.votes import Answer, submit_vote
from crowd.models import Acknowledgement, Instructions
from crowd.services.defaults import current_instructions
from crowd.services.instructions import InstructionsRefused, write_instructions
from tests.crowd.conftest import held_by

pytestmark = pytest.mark.django_db


def url(name, cast):
    return reverse(name, args=[cast.study.slug])


def page(response):
    return response.content.decode()


def test_the_first_version_comes_with_juryroom(cast):
    first = current_instructions(cast.study)
    assert first.version == 1 and "Checkworthy" in first.markdown
    assert current_instructions(cast.study).pk == first.pk


def test_a_change_is_a_new_version_and_the_old_one_stays(cast, sign_in):
    client = sign_in(cast.researcher)
    form = {"markdown": "# New\r\n\r\nRead *it*.", "introduction": "", "seen_version": "1"}
    answer = client.post(url("crowd_instructions_edit", cast), form, follow=True)
    assert "Version 2 of 2" in page(answer)
    assert Instructions.objects.get(version=2).created_by == cast.researcher.user
    assert "no longer in force" in page(client.get(url("crowd_instructions", cast) + "?version=1"))
    assert client.get(url("crowd_instructions", cast) + "?version=7").status_code == 404
    again = client.post(url("crowd_instructions_edit", cast), form | {"seen_version": "2"})
    assert again.status_code == 302 and Instructions.objects.count() == 2


def test_two_who_write_at_once_do_not_overwrite_each_other(cast, sign_in):
    current_instructions(cast.study)
    write_instructions(by=None, study=cast.study, markdown="Other", seen_version=1)
    form = {"markdown": "Mine", "introduction": "", "seen_version": "1"}
    answer = sign_in(cast.owner).post(url("crowd_instructions_edit", cast), form)
    assert "written meanwhile" in page(answer) and "Mine" in page(answer)
    with pytest.raises(InstructionsRefused):
        write_instructions(by=None, study=cast.study, markdown="Mine", seen_version=1)


def test_the_database_refuses_to_change_or_delete_a_version(cast):
    first = current_instructions(cast.study)
    with pytest.raises(Exception, match="Cannot update"):
        Instructions.objects.filter(pk=first.pk).update(markdown="else")


HOSTILE = (
    "<script>alert(1)</script>\n\n<img src=x onerror=alert(1)>\n\n"
    "[click](javascript:alert(1)) ![x](https://evil.example/x.png) <a href='x'>y</a>\n\n"
    '<iframe src="//evil.example"></iframe>\n\n[ok](https://example.org "t")\n'
)


def test_hostile_markdown_is_harmless_wherever_it_is_shown(cast, batch, sign_in):
    write_instructions(by=None, study=cast.study, markdown=HOSTILE, introduction=HOSTILE)
    pages = [
        page(sign_in(cast.owner).get(url("crowd_instructions", cast))),
        page(sign_in(cast.worker).get(url("work", cast))),
    ]
    worker = sign_in(cast.worker)
    pages.append(page(worker.post(url("work_start", cast), {"version": "1"}, follow=True)))
    for html in pages:
        for bad in ("<script>alert", "<img", "<iframe", 'href="javascript', "<a href='x'"):
            assert bad not in html
    assert 'href="https://example.org"' in pages[0] and "nofollow" in pages[0]


def test_a_vote_names_the_version_that_its_author_had_read(cast, batch, sign_in, worker):
    client = sign_in(worker)
    held = held_by(worker)
    write_instructions(by=None, study=cast.study, markdown="Changed meanwhile")
    address = reverse("work_submit", args=[cast.study.slug, held])
    client.post(address, {"label": "no_claim", "guide_version": "1"})
    assert worker.votes.get().guide_version == 1
    assert Acknowledgement.objects.filter(member=worker).count() == 1


def test_columns_stand_beside_a_post_only_where_a_researcher_chose_them(cast, sign_in, worker):
    from annotation.models import BatchState
    from annotation.services.batches import move_batch
    from annotation.services.importing import import_posts
    from crowd.services.batches import create_batch
    from crowd.services.instructions import acknowledge
    from infra.jobs import no_report
    from tests.cast import upload

    file = upload(
        cast.study, "id,text,created_at,verdict\na,Hello,2024-03-01T12:00:00Z,secret verdict\n"
    )
    import_posts(by=None, file=file, report=no_report)
    move_batch(by=None, batch=create_batch(by=None, study=cast.study, posts=1), to=BatchState.OPEN)
    client = sign_in(worker)
    html = page(client.get(url("work", cast)))
    assert "secret verdict" not in html and "1 March 2024" not in html
    newest = write_instructions(
        by=None, study=cast.study, markdown="x", shown_metadata=["created_at"]
    )
    acknowledge(by=worker, version=newest.version)
    html = page(client.get(url("work", cast)))
    assert "1 March 2024, 12:00" in html and "secret verdict" not in html


def test_a_vote_without_a_page_may_leave_the_version_out(cast, batch, worker):
    answer = Answer(label="no_claim")
    vote, _is_new = submit_vote(by=worker, assignment_id=held_by(worker), answer=answer)
    assert vote.guide_version is None
    assert connection.vendor == "postgresql"


# What Table 10 of the paper asks for, by a word of ours that stands for it.
TABLE_10 = {
    "a claim asserts without proof": "usually without proof",
    "opinions": "**opinions**",
    "emotions": "**feelings**",
    "exclamations": "**exclamations",
    "empty or no claim": "empty or unreadable",
    "could mislead people, organisations, countries": "people, organisations or countries",
    "would influence one's opinion": "change\nwhat you think",
    "a topic of impact": "topic of weight for society",
    "quotes somebody of impact": "quotes somebody with real influence",
    "emotional response": "stir up anger",
    "bold statement on a controversy": "bold stand on a disputed matter",
    "extraordinary": "out of the ordinary",
    "clickbait": "clickbait",
    "topical, within context": "current events, and does it fit them",
    "valid information distorted": "grain of truth",
    "innocuous": "**harmless**",
    "common knowledge": "**common knowledge**",
    "private information": "**private**",
}


@pytest.mark.parametrize("words", TABLE_10.values(), ids=TABLE_10.keys())
def test_the_default_instructions_have_every_point_of_the_methods_table(cast, words):
    assert words in current_instructions(cast.study).markdown


def test_a_preview_shows_the_text_as_workers_will_read_it_and_saves_nothing(cast, sign_in):
    client = sign_in(cast.researcher)
    current_instructions(cast.study)
    form = {"markdown": "Read *well* <b>x</b>", "introduction": "", "seen_version": "1"}
    html = page(client.post(url("crowd_instructions_edit", cast), form | {"preview": "1"}))
    assert "<em>well</em>" in html and "&lt;b&gt;" in html and "nothing is saved" in html
    assert "Read *well*" in html
    assert Instructions.objects.count() == 1
    bad = page(client.post(url("crowd_instructions_edit", cast), {"preview": "1"}))
    assert "This field is required" in bad and "nothing is saved" not in bad


def test_a_page_tells_what_changed_between_two_versions(cast, sign_in):
    write_instructions(by=None, study=cast.study, markdown="one\ntwo <i>", introduction="Hi")
    write_instructions(by=None, study=cast.study, markdown="one\nthree", introduction="Hi")
    client, address = sign_in(cast.researcher), url("crowd_instructions", cast)
    html = page(client.get(address))
    assert "from version 2 to 3" in html
    assert "<del>two &lt;i&gt;</del>" in html and "<ins>three</ins>" in html
    assert "<ins>Hi</ins>" not in html
    assert "<ins>Hi</ins>" in page(client.get(address, {"since": "1"}))
    assert "What changed" not in page(client.get(address, {"version": "1"}))
    assert client.get(address, {"since": "9"}).status_code == 404


def test_a_page_tells_who_has_read_which_version(cast, batch, worker, sign_in):
    write_instructions(by=None, study=cast.study, markdown="Two")
    client, address = sign_in(cast.researcher), url("crowd_instructions", cast)
    assert "Nobody yet" in page(client.get(address))
    first = page(client.get(address, {"version": "1"}))
    assert worker.pseudonym in first and "Nobody yet" not in first
    assert worker.user.username not in first
