"""Gives the tests throw-away servers before Django reads its settings.

Loaded by `-p tests.plugin`. The first process starts PostgreSQL and Redis in a temporary folder;
processes of pytest-xdist find their addresses in the environment. Servers named by DATABASE_URL and
REDIS_URL are used instead where they are set.
"""

import os
import secrets
import shutil
import tempfile
from pathlib import Path

import hypothesis
import pytest

FOLDERS: list[Path] = []


def prepare_environment() -> None:
    """Name servers, data folder and key for this test run, once."""
    if "JURYROOM_DATA" not in os.environ:
        folder = Path(tempfile.mkdtemp(prefix="juryroom-tests-"))
        os.environ["JURYROOM_DATA"] = str(folder)
        FOLDERS.append(folder)
    os.environ.setdefault("SECRET_KEY", secrets.token_urlsafe(40))
    if "DATABASE_URL" in os.environ and "REDIS_URL" in os.environ:
        return
    from infra.servers import ensure_servers

    servers = ensure_servers(Path(os.environ["JURYROOM_DATA"]), durable=False)
    os.environ.setdefault("DATABASE_URL", servers.database.url)
    os.environ.setdefault("REDIS_URL", servers.redis.broker_url)


prepare_environment()


def pytest_unconfigure(config: pytest.Config) -> None:
    """Stop the servers and remove their folder, in the process that made it."""
    if FOLDERS and not hasattr(config, "workerinput"):
        from infra.servers import stop_using

        stop_using(patience=20)
        shutil.rmtree(FOLDERS.pop(), ignore_errors=True)


def pytest_configure(config: pytest.Config) -> None:
    """Use what only tests may use: fast password hashes, static files straight from the tree."""
    from django.conf import settings

    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = {**settings.STORAGES, "staticfiles": plain}
    settings.WHITENOISE_AUTOREFRESH = True
    # Speed is measured by script/bench; a busy machine must not fail a property.
    hypothesis.settings.register_profile("juryroom", deadline=None)
    hypothesis.settings.load_profile("juryroom")
