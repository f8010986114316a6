"""Addresses of the API of the legal stage, below /api/v1/."""

from django.urls import path

from legal.api import (
    adjudication,
    agreement,
    batches,
    catalogue,
    evidence,
    experts,
    library,
    practice,
    stage,
    verdicts,
    votes,
)

EXPERTS = "studies/<slug:slug>/legal/experts"
AGREEMENT = "studies/<slug:slug>/legal/agreement"
EVIDENCE = "studies/<slug:slug>/legal/evidence"
CATALOGUE = "studies/<slug:slug>/legal/catalogue"
LIBRARY = "studies/<slug:slug>/legal/library"

LEGAL = "studies/<slug:slug>/legal"

urlpatterns = [
    path(f"{LEGAL}/batches/", batches.LegalBatches.as_view(), name="api_legal_batches"),
    path(f"{LEGAL}/batches/<int:number>/", batches.OneLegalBatch.as_view(), name="api_legal_batch"),
    path(
        f"{LEGAL}/batches/<int:number>/move/",
        batches.LegalBatchMove.as_view(),
        name="api_legal_batch_move",
    ),
    path(f"{LEGAL}/votes/", votes.ExpertVotes.as_view(), name="api_legal_votes"),
    path(f"{LEGAL}/verdicts/", verdicts.Verdicts.as_view(), name="api_legal_verdicts"),
    path(
        f"{LEGAL}/verdicts/<int:post_id>/", verdicts.OneVerdict.as_view(), name="api_legal_verdict"
    ),
    path(f"{LEGAL}/together/", adjudication.PostsTogether.as_view(), name="api_legal_adjudication"),
    path(
        f"{LEGAL}/together/<int:post_id>/",
        adjudication.OnePostTogether.as_view(),
        name="api_legal_together",
    ),
    path(
        f"{LEGAL}/together/<int:post_id>/decide/",
        adjudication.PostDecision.as_view(),
        name="api_legal_decision",
    ),
    path(
        f"{LEGAL}/together/<int:post_id>/say/",
        adjudication.PostRemark.as_view(),
        name="api_legal_say",
    ),
    path(f"{LEGAL}/practice/", practice.PracticePosts.as_view(), name="api_legal_practice"),
    path(
        f"{LEGAL}/practice/<int:practice_id>/",
        practice.OnePracticePost.as_view(),
        name="api_legal_model_answer",
    ),
    path(f"{LEGAL}/settings/", stage.LegalRules.as_view(), name="api_legal_settings"),
    path(f"{LEGAL}/differences/", stage.Differences.as_view(), name="api_legal_differences"),
    path(f"{LEGAL}/figures/", stage.LegalFiguresDrawn.as_view(), name="api_legal_figures"),
    path(
        f"{EXPERTS}/<slug:pseudonym>/hours/",
        stage.ExpertHours.as_view(),
        name="api_legal_hours",
    ),
    path(f"{EVIDENCE}/fetch/", evidence.EvidenceFetch.as_view(), name="api_legal_evidence_fetch"),
    path(f"{EXPERTS}/", experts.LegalExperts.as_view(), name="api_legal_experts"),
    path(
        f"{EXPERTS}/<slug:pseudonym>/posts/",
        experts.LegalExpertPosts.as_view(),
        name="api_legal_expert_posts",
    ),
    path(f"{AGREEMENT}/", agreement.LegalAgreementFigures.as_view(), name="api_legal_agreement"),
    path(
        f"{AGREEMENT}/parts/",
        agreement.LegalAgreementParts.as_view(),
        name="api_legal_agreement_parts",
    ),
    path(
        f"{AGREEMENT}/posts/",
        agreement.LegalAgreementPosts.as_view(),
        name="api_legal_agreement_posts",
    ),
    path(f"{EVIDENCE}/", evidence.EvidencePages.as_view(), name="api_legal_evidence"),
    path(
        f"{EVIDENCE}/domains/",
        evidence.EvidenceDomains.as_view(),
        name="api_legal_evidence_domains",
    ),
    path(
        f"{EVIDENCE}/<int:page_id>/",
        evidence.OneEvidencePage.as_view(),
        name="api_legal_evidence_page",
    ),
    path(
        f"{EVIDENCE}/<int:page_id>/warc/",
        evidence.EvidenceWarc.as_view(),
        name="api_legal_evidence_warc",
    ),
    path(f"{LIBRARY}/", library.Documents.as_view(), name="api_library"),
    path(f"{LIBRARY}/search/", library.Search.as_view(), name="api_library_search"),
    path(f"{LIBRARY}/versions/", library.Versions.as_view(), name="api_library_versions"),
    path(
        f"{LIBRARY}/<int:document_id>/", library.OneDocument.as_view(), name="api_library_document"
    ),
    path(
        f"{LIBRARY}/<int:document_id>/remove/",
        library.Removal.as_view(),
        name="api_library_remove",
    ),
    path(f"{CATALOGUE}/", catalogue.CatalogueVersions.as_view(), name="api_catalogues"),
    path(
        f"{CATALOGUE}/<int:version>/", catalogue.OneCatalogueVersion.as_view(), name="api_catalogue"
    ),
]
