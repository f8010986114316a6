"""Which ids of people a study knows, so that a release can be searched for them."""

from annotation.models import Member, Study
from crowd.models import Arrival, Recruit
from releases.scan import KnownIds


def known_ids(study: Study) -> KnownIds:
    """Return the ids that platforms sent, those of their sessions, and imported rounds' names."""
    recruits = Recruit.objects.filter(study=study).values_list("platform_id")
    sessions = Arrival.objects.filter(recruitment__study=study).values_list("session_id")
    imported = Member.objects.filter(study=study, user=None).values_list("imported_name")
    return KnownIds.of({name for (name,) in recruits.union(sessions, imported) if name})
