"""Addresses of the shared ground."""

from django.urls import include, path

from annotation.api.problems import problem_page
from annotation.views import (
    activity,
    charts,
    errors,
    home,
    imports,
    jobs,
    studies,
    tokens,
    webhooks,
)

STUDY = "studies/<slug:slug>"
WEBHOOK = f"{STUDY}/protocol/webhooks/<int:webhook_id>"

urlpatterns = [
    path("", home.home, name="home"),
    path("healthz", errors.healthz, name="healthz"),
    path("profile/", home.profile, name="profile"),
    path("profile/tokens/", tokens.tokens, name="tokens"),
    path("profile/tokens/<int:token_id>/revoke/", tokens.revoke, name="token_revoke"),
    path("api/v1/", include("annotation.api.urls")),
    path("problems/<slug:word>", problem_page, name="problem"),
    path("new-study/", home.new_study, name="new_study"),
    path(f"{STUDY}/", studies.study, name="study"),
    path(f"{STUDY}/protocol/", studies.protocol, name="protocol"),
    path(f"{STUDY}/protocol/webhooks/", webhooks.webhooks, name="webhooks"),
    path(f"{WEBHOOK}/", webhooks.webhook, name="webhook"),
    path(f"{WEBHOOK}/rotate/", webhooks.webhook_rotate, name="webhook_rotate"),
    path(f"{WEBHOOK}/move/", webhooks.webhook_move, name="webhook_move"),
    path(f"{WEBHOOK}/test/", webhooks.webhook_test, name="webhook_test"),
    path(
        f"{WEBHOOK}/deliveries/<int:delivery_id>/again/",
        webhooks.webhook_again,
        name="webhook_again",
    ),
    path(f"{STUDY}/clone/", studies.study_clone, name="study_clone"),
    path(f"{STUDY}/archive/", studies.study_archive, name="study_archive"),
    path(f"{STUDY}/members/", studies.members, name="members"),
    path(f"{STUDY}/members/<slug:pseudonym>/", studies.member, name="member"),
    path(
        f"{STUDY}/members/<slug:pseudonym>/password/",
        studies.member_password,
        name="member_password",
    ),
    path(f"{STUDY}/posts/", studies.posts, name="posts"),
    path(f"{STUDY}/posts/<int:post_id>/", studies.post, name="post"),
    path(f"{STUDY}/posts/<int:post_id>/graphic/", studies.post_graphic, name="post_graphic"),
    path(f"{STUDY}/imports/", imports.imports, name="imports"),
    path(f"{STUDY}/imports/<int:import_id>/", imports.import_file, name="import"),
    path(f"{STUDY}/imports/<int:import_id>/bad-rows.csv", imports.bad_rows, name="bad_rows"),
    path(f"{STUDY}/charts/<int:chart_id>.<slug:form>", charts.chart_file, name="chart_file"),
    path(f"{STUDY}/activity/", activity.study_activity, name="activity"),
    path(f"{STUDY}/activity/activity.csv", activity.activity_file, name="activity_file"),
    path(f"{STUDY}/jobs/", jobs.jobs, name="jobs"),
    path(f"{STUDY}/jobs/<int:job_id>/", jobs.job, name="job"),
    path(f"{STUDY}/jobs/<int:job_id>/cancel/", jobs.cancel, name="job_cancel"),
    path(f"{STUDY}/jobs/<int:job_id>/retry/", jobs.retry, name="job_retry"),
]
