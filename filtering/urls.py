"""Addresses of the filter."""

from django.urls import path

from filtering import api, views

FILTER = "studies/<slug:slug>/filter"

API = f"api/v1/{FILTER}"

urlpatterns = [
    path(f"{API}/", api.FilterRuns.as_view(), name="api_filters"),
    path(f"{API}/compare/", api.FilterCompare.as_view(), name="api_filter_compare"),
    path(f"{API}/<int:number>/", api.OneFilterRun.as_view(), name="api_filter_run"),
    path(f"{API}/<int:number>/posts/", api.FilterRunPosts.as_view(), name="api_filter_posts"),
    path(f"{API}/<int:number>/promote/", api.FilterRunPromote.as_view(), name="api_filter_promote"),
    path(f"{FILTER}/", views.filters, name="filters"),
    path(f"{FILTER}/compare/", views.filter_compare, name="filter_compare"),
    path(f"{FILTER}/<int:number>/", views.filter_run, name="filter_run"),
    path(f"{FILTER}/<int:number>/posts/<int:post_id>/", views.filter_post, name="filter_post"),
    path(f"{FILTER}/<int:number>/promote/", views.promote, name="filter_promote"),
]
