"""A kind of job for the tests: does what its parameters say."""

import threading

from django.db import transaction

from annotation.models import Study
from annotation.registry import JobKind, register_job
from infra.jobs import JobRefused

IS_INSIDE, MAY_GO_ON = threading.Event(), threading.Event()


def run(job, report):
    if job.parameters.get("refuse"):
        raise JobRefused(job.parameters["refuse"])
    if job.parameters.get("break"):
        raise RuntimeError("secret detail")
    with transaction.atomic():
        Study.objects.filter(pk=job.study_id).update(description="written")
        for step in range(1, job.parameters.get("steps", 1) + 1):
            report(step, job.parameters.get("steps", 1), f"Step {step}")
        if job.parameters.get("wait"):
            IS_INSIDE.set()
            MAY_GO_ON.wait(20)
            report(step, step, "On we go")
    return {"steps": job.parameters.get("steps", 1)}


def register():
    register_job(
        JobKind("test_steps", "Take steps", run, lambda job: f"/studies/{job.study.slug}/")
    )
