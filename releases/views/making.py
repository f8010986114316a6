"""The page on which a release is chosen, looked at and made."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from annotation.access import Access, Permission, study_view
from annotation.queries.counts import RoundsDiffer
from annotation.queries.jobs import awaited_job
from crowd.queries.rounds import hidden_posts
from filtering.queries.voted_posts import crowd_rounds
from releases.choices import ReleaseChoices
from releases.forms import ReleaseForm
from releases.queries.cards import card_record
from releases.queries.posts import released_posts
from releases.queries.preview import Preview, preview
from releases.queries.releases import MAKING, open_tasks
from releases.queries.sources import key_of, sources_of
from releases.services.releases import ReleaseRefused, make_release


@study_view(Permission.MANAGE_DATA)
def new_release(request: HttpRequest, access: Access) -> HttpResponseBase:
    """Choose what is released; look at its first rows; make it."""
    card = card_record(access.study)
    form = ReleaseForm(
        request.POST or None,
        initial={"licence": card.licence, "citation": card.citation},
        rounds=crowd_rounds(access.study),
        may_insist=access.may(Permission.MANAGE_STUDY),
    )
    if not form.is_valid():
        return page(request, access, form, None if form.is_bound else ReleaseChoices())
    if "look" not in request.POST:
        try:
            job = make_release(by=access.user, study=access.study, choices=form.choices())
            return redirect("job", access.study.slug, job.pk)
        except ReleaseRefused as refusal:
            messages.error(request, str(refusal))
    return page(request, access, form, form.choices())


def page(
    request: HttpRequest, access: Access, form: ReleaseForm, choices: ReleaseChoices | None
) -> HttpResponse:
    """Show the form, what is missing, and the first rows of what was chosen."""
    context = {
        "access": access,
        "study": access.study,
        "crumb": _("New release"),
        "form": form,
        "posts": released_posts(access.study).count(),
        "open_tasks": open_tasks(access.study),
        "job": awaited_job(access.study, MAKING),
        "previews": first_rows(access, choices) if choices else [],
        "has_names": bool(key_of(access.study)),
    }
    return render(request, "releases/new_release.html", context)


def first_rows(access: Access, choices: ReleaseChoices) -> list[Preview]:
    """Return the first rows; none while a crowd round is still to be chosen.

    Votes on posts whose gold label somebody has yet to give are not shown to them.
    """
    try:
        return preview(sources_of(access.study, choices), hidden_posts(access))
    except RoundsDiffer:
        return []
