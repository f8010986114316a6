"""The evidence that experts named: the archive's pages, what cites them, and from which sites.

What cites a page are counting votes: the newest version of each person's, if it fills a place.
Nothing here reads a page's text but `page_in_detail`.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import connection
from django.db.models import Count, QuerySet

from annotation.models import Assignment, Post, Study, Vote
from annotation.models.votes import COUNTING
from legal.models import ArchivedPage, Attachment, PageState

CITED = f"""
    SELECT evidence.page_id, count(*) FROM legal_evidence AS evidence
        JOIN legal_legalanswer AS answer ON answer.id = evidence.answer_id
        JOIN annotation_vote AS vote ON vote.id = answer.vote_id
    WHERE evidence.page_id = ANY(%s) AND {COUNTING}
    GROUP BY evidence.page_id
"""  # noqa: S608 -- constants

DOMAINS = f"""
    WITH cited AS (
        SELECT evidence.page_id, count(*) AS votes FROM legal_archivedpage AS page
            JOIN legal_evidence AS evidence ON evidence.page_id = page.id
            JOIN legal_legalanswer AS answer ON answer.id = evidence.answer_id
            JOIN annotation_vote AS vote ON vote.id = answer.vote_id
        WHERE page.study_id = %(study)s AND {COUNTING}
        GROUP BY evidence.page_id)
    SELECT page.domain, count(*), count(*) FILTER (WHERE page.state = 'fetched'),
        coalesce(sum(cited.votes), 0)::bigint AS votes
    FROM legal_archivedpage AS page LEFT JOIN cited ON cited.page_id = page.id
    WHERE page.study_id = %(study)s
    GROUP BY page.domain ORDER BY votes DESC, count(*) DESC, page.domain
    LIMIT %(most)s
"""  # noqa: S608 -- constants


@dataclass(frozen=True)
class Domain:
    """A site: how many of its pages were named, how many fetched, and how many votes cite them."""

    name: str
    pages: int
    fetched: int
    votes: int


def archived_pages(study: Study, *, state: str = "", domain: str = "") -> QuerySet[ArchivedPage]:
    """Return a study's pages without their text, newest first; those of a state and a site."""
    pages = ArchivedPage.objects.filter(study=study).defer("text").order_by("-pk")
    if state:
        pages = pages.filter(state=state)
    if domain:
        pages = pages.filter(domain=domain)
    return pages


def page_in_detail(study: Study) -> QuerySet[ArchivedPage]:
    """Return a study's pages with all that is known of them."""
    return ArchivedPage.objects.filter(study=study)


def page_counts(study: Study) -> dict[str, int]:
    """Return how many pages stand how; states without any count as 0."""
    found = ArchivedPage.objects.filter(study=study).values_list("state")
    return dict.fromkeys(PageState.values, 0) | dict(found.annotate(Count("pk")).order_by())


def citing_votes(page_ids: Iterable[int]) -> dict[int, int]:
    """Return how many counting votes cite each of the pages; pages without any are left out."""
    with connection.cursor() as cursor:
        cursor.execute(CITED, [list(page_ids)])
        return dict(cursor.fetchall())


def evidence_domains(study: Study, most: int | None = None) -> list[Domain]:
    """Return the sites that evidence is on, those that most votes cite first."""
    with connection.cursor() as cursor:
        cursor.execute(DOMAINS, {"study": study.pk, "most": most})
        return [Domain(*row) for row in cursor.fetchall()]


def citing_posts(page: ArchivedPage, most: int) -> list[Post]:
    """Return posts on which a counting vote cites a page, in the order of import."""
    votes = Vote.objects.counting().filter(legal_answer__evidence__page=page)
    return list(Post.objects.filter(tasks__votes__in=votes).distinct().order_by("pk")[:most])


def attachments_of(study: Study) -> QuerySet[Attachment]:
    """Return the files that answers of a study give as evidence."""
    return Attachment.objects.filter(study=study, evidence__isnull=False).distinct()


def files_of(assignment: Assignment) -> QuerySet[Attachment]:
    """Return the files that the next answer to a post rests on, in the order given."""
    return Attachment.objects.filter(assignment=assignment, detached_at=None).order_by("pk")
