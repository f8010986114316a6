"""The rows of posts, verdicts and issues: the posts in the order of import, with what was found."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from annotation.aggregation import majority, soft_label
from annotation.models import Post, StageCode, Study, Tally, Task
from annotation.queries.counts import Counts, Rounds, counts_of, post_counts, rounds_of
from crowd.models import LikelyLabel
from filtering.queries.runs import kept_marks
from legal.models import Misinformation
from legal.queries.catalogues import issue_names
from legal.queries.verdicts import Verdict, make_verdicts
from releases.columns import LABEL, META, NAME
from releases.layout import label_column
from releases.queries.findings import findings_on
from releases.queries.releases import STAGES
from releases.queries.sources import Sources

Row = dict[str, Any]
BLOCK = 5_000
VERDICTS: dict[str, str] = {
    Misinformation.YES: "mislc",
    Misinformation.UNCLEAR: "unclear",
    Misinformation.NO: "non_mislc",
}


@dataclass(frozen=True)
class PostBlock:
    """The rows of some posts; `verdicts` are by post, where there is one."""

    posts: list[Row]
    verdicts: dict[str, Row]
    issues: list[Row]


@dataclass(frozen=True)
class LegalSources:
    """What verdicts are made of, read once: rounds, issues' names, and chances of each label."""

    rounds: Rounds
    names: dict[str, str]
    chances: Mapping[int, Mapping[str, float]]


def released_posts(study: Study) -> QuerySet[Post]:
    """Return the posts of a release: those that were kept, and did not serve as gold alone.

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


def legal_sources(study: Study, chances: Mapping[int, Mapping[str, float]]) -> LegalSources:
    """Return what the verdicts of a study are made of."""
    rounds = rounds_of(study, StageCode.LEGAL)
    return LegalSources(rounds=rounds, names=issue_names(study), chances=chances)


class OnePass:
    """Counts of the crowd's votes out of one pass over all of them.

    It is asked for posts in the order of their ids, so nothing but the next post is remembered.
    """

    def __init__(self, rounds: Rounds) -> None:
        self.rows = post_counts(rounds) if rounds.labels else iter(())
        self.waiting = next(self.rows, None)

    def of(self, ids: Sequence[int]) -> dict[int, Counts]:
        """Return the counts of some posts; those that were passed by are gone."""
        found: dict[int, Counts] = {}
        while self.waiting and self.waiting[0] <= ids[-1]:
            found[self.waiting[0]] = self.waiting[1]
            self.waiting = next(self.rows, None)
        return found


def post_blocks(
    sources: Sources, legal: LegalSources, ids: Collection[int] | None = None
) -> Iterator[PostBlock]:
    """Yield the rows in blocks, of all posts or of those named; memory does not grow with them."""
    passing = OnePass(sources.rounds) if ids is None else None
    fields = ["pk", "external_id", *([sources.text_field] if sources.text_field else [])]
    if sources.layout.metadata:
        fields.append("metadata")
    posts = released_posts(sources.study).order_by("pk").values(*fields)
    if ids is not None:
        posts = posts.filter(pk__in=ids)
    rows = posts.iterator(chunk_size=BLOCK)
    while block := list(islice(rows, BLOCK)):
        named = [post["pk"] for post in block]
        crowd = passing.of(named) if passing else counts_of(sources.rounds, named)
        yield block_of(sources, legal, block, crowd)


def block_of(
    sources: Sources, legal: LegalSources, posts: Sequence[Row], crowd: Mapping[int, Counts]
) -> PostBlock:
    """Return the rows of some posts, whose votes of the crowd are counted."""
    ids = [post["pk"] for post in posts]
    labels = sources.rounds.labels
    cells = {counts: crowd_cells(labels, counts) for counts in {None, *crowd.values()}}
    chances = chances_of(sources, ids)
    marks = kept_marks(sources.run, ids)
    verdicts = verdicts_of(sources, legal, ids)
    names = {post["pk"]: post["external_id"] for post in posts}
    complete = {pk: one for pk, one in verdicts.items() if one.is_complete}
    return PostBlock(
        posts=[
            {
                "post_id": post["external_id"],
                "text": post[sources.text_field] if sources.text_field else None,
                "split": sources.splits.of(post["external_id"]),
                **cells[crowd.get(pk)],
                **(chance_cells(labels, chances[pk]) if pk in chances else {}),
                "filter_kept": marks.get(pk),
                **legal_cells(verdicts.get(pk)),
                **metadata_cells(sources.layout.metadata, post),
            }
            for pk, post in zip(ids, posts, strict=True)
        ],
        verdicts={
            names[pk]: {
                "post_id": names[pk],
                "split": sources.splits.of(names[pk]),
                **verdict_cells(one, legal.chances.get(pk, {})),
            }
            for pk, one in complete.items()
        },
        issues=issue_rows(legal, names, complete),
    )


def verdicts_of(sources: Sources, legal: LegalSources, ids: list[int]) -> dict[int, Verdict]:
    """Return the verdicts on posts, in their order; none where the experts' work is left out."""
    if not sources.has_legal or not legal.rounds.batch_ids:
        return {}
    counts = counts_of(legal.rounds, ids)
    found = {one.post_id: one for one in make_verdicts(legal.rounds, counts, list(legal.names))}
    return {pk: found[pk] for pk in ids if pk in found}


def chances_of(sources: Sources, ids: list[int]) -> dict[int, dict[str, float]]:
    """Return for posts that the crowd's estimate saw the chance of each label."""
    if sources.estimate is None:
        return {}
    likely = LikelyLabel.objects.filter(estimate=sources.estimate, post__in=ids)
    labels = sources.estimate.labels
    return {
        post: dict(zip(labels, chances, strict=True))
        for post, chances in likely.values_list("post", "chances")
    }


def chance_cells(labels: Sequence[str], chances: Mapping[str, float]) -> dict[str, Any]:
    """Return the chance of each of the crowd's labels."""
    pattern = f"crowd_chance_{LABEL}"
    return {label_column(pattern, label): chances.get(label) for label in labels}


def crowd_cells(labels: Sequence[str], counts: Counts | None) -> dict[str, Any]:
    """Return what the crowd said about a post; the same for all posts with these counts."""
    votes = dict(zip(labels, counts or (0,) * len(labels), strict=True))
    winner = majority(votes)
    shares = soft_label(votes) if winner.votes else {}
    cells: dict[str, Any] = {}
    for label in labels:
        cells[label_column(f"crowd_{LABEL}", label)] = votes[label]
        cells[label_column(f"crowd_share_{LABEL}", label)] = shares.get(label)
        cells[label_column(f"crowd_chance_{LABEL}", label)] = None
    return cells | {
        "crowd_votes": winner.votes,
        "crowd_label": winner.label,
        "crowd_tie": winner.tie if winner.votes else None,
    }


def metadata_cells(names: Sequence[str], post: Row) -> dict[str, Any]:
    """Return what the imported file said of a post, as text."""
    return {META.replace(NAME, name): as_text(post["metadata"].get(name)) for name in names}


def as_text(value: object) -> str | None:
    """Return a value of the imported file as text; lists and the like as JSON."""
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)


def legal_cells(verdict: Verdict | None) -> dict[str, Any]:
    """Return what a post's row says of the experts; their number alone while some are missing."""
    is_complete = verdict is not None and verdict.is_complete
    return {
        "legal_votes": verdict.voters if verdict else 0,
        "y": verdict.y if verdict and is_complete else None,
        "verdict": VERDICTS[verdict.label] if verdict and is_complete else None,
    }


def verdict_cells(verdict: Verdict, chances: Mapping[str, float]) -> dict[str, Any]:
    """Return the cells of a verdict."""
    answers = [answer.value for answer in Misinformation]
    counts = {answer: verdict.counts.get(answer, 0) for answer in answers}
    shares = soft_label(counts)
    return {
        "y": verdict.y,
        "verdict": VERDICTS[verdict.label],
        "tie": verdict.is_tie,
        "decided": verdict.is_decided,
        "derived": VERDICTS[verdict.derived],
        "votes": verdict.voters,
        **{f"votes_{answer}": counts[answer] for answer in answers},
        **{f"share_{answer}": shares[answer] for answer in answers},
        **{f"chance_{answer}": chances.get(answer) for answer in answers},
        "issues": list(verdict.issues),
        "no_claim": verdict.no_claim,
        "defence": verdict.defence,
        "no_claim_any": verdict.no_claim_votes > 0,
        "defence_any": verdict.defence_votes > 0,
        "evidence": list(verdict.evidence),
    }


def issue_rows(
    legal: LegalSources, names: Mapping[int, str], verdicts: Mapping[int, Verdict]
) -> list[Row]:
    """Return a row for each issue that was raised on a post or is among its verdict's."""
    findings = findings_on(legal.rounds, list(verdicts)) if verdicts else {}
    return [
        {
            "post_id": names[pk],
            "issue": code,
            "name": legal.names.get(code, code),
            "raised": verdict.issue_counts.get(code, 0),
            "votes": verdict.voters,
            "majority": 2 * verdict.issue_counts.get(code, 0) > verdict.voters,
            "in_verdict": code in verdict.issues,
            "findings": json.dumps(findings.get((pk, code), {}), sort_keys=True),
        }
        for pk, verdict in verdicts.items()
        for code in legal.names
        if code in verdict.issue_counts or code in verdict.issues
    ]
