"""Settings of the site, from the environment only (docs/settings.md lists each variable)."""

import hashlib
import os
from pathlib import Path

import dj_database_url
from csp.constants import NONE, SELF
from django.urls import reverse_lazy
from django.utils.translation import gettext_lazy as _

from config import environment as env

BASE_DIR = Path(__file__).resolve().parent.parent

env.refuse_unknown(os.environ)

DATA_DIR = Path(env.text("JURYROOM_DATA", str(BASE_DIR / "var")))
FILES_DIR = DATA_DIR / "files"
EMBEDDED = not env.text("DATABASE_URL")
EMBEDDED_REDIS = not env.text("REDIS_URL")
REDIS_URL = env.text("REDIS_URL")

SECRET_KEY = env.secret_key(DATA_DIR, embedded=EMBEDDED)
DEBUG = False
LOOPBACK = "localhost,127.0.0.1,[::1]"
ALLOWED_HOSTS = env.words("JURYROOM_HOSTS", LOOPBACK)
CSRF_TRUSTED_ORIGINS = env.words("JURYROOM_ORIGINS")
BEHIND_TLS = env.text("JURYROOM_BEHIND_TLS") == "1"
if BEHIND_TLS:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_HSTS_SECONDS = 31_536_000
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = BEHIND_TLS

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "csp",
    "django_htmx",
    "django_linear_migrations",
    "pgtrigger",
    "pghistory",
    "infra",
    "embeddings",
    "annotation",
    "crowd",
    "legal",
    "filtering",
    "releases",
    "config",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "annotation.middleware.CompressedPages",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "annotation.middleware.SignedIn",
    "django.contrib.auth.middleware.LoginRequiredMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "annotation.middleware.PersonalTimeZone",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]

# One way to the database: a named server, or the embedded one, which starts when first needed.
DATABASE: dict[str, object] = {"ENGINE": "infra.postgresql", "CONN_MAX_AGE": None}
DATABASE["CONN_HEALTH_CHECKS"] = True
if EMBEDDED:
    DATABASE |= {"NAME": "juryroom", "EMBEDDED_ROOT": str(DATA_DIR)}
else:
    DATABASE = {**dj_database_url.parse(env.text("DATABASE_URL")), **DATABASE}
DATABASES = {"default": DATABASE}

AUTH_USER_MODEL = "annotation.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
SESSION_ENGINE = "annotation.sessions"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 10},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = reverse_lazy("account_login")
LOGIN_REDIRECT_URL = reverse_lazy("home")
ACCOUNT_ADAPTER = "annotation.accounts.ClosedAccountAdapter"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_LOGOUT_REDIRECT_URL = reverse_lazy("account_login")
ACCOUNT_PRESERVE_USERNAME_CASING = True
ACCOUNT_CHANGE_EMAIL = False
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_RATE_LIMITS = {"return_code": "10/m/ip"}
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_ALLOW_UNVERIFIED_EMAIL = True  # accounts are made by owners, often without a mail server

INSTALLATION = hashlib.sha256(str(BASE_DIR).encode()).hexdigest()[:8]
SESSION_COOKIE_NAME = f"juryroom_{INSTALLATION}"
CSRF_COOKIE_NAME = f"juryroom_csrf_{INSTALLATION}"
SESSION_COOKIE_AGE = 60 * 60 * 24 * 30
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "annotation.views.errors.csrf_failure"
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = env.text("JURYROOM_TIME_ZONE", "UTC")
USE_TZ = True

STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        "OPTIONS": {"location": FILES_DIR},
    },
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
UPLOAD_BYTES = env.number("JURYROOM_UPLOAD_MEGABYTES", 200) * 1024 * 1024
DATA_UPLOAD_MAX_MEMORY_SIZE = 5 * 1024 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024
FILE_UPLOAD_PERMISSIONS = 0o600

EMAIL_HOST = env.text("JURYROOM_EMAIL_HOST")
EMAIL_BACKEND = (
    "django.core.mail.backends.smtp.EmailBackend"
    if EMAIL_HOST
    else "django.core.mail.backends.dummy.EmailBackend"
)
DEFAULT_FROM_EMAIL = env.text("JURYROOM_EMAIL_FROM", "juryroom@localhost")

# The API: JSON both ways, a token in the header. `annotation.api` says the rest.
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["annotation.api.authentication.BearerToken"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["annotation.api.parsing.ShallowJSON"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "annotation.api.parsing.OneForm",
    "DEFAULT_SCHEMA_CLASS": "annotation.api.schema.Schema",
    "EXCEPTION_HANDLER": "annotation.api.errors.answer_to",
    "UNAUTHENTICATED_USER": None,
    "URL_FORMAT_OVERRIDE": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Juryroom",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",  # it lets a bearer token have scopes
    "DESCRIPTION": "Studies in which people label posts. docs/api.md has a worked example.",
    "SCHEMA_PATH_PREFIX": "/api/v1/",
    "ENUM_NAME_OVERRIDES": {
        name: f"{app}.models.{name}"
        for app, names in (
            ("annotation", ("BatchState", "JobState", "Origin", "Role", "SkipReason")),
            ("annotation", ("DeliveryState", "StageCode", "StandingState", "StudyState")),
            ("annotation", ("BadRows", "ImportState", "WebhookEvent", "WebhookState")),
            ("legal", ("Misinformation",)),
            ("crowd", ("Action", "Approval", "EntryKind", "ErrandKind", "ErrandState")),
            ("crowd", ("PayApproval", "PayState", "PrescreeningOutcome", "QualifiedState")),
            ("legal", ("DocumentState", "SourceType")),
            ("crowd", ("QuestionKind", "RecruitmentKind", "RecruitmentState", "RejectionReason")),
            ("legal", ("PageState",)),
        )
        for name in names
    }
    | {
        "ActKind": "annotation.registry.ActKind",
        "WebhookMove": "annotation.services.webhooks.MOVES",
        "BatchMove": "crowd.api.batches.MOVES",
        "StandingChoice": "crowd.api.people.STANDINGS",
        "PrescreeningChoice": "crowd.api.prescreening.MOVES",
        "CandidateChoice": "crowd.api.prescreening.DECISIONS",
        "ErrandChoice": "crowd.api.pay_shapes.OUTCOMES",
        "EntryChoice": "crowd.api.pay_shapes.BY_HAND",
        "PlatformChoice": "crowd.api.recruitment.ACTIONS",
    },
}
# How often one may ask in a minute: with one token, and from one address with tokens that are none.
API_LIMITS = {
    "requests": env.number("JURYROOM_API_REQUESTS", 600),
    "failures": env.number("JURYROOM_API_FAILURES", 20),
}
# Webhooks reach the public internet, and what is named here of the networks around this site.
ALLOWED_ADDRESSES = env.allowances("JURYROOM_ALLOWED_ADDRESSES")
PROLIFIC_TOKEN = env.text("JURYROOM_PROLIFIC_TOKEN")
PROLIFIC_API = env.text("JURYROOM_PROLIFIC_API", "https://api.prolific.com")

CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "filters": {"short": {"()": "infra.logs.ShortRefusals"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {
        "juryroom": {"level": "INFO"},
        "django.request": {"filters": ["short"]},
        # They write down each address that is asked, and platforms have people's ids in theirs.
        "httpx": {"level": "WARNING"},
        "httpcore": {"level": "WARNING"},
        # It warns of each oddity of a damaged file, of which people are told in a sentence.
        "pypdf": {"level": "ERROR"},
    },
}
PGHISTORY_ADMIN_ALL_EVENTS = False
SILENCED_SYSTEM_CHECKS: list[str] = []
