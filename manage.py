#!/usr/bin/env python3
"""Runs a management command, with the interpreter of .venv where one is there."""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent


def main() -> None:
    """Run the command line; hand over to .venv when this interpreter has no Django."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        from django.core.management import execute_from_command_line
    except ImportError:
        hand_over()
        raise
    from infra.servers import EmbeddedServerError

    try:
        execute_from_command_line(sys.argv)
    except EmbeddedServerError as error:
        sys.exit(str(error))


def hand_over() -> None:
    """Replace this process by .venv's interpreter, or say what is missing."""
    python = ROOT / ".venv" / "bin" / "python"
    if not python.exists():
        sys.exit("Django is not installed. Run script/setup first, then call this again.")
    if Path(sys.prefix).resolve() != python.parent.parent.resolve():
        os.execv(python, [str(python), *sys.argv])  # noqa: S606 -- our own interpreter


if __name__ == "__main__":
    main()
