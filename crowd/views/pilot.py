"""A study as an annotator sees it: the labelling screen over a batch's posts. It writes nothing."""

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from annotation.access import Access, Permission, of_study, study_view
from annotation.models import Assignment, Batch, BatchState, Origin, StageCode, Task
from annotation.services.votes import unknown_label
from crowd.forms import SkipForm, VoteForm
from crowd.services.instructions import ready_instructions
from crowd.views.labelling import REFUSED, ask_why, start_words
from crowd.views.rooms import PILOT
from crowd.views.screen import Page, Way


@dataclass
class PilotPage(Page):
    """The labelling page over a post that nobody holds."""

    def draft_key(self) -> str:
        """Keep nothing on the device either."""
        return ""

    def way(self) -> Way:
        """Return which post of the batch it is."""
        task = self.assignment.task
        return Way(task.position - 1, Task.objects.filter(batch=task.batch).count())

    def post_addresses(self) -> dict[str, Any]:
        """Return where the controls of this post lead, all of them in the pilot."""
        task = self.assignment.task
        at = (task.batch.number, task.position)
        return {
            "submit_url": PILOT.url(PILOT.submit, self.access, *at),
            "skip_url": PILOT.url(PILOT.skip, self.access, *at),
            "next_url": PILOT.url(PILOT.next, self.access, *at),
        }

    def addresses(self) -> dict[str, Any]:
        """Return where a pilot ends."""
        batch = self.assignment.task.batch
        return {"leave_url": PILOT.url(PILOT.leave, self.access, batch.number)}

    def progress(self) -> dict[str, Any]:
        """Return which post it is; nobody earns anything."""
        way = self.way()
        words = {"number": way.done + 1, "total": way.total}
        text = _("%(number)s of %(total)s; nothing is stored") % words
        return {
            "heading": way.heading,
            "done": way.done,
            "total": way.total,
            "progress_text": text,
        }

    def last(self) -> dict[str, Any]:
        """Return no vote: there is none."""
        return {"last": None, "last_url": ""}


def pilot_batch(access: Access, number: int) -> Batch:
    """Return a batch that can be looked at: one of the study's own that is not closed."""
    batches = Batch.objects.filter(stage=StageCode.CROWD, origin=Origin.HERE)
    return of_study(batches.exclude(state=BatchState.CLOSED), access, number=number)


def pilot_task(access: Access, number: int, position: int) -> Task:
    """Return a post of such a batch by its place in it."""
    tasks = Task.objects.select_related("post", "batch")
    return get_object_or_404(tasks, batch=pilot_batch(access, number), position=position)


@require_safe
@study_view(Permission.SEE_RESULTS)
def crowd_pilot(request: HttpRequest, access: Access, number: int) -> HttpResponse:
    """Show what an annotator reads before the first post."""
    batch = pilot_batch(access, number)
    context = start_words(access, PILOT, ready_instructions(access.member)[0])
    context["first_url"] = PILOT.url(PILOT.next, access, batch.number, 1)
    return render(request, "crowd/start.html", context)


@study_view(Permission.SEE_RESULTS)
def crowd_pilot_post(
    request: HttpRequest, access: Access, number: int, position: int
) -> HttpResponse:
    """Show a post; say what an answer would have been, and go on."""
    task = pilot_task(access, number, position)
    seen = Assignment(task=task, member=access.member)
    page = PilotPage(request, access, PILOT, seen, ready_instructions(access.member)[0])
    if request.method != "POST":
        return page.show()
    names = {choice.code: choice.name for choice in page.choices}
    form = page.form = VoteForm(request.POST)
    label = form.cleaned_data["label"] if form.is_valid() else ""
    if label and label not in names:
        form.add_error("label", unknown_label(label))
    if not form.is_valid():
        return page.show(REFUSED)
    messages.info(request, _("You chose “%s”. Nothing is stored.") % names[label])
    return go_on(request, access, task)


@study_view(Permission.SEE_RESULTS)
def crowd_pilot_skip(
    request: HttpRequest, access: Access, number: int, position: int
) -> HttpResponse:
    """Ask why a post is skipped, and go on."""
    task = pilot_task(access, number, position)
    form = SkipForm(request.POST or None)
    if request.method != "POST" or not form.is_valid():
        back = PILOT.url(PILOT.next, access, number, position)
        return ask_why(request, access, PILOT, form, back)
    messages.info(request, _("In the real work the post would go to somebody else."))
    return go_on(request, access, task)


def go_on(request: HttpRequest, access: Access, task: Task) -> HttpResponse:
    """Go to the next post of the batch; after the last one, back to the batch."""
    following = Task.objects.filter(batch=task.batch, position__gt=task.position)
    position = following.order_by("position").values_list("position", flat=True).first()
    if position is None:
        messages.info(request, _("That was the last post of the batch."))
        return redirect(PILOT.votes, access.study.slug, task.batch.number)
    return redirect(PILOT.next, access.study.slug, task.batch.number, position)
