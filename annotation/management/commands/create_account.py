"""`manage.py create_account`: an account with a one-time password; sign-up itself is closed."""

from argparse import ArgumentParser
from typing import Any

from django.utils.translation import gettext as _

from annotation.management.base import StudyCommand
from annotation.services.people import create_account, one_time_password


class Command(StudyCommand):
    """Makes an account, and prints its password once."""

    help = "Create an account. Its one-time password is printed."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Say what can be chosen."""
        super().add_arguments(parser)
        parser.add_argument("username", help="user name")
        parser.add_argument("--email", default="", help="e-mail address")
        parser.add_argument("--name", default="", help="name to greet this person by")
        parser.add_argument("--site-administrator", action="store_true", help="runs this site")
        parser.add_argument("--may-create-studies", action="store_true", help="may make studies")

    def answer(self, options: dict[str, Any]) -> dict[str, Any]:
        """Make the account, or say why it cannot be made."""
        password = one_time_password()
        is_administrator = options["site_administrator"]
        user = create_account(
            username=options["username"],
            email=options["email"],
            name=options["name"],
            password=password,
            is_site_administrator=is_administrator,
            may_create_studies=is_administrator or options["may_create_studies"],
        )
        return {"username": user.username, "email": user.email, "password": password}

    def words(self, facts: dict[str, Any]) -> str:
        """Say what was made."""
        made = _("The account %(username)s was created.") % facts
        return f"{made}\n" + _("One-time password, shown only now: %(password)s") % facts
