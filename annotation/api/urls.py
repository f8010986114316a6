"""Addresses of the API of the shared ground, below /api/v1/."""

from django.urls import path

from annotation.api import (
    activity,
    charts,
    description,
    imports,
    jobs,
    members,
    posts,
    studies,
    webhooks,
)

STUDY = "studies/<slug:slug>"
WEBHOOK = f"{STUDY}/webhooks/<int:webhook_id>"

urlpatterns = [
    path("schema/", description.Description.as_view(), name="api_schema"),
    path("studies/", studies.Studies.as_view(), name="api_studies"),
    path(f"{STUDY}/", studies.OneStudy.as_view(), name="api_study"),
    path(f"{STUDY}/protocol/", studies.StudyProtocol.as_view(), name="api_protocol"),
    path(f"{STUDY}/members/", members.Members.as_view(), name="api_members"),
    path(f"{STUDY}/members/<slug:pseudonym>/", members.OneMember.as_view(), name="api_member"),
    path(
        f"{STUDY}/members/<slug:pseudonym>/password/",
        members.MemberPassword.as_view(),
        name="api_member_password",
    ),
    path(f"{STUDY}/clone/", studies.StudyClone.as_view(), name="api_study_clone"),
    path(f"{STUDY}/archive/", studies.StudyArchive.as_view(), name="api_study_archive"),
    path(f"{STUDY}/imports/", imports.Imports.as_view(), name="api_imports"),
    path(f"{STUDY}/imports/kinds/", imports.ImportKinds.as_view(), name="api_import_kinds"),
    path(f"{STUDY}/imports/<int:import_id>/", imports.OneImport.as_view(), name="api_import"),
    path(
        f"{STUDY}/imports/<int:import_id>/check/",
        imports.ImportCheck.as_view(),
        name="api_import_check",
    ),
    path(
        f"{STUDY}/imports/<int:import_id>/load/",
        imports.ImportLoad.as_view(),
        name="api_import_load",
    ),
    path(
        f"{STUDY}/imports/<int:import_id>/problems/",
        imports.ImportProblems.as_view(),
        name="api_import_problems",
    ),
    path(f"{STUDY}/charts/", charts.Charts.as_view(), name="api_charts"),
    path(f"{STUDY}/charts/<int:chart_id>/", charts.OneChart.as_view(), name="api_chart"),
    path(f"{STUDY}/posts/", posts.Posts.as_view(), name="api_posts"),
    path(f"{STUDY}/posts/<int:post_id>/", posts.OnePost.as_view(), name="api_post"),
    path(f"{STUDY}/jobs/", jobs.Jobs.as_view(), name="api_jobs"),
    path(f"{STUDY}/jobs/<int:job_id>/", jobs.OneJob.as_view(), name="api_job"),
    path(f"{STUDY}/jobs/<int:job_id>/cancel/", jobs.JobCancel.as_view(), name="api_job_cancel"),
    path(f"{STUDY}/jobs/<int:job_id>/retry/", jobs.JobRetry.as_view(), name="api_job_retry"),
    path(f"{STUDY}/activity/", activity.Activity.as_view(), name="api_activity"),
    path(f"{STUDY}/webhooks/", webhooks.Webhooks.as_view(), name="api_webhooks"),
    path(f"{WEBHOOK}/", webhooks.OneWebhook.as_view(), name="api_webhook"),
    path(f"{WEBHOOK}/rotate/", webhooks.WebhookRotate.as_view(), name="api_webhook_rotate"),
    path(f"{WEBHOOK}/test/", webhooks.WebhookTest.as_view(), name="api_webhook_test"),
    path(f"{WEBHOOK}/deliveries/", webhooks.Deliveries.as_view(), name="api_webhook_deliveries"),
    path(
        f"{WEBHOOK}/deliveries/<int:delivery_id>/again/",
        webhooks.DeliveryAgain.as_view(),
        name="api_webhook_again",
    ),
]
