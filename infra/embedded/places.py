"""Where the embedded servers keep data, sockets, locks and logs; never touches a folder above ours.

All of it is in the data folder (`var/`), with two exceptions. A server that must not run as root
reaches nothing below a folder that only root may enter: then data and programs are kept in a folder
of our own that it can reach, and a note in the data folder says where. And the path of a socket may
have about a hundred bytes: where the data folder lies too deep, sockets get a private folder under
/tmp.
"""

import hashlib
import re
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from infra.embedded.accounts import Account, account_for
from infra.embedded.files import is_private, make_folder, write_private
from infra.embedded.report import EmbeddedServerError

NOTE = "DATA-IS-ELSEWHERE.txt"
SHELTERS = (Path("/var/lib"), Path("/var/db"))
LONGEST_SOCKET = 100
LONGEST_SOCKET_NAME = "/.s.PGSQL.5432"


@dataclass(frozen=True)
class Desk:
    """The files through which callers and one server's supervisor find each other."""

    root: Path
    name: str

    def prepare(self) -> None:
        """Make the data folder and ours in it; others may pass the first, but not list it."""
        make_folder(self.root, 0o711)
        make_folder(self.root / "run", 0o700)
        make_folder(self.root / "log", 0o700)

    def _file(self, kind: str) -> Path:
        return self.root / "run" / f"{self.name}.{kind}"

    @property
    def users(self) -> Path:
        """Locked, shared, by every process that uses the server."""
        return self._file("users")

    @property
    def starting(self) -> Path:
        """Locked by the one process that looks for the server or starts it."""
        return self._file("starting")

    @property
    def supervisor(self) -> Path:
        """Locked by the supervisor as long as it lives."""
        return self._file("supervisor")

    @property
    def report(self) -> Path:
        """State and address of the server."""
        return self._file("report.json")

    @property
    def sockets(self) -> Path:
        """Names the folder of the sockets when that is under /tmp."""
        return self._file("sockets")

    @property
    def log(self) -> Path:
        """What the server says."""
        return self.root / "log" / f"{self.name}.log"

    @property
    def supervisor_log(self) -> Path:
        """What the supervisor says."""
        return self.root / "log" / f"{self.name}-supervisor.log"


@dataclass(frozen=True)
class Site:
    """Where one server lives and whom it runs as."""

    desk: Desk
    account: Account
    home: Path
    durable: bool

    @property
    def data(self) -> Path:
        """The server's own folder."""
        return self.home / self.desk.name

    @property
    def password_file(self) -> Path:
        """The generated password; beside the data, since it belongs to them."""
        return self.home / f"{self.desk.name}.password"

    def socket_folder(self) -> Path:
        """Return a private folder for the sockets with a short and plain path."""
        near = self.home / "sockets" / self.desk.name
        if _fits(near):
            make_folder(near.parent, 0o711)
            make_folder(near, 0o700, self.account.owner)
            if is_private(near, self.account.uid):
                return near
        return self._recorded_socket_folder() or self._new_socket_folder()

    def _recorded_socket_folder(self) -> Path | None:
        if not self.desk.sockets.exists():
            return None
        folder = Path(self.desk.sockets.read_text("utf-8"))
        return folder if is_private(folder, self.account.uid) else None

    def _new_socket_folder(self) -> Path:
        folder = _temporary_folder()
        if self.account.owner is not None:
            shutil.chown(folder, *self.account.owner)
        write_private(self.desk.sockets, str(folder))
        return folder

    def tidy(self) -> None:
        """Remove the sockets' folder under /tmp, and everything when it was for a test."""
        if self.desk.sockets.exists():
            shutil.rmtree(self.desk.sockets.read_text("utf-8"), ignore_errors=True)
            self.desk.sockets.unlink()
        if self.durable:
            return
        shutil.rmtree(self.data, ignore_errors=True)
        self.password_file.unlink(missing_ok=True)
        if self.home != self.desk.root:
            shutil.rmtree(self.home, ignore_errors=True)


def settle(desk: Desk, *, durable: bool) -> Site:
    """Decide where the server lives and whom it runs as; the same answer at every start."""
    home = _recorded_home(desk.root) or desk.root
    account = account_for(home / desk.name)
    if account.can_enter(home):
        return Site(desk, account, home, durable)
    if home != desk.root or (home / desk.name).exists():
        raise EmbeddedServerError(
            f"The data of the embedded servers are in {home}, where the user that they run as "
            "may not enter. Let others pass the folders above it (chmod o+x)."
        )
    home = _shelter(desk.root, account) if durable else _temporary_folder(0o711)
    return Site(desk, account, home, durable)


def home_of(root: Path) -> Path:
    """Return the folder that holds the data of the embedded servers."""
    return _recorded_home(root.resolve()) or root.resolve()


def _recorded_home(root: Path) -> Path | None:
    note = root / NOTE
    if not note.exists():
        return None
    home = Path(note.read_text("utf-8").splitlines()[0])
    if home.is_dir():
        return home
    raise EmbeddedServerError(
        f"The data of the embedded servers were in {home}, which is not there. Bring that folder "
        f"back, or remove {note} to begin with an empty database."
    )


def _shelter(root: Path, account: Account) -> Path:
    """Make a folder outside that the account can reach, and note it."""
    base = next((base for base in SHELTERS if account.can_enter(base)), None)
    if base is None:
        raise EmbeddedServerError(
            f"PostgreSQL does not run as root, and its user may not enter {root}. Move the "
            "installation to a folder that others may pass, or run this as an ordinary user."
        )
    home = base / f"juryroom-{hashlib.sha256(bytes(root)).hexdigest()[:12]}"
    make_folder(home, 0o711)
    write_private(
        root / NOTE,
        f"{home}\n\nOnly root may enter {root}, and PostgreSQL does not run as root.\n"
        "So the embedded servers keep their data and a copy of their programs in the folder "
        "named above.\nMove and back up both folders together.\n",
    )
    return home


def _fits(folder: Path) -> bool:
    """Say whether a socket in this folder has a path that every part of the stack takes."""
    path = f"{folder}{LONGEST_SOCKET_NAME}"
    return len(path) <= LONGEST_SOCKET and re.fullmatch(r"[A-Za-z0-9._/-]+", path) is not None


def _temporary_folder(mode: int = 0o700) -> Path:
    short = Path("/tmp")  # noqa: S108 -- mkdtemp makes a private folder in it
    base = str(short) if short.is_dir() else None
    folder = Path(tempfile.mkdtemp(prefix="juryroom-", dir=base))
    folder.chmod(mode)
    return folder
