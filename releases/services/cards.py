"""Writes a study's data card; refuses to write over what somebody else wrote meanwhile."""

import pghistory
from django.db import transaction
from django.utils.translation import gettext as _

from annotation.models import Study, User
from annotation.services.archive import lock_study
from releases.algorithms.card import BY_CODE
from releases.models import DataCard
from releases.queries.cards import card_record, mark_of

LONGEST_SECTION = 20_000


class CardRefused(Exception):
    """Something about a card that cannot be done; its text is a sentence for the person."""


@transaction.atomic
def write_section(
    *, by: User | None, study: Study, code: str, text: str, seen: str | None = None
) -> DataCard:
    """Put somebody's own text in the place of what follows from the study.

    `seen` marks the text that was written before when the person began (`mark_of`); refused when
    there is another one by now.
    """
    text = text.replace("\r\n", "\n").replace("\x00", "").strip()
    if not text:
        raise CardRefused(_("The section is empty. Write something, or give it back to the study."))
    if len(text) > LONGEST_SECTION:
        raise CardRefused(
            _("The section has %(length)s characters; at most %(most)s are possible.")
            % {"length": f"{len(text):,}", "most": f"{LONGEST_SECTION:,}"}
        )
    record = open_card(study)
    before = record.sections.get(BY_CODE[code].code, "")
    if seen is not None and seen != mark_of(before):
        raise CardRefused(
            _("Somebody changed this section meanwhile. Copy your text, open it anew, and merge.")
        )
    return save(by, record, "write data card", sections={**record.sections, code: text})


@transaction.atomic
def give_back(*, by: User | None, study: Study, code: str) -> DataCard:
    """Let a section follow the study again; what was written stays in the history."""
    record = open_card(study)
    kept = {name: text for name, text in record.sections.items() if name != code}
    return save(by, record, "give section back", sections=kept)


@transaction.atomic
def write_terms(*, by: User | None, study: Study, licence: str, citation: str) -> DataCard:
    """Store licence and citation, which a new release begins with."""
    record = open_card(study)
    return save(by, record, "write licence and citation", licence=licence, citation=citation)


def open_card(study: Study) -> DataCard:
    """Return a study's card while nobody else can write it."""
    lock_study(study.pk)
    return card_record(study)


def save(by: User | None, record: DataCard, action: str, **values: object) -> DataCard:
    """Store what is new; the history keeps who changed what."""
    with pghistory.context(user=by.pk if by else None, action=action):
        changed, _made = DataCard.objects.update_or_create(study=record.study, defaults=values)
    return changed
