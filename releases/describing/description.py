"""What is said of a release in every description of it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, kw_only=True)
class Description:
    """A release in words.

    `sections` are the data card's, by code; `votes` say by stage how many, on how many posts.
    """

    slug: str
    title: str
    number: int
    made_at: datetime
    languages: tuple[str, ...]
    licence: str
    citation: str
    sections: Mapping[str, str]
    votes: Mapping[str, tuple[int, int]]
    posts: int
    software: str

    @property
    def name(self) -> str:
        """Return the release's name for programs."""
        return f"{self.slug}-release-{self.number}"

    @property
    def full_title(self) -> str:
        """Return the release's name for people, on one line."""
        return f"{' '.join(self.title.split())}, release {self.number}"

    @property
    def votes_per_post(self) -> str:
        """Return how many votes a post has, by stage."""
        return "; ".join(
            f"{stage}: {votes / posts:.1f} on average ({votes:,} votes on {posts:,} posts)"
            for stage, (votes, posts) in self.votes.items()
        )

    @property
    def cite_as(self) -> str:
        """Return how to cite the release: as the study says, else what is known of it."""
        if self.citation.strip():
            return self.citation.strip()
        key = re.sub(r"\W", "_", self.name)
        title = re.sub(r"[{}\\]", "", self.full_title)
        return f"@misc{{{key}, title = {{{title}}}, year = {{{self.made_at.year}}}}}"
