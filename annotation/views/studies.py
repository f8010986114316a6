"""A study's own pages: the way of its posts, its protocol, its members, its posts."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation.access import Access, Permission, of_study, study_view
from annotation.forms import CloneForm, MemberChangeForm, MemberForm, ProtocolForm, StudyForm
from annotation.models import Member, Post
from annotation.offers import may_change
from annotation.queries.jobs import jobs_for, watch
from annotation.queries.posts import awaits_gold_vote, post_trace, skips_of
from annotation.queries.studies import members_of, search_posts
from annotation.registry import stages
from annotation.services.people import (
    PeopleRefused,
    change_member,
    change_study,
    let_in,
    reset_password,
)
from annotation.services.posts import mark_graphic
from annotation.services.studies import StudyRefused, archive_study, clone_study, reopen_study
from annotation.views.funnel import funnel_steps
from annotation.views.home import work_of

PER_PAGE = 50


@require_safe
@study_view(Permission.SEE_STUDY)
def study(request: HttpRequest, access: Access) -> HttpResponse:
    """Show the way of a post as a funnel to researchers, and to everybody where they can work."""
    context: dict[str, Any] = {
        "access": access,
        "study": access.study,
        "work": work_of(access.member),
    }
    if access.may(Permission.SEE_RESULTS):
        reports = [(stage, stage.describe(access.study)) for stage in stages()]
        steps = ((stage, report.next_step) for stage, report in reports if report.next_step)
        stage, link = next(steps, (None, None))
        context |= {
            "steps": [step for stage, report in reports for step in funnel_steps(stage, report)],
            "next_step": link,
            "next_stage": stage,
            "jobs": watch(jobs_for(access.study)[:5]) if access.may(Permission.MANAGE_DATA) else [],
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
def study_clone(request: HttpRequest, access: Access) -> HttpResponse:
    """Make a study with the same rules, without posts and people."""
    title = _("%s, again") % access.study.title
    form = CloneForm(request.POST or None, initial={"title": title})
    if request.method == "POST" and form.is_valid():
        try:
            made = clone_study(by=access.member, **form.cleaned_data)
            messages.success(request, _("The clone is made. You are its owner."))
            return redirect("study", made.slug)
        except PeopleRefused as refusal:
            form.add_error("slug", str(refusal))
    context = {"access": access, "study": access.study, "form": form, "crumb": _("Clone")}
    return render(request, "studies/clone.html", context)


@study_view(Permission.MANAGE_STUDY)
def study_archive(request: HttpRequest, access: Access) -> HttpResponse:
    """Say what the archive means; put the study there or take it out."""
    if request.method == "POST":
        move = {"archive": archive_study, "reopen": reopen_study}.get(request.POST.get("to", ""))
        try:
            if move:
                moved = move(by=access.member).get_state_display().lower()
                messages.success(request, _("The study is %s now.") % moved)
        except StudyRefused as refusal:
            messages.error(request, str(refusal))
        return redirect("study", access.study.slug)
    context = {"access": access, "study": access.study, "crumb": _("Archive")}
    return render(request, "studies/archive.html", context)


@study_view(Permission.MANAGE_STUDY)
def members(request: HttpRequest, access: Access) -> HttpResponse:
    """List the members; let somebody in."""
    form = MemberForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            member, password = let_in(by=access.user, study=access.study, **form.cleaned_data)
            if password:
                return show_password(request, access, member, password)
            messages.success(request, _("%s is a member now.") % name_of(member))
            return redirect("members", access.study.slug)
        except PeopleRefused as refusal:
            form.add_error("name_or_email", str(refusal))
    page = Paginator(members_of(access.study), PER_PAGE).get_page(request.GET.get("page"))
    context = {"access": access, "study": access.study, "form": form, "page": page}
    return render(request, "studies/members.html", context)


def name_of(member: Member) -> str:
    """Return how a member is called on pages for owners."""
    return member.user.get_full_name() if member.user else member.pseudonym


def show_password(
    request: HttpRequest, access: Access, member: Member, password: str
) -> HttpResponse:
    """Show a one-time password, on a page that no browser keeps."""
    context = {"access": access, "study": access.study, "member": member, "password": password}
    response = render(request, "studies/password.html", context | {"crumb": member.pseudonym})
    add_never_cache_headers(response)
    return response


@study_view(Permission.MANAGE_STUDY)
def member(request: HttpRequest, access: Access, pseudonym: str) -> HttpResponse:
    """Change what a member is."""
    found = of_study(Member.objects.select_related("user"), access, pseudonym=pseudonym)
    initial = {
        "role": found.role,
        "is_active": found.is_active,
        "permissions": found.permissions,
    }
    form = MemberChangeForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            change_member(by=access.member, member=found, **form.cleaned_data)
            messages.success(request, _("Saved."))
            return redirect("members", access.study.slug)
        except PeopleRefused as refusal:
            form.add_error(None, str(refusal))
    context = {"access": access, "study": access.study, "form": form, "member": found}
    return render(request, "studies/member.html", context | {"crumb": found.pseudonym})


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
    return show_password(request, access, found, password)


@require_safe
@study_view(Permission.SEE_RESULTS)
def posts(request: HttpRequest, access: Access) -> HttpResponse:
    """Search the study's posts."""
    words, kept = request.GET.get("q", ""), request.GET.get("kept", "")
    found = search_posts(access.study, words, kept)
    page = Paginator(found, PER_PAGE).get_page(request.GET.get("page"))
    context = {"access": access, "study": access.study, "page": page, "q": words, "kept": kept}
    others = {name: value for name, value in (("q", words), ("kept", kept)) if value}
    context |= {
        "params": urlencode(others),
        "may_import": may_change(access, Permission.MANAGE_DATA),
    }
    return render(request, "studies/posts.html", context)


@require_safe
@study_view(Permission.SEE_RESULTS)
def post(request: HttpRequest, access: Access, post_id: int) -> HttpResponse:
    """Show one post with all that was done to it and said about it."""
    found = of_study(Post.objects.select_related("imported_in"), access, pk=post_id)
    is_hidden = access.may(Permission.LABEL_GOLD) and awaits_gold_vote(found, access.member)
    context = {
        "access": access,
        "study": access.study,
        "post": found,
        "crumb": found.external_id,
        "is_hidden": is_hidden,
        "may_import": may_change(access, Permission.MANAGE_DATA),
        "trace": None if is_hidden else post_trace(found),
        "skips": skips_of(found),
    }
    return render(request, "studies/post.html", context)


@require_POST
@study_view(Permission.MANAGE_DATA)
def post_graphic(request: HttpRequest, access: Access, post_id: int) -> HttpResponse:
    """Mark a post as graphic, or take the mark away."""
    found = of_study(Post.objects.all(), access, pk=post_id)
    marked = mark_graphic(
        by=access.user, post=found, is_graphic=request.POST.get("to") == "graphic"
    )
    if marked.is_graphic:
        messages.success(request, _("Marked: annotators see its text only when they ask for it."))
    else:
        messages.success(request, _("The mark is gone: annotators see its text at once."))
    return redirect("post", access.study.slug, post_id)
