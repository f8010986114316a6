"""A study's rules for its legal stage; one that has none of its own goes by the usual ones."""

from annotation.models import Study
from legal.models import LegalSettings


def settings_of(study: Study) -> LegalSettings:
    """Return a study's rules; an unsaved row with the usual ones where it has none."""
    return LegalSettings.objects.filter(study=study).first() or LegalSettings(study=study)
