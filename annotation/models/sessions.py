"""Sessions, each with the account that is signed in with it."""

from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.utils.module_loading import import_string


class Session(AbstractBaseSession):
    """What a browser's cookie stands for; both are read in one statement."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True)

    class Meta(AbstractBaseSession.Meta):
        default_related_name = "sessions"

    @classmethod
    def get_session_store_class(cls) -> type[SessionBase]:
        """Return the engine that reads and writes these."""
        store: type[SessionBase] = import_string(f"{settings.SESSION_ENGINE}.SessionStore")
        return store
