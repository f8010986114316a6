"""The draft's pages: each button without a script, what is typed stays, imports look first."""

import re
from dataclasses import replace

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from annotation.models import Role
from annotation.services.people import add_member
from legal.catalogues.editing import placed_issue
from legal.catalogues.reading import read_tree
from legal.catalogues.writing import as_json, as_yaml
from legal.models import Catalogue, CatalogueDraft
from legal.queries.catalogues import current_catalogue, text_of
from legal.queries.drafts import draft_of
from legal.services.catalogues import publish, shipped_catalogue
from tests.cast import make_cast

pytestmark = pytest.mark.django_db
FIELD = re.compile(
    r"<input(?P<input>[^>]*)>|<textarea(?P<area>[^>]*)>\n?(?P<text>[^<]*)</textarea>"
    r"|<select(?P<select>[^>]*)>(?P<options>.*?)</select>",
    re.S,
)


@pytest.fixture
def client(cast, sign_in):
    publish(by=None, study=cast.study, text=shipped_catalogue())
    client = sign_in(cast.researcher)
    client.post(url(cast, "legal_draft_begin"))
    return client


def url(cast, name, *more):
    return reverse(name, args=[cast.study.slug, *more])


def page(client, address, status=200):
    response = client.get(address)
    assert response.status_code == status
    return response.content.decode()


def attribute(tag, name):
    found = re.search(rf'{name}="([^"]*)"', tag or "")
    return unescape(found[1]) if found else ""


def unescape(text):
    for entity, sign in (("&quot;", '"'), ("&#x27;", "'"), ("&lt;", "<"), ("&gt;", ">")):
        text = text.replace(entity, sign)
    return text.replace("&amp;", "&")


def fields(html):
    """Return what a browser would send of the form of the page: each field as it stands there."""
    form = re.search(r'<form class="form".*?</form>', html, re.S)[0]
    found = {}
    for field in FIELD.finditer(form):
        tag = field["input"] or field["area"] or field["select"]
        value = attribute(tag, "value") if field["input"] else unescape(field["text"] or "")
        if field["select"]:
            chosen = re.search(r"<option([^>]*) selected", field["options"])
            first = re.search(r"<option([^>]*)>", field["options"])
            value = attribute((chosen or first)[1], "value")
        found[attribute(tag, "name")] = value
    return {name: value for name, value in found.items() if name}


def issue(cast, code="defamation"):
    return placed_issue(draft_of(cast.study).content, code)[1]


def sending(client, cast, do="save", code="defamation", **changes):
    address = url(cast, "legal_draft_issue", code)
    return client.post(address, {**fields(page(client, address)), **changes, "do": do})


def names(items):
    return [item["name"] for item in items]


def test_saving_an_issue_as_it_is_changes_nothing(cast, client):
    for topic in shipped_catalogue().topics:
        for one in topic.issues:
            answer = sending(client, cast, code=one.code)
            assert answer.status_code == 302 and answer["Location"] == url(cast, "legal_draft")
    assert read_tree(draft_of(cast.study).content) == shipped_catalogue()


def test_each_field_of_an_issue_is_saved(cast, client):
    sending(
        client,
        cast,
        **{
            "name": "Libel",
            "summary": "Said\r\notherwise.",
            "tests_rule": "any",
            "positive_example": "",
            "tests-1-question": "Is it so?",
            "defences-3-rule": "any",
            "defences-3-2-name": "True facts",
            "sources-1-url": "https://law.example/a?b=1",
            "sources-1-section": "",
        },
    )
    now = issue(cast)
    assert (now["name"], now["code"], now["positive_example"]) == ("Libel", "defamation", "")
    assert now["tests"]["rule"] == "any" and now["tests"]["items"][0]["question"] == "Is it so?"
    assert now["defences"]["items"][2]["any"][1]["name"] == "True facts"
    assert now["sources"][0] == {
        "kind": "paper",
        "citation": "Luo et al. (2024), MisLC",
        "url": "https://law.example/a?b=1",
    }


def test_buttons_move_and_remove_rows_and_save_all_that_was_typed(cast, client):
    sending(client, cast, "down:tests-1", name="Libel")
    assert names(issue(cast)["tests"]["items"]) == ["Reached somebody else", "Harms a reputation"]
    assert issue(cast)["name"] == "Libel"
    sending(client, cast, "up:defences-3-4")
    assert names(issue(cast)["defences"]["items"][2]["all"])[2:] == [
        "Could be honestly held",
        "Recognisable as comment",
    ]
    sending(client, cast, "remove:defences-3-1")
    sending(client, cast, "remove:sources-1")
    assert len(issue(cast)["defences"]["items"][2]["all"]) == 3
    assert [source["kind"] for source in issue(cast)["sources"]] == [
        "case",
        "case",
        "case",
        "statute",
    ]
    for _part in range(3):
        sending(client, cast, "remove:defences-3-1")
    assert set(issue(cast)["defences"]["items"][2]) == {"code", "name", "question"}


def test_an_added_row_is_empty_until_it_is_filled_in_and_gets_a_code_of_its_own(cast, client):
    answer = sending(client, cast, "add:tests", summary="Typed before.")
    assert issue(cast)["summary"] == "Typed before."
    sent = fields(page(client, answer["Location"]))
    assert sent["tests-3-name"] == sent["tests-3-question"] == ""
    here = url(cast, "legal_draft_issue", "defamation")
    client.post(here, {**sent, "do": "save"})
    assert len(issue(cast)["tests"]["items"]) == 2
    sent = fields(page(client, f"{here}?add=tests"))
    client.post(here, {**sent, "tests-3-name": "Publication", "do": "save"})
    assert issue(cast)["tests"]["items"][2] == {
        "code": "publication_2",
        "name": "Publication",
        "question": "",
    }
    sent = fields(page(client, f"{here}?add=tests-1"))
    client.post(here, {**sent, "tests-1-1-name": "Named", "do": "save"})
    assert names(issue(cast)["tests"]["items"][0]["all"]) == ["Named"]
    sent = fields(page(client, f"{here}?add=sources"))
    client.post(here, {**sent, "sources-6-citation": "A case", "do": "save"})
    assert issue(cast)["sources"][5]["citation"] == "A case"


@pytest.mark.parametrize(
    "do",
    ["", "up:tests-1", "down:tests-9", "remove:tests", "remove:x-1", "up:tests-0", "up:tests-²"],
)
def test_a_button_that_does_nothing_changes_nothing(cast, client, do):
    before = issue(cast)
    assert sending(client, cast, do).status_code == 302
    assert issue(cast) == before


def test_a_code_cannot_be_changed_by_what_is_sent(cast, client):
    sending(client, cast, **{"tests-1-code": "publication", "tests-2-code": "mine"})
    codes = [item["code"] for item in issue(cast)["tests"]["items"]]
    assert codes[0] == "publication" and codes[1] not in ("mine", "publication")
    assert CatalogueDraft.objects.count() == 1


def test_what_cannot_be_stored_comes_back_with_a_sentence(cast, client):
    bad = {"name": "", "sources-1-url": "javascript:alert(1)", "summary": "Typed."}
    answer = sending(client, cast, **bad)
    shown = answer.content.decode()
    assert answer.status_code == 422 and "beginning with https://" in shown and "Typed." in shown
    assert issue(cast)["name"] == "Defamation"


def test_who_saves_second_is_told_and_can_save_again(cast, client, sign_in):
    here = url(cast, "legal_draft_issue", "defamation")
    sent = fields(page(client, here))
    sending(sign_in(cast.owner), cast, summary="By the owner.")
    answer = client.post(here, {**sent, "summary": "By the researcher.", "do": "save"})
    shown = answer.content.decode()
    assert answer.status_code == 409 and "changed this meanwhile" in shown
    assert "By the researcher." in shown and issue(cast)["summary"] == "By the owner."
    assert client.post(here, {**fields(shown), "do": "save"}).status_code == 302
    assert issue(cast)["summary"] == "By the researcher."


def test_what_was_typed_stays_when_the_draft_is_gone(cast, client):
    here = url(cast, "legal_draft_issue", "defamation")
    sent = fields(page(client, here))
    CatalogueDraft.objects.all().delete()
    answer = client.post(here, {**sent, "summary": "Typed at length.", "do": "save"})
    shown = answer.content.decode()
    assert answer.status_code == 409 and "not in the draft any more" in shown
    assert "Typed at length." in shown
    assert client.get(here).status_code == 302
    assert client.get(url(cast, "legal_draft_issue", "no_such")).status_code == 404


def test_the_heading_is_changed_and_who_saves_second_sees_both(cast, client, sign_in):
    here = url(cast, "legal_draft_heading")
    sent = fields(page(client, here))
    heading = {"title": "Lov", "jurisdiction": "Norge", "language": "no", "note": ""}
    assert sign_in(cast.owner).post(here, {**sent, **heading}).status_code == 302
    assert draft_of(cast.study).content["language"] == "no"
    answer = client.post(here, {**sent, "title": "Law of mine"})
    shown = answer.content.decode()
    assert answer.status_code == 409 and "Norge" in shown and "Law of mine" in shown
    assert client.post(here, {**sent, "language": "English"}).status_code == 422
    assert client.post(here, fields(shown)).status_code == 302
    assert draft_of(cast.study).content["title"] == "Law of mine"


def test_the_outline_offers_what_can_be_done_and_names_what_is_missing(cast, client):
    here = url(cast, "legal_draft")
    seen = re.search(r'name="seen" value="(\w+)"', page(client, here))[1]
    change = url(cast, "legal_draft_change")
    client.post(change, {"seen": seen, "do": "add_issue:other", "name": "Tax <law>"})
    shown = page(client, here)
    assert "Tax &lt;law&gt;" in shown and "summary is missing" in shown
    stale = client.post(change, {"seen": seen, "do": "remove_topic:other"}, follow=True)
    assert "changed this meanwhile" in stale.content.decode()
    assert "tax_law" in str(draft_of(cast.study).content)
    assert "cannot be published yet" in page(client, url(cast, "legal_draft_publish"))


def test_publishing_shows_the_difference_first_and_wants_a_note(cast, client):
    sending(client, cast, summary="Said otherwise.")
    here = url(cast, "legal_draft_publish")
    shown = page(client, here)
    assert "What changes from version 1" in shown and "Said otherwise." in shown
    assert client.post(here, {**fields(shown), "change_note": ""}).status_code == 422
    sent = {**fields(shown), "change_note": "Plainer words."}
    answer = client.post(here, sent, follow=True).content.decode()
    assert "Version 2 is published" in answer and "Plainer words." in answer
    assert client.post(here, sent, follow=True).status_code == 200
    assert Catalogue.objects.count() == 2


def test_a_draft_is_discarded_after_a_second_look(cast, client):
    shown = page(client, url(cast, "legal_draft"))
    whole = re.findall(r'name="seen" value="(\w+)"', shown)[-1]
    client.post(url(cast, "legal_draft_discard"), {"seen": whole})
    assert draft_of(cast.study) is None
    assert "Begin a draft" in page(client, url(cast, "legal_draft"))
    assert client.get(url(cast, "legal_draft_publish")).status_code == 302


def looking(client, cast, **sent):
    return client.post(url(cast, "legal_catalogue_import"), sent)


@pytest.mark.parametrize("write", [as_yaml, as_json])
def test_a_file_is_compared_first_and_then_taken_into_the_draft(cast, client, write):
    text = replace(shipped_catalogue(), title="Recht", jurisdiction="Österreich", language="de")
    file = SimpleUploadedFile("anything.bin", write(text).encode())
    answer = looking(client, cast, source="file", file=file)
    shown = answer.content.decode()
    assert answer.status_code == 200 and "How it differs from version 1" in shown
    assert "replaces it" in shown and "Österreich" in shown
    assert draft_of(cast.study).content["title"] != "Recht"
    answer = looking(client, cast, **fields(shown))
    assert answer["Location"] == url(cast, "legal_draft")
    assert read_tree(draft_of(cast.study).content) == text
    assert Catalogue.objects.count() == 1


def test_taking_a_catalogue_in_does_not_pass_over_a_change_of_the_draft(cast, client):
    shown = looking(client, cast, source="shipped").content.decode()
    sending(client, cast, summary="Said otherwise.")
    answer = looking(client, cast, **fields(shown))
    assert answer.status_code == 409 and "changed this meanwhile" in answer.content.decode()
    assert issue(cast)["summary"] == "Said otherwise."


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        (b"", "must be a mapping"),
        (b"title: x\n", "is missing"),
        (b"\x00\x01", "not readable"),
        (b"a: &x 1\nb: *x", "anchors"),
        (b"x" * 300_001, "larger than 300000 bytes"),
    ],
)
def test_a_malformed_file_is_refused_with_a_sentence_and_changes_nothing(
    cast, client, raw, sentence
):
    before = draft_of(cast.study).content
    answer = looking(client, cast, source="file", file=SimpleUploadedFile("c.yaml", raw))
    assert answer.status_code == 422 and sentence in answer.content.decode()
    assert draft_of(cast.study).content == before


def test_without_a_file_or_with_an_unknown_source_nothing_is_read(cast, client):
    assert "Choose a file" in looking(client, cast, source="file").content.decode()
    assert looking(client, cast, source="study:none").status_code == 422
    assert looking(client, cast, content="no catalogue", seen="").status_code == 302


def test_a_catalogue_is_copied_from_studies_that_the_person_may_read_and_no_other(cast, client):
    text = replace(shipped_catalogue(), title="Theirs")
    for slug, role in (("read", Role.EXPERT), ("worked", Role.CROWD_WORKER), ("strange", None)):
        other = make_cast(slug).study
        publish(by=None, study=other, text=text)
        if role:
            add_member(by=None, study=other, user=cast.researcher.user, role=role)
    shown = page(client, url(cast, "legal_catalogue_import"))
    assert "study:read" in shown and "study:worked" not in shown and "study:strange" not in shown
    assert looking(client, cast, source="study:strange").status_code == 422
    compared = looking(client, cast, source="study:read").content.decode()
    looking(client, cast, **fields(compared))
    assert draft_of(cast.study).content["title"] == "Theirs"
    assert text_of(current_catalogue(cast.study)) == shipped_catalogue()
