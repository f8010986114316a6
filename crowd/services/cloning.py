"""Takes what the crowd's stage is set up with over into the clone of a study.

What is in force is copied; people, their votes, and codes and secrets never are.
"""

from annotation.models import Origin, Study, User
from annotation.services.importing import random_position
from annotation.services.studies import copy_row
from crowd.models import (
    AcceptedQualification,
    BackgroundQuestion,
    Check,
    GoldSource,
    Instructions,
    LabelSet,
    PayRules,
    PrescreeningRules,
    QualityRule,
    Recruitment,
    RecruitmentState,
)
from crowd.models.recruitment import new_code, new_secret, new_token
from crowd.queries.consent import newest_consent_text
from crowd.queries.prescreening import acceptable_qualifications
from crowd.services.labels import labels_of, put_labels


def copy_set_up(source: Study, target: Study, by: User) -> None:
    """Copy how posts are judged and paid for, and how people come in and what they are asked."""
    copy_instructions(source, target, by)
    copy_labels(source, target)
    copy_consent(source, target, by)
    copy_prescreening(source, target)
    for pay in PayRules.objects.filter(study=source):
        copy_row(pay, study=target)
    for rule in QualityRule.objects.filter(study=source, is_active=True):
        copy_row(rule, study=target)
    copy_attention_posts(source, target, by)
    copy_ways_in(source, target, by)


def copy_instructions(source: Study, target: Study, by: User) -> None:
    """Make the newest instructions of one study the first of another."""
    newest = Instructions.objects.filter(study=source).first()
    if newest:
        copy_row(newest, study=target, version=1, created_by=by)


def copy_labels(source: Study, target: Study) -> None:
    """Make the labels in force in one study the first of another."""
    newest = LabelSet.objects.filter(study=source, origin=Origin.HERE).order_by("version").last()
    if newest:
        put_labels(copy_row(newest, study=target, version=1), labels_of(newest))


def copy_consent(source: Study, target: Study, by: User) -> None:
    """Make the newest consent text the first of another study, and ask what is still asked."""
    newest = newest_consent_text(source)
    if newest:
        copy_row(newest, study=target, version=1, created_by=by)
    asked = BackgroundQuestion.objects.filter(study=source, retired_at=None).order_by("order")
    for order, question in enumerate(asked, start=1):
        copy_row(question, study=target, order=order)


def copy_prescreening(source: Study, target: Study) -> None:
    """Copy the rules with no test open, and accept what the clone's group may accept."""
    acceptable = acceptable_qualifications(target)
    for rules in PrescreeningRules.objects.filter(study=source):
        made = copy_row(rules, study=target, is_open=False)
        for accepted in rules.accepted.filter(qualification__in=acceptable).order_by("pk"):
            AcceptedQualification.objects.create(
                rules=made, qualification_id=accepted.qualification_id
            )


def copy_attention_posts(source: Study, target: Study, by: User) -> None:
    """Copy the attention posts with what stands beside them, for the clone has no posts yet."""
    checks = Check.objects.filter(gold__post__study=source, gold__source=GoldSource.ATTENTION)
    for check in checks.select_related("gold__post").order_by("pk"):
        name = check.gold.post.external_id
        post = copy_row(check.gold.post, study=target, position=random_position(target, name))
        copy_row(check, gold=copy_row(check.gold, post=post), created_by=by)


def copy_ways_in(source: Study, target: Study, by: User) -> None:
    """Copy the ways in that are not closed: they let nobody in yet, and have codes of their own.

    Which study of a platform a way stands for is not copied: one study has one way on this site.
    """
    ways = Recruitment.objects.filter(study=source).exclude(state=RecruitmentState.CLOSED)
    for number, way in enumerate(ways.order_by("number"), start=1):
        copy_row(
            way,
            study=target,
            number=number,
            state=RecruitmentState.PAUSED,
            token=new_token(),
            completion_code=new_code(),
            screen_out_code=new_code(),
            signing_secret=new_secret(),
            external_study_id="",
            created_by=by,
        )
