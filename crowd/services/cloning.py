"""Takes the crowd's rules over into the clone of a study: how posts are judged, not by whom."""

from annotation.models import Origin, Study, User
from annotation.services.studies import copy_row
from crowd.models import Instructions, LabelSet, PayRules, PrescreeningRules, QualityRule
from crowd.services.labels import labels_of, put_labels


def copy_rules(source: Study, target: Study, by: User) -> None:
    """Copy the newest instructions and labels, and the rules; a clone starts with no test open."""
    copy_instructions(source, target, by)
    copy_labels(source, target)
    for rules in PrescreeningRules.objects.filter(study=source):
        copy_row(rules, study=target, is_open=False)
    for pay in PayRules.objects.filter(study=source):
        copy_row(pay, study=target)
    for rule in QualityRule.objects.filter(study=source, is_active=True):
        copy_row(rule, study=target)


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
