"""Pages of crowd workers: the instructions, one post after the other, and their own votes."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation.access import Access, Permission, study_view
from annotation.services.assignments import extend_lease
from crowd.forms import StartForm
from crowd.services.instructions import InstructionsRefused, acknowledge
from crowd.views import labelling
from crowd.views.rooms import CROWD


@require_safe
@study_view(Permission.WORK_CROWD)
def work(request: HttpRequest, access: Access) -> HttpResponse:
    """Show the next post to a crowd worker."""
    return labelling.show_next(request, access, CROWD)


@require_POST
@study_view(Permission.WORK_CROWD)
def start(request: HttpRequest, access: Access) -> HttpResponse:
    """Record that a worker has read the instructions; go on to the first post."""
    form = StartForm(request.POST)
    try:
        acknowledge(
            by=access.member, version=form.cleaned_data["version"] if form.is_valid() else 0
        )
    except InstructionsRefused as refusal:
        messages.error(request, str(refusal))
    return redirect("work", access.study.slug)


@study_view(Permission.WORK_CROWD)
def work_submit(request: HttpRequest, access: Access, assignment_id: int) -> HttpResponse:
    """Record a worker's answer."""
    return labelling.take_answer(request, access, CROWD, assignment_id)


@study_view(Permission.WORK_CROWD)
def work_skip(request: HttpRequest, access: Access, assignment_id: int) -> HttpResponse:
    """Pass a post on."""
    return labelling.skip_post(request, access, CROWD, assignment_id)


@require_POST
@study_view(Permission.WORK_CROWD)
def work_extend(request: HttpRequest, access: Access, assignment_id: int) -> HttpResponse:
    """Prolong the time for which a post is held, while somebody works on it."""
    assignment = labelling.room_assignment(access, CROWD, assignment_id)
    until = extend_lease(by=access.member, assignment_id=assignment.pk)
    if until is None:
        return JsonResponse({"error": _("This post is no longer held for you.")}, status=409)
    seconds = access.study.protocol.lease_minutes * 60
    return JsonResponse({"until": until.isoformat(), "seconds": seconds})


@require_safe
@study_view(Permission.WORK_CROWD)
def work_votes(request: HttpRequest, access: Access) -> HttpResponse:
    """List a worker's own votes."""
    return labelling.list_votes(request, access, CROWD)


@study_view(Permission.WORK_CROWD)
def work_correct(request: HttpRequest, access: Access, assignment_id: int) -> HttpResponse:
    """Correct one of a worker's own votes."""
    return labelling.correct_answer(request, access, CROWD, assignment_id)
