"""Fetches the pages that experts named as evidence, each one once, and keeps what was found.

A page is decided on in one transaction that holds its row: two workers never ask for it both, and
one that dies half-way leaves it waiting. What was fetched is never fetched again.
"""

import hashlib
from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.db.models import Count, F
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.models import Job, JobState, Study, StudyState, User
from annotation.queries.jobs import job_under_way, jobs_about
from annotation.services.archive import lock_study
from annotation.services.jobs import queue_job
from infra.jobs import Parts, Report
from infra.outbound import Fetched, Limits, Network, OutboundError, Purpose, fetch
from legal.algorithms.pages import read_page
from legal.models import MISSED, ArchivedPage, PageState
from legal.services.warc import warc_name, write_warc

FETCH, FETCH_PART = "fetch_evidence", "fetch_evidence_part"
PART = 50
MOST_ATTEMPTS = 3
LIMITS = Limits()
NETWORK = Network()


class ArchivingRefused(Exception):
    """Pages that cannot be fetched now; its text is a sentence for the person."""


def fetch_pages(*, study: Study, report: Report) -> dict[str, Any] | Parts:
    """Return the parts in which waiting pages are fetched; where none waits, how all stand.

    The pages of one site are neighbours, so that few workers ask the same site at the same time.
    """
    waiting = ArchivedPage.objects.filter(study=study, state=PageState.WAITING)
    ids = list(waiting.order_by("domain", "pk").values_list("pk", flat=True))
    if not ids:
        states = ArchivedPage.objects.filter(study=study).values_list("state")
        return dict(states.annotate(Count("pk")).order_by("state"))
    report(0, len(ids), _("Looking for pages to fetch"))
    parts = [{"pages": ids[start : start + PART]} for start in range(0, len(ids), PART)]
    message = _("Fetching %(pages)s pages, in %(parts)s parts")
    return Parts(FETCH_PART, parts, message % {"pages": len(ids), "parts": len(parts)})


def fetch_part(*, study: Study, page_ids: Sequence[int], report: Report) -> dict[str, Any]:
    """Fetch some pages, one after the other."""
    for done, page_id in enumerate(page_ids):
        report(done, len(page_ids), _("Fetching pages"))
        archive_page(study=study, page_id=page_id)
    return {"pages": len(page_ids)}


def archive_page(*, study: Study, page_id: int) -> None:
    """Fetch a page that waits, and keep what was found; anything else stays as it is."""
    waiting = ArchivedPage.objects.filter(study=study, pk=page_id, state=PageState.WAITING)
    waiting.update(attempts=F("attempts") + 1)  # seen even when this worker dies of the page
    with transaction.atomic():
        page = waiting.select_for_update(no_key=True).first()
        if page is None:
            return
        for name, value in what_is_found(page).items():
            setattr(page, name, value)
        page.save()


def what_is_found(page: ArchivedPage) -> dict[str, Any]:
    """Return what becomes of a page: its fields, by name."""
    if page.attempts > MOST_ATTEMPTS:
        reason = _("Given up: it was begun %s times, and the worker came to no end.")
        return missed(PageState.FAILED, reason % MOST_ATTEMPTS)
    try:
        found = fetch(page.url, purpose=Purpose.EVIDENCE, limits=LIMITS, network=NETWORK)
    except OutboundError as error:
        return missed(PageState.FAILED, _(error.template) % error.values)
    if 200 <= found.status < 300:
        return kept(page, found)
    reason = _("The website answered %(status)s in place of the page.") % {"status": found.status}
    return missed(PageState.DEAD, reason) | {"status": found.status, "final_url": found.final_url}


def missed(state: PageState, reason: str) -> dict[str, Any]:
    """Return what is known of a page that could not be had."""
    return {"state": state, "reason": reason, "retrieved_at": timezone.now()}


def kept(page: ArchivedPage, found: Fetched) -> dict[str, Any]:
    """Keep a page's bytes, and return what is known of it."""
    told = read_page(
        found.body,
        found.headers.get("content-type", ""),
        url=found.final_url,
        retrieved=found.retrieved_at.date(),
    )
    name = warc_name(page.study_id, page.pk)
    write_warc(name, page.url, found)
    return {
        "state": PageState.FETCHED,
        "reason": "",
        "status": found.status,
        "final_url": found.final_url,
        "title": told.title,
        "published_on": told.published_on,
        "retrieved_at": found.retrieved_at,
        "content_type": found.content_type[:100],
        "size": len(found.body),
        "sha256": hashlib.sha256(found.body).hexdigest(),
        "text": told.text,
        "warc": name,
    }


@transaction.atomic
def fetch_again(*, by: User, study: Study) -> Job:
    """Fetch what could not be had, and what waits still."""
    lock_study(study.pk)
    if job := job_under_way(study, FETCH):
        return job
    pages = ArchivedPage.objects.filter(study=study)
    pages.filter(state__in=MISSED).update(**AS_NEW)
    pages.filter(state=PageState.WAITING).update(attempts=0)
    if not pages.filter(state=PageState.WAITING).exists():
        raise ArchivingRefused(_("Every page that was named as evidence has been fetched."))
    return queue_job(by=by, study=study, kind=FETCH, parameters={})


AS_NEW: dict[str, Any] = {
    "state": PageState.WAITING,
    "attempts": 0,
    "reason": "",
    "status": None,
    "final_url": "",
    "retrieved_at": None,
}


def fetch_what_waits() -> None:
    """Start a job for each study that has pages to fetch and none under way.

    The caretakers call this, so an answer's pages are fetched soon and together, and submitting an
    answer costs nothing.
    """
    waiting = ArchivedPage.objects.filter(state=PageState.WAITING)
    studies = Study.objects.exclude(state=StudyState.ARCHIVED)
    for study in studies.filter(pk__in=waiting.values("study")):
        start_fetching(study)


@transaction.atomic
def start_fetching(study: Study) -> None:
    """Start a job unless one is under way, or was ended and nothing new was named since."""
    study = lock_study(study.pk)
    newest = jobs_about(study, FETCH).first()
    waiting = ArchivedPage.objects.filter(study=study, state=PageState.WAITING)
    if newest and not newest.has_ended:
        return
    if newest and newest.state != JobState.SUCCEEDED:
        waiting = waiting.filter(created_at__gt=newest.ended_at)
    if waiting.exists():
        queue_job(by=None, study=study, kind=FETCH, parameters={})
