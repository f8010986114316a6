"""The guarded client against real servers: what is fetched, what is refused, what it costs."""

import datetime
import gzip
import pickle
import socket
import ssl
import threading
import time
import tracemalloc
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from infra.outbound import (
    Fetched,
    Limits,
    OutboundError,
    OutboundFailed,
    OutboundRefused,
    Purpose,
    client,
    fetch,
)
from infra.outbound.network import Network
from tests.infra.websites import PUBLIC, RecordedNetwork, Website, certificate, raw_server, website


@pytest.fixture
def site() -> Iterator[Website]:
    with website() as server:
        server.page("/", b"<p>evidence</p>", Last_Modified="Mon, 01 Jan 2024 00:00:00 GMT")
        yield server


@pytest.fixture
def net(site: Website) -> RecordedNetwork:
    return RecordedNetwork({"news.example": [PUBLIC]}, {(PUBLIC, 80): site.port})


def evidence(url: str, net: RecordedNetwork, **limits: float) -> Fetched:
    return fetch(
        url,
        purpose=Purpose.EVIDENCE,
        network=net.as_network(),
        limits=Limits(**limits),
    )


def test_a_page_is_fetched_with_what_the_record_needs(site: Website, net: RecordedNetwork) -> None:
    page = fetch("http://news.example/#top", purpose=Purpose.EVIDENCE, network=net.as_network())
    assert (page.status, page.body, page.content_type) == (200, b"<p>evidence</p>", "text/html")
    assert page.final_url == "http://news.example/"
    assert page.hops == ("http://news.example/",)
    assert page.headers["last-modified"] == "Mon, 01 Jan 2024 00:00:00 GMT"
    assert datetime.datetime.now(datetime.UTC) - page.retrieved_at < datetime.timedelta(minutes=1)
    assert site.asked[0][1]["Host"] == "news.example"


def test_a_name_is_resolved_once_and_its_judged_address_dialled(net: RecordedNetwork) -> None:
    evidence("http://news.example/", net)
    assert net.resolved == ["news.example"]
    assert net.dialled == [(PUBLIC, 80)]


def test_the_next_address_is_tried_when_the_first_is_silent(net: RecordedNetwork) -> None:
    net.names["news.example"] = ["2606:2800:220:1::1", PUBLIC]
    evidence("http://news.example/", net)
    assert net.dialled == [("2606:2800:220:1::1", 80), (PUBLIC, 80)]


@pytest.mark.parametrize(
    "answer",
    [["127.0.0.1"], [PUBLIC, "10.0.0.1"], ["::1"], ["::ffff:169.254.169.254"], ["fd00:ec2::254"]],
)
def test_a_name_that_points_inside_is_never_dialled(
    net: RecordedNetwork, answer: list[str]
) -> None:
    net.names["news.example"] = answer
    with pytest.raises(OutboundRefused, match="not on the public internet"):
        evidence("http://news.example/", net)
    assert net.dialled == []


def test_a_name_whose_answer_changes_is_judged_at_every_connection(
    site: Website, net: RecordedNetwork
) -> None:
    answers = iter([[PUBLIC], ["127.0.0.1"]])
    dialled: list[str] = []

    def dial(address: str, port: int, seconds: float) -> socket.socket:
        dialled.append(address)
        return socket.create_connection(("127.0.0.1", site.port), timeout=seconds)

    site.redirect("/again", "/")
    network = Network(lambda host: next(answers), dial)
    with pytest.raises(OutboundRefused, match="not on the public internet"):
        fetch("http://news.example/again", purpose=Purpose.EVIDENCE, network=network)
    assert dialled == [PUBLIC]


@pytest.mark.parametrize(
    "target",
    [
        "http://127.0.0.1/",
        "http://[::1]/",
        "http://169.254.169.254/latest/meta-data/",
        "http://2130706433/",
        "//localhost/",
        "file:///etc/passwd",
        "ftp://news.example/",
        "http://me:secret@news.example/",
        "http://news.example:6379/",
    ],
)
def test_a_redirect_is_judged_like_a_first_address(
    site: Website, net: RecordedNetwork, target: str
) -> None:
    site.redirect("/go", target)
    with pytest.raises(OutboundRefused):
        evidence("http://news.example/go", net)
    assert net.dialled == [(PUBLIC, 80)]


@pytest.mark.parametrize(
    "target", ["javascript:alert(1)", "http:alert(1)", "http://[::1", "mailto:x"]
)
def test_a_redirect_to_what_is_no_address_ends_in_a_sentence(
    site: Website, net: RecordedNetwork, target: str
) -> None:
    site.redirect("/go", target)
    with pytest.raises(OutboundError, match=r"\.$"):
        evidence("http://news.example/go", net)
    assert net.dialled == [(PUBLIC, 80)]


def test_redirects_are_followed_and_listed_up_to_five(site: Website, net: RecordedNetwork) -> None:
    for number in range(6):
        site.redirect(f"/{number}", f"/{number + 1}", status=301)
    site.page("/6", b"there")
    assert evidence("http://news.example/1", net).hops[-1] == "http://news.example/6"
    with pytest.raises(OutboundRefused, match="more than 5 times"):
        evidence("http://news.example/0", net)


def test_cookies_are_neither_kept_nor_sent(site: Website, net: RecordedNetwork) -> None:
    site.answers["/go"] = (302, {"Location": "/", "Set-Cookie": "who=me; Path=/"}, b"")
    evidence("http://news.example/go", net)
    assert len(site.asked) == 2
    assert all("Cookie" not in headers for _, headers in site.asked)


def test_proxies_of_the_environment_are_ignored(
    net: RecordedNetwork, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    evidence("http://news.example/", net)
    assert net.dialled == [(PUBLIC, 80)]


@pytest.mark.parametrize("pack", [gzip.compress, zlib.compress], ids=["gzip", "deflate"])
def test_a_packed_page_is_unpacked(
    site: Website, net: RecordedNetwork, pack: Callable[[bytes], bytes]
) -> None:
    body = bytes(range(256)) * 5000
    encoding = "gzip" if pack is gzip.compress else "deflate"
    site.page("/", pack(body), Content_Encoding=encoding)
    assert evidence("http://news.example/", net).body == body


def test_gzip_in_several_members_is_whole(site: Website, net: RecordedNetwork) -> None:
    packed = gzip.compress(b"one ") + gzip.compress(b"two") + b"\0" * 8
    site.page("/", packed, Content_Encoding="gzip")
    assert evidence("http://news.example/", net).body == b"one two"


def test_a_gzip_bomb_is_refused_before_it_fills_memory(site: Website, net: RecordedNetwork) -> None:
    site.page("/", gzip.compress(bytes(200 * 1024 * 1024), 1), Content_Encoding="gzip")
    tracemalloc.start()
    try:
        with pytest.raises(OutboundRefused, match="larger"):
            evidence("http://news.example/", net, size=4 * 1024 * 1024)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 16 * 1024 * 1024


@pytest.mark.parametrize("encoding", ["br", "gzip, gzip", "compress"])
def test_other_packing_is_refused(site: Website, net: RecordedNetwork, encoding: str) -> None:
    site.page("/", b"...", Content_Encoding=encoding)
    with pytest.raises(OutboundRefused, match="packed"):
        evidence("http://news.example/", net)


@pytest.mark.parametrize(
    "body", [gzip.compress(b"x" * 9000)[:-9], b"not gzip at all"], ids=["cut", "no gzip"]
)
def test_damaged_packing_fails(site: Website, net: RecordedNetwork, body: bytes) -> None:
    site.page("/", body, Content_Encoding="gzip")
    with pytest.raises(OutboundFailed, match=r"damaged|broke off"):
        evidence("http://news.example/", net)


def test_a_page_of_exactly_the_limit_is_taken_and_one_byte_more_is_not(
    site: Website, net: RecordedNetwork
) -> None:
    site.page("/fits", b"x" * 5000)
    site.page("/over", b"x" * 5001)
    assert len(evidence("http://news.example/fits", net, size=5000).body) == 5000
    with pytest.raises(OutboundRefused, match="larger"):
        evidence("http://news.example/over", net, size=5000)


@pytest.mark.parametrize("kind", ["image/png", "application/x-msdownload", "", "text/htmlx"])
def test_what_is_not_a_document_is_refused(site: Website, net: RecordedNetwork, kind: str) -> None:
    site.page("/", b"...", Content_Type=kind)
    with pytest.raises(OutboundRefused, match="kind"):
        evidence("http://news.example/", net)


def test_an_error_page_is_reported_by_its_status_alone(net: RecordedNetwork) -> None:
    page = fetch("http://news.example/gone", purpose=Purpose.EVIDENCE, network=net.as_network())
    assert (page.status, page.body) == (404, b"")


def test_an_answer_that_breaks_off_fails(site: Website, net: RecordedNetwork) -> None:
    site.page("/", b"half", Content_Length="8")
    with pytest.raises(OutboundFailed, match="broke off"):
        evidence("http://news.example/", net)


def test_a_name_that_does_not_exist_fails_with_a_sentence(net: RecordedNetwork) -> None:
    with pytest.raises(OutboundFailed, match="cannot be reached"):
        evidence("http://missing.example/", net)


def drip(start: bytes, piece: bytes) -> Callable[[socket.socket, threading.Event], None]:
    """Send the start, then one piece after the other for ever, each well within any timeout."""

    def converse(connection: socket.socket, over: threading.Event) -> None:
        connection.recv(65536)
        connection.sendall(start)
        while not over.wait(0.05):
            connection.sendall(piece)

    return converse


@pytest.mark.parametrize(
    ("start", "piece"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n", b"x"),
        (b"HTTP/1.1 200 OK\r\n", b"X: y\r\n"),
        (b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n", b"0"),
        (b"", b""),
    ],
    ids=["body", "headers", "chunk size", "silence"],
)
def test_a_slow_drip_ends_at_the_deadline(start: bytes, piece: bytes) -> None:
    with raw_server(drip(start, piece)) as port:
        net = RecordedNetwork({"slow.example": [PUBLIC]}, {(PUBLIC, 80): port})
        began = time.monotonic()
        with pytest.raises(OutboundFailed):
            evidence("http://slow.example/", net, seconds=0.6)
        assert time.monotonic() - began < 2


def test_a_handshake_that_drips_ends_at_the_deadline() -> None:
    with raw_server(drip(b"\x16\x03\x03\x40\x00", b"\0")) as port:
        net = RecordedNetwork({"slow.example": [PUBLIC]}, {(PUBLIC, 443): port})
        began = time.monotonic()
        with pytest.raises(OutboundFailed):
            evidence("https://slow.example/", net, seconds=0.6)
        assert time.monotonic() - began < 2


def test_a_resolver_that_hangs_ends_at_the_deadline() -> None:
    release = threading.Event()

    def resolve(host: str) -> list[str]:
        release.wait(20)
        return []

    network = Network(resolve)
    began = time.monotonic()
    with pytest.raises(OutboundFailed, match="did not answer"):
        fetch(
            "http://news.example/",
            purpose=Purpose.EVIDENCE,
            network=network,
            limits=Limits(seconds=0.3),
        )
    release.set()
    assert time.monotonic() - began < 2


def test_https_checks_the_certificate_against_the_name(tmp_path: Path) -> None:
    pem = certificate(tmp_path, "news.example")
    context = ssl.create_default_context(cafile=str(pem))
    with website(tls=pem) as site:
        site.page("/", b"safe")
        names = {"news.example": [PUBLIC], "other.example": [PUBLIC]}
        net = RecordedNetwork(names, {(PUBLIC, 443): site.port})
        network = net.as_network(trust=lambda: context)
        page = fetch("https://news.example/", purpose=Purpose.EVIDENCE, network=network)
        assert page.body == b"safe"
        with pytest.raises(OutboundFailed, match="certificate"):
            fetch("https://other.example/", purpose=Purpose.EVIDENCE, network=network)
        with pytest.raises(OutboundFailed, match="certificate"):
            fetch("https://news.example/", purpose=Purpose.EVIDENCE, network=net.as_network())


def test_an_endpoint_reaches_exactly_what_is_allow_listed(site: Website) -> None:
    def reach(*allow: str) -> int:
        url = f"http://127.0.0.1:{site.port}/"
        return fetch(url, purpose=Purpose.ENDPOINT, allow=allow).status

    assert reach(f"127.0.0.1:{site.port}") == 200
    assert reach("127.0.0.0/8") == 200
    assert reach(f"127.0.0.0/8:{site.port}") == 200
    for other in ("127.0.0.1:1", "10.0.0.0/8", f"localhost:{site.port}", "[::1]:80"):
        with pytest.raises(OutboundRefused):
            reach(other)
    with pytest.raises(OutboundRefused):
        reach()


def test_an_allow_listed_name_may_point_inside(site: Website) -> None:
    port = site.port
    net = RecordedNetwork({"vllm": ["127.0.0.1"]}, {("127.0.0.1", port): port})
    url = f"http://vllm:{port}/"
    allow = [f"vllm:{port}"]
    page = fetch(url, purpose=Purpose.ENDPOINT, allow=allow, network=net.as_network())
    assert page.status == 200
    net.names["vllm"] = ["169.254.169.254"]
    with pytest.raises(OutboundRefused):
        fetch(url, purpose=Purpose.ENDPOINT, allow=allow, network=net.as_network())


def test_evidence_ignores_the_allow_list(site: Website) -> None:
    with pytest.raises(OutboundRefused):
        fetch(f"http://127.0.0.1:{site.port}/", purpose=Purpose.EVIDENCE, allow=["127.0.0.0/8"])


def test_a_redirect_from_an_allow_listed_place_to_another_is_refused(site: Website) -> None:
    with website() as inner:
        inner.page("/", b"secret")
        site.redirect("/go", f"http://127.0.0.1:{inner.port}/")
        with pytest.raises(OutboundRefused):
            fetch(
                f"http://127.0.0.1:{site.port}/go",
                purpose=Purpose.ENDPOINT,
                allow=[f"127.0.0.1:{site.port}"],
            )
        assert inner.asked == []


@pytest.mark.skipif(not socket.has_ipv6, reason="this machine has no IPv6")
def test_ipv6_is_dialled_where_allowed() -> None:
    try:
        server = website(socket.AF_INET6)
        with server as site:
            site.page("/", b"six")
            url = f"http://[::1]:{site.port}/"
            page = fetch(url, purpose=Purpose.ENDPOINT, allow=[f"[::1]:{site.port}"])
            assert page.body == b"six"
            with pytest.raises(OutboundRefused):
                fetch(url, purpose=Purpose.EVIDENCE)
    except OSError as error:
        pytest.skip(f"this machine has no IPv6 loopback: {error}")


def test_a_session_for_libraries_is_bounded_and_guarded_alike(site: Website) -> None:
    site.page("/v1/chat", b'{"ok": true}', Content_Type="application/json")
    site.page("/v1/huge", gzip.compress(bytes(9_000_000)), Content_Encoding="gzip")
    site.redirect("/v1/moved", "/v1/chat")
    base = f"http://127.0.0.1:{site.port}/v1"
    with client(Purpose.ENDPOINT, [f"127.0.0.1:{site.port}"], size=1_000_000) as session:
        answer = session.post(f"{base}/chat", json={}, headers={"Authorization": "Bearer key"})
        assert answer.json() == {"ok": True}
        assert session.get(f"{base}/moved").status_code == 302
        with pytest.raises(OutboundRefused):
            session.get(f"{base}/huge")
        with pytest.raises(OutboundRefused):
            session.get("http://10.0.0.1/")
        with pytest.raises(OutboundRefused):
            session.get("http://127.0.0.1:1/")


def test_a_session_raises_the_errors_that_libraries_retry(site: Website) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    with client(Purpose.ENDPOINT, ["127.0.0.0/8"]) as session, pytest.raises(httpx.ConnectError):
        session.get(f"http://127.0.0.1:{port}/")
    with (
        raw_server(drip(b"HTTP/1.1 200 OK\r\n\r\n", b"x")) as slow,
        client(Purpose.ENDPOINT, ["127.0.0.0/8"], seconds=0.3) as session,
        pytest.raises(httpx.ReadTimeout),
    ):
        session.get(f"http://127.0.0.1:{slow}/")


def test_errors_keep_their_sentence_between_processes() -> None:
    error = OutboundRefused("“%(host)s” is 100%% refused", {"host": "50% off"})
    assert str(pickle.loads(pickle.dumps(error))) == "“50% off” is 100% refused"
    assert str(OutboundFailed("Broken off.")) == "Broken off."
