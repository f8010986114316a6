"""Resolves, judges and dials: the one place where an outbound connection begins.

A name is resolved once, every address in the answer is judged, and exactly a judged address is
dialled, so a name that changes its answer gains nothing. The certificate is still checked against
the name. Refuses unix sockets. Every wait ends at the request's deadline.
"""

import functools
import select
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import httpcore
import httpx

from infra.outbound.addresses import Address, parse_address
from infra.outbound.policy import Policy

_CONNECT_SECONDS = 5.0  # for one address; a dead IPv6 route must leave time for IPv4


@dataclass(frozen=True)
class Deadline:
    """The moment on the monotonic clock when a request is over, whatever it is doing."""

    at: float

    @classmethod
    def after(cls, seconds: float) -> "Deadline":
        """The deadline that is so many seconds away."""
        return cls(time.monotonic() + seconds)

    def left(self, wanted: float | None = None) -> float:
        """Seconds that an operation may take; raises httpcore.ReadTimeout when none are left."""
        left = self.at - time.monotonic()
        if left <= 0:
            raise httpcore.ReadTimeout("the time for this request is over")
        return left if wanted is None else min(wanted, left)


def resolve(host: str) -> list[str]:
    """Ask the system's resolver for the addresses of a name."""
    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


def dial(address: str, port: int, seconds: float) -> socket.socket:
    """Open a connection to a numeric address."""
    connection = socket.create_connection((address, port), timeout=seconds)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


@functools.cache
def trust() -> ssl.SSLContext:
    """Public certificate authorities, and those that this machine's administrator has added."""
    context = httpx.create_ssl_context(trust_env=False)
    context.load_default_certs()
    return context


@dataclass(frozen=True)
class Network:
    """How to reach the outside; tests put their own in."""

    resolve: Callable[[str], Sequence[str]] = resolve
    dial: Callable[[str, int, float], socket.socket] = dial
    trust: Callable[[], ssl.SSLContext] = trust


class GuardedBackend(httpcore.NetworkBackend):
    """Opens connections for one request, under one policy, until one deadline."""

    def __init__(self, policy: Policy, network: Network, deadline: Deadline) -> None:
        self._policy = policy
        self._network = network
        self._deadline = deadline

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        """Resolve, judge all addresses, and dial the first that answers."""
        addresses = self._addresses(host)
        self._policy.check_dial(host, port, addresses)
        failure: OSError | None = None
        for address in addresses:
            seconds = self._deadline.left(min(_CONNECT_SECONDS, timeout or _CONNECT_SECONDS))
            try:
                return GuardedStream(
                    self._network.dial(str(address), port, seconds), self._deadline
                )
            except OSError as error:
                failure = error
        if isinstance(failure, TimeoutError):
            raise httpcore.ConnectTimeout(str(failure)) from failure
        raise httpcore.ConnectError(str(failure)) from failure

    def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Iterable[Any] | None = None
    ) -> httpcore.NetworkStream:
        """Never."""
        raise httpcore.ConnectError("unix sockets are not outbound")

    def _addresses(self, host: str) -> list[Address]:
        try:
            return [parse_address(host)]
        except ValueError:
            pass
        try:
            found = self._resolve_in_time(host)
        except (OSError, UnicodeError) as error:
            raise httpcore.ConnectError("the name does not resolve") from error
        if not found:
            raise httpcore.ConnectError("the name does not resolve")
        return [parse_address(text.partition("%")[0]) for text in found]

    def _resolve_in_time(self, host: str) -> Sequence[str]:
        """The system's resolver knows no timeout: it gets a thread that may be left behind."""
        answers: list[Sequence[str]] = []
        failures: list[Exception] = []

        def ask() -> None:
            try:
                answers.append(self._network.resolve(host))
            except Exception as error:  # noqa: BLE001 - raised again below, in the caller's thread
                failures.append(error)

        thread = threading.Thread(target=ask, name="outbound-resolve", daemon=True)
        thread.start()
        thread.join(self._deadline.left())
        if failures:
            raise failures[0]
        if not answers:
            raise httpcore.ConnectTimeout("the name did not resolve in time")
        return answers[0]


class GuardedStream(httpcore.NetworkStream):
    """One connection whose every wait ends at the deadline."""

    def __init__(self, connection: socket.socket, deadline: Deadline) -> None:
        self._socket = connection
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """Read what is there, at most so many bytes."""
        try:
            self._socket.settimeout(self._deadline.left(timeout))
            return self._socket.recv(max_bytes)
        except TimeoutError as error:
            raise httpcore.ReadTimeout(str(error)) from error
        except OSError as error:
            raise httpcore.ReadError(str(error)) from error

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """Write all; the deadline counts for the whole, not for each piece."""
        rest = memoryview(buffer)
        try:
            while rest:
                self._socket.settimeout(self._deadline.left(timeout))
                rest = rest[self._socket.send(rest) :]
        except TimeoutError as error:
            raise httpcore.WriteTimeout(str(error)) from error
        except OSError as error:
            raise httpcore.WriteError(str(error)) from error

    def close(self) -> None:
        """Close the connection."""
        self._socket.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        """Shake hands and check the certificate against the name that was asked for."""
        try:
            self._socket.settimeout(self._deadline.left(timeout))
            wrapped = ssl_context.wrap_socket(self._socket, server_hostname=server_hostname)
        except TimeoutError as error:
            self.close()
            raise httpcore.ConnectTimeout(str(error)) from error
        except OSError as error:
            self.close()
            raise httpcore.ConnectError(str(error)) from error
        return GuardedStream(wrapped, self._deadline)

    def get_extra_info(self, info: str) -> Any:
        """What httpcore asks of a connection."""
        if info == "ssl_object" and isinstance(self._socket, ssl.SSLSocket):
            return self._socket
        if info == "is_readable":
            return bool(select.select([self._socket], [], [], 0)[0])
        return None
