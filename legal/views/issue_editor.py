"""The form of one issue of the draft: rows that are added, moved and removed without a script.

Every button sends the whole form. An empty row is never stored: it is shown where the address asks
for one (`?add=tests-2`), and kept when it has been filled in.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from legal.catalogues.editing import CRITERIA, LISTS, Tree, codes_in, new_code
from legal.catalogues.reading import (
    MOST_NAME,
    MOST_ROWS,
    MOST_TEXT,
    MOST_URL,
    is_web_address,
)
from legal.catalogues.texts import RULES
from legal.models import Rule

KINDS = (
    ("statute", _("Statute")),
    ("case", _("Case")),
    ("bulletin", _("Bulletin")),
    ("opinion", _("Opinion")),
    ("paper", _("Paper")),
)
FALLBACKS = {"tests": "test", "defences": "defence"}


def long_text(rows: int = 3) -> forms.Textarea:
    """Return a field of several lines."""
    return forms.Textarea(attrs={"rows": rows})


class IssueForm(forms.Form):
    """An issue without its lists. `seen` is the mark of what the person saw."""

    name = forms.CharField(label=_("Name"), max_length=MOST_NAME)
    topic = forms.ChoiceField(label=_("Topic"))
    summary = forms.CharField(
        label=_("Explanation"),
        max_length=MOST_TEXT,
        required=False,
        widget=long_text(4),
        help_text=_("What the issue is about, in a few plain sentences. A version needs it."),
    )
    positive_example = forms.CharField(
        label=_("An example that raises it"),
        max_length=MOST_TEXT,
        required=False,
        widget=long_text(),
    )
    negative_example = forms.CharField(
        label=_("An example that does not"),
        max_length=MOST_TEXT,
        required=False,
        widget=long_text(),
    )
    tests_rule = forms.ChoiceField(label=_("How many tests must hold"), choices=Rule.choices)
    defences_rule = forms.ChoiceField(label=_("How many defences must hold"), choices=Rule.choices)
    seen = forms.CharField(widget=forms.HiddenInput)


class SourceForm(forms.Form):
    """Where an issue comes from."""

    kind = forms.ChoiceField(label=_("Kind"), choices=KINDS)
    citation = forms.CharField(
        label=_("Citation"),
        max_length=MOST_TEXT,
        required=False,
        help_text=_("Such as: Criminal Code, RSC 1985, c C-46."),
    )
    section = forms.CharField(label=_("Section"), max_length=MOST_TEXT, required=False)
    url = forms.CharField(
        label=_("Web address"),
        max_length=MOST_URL,
        required=False,
        widget=forms.URLInput,
    )

    def clean_url(self) -> str:
        """Refuse what is no address of a web page."""
        url: str = self.cleaned_data["url"]
        if url and not is_web_address(url):
            raise forms.ValidationError(
                _("Type the address of a web page, beginning with https:// or http://.")
            )
        return url

    def row(self) -> Tree:
        """Return what was typed, without what is empty."""
        return {name: value for name, value in self.cleaned_data.items() if value}

    def label(self) -> str:
        """Return what the row is called on its buttons."""
        return str(self["citation"].value() or _("without a citation"))


class CriterionForm(forms.Form):
    """A test, a defence, or a smaller question of one."""

    code = forms.CharField(required=False, widget=forms.HiddenInput)
    name = forms.CharField(label=_("Name"), max_length=MOST_NAME, required=False)
    question = forms.CharField(
        label=_("Question"),
        max_length=MOST_TEXT,
        required=False,
        widget=long_text(2),
        help_text=_("Asked about the post, so that “yes” means that it holds."),
    )
    rule = forms.ChoiceField(
        label=_("How many of its smaller questions must hold"),
        choices=Rule.choices,
        required=False,
    )

    def __init__(self, *args: Any, parts: "list[CriterionForm] | None" = None, **more: Any) -> None:
        super().__init__(*args, **more)
        self.parts = parts or []
        if not self.parts:
            del self.fields["rule"]

    def label(self) -> str:
        """Return what the row is called on its buttons."""
        return str(self["name"].value() or _("without a name"))

    def row(self) -> Tree:
        """Return what was typed; `parts` are the smaller questions."""
        return {**self.cleaned_data, "parts": [part.row() for part in self.parts]}


class IssueEditor:
    """The forms of an issue, as it is or as it was sent."""

    def __init__(
        self,
        issue: Tree,
        *,
        topic: str,
        topics: Iterable[tuple[str, str]],
        seen: str = "",
        posted: QueryDict | None = None,
        add: str = "",
    ) -> None:
        self.issue, self.posted, self.add = issue, posted, add
        rules = {f"{kind}_rule": issue[kind]["rule"] for kind in CRITERIA}
        self.main = IssueForm(posted, initial={**issue, **rules, "topic": topic, "seen": seen})
        choice = self.main.fields["topic"]
        assert isinstance(choice, forms.ChoiceField)
        choice.choices = list(topics)
        self.sources = [
            SourceForm(posted, prefix=prefix, initial=row)
            for prefix, row in self.rows("sources", issue["sources"], "kind")
        ]
        self.tests = self.criteria("tests", issue["tests"]["items"])
        self.defences = self.criteria("defences", issue["defences"]["items"])
        self.focus_new_row()

    def criteria(self, path: str, items: list[Tree]) -> list[CriterionForm]:
        """Return a form for each test or defence, with the forms of its parts."""
        return [
            CriterionForm(
                self.posted,
                prefix=prefix,
                initial={**row, "rule": next((rule for rule in RULES if rule in row), "all")},
                parts=self.criteria(prefix, parts_of(row)) if path.count("-") == 0 else [],
            )
            for prefix, row in self.rows(path, items, "name")
        ]

    def rows(self, path: str, items: list[Tree], field: str) -> Iterator[tuple[str, Tree]]:
        """Yield the way to each row of a list, with what it held: as sent, or as it is."""
        number = 0
        if self.posted is not None:
            while f"{path}-{number + 1}-{field}" in self.posted and number < MOST_ROWS:
                number += 1
                yield f"{path}-{number}", {}
            return
        for number, row in enumerate(items, start=1):
            yield f"{path}-{number}", row
        if self.add == path and len(items) < MOST_ROWS:
            yield f"{path}-{len(items) + 1}", {}

    def all_forms(self) -> list[forms.Form]:
        """Return every form."""
        criteria = [*self.tests, *self.defences]
        parts = [part for one in criteria for part in one.parts]
        return [self.main, *self.sources, *criteria, *parts]

    def focus_new_row(self) -> None:
        """Let typing go on in the row that was asked for."""
        rows = self.all_forms()[1:]
        added = [row for row in rows if str(row.prefix).rpartition("-")[0] == self.add]
        if self.add and added:
            first = added[-1].visible_fields()[0]
            first.field.widget.attrs["autofocus"] = True

    def is_valid(self) -> bool:
        """Say whether all that was typed can be stored in a draft."""
        checked = [form.is_valid() for form in self.all_forms()]
        return all(checked)

    def tree(self, action: str, path: str, taken: Iterable[str]) -> Tree:
        """Return the issue as it was sent, after what a button does to one of its rows."""
        given = self.main.cleaned_data
        lists: dict[str, list[Tree]] = {
            name: [form.row() for form in getattr(self, name)] for name in LISTS
        }
        act(lists, action, path)
        codes = Codes(codes_in(self.issue), taken)
        found: Tree = {name: given[name] for name in ("name", "summary")}
        found["sources"] = [row for row in lists["sources"] if set(row) - {"kind"}]
        for kind in CRITERIA:
            items = [codes.criterion(row, FALLBACKS[kind]) for row in filled(lists[kind])]
            found[kind] = {"rule": given[f"{kind}_rule"], "items": items}
        found |= {name: given[name] for name in ("positive_example", "negative_example")}
        return {"code": self.issue["code"], **found}


def parts_of(row: Mapping[str, Any]) -> list[Tree]:
    """Return the smaller questions of a test or a defence."""
    return next((row[rule] for rule in RULES if rule in row), [])


def filled(rows: list[Tree]) -> list[Tree]:
    """Return the rows in which something stands."""
    return [row for row in rows if row["name"] or row["question"] or filled(row["parts"])]


def act(lists: dict[str, list[Tree]], action: str, path: str) -> None:
    """Move or remove one row; what does not exist stays so."""
    name, *numbers = path.split("-")
    if not numbers or name not in lists or not all(number.isdecimal() for number in numbers):
        return
    rows = lists[name]
    *ways, last = (int(number) - 1 for number in numbers)
    for way in ways:
        rows = rows[way].get("parts", []) if 0 <= way < len(rows) else []
    if not 0 <= last < len(rows):
        return
    if action == "remove":
        del rows[last]
    elif action in STEPS and 0 <= (to := last + STEPS[action]) < len(rows):
        rows[last], rows[to] = rows[to], rows[last]


STEPS = {"up": -1, "down": 1}


class Codes:
    """Keeps the codes that an issue's criteria have, and gives each new one a code of its own."""

    def __init__(self, known: set[str], taken: Iterable[str]) -> None:
        self.known, self.used = set(known), {*known, *taken}

    def criterion(self, row: Tree, fallback: str) -> Tree:
        """Return a criterion of the draft; codes that the issue does not have are made anew."""
        code = row["code"]
        if code in self.known:
            self.known.discard(code)
        else:
            code = new_code(row["name"], self.used, fallback)
            self.used.add(code)
        found = {"code": code, "name": row["name"], "question": row["question"]}
        parts = [self.criterion(part, "part") for part in filled(row["parts"])]
        if parts:
            found[row.get("rule") or "all"] = parts
        return found
