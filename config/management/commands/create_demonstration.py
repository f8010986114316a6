"""Makes the demonstration study; refuses where there is one, or any other study, already."""

import json
import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from annotation.management.base import StudyCommand
from annotation.models import Study
from annotation.services.people import one_time_password
from config.demonstration.builder import build
from config.demonstration.content import Content, read_content


class Command(StudyCommand):
    """Builds invented posts, people and votes of all stages."""

    help = "Make a demonstration study with invented posts, people and votes of all stages."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Let somebody ask for it beside other studies."""
        super().add_arguments(parser)
        parser.add_argument(
            "--beside", action="store_true", help="make it although there are other studies"
        )

    def answer(self, options: dict[str, Any]) -> dict[str, Any]:
        """Build the study; keep its sign-ins in a private file of the data folder."""
        content = read_content()
        refuse_where_not_wanted(content.study["slug"], beside=options["beside"])
        password = one_time_password()
        study = build(content=content, password=password, say=self.say)
        path = keep_sign_ins(content, password)
        return {"study": study.slug, "posts": study.posts.count(), "sign_ins": str(path)}

    def say(self, sentence: str) -> None:
        """Tell how far the building is."""
        self.stderr.write(f"{sentence} …")


def refuse_where_not_wanted(slug: str, *, beside: bool) -> None:
    """Refuse a second demonstration, and one beside real studies that nobody asked for."""
    if Study.objects.filter(slug=slug).exists():
        raise CommandError(_("The demonstration study “%s” is there already.") % slug)
    if Study.objects.exists() and not beside:
        raise CommandError(_("There are studies already. Say --beside to make it all the same."))


def keep_sign_ins(content: Content, password: str) -> Path:
    """Write one sign-in for each role to a file that only its owner may read."""
    first: dict[str, str] = {}
    for one in content.people:
        first.setdefault(one["role"] or "site_administrator", one["username"])
    people = [{"role": role, "username": username} for role, username in first.items()]
    path = Path(settings.DATA_DIR) / "demonstration.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        json.dump({"password": password, "people": people}, file)
    return path
