"""Pages of crowd workers: the instructions, one post after the other, and their own votes."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from annotation.access import Access, Permission, study_view
from annotation.models import SittingState, StudyState
from annotation.services.assignments import Offer, next_task
from annotation.services.sittings import end_sitting, open_sitting
from crowd.forms import StartForm
from crowd.queries.admission import next_gate
from crowd.queries.recruitment import visit_gate
from crowd.services.admission import NotAdmitted, begin_work
from crowd.services.instructions import InstructionsRefused, ready_instructions
from crowd.views import labelling
from crowd.views.rooms import CROWD


@require_safe
@study_view(Permission.WORK_CROWD)
def work(request: HttpRequest, access: Access) -> HttpResponse:
    """Show the next post to a crowd worker, or what comes before a sitting."""
    is_archived = access.study.state == StudyState.ARCHIVED
    if not is_archived and open_sitting(by=access.member, stage=CROWD.stage) is None:
        gate = next_gate(access.member)
        if gate:
            return redirect(gate, access.study.slug)
    return labelling.show_next(request, access, CROWD)


@require_safe
@study_view(Permission.WORK_CROWD)
def work_visit(request: HttpRequest, access: Access) -> HttpResponse:
    """Show what a visit ends with to who did all that their platform pays for."""
    if not visit_gate(access.member):
        return redirect("work", access.study.slug)
    offer = next_task(by=access.member, stage=CROWD.stage)
    instructions, _is_read = ready_instructions(access.member)
    return labelling.show_offer(request, access, CROWD, offer, instructions)


@require_POST
@study_view(Permission.WORK_CROWD)
def start(request: HttpRequest, access: Access) -> HttpResponse:
    """Record that a worker has read the instructions; begin a sitting and go on to its posts."""
    form = StartForm(request.POST)
    version = form.cleaned_data["version"] if form.is_valid() else 0
    try:
        begin_work(by=access.member, version=version)
    except InstructionsRefused as refusal:
        messages.error(request, str(refusal))
    except NotAdmitted as refusal:
        return redirect(refusal.gate, access.study.slug)
    return redirect("work", access.study.slug)


@study_view(Permission.WORK_CROWD)
def leave(request: HttpRequest, access: Access) -> HttpResponse:
    """Ask whether to end the sitting early; end it."""
    if request.method == "POST":
        end_sitting(by=access.member, stage=CROWD.stage, state=SittingState.LEFT)
        labelling.look_at_work(request, access, CROWD, Offer())
        return redirect("work", access.study.slug)
    sitting = open_sitting(by=access.member, stage=CROWD.stage)
    if sitting is None:
        return redirect("work", access.study.slug)
    context = {"access": access, "study": access.study, "sitting": sitting, "room": CROWD}
    return render(request, "crowd/leave.html", context)


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
    return labelling.prolong(access, CROWD, assignment_id)


@require_safe
@study_view(Permission.WORK_CROWD)
def work_votes(request: HttpRequest, access: Access) -> HttpResponse:
    """List a worker's own votes."""
    return labelling.list_votes(request, access, CROWD)


@study_view(Permission.WORK_CROWD)
def work_correct(request: HttpRequest, access: Access, assignment_id: int) -> HttpResponse:
    """Correct one of a worker's own votes."""
    return labelling.correct_answer(request, access, CROWD, assignment_id)
