"""The one gate: fetches a study and what belongs to it, for somebody who may see it.

Who is not a member meets a 404, as does everybody who asks for an object of another study; a member
whose role does not reach that far meets a 403 that says so.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from django.core.exceptions import PermissionDenied
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.models import Member, Role, Study, User
from annotation.queries.rows import Columns, Statement, read_row

WAY_IN = (
    Columns("member", Member, without=["imported_name", "created_at"]),
    Columns("study", Study),
)
MEMBERSHIP = Statement(
    "membership",
    f"""
    SELECT {", ".join(columns.sql for columns in WAY_IN)}
    FROM annotation_member AS member
    JOIN annotation_study AS study ON study.id = member.study_id
    WHERE study.slug = $1 AND member.user_id = $2 AND member.is_active
""",  # noqa: S608 -- columns
)


class Permission(StrEnum):
    """What one may do in a study."""

    SEE_STUDY = "see_study"
    WORK_CROWD = "work_crowd"
    WORK_LEGAL = "work_legal"
    READ_LIBRARY = "read_library"
    LABEL_GOLD = "label_gold"
    SEE_RESULTS = "see_results"
    ADJUDICATE = "adjudicate"
    MANAGE_DATA = "manage_data"
    REVIEW_PAY = "review_pay"
    MANAGE_PAY = "manage_pay"
    MANAGE_STUDY = "manage_study"


BY_ROLE: dict[str, frozenset[Permission]] = {
    Role.CROWD_WORKER: frozenset({Permission.SEE_STUDY, Permission.WORK_CROWD}),
    Role.EXPERT: frozenset({Permission.SEE_STUDY, Permission.WORK_LEGAL, Permission.READ_LIBRARY}),
    Role.RESEARCHER: frozenset(
        {
            Permission.SEE_STUDY,
            Permission.READ_LIBRARY,
            Permission.LABEL_GOLD,
            Permission.SEE_RESULTS,
            Permission.ADJUDICATE,
            Permission.MANAGE_DATA,
            Permission.REVIEW_PAY,
        }
    ),
    Role.OWNER: frozenset(
        {
            Permission.SEE_STUDY,
            Permission.READ_LIBRARY,
            Permission.LABEL_GOLD,
            Permission.SEE_RESULTS,
            Permission.ADJUDICATE,
            Permission.MANAGE_DATA,
            Permission.REVIEW_PAY,
            Permission.MANAGE_PAY,
            Permission.MANAGE_STUDY,
        }
    ),
}


GIVEN_ON_TOP = {Permission.ADJUDICATE: gettext_lazy("Settles posts on which experts differ")}
"""What an owner can give a member beyond the role."""


def permissions_of(member: Member) -> frozenset[Permission]:
    """Return what a member may do: by role, and given on top."""
    given = {Permission(code) for code in member.permissions if code in set(Permission)}
    return BY_ROLE[member.role] | given


@dataclass(frozen=True)
class Access:
    """Somebody's way into a study."""

    study: Study
    member: Member
    user: User

    def may(self, permission: Permission) -> bool:
        """Say whether this member may do something."""
        return permission in permissions_of(self.member)


def enter(user: User, slug: str, permission: Permission) -> Access:
    """Return the way into a study; raise Http404 (no member) or PermissionDenied (role)."""
    row = MEMBERSHIP.row(slug, user.pk)
    if row is None:
        raise Http404(_("There is no such study, or you are not a member of it."))
    member, study = read_row(*WAY_IN, row=row)
    member.study = study
    access = Access(study=study, member=member, user=user)
    if not access.may(permission):
        sentence = _("Your role in this study (%(role)s) does not open this page.")
        raise PermissionDenied(sentence % {"role": member.get_role_display()})
    return access


P = ParamSpec("P")
Model_ = TypeVar("Model_", bound=Model)
StudyView = Callable[Concatenate[HttpRequest, Access, P], HttpResponseBase]


def study_view(
    permission: Permission,
) -> Callable[[StudyView[P]], Callable[..., HttpResponseBase]]:
    """Give a view of a study its Access in place of the address's slug.

    Browsers keep nothing of a study: going back never shows a post as it was before its vote, and
    on a shared computer nobody finds posts after somebody signed out.
    """

    def decorate(view: StudyView[P]) -> Callable[..., HttpResponseBase]:
        @wraps(view)
        def gate(request: HttpRequest, slug: str, *args: Any, **kwargs: Any) -> HttpResponseBase:
            response = view(request, enter(person(request), slug, permission), *args, **kwargs)
            response.headers.setdefault("Cache-Control", "private, no-store")
            return response

        gate.permission = permission  # type: ignore[attr-defined]
        return gate

    return decorate


def person(request: HttpRequest) -> User:
    """Return who is signed in; LoginRequiredMiddleware lets nobody else through."""
    if not isinstance(request.user, User):
        raise Http404
    return request.user


def of_study(rows: QuerySet[Model_], access: Access, **which: Any) -> Model_:
    """Return one object of the study, or raise Http404."""
    return get_object_or_404(rows, study=access.study, **which)
