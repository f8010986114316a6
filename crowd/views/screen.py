"""One labelling page: the post, the answers, the guideline, and how far the person is.

Nothing on it says what others answered, nor whether a post is gold.
"""

from dataclasses import dataclass
from datetime import datetime
from functools import cache, cached_property
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import get_template
from django.utils.translation import gettext as _

from annotation.access import Access
from annotation.markdown import render_markdown
from annotation.models import Assignment, Member, Sitting, Vote
from annotation.queries.metadata import metadata_in_words
from crowd.forms import VoteForm
from crowd.models import Instructions, Label
from crowd.queries.labels import Choice, choices_of
from crowd.queries.work import (
    label_set_of,
    labels_of_batch,
    last_vote,
    takes_corrections,
    tasks_ahead,
)
from crowd.views.rooms import Room


@cache
def next_post_template() -> Any:
    """Return the template of what changes with the next post."""
    return get_template("crowd/next_post.html")


FEWEST_FOR_PACE = 5


@dataclass(frozen=True)
class Way:
    """How far somebody is: `done` of `total` posts; `earned` in this sitting where it is paid."""

    done: int
    total: int
    earned: str = ""
    seconds_each: float | None = None

    @property
    def heading(self) -> str:
        """Return the heading of a post: which one it is."""
        words = {"number": f"{self.done + 1:,}", "total": f"{self.total:,}"}
        return _("Post %(number)s of %(total)s") % words

    def in_words(self) -> str:
        """Return how many posts are done and left, how long they take, and what was earned."""
        words = {"done": f"{self.done:,}", "left": f"{self.total - self.done:,}"}
        sentence = _("%(done)s done, %(left)s left")
        if self.seconds_each:
            minutes = max(1, round(self.seconds_each * (self.total - self.done) / 60))
            words["minutes"] = f"{minutes:,}"
            sentence = _("%(done)s done, %(left)s left, about %(minutes)s min")
        said = sentence % words
        return f"{said} · {self.earned}" if self.earned else said


def way_of_sitting(sitting: Sitting) -> Way:
    """Return how far a sitting is."""
    earned = ""
    if sitting.reward:
        money = f"{sitting.votes * sitting.reward:.2f} {sitting.currency}"
        earned = _("%s earned in this sitting") % money
    enough = sitting.votes >= FEWEST_FOR_PACE
    seconds_each = sitting.active_seconds / sitting.votes if enough else None
    return Way(sitting.votes, sitting.size, earned, seconds_each)


def way_of_batches(member: Member, stage: str) -> Way:
    """Return how far somebody is in the open batches of a stage without sittings."""
    ahead = tasks_ahead(member, stage)
    return Way(ahead.done, ahead.done + 1 + ahead.posts)


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
    def labels(self) -> list[Label]:
        """Return the labels of the post's batch."""
        return labels_of_batch(self.assignment.task.batch_id)

    @cached_property
    def choices(self) -> list[Choice]:
        """Return the answers."""
        return choices_of(self.room.stage, self.labels)

    def show(self, status: int = 200) -> HttpResponse:
        """Render the page."""
        context = self.words() | self.post_addresses() | self.addresses()
        context |= self.progress() | self.last()
        template = "crowd/correct.html" if self.vote else "crowd/label.html"
        return render(self.request, template, context, status=status)

    @property
    def kept(self) -> str:
        """Return what choices and guideline hang on: a page that has these keeps them.

        Not the batch, which would tell checks apart.
        """
        return f"{label_set_of(self.assignment.task.batch_id)}:{self.instructions.pk}"

    def show_next(self, last_id: int) -> HttpResponse:
        """Render what the next post changes, for a page that shows one with the same answers."""
        if self.request.headers.get("X-Kept") != self.kept:
            return self.show()
        post = self.assignment.task.post
        context = self.post_addresses() | self.progress()
        context |= {
            "study": self.access.study,
            "user_id": self.access.user.pk,
            "assignment_id": self.assignment.pk,
            "last_id": last_id,
            "last_url": self.room.url(self.room.correct, self.access, last_id),
            "post": post,
            "metadata": metadata_in_words(post, self.instructions.shown_metadata),
            "until": self.until.isoformat() if self.until else "",
        }
        return HttpResponse(next_post_template().render(context))

    def words(self) -> dict[str, Any]:
        """Return what is read and chosen on the page."""
        chosen = self.form.data.get("label", "") if self.form else ""
        return {
            "access": self.access,
            "study": self.access.study,
            "room": self.room,
            "assignment": self.assignment,
            "post": self.assignment.task.post,
            "metadata": metadata_in_words(
                self.assignment.task.post, self.instructions.shown_metadata
            ),
            "question": self.labels[0].label_set.question if self.labels else "",
            "choices": self.choices,
            "chosen": chosen or (self.vote.label if self.vote else ""),
            "form": self.form,
            "vote": self.vote,
            "draft_key": self.draft_key(),
            "is_closed": not self.takes_corrections(),
            "kept": self.kept,
            "guide": render_markdown(self.instructions.markdown),
            "guide_version": self.instructions.version,
            "until": self.until if self.room.extend else None,
            "lease_seconds": self.access.study.protocol.lease_minutes * 60,
        }

    def draft_key(self) -> str:
        """Return under which name a device keeps what was not sent yet; "" for not at all."""
        return f"{self.access.user.pk}:{self.assignment.pk}"

    def takes_corrections(self) -> bool:
        """Say whether the vote on this post can still be changed."""
        sitting = self.assignment.sitting
        return takes_corrections(self.assignment.task, sitting.state if sitting else None)

    def way(self) -> Way:
        """Return how far the person is."""
        sitting = self.assignment.sitting
        if sitting is None:
            return way_of_batches(self.access.member, self.room.stage)
        return way_of_sitting(sitting)

    def post_addresses(self) -> dict[str, Any]:
        """Return where the controls of this post lead."""
        room, access, number = self.room, self.access, self.assignment.pk
        return {
            "submit_url": room.url(room.correct if self.vote else room.submit, access, number),
            "skip_url": room.url(room.skip, access, number),
            "extend_url": room.url(room.extend, access, number) if room.extend else "",
        }

    def addresses(self) -> dict[str, Any]:
        """Return where the other controls lead."""
        room, access = self.room, self.access
        return {
            "leave_url": room.url(room.leave, access) if room.leave else "",
            "next_url": room.url(room.next, access),
            "votes_url": room.url(room.votes, access),
        }

    def progress(self) -> dict[str, Any]:
        """Return how far the person is, what they earned, and how long the rest takes."""
        way = self.way()
        return {
            "heading": _("Your vote on this post") if self.vote else way.heading,
            "done": way.done,
            "total": way.total,
            "progress_text": way.in_words(),
        }

    def last(self) -> dict[str, Any]:
        """Return the person's newest vote, and where it is corrected."""
        last = last_vote(self.access.member, self.room.stage)
        if last is None:
            return {"last": None, "last_url": ""}
        url = self.room.url(self.room.correct, self.access, last.assignment_id)
        return {"last": last, "last_url": url}
