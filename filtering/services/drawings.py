"""What the charts of a finished run are: scores by round, sizes, overlap, and how votes lie.

What does not exist is left out: an overlap of one trial, an alpha that is undefined.
"""

from typing import Any

from django.db.models import Count
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation import charts
from annotation.charts import Bar, Bins, Drawing, Interval, Panel, Series
from crowd.queries.labels import label_names
from filtering.algorithms import Method
from filtering.models import FilterRun, Round, Trial
from filtering.queries.scores import Distribution, score_counts, score_range
from filtering.queries.words import percent

MOST_PANELS = 8
"""A trial may have a hundred rounds; its first ones and its last one are drawn."""

# The words for a score: a title with the trial's number, and what stands on the axis.
SCORES = {
    Method.KL: (
        gettext_lazy("Trial %s: losses by round"),
        gettext_lazy("Loss"),
    ),
    Method.AFLITE: (
        gettext_lazy("Trial %s: how predictable posts are, by round"),
        gettext_lazy("Share of classifiers that predict the label"),
    ),
    Method.MAJORITY: (
        gettext_lazy("Trial %s: how far votes differ"),
        gettext_lazy("Share of votes that are not for the top label"),
    ),
    Method.RANDOM: (gettext_lazy("Trial %s: numbers drawn"), gettext_lazy("Number drawn")),
}
SIDES = {
    "before": gettext_lazy("Before"),
    "after": gettext_lazy("After"),
    "left": gettext_lazy("Left"),
}


def drawings_of(run: FilterRun) -> list[Drawing]:
    """Return the charts of a finished run, undrawn."""
    trials = list(run.trials.prefetch_related("rounds"))
    several = [overlap(run)] if len(trials) > 1 else []
    alpha = agreement(run)
    return [
        *scores_of(run, trials),
        sizes(run, trials),
        *several,
        shift(run),
        *([alpha] if alpha else []),
    ]


def scores_of(run: FilterRun, trials: list[Trial]) -> list[Drawing]:
    """Return how the scores lie in the rounds of each trial; all trials have the same axis."""
    low, high, positive = score_range(run)
    is_log = run.method == Method.KL and positive is not None
    at = charts.bins(positive if is_log and positive else low, high, is_log=is_log)
    counts = score_counts(run, at)
    return [
        scores(run, trial, at, {one.number: counts[trial.number, one.number] for one in rounds})
        for trial in trials
        if (rounds := trial.rounds.all())
    ]


def scores(run: FilterRun, trial: Trial, at: Bins, lie: dict[int, Distribution]) -> Drawing:
    """Return how the scores of a trial lie, round by round, with the threshold."""
    rounds = list(trial.rounds.all())
    shown = rounds if len(rounds) <= MOST_PANELS else [*rounds[: MOST_PANELS - 1], rounds[-1]]
    title, score = SCORES[Method(run.method)]
    axis = _("%s (logarithmic axis)") % score if at.is_log else str(score)
    panels = [
        Panel(panel_title(one), lie[one.number].stayed, lie[one.number].left, one.threshold)
        for one in shown
    ]
    told = [f"{axis}.", *map(round_in_words, rounds)]
    if len(shown) < len(rounds):
        told.append(
            _("The picture leaves out the rounds %(first)s to %(last)s.")
            % {"first": MOST_PANELS, "last": rounds[-2].number}
        )
    return Drawing(
        name=f"scores-{trial.number}",
        title=str(title) % trial.number,
        alternative=" ".join(told),
        columns=("round", "threshold", "from", "to", "stayed", "left"),
        rows=[row for one in rounds for row in score_rows(one, at, lie[one.number])],
        picture=charts.histograms(
            panels,
            at,
            x=axis,
            y=_("Posts"),
            kinds=(_("stayed"), _("left in this round")),
            rule=_("The dashed line is the threshold"),
        ),
    )


def panel_title(one: Round) -> str:
    """Return the heading of a round's histogram."""
    words = _("Round %(round)s · %(posts)s posts · threshold %(threshold)s")
    return words % {"round": one.number, "posts": one.size, "threshold": f"{one.threshold:.4g}"}


def round_in_words(one: Round) -> str:
    """Tell the numbers of a round."""
    words = _("Round %(round)s: %(posts)s posts, threshold %(threshold)s, %(above)s above it")
    told = words % {
        "round": one.number,
        "posts": one.size,
        "threshold": f"{one.threshold:.4g}",
        "above": one.above,
    }
    gone = one.size - one.would_remain if one.removed else 0
    return _("%(told)s, %(gone)s left.") % {"told": told, "gone": gone}


def score_rows(one: Round, at: Bins, lies: Distribution) -> list[dict[str, object]]:
    """Return a round's bins as rows of the table."""
    return [
        {
            "round": one.number,
            "threshold": one.threshold,
            "from": at.edges[place],
            "to": at.edges[place + 1],
            "stayed": lies.stayed[place],
            "left": lies.left[place],
        }
        for place in range(at.count)
    ]


def sizes(run: FilterRun, trials: list[Trial]) -> Drawing:
    """Return how many posts each trial still had after each of its rounds."""
    found = {trial.number: sizes_of(trial) for trial in trials}
    told = [
        _("Trial %(trial)s: %(sizes)s.") % {"trial": number, "sizes": " → ".join(map(str, values))}
        for number, values in found.items()
    ]
    rule = "" if run.k is None else _("The dashed line is k = %s") % run.k
    return Drawing(
        name="sizes",
        title=_("Posts left after each round"),
        alternative=" ".join([*told, *([f"{rule}."] if rule else [])]),
        columns=("trial", "rounds_done", "posts"),
        rows=[
            {"trial": number, "rounds_done": done, "posts": size}
            for number, values in found.items()
            for done, size in enumerate(values)
        ],
        picture=charts.lines(
            [Series(_("Trial %s") % number, values) for number, values in found.items()],
            x=_("Rounds done"),
            y=_("Posts"),
            level=run.k,
            rule=rule,
        ),
    )


def sizes_of(trial: Trial) -> list[int]:
    """Return the number of posts before the first round and after each one that removed any."""
    rounds = list(trial.rounds.all())
    found = [one.size for one in rounds]
    return [*found, trial.kept_count] if rounds and rounds[-1].removed else found


def overlap(run: FilterRun) -> Drawing:
    """Return how many posts were kept in how many of the trials."""
    rows = run.posts.order_by().values_list("kept_in").annotate(posts=Count("pk"))
    counted = dict(rows)
    found = {kept_in: counted.get(kept_in, 0) for kept_in in range(run.trial_count + 1)}
    names = {
        kept_in: _("%(number)s of %(trials)s") % {"number": kept_in, "trials": run.trial_count}
        for kept_in in found
    }
    group = _("Kept in … trials")
    told = [f"{names[kept_in]}: {posts}." for kept_in, posts in found.items()]
    asked = _("Kept are those in at least %s.") % run.at_least
    return Drawing(
        name="overlap",
        title=_("In how many trials posts were kept"),
        alternative=" ".join([*told, asked]),
        columns=("kept_in", "posts", "is_kept"),
        rows=[
            {"kept_in": kept_in, "posts": posts, "is_kept": kept_in >= run.at_least}
            for kept_in, posts in found.items()
        ],
        picture=charts.bars(
            [
                Bar(group, names[kept_in], posts, f"{posts:,}", kept_in < run.at_least)
                for kept_in, posts in found.items()
            ],
            x=_("Posts"),
            kinds=list(names.values()),
        ),
    )


def shares_of(run: FilterRun) -> list[tuple[str, str, dict[str, float | None]]]:
    """Return code, name and shares before and after: of each top label, and of agreement."""
    sides = {side: run.shift[side] for side in ("before", "after")}
    rows = [
        (
            label,
            name,
            {
                side: mix["majorities"][place] if mix["majorities"] else None
                for side, mix in sides.items()
            },
        )
        for place, (label, name) in enumerate(unlike_names(run).items())
    ]
    agree = {side: mix["unanimous"] for side, mix in sides.items()}
    return [*rows, ("", _("All votes agree"), agree)]


def unlike_names(run: FilterRun) -> dict[str, str]:
    """Return the names of a run's labels; a name that is taken gets its code beside it."""
    known, taken = label_names(run.study), {_("All votes agree")}
    names = {}
    for code in run.labels:
        name = known.get(code, code)
        names[code] = f"{name} ({code})" if name in taken else name
        taken.add(name)
    return names


def shift(run: FilterRun) -> Drawing:
    """Return how often each label has most votes, and all votes agree, before and after."""
    rows = shares_of(run)
    told = [
        _("%(name)s: %(before)s before, %(after)s after.")
        % {"name": name, "before": percent(found["before"]), "after": percent(found["after"])}
        for _code, name, found in rows
    ]
    drawn = [
        Bar(name, str(SIDES[side]), 100 * share, percent(share), side == "before")
        for _code, name, found in rows
        for side, share in found.items()
        if share is not None
    ]
    return Drawing(
        name="shift",
        title=_("Labels with most votes, and agreement, before and after"),
        alternative=" ".join(told),
        columns=("label", "name", "before", "after"),
        rows=[{"label": code, "name": name, **found} for code, name, found in rows],
        picture=charts.bars(
            drawn,
            x=_("Per cent of the posts"),
            kinds=[str(SIDES["before"]), str(SIDES["after"])],
            most=100,
        ),
    )


def agreement(run: FilterRun) -> Drawing | None:
    """Return Krippendorff's alpha before, after and of what left; None where it is undefined."""
    sides = {side: run.shift[side] for side in SIDES}
    defined = {side: mix for side, mix in sides.items() if mix["alpha"] is not None}
    if not defined:
        return None
    return Drawing(
        name="alpha",
        title=_("Krippendorff's alpha before, after, and of the posts that left"),
        alternative=" ".join(alpha_in_words(side, mix) for side, mix in sides.items()),
        columns=("posts_are", "posts", "alpha", "low", "high"),
        rows=[alpha_row(side, mix) for side, mix in sides.items()],
        picture=charts.intervals(
            [
                Interval(str(SIDES[side]), mix["alpha"], mix["interval"], f"{mix['alpha']:.3f}")
                for side, mix in defined.items()
            ],
            x=_("Alpha, with its 95% interval"),
        ),
    )


def alpha_in_words(side: str, mix: dict[str, Any]) -> str:
    """Tell one alpha, or why there is none."""
    if mix["alpha"] is None:
        return _("%(side)s: undefined.") % {"side": SIDES[side]} + f" {_(mix['undefined'])}"
    told = f"{SIDES[side]}: {mix['alpha']:.3f}"
    if not mix["interval"]:
        return f"{told}."
    low, high = mix["interval"]
    return f"{told} " + _("(%(low)s to %(high)s).") % {"low": f"{low:.3f}", "high": f"{high:.3f}"}


def alpha_row(side: str, mix: dict[str, Any]) -> dict[str, object]:
    """Return one alpha as a row of the table."""
    low, high = mix["interval"] or (None, None)
    return {
        "posts_are": side,
        "posts": mix["posts"],
        "alpha": mix["alpha"],
        "low": low,
        "high": high,
    }
