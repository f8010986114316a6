"""The crowd's instructions as researchers see and change them: each change is a new version."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from annotation.access import Access, Permission, study_view
from annotation.markdown import render_markdown
from crowd.forms import InstructionsForm
from crowd.queries.instructions import metadata_columns, versions_of
from crowd.services.defaults import current_instructions
from crowd.services.instructions import InstructionsRefused, write_instructions


@require_safe
@study_view(Permission.SEE_RESULTS)
def crowd_instructions(request: HttpRequest, access: Access) -> HttpResponse:
    """Show the newest instructions, or an older version."""
    newest = current_instructions(access.study)
    versions = versions_of(access.study)
    wanted = request.GET.get("version", str(newest.version))
    shown = next((one for one in versions if str(one.version) == wanted), None)
    if shown is None:
        raise Http404(_("There is no such version of the instructions."))
    context = {
        "access": access,
        "study": access.study,
        "crumb": _("Instructions"),
        "may_manage": access.may(Permission.MANAGE_DATA),
        "shown": shown,
        "newest": newest,
        "versions": versions,
        "introduction": render_markdown(shown.introduction, 3),
        "guide": render_markdown(shown.markdown, 3),
    }
    return render(request, "crowd/instructions.html", context)


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
    if request.method == "POST" and form.is_valid():
        try:
            write_instructions(by=access.user, study=access.study, **form.cleaned_data)
            messages.success(request, _("Saved. Workers read it before their next post."))
            return redirect("crowd_instructions", access.study.slug)
        except InstructionsRefused as refusal:
            form.add_error(None, str(refusal))
    context = {"access": access, "study": access.study, "form": form, "crumb": _("Instructions")}
    return render(request, "crowd/edit_instructions.html", context)
