"""`manage.py search_library`: the passages of a study's legal library that fit a query best."""

from argparse import ArgumentParser
from typing import Any

from annotation.management.base import StudyCommand, find_study
from legal.queries.library import Hit, LibraryUnusable, search


class Command(StudyCommand):
    """Searches as the page does, and prints whole passages."""

    help = "Print the passages of a study's legal library that fit a query best."
    expected = (LibraryUnusable,)

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Say what can be chosen."""
        super().add_arguments(parser)
        parser.add_argument("study", help="the study's short name")
        parser.add_argument("query", help="what to search for")
        parser.add_argument("--top", type=int, default=10, help="how many passages (%(default)s)")

    def answer(self, options: dict[str, Any]) -> dict[str, Any]:
        """Return the hits, best first."""
        study = find_study(options["study"])
        found = search(study, options["query"], max(1, options["top"]))
        return {"hits": [facts(hit) for hit in found]}

    def words(self, facts: dict[str, Any]) -> str:
        """Return one line for each hit."""
        return "\n".join(
            f"{hit['score']:8.4f}  {hit['title']} {hit['section']}".rstrip()
            for hit in facts["hits"]
        )


def facts(hit: Hit) -> dict[str, Any]:
    """Return what is told of a hit."""
    passage = hit.passage
    return {
        "passage": passage.pk,
        "score": hit.score,
        "title": str(passage.document),
        "citation": passage.document.citation,
        "heading": passage.heading,
        "section": passage.section,
        "start": passage.start,
        "end": passage.end,
        "text": passage.text,
    }
