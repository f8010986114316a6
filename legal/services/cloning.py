"""Takes the legal stage's rules, newest catalogue, library and practice over into a clone."""

from annotation.models import Study, User
from annotation.services.studies import copy_row
from legal.models import LegalSettings, LibraryDocument, PracticePost
from legal.queries.catalogues import current_catalogue, text_of
from legal.services.catalogues import publish


def copy_stage(source: Study, target: Study, by: User) -> None:
    """Give a clone the settings, the catalogue, the documents and the practice of a study."""
    for settings in LegalSettings.objects.filter(study=source):
        copy_row(settings, study=target)
    copy_catalogue(source, target, by)
    copy_library(source, target, by)
    copy_practice(source, target, by)


def copy_library(source: Study, target: Study, by: User) -> None:
    """Give a clone the documents of its study, whose files both share; they wait for a build."""
    documents = LibraryDocument.objects.filter(study=source, removed_at=None).order_by("pk")
    for document in documents.iterator(chunk_size=1):
        copy_row(document, study=target, created_by=by)


def copy_catalogue(source: Study, target: Study, by: User) -> None:
    """Make the newest catalogue of one study the first version of another."""
    newest = current_catalogue(source)
    if newest:
        publish(by=by, study=target, text=text_of(newest), change_note=newest.change_note)


def copy_practice(source: Study, target: Study, by: User) -> None:
    """Give a clone what was written to practise on under the newest catalogue.

    Posts of the study stay with it, and older versions of the catalogue are not taken over.
    """
    written = PracticePost.objects.filter(
        study=source, post=None, catalogue=current_catalogue(source)
    )
    own = current_catalogue(target)
    for practice in written.order_by("pk"):
        copy_row(practice, study=target, catalogue=own, created_by=by)
