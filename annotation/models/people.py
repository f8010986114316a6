"""The people who sign in. Roles live in studies, never here."""

from typing import Any, ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class UserManager(BaseUserManager["User"]):
    """Makes accounts; a blank e-mail address is stored as none."""

    def create_user(
        self, username: str, email: str | None = None, password: str | None = None, **more: Any
    ) -> "User":
        """Make an account; without a password nobody can sign in to it."""
        user = self.model(
            username=username, email=self.normalize_email(email) if email else None, **more
        )
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(
        self, username: str, email: str | None = None, password: str | None = None, **more: Any
    ) -> "User":
        """Make a site administrator (what `manage.py createsuperuser` calls)."""
        more |= {"is_site_administrator": True, "may_create_studies": True}
        return self.create_user(username, email, password, **more)


class User(AbstractBaseUser):
    """An account: signs in by user name or by e-mail address."""

    username = models.CharField(
        _("user name"), max_length=150, unique=True, validators=[UnicodeUsernameValidator()]
    )
    email = models.EmailField(_("e-mail address"), null=True, blank=True)
    name = models.CharField(_("name"), max_length=150, blank=True)
    time_zone = models.CharField(_("time zone"), max_length=64, default="UTC")
    is_active = models.BooleanField(_("may sign in"), default=True)
    is_site_administrator = models.BooleanField(
        _("site administrator"),
        default=False,
        help_text=_("Creates owners; sees no study that they are not a member of."),
    )
    may_create_studies = models.BooleanField(_("may create studies"), default=False)
    date_joined = models.DateTimeField(_("since"), default=timezone.now, editable=False)

    objects = UserManager()

    USERNAME_FIELD = "username"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        constraints = [
            models.UniqueConstraint(Lower("email"), name="user_email_once"),
            models.UniqueConstraint(Lower("username"), name="user_username_once_in_any_case"),
        ]

    def __str__(self) -> str:
        return self.username

    def get_full_name(self) -> str:
        """Return the name to greet this person by."""
        return self.name or self.username
