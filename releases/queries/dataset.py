"""The rows of the dataset: its posts in the order of import, with what became of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from annotation.aggregation import majority
from annotation.models import Post, StageCode, Study, Tally, Task
from annotation.queries.counts import Counts, Rounds, counts_of, rounds_of
from filtering.models import FilterRun
from filtering.queries.runs import deciding_run, kept_marks
from legal.models import Misinformation
from legal.queries.verdicts import Verdict, verdicts_of
from releases.columns import crowd_column
from releases.models import Texts
from releases.queries.releases import STAGES

BLOCK = 1_000
TEXT_FIELDS: dict[str, str | None] = {
    Texts.CLEANED: "text",
    Texts.ORIGINAL: "original_text",
    Texts.IDS: None,
}
VERDICTS: dict[str, str] = {
    Misinformation.YES: "mislc",
    Misinformation.UNCLEAR: "unclear",
    Misinformation.NO: "non_mislc",
}


@dataclass(frozen=True)
class Sources:
    """What the rows are made of: the crowd's rounds, the filter run, and which text is shown."""

    study: Study
    texts: str
    rounds: Rounds
    run: FilterRun | None

    @property
    def text_field(self) -> str | None:
        """Return the field of a post that is shown as its text, if any is."""
        return TEXT_FIELDS[self.texts]


def sources_of(study: Study, *, texts: str, crowd_round: int | None) -> Sources:
    """Return the sources of a study's dataset; raises RoundsDiffer where a round must be chosen."""
    rounds = rounds_of(study, StageCode.CROWD, crowd_round)
    return Sources(study=study, texts=texts, rounds=rounds, run=deciding_run(study))


def released_posts(study: Study) -> QuerySet[Post]:
    """Return the posts of the dataset: those that were kept, and did not serve as gold alone.

    Gold that is published tells the next candidates the answers, and has no votes to show. A post
    of the gold pool that the crowd or the experts got as well is one of the dataset's posts.
    """
    tasks = Task.objects.filter(post=OuterRef("pk"))
    at_work = tasks.filter(stage__in=STAGES)
    counted = Tally.objects.filter(post=OuterRef("pk"))
    return Post.objects.filter(
        Exists(at_work) | Exists(counted) | ~Exists(tasks.filter(stage=StageCode.GOLD)),
        study=study,
        dropped_reason="",
    )


def dataset_blocks(sources: Sources) -> Iterator[list[dict[str, Any]]]:
    """Yield the rows in blocks, as JSON takes them; memory does not grow with their number."""
    fields = ["pk", "external_id"] + ([sources.text_field] if sources.text_field else [])
    posts = (
        released_posts(sources.study).order_by("pk").values_list(*fields).iterator(chunk_size=BLOCK)
    )
    while block := list(islice(posts, BLOCK)):
        yield rows_of(sources, block)


def rows_of(sources: Sources, posts: Sequence[tuple[Any, ...]]) -> list[dict[str, Any]]:
    """Return the rows of a block of posts (id, external id, text if it is shown)."""
    ids = [post[0] for post in posts]
    counts = counts_of(sources.rounds, ids)
    marks = kept_marks(sources.run, ids)
    verdicts = verdicts_of(sources.study, ids)
    return [
        {
            "post_id": post[1],
            **({"text": post[2]} if sources.text_field else {}),
            **crowd_cells(sources.rounds.labels, counts.get(post[0])),
            "filter_kept": marks.get(post[0]),
            **legal_cells(verdicts.get(post[0])),
        }
        for post in posts
    ]


def crowd_cells(labels: Sequence[str], counts: Counts | None) -> dict[str, Any]:
    """Return what the crowd said about a post."""
    votes = counts or (0,) * len(labels)
    winner = majority(dict(zip(labels, votes, strict=True)))
    return {
        **{crowd_column(label): number for label, number in zip(labels, votes, strict=True)},
        "crowd_votes": winner.votes,
        "crowd_label": winner.label,
        "crowd_tie": winner.tie if winner.votes else None,
    }


def legal_cells(verdict: Verdict | None) -> dict[str, Any]:
    """Return what the experts found; nothing but their number while they are not all there."""
    if verdict is None or not verdict.is_complete:
        nothing = ("y", "verdict", "verdict_tie", "verdict_decided", "no_claim", "defence")
        return {
            "legal_votes": verdict.voters if verdict else 0,
            "answers": {},
            **dict.fromkeys((*nothing, "verdict_derived", "no_claim_any", "defence_any")),
            "issues": [],
            "evidence": [],
        }
    return {
        "legal_votes": verdict.voters,
        "answers": verdict.counts,
        "y": verdict.y,
        "verdict": VERDICTS[verdict.label],
        "verdict_tie": verdict.is_tie,
        "verdict_decided": verdict.is_decided,
        "verdict_derived": VERDICTS[verdict.derived],
        "issues": list(verdict.issues),
        "no_claim": verdict.no_claim,
        "defence": verdict.defence,
        "no_claim_any": verdict.no_claim_votes > 0,
        "defence_any": verdict.defence_votes > 0,
        "evidence": list(verdict.evidence),
    }
