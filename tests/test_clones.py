"""A clone is set up as its study is: every model of the house is copied, or is said not to be.

Whoever adds a model that belongs to a study meets this test, and has to decide.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.db.models import Model

from annotation.models import ATTENTION, Member, Study
from annotation.services.people import add_member
from annotation.services.studies import clone_study
from crowd.models import (
    BackgroundQuestion,
    GoldSource,
    PrescreeningRules,
    Qualification,
    QualityRule,
    Recruitment,
)
from crowd.services.checks import write_attention_post
from crowd.services.consent import add_question, retire_question
from crowd.services.instructions import write_instructions
from crowd.services.pay_rules import change_rules as change_pay_rules
from crowd.services.prescreening import change_rules
from crowd.services.recruitment import create_recruitment, move_recruitment
from legal.services.settings import change_settings
from tests.cast import make_cast
from tests.house import models_of_studies
from tests.world import build_world


@dataclass(frozen=True)
class Copied:
    """Which rows are set-up, and which of their values a clone has of its own."""

    only: dict[str, Any] = field(default_factory=dict)
    own: frozenset[str] = frozenset()


CODES = frozenset({"token", "completion_code", "screen_out_code", "signing_secret"})
COPIED = {
    "Study": Copied(own=frozenset({"slug", "title"})),
    "Protocol": Copied(),
    "Member": Copied({"role": "owner"}, frozenset({"pseudonym"})),
    "Post": Copied({"dropped_reason": ATTENTION}, frozenset({"position"})),
    "Instructions": Copied({"version": 2}, frozenset({"version"})),
    "LabelSet": Copied(),
    "Label": Copied(),
    "ConsentText": Copied(),
    "BackgroundQuestion": Copied(),
    "PrescreeningRules": Copied(own=frozenset({"is_open"})),
    "AcceptedQualification": Copied(),
    "PayRules": Copied(),
    "QualityRule": Copied(),
    "GoldLabel": Copied({"source": GoldSource.ATTENTION}),
    "Check": Copied({"gold__source": GoldSource.ATTENTION}),
    "Recruitment": Copied(own=CODES | {"state", "external_study_id"}),
    "LegalSettings": Copied(),
    "Catalogue": Copied(),
    "Topic": Copied(),
    "Issue": Copied(),
    "Criterion": Copied(),
    "LibraryDocument": Copied(),
    "PracticePost": Copied({"post": None}),
}
WORK, PEOPLE, MONEY = "work on posts", "about people", "what people are owed"
NOT_COPIED = {
    "ImportFile": "posts stay where they were imported",
    "Batch": WORK,
    "Task": WORK,
    "Place": WORK,
    "Assignment": WORK,
    "Cursor": WORK,
    "Vote": WORK,
    "Tally": WORK,
    "Sitting": WORK,
    "SittingSlot": WORK,
    "Job": "long work that was done",
    "Standing": PEOPLE,
    "StandingChange": PEOPLE,
    "Exclusion": PEOPLE,
    "CrowdRound": "belongs to a batch",
    "LegalRound": "belongs to a batch",
    "Acknowledgement": PEOPLE,
    "Consent": PEOPLE,
    "BackgroundAnswer": PEOPLE,
    "Qualification": "made when prescreening opens, and a clone's is not open",
    "Qualified": PEOPLE,
    "PrescreeningTest": PEOPLE,
    "Flag": PEOPLE,
    "Errand": "what a platform is told about people",
    "Recruit": PEOPLE,
    "Arrival": PEOPLE,
    "Estimate": "computed from votes",
    "Reliability": "computed from votes",
    "LikelyLabel": "computed from votes",
    "LedgerEntry": MONEY,
    "Payout": MONEY,
    "PayoutLine": MONEY,
    "SittingReview": MONEY,
    "Dispute": MONEY,
    "GuideRead": PEOPLE,
    "PracticeResult": PEOPLE,
    "AnswerDraft": WORK,
    "CatalogueDraft": "nobody has published it yet",
    "Passage": "cut again from the documents",
    "LibraryVersion": "built again from the documents",
    "VersionDocument": "built again from the documents",
    "LegalAnswer": WORK,
    "IssueAnswer": WORK,
    "ArchivedPage": WORK,
    "Citation": WORK,
    "Attachment": WORK,
    "Chart": "drawn from votes",
    "Decision": WORK,
    "Remark": WORK,
    "CriterionAnswer": WORK,
    "ClaimSpan": WORK,
    "Evidence": WORK,
    "FilterRun": "computed from votes",
    "Trial": "computed from votes",
    "Round": "computed from votes",
    "FilteredPost": "computed from votes",
    "TrialPost": "computed from votes",
    "DiscardedBatch": "the number of a draft that is no more",
    "Promotion": "belongs to a filter run",
    "DataCard": "written about what the study has become",
    "ReleaseKey": "a clone has names of its own for its people",
    "StudyStatistics": "counted from votes",
    "ReleaseFlag": "about a release",
    "Comparison": "about a release",
    "ChangedPost": "about a release",
    "ApiToken": "belongs to a person",
    "Webhook": "where others listen; a clone is not their concern",
    "WebhookDelivery": "what was told",
    "Release": "made from votes",
    "ReleaseFile": "made from votes",
}


def rows_of(model: type[Model], path: str, study: Study) -> Any:
    return model._default_manager.filter(**{path or "pk": study.pk})


def values_of(model: type[Model], row: Model, own: frozenset[str]) -> tuple[tuple[str, str], ...]:
    """Return what a row says, without its keys, its time, and what a clone has of its own."""
    return tuple(
        (one.name, repr(getattr(row, one.name)))
        for one in model._meta.concrete_fields
        if not one.primary_key
        and not one.is_relation
        and not getattr(one, "auto_now_add", False)
        and one.name not in own
    )


@pytest.fixture
def source(db):
    """The owner of a study that nobody has worked in."""
    return set_up(make_cast())


@pytest.fixture
def worked(db):
    """The owner of a study with one of everything."""
    return set_up(build_world().cast)


def set_up(cast):
    """Give a study what it lacks of all that can be set up; return its owner."""
    by, study = cast.owner, cast.study
    by.user.may_create_studies = True
    by.user.save()
    write_instructions(by=by.user, study=study, markdown="Once more", introduction="Hello")
    write_attention_post(by=by.user, study=study, text="Please press *no claim*", label="no_claim")
    way = create_recruitment(
        by=by.user, study=study, kind="prolific", name="P", external_study_id="abc", places=5
    )
    move_recruitment(by=by.user, recruitment=way, to="open")
    change_pay_rules(by=by.user, study=study, screen_out=1)
    change_settings(by=by, study=study, kinds=["Satire"], wanted=["claim"])
    accept_another(cast)
    return by


def accept_another(cast):
    """Accept the qualification of another study of the same owner."""
    other = make_cast("elsewhere")
    add_member(by=None, study=other.study, user=cast.owner.user, role="owner")
    qualification = Qualification.objects.create(study=other.study)
    change_rules(by=None, study=cast.study, accepted=[qualification.pk])


def test_each_model_of_a_study_is_copied_or_says_why_not():
    known = [model.__name__ for model, _path in models_of_studies()]
    assert len(known) == len(set(known))
    assert not set(COPIED) & set(NOT_COPIED)
    assert set(known) == set(COPIED) | set(NOT_COPIED)


def test_a_clone_has_all_set_up_and_nothing_else(worked):
    made = clone_study(by=worked, slug="again", title="Again")
    for model, path in models_of_studies():
        found = rows_of(model, path, made)
        copied = COPIED.get(model.__name__)
        if copied is None:
            assert not found.exists(), f"{model.__name__} came along"
            continue
        before = rows_of(model, path, worked.study).filter(**copied.only)
        assert before.exists(), f"the world has no {model.__name__}, so this test shows nothing"
        said = [
            Counter(values_of(model, row, copied.own) for row in rows) for rows in (before, found)
        ]
        assert said[0] == said[1], model.__name__


def test_ways_into_a_clone_are_shut_and_have_links_and_codes_of_their_own(source):
    gone = create_recruitment(by=None, study=source.study, kind="link", name="over")
    move_recruitment(by=None, recruitment=gone, to="closed")
    made = clone_study(by=source, slug="again", title="Again")
    old = Recruitment.objects.filter(study=source.study)
    new = Recruitment.objects.filter(study=made)
    assert sorted(way.name for way in new) == ["P"]
    assert {(way.state, way.external_study_id) for way in new} == {("paused", "")}
    for name in CODES:
        taken = [getattr(way, name) for way in [*old, *new]]
        assert len(taken) == len(set(taken)), name


def test_what_is_over_is_not_copied(source):
    first = add_question(by=None, study=source.study, question="How old?", kind="number")
    retire_question(by=None, question=first)
    add_question(by=None, study=source.study, question="Where?", kind="text")
    QualityRule.objects.create(study=source.study, watched="gold", threshold=1, is_active=False)
    made = clone_study(by=source, slug="again", title="Again")
    asked = BackgroundQuestion.objects.get(study=made)
    assert (asked.question, asked.order) == ("Where?", 1)
    assert not QualityRule.objects.filter(study=made).exists()


def test_a_clone_accepts_no_qualification_of_another_group(source):
    Member.objects.filter(study__slug="elsewhere", user=source.user).update(is_active=False)
    made = clone_study(by=source, slug="again", title="Again")
    rules = PrescreeningRules.objects.get(study=made)
    assert not rules.accepted.exists() and not rules.is_open
