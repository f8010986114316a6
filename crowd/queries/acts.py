"""What people do at the crowd's stage, for a study's activity: never what annotators answered."""

from typing import Any

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.models import Study
from annotation.queries.acts import page
from annotation.registry import ActKind, Acts
from crowd.models import (
    AcceptedQualification,
    BackgroundQuestion,
    Consent,
    ConsentText,
    CrowdRound,
    Dispute,
    Errand,
    Flag,
    Instructions,
    LabelSet,
    LedgerEntry,
    Payout,
    PayRules,
    PrescreeningRules,
    Qualification,
    Qualified,
    QualityRule,
    Recruitment,
    SittingReview,
)


def version(row: Any) -> str:
    """Return which version something is."""
    return str(_("version %s") % row.version)


def of_member(study: Study, row: Any) -> str:
    """Return the page of the person that a row is about."""
    return reverse("crowd_person", args=[study.slug, row.member.pseudonym])


SETTLED = Q(pgh_label="insert") | Q(settled_at__isnull=False)

ACTS = (
    Acts(
        Instructions,
        ActKind.WORDING,
        gettext_lazy("Instructions"),
        done=gettext_lazy("written"),
        named=version,
        url=page("crowd_instructions"),
    ),
    Acts(
        LabelSet,
        ActKind.WORDING,
        gettext_lazy("Labels"),
        named=version,
        url=page("crowd_labels"),
        facts=("question",),
        unsaid=frozenset({"created_at", "origin", "version"}),
    ),
    Acts(
        ConsentText,
        ActKind.WORDING,
        gettext_lazy("Consent text"),
        done=gettext_lazy("written"),
        named=version,
        url=page("consent"),
    ),
    Acts(
        BackgroundQuestion,
        ActKind.WORDING,
        gettext_lazy("Background question"),
        named=lambda row: row.question,
        url=page("consent"),
        facts=("kind", "required"),
        unsaid=frozenset({"order"}),
    ),
    Acts(
        Consent,
        ActKind.PEOPLE,
        gettext_lazy("Consent"),
        study="member__study",
        where=Q(pgh_label="update"),
        related=("member",),
        named=lambda row: row.member.pseudonym,
        unsaid=frozenset({"given_at"}),
    ),
    Acts(
        CrowdRound,
        ActKind.BATCHES,
        gettext_lazy("Checks of a batch"),
        study="batch__study",
        where=Q(pgh_label="update"),
        related=("batch",),
        named=lambda row: str(row.batch.number),
        url=lambda study, row: reverse("crowd_batch", args=[study.slug, row.batch.number]),
    ),
    Acts(
        Recruitment,
        ActKind.PEOPLE,
        gettext_lazy("Way in"),
        named=lambda row: row.name,
        url=lambda study, row: reverse("recruitment", args=[study.slug, row.number]),
        facts=("kind", "state"),
        unsaid=frozenset({"created_at", "number"}),
    ),
    Acts(
        PrescreeningRules,
        ActKind.QUALITY,
        gettext_lazy("Prescreening"),
        url=page("crowd_prescreening"),
    ),
    Acts(
        AcceptedQualification,
        ActKind.QUALITY,
        gettext_lazy("Accepted qualification"),
        study="rules__study",
        url=page("crowd_prescreening_rules"),
    ),
    Acts(
        Qualified,
        ActKind.QUALITY,
        gettext_lazy("Somebody's qualification"),
        study="qualification__study",
        facts=("state",),
        unsaid=frozenset({"correct", "scored", "tests_before", "decided_at"}),
        url=page("crowd_prescreening"),
    ),
    Acts(
        QualityRule,
        ActKind.QUALITY,
        gettext_lazy("Rule"),
        named=lambda row: row.get_watched_display(),
        facts=("over", "threshold", "action"),
        url=page("crowd_rules"),
        unsaid=frozenset({"created_at", "watched"}),
    ),
    Acts(
        Flag,
        ActKind.QUALITY,
        gettext_lazy("Flag"),
        study="member__study",
        where=SETTLED,
        related=("member",),
        named=lambda row: row.member.pseudonym,
        facts=("action",),
        url=of_member,
        unsaid=frozenset({"created_at", "seen", "over", "threshold"}),
    ),
    Acts(
        PayRules,
        ActKind.PAY,
        gettext_lazy("Rules of pay"),
        url=page("pay_rules"),
        needs="review_pay",
    ),
    Acts(
        SittingReview,
        ActKind.PAY,
        gettext_lazy("Sitting"),
        study="sitting__member__study",
        related=("sitting__member",),
        done=gettext_lazy("decided on"),
        named=lambda row: row.sitting.member.pseudonym,
        facts=("decision", "reason"),
        url=lambda study, row: reverse("pay_sitting", args=[study.slug, row.sitting_id]),
        needs="review_pay",
    ),
    Acts(
        Dispute,
        ActKind.PAY,
        gettext_lazy("Dispute"),
        study="review__sitting__member__study",
        related=("review__sitting__member",),
        named=lambda row: row.review.sitting.member.pseudonym,
        hidden=frozenset({"text"}),
        unsaid=frozenset({"created_at", "answered_at"}),
        url=page("pay_disputes"),
        needs="review_pay",
    ),
    Acts(
        LedgerEntry,
        ActKind.PAY,
        gettext_lazy("Bonus or correction"),
        where=Q(kind__in=["bonus", "correction"]),
        related=("member",),
        done=gettext_lazy("written"),
        named=lambda row: row.member.pseudonym,
        facts=("kind", "amount", "currency", "reason"),
        url=page("pay"),
        needs="review_pay",
    ),
    Acts(
        Payout,
        ActKind.PAY,
        gettext_lazy("Payout"),
        named=lambda row: str(row.number),
        facts=("total", "currency"),
        url=lambda study, row: reverse("pay_payout", args=[study.slug, row.number]),
        needs="manage_pay",
    ),
    Acts(
        Errand,
        ActKind.PAY,
        gettext_lazy("What Prolific is asked for"),
        study="pgh_obj__study",
        facts=("state",),
        unsaid=frozenset({"tries"}),
        url=page("pay_errands"),
        needs="review_pay",
    ),
    Acts(
        Qualification,
        ActKind.QUALITY,
        gettext_lazy("Qualification of this study"),
        url=page("crowd_prescreening"),
        unsaid=frozenset({"created_at"}),
    ),
)
