"""`manage.py serve`: all that a site needs, until Ctrl-C; refuses to go on with a part gone."""

import json
import os
import signal
import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import BaseCommand, CommandError
from django.db import connection
from django.db.utils import OperationalError
from django.utils.translation import gettext as _

from infra import servers
from infra.preparation import is_out_of_date, migrate, prepared_by_one
from infra.serving import (
    ChildGoneError,
    Household,
    PortTakenError,
    free_port,
    reachable,
    wait_for_web,
)
from infra.static_files import collect_if_changed

LOOPBACK = "127.0.0.1"
SECONDS_TO_ANSWER = 60
ENOUGH_CORES_FOR_TWO = 2


class Command(BaseCommand):
    """Servers, migrations, demonstration, web server and worker under one command."""

    help = "Start Juryroom: its servers, the web pages and a worker for long jobs."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Say what can be chosen."""
        parser.add_argument("--host", default=LOOPBACK, help="address to listen on (%(default)s)")
        parser.add_argument("--port", type=int, help="port to listen on (8000 or the next free)")
        parser.add_argument("--processes", type=int, default=1, help="web processes (%(default)s)")
        parser.add_argument("--no-worker", action="store_true", help="start no worker for jobs")
        parser.add_argument(
            "--demonstration",
            action="store_true",
            help="create the demonstration study in an empty database that DATABASE_URL names",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Start all parts, watch them, stop them."""
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.default_int_handler)
        household = Household()
        try:
            self.prepare(household, demonstration=options["demonstration"])
            self.start(household, options)
            self.watch(household)
        except KeyboardInterrupt:
            self.say(_("Stopping …"))
        except (ChildGoneError, PortTakenError, servers.EmbeddedServerError) as reason:
            raise CommandError(str(reason)) from None
        except OperationalError as reason:
            sentence = _("The database cannot be used: %(reason)s") % {"reason": reason}
            raise CommandError(sentence) from None
        finally:
            self.stop(household)

    def prepare(self, household: Household, *, demonstration: bool) -> None:
        """Bring servers, tables, static files and the demonstration to where they must be."""
        start_embedded_servers()
        with prepared_by_one():
            self.migrate()
            if (demonstration or settings.EMBEDDED) and is_empty():
                self.create_demonstration(household)
        connection.close()
        collect_if_changed()

    def migrate(self) -> None:
        """Migrate when something is left to migrate."""
        if is_out_of_date():
            self.say(_("Preparing the database …"))
            migrate()

    def create_demonstration(self, household: Household) -> None:
        """Fill an empty database, in a process of its own that may load what it likes."""
        self.say(_("Creating the demonstration study (once, may take a minute) …"))
        if household.run(_("The demonstration"), ["manage.py", "create_demonstration"]):
            raise CommandError(_("The demonstration study could not be created; see above."))

    def start(self, household: Household, options: dict[str, Any]) -> None:
        """Start the children and tell where to go."""
        host = options["host"]
        port = free_port(host, options["port"], self.say)
        household.start_web(host, port, processes=options["processes"])
        if not options["no_worker"]:
            cores = os.cpu_count() or 1
            household.start_worker(concurrency=2 if cores >= ENOUGH_CORES_FOR_TWO else 1)
        wait_for_web(household, host, port, seconds=SECONDS_TO_ANSWER)
        self.welcome(reachable(host), port)

    def welcome(self, host: str, port: int) -> None:
        """Print the address, where the data are, and one sign-in for each role."""
        shown = f"[{host}]" if ":" in host else host
        self.say("")
        self.say(_("Juryroom is at http://%(host)s:%(port)s/") % {"host": shown, "port": port})
        if settings.EMBEDDED:
            home = servers.home_of(Path(settings.DATA_DIR))
            self.say(_("Its data are in %(folder)s") % {"folder": home})
            self.list_sign_ins()
        self.say(_("Ctrl-C stops it."))

    def list_sign_ins(self) -> None:
        """Print the demonstration's accounts, where it left a note about them."""
        note = Path(settings.DATA_DIR) / "demonstration.json"
        if not note.exists():
            return
        found = json.loads(note.read_text("utf-8"))
        self.say(
            _("Sign in with the password %(password)s as one of these (role, user name):") % found
        )
        for person in found["people"]:
            self.say(f"  {person['role']:<14} {person['username']}")

    def watch(self, household: Household) -> None:
        """Return never; raise when a part is gone."""
        while True:
            household.check()
            lost = servers.lost_servers()
            if lost:
                sentence = _("The embedded server ended by itself: %(names)s. See %(folder)s.")
                folder = Path(settings.DATA_DIR) / "log"
                raise ChildGoneError(sentence % {"names": ", ".join(lost), "folder": folder})
            time.sleep(0.5)

    def stop(self, household: Household) -> None:
        """Stop the children in order, then the servers unless somebody else uses them."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        household.stop()
        connection.close()
        for name in servers.stop_using(patience=10):
            self.say(_("%(name)s goes on: another command uses it.") % {"name": name})

    def say(self, line: str) -> None:
        """Print a line at once."""
        self.stdout.write(line)
        self.stdout.flush()


def start_embedded_servers() -> None:
    """Start the servers that are ours, side by side, and hold them for as long as we run."""
    root = Path(settings.DATA_DIR)
    if settings.EMBEDDED and settings.EMBEDDED_REDIS:
        servers.ensure_servers(root)
    elif settings.EMBEDDED:
        servers.ensure_database(root)
    elif settings.EMBEDDED_REDIS:
        servers.ensure_redis(root)


def is_empty() -> bool:
    """Say whether nobody has an account yet."""
    return not get_user_model().objects.exists()
