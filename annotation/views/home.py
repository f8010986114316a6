"""One's studies, one's profile, and a new study."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from annotation.access import person
from annotation.forms import NewStudyForm, ProfileForm
from annotation.models import Member
from annotation.queries.studies import studies_of
from annotation.registry import Link, stages
from annotation.services.people import PeopleRefused, create_study


def home(request: HttpRequest) -> HttpResponse:
    """Show the studies that one is a member of, with the work that waits in each."""
    memberships = [(member, work_links(member)) for member in studies_of(person(request))]
    return render(request, "home.html", {"memberships": memberships})


def work_links(member: Member) -> list[Link]:
    """Return where this member can work."""
    links = (stage.work(member) for stage in stages())
    return [link for link in links if link]


def profile(request: HttpRequest) -> HttpResponse:
    """Change one's name and time zone."""
    form = ProfileForm(request.POST or None, instance=person(request))
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, _("Saved."))
        return redirect("profile")
    return render(request, "profile.html", {"form": form})


def new_study(request: HttpRequest) -> HttpResponse:
    """Make a study and become its owner."""
    user = person(request)
    if not user.may_create_studies:
        raise PermissionDenied(_("Your account may not create studies; ask a site administrator."))
    form = NewStudyForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            study = create_study(by=user, owner=user, **form.cleaned_data)
            return redirect("study", study.slug)
        except PeopleRefused as refusal:
            form.add_error("slug", str(refusal))
    return render(request, "studies/new.html", {"form": form})
