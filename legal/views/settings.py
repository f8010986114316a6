"""The page on which researchers set what the study asks of its experts."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from annotation.access import Access, Permission, study_view
from legal.forms import SettingsForm
from legal.queries.settings import settings_of
from legal.services.settings import change_settings


@study_view(Permission.MANAGE_DATA)
def settings(request: HttpRequest, access: Access) -> HttpResponse:
    """Show and change a study's rules for its legal stage."""
    form = SettingsForm(request.POST or None, instance=settings_of(access.study))
    if request.method == "POST" and form.is_valid():
        change_settings(by=access.member, study=access.study, **form.cleaned_data)
        messages.success(request, _("Saved."))
        return redirect("legal_settings", access.study.slug)
    context = {
        "access": access,
        "study": access.study,
        "form": form,
        "crumb": _("What experts are asked"),
    }
    return render(request, "legal/settings.html", context)
