"""`manage.py serve`: ports, children that go with it, and the whole command on named servers."""

import contextlib
import http.client
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg2
import pytest

from infra.serving import POLITE, ChildGoneError, Household, PortTakenError, free_port

PROJECT = Path(__file__).resolve().parents[2]
SLEEP = ["-c", "import time; time.sleep(60)"]
PARENT = """
import sys, time, signal
import django
from django.conf import settings
settings.configure(USE_I18N=False)
django.setup()
from infra.serving import POLITE, Household
child = Household().start("A child", sys.argv[1:], steps=POLITE, on_our_death=signal.SIGTERM)
print(child.process.pid, flush=True)
time.sleep(60)
"""


@pytest.fixture
def taken_port() -> Iterator[int]:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield listener.getsockname()[1]


def is_gone(pid: int, seconds: float = 5) -> bool:
    """Wait for the end of a process; one that nobody has collected counts as ended."""
    give_up_at = time.monotonic() + seconds
    while time.monotonic() < give_up_at:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1][0]
        except FileNotFoundError:
            return True
        if state == "Z":
            return True
        time.sleep(0.05)
    return False


def test_a_taken_port_is_refused_when_it_was_asked_for(taken_port: int) -> None:
    with pytest.raises(PortTakenError, match=str(taken_port)):
        free_port("127.0.0.1", taken_port, print)


def test_a_taken_port_is_passed_over_when_none_was_asked_for(
    taken_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("infra.serving.FIRST_PORT", taken_port)
    said: list[str] = []
    assert free_port("127.0.0.1", None, said.append) > taken_port
    assert str(taken_port) in said[0]


def test_two_that_start_at_the_same_moment_never_share_a_port() -> None:
    first = free_port("127.0.0.1", None, print)
    assert free_port("127.0.0.1", None, print) != first
    with pytest.raises(PortTakenError):
        free_port("127.0.0.1", first, print)


def test_a_child_that_ends_by_itself_is_named() -> None:
    household = Household()
    child = household.start(
        "The child", ["-c", "raise SystemExit(3)"], steps=POLITE, on_our_death=signal.SIGTERM
    )
    child.process.wait()
    with pytest.raises(ChildGoneError, match=r"The child .*status 3"):
        household.check()
    household.stop()


def test_stopping_takes_grandchildren_along() -> None:
    grandparent = f"import subprocess, sys; subprocess.run([sys.executable, *{SLEEP!r}])"
    household = Household()
    child = household.start(
        "The child", ["-c", grandparent], steps=POLITE, on_our_death=signal.SIGTERM
    )
    children = Path(f"/proc/{child.process.pid}/task/{child.process.pid}/children")
    while not (found := children.read_text().split()):
        time.sleep(0.02)
    household.stop()
    assert is_gone(int(found[0]))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells children of our death")
def test_a_child_does_not_outlive_a_parent_that_is_killed() -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, *SLEEP], cwd=PROJECT, stdout=subprocess.PIPE, text=True
    )
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    parent.kill()
    parent.communicate()
    assert is_gone(child)


@pytest.fixture
def new_database() -> Iterator[str]:
    """The URL of an empty database on the tests' server."""
    url = os.environ["DATABASE_URL"]
    name = f"serve_{os.getpid()}"
    with contextlib.closing(psycopg2.connect(url)) as connection:
        connection.autocommit = True
        with connection.cursor() as cursor:
            cursor.execute(f"CREATE DATABASE {name}")
            front, back = url.split("?") if "?" in url else (url, "")
            yield f"{front.rsplit('/', 1)[0]}/{name}?{back}"
            cursor.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def serve(new_database: str, tmp_path: Path) -> Iterator["subprocess.Popen[str]"]:
    environment = os.environ | {
        "DATABASE_URL": new_database,
        "JURYROOM_DATA": str(tmp_path / "var"),
        "SECRET_KEY": "a key for this test only, long enough",
    }
    process = subprocess.Popen(
        [sys.executable, "manage.py", "serve"],
        cwd=PROJECT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    yield process
    process.kill()
    process.communicate()


def address_of(process: "subprocess.Popen[str]") -> tuple[str, int]:
    """Read what the command says until it names its address."""
    said = []
    assert process.stdout is not None
    for line in process.stdout:
        said.append(line)
        if "http://" in line:
            host, port = line.split("http://")[1].rstrip("/\n").split(":")
            return host, int(port)
    raise AssertionError("".join(said))


@pytest.mark.worker
def test_serve_answers_and_leaves_nothing_behind(serve: "subprocess.Popen[str]") -> None:
    """With servers named, it makes no demonstration."""
    host, port = address_of(serve)
    connection = http.client.HTTPConnection(host, port)
    connection.request("GET", "/healthz")
    assert connection.getresponse().status == 200
    connection.close()
    children = Path(f"/proc/{serve.pid}/task/{serve.pid}/children").read_text().split()
    assert len(children) == 2
    serve.send_signal(signal.SIGINT)
    said = serve.communicate(timeout=15)[0]
    assert serve.returncode == 0, said
    assert "demonstration" not in said
    assert all(is_gone(int(child)) for child in children)
