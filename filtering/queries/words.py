"""Says in words what a run did: why each trial stopped, what changed, how each post fared."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from crowd.queries.labels import label_names
from filtering.algorithms import Method, SideBySide, StopReason
from filtering.algorithms.trials import NEAR
from filtering.models import FilterRun, Round, Trial, TrialPost
from filtering.queries.comparison import Comparison, Side
from filtering.queries.runs import ways_of


@dataclass(frozen=True)
class TrialStory:
    """A trial with its rounds and what is to be said about it."""

    trial: Trial
    rounds: list[Round]
    words: str


def trial_stories(run: FilterRun) -> list[TrialStory]:
    """Return each trial of a run with its words; trials and rounds must be loaded with the run."""
    return [
        TrialStory(trial, rounds := list(trial.rounds.all()), story(run, trial, rounds))
        for trial in run.trials.all()
    ]


def story(run: FilterRun, trial: Trial, rounds: list[Round]) -> str:
    """Tell what a trial removed in how many rounds, and why it stopped where it did."""
    removing = sum(round_.removed for round_ in rounds)
    gone = (run.post_count or 0) - trial.kept_count
    told = ngettext(
        "%(gone)s of %(posts)s posts left in %(rounds)s round.",
        "%(gone)s of %(posts)s posts left in %(rounds)s rounds.",
        removing,
    )
    words = told % {"gone": gone, "posts": run.post_count, "rounds": removing}
    if not removing:
        words = _("Nothing was removed.")
    return f"{words} {why_it_stopped(run, trial, rounds[-1])}"


def why_it_stopped(run: FilterRun, trial: Trial, last: Round) -> str:
    """Tell why the last round of a trial was the last."""
    if trial.why is not StopReason.WOULD_FALL_BELOW_K:
        return _(trial.why.sentence)
    sentence = _(
        "Round %(round)s was the last: without the %(above)s posts above its threshold, "
        "%(remain)s would have been left, fewer than k = %(k)s."
    )
    return sentence % {
        "round": last.number,
        "above": last.above,
        "remain": last.would_remain,
        "k": run.k,
    }


def percent(share: float | None) -> str:
    """Return a share as people read it; a dash where there is none."""
    return "–" if share is None else f"{100 * share:.1f}%"


@dataclass(frozen=True)
class Shift:
    """One row of what the filter changed: shares before and after, in per cent."""

    name: str
    before: str
    after: str


def shift_rows(run: FilterRun) -> list[Shift]:
    """Return how often each label has most votes, and all votes agree, before and after."""
    names, before, after = label_names(run.study), run.shift["before"], run.shift["after"]
    rows = [
        Shift(
            names.get(label, label),
            percent(before["majorities"][place]),
            percent(after["majorities"][place] if after["majorities"] else None),
        )
        for place, label in enumerate(run.labels)
    ]
    agree = Shift(_("All votes agree"), percent(before["unanimous"]), percent(after["unanimous"]))
    alpha = Shift(_("Krippendorff's alpha"), alpha_in_words(before), alpha_in_words(after))
    return [*rows, agree, alpha]


def alpha_in_words(mix: dict[str, Any]) -> str:
    """Return alpha with its interval; a dash where it is undefined or was not yet computed."""
    if mix.get("alpha") is None:
        return "–"
    if not mix.get("interval"):
        return f"{mix['alpha']:.3f}"
    low, high = mix["interval"]
    return f"{mix['alpha']:.3f} ({low:.3f} to {high:.3f})"


@dataclass(frozen=True)
class Passage:
    """What one round made of a post: its score beside the threshold."""

    round: Round
    score: float
    learns: bool

    @property
    def left(self) -> bool:
        """Say whether the post left in this round."""
        return self.round.removed and self.score > self.round.threshold

    @property
    def is_near(self) -> bool:
        """Say whether the score is so near to the threshold that rounding may decide."""
        return self.learns and abs(self.score - self.round.threshold) <= NEAR * self.round.threshold


@dataclass(frozen=True)
class PostWay:
    """A post's way through one trial, and how it ended in words."""

    trial: Trial
    passages: list[Passage]
    words: str


def post_ways(run: FilterRun, post_id: int) -> list[PostWay]:
    """Return a post's way through each trial; trials and rounds must be loaded with the run."""
    rows = {row.trial_id: row for row in ways_of(run, [post_id])[post_id]}
    return [
        PostWay(
            trial,
            [
                Passage(round_, score, Method(run.method).learns)
                for round_, score in zip(trial.rounds.all(), rows[trial.pk].scores, strict=False)
            ],
            way_in_words(rows[trial.pk]),
        )
        for trial in run.trials.all()
    ]


def way_in_words(row: TrialPost) -> str:
    """Tell how a post's way through a trial ended."""
    if not row.left_in:
        return _("Kept to the end.")
    return _("Left in round %s: its score was above the threshold.") % row.left_in


def name_of(run: FilterRun) -> str:
    """Return what a run is called."""
    return (_("Preview %s") if run.is_preview else _("Run %s")) % run.number


@dataclass(frozen=True)
class Show:
    """One way to look at a finished run's posts, by its key in SHOWN."""

    key: str
    title: str
    name: str
    count: int


def shows(run: FilterRun) -> list[Show]:
    """Return the ways to look at a finished run's posts, with how many there are."""
    kept, near = run.kept_count or 0, run.near_count
    found = [
        Show("kept", _("Kept posts"), _("Kept"), kept),
        Show("dropped", _("Posts that left"), _("Left"), (run.post_count or 0) - kept),
    ]
    if Method(run.method).learns and near is not None:
        found.append(Show("near", _("Posts near a threshold"), _("Near a threshold"), near))
    return found


def named_votes(run: FilterRun, counts: list[int]) -> list[tuple[str, int]]:
    """Return how many votes each label has, by the labels' names."""
    names = label_names(run.study)
    return [
        (names.get(label, label), count) for label, count in zip(run.labels, counts, strict=True)
    ]


# What a post's score is and which posts leave, by method.
SCORES = {
    Method.KL: gettext_lazy(
        "The score is the loss: how far the classifier is from how people voted. Posts above the "
        "threshold, the mean, leave: the inconsistent ones."
    ),
    Method.AFLITE: gettext_lazy(
        "The score is the share of classifiers, of those that had not learnt from the post, which "
        "predict its label. The most predictable posts leave: the easy ones, and not, as with the "
        "KL filter, the inconsistent ones."
    ),
    Method.MAJORITY: gettext_lazy(
        "The score is the share of votes that are not for the top label. Posts above the threshold "
        "leave."
    ),
    Method.RANDOM: gettext_lazy("The score is a number drawn by chance. Nothing is learnt."),
}


def told_settings(run: FilterRun) -> list[tuple[str, str]]:
    """Return a method's settings as names and values, but for k."""
    return [(name.replace("_", " "), shown(value)) for name, value in run.settings.items()]


def shown(value: object) -> str:
    """Return a setting as people read it."""
    if value is None:
        return _("chosen by the method")
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return str(value)


@dataclass(frozen=True)
class SideWords:
    """One of two runs, in words."""

    side: Side
    title: str
    method: str
    majorities: list[tuple[str, str]]
    unanimous: str
    alpha: str


@dataclass(frozen=True)
class ComparisonWords:
    """Two runs side by side, in words."""

    found: SideBySide
    sides: tuple[SideWords, SideWords]
    overlap: str
    by_chance: str
    removes: list[object]

    @property
    def label_rows(self) -> list[Shift]:
        """Return how often each label has most votes, in the one and in the other."""
        first, second = (one.majorities for one in self.sides)
        return [
            Shift(name, one, other)
            for (name, one), (_name, other) in zip(first, second, strict=True)
        ]


def comparison_words(told: Comparison) -> ComparisonWords:
    """Return two runs side by side as a page shows them."""
    methods = {Method(told.first.run.method), Method(told.second.run.method)}
    return ComparisonWords(
        found=told.found,
        sides=(side_words(told.first), side_words(told.second)),
        overlap=percent(told.found.overlap),
        by_chance=percent(told.found.by_chance),
        removes=[SCORES[method] for method in Method if method in methods],
    )


def side_words(side: Side) -> SideWords:
    """Return what one of two runs keeps, in words."""
    names, shares = label_names(side.run.study), side.majorities
    return SideWords(
        side=side,
        title=name_of(side.run),
        method=side.run.get_method_display(),
        majorities=[
            (names.get(label, label), percent(shares[place] if shares else None))
            for place, label in enumerate(side.run.labels)
        ],
        unanimous=percent(side.unanimous),
        alpha=side.undefined if side.alpha is None else f"{side.alpha:.3f}",
    )
