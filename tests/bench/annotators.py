"""Simulated annotators: each has a connection of its own, answers, and gets the next post.

One thread drives them all with as little work of its own as can be, because it shares the machine
with the server.
"""

import asyncio
import re
import time
import zlib
from dataclasses import dataclass, field

LABELS = ("checkworthy", "not_checkworthy", "no_claim")
KEEPS = re.compile(rb'data-keeps="([^"]*)"')
ACTION = re.compile(rb'action="[^"]*/work/(\d+)/"')
TOKEN = "b" * 32  # any token that cookie and header agree on


@dataclass
class Outcome:
    """What all annotators of one run saw."""

    seconds: float = 0.0
    milliseconds: list[float] = field(default_factory=list)
    assignments: list[tuple[int, int]] = field(default_factory=list)
    refused: int = 0


@dataclass
class Annotator:
    """One person with a signed-in browser."""

    number: int
    port: int
    path: str
    cookies: str
    outcome: Outcome
    assignment: int = 0
    keeps: str = ""

    async def work(self, ends_at: float) -> None:
        """Answer one post after the other."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=2**20)
        try:
            writer.write(self.get())
            first = await page(reader)
            self.assignment, self.keeps = next_assignment(first), keeps(first)
            while self.assignment and time.perf_counter() < ends_at:
                started = time.perf_counter()
                writer.write(self.post())
                answer = await page(reader)
                self.outcome.milliseconds.append((time.perf_counter() - started) * 1000)
                self.outcome.assignments.append((self.number, self.assignment))
                self.assignment = next_assignment(answer)
            if not self.assignment:
                self.outcome.refused += 1
        finally:
            writer.close()

    def head(self, method: str, path: str) -> str:
        """Return the lines that a browser sends with each request."""
        return (
            f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
            f"Cookie: {self.cookies}\r\nAccept-Encoding: gzip\r\n"
            f"Sec-Fetch-Dest: empty\r\nX-Kept: {self.keeps}\r\n"
        )

    def get(self) -> bytes:
        """Return the request for the page."""
        return (self.head("GET", self.path) + "\r\n").encode()

    def post(self) -> bytes:
        """Return an answer."""
        label = LABELS[self.assignment % len(LABELS)]
        body = f"csrfmiddlewaretoken={TOKEN}&label={label}&seconds=4.2&guide_version=1"
        head = self.head("POST", f"{self.path}{self.assignment}/")
        kind = f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n"
        return (head + kind + "\r\n" + body).encode()


async def page(reader: asyncio.StreamReader) -> bytes:
    """Read one answer, as a browser would; empty unless it is a page."""
    head = await reader.readuntil(b"\r\n\r\n")
    found = re.search(rb"content-length: (\d+)", head.lower())
    body = await reader.readexactly(int(found.group(1)) if found else 0)
    if not head.startswith(b"HTTP/1.1 200"):
        return b""
    return zlib.decompress(body, 31) if b"gzip" in head else body


def next_assignment(answer: bytes) -> int:
    """Return the assignment that a page's form sends its answer to; 0 without one."""
    found = ACTION.search(answer)
    return int(found.group(1)) if found else 0


def keeps(answer: bytes) -> str:
    """Return what a page has already, as its script tells the server."""
    found = KEEPS.search(answer)
    return found.group(1).decode() if found else ""


def drive(
    port: int, slug: str, sessions: list[str], known: dict[str, str], seconds: float
) -> Outcome:
    """Let annotators work side by side for some seconds."""
    outcome = Outcome()
    started = time.perf_counter()
    annotators = [
        Annotator(
            number,
            port,
            f"/studies/{slug}/work/",
            f"{known['cookie']}={session}; {known['csrf_cookie']}={TOKEN}",
            outcome,
        )
        for number, session in enumerate(sessions)
    ]

    async def all_of_them() -> None:
        await asyncio.gather(*(one.work(started + seconds) for one in annotators))

    asyncio.run(all_of_them())
    outcome.seconds = time.perf_counter() - started
    return outcome
