"""`manage.py create_study`: an empty study with the paper's protocol, and its owner."""

from argparse import ArgumentParser
from typing import Any

from django.core.management import CommandError
from django.db import transaction
from django.utils.translation import gettext as _

from annotation.forms import NewStudyForm
from annotation.management.base import StudyCommand
from annotation.services.people import create_study, invite


class Command(StudyCommand):
    """Makes a study; its owner gets an account with a one-time password where they have none."""

    help = "Create a study. Its settings are the defaults; the protocol page changes them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Say what can be chosen."""
        super().add_arguments(parser)
        parser.add_argument("slug", help="short name: letters, digits, hyphens")
        parser.add_argument("--title", default="", help="title (default: the short name)")
        parser.add_argument("--owner", default="", help="e-mail address or user name of its owner")

    def answer(self, options: dict[str, Any]) -> dict[str, Any]:
        """Make the study, or say why it cannot be made."""
        slug, title = options["slug"], options["title"] or options["slug"]
        form = NewStudyForm({"slug": slug, "title": title})
        if not form.is_valid():
            name, errors = next(iter(form.errors.items()))
            raise CommandError(f"{form.fields[name].label}: {errors[0]}")
        with transaction.atomic():
            owner, password = None, ""
            if options["owner"]:
                owner, password = invite(name_or_email=options["owner"])
            study = create_study(by=None, slug=slug, title=title, owner=owner)
        return {
            "study": study.slug,
            "title": study.title,
            "owner": owner.username if owner else None,
            "password": password or None,
        }

    def words(self, facts: dict[str, Any]) -> str:
        """Say what was made."""
        lines = [_("The study %(study)s was created.") % facts]
        if facts["owner"]:
            lines.append(_("Its owner is %(owner)s.") % facts)
        if facts["password"]:
            lines.append(_("One-time password, shown only now: %(password)s") % facts)
        return "\n".join(lines)
