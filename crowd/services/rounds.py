"""What both forms of an imported round share: its posts, its labels, and that it comes in once."""

from collections.abc import Callable, Collection
from functools import lru_cache
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.models import (
    Batch,
    ImportFile,
    ImportState,
    Origin,
    Post,
    StageCode,
    Study,
    Tally,
    Task,
    Vote,
)
from annotation.services.archive import lock_study
from annotation.services.batches import start_batch
from annotation.services.importing import id_problem, unknown_post
from annotation.services.planning import count_anew
from annotation.tables import id_text
from crowd.models import CrowdRound, Label, LabelSet
from crowd.models.defaults import DEFAULT_CODES
from crowd.queries.labels import codes_of
from crowd.services.defaults import own_label_set
from infra.jobs import JobRefused

VOTES, COUNTS = "crowd_votes", "crowd_counts"
MOST_LABELS = 50
MOST_LABEL_CHARACTERS = 60
MOST_POSTS_REMEMBERED = 200_000


class PostIndex:
    """Finds a study's posts by id: remembers all ids of a study, or the last ones of a huge one."""

    def __init__(self, study: Study) -> None:
        posts = Post.objects.imported().filter(study=study)
        self.known: dict[str, int] | None = None
        if posts.count() <= MOST_POSTS_REMEMBERED:
            self.known = dict(posts.values_list("external_id", "pk"))
        self.look: Callable[[str], int | None] = lru_cache(MOST_POSTS_REMEMBERED)(
            lambda external_id: (
                posts.filter(external_id=external_id).values_list("pk", flat=True).first()
            )
        )

    def find(self, external_id: str) -> int | None:
        """Return the post with this id, None where the study has none."""
        if self.known is not None:
            return self.known.get(external_id)
        return self.look(external_id)


def find_post(index: PostIndex, cell: object) -> tuple[int | None, str]:
    """Return the post that a cell names, or what is wrong with it."""
    reason = id_problem(cell)
    if reason:
        return None, reason
    external_id = id_text(cell)
    post = index.find(external_id)
    if post is None:
        return None, unknown_post(cell)
    return post, ""


def label_problem(code: str) -> str:
    """Say what is wrong with a label's code, or nothing."""
    if not code:
        return _("The label is missing.")
    if len(code) > MOST_LABEL_CHARACTERS:
        return _("The label has more than %s characters.") % MOST_LABEL_CHARACTERS
    return ""


def refuse_known_file(file: ImportFile) -> None:
    """Refuse a file whose content is a round of this study already."""
    twin = ImportFile.objects.filter(
        study=file.study_id,
        importer__in=(VOTES, COUNTS),
        sha256=file.sha256,
        state=ImportState.LOADED,
    ).first()
    if twin:
        sentence = _("This file is crowd round %(round)s already (imported as “%(name)s”).")
        raise JobRefused(sentence % {"round": twin.report.get("round"), "name": twin.name})


def ordered_codes(codes: Collection[str]) -> tuple[str, ...]:
    """Return labels in the order of vectors: the method's own, numbers by value, else by name."""
    if set(codes) <= set(DEFAULT_CODES):
        return DEFAULT_CODES
    try:
        return tuple(sorted(codes, key=float))
    except ValueError:
        return tuple(sorted(codes))


def round_labels(study: Study, name: str, codes: Collection[str]) -> LabelSet:
    """Return the label set of an imported round: the study's own where it fits, else a new one."""
    own = own_label_set(study)
    if set(codes) <= set(codes_of(own)):
        return own
    label_set = LabelSet.objects.create(study=study, name=name, origin=Origin.IMPORTED)
    Label.objects.bulk_create(
        Label(label_set=label_set, code=code, name=code, order=order)
        for order, code in enumerate(ordered_codes(codes))
    )
    return label_set


@transaction.atomic
def start_imported_round(file: ImportFile, codes: Collection[str]) -> Batch:
    """Start a closed batch for what a file holds. It locks the study: a file comes in once."""
    if len(codes) > MOST_LABELS:
        sentence = _("The file has more than %s different labels. Is the right column chosen?")
        raise JobRefused(sentence % MOST_LABELS)
    lock_study(file.study_id)
    refuse_known_file(file)
    label_set = round_labels(file.study, file.name, codes)
    batch = start_batch(
        study=file.study,
        stage=StageCode.CROWD,
        labels=codes_of(label_set),
        votes_wanted=None,
        origin=Origin.IMPORTED,
        source=file.name[:200],
    )
    CrowdRound.objects.create(batch=batch, label_set=label_set)
    return batch


def finish_file(file: ImportFile, outcome: dict[str, Any]) -> None:
    """Record that a file is imported, and what came of it."""
    count_anew(Task, Vote, Tally)
    file.state = ImportState.LOADED
    file.report = {**file.report, **outcome}
    file.save(update_fields=["state", "report"])
