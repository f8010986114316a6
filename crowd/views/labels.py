"""The labels of a study as researchers see and change them."""

from typing import cast

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from annotation.access import Access, Permission, study_view
from annotation.offers import may_change
from crowd.forms import BaseLabelFormSet, LabelFormSet, QuestionForm
from crowd.models import LabelSet
from crowd.queries.labels import own_label_sets
from crowd.services.defaults import own_label_set
from crowd.services.labels import LabelsRefused, write_labels


@require_safe
@study_view(Permission.SEE_RESULTS)
def crowd_labels(request: HttpRequest, access: Access) -> HttpResponse:
    """Show the labels in force, and the versions before."""
    own_label_set(access.study)
    newest, *older = own_label_sets(access.study)
    context = {
        "access": access,
        "study": access.study,
        "crumb": _("Labels"),
        "may_manage": may_change(access, Permission.MANAGE_DATA),
        "newest": newest,
        "older": older,
    }
    return render(request, "crowd/labels.html", context)


@study_view(Permission.MANAGE_DATA)
def crowd_labels_edit(request: HttpRequest, access: Access) -> HttpResponse:
    """Change the labels."""
    own_label_set(access.study)
    newest = own_label_sets(access.study)[0]
    asked, labels = label_forms(request, newest)
    if request.method == "POST" and asked.is_valid() and labels.is_valid():
        try:
            write_labels(
                by=access.user,
                study=access.study,
                labels=labels.new_labels(),
                **asked.cleaned_data,
            )
            messages.success(request, _("Saved. Batches made from now on use these labels."))
            return redirect("crowd_labels", access.study.slug)
        except LabelsRefused as refusal:
            asked.add_error(None, str(refusal))
    context = {"access": access, "study": access.study, "crumb": _("Labels"), "newest": newest}
    context |= {"asked": asked, "labels": labels}
    return render(request, "crowd/edit_labels.html", context)


def label_forms(request: HttpRequest, newest: LabelSet) -> tuple[QuestionForm, BaseLabelFormSet]:
    """Return the forms of a label set, as it is or as it was sent."""
    posted = request.POST or None
    asked = {"question": newest.question, "seen_version": newest.version}
    rows = [
        {"name": one.name, "code": one.code, "key": one.key, "description": one.description}
        for one in newest.labels.all()
    ]
    labels = LabelFormSet(posted, initial=rows, prefix="labels")
    return QuestionForm(posted, initial=asked), cast("BaseLabelFormSet", labels)
