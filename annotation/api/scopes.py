"""How far a token reaches: which scopes open an endpoint; told and held by the same function."""

from django.utils.translation import gettext as _

from annotation.access import Permission
from annotation.api.errors import Refusal
from annotation.models import ApiToken, Scope

WORK = frozenset({Permission.WORK_CROWD, Permission.WORK_LEGAL, Permission.LABEL_GOLD})
SHARED = frozenset({None, Permission.SEE_STUDY})


def scopes_for(method: str, needs: Permission | None) -> list[Scope]:
    """Return the scopes that open a method; any one of them is enough.

    Whatever a program is for, it may see what study it is in.
    """
    if method == "GET":
        if needs in SHARED:
            return list(Scope)
        return [Scope.READ, Scope.WORK] if needs in WORK else [Scope.READ]
    return [Scope.WORK] if needs in WORK else [Scope.MANAGE]


class TooNarrow(Refusal):
    """A token that does not reach that far."""

    word = "token_too_narrow"

    def __init__(self, detail: str, scopes: list[Scope] | None = None) -> None:
        super().__init__(detail, 403)
        if scopes:
            self.auth_header = f'Bearer error="insufficient_scope", scope="{" ".join(scopes)}"'


def hold_to_scopes(token: ApiToken, scopes: list[Scope]) -> None:
    """Refuse a token that has none of the scopes, and say which one is missing."""
    if not set(scopes) & set(token.scopes):
        sentence = _("This token has no scope “%s”. Make one that has it in your profile.")
        raise TooNarrow(sentence % _("” or “").join(scopes), scopes)


def hold_to_study(token: ApiToken, slug: str) -> None:
    """Refuse a token of one study elsewhere, without telling what is there."""
    if token.study and slug != token.study.slug:
        raise TooNarrow(_("This token is for the study “%s” alone.") % token.study.slug)
