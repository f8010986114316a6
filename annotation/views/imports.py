"""Files in: upload, look through, settle on columns, import."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from annotation.access import Access, Permission, of_study, study_view
from annotation.forms import LoadForm, UploadForm
from annotation.models import BadRows, ImportFile
from annotation.offers import may_change
from annotation.queries.jobs import latest_job_of, watch
from annotation.queries.studies import twin_of
from annotation.registry import importer
from annotation.services.reading import bad_rows_path, most_upload_bytes
from annotation.services.uploads import UploadRefused, queue_check, queue_load, store_file

PER_PAGE = 25


@study_view(Permission.MANAGE_DATA)
def imports(request: HttpRequest, access: Access) -> HttpResponse:
    """List the files of a study; take a new one."""
    form = UploadForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        upload = form.cleaned_data["file"]
        try:
            file = store_file(
                by=access.user,
                study=access.study,
                kind=form.cleaned_data["importer"],
                name=upload.name,
                content=upload,
                most_bytes=most_upload_bytes(),
            )
            job = queue_check(by=access.user, file=file)
            return redirect("job", access.study.slug, job.pk)
        except UploadRefused as refusal:
            form.add_error("file", str(refusal))
    page = Paginator(access.study.imports.all(), PER_PAGE).get_page(request.GET.get("page"))
    context = {"access": access, "study": access.study, "form": form, "page": page}
    context["may_import"] = may_change(access, Permission.MANAGE_DATA)
    return render(request, "imports/imports.html", context)


@study_view(Permission.MANAGE_DATA)
def import_file(request: HttpRequest, access: Access, import_id: int) -> HttpResponse:
    """Show what was found in a file; look through it again or import it."""
    file = of_study(ImportFile.objects.all(), access, pk=import_id)
    form = load_form(request, file)
    if request.method == "POST" and form.is_valid():
        queue = queue_check if "check" in request.POST else queue_load
        try:
            job = queue(
                by=access.user,
                file=file,
                bad_rows=form.cleaned_data["bad_rows"],
                columns=form.columns(),
                told=form.told(),
            )
            return redirect("job", access.study.slug, job.pk)
        except UploadRefused as refusal:
            messages.error(request, str(refusal))
            return redirect("import", access.study.slug, file.pk)
    context = {"access": access, "study": access.study, "form": form, "crumb": file.name}
    return render(request, "imports/import.html", context | file_facts(file))


def load_form(request: HttpRequest, file: ImportFile) -> LoadForm:
    """Return the form about a file's columns, filled with what was chosen or guessed."""
    return LoadForm(
        request.POST or None,
        kind=importer(file.importer),
        columns=file.report.get("columns", []),
        chosen=file.report.get("chosen", {}) | (file.options.get("columns") or {}),
        told=file.options.get("told") or {},
        initial={"bad_rows": BadRows.SKIP if file.report.get("bad") else file.bad_rows},
    )


def file_facts(file: ImportFile) -> dict[str, Any]:
    """Return what the page tells about a file."""
    job = latest_job_of(file)
    return {
        "file": file,
        "kind": importer(file.importer),
        "job": job,
        "watched": watch([job])[0] if job and not job.has_ended else None,
        "twin": twin_of(file),
        "has_bad_rows": bad_rows_path(file).exists() and bool(file.report.get("bad")),
    }


@require_safe
@study_view(Permission.MANAGE_DATA)
def bad_rows(request: HttpRequest, access: Access, import_id: int) -> HttpResponseBase:
    """Download a file's bad rows."""
    file = of_study(ImportFile.objects.all(), access, pk=import_id)
    path = bad_rows_path(file)
    if not path.exists():
        raise Http404
    return FileResponse(path.open("rb"), as_attachment=True, filename=f"bad-rows-{file.pk}.csv")
