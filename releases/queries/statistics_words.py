"""The stored figures of a study as its page shows them, each with a page of what is behind it."""

from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.models import Study
from legal.queries.verdict_posts import WHICH
from releases.models import StudyStatistics
from releases.queries.words import Line, table_lines


@dataclass(frozen=True)
class Stat:
    """A number with what it counts, and the page of what is behind it."""

    label: str
    value: str
    words: str = ""
    url: str = ""


@dataclass(frozen=True)
class ShownFigures:
    """The numbers of the page that are not in a picture."""

    table: list[Line]
    way: list[Stat]
    work: list[Stat]


def shown_figures(study: Study, stored: StudyStatistics) -> ShownFigures:
    """Return the figures as people read them."""
    content = stored.content
    return ShownFigures(
        table=table_lines(content["table_1"], urls_of_table(study)),
        way=way_of_posts(study, content["counts"], stored.state["run"]),
        work=[*times(study, content["time"]), *pay(study, content["pay"])],
    )


def urls_of_table(study: Study) -> dict[str, str]:
    """Return for each line of Table 1 the page that lists its posts."""
    verdicts = reverse("legal_verdicts", args=[study.slug])
    crowd = reverse("crowd_posts", args=[study.slug])
    posts = reverse("posts", args=[study.slug])
    return {
        "total": f"{posts}?kept=kept",
        "checkworthy": f"{crowd}?majority=checkworthy",
        **{key: f"{verdicts}?which={key}" for key in WHICH if key},
    }


def way_of_posts(study: Study, counts: dict[str, int], run: int | None) -> list[Stat]:
    """Return how many posts came how far."""
    slug = [study.slug]
    runs = reverse("filter_run", args=[study.slug, run]) if run else reverse("filters", args=slug)
    return [
        Stat(_("Posts imported"), f"{counts['imported']:,}", url=reverse("posts", args=slug)),
        Stat(
            _("With votes of the crowd"),
            f"{counts['with_crowd_votes']:,}",
            _("on %s of them labels are tied") % f"{counts['crowd_ties']:,}",
            reverse("crowd_posts", args=slug),
        ),
        Stat(
            _("Kept by the filter"),
            f"{counts['filtered']:,}",
            _("%s were removed") % f"{counts['removed_by_filter']:,}",
            runs,
        ),
        Stat(
            _("With a verdict"),
            f"{counts['verdicts']:,}",
            _("%(ties)s ties, %(decided)s decided by an adjudicator; %(waiting)s want more votes")
            % {
                "ties": f"{counts['verdict_ties']:,}",
                "decided": f"{counts['verdicts_decided']:,}",
                "waiting": f"{counts['awaiting_votes']:,}",
            },
            reverse("legal_verdicts", args=slug),
        ),
    ]


def times(study: Study, found: dict[str, list[dict[str, Any]]]) -> list[Stat]:
    """Return the active hours of each stage where any time is known."""
    pages = {"crowd": ("crowd_people", _("Active hours of the crowd"))}
    pages["legal"] = ("legal_experts", _("Active hours of experts"))
    told = _("for %(votes)s votes; the median is %(median)s s")
    return [
        Stat(
            label,
            f"{all_votes['hours']:,.1f}",
            told
            % {"votes": f"{all_votes['votes']:,}", "median": f"{all_votes['quartiles'][1]:,.1f}"},
            reverse(page, args=[study.slug]),
        )
        for stage, (page, label) in pages.items()
        if (all_votes := found[stage][0])["quartiles"]
    ]


def pay(study: Study, found: list[dict[str, Any]]) -> list[Stat]:
    """Return what the crowd's work cost, in each currency."""
    return [
        Stat(
            _("Pay of the crowd, in %s") % one["currency"],
            one["entered"],
            pay_in_words(one),
            f"{reverse('pay', args=[study.slug])}?currency={one['currency']}",
        )
        for one in found
    ]


def pay_in_words(one: dict[str, Any]) -> str:
    """Tell what is paid and waits, and what a vote and a post came to."""
    told = [_("%(paid)s paid out, %(waiting)s not decided on yet") % one]
    if one["per_vote"] is not None:
        told.append(_("%(per_vote)s for each counted vote, %(per_post)s for each post") % one)
    if one["hourly"] is not None:
        told.append(_("%(hourly)s an active hour") % one)
    return "; ".join(told)
