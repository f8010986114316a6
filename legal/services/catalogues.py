"""Takes a catalogue into a study as a new version; the same one again makes none."""

import hashlib
from collections.abc import Iterable
from pathlib import Path

import pghistory
from django.db import transaction
from django.utils.translation import gettext as _

from annotation.models import Member, Study, User
from annotation.services.archive import hold_open, lock_study
from legal.catalogues import CANADA
from legal.catalogues.reading import (
    CatalogueFault,
    CatalogueText,
    CriterionText,
    IssueText,
    read_catalogue,
)
from legal.models import Catalogue, Criterion, CriterionKind, GuideRead, Issue, Topic
from legal.queries.catalogues import current_catalogue


class CatalogueRefused(Exception):
    """A catalogue that is not taken; its text is a sentence for the person."""


def load_catalogue(*, by: User | None, study: Study, source: Path = CANADA) -> Catalogue:
    """Read a catalogue and make it the study's newest version, unless it is that already."""
    try:
        raw = source.read_bytes()
    except OSError as error:
        sentence = _("The catalogue %(name)s cannot be read: %(problem)s.")
        details = {"name": source.name, "problem": error.strerror}
        raise CatalogueRefused(sentence % details) from error
    try:
        text = read_catalogue(raw)
    except CatalogueFault as fault:
        raise CatalogueRefused(_(fault.template) % fault.details) from fault
    return add_version(by=by, study=study, text=text, sha256=hashlib.sha256(raw).hexdigest())


def ensure_catalogue(*, by: User | None, study: Study) -> Catalogue:
    """Return the study's newest catalogue; a study without one gets the catalogue we ship."""
    return current_catalogue(study) or load_catalogue(by=by, study=study)


@transaction.atomic
def add_version(*, by: User | None, study: Study, text: CatalogueText, sha256: str) -> Catalogue:
    """Write a version with all that belongs to it."""
    with pghistory.context(user=by.pk if by else None, action="load catalogue"):
        lock_study(study.pk)
        newest = current_catalogue(study)
        if newest and newest.sha256 == sha256:
            return newest
        last = newest.version if newest else 0
        catalogue = Catalogue.objects.create(
            study=study,
            version=last + 1,
            title=text.title,
            jurisdiction=text.jurisdiction,
            language=text.language,
            note=text.note,
            sha256=sha256,
            created_by=by,
        )
        write_topics(catalogue, text)
    return catalogue


def write_topics(catalogue: Catalogue, text: CatalogueText) -> None:
    """Write topics, issues and criteria in their order: four queries for any catalogue."""
    topics = Topic.objects.bulk_create(
        Topic(catalogue=catalogue, code=given.code, name=given.name, order=order)
        for order, given in enumerate(text.topics, start=1)
    )
    given_issues = [
        (topic, order, given)
        for topic, about in zip(topics, text.topics, strict=True)
        for order, given in enumerate(about.issues, start=1)
    ]
    issues = Issue.objects.bulk_create(new_issue(*one) for one in given_issues)
    write_criteria(
        (issue, kind, None, criteria)
        for issue, (_topic, _order, given) in zip(issues, given_issues, strict=True)
        for kind, criteria in (
            (CriterionKind.TEST, given.tests),
            (CriterionKind.DEFENCE, given.defences),
        )
    )


def new_issue(topic: Topic, order: int, given: IssueText) -> Issue:
    """Return an unsaved issue."""
    return Issue(
        catalogue_id=topic.catalogue_id,
        topic=topic,
        code=given.code,
        name=given.name,
        summary=given.summary,
        sources=list(given.sources),
        test_rule=given.test_rule,
        defence_rule=given.defence_rule,
        positive_example=given.positive_example,
        negative_example=given.negative_example,
        order=order,
    )


Level = Iterable[tuple[Issue, str, Criterion | None, tuple[CriterionText, ...]]]


def write_criteria(level: Level) -> None:
    """Write tests and defences, then the parts of those that are groups."""
    texts = [
        (issue, kind, parent, order, given)
        for issue, kind, parent, criteria in level
        for order, given in enumerate(criteria, start=1)
    ]
    written = Criterion.objects.bulk_create(
        Criterion(
            issue=issue,
            kind=kind,
            code=given.code,
            name=given.name,
            question=given.question,
            rule=given.rule,
            parent=parent,
            order=order,
        )
        for issue, kind, parent, order, given in texts
    )
    if written:
        write_criteria(
            (criterion.issue, criterion.kind, criterion, text[-1].parts)
            for criterion, text in zip(written, texts, strict=True)
        )


@transaction.atomic
def note_guide_read(*, by: Member, catalogue: Catalogue) -> GuideRead:
    """Record that somebody has read a version of the guide; once is enough."""
    if catalogue.study_id != by.study_id:
        raise CatalogueRefused(_("This catalogue belongs to another study."))
    hold_open(by.study_id)
    return GuideRead.objects.get_or_create(member=by, catalogue=catalogue)[0]
