"""Says in words what a run did: why each trial stopped, and what should make a reader careful."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from crowd.queries.labels import label_names
from filtering.algorithms import StopReason
from filtering.models import FilterRun, Round, Trial, TrialPost
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


def warnings(run: FilterRun, stories: list[TrialStory]) -> list[str]:
    """Return what should make a reader careful, as sentences."""
    found = []
    if all(not round_.removed for told in stories for round_ in told.rounds):
        found.append(
            _(
                "No trial removed anything. As the paper prints the algorithm, it stops before the "
                "rest would be smaller than k, and can so stop at once. With a smaller k, posts "
                "would leave."
            )
        )
    before, after = run.shift["before"]["unanimous"], run.shift["after"]["unanimous"]
    if after is not None and after < before:
        sentence = _(
            "The share of posts on which all votes agree fell from %(before)s to %(after)s. The "
            "filter is meant to raise it: look at the posts that left before you use this run."
        )
        found.append(sentence % {"before": percent(before), "after": percent(after)})
    if not run.kept_count:
        found.append(_("No post was kept by every trial. Choose a greater k, or fewer trials."))
    return found


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
    return [*rows, agree]


NEAR = 0.02
"""A loss within this share of the threshold may fall on its other side on another machine."""


@dataclass(frozen=True)
class Passage:
    """What one round made of a post: its loss beside the threshold."""

    round: Round
    loss: float

    @property
    def left(self) -> bool:
        """Say whether the post left in this round."""
        return self.round.removed and self.loss > self.round.threshold

    @property
    def is_near(self) -> bool:
        """Say whether the loss is so near to the threshold that rounding may decide."""
        return abs(self.loss - self.round.threshold) <= NEAR * self.round.threshold


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
                Passage(round_, loss)
                for round_, loss in zip(trial.rounds.all(), rows[trial.pk].losses, strict=False)
            ],
            way_in_words(rows[trial.pk]),
        )
        for trial in run.trials.all()
    ]


def way_in_words(row: TrialPost) -> str:
    """Tell how a post's way through a trial ended."""
    if not row.left_in:
        return _("Kept to the end.")
    return _("Left in round %s: its loss was above the threshold.") % row.left_in


def named_votes(run: FilterRun, counts: list[int]) -> list[tuple[str, int]]:
    """Return how many votes each label has, by the labels' names."""
    names = label_names(run.study)
    return [
        (names.get(label, label), count) for label, count in zip(run.labels, counts, strict=True)
    ]
