"""Who did what in a study, and when: history tables and append-only rows, newest first.

A page is one statement: each table gives its newest rows that fit, by its own order, and the newest
of all are taken. Then each table that is on the page is read once, and once more for old values.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from typing import Any

from django.db.models import CharField, F, Field, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.fields.related import ForeignKey
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.formats import date_format
from django.utils.text import Truncator, capfirst
from django.utils.translation import gettext as _

from annotation.models import Member, Role, Study, User
from annotation.registry import Acts, Text, acts

PER_PAGE = 50
LONGEST_VALUE, LONGEST_NAME = 300, 100
SECRETS = ("secret", "token", "salt", "password", "digest", "completion_code")
RESEARCH = (Role.OWNER, Role.RESEARCHER)
HISTORY_AT = "pgh_created_at"


class NoSuchPlace(ValueError):
    """A place in the list that is none."""


@dataclass(frozen=True, order=True)
class Place:
    """Where a row stands in the list; the next page goes on below it."""

    at: datetime
    code: str
    pk: int

    def __str__(self) -> str:
        return f"{self.at.isoformat()}~{self.code}~{self.pk}"

    @classmethod
    def parse(cls, text: str) -> "Place":
        """Read a place; raise NoSuchPlace for anything else."""
        at, code, number, *more = (*text.split("~"), "", "")[:4]
        try:
            moment = parse_datetime(at)
        except ValueError:
            moment = None
        if moment is None or timezone.is_naive(moment) or not number.isdecimal() or any(more):
            raise NoSuchPlace
        if len(number) > 18:
            raise NoSuchPlace
        return cls(moment, code, int(number))


@dataclass(frozen=True)
class Asked:
    """What somebody wants to see: by whom, about what, between which days (both included)."""

    person: User | None = None
    kind: str = ""
    since: date | None = None
    until: date | None = None


@dataclass(frozen=True)
class Change:
    """One field; `old` is None where nobody knows, both are None where they are not told."""

    label: str
    old: str | None = None
    new: str | None = None


@dataclass(frozen=True)
class Act:
    """Something that somebody did."""

    place: Place
    who: str
    kind: str
    title: Text
    name: str
    done: Text
    changes: Sequence[Change] = field(default_factory=tuple)
    action: str = ""
    url: str = ""

    @property
    def at(self) -> datetime:
        """Return when."""
        return self.place.at


def sources_for(permissions: Collection[str], kind: str = "") -> list[Acts]:
    """Return the tables that somebody may see, of one kind if one is given."""
    return [one for one in acts() if one.needs in permissions and kind in ("", one.kind)]


def activity(
    study: Study,
    permissions: Collection[str],
    asked: Asked,
    *,
    below: Place | None = None,
    size: int = PER_PAGE,
) -> tuple[list[Act], Place | None]:
    """Return the acts below a place, newest first, and where the next ones begin."""
    sources = sources_for(permissions, asked.kind)
    places = newest_places(study, sources, asked, below, size + 1)
    shown = places[:size]
    found = acts_at(study, permissions, {one.code: one for one in sources}, shown)
    return found, shown[-1] if len(places) > size else None


def all_activity(study: Study, permissions: Collection[str], asked: Asked) -> Iterator[Act]:
    """Yield all acts, read in blocks."""
    below: Place | None = None
    while True:
        found, below = activity(study, permissions, asked, below=below, size=500)
        yield from found
        if below is None:
            return


def newest_places(
    study: Study, sources: list[Acts], asked: Asked, below: Place | None, most: int
) -> list[Place]:
    """Return where the newest rows of all tables stand, in one statement."""
    parts = [rows_of(one, study, asked, below)[:most] for one in sources]
    if len(parts) < 2:
        return [Place(*row) for part in parts for row in part]
    rows = parts[0].union(*parts[1:], all=True).order_by("-act_at", "-act_code", "-act_pk")[:most]
    return [Place(*row) for row in rows]


def rows_of(source: Acts, study: Study, asked: Asked, below: Place | None) -> QuerySet[Any, Any]:
    """Return the places of one table's rows, newest first."""
    at = HISTORY_AT if source.is_history else source.at
    rows: QuerySet[Any, Any] = managed(source).filter(source.where, **{source.study: study})
    if asked.person:
        by = "pgh_context__metadata__user" if source.is_history else source.by
        rows = rows.filter(**{by: asked.person.pk})
    if asked.since:
        rows = rows.filter(**{f"{at}__gte": midnight(asked.since)})
    if asked.until:
        rows = rows.filter(**{f"{at}__lt": midnight(asked.until + timedelta(days=1))})
    if below:
        rows = rows.filter(after(below, source.code, at))
    code = Value(source.code, output_field=CharField())
    named = rows.order_by(f"-{at}", "-pk").annotate(act_at=F(at), act_code=code, act_pk=F("pk"))
    found: QuerySet[Any, Any] = named.values_list("act_at", "act_code", "act_pk")
    return found


def managed(source: Acts) -> Any:
    """Return the manager of the rows that are read."""
    return source.table._default_manager  # noqa: SLF001 -- Django's documented interface


def midnight(day: date) -> datetime:
    """Return when a day begins for whoever looks."""
    return timezone.make_aware(datetime.combine(day, time.min))


def after(place: Place, code: str, at: str) -> Q:
    """Return which rows of a table come after a place in the list."""
    earlier, same = Q(**{f"{at}__lt": place.at}), Q(**{at: place.at})
    if code > place.code:
        return earlier
    return earlier | same & (Q() if code < place.code else Q(pk__lt=place.pk))


def acts_at(
    study: Study, permissions: Collection[str], sources: dict[str, Acts], places: list[Place]
) -> list[Act]:
    """Return what happened at some places, in their order."""
    numbers: dict[str, list[int]] = {}
    for place in places:
        numbers.setdefault(place.code, []).append(place.pk)
    rows = {code: read_rows(sources[code], found) for code, found in numbers.items()}
    old = {code: read_old(sources[code], rows[code]) for code in numbers}
    people = people_of(study, rows, sources)
    return [
        act_of(study, permissions, sources[place.code], place, rows[place.code], old, people)
        for place in places
    ]


def read_rows(source: Acts, numbers: list[int]) -> dict[int, Any]:
    """Return rows of a table by their key."""
    rows = managed(source).filter(pk__in=numbers)
    if not source.is_history:
        rows = rows.select_related(*source.related) if source.related else rows
        return {row.pk: row for row in rows.annotate(act_by=F(source.by))}
    rows = rows.select_related("pgh_context", *source.related)
    newer = managed(source).filter(pgh_obj=OuterRef("pgh_obj"), pk__lt=OuterRef("pk"))
    before = Subquery(newer.order_by("-pk").values("pk")[:1])
    return {row.pk: row for row in rows.annotate(act_before=before)}


def read_old(source: Acts, rows: dict[int, Any]) -> dict[int, Any]:
    """Return the versions that came before some versions, by their key."""
    if not source.is_history:
        return {}
    numbers = {row.act_before for row in rows.values() if row.act_before}
    return managed(source).in_bulk(numbers) if numbers else {}


def user_of(source: Acts, row: Any) -> int | None:
    """Return the account that did something; None where it was nobody's."""
    if not source.is_history:
        return row.act_by or None
    return row.pgh_context.metadata.get("user") if row.pgh_context else None


def people_of(
    study: Study, rows: dict[str, dict[int, Any]], sources: dict[str, Acts]
) -> dict[int, str]:
    """Return how the people on a page are called: researchers by name, all others by pseudonym."""
    wanted = {user_of(sources[code], row) for code, some in rows.items() for row in some.values()}
    users = User.objects.in_bulk([number for number in wanted if number])
    members = Member.objects.filter(study=study, user__in=users)
    pseudonyms = {
        member.user_id: member.pseudonym for member in members if member.role not in RESEARCH
    }
    return {number: pseudonyms.get(number, user.get_full_name()) for number, user in users.items()}


def who(source: Acts, row: Any, people: dict[int, str]) -> str:
    """Return who did something, in words."""
    number = user_of(source, row)
    if number in people:
        return people[number]
    if source.is_history and not row.pgh_context:
        return _("By a command or the database")
    return _("By a command or the site itself")


def act_of(
    study: Study,
    permissions: Collection[str],
    source: Acts,
    place: Place,
    rows: dict[int, Any],
    old: dict[str, dict[int, Any]],
    people: dict[int, str],
) -> Act:
    """Return one row as an act."""
    row = rows[place.pk]
    before = old[place.code].get(getattr(row, "act_before", None) or 0)
    context = getattr(row, "pgh_context", None)
    return Act(
        place=place,
        who=who(source, row, people),
        kind=source.kind,
        title=source.title,
        name=Truncator(str(source.named(row))).chars(LONGEST_NAME),
        done=done(source, row),
        changes=tuple(changes_of(source, row, before)),
        action=context.metadata.get("action", "") if context else "",
        url=source.url(study, row) if source.link_needs in permissions else "",
    )


def done(source: Acts, row: Any) -> Text:
    """Return what was done, in a word."""
    if not source.is_history:
        return source.done
    words: dict[str, Text] = {
        "insert": _("made"),
        "update": _("changed"),
        "delete": _("taken away"),
    }
    return words[row.pgh_label]


def changes_of(source: Acts, row: Any, before: Any) -> Iterator[Change]:
    """Yield the facts of a row that is new, or each field that changed, with both values."""
    is_change = source.is_history and row.pgh_label == "update"
    for one in told_fields(source, row):
        label = str(capfirst(one.verbose_name))
        new = getattr(row, one.attname)
        if one.name in source.parts:
            yield from parts_changed(source.parts[one.name], getattr(before, one.attname, {}), new)
        elif not is_change:
            if one.name in source.facts:
                yield Change(label, None, words_for(one, new))
        elif before is None or getattr(before, one.attname) != new:
            if is_secret(source, one):
                yield Change(label)
            else:
                known = words_for(one, getattr(before, one.attname)) if before else None
                yield Change(label, known, words_for(one, new))


def parts_changed(
    names: Mapping[str, Text], old: Mapping[str, str], new: Mapping[str, str]
) -> Iterator[Change]:
    """Yield each part of a field that changed, by its name, with the beginnings of both texts."""
    for code, name in names.items():
        texts = [texts.get(code, "") for texts in (old, new)]
        if texts[0] != texts[1]:
            known, told = (Truncator(text).chars(LONGEST_VALUE) or _("empty") for text in texts)
            yield Change(str(name), known, told)


def told_fields(source: Acts, row: Any) -> "list[Field[Any, Any]]":
    """Return the fields that may be told: no keys, and nothing that is to stay unsaid."""
    there = {one.name for one in row._meta.concrete_fields}  # noqa: SLF001
    return [
        one
        for one in source.model._meta.concrete_fields  # noqa: SLF001
        if one.name in there
        and not one.primary_key
        and not isinstance(one, ForeignKey)
        and one.name not in source.unsaid
    ]


def is_secret(source: Acts, one: "Field[Any, Any]") -> bool:
    """Say whether a field is told as changed only."""
    return one.name in source.hidden or any(word in one.name for word in SECRETS)


def words_for(one: "Field[Any, Any]", value: Any) -> str:
    """Return a value as people read it."""
    if value is None or value in ("", [], {}):
        return _("empty")
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, datetime):
        return date_format(timezone.localtime(value), "j F Y, H:i")
    base = getattr(one, "base_field", one)
    names = dict(base.flatchoices)
    values = value if isinstance(value, list) else [value]
    text = ", ".join(str(names.get(part, part)) for part in values)
    return Truncator(text).chars(LONGEST_VALUE)


def people_who_act(study: Study) -> list[Member]:
    """Return the members whom one can ask for: those who do research, by name."""
    members = Member.objects.filter(study=study, role__in=RESEARCH, user__isnull=False)
    return list(members.select_related("user").order_by("pk"))
