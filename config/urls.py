"""All addresses of the site."""

from django.urls import include, path, re_path

from annotation.api.errors import no_such_address
from annotation.views.errors import not_offered

urlpatterns = [
    # The crowd's addresses first: most requests are votes, and addresses are tried in this order.
    path("", include("crowd.urls")),
    path("", include("annotation.urls")),
    path("", include("legal.urls")),
    path("", include("filtering.urls")),
    path("", include("releases.urls")),
    re_path("^api/", no_such_address, name="api_elsewhere"),
    path("accounts/email/", not_offered, name="account_email"),
    path("accounts/", include("allauth.urls")),
]
