"""The draft of the next version: changed by several people, no update lost, published or not."""

import threading
from dataclasses import replace

import pytest
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from annotation.models import StudyState
from annotation.services.archive import StudyArchived
from legal.catalogues import editing
from legal.catalogues.reading import CODE, read_tree
from legal.catalogues.writing import as_tree, fingerprint
from legal.models import Catalogue, CatalogueDraft
from legal.queries.catalogues import current_catalogue, text_of
from legal.queries.drafts import draft_of, faults_of
from legal.services.catalogues import CatalogueMoved, CatalogueRefused, publish, shipped_catalogue
from legal.services.drafts import (
    DraftChanged,
    NoDraft,
    begin_draft,
    change_draft,
    discard_draft,
    fill_draft,
    publish_draft,
)
from legal.services.outlines import OutlineStep, change_outline, write_issue
from tests.cast import join

pytestmark = pytest.mark.django_db


@pytest.fixture
def by(cast):
    return cast.researcher.user


@pytest.fixture
def draft(cast, by):
    publish(by=None, study=cast.study, text=shipped_catalogue())
    return begin_draft(by=by, study=cast.study)


def content(cast):
    found = draft_of(cast.study)
    assert found
    return found.content


def step(cast, by, action, code="", name=""):
    """Change the outline as somebody who sees it as it is."""
    seen = fingerprint(editing.outline_of(content(cast)))
    chosen = OutlineStep(action, code, name)
    return change_outline(by=by, study=cast.study, seen=seen, step=chosen).content


def topics(tree):
    return [topic["code"] for topic in tree["topics"]]


def issues(tree, topic):
    return next(
        [issue["code"] for issue in one["issues"]] for one in tree["topics"] if one["code"] == topic
    )


def place(cast, code):
    return editing.placed_issue(content(cast), code)


def write(cast, by, code, *, seen=None, topic=None, **changes):
    now = place(cast, code)
    return write_issue(
        by=by,
        study=cast.study,
        code=code,
        seen=seen or fingerprint(now),
        issue={**now[1], **changes},
        topic=topic or now[0],
    )


def publishing(cast, by, **more):
    newest = current_catalogue(cast.study)
    sent = {
        "seen": fingerprint(content(cast)),
        "seen_version": newest.version if newest else 0,
        "change_note": "A change.",
    }
    return publish_draft(by=by, study=cast.study, **{**sent, **more})


def test_a_draft_begins_as_the_newest_version_or_as_the_shipped_catalogue(cast, by):
    assert read_tree(begin_draft(by=by, study=cast.study).content) == shipped_catalogue()
    discard_draft(by=by, study=cast.study, seen=fingerprint(content(cast)))
    text = replace(shipped_catalogue(), title="Law of Port Alder")
    newest = publish(by=None, study=cast.study, text=text)
    made = begin_draft(by=by, study=cast.study)
    assert (made.base, made.content["title"]) == (newest, "Law of Port Alder")


def test_a_second_draft_is_not_begun_over_the_first(cast, by, draft):
    step(cast, by, "add_topic", name="Tax")
    with pytest.raises(DraftChanged):
        begin_draft(by=by, study=cast.study)
    assert "tax" in topics(content(cast))


def test_topics_and_issues_are_added_renamed_moved_and_removed(cast, by, draft):
    step(cast, by, "add_topic", name="Tax Law")
    step(cast, by, "add_issue", "tax_law", "Évasion fiscale")
    tree = step(cast, by, "topic_up", "tax_law")
    assert topics(tree)[-2:] == ["tax_law", "other"]
    assert issues(tree, "tax_law") == ["evasion_fiscale"]
    tree = step(cast, by, "rename_topic", "tax_law", "Duties")
    assert tree["topics"][-2] | {"issues": []} == {
        "code": "tax_law",
        "name": "Duties",
        "issues": [],
    }
    tree = step(cast, by, "issue_down", "election_laws")
    assert issues(tree, "other")[:2] == ["mental_suffering", "election_laws"]
    tree = step(cast, by, "remove_issue", "hate_speech")
    assert "hate_speech" not in issues(tree, "other")
    assert topics(step(cast, by, "remove_topic", "tax_law"))[-1] == "other"
    assert step(cast, by, "topic_up", "defamation") == step(cast, by, "topic_down", "other")


@pytest.mark.parametrize(
    ("action", "name", "sentence"),
    [
        ("add_topic", "", "Type a name"),
        ("add_topic", "n" * 201, "at most 200"),
        ("rename_topic", "a\0b", "cannot be stored"),
        ("drop_table", "x", "cannot be changed in this way"),
    ],
)
def test_a_step_that_means_nothing_is_refused_with_a_sentence(
    cast, by, draft, action, name, sentence
):
    with pytest.raises(CatalogueRefused, match=sentence):
        step(cast, by, action, "other", name)
    assert content(cast) == draft.content


def test_a_code_that_a_version_had_is_not_given_to_another_issue(cast, by, draft):
    step(cast, by, "remove_issue", "hate_speech")
    publishing(cast, by)
    begin_draft(by=by, study=cast.study)
    tree = step(cast, by, "add_issue", "other", "Hate speech")
    assert issues(tree, "other")[-1] == "hate_speech_2"


def test_an_issue_keeps_its_code_whatever_it_says_and_can_go_to_another_topic(cast, by, draft):
    renamed = {"name": "Incitement", "topic": "criminal_laws"}
    write(cast, by, "hate_speech", **renamed)
    topic, issue = place(cast, "hate_speech")
    assert (topic, issue["name"]) == ("criminal_laws", "Incitement")
    write(cast, by, "hate_speech", topic="no_such_topic")
    assert place(cast, "hate_speech")[0] == "criminal_laws"


def test_two_people_at_different_issues_do_not_disturb_each_other(cast, by, draft):
    other = join(cast.study, "second-researcher", "researcher").user
    seen = fingerprint(place(cast, "hate_speech"))
    write(cast, other, "defamation", summary="Said otherwise.")
    write(cast, by, "hate_speech", seen=seen, summary="Said otherwise, too.")
    assert place(cast, "defamation")[1]["summary"] == "Said otherwise."


def test_two_people_at_one_issue_the_second_is_told_and_nothing_is_lost(cast, by, draft):
    seen = fingerprint(place(cast, "defamation"))
    write(cast, cast.owner.user, "defamation", summary="First.")
    with pytest.raises(DraftChanged, match="changed this meanwhile"):
        write(cast, by, "defamation", seen=seen, summary="Second.")
    assert place(cast, "defamation")[1]["summary"] == "First."


@pytest.mark.django_db(transaction=True)
def test_of_two_who_save_at_once_one_is_told(cast, by, draft):
    seen, told = fingerprint(place(cast, "defamation")), []
    gate = threading.Barrier(2)

    def save(words):
        try:
            gate.wait(20)
            write(cast, by, "defamation", seen=seen, summary=words)
            told.append("saved")
        except DraftChanged:
            told.append("refused")
        finally:
            connection.close()

    threads = [threading.Thread(target=save, args=(words,)) for words in ("First.", "Second.")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert sorted(told) == ["refused", "saved"]


def test_publishing_makes_the_next_version_and_ends_the_draft(cast, by, draft):
    write(cast, by, "defamation", summary="Said otherwise.")
    made = publishing(cast, by, change_note="Defamation is put more plainly.")
    assert (made.version, made.created_by) == (2, by)
    assert made.change_note == "Defamation is put more plainly."
    assert text_of(made).topics[0].issues[0].summary == "Said otherwise."
    assert not CatalogueDraft.objects.exists()


def test_what_lacks_something_is_not_published_and_each_issue_is_named(cast, by, draft):
    step(cast, by, "add_issue", "other", "Tax law")
    write(cast, by, "defamation", summary=" ")
    faults = {code: str(fault) for code, fault in faults_of(content(cast))}
    assert faults == {
        "defamation": "In the catalogue, “Defamation”/summary is missing.",
        "tax_law": "In the catalogue, “Tax law”/summary is missing.",
    }
    with pytest.raises(CatalogueRefused, match="summary is missing"):
        publishing(cast, by)
    assert Catalogue.objects.count() == 1 and draft_of(cast.study)


def test_a_topic_without_an_issue_is_named(cast, by, draft):
    step(cast, by, "add_topic", name="Tax")
    assert ["“Tax” has no issue" in str(fault) for _code, fault in faults_of(content(cast))] == [
        True
    ]


def test_a_draft_without_a_difference_is_not_published(cast, by, draft):
    with pytest.raises(CatalogueRefused, match="Nothing differs from version 1"):
        publishing(cast, by)


def test_a_draft_is_not_published_over_what_the_person_did_not_see(cast, by, draft):
    seen = fingerprint(content(cast))
    write(cast, cast.owner.user, "defamation", summary="Said otherwise.")
    with pytest.raises(DraftChanged):
        publishing(cast, by, seen=seen)
    publish(by=None, study=cast.study, text=replace(shipped_catalogue(), title="Meanwhile"))
    with pytest.raises(CatalogueMoved, match="version 2 meanwhile"):
        publishing(cast, by, seen_version=1)
    assert publishing(cast, by).version == 3


def test_discarding_takes_the_draft_that_was_seen_and_leaves_versions(cast, by, draft):
    with pytest.raises(DraftChanged):
        discard_draft(by=by, study=cast.study, seen="another")
    discard_draft(by=by, study=cast.study, seen=fingerprint(content(cast)))
    assert draft_of(cast.study) is None and Catalogue.objects.count() == 1
    with pytest.raises(NoDraft, match="Nothing was saved"):
        discard_draft(by=by, study=cast.study, seen="any")
    with pytest.raises(NoDraft):
        change_draft(by=by, study=cast.study, seen="", part=dict, change=dict)


def test_a_whole_catalogue_replaces_the_draft_that_was_seen_and_no_other(cast, by, draft):
    text = replace(shipped_catalogue(), title="Another")
    with pytest.raises(DraftChanged):
        fill_draft(by=by, study=cast.study, text=text, seen="")
    fill_draft(by=by, study=cast.study, text=text, seen=fingerprint(content(cast)))
    assert content(cast) == as_tree(text)


def test_a_draft_grows_no_larger_than_a_version_may(cast, by, draft):
    with pytest.raises(CatalogueRefused, match="larger than 300000 bytes"):
        write(cast, by, "defamation", summary="n" * 300_000)


def test_nothing_of_an_archived_study_changes(cast, by, draft):
    cast.study.state = StudyState.ARCHIVED
    cast.study.save()
    with pytest.raises(StudyArchived):
        step(cast, by, "add_topic", name="Tax")


NAMES = st.text(max_size=60)


@given(NAMES, st.sets(st.sampled_from(["a", "a_2", "issue", "issue_2", "b"])))
def test_a_new_code_is_a_code_and_is_new(name, taken):
    code = editing.new_code(name, taken, "issue")
    assert CODE.fullmatch(code) and code not in taken


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("Hate Speech", "hate_speech"),
        ("Évasion d'impôt", "evasion_d_impot"),
        ("2nd law", "issue_2nd_law"),
        ("誹謗", "issue"),
        ("", "issue"),
        ("n" * 300, "n" * 50),
    ],
)
def test_a_code_is_made_of_the_name(name, code):
    assert editing.new_code(name, set(), "issue") == code
