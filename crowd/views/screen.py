"""One labelling page: the post, the answers, the guideline, and how far the person is.

Nothing on it says what others answered, nor whether a post is gold.
"""

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from annotation.access import Access
from annotation.markdown import render_markdown
from annotation.models import Assignment, BatchState, Post, Vote
from crowd.forms import VoteForm
from crowd.models import Instructions
from crowd.queries.work import (
    Ahead,
    Pace,
    newest_instructions,
    pace_of,
    posts_ahead,
    votes_today,
)
from crowd.services.defaults import current_instructions
from crowd.views.rooms import Choice, Room, choices_of


def ready_instructions(access: Access) -> tuple[Instructions, bool]:
    """Return the newest instructions, and whether this person has read them."""
    found = newest_instructions(access.study, access.member)
    if found is None:
        return current_instructions(access.study), False
    return found, found.is_read  # type: ignore[attr-defined]


@dataclass
class Page:
    """One labelling page: a post that is to be answered, or (with `vote`) to be corrected."""

    request: HttpRequest
    access: Access
    room: Room
    assignment: Assignment
    instructions: Instructions
    until: datetime | None = None
    form: VoteForm | None = None
    vote: Vote | None = None

    @cached_property
    def choices(self) -> list[Choice]:
        """Return the answers."""
        return choices_of(self.room, self.assignment.task.batch_id)

    def read_form(self) -> VoteForm:
        """Return the form as it was sent."""
        labels = [(choice.code, choice.name) for choice in self.choices]
        self.form = VoteForm(self.request.POST, labels=labels)
        return self.form

    def show(self, status: int = 200) -> HttpResponse:
        """Render the page."""
        context = self.words() | self.addresses() | self.progress()
        template = "crowd/correct.html" if self.vote else "crowd/label.html"
        return render(self.request, template, context, status=status)

    def words(self) -> dict[str, Any]:
        """Return what is read and chosen on the page."""
        chosen = self.form.data.get("label", "") if self.form else ""
        return {
            "access": self.access,
            "study": self.access.study,
            "room": self.room,
            "assignment": self.assignment,
            "post": self.assignment.task.post,
            "metadata": shown_metadata(self.assignment.task.post, self.instructions),
            "choices": self.choices,
            "chosen": chosen or (self.vote.label if self.vote else ""),
            "form": self.form,
            "vote": self.vote,
            "is_closed": self.assignment.task.batch.state == BatchState.CLOSED,
            "guide": render_markdown(self.instructions.markdown),
            "guide_version": self.instructions.version,
            "until": self.until,
            "lease_seconds": self.access.study.protocol.lease_minutes * 60,
        }

    def addresses(self) -> dict[str, Any]:
        """Return where the page's controls lead."""
        room, access, number = self.room, self.access, self.assignment.pk
        return {
            "submit_url": room.url(room.correct if self.vote else room.submit, access, number),
            "skip_url": room.url(room.skip, access, number),
            "extend_url": room.url(room.extend, access, number) if room.extend else "",
            "next_url": room.url(room.next, access),
            "votes_url": room.url(room.votes, access),
        }

    def progress(self) -> dict[str, Any]:
        """Return how far the person is: today's posts, those that wait, and the time they take."""
        member, stage = self.access.member, self.room.stage
        pace, ahead = pace_of(member, stage), posts_ahead(member, stage)
        done = votes_today(member, stage)
        return {
            "heading": _("Your vote on this post") if self.vote else heading(done, ahead),
            "done": done,
            "total": done + 1 + ahead.posts,
            "progress_text": progress_text(done, ahead, pace),
            "last": pace.last,
            "last_url": self.room.url(self.room.correct, self.access, pace.last.assignment_id)
            if pace.last
            else "",
        }


def heading(done: int, ahead: Ahead) -> str:
    """Return the heading of a post: which of today's it is."""
    words = {"number": done + 1, "total": done + 1 + ahead.posts}
    return (_("Post %(number)s") if ahead.is_more else _("Post %(number)s of %(total)s")) % words


def progress_text(done: int, ahead: Ahead, pace: Pace) -> str:
    """Return how many posts are done today, how many are left, and about how long they take."""
    left = ahead.posts + 1
    words = {"done": done, "left": left}
    sentence = _("%(done)s today, %(left)s left")
    if ahead.is_more:
        sentence = _("%(done)s today, more than %(left)s left")
    elif pace.seconds is not None:
        words["minutes"] = max(1, round(pace.seconds * left / 60))
        sentence = _("%(done)s today, %(left)s left, about %(minutes)s min")
    return sentence % words


def shown_metadata(post: Post, instructions: Instructions) -> list[tuple[str, str]]:
    """Return what the researchers chose to show beside a post; a time in the reader's zone."""
    values = ((name, post.metadata.get(name)) for name in instructions.shown_metadata)
    return [
        (name.replace("_", " "), in_words(value))
        for name, value in values
        if value not in (None, "")
    ]


def in_words(value: object) -> str:
    """Return a value as text, a point in time as a date."""
    text = str(value)
    try:
        moment = parse_datetime(text)
    except ValueError:
        return text
    if moment is None:
        return text
    shown = timezone.localtime(moment) if timezone.is_aware(moment) else moment
    return date_format(shown, "j F Y, H:i")
