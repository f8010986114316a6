"""A small client of Prolific's API: its study and submissions. Without a token nothing is asked.

The token is the site's (JURYROOM_PROLIFIC_TOKEN), is sent to Prolific's address alone, and every
refusal becomes a sentence.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from http import HTTPStatus
from typing import Any, Self

import httpx
from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.services.archive import hold_open
from crowd.models import Arrival, Recruitment, RecruitmentKind
from crowd.services.links import PLATFORM_ID, EntryRefused, Identity
from infra.outbound import OutboundRefused, Purpose, client

SECONDS = 15.0
LARGEST_ANSWER = 1024 * 1024
SHORTEST_REASON = 100
LONGEST_DETAIL = 300
AT_WORK = ("ACTIVE", "AWAITING REVIEW")

# Why a submission may be rejected, by Prolific's codes.
REJECTIONS = {
    "TOO_QUICKLY": gettext_lazy("Too quick to have read the posts"),
    "FAILED_CHECK": gettext_lazy("Failed attention checks"),
    "FAILED_INSTRUCTIONS": gettext_lazy("Did not follow the instructions"),
    "LOW_EFFORT": gettext_lazy("Little effort"),
    "NO_DATA": gettext_lazy("No work arrived"),
    "BAD_CODE": gettext_lazy("A wrong completion code"),
    "OTHER": gettext_lazy("Another reason"),
}


class ProlificRefused(Exception):
    """What Prolific does not do, or could not be asked; its text is a sentence for researchers."""


class ProlificAway(ProlificRefused):
    """Prolific has trouble or cannot be reached; nobody knows whether it did what was asked."""


class ProlificBusy(ProlificRefused):
    """Not now: nothing was done, and the same may be asked for later."""


@dataclass(frozen=True)
class ProlificStudy:
    """A study as Prolific knows it."""

    name: str
    status: str
    places: int
    places_taken: int
    currency: str = ""


@dataclass(frozen=True)
class Prolific:
    """Prolific's API at an address, with a token that is never shown."""

    address: str
    token: str

    @classmethod
    def of_site(cls) -> Self | None:
        """Return the site's client; None where no token is set."""
        token = settings.PROLIFIC_TOKEN
        return cls(settings.PROLIFIC_API, token) if token else None

    def study(self, study_id: str) -> ProlificStudy:
        """Return what a study is called there, its state and its places."""
        found = self.ask("GET", f"studies/{plain(study_id)}/")
        return ProlificStudy(
            name=str(found.get("name", "")),
            status=str(found.get("status", "")),
            places=int(found.get("total_available_places") or 0),
            places_taken=int(found.get("places_taken") or 0),
            currency=str(found.get("presentment_currency_code") or ""),
        )

    def publish(self, study_id: str) -> None:
        """Put a draft in front of participants."""
        self.move(study_id, "PUBLISH")

    def pause(self, study_id: str) -> None:
        """Let no more participants begin."""
        self.move(study_id, "PAUSE")

    def go_on(self, study_id: str) -> None:
        """Take participants again after a pause."""
        self.move(study_id, "START")

    def move(self, study_id: str, action: str) -> None:
        """Change the state of a study."""
        self.ask("POST", f"studies/{plain(study_id)}/transition/", {"action": action})

    def change_places(self, study_id: str, places: int) -> None:
        """Change how many participants a study takes in all; Prolific only lets it grow."""
        self.ask("PATCH", f"studies/{plain(study_id)}/", {"total_available_places": places})

    def submission(self, session_id: str) -> dict[str, Any]:
        """Return a submission: its participant, study and status."""
        return self.ask("GET", f"submissions/{plain(session_id)}/")

    def approve(self, session_id: str) -> None:
        """Pay a submission. Asked twice, the second time does nothing there."""
        self.ask("POST", f"submissions/{plain(session_id)}/transition/", {"action": "APPROVE"})

    def reject(self, session_id: str, *, category: str, reason: str) -> None:
        """Refuse to pay a submission; the person is told why, at some length."""
        if category not in REJECTIONS:
            raise ProlificRefused(_("Choose one of Prolific's categories for a rejection."))
        if len(reason) < SHORTEST_REASON:
            raise ProlificRefused(
                _("Prolific wants at least %s characters that tell the person why.")
                % SHORTEST_REASON
            )
        body = {"action": "REJECT", "message": reason, "rejection_category": category}
        self.ask("POST", f"submissions/{plain(session_id)}/transition/", body)

    def prepare_bonuses(self, study_id: str, amounts: Mapping[str, Decimal]) -> str:
        """Set bonuses up, by participant, in the study's currency; return the payment's id.

        Nothing is paid before `pay_bonuses`; who calls keeps the id and pays it once.
        """
        lines = [f"{plain(person)},{amount:.2f}" for person, amount in amounts.items()]
        body = {"study_id": plain(study_id), "csv_bonuses": "\n".join(lines)}
        return str(self.ask("POST", "submissions/bonus-payments/", body)["id"])

    def pay_bonuses(self, payment_id: str) -> None:
        """Pay what was prepared."""
        self.ask("POST", f"bulk-bonus-payments/{plain(payment_id)}/pay/")

    def ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        """Send a request; return the answer, or raise ProlificRefused with the reason."""
        url = httpx.URL(self.address).join(f"/api/v1/{path}")
        # The site's administrator names the address, so it may be reached wherever it is.
        allow = [f"{url.host}:{url.port or 443}"]
        headers = {"Authorization": f"Token {self.token}"}
        try:
            with client(Purpose.ENDPOINT, allow, seconds=SECONDS, size=LARGEST_ANSWER) as session:
                answer = session.request(method, url, json=body, headers=headers)
                return read(answer)
        except (httpx.HTTPError, OutboundRefused):
            raise ProlificAway(
                _("Prolific cannot be reached at present. Nothing is known to have changed there.")
            ) from None


def plain(identifier: str) -> str:
    """Return an id that may stand in an address, or refuse it."""
    if not PLATFORM_ID.fullmatch(identifier):
        raise ProlificRefused(_("This is no id of Prolific's."))
    return identifier


def read(answer: httpx.Response) -> dict[str, Any]:
    """Return the object that came back; raise for anything else."""
    if answer.status_code in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
        raise ProlificRefused(_("Prolific does not accept the token of this site."))
    if answer.status_code == HTTPStatus.NOT_FOUND:
        raise ProlificRefused(_("Prolific knows nothing by this id."))
    if answer.status_code == HTTPStatus.TOO_MANY_REQUESTS:
        raise ProlificBusy(_("Prolific is asked too often. Try again in a minute."))
    if answer.is_server_error:
        raise ProlificAway(_("Prolific has trouble at present. Try again later."))
    if not answer.is_success:
        raise ProlificRefused(_("Prolific refuses this: %s") % detail(answer))
    found = parsed(answer)
    if not isinstance(found, dict):
        raise ProlificRefused(_("Prolific answers in a way that cannot be read."))
    return found


def parsed(answer: httpx.Response) -> Any:
    """Return the JSON of an answer; an empty one for an answer without a body."""
    try:
        return json.loads(answer.content or b"{}")
    except ValueError:
        return None


def detail(answer: httpx.Response) -> str:
    """Return what Prolific says is wrong."""
    found = parsed(answer)
    error = found.get("error", found) if isinstance(found, dict) else {}
    said = error.get("detail", "") if isinstance(error, dict) else ""
    return str(said)[:LONGEST_DETAIL] or _("it does not say why")


def check_submission(*, recruitment: Recruitment, identity: Identity) -> None:
    """Ask Prolific whether it sent this person here; without a token there is nobody to ask.

    Who has arrived before was checked then.
    """
    api = Prolific.of_site()
    if recruitment.kind != RecruitmentKind.PROLIFIC or api is None:
        return
    if Arrival.objects.filter(recruitment=recruitment, session_id=identity.session_id).exists():
        return
    try:
        found = api.submission(identity.session_id)
    except ProlificRefused:
        raise EntryRefused(
            _("We could not check with Prolific that you take part. Try again in a minute."),
            HTTPStatus.SERVICE_UNAVAILABLE,
        ) from None
    wanted_study = recruitment.external_study_id or found.get("study_id")
    is_theirs = found.get("participant") == identity.platform_id
    if not is_theirs or found.get("study_id") != wanted_study or found.get("status") not in AT_WORK:
        raise EntryRefused(
            _("Prolific says that you do not take part in this study now. Open it there again."),
            HTTPStatus.FORBIDDEN,
        )


def study_on_prolific(recruitment: Recruitment) -> ProlificStudy:
    """Return the study on Prolific that a way in stands for, or say why it cannot be shown."""
    api = Prolific.of_site()
    if api is None:
        raise ProlificRefused(
            _("This site has no token of Prolific's: JURYROOM_PROLIFIC_TOKEN is not set.")
        )
    if not recruitment.external_study_id:
        raise ProlificRefused(_("This way in names no study on Prolific."))
    return api.study(recruitment.external_study_id)


def move_on_prolific(*, recruitment: Recruitment, action: str, places: int | None = None) -> None:
    """Publish or pause the study on Prolific, let it go on, or change its places."""
    api, study_id = Prolific.of_site(), recruitment.external_study_id
    if api is None or not study_id:
        raise ProlificRefused(_("This way in is not connected to Prolific."))
    if action != "pause":
        hold_open(recruitment.study_id)
    actions: dict[str, Callable[[], None]] = {
        "publish": lambda: api.publish(study_id),
        "pause": lambda: api.pause(study_id),
        "go_on": lambda: api.go_on(study_id),
        "change_places": lambda: api.change_places(study_id, places or 0),
    }
    actions[action]()
