"""What the crowd's votes make of each post, as a file."""

from collections.abc import Iterator

from django.http import Http404, HttpRequest, StreamingHttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from annotation.access import Access, Permission, study_view
from annotation.models import StageCode
from annotation.queries.counts import Rounds, RoundsDiffer, rounds_of
from annotation.tables import csv_blocks
from annotation.views.files import csv_file
from crowd.forms import whole
from crowd.queries.estimates import newest_estimate
from crowd.queries.outcomes import Outcome, outcomes
from crowd.queries.rounds import hidden_posts

# Whether a file is safe to open in a spreadsheet, and so not exact.
FILES = {"labels.csv": False, "spreadsheet.csv": True}
OF_LABEL = ("votes", "share", "chance")


@require_safe
@study_view(Permission.SEE_RESULTS)
def crowd_posts_file(request: HttpRequest, access: Access, name: str) -> StreamingHttpResponse:
    """Download counts, majority, soft label and chances of each post, of all rounds or of one."""
    if name not in FILES:
        raise Http404(_("There is no such file."))
    rounds = rounds_asked(access, request.GET.get("batch", ""))
    found = outcomes(rounds, newest_estimate(access.study), hidden_posts(access))
    lines = csv_of(found, rounds, is_safe=FILES[name])
    return csv_file(lines, f"{access.study.slug}-{name}")


def rounds_asked(access: Access, batch: str) -> Rounds:
    """Return the round that an address names, or all; 404 where they cannot be counted together."""
    number = whole(batch)
    if batch and number is None:
        raise Http404(_("A round is named by its number."))
    try:
        return rounds_of(access.study, StageCode.CROWD, number)
    except RoundsDiffer as difference:
        raise Http404(str(difference)) from difference


def csv_of(found: Iterator[Outcome], rounds: Rounds, *, is_safe: bool) -> Iterator[bytes]:
    """Return the file in blocks."""
    of_labels = (f"{figure}_{label}" for label in rounds.labels for figure in OF_LABEL)
    columns = ("post_id", "votes", "label", "tie", "likeliest", *of_labels)
    return csv_blocks(columns, map(row_of, found), spreadsheet_safe=is_safe)


def row_of(outcome: Outcome) -> dict[str, object]:
    """Return a post as a row."""
    chances = outcome.chances or {}
    row: dict[str, object] = {
        "post_id": outcome.post,
        "votes": outcome.majority.votes,
        "label": outcome.majority.label,
        "tie": outcome.majority.tie,
        "likeliest": outcome.likeliest,
    }
    for label, votes in outcome.majority.counts.items():
        row |= {
            f"votes_{label}": votes,
            f"share_{label}": outcome.soft[label],
            f"chance_{label}": chances.get(label),
        }
    return row
