"""Imports posts from a file: checked whole first, then written in one transaction.

The same file twice adds nothing; a job that dies half-way leaves nothing behind.
"""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.cleaning import CleaningSettings, NonAscii, clean
from annotation.models import ImportFile, ImportState, Post, Study, User
from annotation.registry import importer
from annotation.services.archive import lock_study
from annotation.services.planning import count_anew
from annotation.services.reading import (
    Columns,
    Problem,
    choose_columns,
    open_import,
    read_through,
    readings,
    refuse_bad_rows,
)
from annotation.tables import CELL_LIMIT, Row, id_text, mangled_id
from infra.jobs import Report

BLOCK = 2_000
MOST_ID_CHARACTERS = 200
COUNTS = ("added", "kept", "shortened", "dropped", "known")
EMPTY_AFTER_CLEANING = "empty_after_cleaning"


@dataclass(frozen=True)
class PostReading:
    """A row that can become a post."""

    line: int
    external_id: str
    text: str
    metadata: dict[str, Any]
    warning: str = ""


def post_reader(file: ImportFile) -> Callable[[Row, Columns], PostReading | Problem]:
    """Return the reader of one file's rows; it knows the ids that it has met."""
    met: dict[str, int] = {}

    def read(row: Row, columns: Columns) -> PostReading | Problem:
        reason = id_problem(columns.cell(row, "id")) or text_problem(columns.cell(row, "text"))
        external_id = id_text(columns.cell(row, "id"))
        if not reason and external_id in met:
            reason = _("The id %(id)s stands on line %(line)s already.") % {
                "id": external_id,
                "line": met[external_id],
            }
        if reason:
            return Problem(row.line, reason, str(columns.cell(row, "text") or "")[:200])
        met[external_id] = row.line
        metadata = {name: row.values.get(name) for name in columns.rest}
        warning = id_warning(columns.cell(row, "id"))
        return PostReading(row.line, external_id, columns.cell(row, "text"), metadata, warning)

    return read


def id_problem(value: object) -> str:
    """Say what is wrong with an id, or nothing.

    A number with a fraction has lost its digits and none can be stored for it. A text such as
    1.36E+18 is unique as it stands, so it is taken exactly and warned of (see `id_warning`).
    """
    if isinstance(value, float) and mangled_id(value):
        return _("The id %s has lost digits. Export the file anew with ids as text.") % value
    external_id = id_text(value)
    if not external_id:
        return _("The id is missing.")
    if len(external_id) > MOST_ID_CHARACTERS:
        return _("The id has more than %s characters.") % MOST_ID_CHARACTERS
    return ""


def id_warning(value: object) -> str:
    """Say that an id looks as if a spreadsheet had taken its last digits, or nothing."""
    if not mangled_id(value):
        return ""
    sentence = _(
        "The id %s looks as if a spreadsheet had taken its last digits. It is kept as it stands; "
        "if the file exists with ids as text, use that one."
    )
    return sentence % value


def unknown_post(value: object) -> str:
    """Say that a study has no post with this id, and what may be the reason."""
    if mangled_id(value):
        sentence = _("The study has no post %s; a spreadsheet seems to have taken its last digits.")
    else:
        sentence = _("The study has no post %s. Import the posts first.")
    return sentence % id_text(value)


def text_problem(value: object) -> str:
    """Say what is wrong with a text, or nothing."""
    if not isinstance(value, str) or not value.strip():
        return _("The text is missing.")
    if len(value) > CELL_LIMIT:
        return _("The text has more than %s characters.") % CELL_LIMIT
    return ""


def post_sample(reading: PostReading) -> dict[str, Any]:
    """Return what the report shows of a good row."""
    return {"line": reading.line, "id": reading.external_id, "text": reading.text[:300]}


def import_posts(*, by: User | None, file: ImportFile, report: Report) -> dict[str, Any]:
    """Import a file's posts. Rows whose id and text the study has already are counted as known.

    Asked again for a file that is imported (its worker died before it could say so), tell what came
    of it then.
    """
    if file.state == ImportState.LOADED:
        return {name: file.report[name] for name in (*COUNTS, "bad", "warned")}
    table = open_import(file)
    columns = choose_columns(file, table, importer(file.importer).wanted)

    def read_again() -> Iterator[PostReading | Problem]:
        return against_study(file.study, readings(table, columns, post_reader(file)))

    outcome = read_through(file=file, found=read_again(), report=report, sample=post_sample)
    refuse_bad_rows(file, outcome)
    with transaction.atomic():
        lock_study(file.study_id)
        good = (reading for reading in read_again() if isinstance(reading, PostReading))
        counts = write_posts(file, good, total=outcome.good, report=report)
        count_anew(Post)
        file.state = ImportState.LOADED
        file.report = {
            **file.report,
            **counts,
            **outcome.findings(),
            "chosen": dict(columns.chosen),
        }
        file.save(update_fields=["state", "report"])
    return {**counts, **outcome.findings(most=20)}


def against_study(
    study: Study, found: Iterator[PostReading | Problem]
) -> Iterator[PostReading | Problem]:
    """Turn readings whose id the study has with another text into problems."""
    while block := list(islice(found, BLOCK)):
        known = known_texts(study, block)
        for reading in block:
            if isinstance(reading, PostReading):
                yield compared(reading, known.get(reading.external_id))
            else:
                yield reading


def known_texts(study: Study, block: list[PostReading | Problem]) -> dict[str, str]:
    """Return the texts that the study has under the ids of a block."""
    ids = [reading.external_id for reading in block if isinstance(reading, PostReading)]
    return dict(
        Post.objects.filter(study=study, external_id__in=ids).values_list(
            "external_id", "original_text"
        )
    )


def compared(reading: PostReading, known: str | None) -> PostReading | Problem:
    """Return a reading, or the problem that its id stands for another text in the study."""
    if known is None or known == reading.text:
        return reading
    sentence = _("The study has a post %s with another text. Give this row an id of its own.")
    return Problem(reading.line, sentence % reading.external_id, reading.text[:200])


def write_posts(
    file: ImportFile, good: Iterator[PostReading], *, total: int, report: Report
) -> dict[str, int]:
    """Write posts in blocks; return how many were added, kept, shortened, dropped and known."""
    settings = cleaning_settings(file.study)
    counts = dict.fromkeys(COUNTS, 0)
    done = 0
    while block := list(islice(good, BLOCK)):
        known = known_texts(file.study, list(block))
        posts = [
            make_post(file, reading, settings)
            for reading in block
            if reading.external_id not in known
        ]
        Post.objects.bulk_create(posts)
        dropped = sum(bool(post.dropped_reason) for post in posts)
        counts["added"] += len(posts)
        counts["dropped"] += dropped
        counts["kept"] += len(posts) - dropped
        counts["shortened"] += sum(map(has_lost_most, posts))
        counts["known"] += len(block) - len(posts)
        done += len(block)
        report(done, total, _("Writing posts"))
    return counts


def has_lost_most(post: Post) -> bool:
    """Say whether cleaning kept a post but less than half of its characters, blanks aside."""
    left, came = (len("".join(text.split())) for text in (post.text, post.original_text))
    return not post.dropped_reason and 2 * left < came


def cleaning_settings(study: Study) -> CleaningSettings:
    """Return how a study's protocol wants posts cleaned."""
    return CleaningSettings(
        mask_users=study.protocol.mask_users, non_ascii=NonAscii(study.protocol.non_ascii)
    )


def make_post(file: ImportFile, reading: PostReading, settings: CleaningSettings) -> Post:
    """Return an unsaved post: original kept, text cleaned, its place in the random order fixed."""
    cleaned = clean(reading.text, settings)
    return Post(
        study=file.study,
        external_id=reading.external_id,
        original_text=reading.text,
        text=cleaned.text,
        changed_by=list(cleaned.changed),
        metadata=reading.metadata,
        position=random_position(file.study, reading.external_id),
        dropped_reason="" if cleaned.text else EMPTY_AFTER_CLEANING,
        imported_in=file,
        line=reading.line,
    )


def random_position(study: Study, external_id: str) -> int:
    """Return a post's place in the study's random order: 63 bits of a hash, the same each time."""
    digest = hashlib.blake2b(f"{study.slug}\0{external_id}".encode(), digest_size=8).digest()
    return int.from_bytes(digest) >> 1
