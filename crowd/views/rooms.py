"""The rooms with the same labelling screen: the crowd's work, the gold pool, and the pilot."""

from dataclasses import dataclass

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from annotation.access import Access
from annotation.models import StageCode


@dataclass(frozen=True)
class Room:
    """Where one stage is worked at: its word on the band, and the names of its addresses."""

    stage: str
    word: str | Promise
    next: str
    submit: str
    skip: str
    votes: str
    correct: str
    extend: str = ""
    leave: str = ""
    reads_first: bool = False
    has_rules: bool = False

    def url(self, name: str, access: Access, *more: int) -> str:
        """Return one of the room's addresses in a study."""
        return reverse(name, args=[access.study.slug, *more])


CROWD = Room(
    stage=StageCode.CROWD,
    word=gettext_lazy("Work"),
    next="work",
    submit="work_submit",
    skip="work_skip",
    votes="work_votes",
    correct="work_correct",
    extend="work_extend",
    leave="work_leave",
    reads_first=True,
    has_rules=True,
)
GOLD = Room(
    stage=StageCode.GOLD,
    word=gettext_lazy("Labelled by researchers"),
    next="gold_work",
    submit="gold_submit",
    skip="gold_skip",
    votes="gold_votes",
    correct="gold_correct",
)
PILOT = Room(
    stage=StageCode.CROWD,
    word=gettext_lazy("Pilot: nothing is stored"),
    next="crowd_pilot_post",
    submit="crowd_pilot_post",
    skip="crowd_pilot_skip",
    votes="crowd_batch",
    correct="crowd_pilot_post",
    leave="crowd_batch",
)
