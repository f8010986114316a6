"""What becomes of a post in somebody's hands: answered, corrected, skipped; alike in all rooms."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.access import Access
from annotation.markdown import render_markdown
from annotation.models import (
    Assignment,
    AssignmentState,
    SkipReason,
    StudyState,
)
from annotation.services.assignments import (
    NotHeld,
    Nothing,
    Offer,
    extend_lease,
    next_task,
    skip_task,
)
from annotation.services.votes import NoSuchLabel, VoteRefused, current_vote
from crowd.forms import SkipForm, VoteForm
from crowd.models import Acknowledgement, Action, Instructions
from crowd.models.defaults import AMBIGUOUS, AMBIGUOUS_NAME
from crowd.queries.labels import codes_of, label_names
from crowd.queries.recruitment import completion_of, visit_gate
from crowd.queries.work import last_sitting, last_vote, own_votes, takes_corrections
from crowd.services.defaults import own_label_set
from crowd.services.instructions import ready_instructions
from crowd.services.quality import apply_rules, is_due, kind_words
from crowd.services.work import ChangedMeanwhile, correct, own_at
from crowd.views.rooms import Room
from crowd.views.screen import Page

PER_PAGE = 25
REFUSED, CONFLICT = 422, 409
NOT_COUNTED = gettext_lazy(
    "Your answer is kept. The post had all its votes already, so it does not count."
)
SITTING_IS_OVER = {Nothing.DONE, Nothing.NO_SITTING}


def show_next(request: HttpRequest, access: Access, room: Room) -> HttpResponse:
    """Show the next post, or what comes before it, or why there is none."""
    instructions, is_read = ready_instructions(access.member)
    is_archived = access.study.state == StudyState.ARCHIVED
    if room.start and not is_read and not is_archived:
        return show_start(request, access, room, instructions)
    offer = next_task(by=access.member, stage=room.stage)
    return show_offer(request, access, room, offer, instructions)


def show_offer(
    request: HttpRequest, access: Access, room: Room, offer: Offer, instructions: Instructions
) -> HttpResponse:
    """Show the post that somebody got, or why there is none."""
    if offer.assignment is None:
        return show_nothing(request, access, room, offer, instructions)
    page = Page(request, access, room, offer.assignment, instructions, until=offer.until)
    return page.show()


def show_start(
    request: HttpRequest, access: Access, room: Room, instructions: Instructions
) -> HttpResponse:
    """Show what is asked, before the first post and after each change of the instructions."""
    context = start_words(access, room, instructions)
    return render(request, "crowd/start.html", context)


def start_words(access: Access, room: Room, instructions: Instructions) -> dict[str, Any]:
    """Return what is read before the first post of a room."""
    label_set = own_label_set(access.study)
    return {
        "access": access,
        "study": access.study,
        "room": room,
        "size": room.size(access.study),
        "reward": room.reward(access.study),
        "start_url": room.url(room.start, access) if room.start else "",
        "instructions": instructions,
        "question": label_set.question,
        "answers": len(codes_of(label_set)),
        "is_change": Acknowledgement.objects.filter(member=access.member).exists(),
        "introduction": render_markdown(instructions.introduction),
        "guide": render_markdown(instructions.markdown, 3),
    }


def show_nothing(
    request: HttpRequest, access: Access, room: Room, offer: Offer, instructions: Instructions
) -> HttpResponse:
    """Say why no post can be had now, and what to do."""
    room.conclude(by=access.member, stage=room.stage, offer=offer)
    if room.result and offer.nothing in SITTING_IS_OVER:
        return redirect(room.result, access.study.slug)
    sitting = last_sitting(access.member, room.stage)
    context = {
        "sitting": sitting,
        "completion": completion_of(sitting) if sitting else None,
        "may_begin": not visit_gate(access.member),
        "size": access.study.protocol.sitting_size,
        "version": instructions.version,
        "access": access,
        "study": access.study,
        "room": room,
        "nothing": offer.nothing,
        "until": offer.until,
        "last": last_vote(access.member, room.stage),
        "next_url": room.url(room.next, access),
        "votes_url": room.url(room.votes, access),
    }
    return render(request, "crowd/nothing.html", context)


def take_answer(
    request: HttpRequest, access: Access, room: Room, assignment_id: int
) -> HttpResponse:
    """Record a first answer and show the next post; on any fault, show the answer again."""
    if request.method != "POST":
        room_assignment(access, room, assignment_id)
        return redirect(room.next, access.study.slug)
    instructions, has_read = ready_instructions(access.member)
    is_read = has_read or not room.start
    form = VoteForm(request.POST)
    if not form.is_valid():
        return again(request, access, room, assignment_id, form, REFUSED)
    answer = form.answer(instructions.version)
    try:
        receipt, offer = room.answer(
            by=access.member, stage=room.stage, assignment_id=assignment_id, answer=answer
        )
    except NotHeld as refusal:
        raise Http404(str(refusal)) from refusal
    except VoteRefused as refusal:
        form.add_error(None, str(refusal))
        status = REFUSED if isinstance(refusal, NoSuchLabel) else CONFLICT
        return again(request, access, room, assignment_id, form, status)
    if offer is None:
        return show_other_answer(request, access, room, assignment_id, form)
    if not receipt.counted:
        messages.info(request, NOT_COUNTED)
    says_more = not receipt.counted
    if receipt.is_new and room.has_rules and is_due(offer):
        offer, is_told = look_at_work(request, access, room, offer)
        says_more = says_more or is_told
    read = instructions if is_read else None
    last_id = None if says_more else assignment_id
    return onward(request, access, room, offer, read, last_id=last_id)


def onward(
    request: HttpRequest,
    access: Access,
    room: Room,
    offer: Offer,
    read: Instructions | None,
    *,
    last_id: int | None,
) -> HttpResponse:
    """Show the next post: at once to a script, by a redirect to a browser that would post again."""
    if request.headers.get("Sec-Fetch-Dest") != "empty":
        return redirect(room.next, access.study.slug)
    if read is None:
        return show_next(request, access, room)
    if offer.assignment is None or last_id is None:
        return show_offer(request, access, room, offer, read)
    page = Page(request, access, room, offer.assignment, read, until=offer.until)
    return page.show_next(last_id)


def look_at_work(
    request: HttpRequest, access: Access, room: Room, offer: Offer
) -> tuple[Offer, bool]:
    """Let the rules look at somebody's work; return what they get next, and whether they are told.

    Who is warned reads a sentence, who is paused gets no post.
    """
    flags = apply_rules(member=access.member)
    warnings = [flag for flag in flags if flag.action == Action.WARN]
    for flag in warnings:
        messages.info(request, kind_words(flag))
    if any(flag.action == Action.PAUSE for flag in flags):
        return next_task(by=access.member, stage=room.stage), True
    return offer, bool(warnings)


def room_assignment(access: Access, room: Room, assignment_id: int) -> Assignment:
    """Return one of the person's own assignments in this room; anybody else's does not exist."""
    try:
        return own_at(access.member, room.stage, assignment_id)
    except NotHeld as refusal:
        raise Http404(str(refusal)) from refusal


def again(
    request: HttpRequest, access: Access, room: Room, number: int, form: VoteForm, status: int
) -> HttpResponse:
    """Show a page with the answer that was not taken; the post stays held."""
    assignment = room_assignment(access, room, number)
    instructions, _has_read = ready_instructions(access.member)
    until = extend_lease(by=access.member, assignment_id=number)
    page = Page(request, access, room, assignment, instructions, until=until, form=form)
    return page.show(status)


def show_other_answer(
    request: HttpRequest, access: Access, room: Room, number: int, form: VoteForm
) -> HttpResponse:
    """Show the vote that stands beside the answer that says something else."""
    form.add_error(None, _("You have voted on this post already, with another answer."))
    assignment = room_assignment(access, room, number)
    instructions, _has_read = ready_instructions(access.member)
    page = Page(
        request, access, room, assignment, instructions, form=form, vote=current_vote(assignment)
    )
    return page.show(CONFLICT)


def correct_answer(
    request: HttpRequest, access: Access, room: Room, assignment_id: int
) -> HttpResponse:
    """Show one's vote on a post; record a correction of it."""
    assignment = room_assignment(access, room, assignment_id)
    vote = current_vote(assignment)
    if vote is None:
        messages.info(request, _("There is no vote of yours on this post to correct."))
        return redirect(room.next, access.study.slug)
    page = Page(request, access, room, assignment, ready_instructions(access.member)[0], vote=vote)
    return take_correction(page) if request.method == "POST" else page.show()


def take_correction(page: Page) -> HttpResponse:
    """Record a correction; a vote that was changed elsewhere is shown first, never overwritten."""
    form = page.form = VoteForm(page.request.POST)
    if not form.is_valid():
        return page.show(REFUSED)
    answer = form.answer(page.instructions.version)
    try:
        correct(
            by=page.access.member,
            assignment_id=page.assignment.pk,
            answer=answer,
            seen_version=form.seen_version(),
        )
    except (VoteRefused, ChangedMeanwhile) as refusal:
        form.add_error(None, str(refusal))
        return page.show(CONFLICT)
    messages.success(page.request, _("Your vote is corrected."))
    return redirect(page.room.next, page.access.study.slug)


def skip_post(request: HttpRequest, access: Access, room: Room, assignment_id: int) -> HttpResponse:
    """Ask why a post is skipped; pass it on."""
    assignment = room_assignment(access, room, assignment_id)
    form = SkipForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        return pass_on(request, access, room, assignment, form.cleaned_data["reason"])
    if assignment.state == AssignmentState.SUBMITTED:
        return redirect(room.next, access.study.slug)
    return ask_why(request, access, room, form, room.url(room.next, access))


def ask_why(
    request: HttpRequest, access: Access, room: Room, form: SkipForm, back: str
) -> HttpResponse:
    """Ask why a post is skipped."""
    context = {
        "access": access,
        "study": access.study,
        "room": room,
        "form": form,
        "reasons": [(code, label) for code, label in SkipReason.choices if code != "harmful"],
        "harmful": SkipReason.HARMFUL,
        "next_url": back,
    }
    status = REFUSED if request.method == "POST" else 200
    return render(request, "crowd/skip.html", context, status=status)


def pass_on(
    request: HttpRequest, access: Access, room: Room, assignment: Assignment, reason: str
) -> HttpResponse:
    """Skip a post and go on."""
    try:
        skip_task(by=access.member, assignment_id=assignment.pk, reason=reason)
    except NotHeld as refusal:
        messages.info(request, str(refusal))
        return redirect(room.next, access.study.slug)
    if reason == SkipReason.HARMFUL:
        sentence = _("Thank you for telling us. It costs you nothing. Take a break if you like.")
        messages.success(request, sentence)
    else:
        messages.info(request, _("Skipped. You will not get that post again."))
    return redirect(room.next, access.study.slug)


def prolong(access: Access, room: Room, assignment_id: int) -> JsonResponse:
    """Prolong the time for which a post is held; say until when."""
    assignment = room_assignment(access, room, assignment_id)
    until = extend_lease(by=access.member, assignment_id=assignment.pk)
    if until is None:
        return JsonResponse({"detail": _("This post is no longer held for you.")}, status=CONFLICT)
    seconds = access.study.protocol.lease_minutes * 60
    return JsonResponse({"until": until.isoformat(), "seconds": seconds})


def list_votes(request: HttpRequest, access: Access, room: Room) -> HttpResponse:
    """List one's own votes, newest first, with a way to correct those that still can be."""
    votes = own_votes(access.member, room.stage)
    page = Paginator(votes, PER_PAGE).get_page(request.GET.get("page"))
    names = label_names(access.study) | {AMBIGUOUS: str(AMBIGUOUS_NAME)}
    rows = [
        (
            vote,
            names.get(vote.label, vote.label),
            room.url(room.correct, access, number)
            if takes_corrections(vote.task, vote.sitting_state)
            else "",
        )
        for vote in page
        if (number := vote.assignment_id)
    ]
    context = {
        "access": access,
        "study": access.study,
        "crumb": _("Your votes"),
        "room": room,
        "page": page,
        "rows": rows,
        "next_url": room.url(room.next, access),
    }
    return render(request, "crowd/votes.html", context)
