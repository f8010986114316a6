"""How far the crowd agrees, in all and person by person, down to the posts."""

from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from annotation.access import Access, Permission, study_view
from annotation.models import StageCode
from annotation.queries.agreement import alpha_in_words, rounds_agreement
from annotation.queries.counts import Rounds, RoundsDiffer, rounds_of
from annotation.queries.pairs import equal_pairs, pairs_of, posts_of_pair
from crowd.queries.labels import label_names
from crowd.queries.rounds import hidden_posts
from crowd.views.people import person_of

PER_PAGE = 50


@require_safe
@study_view(Permission.SEE_RESULTS)
def crowd_agreement(request: HttpRequest, access: Access) -> HttpResponse:
    """Show alpha, the share of equal pairs of votes, and each two people."""
    context: dict[str, Any] = {
        "access": access,
        "study": access.study,
        "crumb": _("Agreement"),
    }
    try:
        rounds = rounds_of(access.study, StageCode.CROWD)
    except RoundsDiffer as difference:
        return render(request, "crowd/agreement.html", context | {"difference": str(difference)})
    agreement = rounds_agreement(rounds)
    context |= {
        "agreement": agreement,
        "words": alpha_in_words(agreement.alpha),
        "pairwise": equal_pairs(rounds),
        "page": Paginator(pairs_of(rounds), PER_PAGE).get_page(request.GET.get("page")),
    }
    return render(request, "crowd/agreement.html", context)


@require_safe
@study_view(Permission.SEE_RESULTS)
def crowd_pair(request: HttpRequest, access: Access, pseudonym: str, other: str) -> HttpResponse:
    """List the posts on which two people voted, with both labels."""
    first, second = person_of(access, pseudonym), person_of(access, other)
    hidden = hidden_posts(access)
    posts = posts_of_pair(one_rounds(access), first, second).exclude(pk__in=hidden)
    context = {
        "access": access,
        "study": access.study,
        "crumb": f"{first.pseudonym} · {second.pseudonym}",
        "first": first,
        "second": second,
        "names": label_names(access.study),
        "page": Paginator(posts, PER_PAGE).get_page(request.GET.get("page")),
        "has_hidden": bool(hidden),
    }
    return render(request, "crowd/pair.html", context)


def one_rounds(access: Access) -> Rounds:
    """Return the rounds that are counted together; 404 where they cannot be."""
    try:
        return rounds_of(access.study, StageCode.CROWD)
    except RoundsDiffer as difference:
        raise Http404(str(difference)) from difference
