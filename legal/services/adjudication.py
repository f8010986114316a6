"""Settles posts that the votes do not settle; the votes stay as they are."""

from collections.abc import Iterable

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.models import Member, Post
from annotation.services.archive import hold_open
from legal.algorithms import plain_lines
from legal.models import LABELS, Decision, Remark
from legal.queries.catalogues import issue_names
from legal.queries.verdicts import still_wanting, verdicts_of
from legal.services.checking import MOST_COMMENT, is_storable, printable


class AdjudicationRefused(Exception):
    """What cannot be decided or said; its text is a sentence for the person."""


@transaction.atomic
def decide(*, by: Member, post: Post, label: str, issues: Iterable[str], reason: str) -> Decision:
    """Record a decision on a complete post as its newest version; the same again makes none."""
    hold_open(by.study_id)
    locked = Post.objects.select_for_update(no_key=True).get(pk=post.pk)
    refuse_incomplete(by, locked)
    if label not in LABELS:
        raise AdjudicationRefused(_("Choose yes, no or unclear."))
    wanted = in_catalogue(by, issues)
    text = checked_text(reason, _("Say why you decide so."))
    newest = Decision.objects.filter(post=locked).order_by("-version").first()
    if newest and (newest.label, newest.issues, newest.reason) == (label, wanted, text):
        return newest
    return Decision.objects.create(
        post=locked,
        version=newest.version + 1 if newest else 1,
        label=label,
        issues=wanted,
        reason=text,
        member=by,
    )


@transaction.atomic
def remark(*, by: Member, post: Post, text: str) -> Remark:
    """Add to the discussion of a complete post."""
    hold_open(by.study_id)
    refuse_incomplete(by, post)
    said = checked_text(text, _("Write something first."))
    return Remark.objects.create(post=post, member=by, text=said)


def refuse_incomplete(by: Member, post: Post) -> None:
    """Refuse a post that still wants votes: nobody who may vote on it is to be swayed."""
    if still_wanting([post.pk]) or not verdicts_of(by.study, [post.pk]):
        raise AdjudicationRefused(
            _("This post does not have all its votes yet; it can be discussed once it has.")
        )


def in_catalogue(by: Member, issues: Iterable[str]) -> list[str]:
    """Return codes in the catalogue's order, or refuse those that it does not have."""
    wanted, known = set(issues), issue_names(by.study)
    if unknown := sorted(wanted - set(known)):
        sentence = _("The catalogue does not have “%s”. Load the page anew.")
        raise AdjudicationRefused(sentence % printable(unknown[0]))
    return [code for code in known if code in wanted]


def checked_text(text: str, when_empty: str) -> str:
    """Return a text as it is stored, or refuse it."""
    plain = plain_lines(text)
    if not plain:
        raise AdjudicationRefused(when_empty)
    if len(plain) > MOST_COMMENT:
        sentence = _("This has %(found)s characters; at most %(most)s are stored. Shorten it.")
        raise AdjudicationRefused(sentence % {"found": len(plain), "most": MOST_COMMENT})
    if not is_storable(plain):
        raise AdjudicationRefused(_("This holds a character that cannot be stored."))
    return plain
