"""What the legal stage found so far: the figures of the stage's page, over complete posts only.

Every figure follows the rules of `legal.queries.verdicts`, decisions before majorities; here the
database adds up, so that the page holds no post in memory.
"""

from collections import Counter
from dataclasses import dataclass

from django.db import connection

from annotation.aggregation import majority
from annotation.models import StageCode, Study
from annotation.queries.counts import PER_POST, Rounds, rounds_of
from legal.models import LABELS, Misinformation
from legal.queries.catalogues import issue_names
from legal.queries.completeness import COMPLETE, COMPLETE_VOTES

PATTERNS = f"""
    SELECT counts, count(*) FROM ({PER_POST}) AS posts WHERE {COMPLETE.format(post="posts.post_id")}
        AND NOT EXISTS (SELECT FROM legal_decision AS one WHERE one.post_id = posts.post_id)
    GROUP BY counts
"""  # noqa: S608 -- constants

DECIDED = """
    SELECT DISTINCT ON (post_id) post_id, label, issues FROM legal_decision
    ORDER BY post_id, version DESC
"""

LABELS_DECIDED = f"""
    SELECT decided.label, count(*) FROM ({PER_POST}) AS posts JOIN ({DECIDED}) AS decided
        USING (post_id) WHERE {COMPLETE.format(post="posts.post_id")} GROUP BY decided.label
"""  # noqa: S608 -- constants

SAID = f"""
    WITH votes AS MATERIALIZED ({COMPLETE_VOTES}),
    said AS (
        SELECT post_id, count(*) AS voters,
            count(*) FILTER (WHERE no_claim) AS no_claim,
            count(*) FILTER (WHERE defence) AS defence,
            bool_or(EXISTS (SELECT FROM legal_evidence WHERE answer_id = votes.answer_id)) AS proven
        FROM votes GROUP BY post_id)
"""  # noqa: S608 -- constants

SPECIALS = f"""{SAID}
    SELECT count(*) FILTER (WHERE 2 * no_claim > voters), count(*) FILTER (WHERE no_claim > 0),
        count(*) FILTER (WHERE 2 * defence > voters), count(*) FILTER (WHERE defence > 0),
        count(*) FILTER (WHERE proven)
    FROM said
"""  # noqa: S608 -- constants

ISSUES = f"""
    WITH votes AS MATERIALIZED ({COMPLETE_VOTES}),
    voters AS (SELECT post_id, count(*) AS voters FROM votes GROUP BY post_id),
    raised AS (
        SELECT votes.post_id, issue.code, count(*) AS times
        FROM votes JOIN legal_issueanswer AS raised
                ON raised.answer_id = votes.answer_id AND raised.is_raised
            JOIN legal_issue AS issue ON issue.id = raised.issue_id
        GROUP BY votes.post_id, issue.code),
    said AS (
        SELECT post_id, code, times, 2 * times > voters AS by_majority
        FROM raised JOIN voters USING (post_id)),
    decided AS (SELECT decided.* FROM ({DECIDED}) AS decided JOIN voters USING (post_id)),
    settled AS (
        SELECT post_id, code FROM decided, unnest(issues) AS code
        UNION ALL
        SELECT post_id, code FROM said
        WHERE by_majority AND NOT EXISTS (
            SELECT FROM decided WHERE decided.post_id = said.post_id)),
    totals AS (
        SELECT code, 1 AS settled, 0 AS anybody FROM settled
        UNION ALL SELECT code, 0, 1 FROM said)
    SELECT code, sum(settled), sum(anybody) FROM totals GROUP BY code
"""  # noqa: S608 -- constants


@dataclass(frozen=True)
class IssueCount:
    """On how many posts an issue was raised: by the majority, and by anybody."""

    code: str
    name: str
    posts: int
    any_posts: int


@dataclass(frozen=True)
class LegalSummary:
    """Figures over complete posts; the `any_` ones count what a single expert said."""

    posts: int
    labels: dict[str, int]
    ties: int
    decided: int
    no_claim: int
    any_no_claim: int
    defence: int
    any_defence: int
    with_evidence: int
    issues: tuple[IssueCount, ...]


def legal_summary(study: Study) -> LegalSummary:
    """Return what the legal stage found so far. Six queries."""
    rounds = rounds_of(study, StageCode.LEGAL)
    labels, ties, decided = label_counts(rounds)
    with connection.cursor() as cursor:
        cursor.execute(SPECIALS, rounds.parameters)
        no_claim, any_no_claim, defence, any_defence, with_evidence = cursor.fetchone()
    return LegalSummary(
        posts=sum(labels.values()),
        labels=labels,
        ties=ties,
        decided=decided,
        no_claim=no_claim,
        any_no_claim=any_no_claim,
        defence=defence,
        any_defence=any_defence,
        with_evidence=with_evidence,
        issues=issue_counts(study, rounds),
    )


def label_counts(rounds: Rounds) -> tuple[dict[str, int], int, int]:
    """Return posts by verdict's label, how many are ties, and how many an adjudicator decided."""
    found: Counter[str] = Counter()
    ties = 0
    with connection.cursor() as cursor:
        cursor.execute(PATTERNS, rounds.parameters)
        for counts, posts in cursor.fetchall():
            winner = majority(dict(zip(rounds.labels, counts, strict=True)))
            found[winner.label or Misinformation.UNCLEAR] += posts
            ties += posts * winner.tie
        cursor.execute(LABELS_DECIDED, rounds.parameters)
        decided = dict(cursor.fetchall())
    found.update(decided)
    return {label: found[label] for label in reversed(LABELS)}, ties, sum(decided.values())


def issue_counts(study: Study, rounds: Rounds) -> tuple[IssueCount, ...]:
    """Return the issues that anybody raised, the most frequent first."""
    names = issue_names(study)
    with connection.cursor() as cursor:
        cursor.execute(ISSUES, rounds.parameters)
        found = [
            IssueCount(code=code, name=names[code], posts=posts, any_posts=any_posts)
            for code, posts, any_posts in cursor.fetchall()
        ]
    order = list(names)
    return tuple(sorted(found, key=lambda one: (-one.posts, -one.any_posts, order.index(one.code))))
