"""Ways into a study as researchers see them: made, opened, closed, counted; never who came."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation.access import Access, Permission, of_study, study_view
from annotation.offers import may_change
from crowd.forms.recruitment import PlatformForm, RecruitmentForm, RecruitmentMoveForm
from crowd.models import Recruitment, RecruitmentKind
from crowd.queries.consent import newest_consent_text
from crowd.queries.recruitment import entry_address, recruitments_of
from crowd.services.prolific import ProlificRefused, move_on_prolific, study_on_prolific
from crowd.services.recruitment import RecruitmentRefused, create_recruitment, move_recruitment


@require_safe
@study_view(Permission.SEE_RESULTS)
def recruitments(request: HttpRequest, access: Access) -> HttpResponse:
    """List the ways into a study."""
    context = {
        "access": access,
        "study": access.study,
        "may_look": access.may(Permission.MANAGE_DATA),
        "may_manage": may_change(access, Permission.MANAGE_DATA),
        "recruitments": list(recruitments_of(access.study)),
        "has_consent": newest_consent_text(access.study) is not None,
    }
    return render(request, "recruitment/recruitments.html", context)


@study_view(Permission.MANAGE_DATA)
def recruitment_new(request: HttpRequest, access: Access) -> HttpResponse:
    """Make a way in."""
    form = RecruitmentForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            made = create_recruitment(by=access.user, study=access.study, **form.cleaned_data)
            messages.success(request, _("The way in is made. Open it when you are ready."))
            return redirect("recruitment", access.study.slug, made.number)
        except RecruitmentRefused as refusal:
            form.add_error(None, str(refusal))
    context = {"access": access, "study": access.study, "form": form, "crumb": _("New way in")}
    return render(request, "recruitment/new.html", context)


@require_safe
@study_view(Permission.MANAGE_DATA)
def recruitment(request: HttpRequest, access: Access, number: int) -> HttpResponse:
    """Show a way in: its link, its codes, and how many came."""
    found = of_study(recruitments_of(access.study), access, number=number)
    # Only the host is added: a platform would not know its placeholders again with braces encoded.
    site = request.build_absolute_uri("/").rstrip("/")
    context = {
        "access": access,
        "study": access.study,
        "crumb": found.name,
        "recruitment": found,
        "link": site + entry_address(found),
        "may_use_platform": access.may(Permission.MANAGE_STUDY),
    }
    return render(request, "recruitment/recruitment.html", context)


@require_POST
@study_view(Permission.MANAGE_DATA)
def recruitment_move(request: HttpRequest, access: Access, number: int) -> HttpResponse:
    """Open, pause or close a way in."""
    found = of_study(Recruitment.objects.all(), access, number=number)
    form = RecruitmentMoveForm(request.POST)
    try:
        if form.is_valid():
            move_recruitment(by=access.user, recruitment=found, to=form.cleaned_data["to"])
    except RecruitmentRefused as refusal:
        messages.error(request, str(refusal))
    return redirect("recruitment", access.study.slug, number)


@study_view(Permission.MANAGE_STUDY)
def recruitment_platform(request: HttpRequest, access: Access, number: int) -> HttpResponse:
    """Show the study on Prolific that a way stands for; publish, pause, change its places."""
    ways = Recruitment.objects.filter(kind=RecruitmentKind.PROLIFIC)
    found = of_study(ways, access, number=number)
    form = PlatformForm(request.POST or None)
    if request.method == "POST":
        told = ask_of_form(found, form) if form.is_valid() else _("This cannot be asked for.")
        messages.add_message(
            request, messages.ERROR if told else messages.SUCCESS, told or _("Done.")
        )
        return redirect("recruitment_platform", access.study.slug, number)
    platform, refusal = None, ""
    try:
        platform = study_on_prolific(found)
    except ProlificRefused as trouble:
        refusal = str(trouble)
    context = {
        "access": access,
        "study": access.study,
        "crumb": found.name,
        "recruitment": found,
        "platform": platform,
        "refusal": refusal,
    }
    return render(request, "recruitment/platform.html", context)


def ask_of_form(recruitment: Recruitment, form: PlatformForm) -> str:
    """Ask Prolific for something; return why it was not done."""
    try:
        move_on_prolific(recruitment=recruitment, **form.cleaned_data)
    except ProlificRefused as refusal:
        return str(refusal)
    return ""
