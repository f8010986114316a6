"""Addresses of the releases, the data card and the statistics."""

from django.urls import include, path

from releases.views import card, comparing, making, releases, statistics

STUDY = "studies/<slug:slug>"
RELEASES = f"{STUDY}/releases"
RELEASE = f"{RELEASES}/<int:number>"
CARD = f"{STUDY}/card"
STATISTICS = f"{STUDY}/statistics"
COMPARISON = f"{RELEASES}/comparisons/<int:comparison_id>"

urlpatterns = [
    path("api/v1/", include("releases.api.urls")),
    path(f"{RELEASES}/", releases.releases, name="releases"),
    path(f"{RELEASES}/new/", making.new_release, name="new_release"),
    path(f"{COMPARISON}/", comparing.comparison, name="comparison"),
    path(f"{COMPARISON}/posts.csv", comparing.comparison_file, name="comparison_file"),
    path(f"{RELEASE}/", releases.release, name="release"),
    path(f"{RELEASE}/all.zip", releases.release_zip, name="release_zip"),
    path(f"{RELEASE}/flag/", comparing.release_flag, name="release_flag"),
    path(f"{RELEASE}/compare/", comparing.release_compare, name="release_compare"),
    path(f"{RELEASE}/<path:name>", releases.release_file, name="release_file"),
    path(f"{CARD}/", card.data_card, name="data_card"),
    path(f"{CARD}/licence/", card.card_terms, name="card_terms"),
    path(f"{CARD}/<slug:code>/", card.card_section, name="card_section"),
    path(f"{CARD}/<slug:code>/back/", card.card_section_back, name="card_section_back"),
    path(f"{STATISTICS}/", statistics.statistics, name="statistics"),
    path(f"{STATISTICS}/draw/", statistics.draw, name="statistics_draw"),
    path(f"{STATISTICS}/all.csv", statistics.all_figures, name="statistics_file"),
]
