"""The candidate's way: the instructions, a test on the screen of the real work, and the result.

No page here tells which posts were right, how many, or what gold says.
"""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from annotation.access import Access, Permission, study_view
from annotation.models import Member
from annotation.services.sittings import open_sitting
from crowd.forms import StartForm
from crowd.queries.admission import next_gate
from crowd.queries.prescreening import GATE, Candidacy, Step, candidacy_of
from crowd.queries.recruitment import SHARED_CODES, Completion, completion_of, screen_out_of
from crowd.services.admission import NotAdmitted
from crowd.services.candidates import begin_test
from crowd.services.instructions import InstructionsRefused, ready_instructions
from crowd.views import labelling
from crowd.views.rooms import PRESCREENING

NO_WORK_NOW = {Step.REFUSED, Step.WAITING, Step.NO_POSTS}


@require_safe
@study_view(Permission.WORK_CROWD)
def prescreening(request: HttpRequest, access: Access) -> HttpResponse:
    """Show what a candidate is asked, or what became of their test."""
    candidacy = candidacy_of(access.member)
    context = {"access": access, "study": access.study, "candidacy": candidacy}
    if not candidacy.may_begin:
        context |= {"room": PRESCREENING, "completion": completion_for(candidacy, access.member)}
        return render(request, "prescreening/result.html", context)
    gate = next_gate(access.member)
    if gate != GATE:
        return redirect(gate or "work", access.study.slug)
    instructions, _is_read = ready_instructions(access.member)
    context |= labelling.start_words(access, PRESCREENING, instructions)
    return render(request, "prescreening/begin.html", context)


def completion_for(candidacy: Candidacy, member: Member) -> Completion | None:
    """Return what a candidate takes back to where they came from.

    A code that all people of a platform share comes at the end of the work: who gets no work now
    takes the one for a screen-out. Where sittings have codes of their own, the test's is given.
    """
    away = screen_out_of(member) if candidacy.step in NO_WORK_NOW else None
    sitting = candidacy.last_sitting
    if sitting is None or (away and away.kind in SHARED_CODES):
        return away
    return completion_of(sitting)


@require_POST
@study_view(Permission.WORK_CROWD)
def prescreening_start(request: HttpRequest, access: Access) -> HttpResponse:
    """Record that a candidate has read the instructions; begin a test and go on to its posts."""
    form = StartForm(request.POST)
    version = form.cleaned_data["version"] if form.is_valid() else 0
    try:
        begin_test(by=access.member, version=version)
    except InstructionsRefused as refusal:
        messages.error(request, str(refusal))
        return redirect("prescreening", access.study.slug)
    except NotAdmitted as refusal:
        return redirect(refusal.gate, access.study.slug)
    return redirect("prescreening_test", access.study.slug)


@require_safe
@study_view(Permission.WORK_CROWD)
def prescreening_test(request: HttpRequest, access: Access) -> HttpResponse:
    """Show the next post of a test."""
    if open_sitting(by=access.member, stage=PRESCREENING.stage) is None:
        return redirect("prescreening", access.study.slug)
    return labelling.show_next(request, access, PRESCREENING)


@study_view(Permission.WORK_CROWD)
def prescreening_submit(request: HttpRequest, access: Access, assignment_id: int) -> HttpResponse:
    """Record a candidate's answer."""
    return labelling.take_answer(request, access, PRESCREENING, assignment_id)


@study_view(Permission.WORK_CROWD)
def prescreening_skip(request: HttpRequest, access: Access, assignment_id: int) -> HttpResponse:
    """Pass a post of a test on."""
    return labelling.skip_post(request, access, PRESCREENING, assignment_id)


@require_POST
@study_view(Permission.WORK_CROWD)
def prescreening_extend(request: HttpRequest, access: Access, assignment_id: int) -> HttpResponse:
    """Prolong the time for which a post is held, while somebody works on it."""
    return labelling.prolong(access, PRESCREENING, assignment_id)


@require_safe
@study_view(Permission.WORK_CROWD)
def prescreening_votes(request: HttpRequest, access: Access) -> HttpResponse:
    """List a candidate's own answers."""
    return labelling.list_votes(request, access, PRESCREENING)


@study_view(Permission.WORK_CROWD)
def prescreening_correct(request: HttpRequest, access: Access, assignment_id: int) -> HttpResponse:
    """Correct an answer, until the test is complete."""
    return labelling.correct_answer(request, access, PRESCREENING, assignment_id)
