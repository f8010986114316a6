"""Codes with which people without e-mail come back.

Only hashes are stored; a new code ends the old.
"""

import hashlib
import secrets

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.models import User
from crowd.models import ReturnCode
from crowd.services.arrivals import may_enter_without_password

# Without letters that look like digits or like each other: people write codes down.
LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
GROUPS, GROUP = 4, 4


class ReturnRefused(Exception):
    """A code that opens nothing, or an account that has none; its text is for the person."""


@transaction.atomic
def new_return_code(*, by: User) -> str:
    """Return a new code, to be shown once."""
    if by.has_usable_password() or not may_enter_without_password(by):
        raise ReturnRefused(_("You have a password; sign in with your user name and password."))
    code = "".join(secrets.choice(LETTERS) for _letter in range(GROUPS * GROUP))
    ReturnCode.objects.update_or_create(user=by, defaults={"code_hash": code_hash(code)})
    return "-".join(code[start : start + GROUP] for start in range(0, len(code), GROUP))


def code_hash(code: str) -> str:
    """Return what is stored of a code. It is long and random, so a plain hash hides it."""
    return hashlib.sha256(code.encode()).hexdigest()


def come_back(*, code: str) -> User:
    """Return whose code this is, however it is spaced and in any case."""
    letters = "".join(letter for letter in code.upper() if letter in LETTERS)
    found = ReturnCode.objects.select_related("user").filter(code_hash=code_hash(letters)).first()
    if found is None or found.user.has_usable_password():
        raise ReturnRefused(_("This is no return code. Check it letter by letter."))
    if not may_enter_without_password(found.user):
        raise ReturnRefused(_("This account is closed, or must sign in with a password."))
    return found.user
