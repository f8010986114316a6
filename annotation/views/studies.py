"""A study's own pages: the way of its posts, its protocol, its members, its posts."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from annotation.access import Access, Permission, of_study, study_view
from annotation.forms import MemberChangeForm, MemberForm, ProtocolForm, StudyForm
from annotation.models import Member, Post
from annotation.queries.posts import post_trace
from annotation.queries.studies import jobs_of, members_of, search_posts
from annotation.registry import stages
from annotation.services.people import (
    PeopleRefused,
    add_member,
    change_member,
    change_study,
    invite,
    reset_password,
)
from annotation.views.home import work_links

PER_PAGE = 50


@study_view(Permission.SEE_STUDY)
def study(request: HttpRequest, access: Access) -> HttpResponse:
    """Show the way of a post as a funnel to researchers, and to everybody where they can work."""
    context = {"access": access, "study": access.study, "work": work_links(access.member)}
    if access.may(Permission.SEE_RESULTS):
        reports = [(stage, stage.describe(access.study)) for stage in stages()]
        steps = (report.next_step for _stage, report in reports if report.next_step)
        context |= {
            "reports": reports,
            "next_step": next(steps, None),
            "jobs": jobs_of(access.study)[:5],
        }
    return render(request, "studies/study.html", context)


@study_view(Permission.MANAGE_STUDY)
def protocol(request: HttpRequest, access: Access) -> HttpResponse:
    """Change a study's words, state and settings."""
    posted = request.POST or None
    words = StudyForm(posted, instance=access.study)
    settings = ProtocolForm(posted, instance=access.study.protocol)
    if request.method == "POST" and words.is_valid() and settings.is_valid():
        change_study(
            by=access.member, study=access.study, **words.cleaned_data, **settings.cleaned_data
        )
        messages.success(request, _("Saved."))
        return redirect("protocol", access.study.slug)
    context = {"access": access, "study": access.study, "words": words, "settings": settings}
    return render(request, "studies/protocol.html", context)


@study_view(Permission.MANAGE_STUDY)
def members(request: HttpRequest, access: Access) -> HttpResponse:
    """List the members; let somebody in."""
    form = MemberForm(request.POST or None)
    password = ""
    if request.method == "POST" and form.is_valid():
        try:
            user, password = invite(
                name_or_email=form.cleaned_data["person"], name=form.cleaned_data["name"]
            )
            member = add_member(
                by=access.user, study=access.study, user=user, role=form.cleaned_data["role"]
            )
            messages.success(request, _("%s is a member now.") % member.user.get_full_name())
            form = MemberForm()
        except PeopleRefused as refusal:
            form.add_error("person", str(refusal))
            password = ""
    page = Paginator(members_of(access.study), PER_PAGE).get_page(request.GET.get("page"))
    context = {"access": access, "study": access.study, "form": form, "page": page}
    return render(request, "studies/members.html", context | {"password": password})


@study_view(Permission.MANAGE_STUDY)
def member(request: HttpRequest, access: Access, pseudonym: str) -> HttpResponse:
    """Change what a member is."""
    found = of_study(Member.objects.select_related("user"), access, pseudonym=pseudonym)
    initial = {"role": found.role, "is_active": found.is_active}
    form = MemberChangeForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            change_member(by=access.member, member=found, **form.cleaned_data)
            messages.success(request, _("Saved."))
            return redirect("members", access.study.slug)
        except PeopleRefused as refusal:
            form.add_error(None, str(refusal))
    context = {"access": access, "study": access.study, "form": form, "member": found}
    return render(request, "studies/member.html", context)


@require_POST
@study_view(Permission.MANAGE_STUDY)
def member_password(request: HttpRequest, access: Access, pseudonym: str) -> HttpResponse:
    """Give a member a new password, shown once."""
    found = of_study(Member.objects.select_related("user"), access, pseudonym=pseudonym)
    try:
        password = reset_password(by=access.member, member=found)
    except PeopleRefused as refusal:
        messages.error(request, str(refusal))
        return redirect("member", access.study.slug, pseudonym)
    context = {"access": access, "study": access.study, "member": found, "password": password}
    return render(request, "studies/password.html", context)


@study_view(Permission.SEE_RESULTS)
def posts(request: HttpRequest, access: Access) -> HttpResponse:
    """Search the study's posts."""
    words, kept = request.GET.get("q", ""), request.GET.get("kept", "")
    found = search_posts(access.study, words, kept)
    page = Paginator(found, PER_PAGE).get_page(request.GET.get("page"))
    context = {"access": access, "study": access.study, "page": page, "q": words, "kept": kept}
    return render(request, "studies/posts.html", context)


@study_view(Permission.SEE_RESULTS)
def post(request: HttpRequest, access: Access, post_id: int) -> HttpResponse:
    """Show one post with all that was done to it and said about it."""
    found = of_study(Post.objects.select_related("imported_in"), access, pk=post_id)
    context = {"access": access, "study": access.study, "post": found}
    return render(request, "studies/post.html", context | {"trace": post_trace(found)})
