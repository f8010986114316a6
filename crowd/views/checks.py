"""Silent checks for researchers: which posts serve, attention posts, and their share of a batch."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from annotation.access import Access, Permission, of_study, study_view
from annotation.models import Batch, StageCode
from annotation.services.batches import BatchRefused
from crowd.forms.quality import AttentionForm, ChecksForm, ShareForm
from crowd.queries.checks import crowd_rounds, known_answers, pool_of
from crowd.queries.labels import label_names
from crowd.services.checks import (
    CheckRefused,
    choose_checks,
    set_check_share,
    write_attention_post,
)
from crowd.services.defaults import own_label_set


@study_view(Permission.MANAGE_DATA)
def crowd_checks(request: HttpRequest, access: Access) -> HttpResponse:
    """Show the posts with a known answer; choose which of them serve as checks."""
    known = list(known_answers(access.study))
    if request.method == "POST":
        form = ChecksForm(request.POST, known=[gold.pk for gold in known])
        if form.is_valid():
            chosen = form.cleaned_data["checks"]
            number = choose_checks(by=access.user, study=access.study, gold_ids=chosen)
            messages.success(request, _("%s posts serve as checks now.") % number)
        else:
            messages.error(request, _("One of these posts has no answer that is known."))
        return redirect("crowd_checks", access.study.slug)
    names = label_names(access.study)
    context = {
        "access": access,
        "study": access.study,
        "crumb": _("Checks"),
        "rounds": crowd_rounds(access.study),
        "rows": [(gold, names.get(gold.label, gold.label)) for gold in known],
        "pool": pool_of(access.study),
    }
    return render(request, "crowd/checks.html", context)


@study_view(Permission.MANAGE_DATA)
def crowd_attention_new(request: HttpRequest, access: Access) -> HttpResponse:
    """Write an attention post."""
    labels = own_label_set(access.study).labels.values_list("code", "name")
    form = AttentionForm(request.POST or None, labels=list(labels))
    if request.method == "POST" and form.is_valid():
        try:
            write_attention_post(by=access.user, study=access.study, **form.cleaned_data)
            messages.success(request, _("The attention post is stored and serves as a check."))
            return redirect("crowd_checks", access.study.slug)
        except CheckRefused as refusal:
            form.add_error("text", str(refusal))
    context = {"access": access, "study": access.study, "form": form, "crumb": _("Attention post")}
    return render(request, "crowd/new_attention.html", context)


@require_POST
@study_view(Permission.MANAGE_DATA)
def crowd_check_share(request: HttpRequest, access: Access, number: int) -> HttpResponse:
    """Say what share of the posts are checks while a batch is handed out."""
    batch = of_study(Batch.objects.all(), access, stage=StageCode.CROWD, number=number)
    form = ShareForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("The share must be a whole number from 0 to 50."))
        return redirect("crowd_checks", access.study.slug)
    try:
        set_check_share(by=access.user, batch=batch, share=form.cleaned_data["percent"] / 100)
        messages.success(request, _("The share of batch %s is set.") % number)
    except (CheckRefused, BatchRefused) as refusal:
        messages.error(request, str(refusal))
    return redirect("crowd_checks", access.study.slug)
