"""Addresses of the API of the legal stage, below /api/v1/."""

from django.urls import path

from legal.api import agreement, catalogue, evidence, experts, library

EXPERTS = "studies/<slug:slug>/legal/experts"
AGREEMENT = "studies/<slug:slug>/legal/agreement"
EVIDENCE = "studies/<slug:slug>/legal/evidence"
CATALOGUE = "studies/<slug:slug>/legal/catalogue"
LIBRARY = "studies/<slug:slug>/legal/library"

urlpatterns = [
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
