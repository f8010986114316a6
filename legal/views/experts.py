"""How well experts do against the verdict: the human ceiling, and each expert's posts behind it."""

from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from annotation.access import Access, Permission, of_study, study_view
from annotation.models import Member
from annotation.tables import csv_blocks
from annotation.views.files import csv_file
from legal.models import LABELS, Misinformation
from legal.queries.ceiling import (
    Judged,
    crossed,
    human_ceiling,
    judged_posts,
    rows_of,
    scores_of,
    with_posts,
)

PER_PAGE = 50
SHOWN = ("own", "verdict", "others")
FILE = ("post_id", *SHOWN)


@require_safe
@study_view(Permission.SEE_RESULTS)
def legal_experts(request: HttpRequest, access: Access) -> HttpResponse:
    """Show the scores of each expert, and their mean over those with enough votes."""
    context = {
        "access": access,
        "study": access.study,
        "crumb": _("Human ceiling"),
        "ceiling": human_ceiling(access.study),
    }
    return render(request, "legal/experts.html", context)


@require_safe
@study_view(Permission.SEE_RESULTS)
def legal_expert(request: HttpRequest, access: Access, pseudonym: str) -> HttpResponse:
    """Show an expert's scores, and the posts behind them: all, or those that met a verdict."""
    member = of_study(Member.objects.all(), access, pseudonym=pseudonym)
    found = judged_posts(access, member)
    asked = asked_of(request)
    wanted = [row for row in found if fits(row[1], asked)]
    page = Paginator(wanted, PER_PAGE).get_page(request.GET.get("page"))
    judged = [one for _post, one in found]
    context = {
        "access": access,
        "study": access.study,
        "crumb": member.pseudonym,
        "member": member,
        "scores": scores_of((one, 1) for one in judged),
        "tables": [
            (code, title, crossed(judged, by_others=code == "others"))
            for code, title in (
                ("verdict", _("Against the verdict")),
                ("others", _("Against the others alone")),
            )
        ],
        "labels": [Misinformation(label) for label in reversed(LABELS)],
        "names": dict(Misinformation.choices),
        "page": page,
        "rows": with_posts(list(page.object_list)),
        "asked": asked,
        "params": urlencode(asked),
    }
    return render(request, "legal/expert.html", context)


def asked_of(request: HttpRequest) -> dict[str, str]:
    """Return the labels that the address asks for; 404 for one that is none."""
    asked = {name: request.GET[name] for name in SHOWN if request.GET.get(name)}
    if set(asked.values()) - set(LABELS):
        raise Http404(_("There is no such label."))
    return asked


def fits(judged: Judged, asked: dict[str, str]) -> bool:
    """Say whether a vote is one of those asked for."""
    return all(getattr(judged, name) == label for name, label in asked.items())


@require_safe
@study_view(Permission.SEE_RESULTS)
def legal_expert_file(
    _request: HttpRequest, access: Access, pseudonym: str
) -> StreamingHttpResponse:
    """Download the posts behind an expert's scores."""
    member = of_study(Member.objects.all(), access, pseudonym=pseudonym)
    blocks = csv_blocks(FILE, rows_of(judged_posts(access, member)), spreadsheet_safe=True)
    return csv_file(blocks, f"{access.study.slug}-{member.pseudonym}.csv")
