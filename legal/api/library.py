"""The legal library: documents in and out, its versions, and its search."""

import base64
import binascii
import io
from dataclasses import asdict

from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Permission, of_study
from annotation.api.endpoint import CONFLICT, Nothing, StudyEndpoint, operation
from annotation.api.errors import UNPROCESSABLE, bad_fields
from legal.algorithms.bm25 import Formula
from legal.algorithms.passages import Cutting
from legal.api.library_shapes import (
    AboutDocument,
    BuildJob,
    DocumentRow,
    DocumentText,
    DocumentWithJob,
    NewDocument,
    NewVersion,
    PassageHit,
    SearchQuery,
    VersionRow,
)
from legal.models import LibraryDocument
from legal.queries.library import LibraryUnusable, current_version, search
from legal.queries.library_documents import documents_of, versions_of
from legal.services.library_documents import (
    About,
    LibraryRefused,
    add_document,
    change_document,
    queue_build,
    remove_document,
)


class Documents(StudyEndpoint):
    """The documents of the library."""

    needs = {"GET": Permission.READ_LIBRARY, "POST": Permission.MANAGE_DATA}

    @operation(DocumentRow, is_page=True)
    def get(self, request: Request) -> Response:
        """List the documents, without their texts."""
        return self.page(documents_of(self.access.study), ("pk",))

    @operation(
        DocumentWithJob, sends=NewDocument, code=201, refusals={LibraryRefused: UNPROCESSABLE}
    )
    def post(self, request: Request) -> Response:
        """Take a document in; a job reads it and builds the next version."""
        sent = dict(self.sent)
        name, content = sent.pop("name"), decoded(sent.pop("content"))
        by, study = self.access.user, self.access.study
        document = add_document(
            by=by, study=study, name=name, content=io.BytesIO(content), about=About(**sent)
        )
        job = queue_build(by=by, study=study)
        return self.answer({"document": document.pk, "job": job.pk})


def decoded(content: str) -> bytes:
    """Return the bytes of a file that came as text."""
    try:
        return base64.b64decode(content, validate=True)
    except (binascii.Error, ValueError):
        raise bad_fields({"content": [_("This is no Base64.")]}) from None


class OneDocument(StudyEndpoint):
    """One document."""

    needs = {"GET": Permission.READ_LIBRARY, "PATCH": Permission.MANAGE_DATA}

    @operation(DocumentText)
    def get(self, request: Request, document_id: int) -> Response:
        """Give a document with its text."""
        documents = documents_of(self.access.study).defer(None)
        return self.answer(of_study(documents, self.access, pk=document_id))

    @operation(DocumentRow, sends=AboutDocument, is_partial=True)
    def patch(self, request: Request, document_id: int) -> Response:
        """Change what is said about a document."""
        documents = documents_of(self.access.study)
        found = of_study(documents, self.access, pk=document_id)
        said = {name: getattr(found, name) for name in asdict(About())}
        about = About(**{**said, **self.sent})
        return self.answer(change_document(by=self.access.user, document=found, about=about))


class Removal(StudyEndpoint):
    """Taking a document out of the library."""

    needs = {"POST": Permission.MANAGE_DATA}

    @operation(BuildJob, sends=Nothing, refusals={LibraryRefused: CONFLICT})
    def post(self, request: Request, document_id: int) -> Response:
        """Leave a document out of later versions; what cites it still leads to its text."""
        documents = LibraryDocument.objects.defer("text")
        found = of_study(documents, self.access, pk=document_id)
        return self.answer(remove_document(by=self.access.user, document=found))


class Versions(StudyEndpoint):
    """The versions of the library."""

    needs = {"GET": Permission.READ_LIBRARY, "POST": Permission.MANAGE_DATA}

    @operation(VersionRow, is_page=True)
    def get(self, request: Request) -> Response:
        """List the versions, newest first; the first of them is searched."""
        return self.page(versions_of(self.access.study), ("-number",))

    @operation(BuildJob, sends=NewVersion, code=201)
    def post(self, request: Request) -> Response:
        """Have the next version built, with other sizes or once more."""
        study, sent = self.access.study, self.sent
        newest = current_version(study)
        cutting, formula = (newest.cutting, newest.formula) if newest else (Cutting(), Formula())
        job = queue_build(
            by=self.access.user,
            study=study,
            cutting=Cutting(**{**asdict(cutting), **pick(sent, "size", "overlap")}),
            formula=Formula(**{**asdict(formula), **pick(sent, "k1", "b")}),
        )
        return self.answer(job)


def pick(sent: dict[str, float], *names: str) -> dict[str, float]:
    """Return what was sent of these names."""
    return {name: sent[name] for name in names if name in sent}


class Search(StudyEndpoint):
    """The search of the library."""

    needs = {"GET": Permission.READ_LIBRARY}

    @operation(PassageHit, query=SearchQuery, is_list=True, refusals={LibraryUnusable: CONFLICT})
    def get(self, request: Request) -> Response:
        """Give the passages that fit best, best first, with their BM25 scores."""
        asked = self.query
        return self.answer(search(self.access.study, asked["q"], asked["top"]))
