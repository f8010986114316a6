"""The charts of what the dataset's rows add up to, undrawn: of a study now, or of a release.

They are made of the content of statistics.json and nothing else. What has nothing to show is left
out.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from annotation import charts
from annotation.charts import Bar, Drawing, HeatTable, Interval, Stack
from annotation.queries.agreement import RELIABLE, TENTATIVE
from filtering.queries.words import percent
from releases.queries.words import interval_of, told_share

Content = Mapping[str, Any]
Names = Mapping[str, str]

STAGES = {"crowd": gettext_lazy("Crowd"), "legal": gettext_lazy("Experts")}
VERDICTS = {
    "mislc": gettext_lazy("MisLC"),
    "unclear": gettext_lazy("Unclear"),
    "non_mislc": gettext_lazy("Non-MisLC"),
}
OTHERS = {
    "tie": gettext_lazy("Tie"),
    "no_votes": gettext_lazy("No votes"),
    "all": gettext_lazy("All"),
}
WHOLES = {
    ("crowd_votes", "all"): gettext_lazy("Votes"),
    ("crowd_votes", "before"): gettext_lazy("Votes before filter"),
    ("crowd_votes", "after"): gettext_lazy("Votes after filter"),
    ("crowd_labels", "all"): gettext_lazy("Posts"),
    ("crowd_labels", "before"): gettext_lazy("Posts before filter"),
    ("crowd_labels", "after"): gettext_lazy("Posts after filter"),
    ("answers", "all"): gettext_lazy("Answers"),
    ("answers", "before"): gettext_lazy("Answers before filter"),
    ("answers", "after"): gettext_lazy("Answers after filter"),
    ("verdicts", "all"): gettext_lazy("Verdicts"),
    ("verdicts", "before"): gettext_lazy("Verdicts before filter"),
    ("verdicts", "after"): gettext_lazy("Verdicts after filter"),
}


def row_drawings(content: Content, names: Names) -> list[Drawing]:
    """Return the charts; `names` are those of the crowd's labels."""
    found = [
        table_1(content),
        issues(content),
        crowd_labels(content, names),
        verdict_labels(content),
        crowd_by_verdict(content, names),
        votes_per_post(content),
        agreement(content),
    ]
    return [drawing for drawing in found if drawing]


def unlike(codes: Sequence[str], names: Names, taken: Sequence[str] = ()) -> list[str]:
    """Return the names of labels; one that is taken gets its code beside it."""
    found: list[str] = []
    for code in codes:
        name = names.get(code, code)
        found.append(f"{name} ({code})" if name in (*found, *taken) else name)
    return found


def table_1(content: Content) -> Drawing | None:
    """Return the shares of Table 1, each below what it is a share of."""
    lines = [line for line in content["table_1"][1:] if line["share"] is not None]
    if not lines:
        return None
    shown = [told_share(line) for line in lines]
    return Drawing(
        name="table-1",
        title=_("Table 1: what the posts are"),
        alternative=" ".join(f"{line['label']}: {told_share(line)}." for line in lines),
        columns=("key", "label", "count", "of", "share"),
        rows=[
            {name: line.get(name) for name in ("key", "label", "count", "of", "share")}
            for line in content["table_1"]
        ],
        picture=charts.bars(
            [
                Bar(whole_of(line), line["label"], 100 * line["share"], words)
                for line, words in zip(lines, shown, strict=True)
            ],
            x=_("Per cent"),
            kinds=[line["label"] for line in lines],
            most=100,
        ),
    )


def whole_of(line: Mapping[str, Any]) -> str:
    """Say what a line of Table 1 is a share of."""
    if line["key"] == "checkworthy":
        return _("Of %s posts with a majority of the crowd") % f"{line['of']:,}"
    return _("Of %s posts with a verdict") % f"{line['of']:,}"


def issues(content: Content) -> Drawing | None:
    """Return Figure 2: how often each issue is there, among all verdicts and among MisLC."""
    found = content["issues"]
    if not found:
        return None
    every, mislc = _("All verdicts"), str(VERDICTS["mislc"])
    told = [
        _("%(issue)s: %(all)s of all verdicts, %(mislc)s of MisLC.")
        % {"issue": one["name"], "all": told_share(one), "mislc": told_share(one["mislc"])}
        for one in found
    ]
    drawn = [
        Bar(one["name"], kind, share["count"], told_share(share), kind == every)
        for one in found
        for kind, share in ((every, one), (mislc, one["mislc"]))
    ]
    return Drawing(
        name="issues",
        title=_("Figure 2: legal issues, among all verdicts and among MisLC"),
        alternative=" ".join(told),
        columns=("issue", "name", "verdicts", "of", "mislc", "of_mislc"),
        rows=[
            {
                "issue": one["code"],
                "name": one["name"],
                "verdicts": one["count"],
                "of": one["of"],
                "mislc": one["mislc"]["count"],
                "of_mislc": one["mislc"]["of"],
            }
            for one in found
        ],
        picture=charts.bars(drawn, x=_("Posts"), kinds=[every, mislc]),
    )


def crowd_labels(content: Content, names: Names) -> Drawing | None:
    """Return how the crowd's votes and majorities lie, before and after the filter."""
    found = wholes_of(content, ("crowd_votes", "crowd_labels"))
    codes = [line["label"] for one in found for line in one["lines"] if line["kind"] == "label"]
    codes = list(dict.fromkeys(codes))
    tie = str(OTHERS["tie"])
    kinds = [*unlike(codes, names, [tie]), tie]
    title = _("Labels of the crowd, as votes and as majorities of posts")
    return distribution("labels-crowd", title, found, kinds)


def verdict_labels(content: Content) -> Drawing | None:
    """Return how the experts' answers and the verdicts lie, before and after the filter."""
    found = wholes_of(content, ("answers", "verdicts"))
    kinds = [_("MisLC (yes)"), _("Unclear"), _("Non-MisLC (no)")]
    title = _("Answers of the experts, and verdicts")
    return distribution("labels-legal", title, found, kinds)


def wholes_of(content: Content, of: tuple[str, str]) -> list[dict[str, Any]]:
    """Return the distributions to draw: before and after the filter, or all where none was run."""
    found = [one for one in content["distributions"] if one["of"] in of and one["total"]]
    sides = {one["side"] for one in found}
    return sorted(
        [one for one in found if one["side"] != "all" or sides == {"all"}],
        key=lambda one: of.index(one["of"]),
    )


def distribution(
    name: str, title: str, found: Sequence[Mapping[str, Any]], kinds: list[str]
) -> Drawing | None:
    """Return wholes parted by label; with more labels than there are colours as bars."""
    if not found:
        return None
    wholes = [str(WHOLES[one["of"], one["side"]]) for one in found]
    values = [
        [line["count"] for line in one["lines"]] + [0] * (len(kinds) - len(one["lines"]))
        for one in found
    ]
    if len(kinds) <= len(charts.SERIES):
        stacks = [Stack(whole, numbers) for whole, numbers in zip(wholes, values, strict=True)]
        picture = charts.stacks(stacks, kinds=kinds, x=_("Share"))
    else:
        picture = bars_of(wholes, values, kinds)
    return Drawing(
        name=name,
        title=title,
        alternative=in_words(wholes, kinds, values),
        columns=("of", "side", "kind", "label", "count", "total", "share"),
        rows=[
            {"of": one["of"], "side": one["side"], "total": one["total"]}
            | {key: line[key] for key in ("kind", "label", "count", "share")}
            for one in found
            for line in one["lines"]
        ],
        picture=picture,
    )


def bars_of(wholes: Sequence[str], values: Sequence[Sequence[int]], kinds: Sequence[str]) -> Any:
    """Return the parts of some wholes as bars below the name of each."""
    drawn = [
        Bar(whole, kind, 100 * value / sum(numbers), percent(value / sum(numbers)))
        for whole, numbers in zip(wholes, values, strict=True)
        for kind, value in zip(kinds, numbers, strict=True)
    ]
    return charts.bars(drawn, x=_("Per cent"), kinds=kinds, most=100)


def votes_per_post(content: Content) -> Drawing | None:
    """Return how many posts have how many votes, at each stage that has any."""
    found = {
        stage: lines
        for stage, lines in content["votes_per_post"].items()
        if any(line["votes"] for line in lines)
    }
    if not found:
        return None
    numbers = sorted({line["votes"] for lines in found.values() for line in lines})
    names = {one: ngettext("%s vote", "%s votes", one) % one for one in numbers}
    drawn = [
        Bar(str(STAGES[stage]), names[line["votes"]], line["posts"], f"{line['posts']:,}")
        for stage, lines in found.items()
        for line in lines
    ]
    return Drawing(
        name="votes-per-post",
        title=_("Votes on each post"),
        alternative=" ".join(f"{bar.group}: {bar.name}: {bar.shown}." for bar in drawn),
        columns=("stage", "votes", "posts"),
        rows=[{"stage": stage} | line for stage, lines in found.items() for line in lines],
        picture=charts.bars(drawn, x=_("Posts"), kinds=list(names.values())),
    )


def crowd_by_verdict(content: Content, names: Names) -> Drawing | None:
    """Return the crowd's majorities against the verdicts."""
    found = content["crowd_by_verdict"]
    if not found[-1]["total"] or found[0]["kind"] != "label":
        return None
    others = [str(word) for word in OTHERS.values()]
    codes = [line["label"] for line in found if line["kind"] == "label"]
    labels = iter(unlike(codes, names, others))
    told = {
        next(labels) if line["kind"] == "label" else str(OTHERS[line["kind"]]): line
        for line in found
    }
    shown = {
        name: line
        for name, line in told.items()
        if line["kind"] in ("label", "all") or line["total"]
    }
    everything = str(OTHERS["all"])
    columns = [*map(str, VERDICTS.values()), everything]
    cells = [[*(line[code] for code in VERDICTS), line["total"]] for line in shown.values()]
    return Drawing(
        name="crowd-by-verdict",
        title=_("What the crowd said, and what the experts found"),
        alternative=in_words(list(shown), columns, cells),
        columns=("kind", "label", *VERDICTS, "total"),
        rows=found,
        picture=charts.heat_table(
            HeatTable(list(shown), columns, cells, frozenset({everything})),
            lines=_("Majority of the crowd"),
            columns=_("Verdict"),
            rule=_("The darker, the greater its share of the line"),
        ),
    )


def in_words(lines: Sequence[str], columns: Sequence[str], cells: Sequence[Sequence[int]]) -> str:
    """Tell a table line by line."""
    told = []
    for line, row in zip(lines, cells, strict=True):
        numbers = [f"{column} {cell:,}" for column, cell in zip(columns, row, strict=True)]
        told.append(f"{line}: {', '.join(numbers)}.")
    return " ".join(told)


def agreement(content: Content) -> Drawing | None:
    """Return the alpha of each stage; None where both are undefined."""
    found = {stage: one for stage, one in content["agreement"].items() if one["alpha"] is not None}
    if not found:
        return None
    told = [
        f"{STAGES[stage]}: {one['alpha']:.3f} ({interval_of(one) or '–'})."
        for stage, one in found.items()
    ]
    return Drawing(
        name="agreement",
        title=_("Krippendorff's alpha of each stage"),
        alternative=" ".join(told),
        columns=("stage", "alpha", "low", "high", "posts", "votes"),
        rows=[
            {
                "stage": stage,
                "alpha": one["alpha"],
                "low": one["interval"][0] if one["interval"] else None,
                "high": one["interval"][1] if one["interval"] else None,
                "posts": one["posts"],
                "votes": one["votes"],
            }
            for stage, one in content["agreement"].items()
        ],
        picture=charts.intervals(
            [
                Interval(str(STAGES[stage]), one["alpha"], one["interval"], f"{one['alpha']:.3f}")
                for stage, one in found.items()
            ],
            x=_("Alpha, with its 95% interval"),
            marks=(TENTATIVE, RELIABLE),
            rule=_("Dashed: 0, 0.667, 0.8"),
        ),
    )
