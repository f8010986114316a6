"""How far experts agree: on the label, on MisLC or not, on each issue, over time, and two by two.

Every figure rests on the posts with two votes or more, whether or not they still want votes; the
posts behind a figure can be listed (`entered`).
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from annotation.access import Access, Permission
from annotation.models import Batch, StageCode, Study
from annotation.models.votes import COUNTING
from annotation.queries.agreement import StageAgreement, agreement_on
from annotation.queries.counts import (
    PER_POST,
    Counts,
    Rounds,
    pattern_counts,
    people_in,
    rounds_of,
)
from annotation.queries.parts import Part, Parted, PostsOfPart, parted, parts_of
from annotation.queries.unvoted import unvoted_posts
from legal.models import Misinformation
from legal.queries.catalogues import issue_names

# Labels 0 and 1 made one: how many votes are for MisLC, and how many are not.
MISLC = f"""
    SELECT '' AS part, post_id,
        ARRAY[(SELECT sum(votes) FROM unnest(counts) AS votes)::int - counts[%(mislc)s],
              counts[%(mislc)s]] AS counts
    FROM ({PER_POST}) AS posts
"""  # noqa: S608 -- constants

# Whoever voted on the post under a catalogue that has the issue did or did not raise it. Votes are
# counted before the issues come in: there are eleven of these for each post.
ISSUE = f"""
    WITH votes AS MATERIALIZED (
        SELECT vote.id, task.post_id, round.catalogue_id
        FROM annotation_vote AS vote
            JOIN annotation_task AS task ON task.id = vote.task_id
            JOIN legal_legalround AS round ON round.batch_id = task.batch_id
        WHERE task.batch_id = ANY(%(batches)s) AND {COUNTING}),
    voters AS (
        SELECT post_id, catalogue_id, count(*) AS votes FROM votes GROUP BY post_id, catalogue_id),
    raised AS (
        SELECT votes.post_id, said.issue_id, count(*) AS votes
        FROM votes JOIN legal_legalanswer AS answer ON answer.vote_id = votes.id
            JOIN legal_issueanswer AS said ON said.answer_id = answer.id AND said.is_raised
        GROUP BY votes.post_id, said.issue_id)
    SELECT issue.code AS part, voters.post_id, ARRAY[
        (sum(voters.votes) - coalesce(sum(raised.votes), 0))::int,
        coalesce(sum(raised.votes), 0)::int] AS counts
    FROM voters JOIN legal_issue AS issue ON issue.catalogue_id = voters.catalogue_id
        LEFT JOIN raised ON raised.post_id = voters.post_id AND raised.issue_id = issue.id
    GROUP BY issue.code, voters.post_id
"""  # noqa: S608 -- constants


def of_mislc(rounds: Rounds) -> Parted:
    """Return the posts with their votes for MisLC and against it."""
    place = rounds.labels.index(Misinformation.YES) + 1 if rounds.labels else 1
    return Parted(MISLC, {**rounds.parameters, "mislc": place}, ("not_mislc", "mislc"))


def of_issues(rounds: Rounds) -> Parted:
    """Return the posts with how many of those who voted did and did not raise each issue."""
    return Parted(ISSUE, rounds.parameters, ("not_raised", "raised"))


SUMS: dict[str, Callable[[Rounds], Parted]] = {
    "label": lambda rounds: parted(rounds, "label"),
    "mislc": of_mislc,
    "issue": of_issues,
    "week": lambda rounds: parted(rounds, "week"),
    "batch": lambda rounds: parted(rounds, "batch"),
}
"""What an agreement may be about, by the name that addresses, commands and files use."""


@dataclass(frozen=True)
class LegalAgreement:
    """Alpha on the three labels, and with labels 0 and 1 made one."""

    label: StageAgreement
    mislc: StageAgreement


def legal_agreement(rounds: Rounds) -> LegalAgreement:
    """Return how far the experts agree on the label; the votes are counted once."""
    patterns = pattern_counts(rounds)
    merged: Counter[Counts] = Counter()
    for counts, posts in patterns.items():
        mislc = counts[rounds.labels.index(Misinformation.YES)]
        merged[sum(counts) - mislc, mislc] += posts
    return LegalAgreement(
        label=agreement_on(patterns, rounds.labels, people=people_in(rounds)),
        mislc=agreement_on(merged, of_mislc(rounds).labels),
    )


def issue_parts(study: Study, rounds: Rounds) -> list[Part]:
    """Return the agreement on each issue of the catalogues that the rounds use."""
    parts = parts_of(of_issues(rounds), issues_of(study, rounds))
    return [in_words_of_issues(part) for part in parts]


def in_words_of_issues(part: Part) -> Part:
    """Return the agreement on an issue; where votes of pairs are all alike, it says so of them."""
    found = part.agreement
    if found.alpha is not None or not found.paired_posts:
        return part
    reason = _(
        "Nobody raised this issue, or everybody did each time, so there is no disagreement to "
        "expect and agreement beyond chance cannot be measured."
    )
    return replace(part, agreement=replace(found, reason=reason))


def issues_of(study: Study, rounds: Rounds) -> dict[str, str]:
    """Return the issues that votes of these rounds may raise, by code, with their names."""
    used = Batch.objects.filter(pk__in=rounds.batch_ids)
    codes = set(used.values_list("legal_round__catalogue__issues__code", flat=True))
    return {code: name for code, name in issue_names(study).items() if code in codes}


def entered(access: Access, of: str, part: str = "", number: int | None = None) -> PostsOfPart:
    """Return the posts that entered a sum. Raises KeyError where there is no such sum."""
    rounds = rounds_of(access.study, StageCode.LEGAL, number)
    return PostsOfPart(SUMS[of](rounds), part, hidden_posts(access, rounds))


def hidden_posts(access: Access, rounds: Rounds) -> frozenset[int]:
    """Return the posts on which somebody who looks may still have to vote."""
    if not access.may(Permission.WORK_LEGAL):
        return frozenset()
    return unvoted_posts(access.member, [StageCode.LEGAL], rounds.batch_ids)


def words_of(study: Study, of: str, part: str) -> str:
    """Return what a sum is about, as people read it."""
    titles: Mapping[str, str] = {
        "label": _("The label"),
        "mislc": _("MisLC or not"),
        "issue": _("Issue: %s") % issue_names(study).get(part, part),
        "week": _("Week %s") % part,
        "batch": _("Batch %s") % part,
    }
    return titles[of]
