"""What every command of a study shares; expected failures are one sentence and exit code 1.

A command finds or starts the embedded servers by itself (the database backend does), makes the
tables of a fresh embedded database, and refuses a database of somebody else's that is out of date.
With --json it prints one JSON object on the standard output and nothing else there.
"""

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import IO, Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError
from django.core.serializers.json import DjangoJSONEncoder
from django.db.utils import OperationalError
from django.utils.translation import gettext as _

from annotation.management.running import run_to_end
from annotation.models import Job, JobState, Study
from annotation.services.archive import StudyArchived
from annotation.services.batches import BatchRefused
from annotation.services.people import PeopleRefused
from annotation.services.uploads import UploadRefused
from infra.jobs import JobRefused
from infra.preparation import is_out_of_date, migrate, prepared_by_one
from infra.servers import EmbeddedServerError

EXPECTED: tuple[type[Exception], ...] = (
    BatchRefused,
    EmbeddedServerError,
    JobRefused,
    PeopleRefused,
    StudyArchived,
    UploadRefused,
)


class StudyCommand(BaseCommand):
    """A command that answers with plain facts. Subclasses write `answer`, and `words` if they like.

    `expected` are further exceptions whose text is a sentence for the person.
    """

    requires_system_checks = ()
    expected: tuple[type[Exception], ...] = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Say what can be chosen; subclasses call this, too."""
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def answer(self, options: dict[str, Any]) -> dict[str, Any]:
        """Do what the command is for, and return the facts that it prints."""
        raise NotImplementedError

    def words(self, facts: dict[str, Any]) -> str:
        """Return the facts for a person."""
        return "\n".join(f"{name}: {shown(value)}" for name, value in facts.items())

    def handle(self, *args: Any, **options: Any) -> None:
        """Answer, or say in one sentence why not."""
        try:
            prepare_database()
            facts = self.answer(options)
        except (*EXPECTED, *self.expected) as refusal:
            raise CommandError(str(refusal)) from None
        except OperationalError as error:
            first_line = str(error).strip().partition("\n")[0]
            raise CommandError(_("The database cannot be used: %s") % first_line) from None
        text = json.dumps(facts, cls=DjangoJSONEncoder) if options["json"] else self.words(facts)
        self.stdout.write(text)

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Print an expected failure as the sentence that it is."""
        try:
            return super().execute(*args, **options)
        except CommandError as error:
            if not getattr(self, "_called_from_command_line", False) or options.get("traceback"):
                raise
            self.stderr.write(str(error), self.style.ERROR)
            sys.exit(error.returncode)

    def run_job(self, job: Job) -> dict[str, Any]:
        """Bring a queued job to its end, here or on a worker; return its result."""
        ended = run_to_end(job=job, say=self.stderr)
        if ended.state != JobState.SUCCEEDED:
            raise CommandError(ended.reason or _("The job was cancelled."))
        result: dict[str, Any] = ended.result
        return result


def shown(value: object) -> str:
    """Return a value as a person reads it."""
    if isinstance(value, dict | list):
        return json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False)
    return "–" if value is None else str(value)


def prepare_database() -> None:
    """Make the tables of an embedded database where they are missing; refuse another's without."""
    if not is_out_of_date():
        return
    if not settings.EMBEDDED:
        sentence = _("The database of DATABASE_URL is not up to date. Run manage.py migrate first.")
        raise CommandError(sentence)
    with prepared_by_one():
        migrate()


def find_study(slug: str) -> Study:
    """Return a study by its short name, or name those that there are."""
    study = Study.objects.select_related("protocol").filter(slug=slug).first()
    if study:
        return study
    known = ", ".join(Study.objects.order_by("slug").values_list("slug", flat=True)[:20])
    sentence = _("There is no study called “%(slug)s”.") % {"slug": slug}
    if known:
        sentence += " " + _("There are: %(known)s.") % {"known": known}
    else:
        sentence += " " + _("Make one with manage.py create_study %(slug)s.") % {"slug": slug}
    raise CommandError(sentence)


def open_file(path: Path) -> IO[bytes]:
    """Open a file that somebody named, or say why it cannot be read."""
    try:
        return path.open("rb")
    except OSError as error:
        sentence = _("The file %(path)s cannot be read: %(reason)s.")
        raise CommandError(sentence % {"path": path, "reason": error.strerror}) from None
