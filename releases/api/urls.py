"""Addresses of the API of releases, the data card and the statistics, below /api/v1/."""

from django.urls import path

from releases.api import card, comparing, releases, statistics

RELEASES = "studies/<slug:slug>/releases"
CARD = "studies/<slug:slug>/card"

urlpatterns = [
    path(f"{RELEASES}/", releases.Releases.as_view(), name="api_releases"),
    path(f"{RELEASES}/preview/", releases.ReleasePreview.as_view(), name="api_release_preview"),
    path(f"{RELEASES}/comparisons/", comparing.Comparisons.as_view(), name="api_comparisons"),
    path(
        f"{RELEASES}/comparisons/<int:comparison_id>/",
        comparing.OneComparison.as_view(),
        name="api_comparison",
    ),
    path(
        f"{RELEASES}/comparisons/<int:comparison_id>/posts/",
        comparing.ComparisonPosts.as_view(),
        name="api_comparison_posts",
    ),
    path(
        f"{RELEASES}/<int:number>/flags/",
        comparing.ReleaseFlags.as_view(),
        name="api_release_flag",
    ),
    path(
        f"{RELEASES}/<int:number>/compare/",
        comparing.ReleaseCompare.as_view(),
        name="api_release_compare",
    ),
    path(f"{RELEASES}/<int:number>/", releases.OneRelease.as_view(), name="api_release"),
    path(
        f"{RELEASES}/<int:number>/files/<path:name>",
        releases.ReleaseDownload.as_view(),
        name="api_release_file",
    ),
    path(
        f"{RELEASES}/<int:number>/annotators/<str:name>/",
        releases.ReleaseAnnotator.as_view(),
        name="api_release_annotator",
    ),
    path("studies/<slug:slug>/statistics/", statistics.Statistics.as_view(), name="api_statistics"),
    path(f"{CARD}/", card.ReleaseCard.as_view(), name="api_data_card"),
    path(f"{CARD}/<slug:code>/", card.CardSectionText.as_view(), name="api_card_section"),
    path(f"{CARD}/<slug:code>/back/", card.CardSectionBack.as_view(), name="api_card_section_back"),
]
