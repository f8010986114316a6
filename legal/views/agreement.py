"""How far experts agree, in all and in parts, down to the posts that entered each figure."""

from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from annotation.access import Access, Permission, of_study, study_view
from annotation.models import Member, StageCode
from annotation.queries.agreement import alpha_in_words
from annotation.queries.breakdowns import breakdown
from annotation.queries.counts import Rounds, rounds_of
from annotation.queries.pairs import agreement_of_pairs, pairs_of, posts_of_pair
from annotation.queries.parts import PostsOfPart
from annotation.registry import Text
from annotation.tables import csv_blocks
from annotation.views.files import csv_file
from legal.models import Misinformation
from legal.queries.agreement import (
    SUMS,
    entered,
    hidden_posts,
    legal_agreement,
    words_of,
)

PER_PAGE = 50
PAIRS_PER_PAGE = 25
PAIR = "pair"
TITLES: dict[str, Text] = {
    "issue": gettext_lazy("By issue"),
    "week": gettext_lazy("By week"),
    "batch": gettext_lazy("By batch"),
    PAIR: gettext_lazy("Two by two"),
}
COLUMNS: dict[str, Text] = {
    "not_mislc": gettext_lazy("Not MisLC"),
    "mislc": gettext_lazy("MisLC"),
    "not_raised": gettext_lazy("Did not raise it"),
    "raised": gettext_lazy("Raised it"),
    **{label.value: label.label for label in Misinformation},
}


@require_safe
@study_view(Permission.SEE_RESULTS)
def legal_agreement_page(request: HttpRequest, access: Access) -> HttpResponse:
    """Show alpha on the label and on MisLC or not, and in the parts that the address asks for."""
    by = request.GET.get("by", "issue")
    if by not in TITLES:
        raise Http404(_("Agreement is not counted that way."))
    rounds = rounds_of(access.study, StageCode.LEGAL)
    found = legal_agreement(rounds)
    context = {
        "access": access,
        "study": access.study,
        "crumb": _("Agreement"),
        "found": found,
        "words": {
            "label": alpha_in_words(found.label.alpha),
            "mislc": alpha_in_words(found.mislc.alpha),
        },
        "by": by,
        "title": TITLES[by],
        "tabs": tabs_of(access, by),
        **rows_of(request, access, rounds, by),
    }
    return render(request, "legal/agreement.html", context)


def tabs_of(access: Access, by: str) -> list[dict[str, Any]]:
    """Return the ways in which agreement is counted, with the present one marked."""
    address = reverse("legal_agreement", args=[access.study.slug])
    return [
        {"label": title, "url": f"{address}?by={code}", "current": code == by}
        for code, title in TITLES.items()
    ]


def rows_of(request: HttpRequest, access: Access, rounds: Rounds, by: str) -> dict[str, Any]:
    """Return the parts, or a page of the pairs with their alphas."""
    if by != PAIR:
        return {"parts": breakdown(access.study, StageCode.LEGAL, by)}
    page = Paginator(pairs_of(rounds), PAIRS_PER_PAGE).get_page(request.GET.get("page"))
    return {"page": page, "pairs": agreement_of_pairs(rounds, list(page.object_list))}


@require_safe
@study_view(Permission.SEE_RESULTS)
def legal_agreement_posts(request: HttpRequest, access: Access) -> HttpResponse:
    """List the posts that entered a figure, with their votes."""
    of, posts = posts_asked(request, access)
    columns = [COLUMNS[label] for label in posts.found.labels]
    listed: Any = posts
    page = Paginator(listed, PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "access": access,
        "study": access.study,
        "crumb": words_of(access.study, of, posts.part),
        "page": page,
        "columns": columns,
        "rows": [(one.post, list(zip(columns, one.counts, strict=True))) for one in page],
        "params": urlencode({"of": of, "part": posts.part}),
        "has_hidden": bool(posts.hidden),
    }
    return render(request, "legal/agreement_posts.html", context)


@require_safe
@study_view(Permission.SEE_RESULTS)
def legal_agreement_file(request: HttpRequest, access: Access) -> StreamingHttpResponse:
    """Download the posts that entered a figure."""
    of, posts = posts_asked(request, access)
    labels = posts.found.labels
    rows = (
        {"post_id": one.post.external_id, **dict(zip(labels, one.counts, strict=True))}
        for one in posts
    )
    blocks = csv_blocks(("post_id", *labels), rows, spreadsheet_safe=True)
    name = "-".join(filter(None, (access.study.slug, "agreement", of, posts.part)))
    return csv_file(blocks, f"{name}.csv")


def posts_asked(request: HttpRequest, access: Access) -> tuple[str, PostsOfPart]:
    """Return what the address asks for: a sum, and the posts of one of its parts."""
    of = request.GET.get("of", "label")
    part = request.GET.get("part", "")
    if of not in SUMS or "\0" in part:
        raise Http404(_("There is no such figure."))
    return of, entered(access, of, part)


@require_safe
@study_view(Permission.SEE_RESULTS)
def legal_pair(request: HttpRequest, access: Access, pseudonym: str, other: str) -> HttpResponse:
    """List the posts on which two experts voted, with both labels."""
    people = Member.objects.all()
    first, second = (of_study(people, access, pseudonym=name) for name in (pseudonym, other))
    rounds = rounds_of(access.study, StageCode.LEGAL)
    hidden = hidden_posts(access, rounds)
    posts = posts_of_pair(rounds, first, second).exclude(pk__in=hidden)
    context = {
        "access": access,
        "study": access.study,
        "crumb": f"{first.pseudonym} · {second.pseudonym}",
        "first": first,
        "second": second,
        "names": dict(Misinformation.choices),
        "page": Paginator(posts, PER_PAGE).get_page(request.GET.get("page")),
        "has_hidden": bool(hidden),
    }
    return render(request, "legal/pair.html", context)
