"""Addresses of the legal stage."""

from django.urls import include, path

from legal.views import (
    adjudication,
    agreement,
    catalogue,
    catalogue_import,
    draft_issues,
    drafts,
    evidence,
    figures,
    guide,
    hours,
    library,
    library_search,
    own_files,
    parking,
    practice,
    practice_posts,
    results,
    settings,
    votes,
    work,
)

LEGAL = "studies/<slug:slug>/legal"
CATALOGUE = f"{LEGAL}/catalogue"
AGREEMENT = f"{LEGAL}/agreement"
LIBRARY = f"{LEGAL}/library"
DOCUMENT = f"{LIBRARY}/<int:document_id>"
FILES = f"{LEGAL}/work/<int:assignment_id>/evidence-file"
DRAFT = f"{CATALOGUE}/draft"
PRACTICE = f"{LEGAL}/practice/<int:practice_id>"

urlpatterns = [
    path("api/v1/", include("legal.api.urls")),
    path(f"{LEGAL}/", results.legal, name="legal"),
    path(f"{LEGAL}/batches/<int:number>/", results.batch, name="legal_batch"),
    path(f"{LEGAL}/batches/<int:number>/move/", results.move, name="legal_batch_move"),
    path(f"{LEGAL}/posts/<int:post_id>/", results.post, name="legal_post"),
    path(f"{AGREEMENT}/", agreement.legal_agreement_page, name="legal_agreement"),
    path(f"{AGREEMENT}/posts/", agreement.legal_agreement_posts, name="legal_agreement_posts"),
    path(f"{AGREEMENT}/posts.csv", agreement.legal_agreement_file, name="legal_agreement_file"),
    path(
        f"{AGREEMENT}/pairs/<slug:pseudonym>/<slug:other>/",
        agreement.legal_pair,
        name="legal_pair",
    ),
    path(f"{LEGAL}/figures/", figures.figures, name="legal_figures"),
    path(f"{LEGAL}/figures/draw/", figures.draw, name="legal_figures_draw"),
    path(f"{CATALOGUE}/", catalogue.catalogue, name="legal_catalogue"),
    path(
        f"{CATALOGUE}/<int:version>/yaml/",
        catalogue.export,
        {"form": "yaml"},
        name="legal_catalogue_yaml",
    ),
    path(
        f"{CATALOGUE}/<int:version>/json/",
        catalogue.export,
        {"form": "json"},
        name="legal_catalogue_json",
    ),
    path(
        f"{CATALOGUE}/import/",
        catalogue_import.legal_catalogue_import,
        name="legal_catalogue_import",
    ),
    path(f"{DRAFT}/", drafts.legal_draft, name="legal_draft"),
    path(f"{DRAFT}/begin/", drafts.legal_draft_begin, name="legal_draft_begin"),
    path(f"{DRAFT}/change/", drafts.legal_draft_change, name="legal_draft_change"),
    path(f"{DRAFT}/heading/", drafts.legal_draft_heading, name="legal_draft_heading"),
    path(f"{DRAFT}/issues/<slug:code>/", draft_issues.legal_draft_issue, name="legal_draft_issue"),
    path(f"{DRAFT}/publish/", drafts.legal_draft_publish, name="legal_draft_publish"),
    path(f"{DRAFT}/discard/", drafts.legal_draft_discard, name="legal_draft_discard"),
    path(f"{LEGAL}/guide/", guide.legal_guide, name="legal_guide"),
    path(f"{LEGAL}/differences/", results.differences, name="legal_differences"),
    path(f"{LEGAL}/together/", adjudication.adjudication, name="legal_adjudication"),
    path(f"{LEGAL}/together/<int:post_id>/", adjudication.together, name="legal_together"),
    path(f"{LEGAL}/together/<int:post_id>/decide/", adjudication.decision, name="legal_decision"),
    path(f"{LEGAL}/together/<int:post_id>/say/", adjudication.say, name="legal_say"),
    path(f"{LEGAL}/settings/", settings.settings, name="legal_settings"),
    path(f"{LIBRARY}/", library.library, name="legal_library"),
    path(f"{LIBRARY}/upload/", library.upload, name="legal_library_upload"),
    path(f"{LIBRARY}/build/", library.build, name="legal_library_build"),
    path(f"{LIBRARY}/search/", library_search.search, name="legal_library_search"),
    path(f"{DOCUMENT}/", library_search.document, name="legal_document"),
    path(f"{DOCUMENT}/file/", library_search.file, name="legal_document_file"),
    path(f"{DOCUMENT}/edit/", library.edit, name="legal_document_edit"),
    path(f"{DOCUMENT}/remove/", library.remove, name="legal_document_remove"),
    path(f"{LEGAL}/evidence/", evidence.evidence, name="legal_evidence"),
    path(f"{LEGAL}/evidence/fetch/", evidence.fetch, name="legal_evidence_fetch"),
    path(f"{LEGAL}/evidence/<int:page_id>/", evidence.evidence_page, name="legal_evidence_page"),
    path(
        f"{LEGAL}/evidence/<int:page_id>/warc/", evidence.evidence_warc, name="legal_evidence_warc"
    ),
    path(f"{LEGAL}/evidence/files/", evidence.evidence_attachments, name="legal_attachments"),
    path(
        f"{LEGAL}/evidence/files/<int:attachment_id>/",
        evidence.evidence_attachment,
        name="legal_attachment",
    ),
    path(f"{LEGAL}/work/", work.work, name="legal_work"),
    path(f"{LEGAL}/work/begin/", work.begin, name="legal_begin"),
    path(f"{LEGAL}/work/<int:assignment_id>/submit/", work.submit, name="legal_submit"),
    path(f"{LEGAL}/work/<int:assignment_id>/skip/", work.skip, name="legal_skip"),
    path(f"{LEGAL}/work/<int:assignment_id>/extend/", work.extend, name="legal_extend"),
    path(f"{FILES}/", own_files.evidence_file, name="legal_evidence_file"),
    path(f"{FILES}/<int:attachment_id>/", own_files.own_attachment, name="legal_own_file"),
    path(f"{FILES}/<int:attachment_id>/detach/", own_files.detach, name="legal_detach_file"),
    path(f"{LEGAL}/practice/", practice_posts.practice, name="legal_practice"),
    path(f"{PRACTICE}/", practice_posts.model_answer, name="legal_model_answer"),
    path(f"{LEGAL}/work/practice/", practice.results, name="legal_practised"),
    path(f"{LEGAL}/work/practice/<int:practice_id>/", practice.practise, name="legal_practise"),
    path(
        f"{LEGAL}/work/practice/<int:practice_id>/model/",
        practice.compare,
        name="legal_practice_model",
    ),
    path(f"{LEGAL}/work/<int:assignment_id>/draft/", parking.draft, name="legal_keep_draft"),
    path(f"{LEGAL}/work/<int:assignment_id>/park/", parking.park, name="legal_park"),
    path(f"{LEGAL}/parked/", parking.parked, name="legal_parked"),
    path(f"{LEGAL}/parked/<int:assignment_id>/", parking.take_up, name="legal_take_up"),
    path(f"{LEGAL}/hours/", hours.own_hours, name="legal_own_hours"),
    path(f"{LEGAL}/hours/csv/", hours.own_hours_file, name="legal_own_hours_file"),
    path(f"{LEGAL}/hours/<int:member_id>/", hours.hours, name="legal_hours"),
    path(f"{LEGAL}/hours/<int:member_id>/csv/", hours.hours_file, name="legal_hours_file"),
    path(f"{LEGAL}/votes/", votes.votes, name="legal_votes"),
    path(f"{LEGAL}/votes/<int:assignment_id>/", votes.correct, name="legal_correct"),
    path(
        f"{LEGAL}/votes/<int:assignment_id>/together/",
        adjudication.own_together,
        name="legal_own_together",
    ),
]
