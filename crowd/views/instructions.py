"""The crowd's instructions as researchers see and change them: each change is a new version."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from annotation.access import Access, Permission, study_view
from annotation.markdown import render_markdown
from annotation.offers import may_change
from crowd.forms import InstructionsForm
from crowd.models import Instructions
from crowd.queries.instructions import (
    changes_between,
    metadata_columns,
    readers_of,
    versions_of,
)
from crowd.services.defaults import current_instructions
from crowd.services.instructions import InstructionsRefused, write_instructions

PER_PAGE = 25


@require_safe
@study_view(Permission.SEE_RESULTS)
def crowd_instructions(request: HttpRequest, access: Access) -> HttpResponse:
    """Show the newest instructions, or an older version."""
    newest = current_instructions(access.study)
    versions = list(versions_of(access.study))
    shown = version_named(versions, request.GET.get("version", str(newest.version)))
    context = {
        "access": access,
        "study": access.study,
        "crumb": _("Instructions"),
        "may_manage": may_change(access, Permission.MANAGE_DATA),
        "shown": shown,
        "newest": newest,
        "versions": versions,
        "introduction": render_markdown(shown.introduction, 3),
        "guide": render_markdown(shown.markdown, 3),
        "readers": Paginator(readers_of(shown), PER_PAGE).get_page(request.GET.get("page")),
        "params": urlencode({"version": shown.version}),
    }
    context |= since(versions, shown, request.GET.get("since", ""))
    return render(request, "crowd/instructions.html", context)


def version_named(versions: list[Instructions], wanted: str) -> Instructions:
    """Return a version by its number as it stands in an address."""
    found = next((one for one in versions if str(one.version) == wanted), None)
    if found is None:
        raise Http404(_("There is no such version of the instructions."))
    return found


def since(versions: list[Instructions], shown: Instructions, wanted: str) -> dict[str, Any]:
    """Return what changed since another version: the one before, if none is named."""
    if not wanted and shown.version == 1:
        return {}
    old = version_named(versions, wanted or str(shown.version - 1))
    return {"before": old, "changes": changes_between(old, shown)}


@study_view(Permission.MANAGE_DATA)
def crowd_instructions_edit(request: HttpRequest, access: Access) -> HttpResponse:
    """Write a new version of the instructions."""
    newest = current_instructions(access.study)
    initial = {
        "introduction": newest.introduction,
        "markdown": newest.markdown,
        "shown_metadata": newest.shown_metadata,
        "seen_version": newest.version,
    }
    columns = sorted({*metadata_columns(access.study), *newest.shown_metadata})
    form = InstructionsForm(request.POST or None, columns=columns, initial=initial)
    context = {"access": access, "study": access.study, "form": form, "crumb": _("Instructions")}
    if request.method == "POST" and form.is_valid() and "preview" in request.POST:
        context["preview"] = {
            name: render_markdown(form.cleaned_data[name], 3)
            for name in ("introduction", "markdown")
        }
    elif request.method == "POST" and form.is_valid():
        try:
            write_instructions(by=access.user, study=access.study, **form.cleaned_data)
            messages.success(request, _("Saved. Workers read it before their next post."))
            return redirect("crowd_instructions", access.study.slug)
        except InstructionsRefused as refusal:
            form.add_error(None, str(refusal))
    return render(request, "crowd/edit_instructions.html", context)
