"""Addresses of the releases, the data card and the statistics."""

from django.urls import include, path

from releases.views import card, releases, statistics

STUDY = "studies/<slug:slug>"
RELEASES = f"{STUDY}/releases"
CARD = f"{STUDY}/card"
STATISTICS = f"{STUDY}/statistics"

urlpatterns = [
    path("api/v1/", include("releases.api.urls")),
    path(f"{RELEASES}/", releases.releases, name="releases"),
    path(f"{RELEASES}/<int:number>/", releases.release, name="release"),
    path(f"{RELEASES}/<int:number>/<path:name>", releases.release_file, name="release_file"),
    path(f"{CARD}/", card.data_card, name="data_card"),
    path(f"{CARD}/licence/", card.card_terms, name="card_terms"),
    path(f"{CARD}/<slug:code>/", card.card_section, name="card_section"),
    path(f"{CARD}/<slug:code>/back/", card.card_section_back, name="card_section_back"),
    path(f"{STATISTICS}/", statistics.statistics, name="statistics"),
    path(f"{STATISTICS}/draw/", statistics.draw, name="statistics_draw"),
    path(f"{STATISTICS}/all.csv", statistics.all_figures, name="statistics_file"),
]
