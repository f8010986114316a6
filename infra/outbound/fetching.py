"""Fetches one web page for the record; refuses what is too large, too slow or not a document."""

import datetime
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import httpx

from infra.outbound.errors import OutboundFailed, OutboundRefused, gettext_noop
from infra.outbound.network import Deadline, Network
from infra.outbound.policy import Policy, Purpose
from infra.outbound.transport import Bounds, GuardedTransport

DOCUMENTS = frozenset(
    {
        "text/html",
        "application/xhtml+xml",
        "text/plain",
        "application/pdf",
    }
)
_USER_AGENT = "Juryroom"
_KEPT_HEADERS = ("content-type", "content-language", "last-modified", "etag", "date")
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
NOWHERE = gettext_noop("The website forwards to an address that is not valid.")


@dataclass(frozen=True)
class Limits:
    """Bounds of one fetch, all redirects included."""

    seconds: float = 20.0
    size: int = 10 * 1024 * 1024
    redirects: int = 5
    content_types: frozenset[str] = DOCUMENTS


@dataclass(frozen=True)
class Fetched:
    """What came back. The body of an answer that is not a success (2xx) is left unread: empty."""

    status: int
    final_url: str
    headers: Mapping[str, str]
    content_type: str
    body: bytes
    retrieved_at: datetime.datetime
    hops: tuple[str, ...]
    """Every address that was asked, in order; the last one is `final_url`."""


def fetch(
    url: str,
    *,
    purpose: Purpose,
    limits: Limits | None = None,
    allow: Iterable[str] = (),
    network: Network | None = None,
) -> Fetched:
    """Get one document. Raises OutboundRefused or OutboundFailed, both with a sentence."""
    limits = limits or Limits()
    policy = Policy.of(purpose, allow)
    transport = GuardedTransport(
        policy,
        Bounds(limits.seconds, limits.size),
        network or Network(),
        Deadline.after(limits.seconds),
    )
    headers = {"User-Agent": _USER_AGENT, "Accept": ", ".join(sorted(limits.content_types))}
    with httpx.Client(
        transport=transport, trust_env=False, headers=headers, timeout=limits.seconds
    ) as session:
        try:
            return _follow(session, policy.check_url(url), policy, limits)
        except httpx.TimeoutException as error:
            raise OutboundFailed(
                gettext_noop("The website did not answer within %(seconds)d seconds."),
                {"seconds": limits.seconds},
            ) from error
        except httpx.ConnectError as error:
            raise OutboundFailed(_connect_sentence(error)) from error
        except httpx.HTTPError as error:
            raise OutboundFailed(gettext_noop("The website broke off its answer.")) from error
        except httpx.InvalidURL as error:  # httpx looks at where it is forwarded to, before we do
            raise OutboundFailed(NOWHERE) from error


def _follow(session: httpx.Client, url: httpx.URL, policy: Policy, limits: Limits) -> Fetched:
    hops: list[str] = []
    while len(hops) <= limits.redirects:
        url = url.copy_with(fragment=None)
        hops.append(str(url))
        with session.stream("GET", url) as answer:
            target = answer.headers.get("location")
            if answer.status_code not in _REDIRECTS or target is None:
                return _taken(answer, limits, tuple(hops))
        url = policy.check_url(_joined(url, target))
    raise OutboundRefused(
        gettext_noop("The website forwards more than %(limit)d times."), {"limit": limits.redirects}
    )


def _joined(url: httpx.URL, target: str) -> httpx.URL:
    try:
        return url.join(target)
    except httpx.InvalidURL as error:
        raise OutboundFailed(NOWHERE) from error


def _taken(answer: httpx.Response, limits: Limits, hops: tuple[str, ...]) -> Fetched:
    content_type = answer.headers.get("content-type", "").partition(";")[0].strip().lower()
    if answer.is_success and not content_type:
        raise OutboundRefused(gettext_noop("The website does not say what kind of file this is."))
    if answer.is_success and content_type not in limits.content_types:
        raise OutboundRefused(
            gettext_noop("The answer is of a kind that is not accepted (%(kind)s)."),
            {"kind": content_type[:80]},
        )
    return Fetched(
        status=answer.status_code,
        final_url=hops[-1],
        headers={name: answer.headers[name] for name in _KEPT_HEADERS if name in answer.headers},
        content_type=content_type,
        body=answer.read() if answer.is_success else b"",
        retrieved_at=datetime.datetime.now(datetime.UTC),
        hops=hops,
    )


def _connect_sentence(error: httpx.ConnectError) -> str:
    if "CERTIFICATE" in str(error).upper():
        return gettext_noop(
            "The website's certificate is not valid, so its answer cannot be trusted."
        )
    return gettext_noop("The website cannot be reached: check that its address is spelled right.")
