"""Changes the draft of a study's catalogue, and publishes it as the next version.

Several researchers may write at once. Whoever saves says what they saw of the part that they
change; when somebody else changed that part meanwhile, nothing is saved and they are told so.
"""

import json
from collections.abc import Callable

import pghistory
from django.db import transaction
from django.utils.translation import gettext as _

from annotation.models import Study, User
from annotation.services.archive import lock_study
from legal.catalogues.editing import Tree
from legal.catalogues.parsing import MOST_BYTES
from legal.catalogues.texts import CatalogueText
from legal.catalogues.writing import as_tree, fingerprint
from legal.models import Catalogue, CatalogueDraft
from legal.queries.catalogues import current_catalogue, text_of
from legal.services.catalogues import (
    CatalogueRefused,
    publish,
    shipped_catalogue,
    tree_or_refuse,
)

NOTHING = ""


class DraftChanged(CatalogueRefused):
    """Somebody else changed meanwhile what the person wants to change."""


class NoDraft(CatalogueRefused):
    """There is no draft (any more)."""


@transaction.atomic
def begin_draft(*, by: User, study: Study) -> CatalogueDraft:
    """Begin the next version as the newest one is, or as the catalogue that we ship."""
    newest = current_catalogue(study)
    text = text_of(newest) if newest else shipped_catalogue()
    return fill_draft(by=by, study=study, text=text, seen=NOTHING)


@transaction.atomic
def fill_draft(*, by: User, study: Study, text: CatalogueText, seen: str) -> CatalogueDraft:
    """Let the draft be a whole catalogue; `seen` is the mark of the draft that it replaces."""
    with pghistory.context(user=by.pk, action="fill catalogue draft"):
        lock_study(study.pk)
        draft = CatalogueDraft.objects.filter(study=study).first()
        if seen != (fingerprint(draft.content) if draft else NOTHING):
            raise changed(draft)
        made = draft or CatalogueDraft(study=study)
        made.content = as_tree(text)
        made.base = current_catalogue(study)
        made.changed_by = by
        made.save()
    return made


@transaction.atomic
def change_draft(
    *,
    by: User,
    study: Study,
    seen: str,
    part: Callable[[Tree], object],
    change: Callable[[Tree], Tree],
) -> CatalogueDraft:
    """Change the draft, if the part that the person saw is still as it was."""
    with pghistory.context(user=by.pk, action="change catalogue draft"):
        draft = locked_draft(study)
        if fingerprint(part(draft.content)) != seen:
            raise changed(draft)
        content = change(draft.content)
        if content != draft.content:
            refuse_oversize(content)
            draft.content = content
            draft.changed_by = by
            draft.save()
    return draft


@transaction.atomic
def publish_draft(
    *, by: User, study: Study, seen: str, seen_version: int, change_note: str
) -> Catalogue:
    """Make the draft the next version; refused while something in it is missing or malformed."""
    with pghistory.context(user=by.pk, action="publish catalogue draft"):
        draft = locked_draft(study)
        if fingerprint(draft.content) != seen:
            raise changed(draft)
        text = tree_or_refuse(draft.content)
        newest = current_catalogue(study)
        if newest and text_of(newest) == text:
            raise CatalogueRefused(
                _("Nothing differs from version %s: change something, or discard the draft.")
                % newest.version
            )
        made = publish(
            by=by, study=study, text=text, change_note=change_note, seen_version=seen_version
        )
        draft.delete()
    return made


@transaction.atomic
def discard_draft(*, by: User, study: Study, seen: str) -> None:
    """Throw the draft away; versions that were published stay."""
    with pghistory.context(user=by.pk, action="discard catalogue draft"):
        draft = locked_draft(study)
        if fingerprint(draft.content) != seen:
            raise changed(draft)
        draft.delete()


def locked_draft(study: Study) -> CatalogueDraft:
    """Return the draft, which nobody else changes until this transaction ends."""
    lock_study(study.pk)
    draft = CatalogueDraft.objects.select_related("changed_by").filter(study=study).first()
    if draft is None:
        raise changed(None)
    return draft


def changed(draft: CatalogueDraft | None) -> CatalogueRefused:
    """Return the refusal of a change that would undo what somebody else did."""
    if draft is None:
        return NoDraft(
            _("There is no draft any more: somebody published or discarded it. Nothing was saved.")
        )
    name = draft.changed_by.get_full_name() if draft.changed_by else _("Somebody")
    return DraftChanged(
        _(
            "%(name)s changed this meanwhile, so nothing of yours was saved. Compare what you "
            "typed with the draft as it is now, and save again what should replace it."
        )
        % {"name": name}
    )


def refuse_oversize(content: Tree) -> None:
    """Refuse a draft of which no version could be made."""
    if len(json.dumps(content, ensure_ascii=False).encode()) > MOST_BYTES:
        raise CatalogueRefused(_("The draft would be larger than %s bytes.") % MOST_BYTES)
