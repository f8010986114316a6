"""Shortcuts to a built library, through the services and the real job."""

import io

from annotation.models import Job, JobState, Study
from annotation.services.jobs import run_next
from legal.models import LibraryVersion
from legal.queries.library import current_version
from legal.services.library_documents import About, Uploaded, queue_build, upload_documents

HARBOUR = "Harbour Act\n\nCLOSING\n\n[Closing] 1 (1) No person shall close a harbour.\n"
NOTICE = "Notices Act\n\n[False notice] 4 Whoever gives a false notice commits an offence.\n"


def uploaded(study: Study, files: dict[str, str | bytes], **about: str) -> Uploaded:
    """Upload files by name."""
    raw = {name: one.encode() if isinstance(one, str) else one for name, one in files.items()}
    return upload_documents(
        by=None,
        study=study,
        files=[(name, io.BytesIO(content)) for name, content in raw.items()],
        about=About(**about),
    )


def done(job: Job | None) -> Job:
    """Run a job to its end, whatever that is."""
    assert job
    while run_next(job=job):
        job.refresh_from_db()
    return job


def built(
    study: Study, files: dict[str, str | bytes] | None = None, **about: str
) -> LibraryVersion:
    """Upload files, and build the library of them."""
    job = done(uploaded(study, files or {"h.txt": HARBOUR, "n.txt": NOTICE}, **about).job)
    assert job.state == JobState.SUCCEEDED, job.reason
    version = current_version(study)
    assert version
    return version


def rebuilt(study: Study, **sizes: object) -> Job:
    """Build once more."""
    return done(queue_build(by=None, study=study, **sizes))
