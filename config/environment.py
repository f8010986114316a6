"""Reads the environment; an unknown or missing variable stops start-up with advice."""

import os
import secrets
from collections.abc import Mapping
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

PREFIX = "JURYROOM_"

KNOWN = {
    "JURYROOM_DATA": "folder for data of the embedded servers, uploads and releases (var)",
    "JURYROOM_HOSTS": "host names that the site answers to, separated by commas",
    "JURYROOM_ORIGINS": "trusted origins behind a TLS proxy, such as https://jury.example.org",
    "JURYROOM_BEHIND_TLS": "1 when a proxy ends TLS and sets X-Forwarded-Proto",
    "JURYROOM_EMAIL_HOST": "mail server; without one, owners reset passwords",
    "JURYROOM_EMAIL_FROM": "sender of mails",
    "JURYROOM_TIME_ZONE": "time zone of people who chose none",
    "JURYROOM_UPLOAD_MEGABYTES": "largest file that may be uploaded, in megabytes",
    "JURYROOM_API_REQUESTS": "requests that one token of the API may send in a minute",
    "JURYROOM_API_FAILURES": "refused tokens of the API from one address in a minute",
    "JURYROOM_ALLOWED_ADDRESSES": "private addresses that webhooks may reach, as name:port",
    "JURYROOM_PROLIFIC_TOKEN": "token of Prolific's API; without one, Prolific is never asked",
    "JURYROOM_PROLIFIC_API": "address of Prolific's API, for a proxy or a test",
    "JURYROOM_REQUIRE_BROWSER": "1 makes a missing Chromium fail the tests",
}


def refuse_unknown(environment: Mapping[str, str]) -> None:
    """Stop when a variable of ours is misspelt."""
    unknown = sorted(name for name in environment if name.startswith(PREFIX) and name not in KNOWN)
    if unknown:
        raise ImproperlyConfigured(
            f"Unknown setting {', '.join(unknown)}. Known are: {', '.join(sorted(KNOWN))}."
        )


def text(name: str, default: str = "") -> str:
    """Return a variable, or its default when it is unset or blank."""
    return os.environ.get(name, "").strip() or default


def words(name: str, default: str = "") -> list[str]:
    """Return a variable's comma-separated parts."""
    return [part.strip() for part in text(name, default).split(",") if part.strip()]


def number(name: str, default: int) -> int:
    """Return a variable as a whole number, or stop with advice."""
    value = text(name, str(default))
    if not value.isdigit():
        raise ImproperlyConfigured(f"{name} must be a whole number, not “{value}”.")
    return int(value)


def allowances(name: str) -> list[str]:
    """Return a variable's entries for the allow-list, or stop with advice."""
    from infra.outbound import AllowanceInvalid, parse_allowance

    entries = words(name)
    try:
        for entry in entries:
            parse_allowance(entry)
    except AllowanceInvalid as fault:
        raise ImproperlyConfigured(f"{name}: {fault}") from None
    return entries


def secret_key(data: Path, *, embedded: bool) -> str:
    """Return SECRET_KEY; the embedded mode makes its own and keeps it in the data folder."""
    key = text("SECRET_KEY")
    if key:
        return key
    if not embedded:
        raise ImproperlyConfigured(
            "SECRET_KEY is not set. With DATABASE_URL set, Juryroom makes no key of its own: "
            "put a long random text into SECRET_KEY, the same for all web and worker processes."
        )
    return kept_secret(data / "secret_key")


def kept_secret(path: Path) -> str:
    """Read a secret from a private file; make it, once, when it is not there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text()
    with os.fdopen(descriptor, "w") as file:
        file.write(secrets.token_urlsafe(50))
    return path.read_text()
