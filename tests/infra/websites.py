"""Small real servers on loopback, and networks that pretend they stand on the public internet."""

import contextlib
import datetime
import ipaddress
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from infra.outbound.network import Network

PUBLIC = "93.184.216.34"
Answer = tuple[int, dict[str, str], bytes]


class Website(ThreadingHTTPServer):
    """Answers each path with what the test has put there, and remembers what it was asked."""

    daemon_threads = True

    def __init__(self, family: socket.AddressFamily = socket.AF_INET) -> None:
        self.address_family = family
        host = "::1" if family == socket.AF_INET6 else "127.0.0.1"
        super().__init__((host, 0), _Handler)
        self.answers: dict[str, Answer] = {}
        self.asked: list[tuple[str, dict[str, str]]] = []
        self.sent: list[bytes] = []

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    def page(self, path: str, body: bytes, status: int = 200, **headers: str) -> None:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.answers[path] = (status, {"Content-Type": "text/html; charset=utf-8"} | named, body)

    def redirect(self, path: str, target: str, status: int = 302) -> None:
        self.answers[path] = (status, {"Location": target}, b"")


class _Handler(BaseHTTPRequestHandler):
    server: Website

    def do_GET(self) -> None:
        self.server.asked.append((self.path, dict(self.headers)))
        status, headers, body = self.server.answers.get(self.path, (404, {}, b"nothing here"))
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if "Content-Length" not in headers:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        with contextlib.suppress(OSError):
            self.wfile.write(body)

    def do_POST(self) -> None:
        self.server.sent.append(self.rfile.read(int(self.headers["Content-Length"])))
        self.do_GET()

    def log_message(self, *arguments: object) -> None:
        pass


@contextlib.contextmanager
def website(
    family: socket.AddressFamily = socket.AF_INET, tls: Path | None = None
) -> Iterator[Website]:
    server = Website(family)
    if tls is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(tls)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextlib.contextmanager
def raw_server(converse: Callable[[socket.socket, threading.Event], None]) -> Iterator[int]:
    """A server that says whatever the test wants, byte by byte if need be; gives its port."""
    over = threading.Event()
    listener = socket.create_server(("127.0.0.1", 0))
    listener.settimeout(10)

    def serve() -> None:
        with contextlib.suppress(OSError):
            connection, _ = listener.accept()
            with connection:
                converse(connection, over)

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield int(listener.getsockname()[1])
    finally:
        over.set()
        listener.close()
        thread.join()


class RecordedNetwork:
    """Remembers which names were resolved and which addresses were dialled."""

    def __init__(self, names: dict[str, list[str]], hosts: dict[tuple[str, int], int]) -> None:
        self.names = names
        self.hosts = hosts
        self.resolved: list[str] = []
        self.dialled: list[tuple[str, int]] = []

    def as_network(self, trust: Callable[[], ssl.SSLContext] | None = None) -> Network:
        if trust is None:
            return Network(self._resolve, self._dial)
        return Network(self._resolve, self._dial, trust)

    def _resolve(self, host: str) -> list[str]:
        self.resolved.append(host)
        if host not in self.names:
            raise socket.gaierror(socket.EAI_NONAME, "no such name")
        return self.names[host]

    def _dial(self, address: str, port: int, seconds: float) -> socket.socket:
        self.dialled.append((address, port))
        if (address, port) not in self.hosts:
            raise ConnectionRefusedError("nobody listens")
        return socket.create_connection(("127.0.0.1", self.hosts[address, port]), timeout=seconds)


def certificate(folder: Path, *names: str) -> Path:
    """A self-signed certificate with its key, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, names[0])])
    now = datetime.datetime.now(datetime.UTC)
    signed = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([_general(name) for name in names]), critical=False
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = folder / "site.pem"
    path.write_bytes(
        signed.public_bytes(serialization.Encoding.PEM)
        + key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return path


def _general(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)
