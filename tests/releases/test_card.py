"""The data card: prefilled from the study, written by researchers, given back, and released."""

import json

import pytest
from django.urls import reverse

from annotation.access import permissions_of
from annotation.queries.activity import Asked, all_activity
from annotation.services.studies import archive_study
from releases.algorithms.card import SECTIONS
from releases.models import DataCard
from releases.queries.cards import card_of, mark_of
from releases.services.cards import (
    LONGEST_SECTION,
    CardRefused,
    give_back,
    write_section,
    write_terms,
)
from tests.releases.ways import content, make

pytestmark = pytest.mark.django_db


def text_of(study, code):
    return next(part for part in card_of(study).parts if part.section.code == code)


def page(client, cast, name="data_card", who=None, **arguments):
    client.force_login((who or cast.researcher).user)
    return client.get(reverse(name, args=[cast.study.slug, *arguments.values()]))


def test_a_study_without_a_post_has_a_card_as_well(cast):
    card = card_of(cast.study)
    assert [part.section for part in card.parts] == list(SECTIONS)
    assert all(part.follows and part.text for part in card.parts)
    assert not DataCard.objects.exists()


def test_the_card_follows_the_figures_of_the_study(cast, judged):
    assert "Of 6 posts that were imported, 6 were kept" in text_of(cast.study, "collection").text
    annotation = text_of(cast.study, "annotation").text
    assert "5 posts have votes of the crowd" in annotation
    assert "3 posts have votes of experts; 3 of these have all" in annotation
    assert "Filter run 1 kept 3 of 5 posts" in text_of(cast.study, "filter").text
    assert "Only 3 posts have a verdict" in text_of(cast.study, "limits").text
    assert "alpha" in text_of(cast.study, "agreement").text


def test_the_card_now_and_the_card_of_a_release_say_the_same(cast, judged):
    release = make(cast.study)
    told = release.manifest["card"]
    for part in card_of(cast.study).parts:
        assert told[part.section.code] == part.text, part.section.code


def test_what_somebody_writes_stays_until_it_is_given_back(cast, judged):
    by = cast.researcher.user
    write_section(by=by, study=cast.study, code="limits", text="  Ours.\r\nTwo lines. ")
    assert text_of(cast.study, "limits").text == "Ours.\nTwo lines."
    assert not text_of(cast.study, "limits").follows and text_of(cast.study, "biases").follows
    assert make(cast.study).manifest["card"]["limits"] == "Ours.\nTwo lines."
    give_back(by=by, study=cast.study, code="limits")
    assert text_of(cast.study, "limits").follows
    events = DataCard.pgh_event_model.objects.order_by("pgh_id")
    assert events.first().sections == {"limits": "Ours.\nTwo lines."}
    assert events.last().pgh_context.metadata["user"] == by.pk


def test_the_activity_tells_each_section_that_changed_with_both_texts_cut_short(cast):
    by, long = cast.researcher.user, "Ours. " * 500
    write_section(by=by, study=cast.study, code="limits", text="First.")
    write_section(by=by, study=cast.study, code="limits", text=long)
    write_section(by=by, study=cast.study, code="pay", text="Well paid.")
    give_back(by=by, study=cast.study, code="pay")
    told = [
        [(change.label, change.old, change.new) for change in act.changes]
        for act in all_activity(cast.study, permissions_of(cast.researcher), Asked())
        if act.title == "Data card"
    ]
    back, paid, (rewritten,), first = told
    assert back == [("Pay", "Well paid.", "empty")] and paid == [("Pay", "empty", "Well paid.")]
    assert first == [("Known limits", "empty", "First.")]
    label, old, new = rewritten
    assert (label, old) == ("Known limits", "First.")
    assert new.startswith("Ours. Ours.") and len(new) < len(long) / 2


@pytest.mark.parametrize("text", ["", " \n ", "x" * (LONGEST_SECTION + 1)])
def test_nothing_and_too_much_are_refused_and_change_nothing(cast, text):
    with pytest.raises(CardRefused):
        write_section(by=None, study=cast.study, code="limits", text=text)
    assert not DataCard.objects.exists()


def test_a_section_that_somebody_wrote_meanwhile_is_not_written_over(cast):
    seen = mark_of("")
    write_section(by=None, study=cast.study, code="pay", text="First", seen=seen)
    with pytest.raises(CardRefused, match="meanwhile"):
        write_section(by=None, study=cast.study, code="pay", text="Second", seen=seen)
    write_section(by=None, study=cast.study, code="uses", text="Other", seen=seen)
    write_section(by=None, study=cast.study, code="pay", text="Third", seen=mark_of("First"))
    assert DataCard.objects.get().sections == {"pay": "Third", "uses": "Other"}


def test_a_section_is_written_on_its_page_after_a_preview(client, cast):
    address = reverse("card_section", args=[cast.study.slug, "pay"])
    shown = page(client, cast, "card_section", code="pay")
    form = {"text": "**Fair** pay", "seen": shown.context["form"]["seen"].value()}
    preview = client.post(address, form | {"preview": "1"})
    assert "<strong>Fair</strong> pay" in preview.content.decode()
    assert not DataCard.objects.exists()
    assert client.post(address, form).status_code == 302
    card = page(client, cast).content.decode()
    assert "<strong>Fair</strong> pay" in card and "Let it follow the study again" in card
    refused = client.post(address, form)
    assert "meanwhile" in refused.content.decode()
    client.post(reverse("card_section_back", args=[cast.study.slug, "pay"]))
    assert "Let it follow the study again" not in page(client, cast).content.decode()


def test_a_section_that_is_none_is_not_found(client, cast):
    assert page(client, cast, "card_section", code="nothing").status_code == 404
    back = reverse("card_section_back", args=[cast.study.slug, "nothing"])
    assert client.post(back).status_code == 404


def test_texts_of_a_card_are_never_html(client, cast):
    write_section(by=None, study=cast.study, code="pay", text="<script>alert(1)</script>")
    assert "<script>alert" not in page(client, cast).content.decode()


def test_an_archived_study_keeps_its_card_as_it_is(client, cast):
    archive_study(by=cast.owner)
    text = page(client, cast).content.decode()
    assert "Write your own" not in text
    answer = client.post(
        reverse("card_section", args=[cast.study.slug, "pay"]), {"text": "x", "seen": mark_of("")}
    )
    assert answer.status_code >= 400 and not DataCard.objects.exists()


def test_licence_and_citation_go_into_card_and_croissant_of_the_next_release(client, cast, judged):
    write_terms(by=None, study=cast.study, licence="CC-BY-4.0", citation="@misc{us}")
    release = make(cast.study)
    readme, about = content(release, "README.md"), json.loads(content(release, "croissant.json"))
    assert "license: cc-by-4.0" in readme and "@misc{us}" in readme
    assert about["license"].endswith("/CC-BY-4.0") and about["citeAs"] == "@misc{us}"
    chosen = make(cast.study, licence="MIT").manifest["choices"]
    assert (chosen["licence"], chosen["citation"]) == ("MIT", "@misc{us}")
