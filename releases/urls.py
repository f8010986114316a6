"""Addresses of the releases."""

from django.urls import path

from releases import views

RELEASES = "studies/<slug:slug>/releases"

urlpatterns = [
    path(f"{RELEASES}/", views.releases, name="releases"),
    path(f"{RELEASES}/<int:number>/", views.release, name="release"),
    path(f"{RELEASES}/<int:number>/<path:name>", views.release_file, name="release_file"),
]
