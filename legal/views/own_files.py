"""The files that an expert attaches to an answer: add, take out, get back."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation.access import Access, Permission, study_view
from annotation.models import AssignmentState, BatchState
from annotation.offers import may_change
from legal.algorithms.kinds import KINDS
from legal.forms import AttachmentForm
from legal.models import Attachment
from legal.queries.evidence import files_of
from legal.services.attachments import (
    MOST_BYTES,
    MOST_FILES,
    AttachmentRefused,
    attach_file,
    detach_file,
)
from legal.views.downloads import attached
from legal.views.expert_form import own_assignment_or_404

UNPROCESSABLE = 422


@study_view(Permission.WORK_LEGAL)
def evidence_file(request: HttpRequest, access: Access, assignment_id: int) -> HttpResponse:
    """List the files of one's answer to a post; take another one."""
    assignment = own_assignment_or_404(access, assignment_id)
    sent = (request.POST, request.FILES) if request.method == "POST" else ()
    form = AttachmentForm(*sent)
    if form.is_valid():
        given = form.cleaned_data["file"]
        try:
            file = attach_file(
                by=access.member, assignment_id=assignment.pk, name=given.name, content=given
            )
            messages.success(request, _("“%s” is attached.") % file.name)
            return redirect("legal_evidence_file", access.study.slug, assignment.pk)
        except AttachmentRefused as refusal:
            form.add_error("file", str(refusal))
    context = {
        "access": access,
        "study": access.study,
        "assignment": assignment,
        "files": files_of(assignment),
        "form": form,
        "kinds": ", ".join(KINDS.values()),
        "most_files": MOST_FILES,
        "most_megabytes": MOST_BYTES // 1024 // 1024,
        "is_answered": assignment.state == AssignmentState.SUBMITTED,
        "may_attach": may_change(access, Permission.WORK_LEGAL)
        and assignment.task.batch.state != BatchState.CLOSED,
        "crumb": _("Attached files"),
    }
    status = UNPROCESSABLE if form.errors else 200
    return render(request, "legal/evidence_file.html", context, status=status)


@require_POST
@study_view(Permission.WORK_LEGAL)
def detach(
    request: HttpRequest, access: Access, assignment_id: int, attachment_id: int
) -> HttpResponse:
    """Take a file out of one's answer."""
    assignment = own_assignment_or_404(access, assignment_id)
    try:
        detach_file(by=access.member, assignment_id=assignment.pk, attachment_id=attachment_id)
        messages.success(request, _("The file is taken out."))
    except AttachmentRefused as refusal:
        messages.error(request, str(refusal))
    return redirect("legal_evidence_file", access.study.slug, assignment.pk)


@require_safe
@study_view(Permission.WORK_LEGAL)
def own_attachment(
    request: HttpRequest, access: Access, assignment_id: int, attachment_id: int
) -> HttpResponseBase:
    """Hand a file back to the person who attached it."""
    assignment = own_assignment_or_404(access, assignment_id)
    return attached(get_object_or_404(Attachment, assignment=assignment, pk=attachment_id))
