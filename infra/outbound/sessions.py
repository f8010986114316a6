"""A guarded httpx.Client for libraries that want one; refuses redirects, cookies and proxies."""

from collections.abc import Iterable

import httpx

from infra.outbound.network import Network
from infra.outbound.policy import Policy, Purpose
from infra.outbound.transport import Bounds, GuardedTransport


def client(
    purpose: Purpose,
    allow: Iterable[str] = (),
    *,
    seconds: float = 600.0,
    size: int = 64 * 1024 * 1024,
    network: Network | None = None,
) -> httpx.Client:
    """Make the `http_client` of the openai package, or of anything else that speaks httpx.

    Rules that are broken raise OutboundRefused; the network's faults raise httpx's own errors,
    which such libraries know how to retry. Redirects are not followed: an endpoint's key would
    travel with them, and a model that has moved should be entered anew.
    """
    return httpx.Client(
        transport=GuardedTransport(
            Policy.of(purpose, allow), Bounds(seconds, size), network or Network()
        ),
        trust_env=False,
        follow_redirects=False,
        timeout=seconds,
    )
