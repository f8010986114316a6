"""The outside world as the archive's tests see it: names of websites, all on one local server."""

import contextlib
from collections.abc import Iterator

import pytest

from annotation.models import Job, Study
from annotation.services.jobs import run_next
from infra.outbound import Limits
from legal.models import ArchivedPage
from legal.services import archiving
from legal.services.evidence import pages_for
from tests.infra.websites import PUBLIC, RecordedNetwork, Website, website

NAMES = ("news.example", "www.news.example", "blog.example", "dead.example")
STORY = """<!DOCTYPE html><html lang="en"><head><title>The harbour | News</title>
<meta property="article:published_time" content="2023-04-05T10:00:00Z"></head><body><article>
<h1>The harbour was closed</h1>
<p>The harbour was closed by a decree of the city on Tuesday, the mayor's office said.</p>
<p>Fishermen of Port Alder were given two days' notice, according to the decree.</p>
</article></body></html>"""


class Outside:
    """A server with pages, and the network on which it goes by several public names."""

    def __init__(self, site: Website) -> None:
        self.site = site
        self.network = RecordedNetwork(
            {name: [PUBLIC] for name in NAMES}, {(PUBLIC, 80): site.port}
        )

    @property
    def asked(self) -> list[str]:
        return [path for path, _headers in self.site.asked]

    def story(self, path: str = "/story", text: str = STORY) -> str:
        """Put a page there; return its address."""
        self.site.page(path, text.encode())
        return f"http://news.example{path}"


@contextlib.contextmanager
def outside_world(patch: pytest.MonkeyPatch) -> Iterator[Outside]:
    """Let the archive see a world of its own, with limits that a test can wait for."""
    with website() as site:
        outside = Outside(site)
        patch.setattr(archiving, "NETWORK", outside.network.as_network())
        patch.setattr(archiving, "LIMITS", Limits(seconds=3, size=100_000, redirects=3))
        yield outside


def page_of(study: Study, url: str) -> ArchivedPage:
    return ArchivedPage.objects.get(pk=pages_for(study.pk, [url])[url])


def archived(study: Study, url: str) -> ArchivedPage:
    """Name an address, fetch it, and return what the archive has of it."""
    page = page_of(study, url)
    archiving.archive_page(study=study, page_id=page.pk)
    page.refresh_from_db()
    return page


def run_to_end(job: Job) -> Job:
    while run_next(job=job):
        job.refresh_from_db()
    return job
