"""Rules about the quality of work, and what they saw, for researchers."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from annotation.access import Access, Permission, of_study, study_view
from crowd.forms.quality import FlagForm, RuleForm
from crowd.models import Flag, QualityRule
from crowd.queries.quality import open_flags, rules_of
from crowd.services.quality import settle, write_rule


@study_view(Permission.MANAGE_DATA)
def crowd_rules(request: HttpRequest, access: Access) -> HttpResponse:
    """List the rules and what they saw; make a rule."""
    form = RuleForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        write_rule(by=access.user, study=access.study, **form.cleaned_data)
        messages.success(request, _("The rule is made."))
        return redirect("crowd_rules", access.study.slug)
    return show(request, access, form, {"crumb": _("Rules")})


@study_view(Permission.MANAGE_DATA)
def crowd_rule(request: HttpRequest, access: Access, rule_id: int) -> HttpResponse:
    """Change a rule."""
    rule = of_study(QualityRule.objects.all(), access, pk=rule_id)
    form = RuleForm(request.POST or None, instance=rule)
    if request.method == "POST" and form.is_valid():
        write_rule(by=access.user, study=access.study, rule=rule, **form.cleaned_data)
        messages.success(request, _("The rule is changed."))
        return redirect("crowd_rules", access.study.slug)
    return show(request, access, form, {"crumb": _("Change a rule"), "rule": rule})


def show(
    request: HttpRequest, access: Access, form: RuleForm, more: dict[str, Any]
) -> HttpResponse:
    """Render the page of the rules."""
    context = {
        "access": access,
        "study": access.study,
        "form": form,
        "rules": rules_of(access.study),
        "flags": open_flags(access.study),
    }
    return render(request, "crowd/rules.html", context | more)


@require_POST
@study_view(Permission.MANAGE_DATA)
def crowd_flag_settle(request: HttpRequest, access: Access, flag_id: int) -> HttpResponse:
    """Close a flag with a note."""
    flags = Flag.objects.filter(member__study=access.study).select_related("member")
    flag = get_object_or_404(flags, pk=flag_id)
    form = FlagForm(request.POST)
    note = form.cleaned_data["note"] if form.is_valid() else ""
    settle(by=access.user, flag=flag, note=note)
    messages.success(request, _("The flag is settled."))
    return redirect("crowd_person", access.study.slug, flag.member.pseudonym)
