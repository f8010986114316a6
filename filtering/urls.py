"""Addresses of the filter."""

from django.urls import path

from filtering import views

FILTER = "studies/<slug:slug>/filter"

urlpatterns = [
    path(f"{FILTER}/", views.filters, name="filters"),
    path(f"{FILTER}/compare/", views.filter_compare, name="filter_compare"),
    path(f"{FILTER}/<int:number>/", views.filter_run, name="filter_run"),
    path(f"{FILTER}/<int:number>/posts/<int:post_id>/", views.filter_post, name="filter_post"),
    path(f"{FILTER}/<int:number>/promote/", views.promote, name="filter_promote"),
]
