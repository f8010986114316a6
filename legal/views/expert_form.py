"""What the expert's form needs, whether it asks for a first answer or for a correction."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.access import Access
from annotation.models import Assignment, AssignmentState, BatchState, Post, StageCode, Study
from annotation.queries.metadata import metadata_in_words
from annotation.queries.parking import kept_until
from annotation.queries.progress import own_progress
from legal.algorithms import CitationSaid, EvidenceSaid, ExpertAnswer
from legal.forms import QUESTION_ORDER, ExpertForm, cited_lines, spans_told
from legal.models import (
    FINDINGS,
    AnswerDraft,
    Catalogue,
    Confidence,
    LegalSettings,
    Misinformation,
    Stance,
)
from legal.queries.answer_drafts import draft_of_answer
from legal.queries.answers import own_answer, round_of
from legal.queries.catalogues import guide
from legal.queries.evidence import files_of
from legal.queries.hours import own_week
from legal.queries.library import titles_of
from legal.queries.settings import settings_of
from legal.services.checking import MOST_EVIDENCE
from legal.views.issue_rows import topic_rows

MORE_EVIDENCE = 10
"""Empty rows beyond those filled; all but the first of them are hidden until it is filled."""

MEANINGS = {
    Misinformation.YES: gettext_lazy("A claim, or the post as a whole, is false or misleading."),
    Misinformation.NO: gettext_lazy("Nothing in it is, or it claims nothing."),
    Misinformation.UNCLEAR: gettext_lazy("Context or evidence is missing, so nobody can tell."),
}


def own_assignment_or_404(access: Access, assignment_id: int) -> Assignment:
    """Return one of the person's own assignments at this stage, or raise Http404."""
    own = Assignment.objects.select_related("task__batch", "task__post")
    return get_object_or_404(
        own, pk=assignment_id, member=access.member, task__stage=StageCode.LEGAL
    )


def form_context(access: Access, assignment: Assignment, form: ExpertForm) -> dict[str, Any]:
    """Return what both kinds of the form show of an assignment."""
    context = questions(access, round_of(assignment).catalogue, form)
    return context | {
        "assignment": assignment,
        "files": files_of(assignment),
        **shown_post(assignment.task.post, context["settings"]),
    }


def shown_post(post: Post, settings: LegalSettings) -> dict[str, Any]:
    """Return a post with what stands beside it."""
    return {"post": post, "metadata": metadata_in_words(post, settings.shown_metadata)}


def questions(access: Access, catalogue: Catalogue, form: ExpertForm) -> dict[str, Any]:
    """Return what the form asks under a version of the catalogue, in work and in practice."""
    settings = settings_of(access.study)
    said = form.shown()
    citations = with_titles(access.study, said.citations)
    topics = guide(catalogue)
    return {
        "access": access,
        "study": access.study,
        "form": form,
        "said": said,
        "spans": spans_told(said.spans),
        "citations": citations,
        "cited_lines": cited_lines(citations),
        "cited_issues": [node.issue for topic in topics for node in topic.issues],
        "question": [(choice, MEANINGS[choice]) for choice in QUESTION_ORDER],
        "catalogue": catalogue,
        "topics": topic_rows(topics, said),
        "evidence_rows": evidence_rows(said),
        "stances": Stance.choices,
        "findings": FINDINGS,
        "confidences": Confidence.choices,
        "settings": settings,
        "wanted": set(settings.wanted),
    }


def with_titles(study: Study, citations: Iterable[CitationSaid]) -> list[CitationSaid]:
    """Return citations with what their passages are called."""
    titles = titles_of(study, [one.passage for one in citations])
    return [replace(one, title=titles.get(one.passage, _("No passage"))) for one in citations]


def evidence_rows(said: ExpertAnswer) -> list[EvidenceSaid]:
    """Return the evidence given, and empty rows for more."""
    rows = min(len(said.evidence) + MORE_EVIDENCE, MOST_EVIDENCE)
    return [*said.evidence, *(EvidenceSaid("") for _row in range(len(said.evidence), rows))]


def work_page(
    request: HttpRequest,
    access: Access,
    assignment: Assignment,
    form: ExpertForm | None = None,
    *,
    until: datetime | None,
    status: int = 200,
) -> HttpResponse:
    """Show the form for a first answer: as it was sent, or else as far as it was typed before."""
    progress = own_progress(access.member, StageCode.LEGAL)
    draft = draft_of_answer(assignment)
    form = form or form_as_typed(assignment, draft)
    aside = assignment.state in (AssignmentState.PARKED, AssignmentState.LAPSED)
    context = form_context(access, assignment, form) | {
        "heading": _("Parked post")
        if aside
        else _("Post %(number)s of %(total)s")
        % {"number": progress["done"] + 1, "total": progress["total"]},
        "progress": progress,
        "week": own_week(access.member),
        "draft": draft,
        "aside": kept_until(assignment) if aside else None,
        "is_aside": aside,
        "until": until,
        "seconds_left": seconds_until(until),
        **just_saved(request, access),
    }
    return render(request, "legal/work.html", context, status=status)


def form_as_typed(assignment: Assignment, draft: AnswerDraft | None) -> ExpertForm:
    """Return the form with what the person typed on a post before, if anything."""
    text = assignment.task.post.text
    if draft is None:
        return ExpertForm(text=text)
    typed = draft.answer
    return ExpertForm(text=text, known=typed, spent=typed.seconds)


def correction_page(
    request: HttpRequest,
    access: Access,
    assignment: Assignment,
    form: ExpertForm,
    *,
    version: int,
    status: int = 200,
) -> HttpResponse:
    """Show the form for a correction of the answer's present version."""
    context = form_context(access, assignment, form) | {
        "heading": _("Your answer to post %s") % assignment.task.post.external_id,
        "version": version,
        "is_closed": assignment.task.batch.state == BatchState.CLOSED,
    }
    return render(request, "legal/correct.html", context, status=status)


def seconds_until(until: datetime | None) -> int:
    """Return the seconds that are left of a lease."""
    if until is None:
        return 0
    return max(0, int((until - timezone.now()).total_seconds()))


def just_saved(request: HttpRequest, access: Access) -> dict[str, Any]:
    """Return what to tell of the answer just stored: its draft on the device may go."""
    last = request.GET.get("last", "")
    if not last.isdecimal() or len(last) > 18:
        return {}
    ended = Assignment.objects.filter(pk=int(last), member=access.member).exclude(
        state=AssignmentState.HELD
    )
    assignment = ended.first()
    if assignment is None:
        return {}
    answer = own_answer(assignment)
    return {"ended": assignment, "saved_at": answer.vote.created_at if answer else None}
