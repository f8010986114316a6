"""Takes the legal stage's rules and its newest catalogue over into the clone of a study."""

from annotation.models import Study, User
from annotation.services.studies import copy_row
from legal.models import LegalSettings
from legal.queries.catalogues import current_catalogue, text_of
from legal.services.catalogues import publish


def copy_stage(source: Study, target: Study, by: User) -> None:
    """Give a clone the settings and the catalogue of a study."""
    for settings in LegalSettings.objects.filter(study=source):
        copy_row(settings, study=target)
    copy_catalogue(source, target, by)


def copy_catalogue(source: Study, target: Study, by: User) -> None:
    """Make the newest catalogue of one study the first version of another."""
    newest = current_catalogue(source)
    if newest:
        publish(by=by, study=target, text=text_of(newest), change_note=newest.change_note)
