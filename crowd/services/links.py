"""Reads what platforms put into a link. An id that comes along is personal data: it is never part
of a message, and what is malformed is refused before anything is stored.
"""

import hashlib
import hmac
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from urllib.parse import urlsplit

from django.utils.translation import gettext as _

from crowd.models import Recruitment, RecruitmentKind
from crowd.models.recruitment import LONGEST_ID

Parameters = Mapping[str, Sequence[str]]

PANEL_ID = re.compile(rf"[A-Za-z0-9._~@+:=-]{{1,{LONGEST_ID}}}")
PLATFORM_ID = re.compile(r"[A-Za-z0-9]{1,64}")
SIGNATURE = re.compile(r"[0-9a-fA-F]{64}")
PREVIEW = "ASSIGNMENT_ID_NOT_AVAILABLE"
SUBMIT_HOST = re.compile(r"([a-z0-9-]+\.)*mturk\.com")


class EntryRefused(Exception):
    """Somebody cannot come in this way; its text is a sentence for them, without any id."""

    def __init__(self, sentence: str, status: HTTPStatus) -> None:
        super().__init__(sentence)
        self.status = status


@dataclass(frozen=True)
class Identity:
    """Whom a platform sends, and for which of its sessions."""

    platform_id: str = field(repr=False)
    session_id: str = field(default="", repr=False)


@dataclass(frozen=True)
class Hit:
    """What Mechanical Turk tells its frame: who works (nobody in a preview), where answers go."""

    identity: Identity | None
    submit_url: str


def malformed(name: str) -> EntryRefused:
    """Return the refusal of a link that lacks something, or has it in a form that cannot be."""
    sentence = _(
        "This link is not complete: “%s” is missing or malformed. Go back to where you found it "
        "and open it there once more."
    )
    return EntryRefused(sentence % name, HTTPStatus.BAD_REQUEST)


def one(parameters: Parameters, name: str, pattern: re.Pattern[str]) -> str:
    """Return a parameter that is there exactly once and looks as it must."""
    values = parameters.get(name, ())
    if len(values) != 1 or not pattern.fullmatch(values[0]):
        raise malformed(name)
    return values[0]


def identity_in(recruitment: Recruitment, parameters: Parameters) -> Identity:
    """Return whom a link of a panel or of Prolific brings, or raise EntryRefused."""
    reader = READERS.get(recruitment.kind)
    if reader is None:
        raise EntryRefused(_("This is not the address to enter by."), HTTPStatus.NOT_FOUND)
    return reader(recruitment, parameters)


def panel_identity(recruitment: Recruitment, parameters: Parameters) -> Identity:
    """Return a panel's person; where the panel signs its links, the signature must fit the id."""
    platform_id = one(parameters, recruitment.id_parameter, PANEL_ID)
    if recruitment.signature_parameter:
        given = one(parameters, recruitment.signature_parameter, SIGNATURE)
        if not hmac.compare_digest(given.lower(), signature_of(recruitment, platform_id)):
            raise EntryRefused(
                _("The signature of this link does not fit. Open the link where you found it."),
                HTTPStatus.FORBIDDEN,
            )
    return Identity(platform_id)


def signature_of(recruitment: Recruitment, platform_id: str) -> str:
    """Return how a panel signs an id: HMAC-SHA-256 with the way's secret, in hexadecimal."""
    secret = recruitment.signing_secret.encode()
    return hmac.new(secret, platform_id.encode(), hashlib.sha256).hexdigest()


def prolific_identity(recruitment: Recruitment, parameters: Parameters) -> Identity:
    """Return a participant of Prolific with their submission, for the study that is meant."""
    study = one(parameters, "STUDY_ID", PLATFORM_ID)
    if recruitment.external_study_id and study != recruitment.external_study_id:
        raise EntryRefused(
            _("This link belongs to another study on Prolific. Open the study there once more."),
            HTTPStatus.FORBIDDEN,
        )
    return Identity(
        one(parameters, "PROLIFIC_PID", PLATFORM_ID), one(parameters, "SESSION_ID", PLATFORM_ID)
    )


READERS: dict[str, Callable[[Recruitment, Parameters], Identity]] = {
    RecruitmentKind.PANEL: panel_identity,
    RecruitmentKind.PROLIFIC: prolific_identity,
}


def hit_in(recruitment: Recruitment, parameters: Parameters) -> Hit:
    """Return what Mechanical Turk tells a frame, or raise EntryRefused."""
    if recruitment.kind != RecruitmentKind.MTURK:
        raise EntryRefused(_("This is not the address to enter by."), HTTPStatus.NOT_FOUND)
    if list(parameters.get("assignmentId", ())) == [PREVIEW]:
        return Hit(None, "")
    assignment = one(parameters, "assignmentId", PLATFORM_ID)
    one(parameters, "hitId", PLATFORM_ID)
    identity = Identity(one(parameters, "workerId", PLATFORM_ID), assignment)
    return Hit(identity, submit_url(parameters))


def submit_url(parameters: Parameters) -> str:
    """Return where the answer goes: nowhere but to Mechanical Turk."""
    values = parameters.get("turkSubmitTo", ())
    try:
        address = urlsplit(values[0] if len(values) == 1 else "")
        host, port = address.hostname or "", address.port
    except ValueError:
        raise malformed("turkSubmitTo") from None
    is_plain = address.scheme == "https" and address.netloc == host and address.path in ("", "/")
    if not is_plain or port or not SUBMIT_HOST.fullmatch(host):
        raise malformed("turkSubmitTo")
    return f"https://{host}/mturk/externalSubmit"
