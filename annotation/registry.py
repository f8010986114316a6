"""The registries through which higher floors are composed: stages, kinds of jobs, and chores."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.utils.functional import Promise

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


@dataclass(frozen=True)
class Stage:
    """A room on the way of a post. `pages` are its items in the study's navigation.

    `copy` takes a stage's set-up over into the clone of a study: never its posts or people.
    `work` says where a member works, `record` where they find what they did and earned, and `news`
    what stands before it, by member's id; who is left out is told whether posts are handed out.
    `earned` says by member's id what is pending, approved and rejected of it. `agreement_by` names
    the parts in which its agreement is told beside those of every stage; each function gets the
    study and the rounds (annotation/queries/breakdowns.py).
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


@dataclass(frozen=True)
class JobKind:
    """A kind of long work. `run` gets the job and a report, and returns plain results.

    A job that is to be done in parts returns these first, and is run again when they are done.
    """

    code: str
    title: Text
    run: Callable[[Job, Report], dict[str, Any] | Parts]
    url: Callable[[Job], str]


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
