"""Takes a catalogue into a study as its next version; what it says already makes none.

Codes are given once: answers point to them, so a code never goes from the tests to the defences of
an issue, or back.
"""

from collections.abc import Iterable
from dataclasses import asdict

import pghistory
from django.db import transaction
from django.utils.translation import gettext as _

from annotation.models import Member, Study, User
from annotation.services.archive import hold_open, lock_study
from legal.catalogues import CANADA
from legal.catalogues.faults import CatalogueFault
from legal.catalogues.parsing import MOST_BYTES
from legal.catalogues.reading import codes_of, read_catalogue, read_tree
from legal.catalogues.texts import CatalogueText, CriterionText, IssueText
from legal.catalogues.writing import as_json, as_tree, fingerprint
from legal.models import Catalogue, Criterion, CriterionKind, GuideRead, Issue, Topic
from legal.queries.catalogues import current_catalogue, kinds_of_codes, text_of
from legal.services.checking import is_storable

MOST_CHANGE_NOTE = 2_000


class CatalogueRefused(Exception):
    """A catalogue that is not taken; its text is a sentence for the person."""


class CatalogueMoved(CatalogueRefused):
    """Somebody published another version meanwhile."""


def read_or_refuse(raw: bytes) -> CatalogueText:
    """Read a file, or say in a sentence what is wrong with it."""
    try:
        return read_catalogue(raw)
    except CatalogueFault as fault:
        raise CatalogueRefused(in_words(fault)) from fault


def tree_or_refuse(tree: object) -> CatalogueText:
    """Read what is a tree already, or say in a sentence what is wrong with it."""
    try:
        text = read_tree(tree)
    except CatalogueFault as fault:
        raise CatalogueRefused(in_words(fault)) from fault
    refuse_oversize(text)
    return text


def in_words(fault: CatalogueFault) -> str:
    """Return what is wrong with a catalogue in the person's language."""
    return _(fault.template) % fault.details


def shipped_catalogue() -> CatalogueText:
    """Return the catalogue that Juryroom ships."""
    return read_catalogue(CANADA.read_bytes())


def ensure_catalogue(*, by: User | None, study: Study) -> Catalogue:
    """Return the study's newest catalogue; a study without one gets the catalogue we ship."""
    return current_catalogue(study) or publish(by=by, study=study, text=shipped_catalogue())


@transaction.atomic
def publish(
    *,
    by: User | None,
    study: Study,
    text: CatalogueText,
    change_note: str = "",
    seen_version: int | None = None,
) -> Catalogue:
    """Make a catalogue the study's next version, unless the newest says the same already.

    `seen_version` is the newest version that the person knew (0: none); refused when there is
    another by now.
    """
    with pghistory.context(user=by.pk if by else None, action="publish catalogue"):
        lock_study(study.pk)
        newest = current_catalogue(study)
        last = newest.version if newest else 0
        if seen_version is not None and seen_version != last:
            raise CatalogueMoved(
                _("Somebody published version %s meanwhile. Look at what differs from it now.")
                % last
            )
        if newest and text_of(newest) == text:
            return newest
        refuse_oversize(text)
        refuse_changed_kinds(study, text)
        refuse_note(change_note)
        catalogue = Catalogue.objects.create(
            study=study,
            version=last + 1,
            title=text.title,
            jurisdiction=text.jurisdiction,
            language=text.language,
            note=text.note,
            change_note=change_note.strip(),
            sha256=fingerprint(as_tree(text)),
            created_by=by,
        )
        write_topics(catalogue, text)
    return catalogue


def refuse_oversize(text: CatalogueText) -> None:
    """Refuse a catalogue of which the file could not be read again."""
    if len(as_json(text).encode()) > MOST_BYTES:
        raise CatalogueRefused(_("The catalogue is larger than %s bytes.") % MOST_BYTES)


def refuse_note(change_note: str) -> None:
    """Refuse a note that is too long, or that no database can store."""
    if len(change_note) > MOST_CHANGE_NOTE:
        raise CatalogueRefused(_("The note may have %s characters.") % MOST_CHANGE_NOTE)
    if not is_storable(change_note):
        raise CatalogueRefused(_("The note holds a character that cannot be stored."))


def refuse_changed_kinds(study: Study, text: CatalogueText) -> None:
    """Refuse a test that was a defence in an earlier version, and a defence that was a test."""
    known = kinds_of_codes(study)
    for issue in (issue for topic in text.topics for issue in topic.issues):
        for kind, criteria in criteria_of(issue):
            for code in codes_of(criteria):
                if known.get((issue.code, code), kind) != kind:
                    sentence = _(
                        "“%(code)s” of the issue “%(issue)s” was a %(before)s in an earlier "
                        "version. Answers point to it, so give the %(now)s a code of its own."
                    )
                    kinds = {"before": known[issue.code, code], "now": kind}
                    labels = {name: CriterionKind(one).label.lower() for name, one in kinds.items()}
                    raise CatalogueRefused(sentence % {"code": code, "issue": issue.name, **labels})


def criteria_of(issue: IssueText) -> tuple[tuple[str, tuple[CriterionText, ...]], ...]:
    """Return an issue's tests and its defences by their kind."""
    return (CriterionKind.TEST.value, issue.tests), (CriterionKind.DEFENCE.value, issue.defences)


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
        for kind, criteria in criteria_of(given)
    )


def new_issue(topic: Topic, order: int, given: IssueText) -> Issue:
    """Return an unsaved issue."""
    return Issue(
        catalogue_id=topic.catalogue_id,
        topic=topic,
        code=given.code,
        name=given.name,
        summary=given.summary,
        sources=[asdict(source) for source in given.sources],
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
