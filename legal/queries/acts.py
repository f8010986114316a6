"""What people do at the legal stage, for a study's activity: never what experts answered."""

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.queries.acts import page
from annotation.registry import ActKind, Acts
from legal.models import (
    Catalogue,
    CatalogueDraft,
    Decision,
    LegalSettings,
    LibraryDocument,
    LibraryVersion,
    PracticePost,
)

ACTS = (
    Acts(
        LegalSettings, ActKind.SETTINGS, gettext_lazy("Legal settings"), url=page("legal_settings")
    ),
    Acts(
        Catalogue,
        ActKind.LEGAL,
        gettext_lazy("Catalogue"),
        as_rows=True,
        done=gettext_lazy("published"),
        named=lambda row: _("version %s") % row.version,
        facts=("change_note",),
        url=page("legal_catalogue"),
    ),
    Acts(
        CatalogueDraft,
        ActKind.LEGAL,
        gettext_lazy("Draft of the catalogue"),
        hidden=frozenset({"content"}),
        unsaid=frozenset({"changed_at"}),
        url=page("legal_draft"),
        link_needs="manage_data",
    ),
    Acts(
        LibraryDocument,
        ActKind.LEGAL,
        gettext_lazy("Library document"),
        named=lambda row: row.title or row.name,
        url=lambda study, row: reverse("legal_document", args=[study.slug, row.pgh_obj_id]),
        unsaid=frozenset({"created_at", "stored_as", "sha256", "size", "empty_pages"}),
    ),
    Acts(
        LibraryVersion,
        ActKind.LEGAL,
        gettext_lazy("Index of the library"),
        done=gettext_lazy("built"),
        named=lambda row: _("version %s") % row.number,
        facts=("document_count",),
        url=page("legal_library"),
    ),
    Acts(
        PracticePost,
        ActKind.LEGAL,
        gettext_lazy("Practice post"),
        hidden=frozenset({"text", "model_answer", "explanation"}),
        unsaid=frozenset({"created_at"}),
        url=page("legal_practice"),
        link_needs="manage_data",
    ),
    Acts(
        Decision,
        ActKind.QUALITY,
        gettext_lazy("Post"),
        study="post__study",
        by="member__user",
        related=("post", "member"),
        done=gettext_lazy("decided on"),
        named=lambda row: row.post.external_id,
        url=lambda study, row: reverse("legal_together", args=[study.slug, row.post_id]),
        needs="adjudicate",
    ),
)
