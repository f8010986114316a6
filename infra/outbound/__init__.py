"""The one guarded client for outbound HTTP; nothing else in the project opens outside addresses.

`fetch` gets one document, `client` is for libraries that bring their own protocol, `check_url`
judges an address as typed, without touching the network. Refuses private networks by purpose.
"""

from collections.abc import Iterable

from infra.outbound.errors import AllowanceInvalid, OutboundError, OutboundFailed, OutboundRefused
from infra.outbound.fetching import DOCUMENTS, Fetched, Limits, fetch
from infra.outbound.network import Network
from infra.outbound.policy import Allowance, Policy, Purpose, parse_allowance
from infra.outbound.sessions import client

__all__ = [
    "DOCUMENTS",
    "Allowance",
    "AllowanceInvalid",
    "Fetched",
    "Limits",
    "Network",
    "OutboundError",
    "OutboundFailed",
    "OutboundRefused",
    "Purpose",
    "check_url",
    "client",
    "fetch",
    "parse_allowance",
]


def check_url(url: str, *, purpose: Purpose, allow: Iterable[str] = ()) -> str:
    """Return the address in normal form, or raise OutboundRefused with the reason."""
    return str(Policy.of(purpose, allow).check_url(url))
