"""How accounts are opened: never by strangers."""

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest


class ClosedAccountAdapter(DefaultAccountAdapter):
    """Sign-up is closed; owners and site administrators make accounts."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Refuse every stranger."""
        return False
