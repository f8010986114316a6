"""What Prolific is asked for: what waits, what was not done and why, and a way to try again."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from annotation.access import Access, Permission, of_study, study_view
from crowd.forms.pay import ErrandForm, TryAgainForm
from crowd.models import Errand, ErrandState
from crowd.queries.errands import TO_LOOK_AT, errand_counts, errands_of
from crowd.services.errands import ErrandRefused, settle_errand, try_again

PER_PAGE = 50


@require_safe
@study_view(Permission.REVIEW_PAY)
def pay_errands(request: HttpRequest, access: Access) -> HttpResponse:
    """List what Prolific is asked for; of all states, or of one."""
    show = request.GET.get("show", "")
    if show and show not in set(ErrandState):
        raise Http404(_("There is no such state."))
    errands = errands_of(access.study).filter(**({"state": show} if show else {}))
    counts = errand_counts(access.study)
    context = {
        "access": access,
        "study": access.study,
        "crumb": _("At Prolific"),
        "show": show,
        "states": [(state, counts.get(state, 0)) for state in ErrandState],
        "to_look_at": sum(counts.get(state, 0) for state in TO_LOOK_AT),
        "failed": counts.get(ErrandState.FAILED, 0),
        "page": Paginator(errands, PER_PAGE).get_page(request.GET.get("page")),
        "may_manage": access.may(Permission.MANAGE_PAY),
    }
    return render(request, "pay/errands.html", context)


@require_POST
@study_view(Permission.REVIEW_PAY)
def pay_errands_retry(request: HttpRequest, access: Access) -> HttpResponse:
    """Ask once more for one thing that was not done, or for all."""
    form = TryAgainForm(request.POST)
    one = form.cleaned_data["errand"] if form.is_valid() else 0
    failed = errands_of(access.study).filter(state=ErrandState.FAILED)
    chosen = failed.filter(**({} if one is None else {"pk": one})).values_list("pk", flat=True)
    number = try_again(by=access.user, study=access.study, errands=list(chosen))
    if number:
        words = ngettext(
            "Prolific is asked once more for %s thing.",
            "Prolific is asked once more for %s things.",
            number,
        )
        messages.success(request, words % number)
    else:
        messages.info(request, _("There is nothing to ask for once more."))
    return redirect("pay_errands", access.study.slug)


@require_POST
@study_view(Permission.MANAGE_PAY)
def pay_errand_settle(request: HttpRequest, access: Access, errand_id: int) -> HttpResponse:
    """Say what became of something that Prolific did not do, or perhaps did."""
    errand = of_study(Errand.objects.all(), access, pk=errand_id)
    form = ErrandForm(request.POST)
    try:
        if form.is_valid():
            settle_errand(by=access.user, errand=errand, outcome=form.cleaned_data["outcome"])
            messages.success(request, _("Noted."))
        else:
            messages.error(request, _("Choose what became of it."))
    except ErrandRefused as refusal:
        messages.info(request, str(refusal))
    return redirect("pay_errands", access.study.slug)
