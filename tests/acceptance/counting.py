"""Holds votes, agreement, quality and the release against what people wrote down themselves."""

from collections import Counter
from statistics import mean
from typing import Any

import krippendorff
import numpy as np

from annotation.models import Batch
from annotation.services.jobs import run_job
from crowd.models import Estimate, Flag, Reliability
from crowd.queries.people import people_figures
from crowd.services.estimates import start_estimate
from releases.algorithms.pseudonyms import pseudonym
from tests.acceptance.findings import nominal_alpha, read_csv, read_jsonl
from tests.acceptance.ground import DAILY_CAP, SLUG, Month, command
from tests.acceptance.people import GOOD, LABELS, share
from tests.acceptance.reliability import skills
from tests.acceptance.shifts import THRESHOLD, Worker, run_sql

# With fewer votes, luck may make anybody look good.
ENOUGH = 25

# What counts, in plain SQL: the newest version of a vote whose place was not taken back.
COUNTED = """
    SELECT post.external_id, vote.label, count(*)
    FROM annotation_vote AS vote
    JOIN annotation_place AS place ON place.id = vote.place_id AND place.vacated_at IS NULL
    JOIN annotation_task AS task ON task.id = vote.task_id
    JOIN annotation_post AS post ON post.id = task.post_id
    WHERE task.batch_id = %s AND vote.version = (
        SELECT max(version) FROM annotation_vote AS newest
        WHERE newest.task_id = vote.task_id AND newest.member_id = vote.member_id)
    GROUP BY post.external_id, vote.label
"""
TWICE = """
    SELECT count(*) FROM (
        SELECT task.post_id, vote.member_id FROM annotation_vote AS vote
        JOIN annotation_task AS task ON task.id = vote.task_id
        JOIN annotation_batch AS batch ON batch.id = task.batch_id
        WHERE batch.study_id = %s AND vote.version = 1 AND task.stage IN ('crowd', 'check')
        GROUP BY task.post_id, vote.member_id HAVING count(*) > 1
    ) AS twice
"""
FIRST_VOTES = """
    SELECT count(*) FROM annotation_vote AS vote
    JOIN annotation_task AS task ON task.id = vote.task_id
    JOIN annotation_batch AS batch ON batch.id = task.batch_id
    WHERE batch.study_id = %s AND vote.version = 1 AND task.stage IN ('crowd', 'check')
"""
IN_BATCH = """
    SELECT post.external_id FROM annotation_task AS task
    JOIN annotation_post AS post ON post.id = task.post_id WHERE task.batch_id = %s
"""


def posts_of(batch: Batch) -> list[str]:
    """Return the posts of a batch."""
    return [str(row[0]) for row in run_sql(IN_BATCH, [batch.pk])]


def stored_counts(batch: Batch) -> dict[str, list[int]]:
    """Return the counted votes of each post of a batch, by plain SQL."""
    counts = {post: [0] * len(LABELS) for post in posts_of(batch)}
    rows: list[Any] = run_sql(COUNTED, [batch.pk])
    for post, label, number in rows:
        counts[post][LABELS.index(label)] = number
    return counts


def own_counts(month: Month, batch: Batch) -> dict[str, list[int]]:
    """Return the same by what people wrote down."""
    own = month.log.counts()
    return {post: own.get(post, [0] * len(LABELS)) for post in posts_of(batch)}


def compare_votes(month: Month, batch: Batch, title: str) -> None:
    """Hold a batch's counted votes against people's own."""
    month.findings.check_each(
        f"{title}: posts with the counts that people noted",
        stored_counts(batch),
        own_counts(month, batch),
    )


def compare_overlap(month: Month, batch: Batch, title: str, wanted: int = 3) -> None:
    """Each post of a batch must have exactly as many counted votes as wanted."""
    found = Counter(sum(counts) for counts in stored_counts(batch).values())
    expected = {wanted: len(posts_of(batch))}
    month.findings.check(f"{title}: posts by counted votes", dict(found), expected)
    compare_votes(month, batch, title)


def compare_ties(month: Month, batch: Batch, title: str, wanted: int = 3, more: int = 2) -> None:
    """Where no label has a majority there are further votes, one by one, and nowhere else."""
    compare_votes(month, batch, title)
    said: dict[str, list[str]] = {post: [] for post in posts_of(batch)}
    gone = month.log.taken_out
    touched = {one.post for one in month.log.said if one.person in gone and one.counted}
    for one in month.log.standing():
        if one.post in said:
            said[one.post].append(one.label)
    is_right = [
        wanted <= len(labels) <= wanted + more
        and (has_majority(labels) or len(labels) == wanted + more)
        and (post in touched or not any(map(has_majority, shorter(labels, wanted))))
        for post, labels in said.items()
    ]
    month.findings.check(
        f"{title}: posts with as many votes as the tie rule wants", sum(is_right), len(said)
    )
    sizes = Counter(map(len, said.values()))
    month.findings.note("posts by counted votes", dict(sorted(sizes.items())))


def has_majority(labels: list[str]) -> bool:
    """Say whether one label has more than half of the votes."""
    return max(Counter(labels).values(), default=0) * 2 > len(labels)


def shorter(labels: list[str], wanted: int) -> list[list[str]]:
    """Return the votes as they stood before each further one."""
    return [labels[:number] for number in range(wanted, len(labels))]


def compare_people(month: Month, team: list[Worker]) -> None:
    """Hold what the researcher's page says of each person against their own count."""
    log, findings = month.log, month.findings
    names = {worker.member.pk: worker.name for worker in team}
    rows = {names[row.member.pk]: row for row in people_figures(month.study)}
    first = [one for one in log.said if not one.is_correction]
    findings.check("answers stored", run_sql(FIRST_VOTES, [month.study.pk])[0][0], len(first))
    findings.check("posts with two votes of one person", run_sql(TWICE, [month.study.pk])[0][0], 0)
    found = {name: row.votes for name, row in rows.items()}
    own = Counter(one.person for one in first if not log.is_check(one.post))
    findings.check_each("people with the votes that they noted", found, own)
    gold = {name: (row.gold.right, row.gold.of) for name, row in rows.items()}
    answers = {name: log.gold_answers(name) for name in rows}
    expected = {name: (sum(mine), len(mine)) for name, mine in answers.items()}
    findings.check_each("people with the gold accuracy that they noted", gold, expected)
    findings.note("answers to gold among the work", sum(map(len, answers.values())))
    days = Counter((one.person, one.day) for one in first)
    over = sum(answers > DAILY_CAP for answers in days.values())
    findings.check("days on which somebody gave more answers than the cap", over, 0)
    reached = sum(answers == DAILY_CAP for answers in days.values())
    findings.note("days on which somebody reached it", reached)


def compare_flags(month: Month, team: list[Worker]) -> None:
    """Hold whom the rule on gold flagged against what it must have seen."""
    names = {worker.member.pk: worker.name for worker in team}
    flags = Flag.objects.filter(member__study=month.study).values_list("member", flat=True)
    expected = {person for person, seen in month.log.looks if seen < THRESHOLD}
    month.findings.check(
        "flagged by the rule on gold", sorted({names[one] for one in flags}), sorted(expected)
    )


def compare_alpha(month: Month) -> None:
    """Hold alpha over all rounds against two independent computations of it."""
    found = command("agreement", SLUG, "--stage", "crowd")
    counts = list(month.log.counts().values())
    month.findings.check("counted votes", found["votes"], sum(map(sum, counts)))
    reference = krippendorff.alpha(
        value_counts=np.array([unit for unit in counts if sum(unit) > 1]),
        level_of_measurement="nominal",
    )
    month.findings.check(
        "alpha, by the krippendorff package", round(found["alpha"], 9), round(float(reference), 9)
    )
    month.findings.check(
        "alpha, by the textbook", round(found["alpha"], 9), round(nominal_alpha(counts), 9)
    )


def estimate(month: Month, team: list[Worker], title: str) -> dict[str, float]:
    """Estimate people's reliability after Dawid and Skene; hold it against one of our own."""
    findings = month.findings
    job = start_estimate(by=month.by, study=month.study)
    run_job(job_id=job.pk)
    newest = Estimate.objects.filter(study=month.study).order_by("pk").last()
    names = {worker.member.pk: worker.name for worker in team}
    rows = Reliability.objects.filter(estimate=newest).values_list("member", "skill")
    skill = {names[member]: value for member, value in rows}
    standing = Counter(one.person for one in month.log.standing())
    findings.check(f"{title}: people in the estimate", len(skill), len(standing))
    own_skill = skills(month.log.standing())
    findings.check_each(
        f"{title}: people as reliable as an own estimate says",
        {name: round(value, 4) for name, value in skill.items()},
        {name: round(value, 4) for name, value in own_skill.items()},
    )
    good, rest = divided(team, {name: skill[name] for name in skill if standing[name] >= ENOUGH})
    is_above = not rest or mean(good) > mean(rest)
    findings.check(f"{title}: the good are above the others, on average", is_above, True)
    findings.note("the good, from the worst", [round(one, 2) for one in sorted(good)])
    findings.note("the others, from the worst", [round(one, 2) for one in sorted(rest)])
    own = {name: share(month.log.is_right(name)) or 0.0 for name in skill}
    distance = mean(abs(skill[name] - own[name]) for name in skill)
    findings.note("mean distance to the share of right answers", round(distance, 3))
    return skill


def divided(team: list[Worker], skill: dict[str, float]) -> tuple[list[float], list[float]]:
    """Return the skill of the good, and of the others."""
    good = [skill[one.name] for one in team if one.name in skill and one.person.kind == GOOD]
    rest = [skill[one.name] for one in team if one.name in skill and one.person.kind != GOOD]
    return good, rest


def compare_release(month: Month, team: list[Worker]) -> None:
    """Make a release and count its rows: neither gold nor checks nor anybody who withdrew."""
    log, findings, out = month.log, month.findings, month.folder / "month-release"
    command(
        "make_release", SLUG, "--out", str(out), "--texts", "original",
        "--versions", "all", "--insists", "These tweets are public.",
    )  # fmt: skip
    posts = {row["post_id"]: row for row in read_jsonl(out / "jsonl" / "posts.jsonl")}
    wanted = [post for post in log.truth if not log.is_check(post)]
    findings.check("rows of posts", len(posts), len(wanted))
    findings.check("of them attention posts", len(posts.keys() & log.attention.keys()), 0)
    findings.check("of them gold posts", len(posts.keys() & log.gold_said.keys()), 0)
    own = log.counts()
    found = {
        post: [row[f"crowd_{label}"] for label in LABELS]
        for post, row in posts.items()
        if row["crowd_votes"]
    }
    findings.check("posts with votes", len(found), len(own))
    findings.check_each("of them with the counts that people noted", found, own)
    said = {post: (posts[post]["crowd_label"], posts[post]["crowd_tie"]) for post in own}
    expected = {post: winner(counts) for post, counts in own.items()}
    findings.check_each("of them with the majority label, or a tie stated as one", said, expected)
    compare_vote_rows(month, team, read_csv(out / "csv" / "votes.csv"))


def winner(counts: list[int]) -> tuple[str | None, bool]:
    """Return the label with most votes and no tie, or no label and a tie."""
    first = [label for label, number in zip(LABELS, counts, strict=True) if number == max(counts)]
    return (first[0], False) if len(first) == 1 else (None, True)


def compare_vote_rows(month: Month, team: list[Worker], rows: list[dict[str, str]]) -> None:
    """Hold the rows of votes against people's own answers."""
    log, findings = month.log, month.findings
    released = [
        one for one in log.said if not log.is_check(one.post) and one.person not in log.withdrawn
    ]
    findings.check("rows of votes: votes and corrections", len(rows), len(released))
    findings.check(
        "of them on gold or checks", sum(log.is_check(row["post_id"]) for row in rows), 0
    )
    key = bytes(month.study.release_key.key)
    names = {pseudonym(worker.member.pk, key): worker.name for worker in team}
    found = Counter((names[row["annotator"]], row["post_id"], row["label"]) for row in rows)
    own = Counter((one.person, one.post, one.label) for one in released)
    findings.check_each("of them as people noted", found, own)
    counted = sum(row["counted"] == "true" and row["is_current"] == "true" for row in rows)
    findings.check("rows that count", counted, len(log.standing()))
