"""Makes ways into a study, and opens, pauses and closes them."""

import pghistory
from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from annotation.models import Study, User
from annotation.services.archive import hold_open, lock_study
from crowd.models import Recruitment, RecruitmentKind, RecruitmentState
from crowd.models.recruitment import new_code

PLATFORMS = {RecruitmentKind.PROLIFIC: "prolific", RecruitmentKind.MTURK: "mturk"}


class RecruitmentRefused(Exception):
    """Something about a way in that cannot be; its text is a sentence for the researcher."""


@transaction.atomic
def create_recruitment(
    *,
    by: User | None,
    study: Study,
    kind: str,
    name: str,
    panel: str = "",
    places: int | None = None,
    sitting_size: int | None = None,
    completion_code: str = "",
    screen_out_code: str = "",
    id_parameter: str = "id",
    signature_parameter: str = "",
    external_study_id: str = "",
) -> Recruitment:
    """Make a way in; it lets nobody in before it is opened."""
    lock_study(study.pk)
    last = Recruitment.objects.filter(study=study).aggregate(last=Max("number"))["last"]
    kind = RecruitmentKind(kind)
    if kind == RecruitmentKind.PANEL and id_parameter == signature_parameter:
        raise RecruitmentRefused(_("The id and its signature need parameters of different names."))
    with pghistory.context(user=by.pk if by else None, action="create recruitment"):
        try:
            with transaction.atomic():
                return Recruitment.objects.create(
                    study=study,
                    number=(last or 0) + 1,
                    kind=kind,
                    name=name,
                    platform=platform_of(kind, panel),
                    places=places,
                    sitting_size=sitting_size,
                    completion_code=completion_code or new_code(),
                    screen_out_code=screen_out_code or new_code(),
                    id_parameter=id_parameter or "id",
                    signature_parameter=signature_parameter,
                    external_study_id=external_study_id,
                    created_by=by,
                )
        except IntegrityError:
            raise RecruitmentRefused(
                _("A way into this site stands for that study of the platform already.")
            ) from None


def platform_of(kind: str, panel: str) -> str:
    """Return whose ids come along."""
    if kind == RecruitmentKind.PANEL:
        return f"panel {panel.strip().lower()}".strip()
    return PLATFORMS.get(RecruitmentKind(kind), "")


@transaction.atomic
def move_recruitment(*, by: User | None, recruitment: Recruitment, to: str) -> Recruitment:
    """Open, pause or close a way in. What was closed stays closed: a new way has a new link."""
    recruitment = Recruitment.objects.select_for_update().get(pk=recruitment.pk)
    state = RecruitmentState(to)
    if state == RecruitmentState.OPEN:
        hold_open(recruitment.study_id)
    if recruitment.state == RecruitmentState.CLOSED and state != RecruitmentState.CLOSED:
        raise RecruitmentRefused(_("It is closed for good. Make a new way in, with a new link."))
    with pghistory.context(user=by.pk if by else None, action="move recruitment"):
        recruitment.state = state
        recruitment.save(update_fields=["state"])
    return recruitment
