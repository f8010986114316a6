"""One issue of the draft: what it says, its tests and defences, and where it comes from."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.access import Access, Permission, study_view
from legal.catalogues.editing import Tree, empty_issue, placed_issue
from legal.catalogues.reading import Part, read_issue
from legal.catalogues.writing import fingerprint
from legal.models import CatalogueDraft
from legal.queries.catalogues import codes_given, criterion_codes_given
from legal.queries.drafts import draft_of, fault_in
from legal.services.catalogues import CatalogueRefused, in_words
from legal.services.outlines import write_issue
from legal.views.drafts import CONFLICT, UNPROCESSABLE, draft_context, with_mark
from legal.views.issue_editor import IssueEditor


@study_view(Permission.MANAGE_DATA)
def legal_draft_issue(request: HttpRequest, access: Access, code: str) -> HttpResponse:
    """Change an issue; each button sends all that was typed."""
    draft = draft_of(access.study)
    place = placed_issue(draft.content, code) if draft else None
    if draft is None or place is None:
        return gone(request, access, code)
    if request.method != "POST":
        editor = editor_of(draft, place, add=request.GET.get("add", ""))
        return issue_page(request, access, place[1], editor)
    editor = editor_of(draft, place, posted=request.POST)
    if not editor.is_valid():
        return issue_page(request, access, place[1], editor, status=UNPROCESSABLE)
    try:
        return save(request, access, code, editor)
    except CatalogueRefused as refusal:
        return refused(request, access, code, str(refusal))


def save(request: HttpRequest, access: Access, code: str, editor: IssueEditor) -> HttpResponse:
    """Write what was typed, after what the button does, and let typing go on there."""
    action, _sign, path = request.POST.get("do", "save").partition(":")
    taken = criterion_codes_given(access.study, code)
    write_issue(
        by=access.user,
        study=access.study,
        code=code,
        seen=editor.main.cleaned_data["seen"],
        issue=editor.tree(action, path, taken),
        topic=editor.main.cleaned_data["topic"],
    )
    if action == "save":
        messages.success(request, _("Saved in the draft."))
    return redirect(next_address(access, code, action, path))


def refused(request: HttpRequest, access: Access, code: str, sentence: str) -> HttpResponse:
    """Show what was typed again, with why it was not saved."""
    draft = draft_of(access.study)
    place = placed_issue(draft.content, code) if draft else None
    if draft is None or place is None:
        return gone(request, access, code)
    editor = editor_of(draft, place, posted=with_mark(request.POST, place))
    editor.main.add_error(None, sentence)
    return issue_page(request, access, place[1], editor, status=CONFLICT)


def gone(request: HttpRequest, access: Access, code: str) -> HttpResponse:
    """Say that the draft has no such issue (any more), and keep what was typed in the page."""
    _topics, issues = codes_given(access.study)
    if code not in issues:
        raise Http404(_("The draft has no such issue."))
    if request.method != "POST":
        messages.info(request, _("The draft has no such issue."))
        return redirect("legal_draft", access.study.slug)
    topic = request.POST.get("topic", "")
    issue = empty_issue(code, request.POST.get("name", code))
    editor = IssueEditor(issue, topic=topic, topics=[(topic, topic)], posted=request.POST)
    editor.main.add_error(
        None,
        _(
            "The issue is not in the draft any more: somebody removed it, or published or "
            "discarded the draft. Nothing was saved; what you typed stands below."
        ),
    )
    return issue_page(request, access, issue, editor, status=CONFLICT)


def editor_of(draft: CatalogueDraft, place: list[Any], **more: Any) -> IssueEditor:
    """Return the form of an issue of the draft."""
    choices = [(topic["code"], topic["name"]) for topic in draft.content["topics"]]
    topic, issue = place
    return IssueEditor(issue, topic=topic, topics=choices, seen=fingerprint(place), **more)


def next_address(access: Access, code: str, action: str, path: str) -> str:
    """Return where typing goes on: a new row, the list that a row moved in, or the outline."""
    if action not in ("add", "up", "down", "remove"):
        return reverse("legal_draft", args=[access.study.slug])
    here = reverse("legal_draft_issue", args=[access.study.slug, code])
    if action == "add":
        return f"{here}?{urlencode({'add': path})}"
    return f"{here}#{path.partition('-')[0]}"


def issue_page(
    request: HttpRequest, access: Access, issue: Tree, editor: IssueEditor, *, status: int = 200
) -> HttpResponse:
    """Show the form of an issue."""
    fault = fault_in(read_issue, Part(f"“{issue['name']}”", issue))
    context = draft_context(
        access,
        issue["name"],
        issue=issue,
        editor=editor,
        fault=in_words(fault) if fault else "",
        is_conflict=status == CONFLICT,
    )
    return render(request, "legal/draft_issue.html", context, status=status)
