"""The rules of outbound requests: purposes, allow-lists, and what a web address may look like.

Refuses a web address before anything is resolved: other schemes, other ports, credentials in the
address, odd spellings of a number, names of the local network. What the name resolves to is
judged later, at the moment of dialling.
"""

import enum
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from ipaddress import ip_network

import httpx

from infra.outbound.addresses import (
    Address,
    Network,
    is_public,
    may_be_allow_listed,
    parse_address,
    real_target,
)
from infra.outbound.errors import AllowanceInvalid, OutboundRefused, gettext_noop

LONGEST_ADDRESS = 4096
_WEB_PORTS = {"http": 80, "https": 443}
_AUTHORITY = re.compile(r"[a-z][a-z0-9+.-]*://([^/?#]*)", re.IGNORECASE)
_NAME = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)(\.(?!-)[a-z0-9_-]{1,63}(?<!-))*\.?")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_ENTRY = re.compile(r"(?:\[(?P<bracketed>[^\]]+)\]|(?P<plain>[^\[\]:]+))(?::(?P<port>[0-9]{1,5}))?")


class Purpose(enum.Enum):
    """Why a request is made; decides how far it may reach."""

    EVIDENCE = "evidence"
    """Web pages named by people: the public internet only, ports 80 and 443 only."""
    ENDPOINT = "endpoint"
    """Language models: also what the site administrator has allow-listed."""
    WEBHOOK = "webhook"
    """Services that are told of events: also what the site administrator has allow-listed."""


@dataclass(frozen=True)
class Allowance:
    """One entry of the allow-list: a name with its port, or a block of addresses."""

    name: str | None
    network: Network | None
    port: int | None

    def covers_name(self, host: str, port: int) -> bool:
        """Whether this entry names the host itself."""
        return self.name is not None and self.name == host.lower() and self.port == port

    def could_cover(self, port: int) -> bool:
        """Whether some address in this entry may be reached on the port."""
        return self.network is not None and self.port in (None, port)

    def covers_address(self, address: Address, port: int) -> bool:
        """Whether this entry holds the address."""
        return self.network is not None and self.could_cover(port) and address in self.network


@dataclass(frozen=True)
class Policy:
    """One purpose together with what is allow-listed for it."""

    purpose: Purpose
    allowances: tuple[Allowance, ...] = ()

    @classmethod
    def of(cls, purpose: Purpose, allow: Iterable[str] = ()) -> "Policy":
        """Read the allow-list; it means nothing for evidence, which never leaves the public net."""
        if purpose is Purpose.EVIDENCE:
            return cls(purpose)
        return cls(purpose, tuple(parse_allowance(entry) for entry in allow))

    def check_url(self, text: str | httpx.URL) -> httpx.URL:
        """Return the parsed web address, or raise OutboundRefused with the reason."""
        url = _parse(text)
        host, port = url.raw_host.decode("ascii"), url.port or _WEB_PORTS[url.scheme]
        address = _address_or_none(host)
        if address is None:
            self._check_name(host, port)
        else:
            self.check_dial(host, port, [address])
        return url

    def check_dial(self, host: str, port: int, addresses: Sequence[Address]) -> None:
        """Refuse unless every address that the host resolved to may be dialled.

        One bad address among good ones is how a rebinding name looks, so it spoils all of them.
        """
        for address in addresses:
            if self._is_allow_listed(host, port, address):
                continue
            if not is_public(address):
                raise OutboundRefused(
                    gettext_noop("%(host)s is not on the public internet."), {"host": host}
                )
            _check_port(port)

    def _check_name(self, host: str, port: int) -> None:
        if any(allowance.covers_name(host, port) for allowance in self.allowances):
            return
        labels = host.rstrip(".").split(".")
        if not _NAME.fullmatch(host) or _NUMBER.fullmatch(labels[-1]) or len(host) > 253:
            raise OutboundRefused(
                gettext_noop("“%(host)s” is not the name of a website."), {"host": host}
            )
        if len(labels) == 1 or labels[-1] in {"localhost", "local", "internal"}:
            raise OutboundRefused(
                gettext_noop("“%(host)s” is a name of a local network, not of a website."),
                {"host": host},
            )
        if not any(allowance.could_cover(port) for allowance in self.allowances):
            _check_port(port)

    def _is_allow_listed(self, host: str, port: int, address: Address) -> bool:
        if not may_be_allow_listed(address):
            return False
        target = real_target(address)
        return any(
            allowance.covers_name(host, port) or allowance.covers_address(target, port)
            for allowance in self.allowances
        )


def parse_allowance(entry: str) -> Allowance:
    """Read `name:port`, `address:port`, `block`, `block:port`; IPv6 with a port in brackets.

    AllowanceInvalid for anything else: a name without a port among it, because a name
    stands for one service and not for a whole machine.
    """
    text = entry.strip().lower()
    try:
        return Allowance(None, ip_network(text), None)
    except ValueError:
        pass
    match = _ENTRY.fullmatch(text)
    port = int(match["port"]) if match and match["port"] else None
    if match is None or port is None or not 0 < port < 65536:
        raise _bad_entry(entry)
    host = match["bracketed"] or match["plain"]
    try:
        return Allowance(None, ip_network(host), port)
    except ValueError:
        if match["bracketed"] or not _is_plain_name(host):
            raise _bad_entry(entry) from None
    return Allowance(host, None, port)


def _bad_entry(entry: str) -> AllowanceInvalid:
    return AllowanceInvalid(
        gettext_noop(
            "“%(entry)s” cannot be allow-listed: write name:port, address:port, "
            "or a block of addresses such as 10.0.0.0/24."
        ),
        {"entry": entry},
    )


def _is_plain_name(host: str) -> bool:
    return bool(_NAME.fullmatch(host)) and not _NUMBER.fullmatch(host.rsplit(".", 1)[-1])


def _parse(text: str | httpx.URL) -> httpx.URL:
    """Parse strictly: what a browser and this client could read differently is refused."""
    written = str(text).strip()
    if len(written) > LONGEST_ADDRESS:
        raise OutboundRefused(
            gettext_noop("The web address is longer than %(limit)d characters."),
            {"limit": LONGEST_ADDRESS},
        )
    match = _AUTHORITY.match(written)
    if not match or "\\" in written or any(mark.isspace() for mark in written):
        raise OutboundRefused(
            gettext_noop("This is not a web address: it should begin with https://.")
        )
    if "@" in match[1]:
        raise OutboundRefused(gettext_noop("The web address carries a user name or password."))
    try:
        url = httpx.URL(written)
    except httpx.InvalidURL:
        raise OutboundRefused(gettext_noop("This is not a valid web address.")) from None
    if url.scheme not in _WEB_PORTS:
        raise OutboundRefused(
            gettext_noop("Only addresses that begin with http:// or https:// are fetched.")
        )
    if not url.raw_host or url.port == 0:
        raise OutboundRefused(gettext_noop("This is not a valid web address."))
    return url


def _address_or_none(host: str) -> Address | None:
    try:
        return parse_address(host)
    except ValueError:
        return None


def _check_port(port: int) -> None:
    if port not in _WEB_PORTS.values():
        raise OutboundRefused(
            gettext_noop("Port %(port)d is not one that web pages are served on."), {"port": port}
        )
