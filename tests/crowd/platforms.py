"""A server on loopback that answers as Prolific's API documents, and remembers the questions."""

import contextlib
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

TOKEN = "prolific-token-of-the-site"


class ProlificServer(ThreadingHTTPServer):
    """Studies and submissions by id; `status` makes every answer fail with it.

    `failing` does so for addresses with certain words in them.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.studies: dict[str, dict[str, Any]] = {}
        self.submissions: dict[str, dict[str, Any]] = {}
        self.bonuses: dict[str, dict[str, Any]] = {}
        self.asked: list[tuple[str, str, dict[str, Any]]] = []
        self.status = 200
        self.failing: dict[str, int] = {}

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def answer(  # noqa: C901 -- one line for each address that Prolific documents
        self, method: str, path: str, body: dict[str, Any]
    ) -> tuple[int, Any]:
        self.asked.append((method, path, body))
        status = next((code for words, code in self.failing.items() if words in path), self.status)
        if status != 200:
            return status, {"error": {"status": status, "detail": f"No such luck: {path}"}}
        kind, *parts = path.removeprefix("/api/v1/").strip("/").split("/")
        match (method, kind, parts):
            case ("GET", "studies", [which]):
                return self.found(self.studies.get(which))
            case ("PATCH", "studies", [which]):
                self.studies[which] |= body
                return 200, self.studies[which]
            case ("POST", "studies", [which, "transition"]):
                states = {"PUBLISH": "ACTIVE", "PAUSE": "PAUSED", "START": "ACTIVE"}
                self.studies[which]["status"] = states[body["action"]]
                return 200, self.studies[which]
            case ("GET", "submissions", [which]):
                return self.found(self.submissions.get(which))
            case ("POST", "submissions", ["bonus-payments"]):
                self.bonuses["pay1"] = body | {"paid": 0}
                return 201, {"id": "pay1", "study": body["study_id"]}
            case ("POST", "submissions", [which, "transition"]):
                states = {"APPROVE": "APPROVED", "REJECT": "REJECTED"}
                self.submissions[which]["status"] = states[body["action"]]
                return 200, self.submissions[which]
            case ("POST", "bulk-bonus-payments", [which, "pay"]):
                self.bonuses[which]["paid"] += 1
                return 202, None
        return 404, {"error": {"detail": "Not found."}}

    def found(self, thing: dict[str, Any] | None) -> tuple[int, Any]:
        return (200, thing) if thing else (404, {"error": {"detail": "Not found."}})


class _Handler(BaseHTTPRequestHandler):
    server: ProlificServer

    def do_GET(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        body = json.loads(self.rfile.read(length) or b"{}")
        status, found = self.server.answer(self.command, self.path, body)
        if self.headers.get("Authorization") != f"Token {TOKEN}":
            status, found = 401, {"error": {"detail": "Invalid token."}}
        content = b"" if found is None else json.dumps(found).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def do_POST(self) -> None:
        self.do_GET()

    def do_PATCH(self) -> None:
        self.do_GET()

    def log_message(self, *arguments: object) -> None:
        pass


@contextlib.contextmanager
def prolific_server() -> Iterator[ProlificServer]:
    server = ProlificServer()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
