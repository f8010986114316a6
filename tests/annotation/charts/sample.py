"""One drawing of each kind, with names that people might have chosen badly."""

from annotation.charts import (
    Bar,
    Course,
    Drawing,
    HeatTable,
    Interval,
    Panel,
    Series,
    Stack,
    bars,
    bins,
    heat_table,
    histograms,
    intervals,
    lines,
    over_weeks,
    stacks,
)

HOSTILE = "<script>alert(1)</script> & \"more\" 'so' url(#x)"
AT = bins(0.001, 1, is_log=True, count=4)
PANELS = [
    Panel("Round 1", [3, 2, 0, 0], [0, 0, 1, 4], 0.02),
    Panel("Round 2", [3, 2, 0, 0], [0, 0, 0, 0], 5.0),
]


def histogram_picture():
    return histograms(
        PANELS, AT, x="Loss", y="Posts", kinds=("stayed", "left"), rule="The threshold"
    )


def line_picture(count: int = 3):
    series = [Series(f"Trial {number}", [9, 6 - number / 9]) for number in range(count)]
    return lines(series, x="Rounds done", y="Posts", level=4, rule="k")


def bar_picture():
    found = [Bar(HOSTILE, "Before", 40, "40%", is_faint=True), Bar(HOSTILE, "After", 60, "60%")]
    return bars(found, x="Per cent", kinds=["Before", "After"], most=100)


def interval_picture():
    found = [Interval("Before", 0.1, (0.0, 0.2), "0.10"), Interval("After", -0.3, None, "-0.30")]
    return intervals(found, x="Alpha")


def stack_picture():
    found = [Stack(HOSTILE, [3, 1, 0]), Stack("Nothing", [0, 0, 0])]
    return stacks(found, kinds=["One", "Other", "Third"], x="Share")


def heat_picture():
    table = HeatTable(
        ["A", "All"], [HOSTILE, "B", "All"], [[1, 9, 10], [1, 9, 10]], frozenset({"All"})
    )
    return heat_table(table, lines="One said", columns="Another said", rule="The darker, the more")


def week_picture(count: int = 2):
    found = [
        Course(f"Stage {number}", [0.5, None, 0.7], [(0.4, 0.6), None, None])
        for number in range(count)
    ]
    weeks = ["2026-W52", "2026-W53", "2027-W01"]
    return over_weeks(weeks, found, y="Alpha", marks=(0.8,), rule="Dashed: 0.8")


PICTURES = [
    *(histogram_picture, line_picture, bar_picture, interval_picture),
    *(stack_picture, heat_picture, week_picture),
]


def drawing(picture=bar_picture, **chosen):
    shown = {
        "name": "sample",
        "title": HOSTILE,
        "alternative": f"In words: {HOSTILE}",
        "columns": ("name", "value"),
        "rows": [{"name": "=1+1", "value": -2.5}, {"name": 'say "a, b"', "value": None}],
    }
    return Drawing(picture=picture(), **shown | chosen)
