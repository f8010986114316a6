"""The figures of the legal stage, undrawn: issues, labels, evidence, time and agreement.

What has nothing to show is left out: evidence where nobody named any, an alpha that is undefined.
"""

from collections.abc import Sequence
from itertools import pairwise

from django.utils.translation import gettext as _

from annotation import charts
from annotation.charts import Bar, Drawing, Interval
from annotation.models import StageCode, Study
from annotation.queries.agreement import RELIABLE, TENTATIVE
from annotation.queries.breakdowns import week_parts
from annotation.queries.counts import Rounds, rounds_of
from annotation.queries.parts import Part
from annotation.services.week_drawings import agreement_over_weeks, part_in_words, part_row
from legal.queries.agreement import issue_parts
from legal.queries.evidence import evidence_domains
from legal.queries.figures import times_of
from legal.queries.summary import LegalSummary, legal_summary

MOST_DOMAINS = 15
EDGES = (0, 15, 30, 60, 120, 300, 600, 1800)


def drawings_of(study: Study) -> list[Drawing]:
    """Return the figures of the stage."""
    rounds = rounds_of(study, StageCode.LEGAL)
    summary = legal_summary(study)
    found = [
        issues(summary),
        labels(summary),
        domains(study),
        seconds(rounds),
        agreement_by_issue(issue_parts(study, rounds)),
        agreement_over_weeks(
            "agreement-weeks",
            _("Agreement on the label, week by week"),
            week_parts(study, rounds),
        ),
    ]
    return [drawing for drawing in found if drawing]


def issues(summary: LegalSummary) -> Drawing | None:
    """Return on how many posts each issue was raised: by the majority, and by anybody."""
    if not summary.issues:
        return None
    majority, anybody = _("Majority"), _("Anyone")
    told = [
        _("%(issue)s: %(posts)s by majority, %(any)s by at least one.")
        % {"issue": one.name, "posts": one.posts, "any": one.any_posts}
        for one in summary.issues
    ]
    drawn = [
        Bar(one.name, kind, value, f"{value:,}", kind == anybody)
        for one in summary.issues
        for kind, value in ((majority, one.posts), (anybody, one.any_posts))
    ]
    return Drawing(
        name="issues",
        title=_("How often each legal issue is raised"),
        alternative=" ".join([over(summary), *told]),
        columns=("issue", "name", "posts_by_majority", "posts_by_anybody"),
        rows=[
            {
                "issue": one.code,
                "name": one.name,
                "posts_by_majority": one.posts,
                "posts_by_anybody": one.any_posts,
            }
            for one in summary.issues
        ],
        picture=charts.bars(drawn, x=_("Posts"), kinds=[majority, anybody]),
    )


def over(summary: LegalSummary) -> str:
    """Say how many posts the figure is over."""
    return _("Over the posts that have all their votes: %s.") % f"{summary.posts:,}"


def labels(summary: LegalSummary) -> Drawing | None:
    """Return how the verdicts lie."""
    if not summary.posts:
        return None
    names = {"yes": _("MisLC (yes)"), "unclear": _("Unclear"), "no": _("Non-MisLC (no)")}
    shares = {label: posts / summary.posts for label, posts in summary.labels.items()}
    shown = {
        label: f"{posts:,} ({100 * shares[label]:.0f}%)" for label, posts in summary.labels.items()
    }
    told = [
        f"{names[label]}: {posts:,} ({100 * shares[label]:.1f}%)."
        for label, posts in summary.labels.items()
    ]
    ties = _("Ties among the unclear ones: %s.") % f"{summary.ties:,}"
    group = _("Verdict")
    return Drawing(
        name="labels",
        title=_("Labels of the verdicts"),
        alternative=" ".join([over(summary), *told, ties]),
        columns=("label", "posts", "share"),
        rows=[
            {"label": label, "posts": posts, "share": shares[label]}
            for label, posts in summary.labels.items()
        ],
        picture=charts.bars(
            [
                Bar(group, names[label], posts, shown[label])
                for label, posts in summary.labels.items()
            ],
            x=_("Posts"),
            kinds=[names[label] for label in summary.labels],
        ),
    )


def domains(study: Study) -> Drawing | None:
    """Return on which sites the evidence is."""
    found = evidence_domains(study)
    if not found:
        return None
    shown = found[:MOST_DOMAINS]
    told = [
        _("%(site)s: named in %(votes)s votes.") % {"site": one.name, "votes": one.votes}
        for one in shown
    ]
    if len(shown) < len(found):
        told.append(_("And %s more sites in the file.") % (len(found) - len(shown)))
    group = _("Site")
    return Drawing(
        name="domains",
        title=_("Where the evidence is"),
        alternative=" ".join(told),
        columns=("site", "pages", "fetched", "votes"),
        rows=[
            {"site": one.name, "pages": one.pages, "fetched": one.fetched, "votes": one.votes}
            for one in found
        ],
        picture=charts.bars(
            [Bar(group, one.name, one.votes, f"{one.votes:,}") for one in shown],
            x=_("Votes that name it"),
            kinds=[one.name for one in shown],
        ),
    )


def seconds(rounds: Rounds) -> Drawing | None:
    """Return how long experts took for a post."""
    found = times_of(rounds, EDGES)
    if found.median is None:
        return None
    names = [
        *(span_in_words(start, end) for start, end in pairwise(EDGES)),
        _("over %s min") % (EDGES[-1] // 60),
    ]
    group = _("The median is %s seconds") % f"{found.median:.0f}"
    return Drawing(
        name="seconds",
        title=_("Active time for a post"),
        alternative=" ".join(
            [
                f"{group}.",
                *(f"{name}: {votes:,}." for name, votes in zip(names, found.votes, strict=True)),
            ]
        ),
        columns=("from_seconds", "to_seconds", "votes"),
        rows=[
            {"from_seconds": start, "to_seconds": end, "votes": votes}
            for start, end, votes in zip(EDGES, (*EDGES[1:], None), found.votes, strict=True)
        ],
        picture=charts.bars(
            [
                Bar(group, name, votes, f"{votes:,}")
                for name, votes in zip(names, found.votes, strict=True)
            ],
            x=_("Votes"),
            kinds=names,
        ),
    )


def span_in_words(start: int, end: int) -> str:
    """Return a span of seconds as people read it."""
    if not start:
        return _("up to %s s") % end
    if end < 60:
        return _("%(start)s–%(end)s s") % {"start": start, "end": end}
    if start < 60:
        return _("%(start)s s–%(end)s min") % {"start": start, "end": end // 60}
    return _("%(start)s–%(end)s min") % {"start": start // 60, "end": end // 60}


def agreement_by_issue(parts: Sequence[Part]) -> Drawing | None:
    """Return the alpha on each issue with the usual marks; None where all are undefined."""
    defined = [
        Interval(part.name, found.alpha, found.interval, f"{found.alpha:.3f}")
        for part in parts
        if (found := part.agreement).alpha is not None
    ]
    if not defined:
        return None
    return Drawing(
        name="agreement-issues",
        title=_("Agreement on each issue"),
        alternative=" ".join(map(part_in_words, parts)),
        columns=("issue", "name", "posts", "alpha", "low", "high"),
        rows=[part_row(part, "issue") for part in parts],
        picture=charts.intervals(
            defined,
            x=_("Alpha, with its 95% interval"),
            marks=(TENTATIVE, RELIABLE),
            rule=_("Dashed: 0, 0.667, 0.8"),
        ),
    )
