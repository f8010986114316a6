"""The registries through which higher floors are composed: stages, kinds of jobs, and chores."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.db.models import Model, Q, TextChoices
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from annotation.models import ImportFile, Job, Member, Study, User
from infra.jobs import Parts, Report

Text = str | Promise


@dataclass(frozen=True)
class Link:
    """Where to go next, in words."""

    title: Text
    url: str


@dataclass(frozen=True)
class Count:
    """One bar of the funnel: `value` of `total` (None: no bar)."""

    title: Text
    value: int
    total: int | None = None
    url: str = ""


@dataclass(frozen=True)
class StageReport:
    """How a stage stands in a study."""

    counts: tuple[Count, ...]
    url: str
    blocked: Text = ""
    next_step: Link | None = None


def _unchanged(_study: Study, found: Iterator[Any]) -> Iterator[Any]:
    """Take every reading."""
    return found


@dataclass(frozen=True)
class ImportOption:
    """What an importer must be told besides columns, as text; `parse` makes the option of it."""

    name: str
    label: Text
    help: Text
    parse: Callable[[str], Any] = str


@dataclass(frozen=True)
class Importer:
    """A kind of file that a stage takes.

    `wanted` maps each field that a row may have to whether it is required. `reader` makes, for one
    file, the function that turns a row into a reading or a problem; `sample` shows a reading.
    `load` is the kind of the job that imports the file. `against` turns readings that the study
    cannot take into problems, block by block.
    """

    code: str
    title: Text
    help: Text
    wanted: dict[str, bool]
    reader: Callable[[ImportFile], Callable[..., Any]]
    sample: Callable[[Any], dict[str, Any]]
    load: str
    options: tuple[ImportOption, ...] = ()
    against: Callable[[Study, Iterator[Any]], Iterator[Any]] = _unchanged


@dataclass(frozen=True)
class Page:
    """An item of a study's navigation: the name of an address, and the permission that opens it.

    `colour` is a stage's code in the style sheets. A stage's items stand in the order of `place`.
    Who has the permission `unless` finds the page elsewhere, and their navigation stays short.
    """

    title: Text
    url_name: str
    permission: str
    place: int
    colour: str = ""
    unless: str = ""


def _nothing_to_copy(_source: Study, _target: Study, _by: User) -> None:
    """Take nothing over into a clone."""


@dataclass(frozen=True)
class News:
    """What a member should know before they go to work, and whether something waits for them."""

    text: Text
    waits: bool = False


def _no_news(_members: Sequence[Member]) -> dict[int, News]:
    """Leave it at whether a batch hands out posts."""
    return {}


@dataclass(frozen=True)
class Earned:
    """What somebody's work comes to in one currency: not decided on yet, approved, rejected."""

    currency: str
    pending: Decimal
    approved: Decimal
    rejected: Decimal


def _nothing_earned(_members: Iterable[Member]) -> dict[int, list[Earned]]:
    """Pay nobody."""
    return {}


class ActKind(TextChoices):
    """What an act is about, for whoever looks for one."""

    SETTINGS = "settings", _("Settings")
    PEOPLE = "people", _("People and rights")
    BATCHES = "batches", _("Posts and batches")
    WORDING = "wording", _("Instructions and labels")
    QUALITY = "quality", _("Quality")
    PAY = "pay", _("Pay")
    FILTER = "filter", _("Filter")
    LEGAL = "legal", _("Catalogue and library")
    RELEASES = "releases", _("Releases")


def _no_name(_row: Any) -> Text:
    """Call a thing by its title alone."""
    return ""


def _no_page(_study: Study, _row: Any) -> str:
    """Link to nothing."""
    return ""


MADE = _("made")


@dataclass(frozen=True)
class Acts:
    """A table whose rows are acts of people: a model's history, or rows that are never changed.

    A tracked model stands for its history, unless its rows are acts themselves (`as_rows`).
    `study` is the way to the study, `where` says which rows count, `by` who did it (a history tells
    that by its context). `done` is what a row says that is no history. Of a history the fields that
    changed are told with their values, but those in `hidden` only as changed, and those in
    `unsaid` not at all; of other rows `facts` are told. A field in `parts` holds texts by code and
    is told by those that changed, each under the name that stands there. Whoever lacks the
    permission `needs` sees none of them; the others find `url` if they have `link_needs`, too.
    """

    model: type[Model]
    kind: str
    title: Text
    as_rows: bool = False
    study: str = "study"
    where: Q = field(default_factory=Q)
    by: str = "created_by"
    at: str = "created_at"
    done: Text = MADE
    facts: tuple[str, ...] = ()
    hidden: frozenset[str] = frozenset()
    unsaid: frozenset[str] = frozenset()
    parts: Mapping[str, Mapping[str, Text]] = field(default_factory=dict)
    related: tuple[str, ...] = ()
    named: Callable[[Any], Text] = _no_name
    url: Callable[[Study, Any], str] = _no_page
    needs: str = "see_results"
    link_needs: str = "see_results"

    @property
    def is_history(self) -> bool:
        """Say whether the rows are versions of the model's."""
        return not self.as_rows and hasattr(self.model, "pgh_event_model")

    @property
    def table(self) -> type[Model]:
        """Return the model whose rows are read."""
        return getattr(self.model, "pgh_event_model", self.model) if self.is_history else self.model

    @property
    def code(self) -> str:
        """Return what tells these acts from others."""
        return self.model._meta.label_lower  # noqa: SLF001 -- Django's documented interface


@dataclass(frozen=True)
class Stage:
    """A room on the way of a post. `pages` are its items in the study's navigation.

    `copy` takes a stage's set-up over into the clone of a study: never its posts or people.
    `work` says where a member works, `record` where they find what they did and earned, and `news`
    what stands before it, by member's id; who is left out is told whether posts are handed out.
    `earned` says by member's id what is pending, approved and rejected of it. `agreement_by` names
    the parts in which its agreement is told beside those of every stage; each function gets the
    study and the rounds (annotation/queries/breakdowns.py). `acts` are what its people do, for the
    study's activity.
    """

    code: str
    order: int
    title: Text
    describe: Callable[[Study], StageReport]
    work: Callable[[Member], Link | None] = field(default=lambda _member: None)
    copy: Callable[[Study, Study, User], None] = _nothing_to_copy
    record: Callable[[Member], Link | None] = field(default=lambda _member: None)
    news: Callable[[Sequence[Member]], dict[int, News]] = _no_news
    earned: Callable[[Iterable[Member]], dict[int, list[Earned]]] = field(default=_nothing_earned)
    importers: tuple[Importer, ...] = ()
    pages: tuple[Page, ...] = ()
    agreement_by: Mapping[str, Callable[[Study, Any], Sequence[Any]]] = field(default_factory=dict)
    acts: tuple[Acts, ...] = ()


def _anybody_may_retry(_job: Job, _by: User | None) -> None:
    """Let whoever may see to jobs have this one tried again."""


@dataclass(frozen=True)
class JobKind:
    """A kind of long work. `run` gets the job and a report, and returns plain results.

    A job that is to be done in parts returns these first, and is run again when they are done.
    `check_retry` raises JobRefused where a job must not be tried again, or not by this person.
    """

    code: str
    title: Text
    run: Callable[[Job, Report], dict[str, Any] | Parts]
    url: Callable[[Job], str]
    check_retry: Callable[[Job, User | None], None] = _anybody_may_retry


@dataclass(frozen=True)
class Chore:
    """Something small that is due from time to time, and that no page may have to wait for.

    A loop of each worker sees to it; `run` must be safe when several do so at once.
    """

    code: str
    run: Callable[[], object]
    every_seconds: float


_stages: dict[str, Stage] = {}
_kinds: dict[str, JobKind] = {}
_chores: dict[str, Chore] = {}


def register_stage(stage: Stage) -> None:
    """Add a stage; called once by its app when Django starts."""
    _stages[stage.code] = stage


def stages() -> list[Stage]:
    """Return all stages in the order in which a post passes them."""
    return sorted(_stages.values(), key=lambda stage: stage.order)


def acts() -> list[Acts]:
    """Return every table whose rows are acts."""
    return [found for stage in stages() for found in stage.acts]


def importers() -> Iterable[Importer]:
    """Return every kind of file that some stage takes."""
    return (importer for stage in stages() for importer in stage.importers)


def importer(code: str) -> Importer:
    """Return one importer; KeyError when no stage has it."""
    return {known.code: known for known in importers()}[code]


def register_job(kind: JobKind) -> None:
    """Add a kind of job; called once by its app when Django starts."""
    _kinds[kind.code] = kind


def job_kind(code: str) -> JobKind:
    """Return one kind of job; KeyError when no app has it."""
    return _kinds[code]


def register_chore(chore: Chore) -> None:
    """Add a chore; called once by its app when Django starts."""
    _chores[chore.code] = chore


def chores() -> list[Chore]:
    """Return all chores."""
    return list(_chores.values())
