"""Changes a study's rules for its legal stage; what was answered before stays as it is."""

from typing import Any

import pghistory
from django.db import transaction

from annotation.models import Member, Study
from annotation.services.archive import lock_study
from legal.models import LegalSettings


@transaction.atomic
def change_settings(*, by: Member, study: Study, **values: Any) -> LegalSettings:
    """Store a study's rules; the history keeps who changed what."""
    with pghistory.context(user=by.user_id, action="change legal settings"):
        lock_study(study.pk)
        changed, _made = LegalSettings.objects.update_or_create(study=study, defaults=values)
    return changed
