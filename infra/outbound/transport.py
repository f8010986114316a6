"""The guarded transport under every outbound request, for httpx and whatever is built on httpx.

Each request gets a connection and a deadline of its own: nothing is pooled, so nothing that was
judged for one request serves another. Refuses cookies in both directions and bodies past the limit.
"""

import contextlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import httpcore
import httpx

from infra.outbound.body import ACCEPTED_ENCODINGS, unpacked
from infra.outbound.network import Deadline, GuardedBackend, Network
from infra.outbound.policy import Policy

# The caller sees the body unpacked, so what describes the packed one would mislead it.
_DROPPED_HEADERS = {b"content-encoding", b"content-length", b"transfer-encoding", b"set-cookie"}
_OWN_HEADERS = {b"accept-encoding", b"connection", b"cookie", b"proxy-authorization"}


@dataclass(frozen=True)
class Bounds:
    """How long one request may take in all, and how many bytes its answer may have."""

    seconds: float
    size: int


class GuardedTransport(httpx.BaseTransport):
    """Sends requests under a policy; `deadline`, where given, holds for all of them together."""

    def __init__(
        self,
        policy: Policy,
        bounds: Bounds,
        network: Network,
        deadline: Deadline | None = None,
    ) -> None:
        self._policy = policy
        self._bounds = bounds
        self._network = network
        self._deadline = deadline

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Judge the address, connect, send, and hand back an answer whose body is bounded."""
        url = self._policy.check_url(request.url)
        deadline = self._deadline or Deadline.after(self._bounds.seconds)
        pool = httpcore.ConnectionPool(
            ssl_context=self._network.trust() if url.scheme == "https" else None,
            max_keepalive_connections=0,
            network_backend=GuardedBackend(self._policy, self._network, deadline),
        )
        try:
            with _httpx_errors(request):
                answer = pool.handle_request(_core_request(request))
                return self._response(answer, _PooledAnswer(answer, pool))
        except BaseException:
            pool.close()
            raise

    def _response(self, answer: httpcore.Response, stream: "_PooledAnswer") -> httpx.Response:
        headers = httpx.Headers(answer.headers)
        pieces = unpacked(stream, headers.get("content-encoding", ""), self._bounds.size)
        return httpx.Response(
            status_code=answer.status,
            headers=[pair for pair in answer.headers if pair[0].lower() not in _DROPPED_HEADERS],
            stream=_Body(pieces, stream),
            extensions=answer.extensions,
        )


class _PooledAnswer:
    """The raw body of one answer, and the pool that goes away with it."""

    def __init__(self, answer: httpcore.Response, pool: httpcore.ConnectionPool) -> None:
        self._answer = answer
        self._pool = pool

    def __iter__(self) -> Iterator[bytes]:
        return self._answer.iter_stream()

    def close(self) -> None:
        self._answer.close()
        self._pool.close()


class _Body(httpx.SyncByteStream):
    def __init__(self, pieces: Iterable[bytes], answer: _PooledAnswer) -> None:
        self._pieces = pieces
        self._answer = answer

    def __iter__(self) -> Iterator[bytes]:
        with _httpx_errors(None):
            yield from self._pieces

    def close(self) -> None:
        self._answer.close()


def _core_request(request: httpx.Request) -> httpcore.Request:
    headers = [pair for pair in request.headers.raw if pair[0].lower() not in _OWN_HEADERS]
    headers += [(b"Accept-Encoding", ACCEPTED_ENCODINGS.encode()), (b"Connection", b"close")]
    return httpcore.Request(
        method=request.method,
        url=httpcore.URL(
            scheme=request.url.raw_scheme,
            host=request.url.raw_host,
            port=request.url.port,
            target=request.url.raw_path,
        ),
        headers=headers,
        content=request.stream,
        # Server name and certificate follow the address; a caller cannot set another by extension.
        extensions={"timeout": request.extensions.get("timeout", {})},
    )


@contextlib.contextmanager
def _httpx_errors(request: httpx.Request | None) -> Iterator[None]:
    """Raise httpcore's errors as httpx's of the same name, as its own transport does."""
    try:
        yield
    except tuple(_ERRORS) as error:
        raise _ERRORS[type(error)](str(error), request=request) from error


_ERRORS: dict[type[Exception], type[httpx.TransportError]] = {
    httpcore.ConnectTimeout: httpx.ConnectTimeout,
    httpcore.ReadTimeout: httpx.ReadTimeout,
    httpcore.WriteTimeout: httpx.WriteTimeout,
    httpcore.PoolTimeout: httpx.PoolTimeout,
    httpcore.ConnectError: httpx.ConnectError,
    httpcore.ReadError: httpx.ReadError,
    httpcore.WriteError: httpx.WriteError,
    httpcore.UnsupportedProtocol: httpx.UnsupportedProtocol,
    httpcore.LocalProtocolError: httpx.LocalProtocolError,
    httpcore.RemoteProtocolError: httpx.RemoteProtocolError,
}
