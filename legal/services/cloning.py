"""Takes the newest catalogue over into the clone of a study."""

from annotation.models import Study, User
from legal.queries.catalogues import current_catalogue, text_of
from legal.services.catalogues import publish


def copy_catalogue(source: Study, target: Study, by: User) -> None:
    """Make the newest catalogue of one study the first version of another."""
    newest = current_catalogue(source)
    if newest:
        publish(by=by, study=target, text=text_of(newest), change_note=newest.change_note)
