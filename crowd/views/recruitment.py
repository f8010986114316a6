"""Ways into a study as researchers see them: made, opened, closed, counted; never who came."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation.access import Access, Permission, of_study, study_view
from annotation.services.archive import hold_open
from crowd.forms.recruitment import PlatformForm, RecruitmentForm, RecruitmentMoveForm
from crowd.models import Recruitment, RecruitmentKind
from crowd.queries.consent import newest_consent_text
from crowd.queries.recruitment import recruitments_of
from crowd.services.prolific import Prolific, ProlificRefused, ProlificStudy
from crowd.services.recruitment import RecruitmentRefused, create_recruitment, move_recruitment

PROLIFIC_PARAMETERS = (
    "?PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}"
)


@require_safe
@study_view(Permission.SEE_RESULTS)
def recruitments(request: HttpRequest, access: Access) -> HttpResponse:
    """List the ways into a study."""
    context = {
        "access": access,
        "study": access.study,
        "may_manage": access.may(Permission.MANAGE_DATA),
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
    context = {
        "access": access,
        "study": access.study,
        "crumb": found.name,
        "recruitment": found,
        "link": link_of(request, found),
        "may_use_platform": access.may(Permission.MANAGE_STUDY),
    }
    return render(request, "recruitment/recruitment.html", context)


def link_of(request: HttpRequest, recruitment: Recruitment) -> str:
    """Return the address to give to people or to a platform."""
    name = "join_hit" if recruitment.kind == RecruitmentKind.MTURK else "join"
    address = request.build_absolute_uri(reverse(name, args=[recruitment.token]))
    if recruitment.kind == RecruitmentKind.PROLIFIC:
        return address + PROLIFIC_PARAMETERS
    if recruitment.kind == RecruitmentKind.PANEL:
        signature = recruitment.signature_parameter
        return f"{address}?{recruitment.id_parameter}=ID" + (f"&{signature}=…" if signature else "")
    return address


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
        told = tell_platform(found, form) if form.is_valid() else _("This cannot be asked for.")
        messages.add_message(
            request, messages.ERROR if told else messages.SUCCESS, told or _("Done.")
        )
        return redirect("recruitment_platform", access.study.slug, number)
    platform, refusal = look_at_platform(found)
    context = {
        "access": access,
        "study": access.study,
        "crumb": found.name,
        "recruitment": found,
        "platform": platform,
        "refusal": refusal,
    }
    return render(request, "recruitment/platform.html", context)


def look_at_platform(recruitment: Recruitment) -> tuple[ProlificStudy | None, str]:
    """Return the study on Prolific, or why it cannot be shown."""
    api = Prolific.of_site()
    if api is None:
        return None, _("This site has no token of Prolific's: JURYROOM_PROLIFIC_TOKEN is not set.")
    if not recruitment.external_study_id:
        return None, _("This way in names no study on Prolific.")
    try:
        return api.study(recruitment.external_study_id), ""
    except ProlificRefused as refusal:
        return None, str(refusal)


def tell_platform(recruitment: Recruitment, form: PlatformForm) -> str:
    """Ask Prolific for something; return why it was not done."""
    api, study_id = Prolific.of_site(), recruitment.external_study_id
    if api is None or not study_id:
        return _("This way in is not connected to Prolific.")
    if form.cleaned_data["action"] != "pause":
        hold_open(recruitment.study_id)
    places = form.cleaned_data["places"]
    actions: dict[str, Callable[[], None]] = {
        "publish": lambda: api.publish(study_id),
        "pause": lambda: api.pause(study_id),
        "go_on": lambda: api.go_on(study_id),
        "change_places": lambda: api.change_places(study_id, places),
    }
    try:
        actions[form.cleaned_data["action"]]()
    except ProlificRefused as refusal:
        return str(refusal)
    return ""
