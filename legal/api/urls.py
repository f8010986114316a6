"""Addresses of the API of the legal stage, below /api/v1/."""

from django.urls import path

from legal.api import catalogue, evidence, library

EVIDENCE = "studies/<slug:slug>/legal/evidence"
CATALOGUE = "studies/<slug:slug>/legal/catalogue"
LIBRARY = "studies/<slug:slug>/legal/library"

urlpatterns = [
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
