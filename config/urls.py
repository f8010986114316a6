"""All addresses of the site."""

from django.urls import include, path

from annotation.views.errors import not_offered

urlpatterns = [
    path("", include("annotation.urls")),
    path("", include("crowd.urls")),
    path("", include("legal.urls")),
    path("", include("filtering.urls")),
    path("", include("releases.urls")),
    path("accounts/email/", not_offered, name="account_email"),
    path("accounts/", include("allauth.urls")),
]
