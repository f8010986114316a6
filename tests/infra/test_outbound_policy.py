"""Addresses as written: every spelling of an inner address is refused, however it is dressed."""

import socket
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from infra.outbound import OutboundRefused, Purpose, check_url, fetch, parse_allowance
from infra.outbound.addresses import is_public, may_be_allow_listed
from infra.outbound.network import Network

INNER = [
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "198.18.0.0/15",
    "224.0.0.0/4",
    "240.0.0.0/4",
]
inner_addresses = st.sampled_from(INNER).flatmap(lambda block: st.ip_addresses(v=4, network=block))


def _spellings(address: IPv4Address) -> list[str]:
    """The ways in which C libraries have let people write an IPv4 address."""
    a, b, c, d = address.packed
    number = int(address)
    return [
        str(address),
        f"{address}.",
        str(number),
        f"0x{number:x}",
        f"0X{number:08X}",
        f"0{number:o}",
        f"{a}.{number & 0xFFFFFF}",
        f"{a}.{b}.{number & 0xFFFF}",
        f"0{a:o}.0{b:o}.0{c:o}.0{d:o}",
        f"0x{a:x}.0x{b:x}.0x{c:x}.0x{d:x}",
        f"{a:03d}.{b:03d}.{c:03d}.{d:03d}",
        f"0x{a:x}.{b}.0{c:o}.{d}",
        f"{a}。{b}。{c}。{d}",
        "".join(f"%{ord(mark):02x}" for mark in str(address)),
        str(address).translate({ord("0") + digit: 0xFF10 + digit for digit in range(10)}),
        f"[::ffff:{address}]",
        f"[::ffff:{a * 256 + b:x}:{c * 256 + d:x}]",
        f"[::{address}]",
        f"[64:ff9b::{address}]",
        f"[64:ff9b:1::{address}]",
        f"[2002:{a * 256 + b:x}:{c * 256 + d:x}::1]",
        f"[2001:0:{a * 256 + b:x}:{c * 256 + d:x}::1]",
        f"me@{address}",
        f"news.example@{address}",
        f"news.example\\@{address}",
    ]


def _never_dialled(address: str, port: int, seconds: float) -> socket.socket:
    pytest.fail(f"dialled {address}")


def _like_the_c_library(host: str) -> list[str]:
    """What getaddrinfo does with a number: the old, generous reading."""
    return [socket.inet_ntoa(socket.inet_aton(host.rstrip(".")))]


@given(inner_addresses, st.integers(0, 24))
@example(IPv4Address("169.254.169.254"), 2)
@example(IPv4Address("127.0.0.1"), 0)
def test_no_spelling_of_an_inner_address_is_dialled(address: IPv4Address, which: int) -> None:
    spelling = _spellings(address)[which]
    network = Network(_like_the_c_library, _never_dialled)
    with pytest.raises(OutboundRefused):
        fetch(f"http://{spelling}/", purpose=Purpose.EVIDENCE, network=network)


@given(inner_addresses)
def test_an_inner_address_is_inner_in_every_ipv6_dress(address: IPv4Address) -> None:
    assert not is_public(address)
    for prefix in ("::ffff:0:0", "64:ff9b::", "64:ff9b:1::", "::"):
        assert not is_public(IPv6Address(int(ip_address(prefix)) | int(address)))
    assert not is_public(IPv6Address((0x2002 << 112) | (int(address) << 80)))
    flipped = int(address) ^ 0xFFFF_FFFF  # Teredo hides the client's address this way
    assert not is_public(IPv6Address((0x20010000 << 96) | flipped))


@given(st.ip_addresses(v=4))
def test_what_is_public_is_global_by_the_registries_too(address: IPv4Address) -> None:
    if is_public(address):
        assert address.is_global
        assert not address.is_multicast
        assert not address.is_reserved


@given(st.ip_addresses(v=6))
def test_public_ipv6_is_given_out_space_or_translated_public_ipv4(address: IPv6Address) -> None:
    if is_public(address):
        given_out = address in ip_network("2000::/3")
        embedded = address.ipv4_mapped or IPv4Address(int(address) & 0xFFFFFFFF)
        assert given_out or is_public(embedded)


@pytest.mark.parametrize(
    "text",
    [
        "::",
        "::1",
        "fc00::1",
        "fd00:ec2::254",
        "fe80::1",
        "fec0::1",
        "ff02::1",
        "2001:db8::1",
        "100::1",
        "3fff::1",
        "5f00::1",
        "2001::1",
        "2002:808:808::1",
        "168.63.129.16",
        "255.255.255.255",
    ],
)
def test_special_addresses_are_not_public(text: str) -> None:
    assert not is_public(ip_address(text))


@pytest.mark.parametrize(
    "text", ["8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"]
)
def test_ordinary_addresses_are_public(text: str) -> None:
    assert is_public(ip_address(text))


@pytest.mark.parametrize(
    "text",
    [
        "169.254.169.254",
        "::ffff:169.254.169.254",
        "fd00:ec2::254",
        "fe80::1",
        "224.0.0.1",
        "0.0.0.0",
        "::",
        "100.100.100.200",
        "168.63.129.16",
        "64:ff9b::a9fe:a9fe",
        "2002:a9fe:a9fe::1",
    ],
)
def test_metadata_and_link_local_cannot_even_be_allow_listed(text: str) -> None:
    assert not may_be_allow_listed(ip_address(text))
    host = f"[{text}]" if ":" in text else text
    with pytest.raises(OutboundRefused):
        check_url(f"http://{host}/", purpose=Purpose.ENDPOINT, allow=["0.0.0.0/0", "::/0"])


@pytest.mark.parametrize(
    "url",
    [
        "",
        "news.example",
        "//news.example/",
        "http:/news.example",
        "http:news.example",
        "http://",
        "http:///x",
        "javascript:alert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        "gopher://news.example/",
        "ftp://news.example/",
        "http+unix://%2Fvar%2Frun%2Fdocker.sock/",
        "http://@news.example/",
        "http://me@news.example/",
        "http://me:secret@news.example/",
        "http://localhost/",
        "http://redis/",
        "http://printer.local/",
        "http://metadata.google.internal/",
        "http://a.localhost./",
        "http://news.example:6379/",
        "http://news.example:0/",
        "http://news.example:99999/",
        "http://news example/",
        "http://news.example\\.evil.example/",
        "http://news.example/\r\nX: y",
        "http://-news.example/",
        "http://news..example/",
        "http://[fe80::1%25eth0]/",
        "http://[::1",
        "http://ex%61mple.com/",
        "http://" + "a" * 5000 + ".example/",
        "http://" + "a." * 200 + "example/",
    ],
)
def test_what_is_no_public_web_address_is_refused_unresolved(url: str) -> None:
    with pytest.raises(OutboundRefused):
        check_url(url, purpose=Purpose.EVIDENCE)


@pytest.mark.parametrize(
    ("url", "normal"),
    [
        ("  https://News.Example/a?b=c ", "https://news.example/a?b=c"),
        ("http://news.example:80/", "http://news.example/"),
        ("https://news.example:443", "https://news.example"),
        ("http://news.example:443/", "http://news.example:443/"),
        ("https://bücher.example/ü", "https://xn--bcher-kva.example/%C3%BC"),
        ("https://a_b.example/", "https://a_b.example/"),
        ("https://8.8.8.8/", "https://8.8.8.8/"),
        ("https://[2606:4700::1111]/", "https://[2606:4700::1111]/"),
        ("https://news.example/@user/1", "https://news.example/@user/1"),
        ("https://web.archive.org/web/2024/http://x.example/", None),
    ],
)
def test_ordinary_web_addresses_pass(url: str, normal: str | None) -> None:
    assert check_url(url, purpose=Purpose.EVIDENCE) == (normal or url)


@pytest.mark.parametrize(
    ("entry", "url"),
    [
        ("vllm:8000", "http://vllm:8000/v1"),
        ("VLLM.lan:8000", "http://vllm.lan:8000/v1"),
        ("10.0.0.5:8000", "http://10.0.0.5:8000/"),
        ("10.0.0.0/24", "http://10.0.0.9:11434/"),
        ("10.0.0.0/24:8000", "http://10.0.0.9:8000/"),
        ("fd12::/16", "http://[fd12::1]:8000/"),
        ("[fd12::1]:8000", "http://[fd12::1]:8000/"),
        ("models.example:8443", "https://models.example:8443/"),
    ],
)
def test_allow_listed_endpoints_pass_and_no_others(entry: str, url: str) -> None:
    assert check_url(url, purpose=Purpose.ENDPOINT, allow=[entry]) == url
    with pytest.raises(OutboundRefused):
        check_url(url, purpose=Purpose.ENDPOINT)
    with pytest.raises(OutboundRefused):
        check_url(url, purpose=Purpose.EVIDENCE, allow=[entry])


def test_an_endpoint_on_the_public_internet_needs_no_entry() -> None:
    assert check_url("https://api.example.com/v1", purpose=Purpose.ENDPOINT)


@pytest.mark.parametrize(
    "entry", ["", "vllm", "vllm:", "vllm:0", "vllm:70000", "10.0.0.1/8:8000", "a b:80", "127.1:80"]
)
def test_an_entry_that_cannot_be_understood_is_named(entry: str) -> None:
    with pytest.raises(ValueError, match="cannot be allow-listed"):
        parse_allowance(entry)
