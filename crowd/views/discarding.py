"""Throws away drafts that were made by mistake, after a look at what goes with them."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.access import Access, Permission, of_study, study_view
from annotation.models import Batch, StageCode
from annotation.services.batches import BatchRefused
from crowd.services.batches import discard_draft


@study_view(Permission.MANAGE_DATA)
def crowd_batch_discard(request: HttpRequest, access: Access, number: int) -> HttpResponse:
    """Say what goes with a draft of the crowd, and throw it away."""
    return discard(request, access, StageCode.CROWD, number)


@study_view(Permission.MANAGE_DATA)
def gold_batch_discard(request: HttpRequest, access: Access, number: int) -> HttpResponse:
    """Say what goes with a draft of the pool, and throw it away."""
    return discard(request, access, StageCode.GOLD, number)


def discard(request: HttpRequest, access: Access, stage: str, number: int) -> HttpResponse:
    """Ask before a draft of a stage is thrown away; a batch that was open is refused."""
    batch = of_study(Batch.objects.all(), access, stage=stage, number=number)
    if request.method == "POST":
        try:
            discarded = discard_draft(by=access.user, batch=batch)
            sentence = ngettext(
                "Batch %(number)s is discarded. Its %(posts)s post is free again.",
                "Batch %(number)s is discarded. Its %(posts)s posts are free again.",
                discarded.posts,
            )
            words = {"number": discarded.number, "posts": discarded.posts}
            messages.success(request, sentence % words)
        except BatchRefused as refusal:
            messages.error(request, str(refusal))
        return redirect(stage, access.study.slug)
    context = {"access": access, "study": access.study, "batch": batch, "stage": stage}
    context |= {"posts": batch.tasks.count(), "crumb": _("Discard batch %s") % number}
    return render(request, "crowd/discard.html", context)
