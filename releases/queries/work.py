"""The figures of a study that are about its work: time, pay, agreement over weeks, confusion."""

from typing import Any

from annotation.models import StageCode, Study
from annotation.queries.breakdowns import week_parts
from annotation.queries.counts import Rounds, rounds_of
from annotation.queries.pairs import confusion
from annotation.queries.parts import Part
from annotation.queries.times import Spent, time_spent, votes_by_week
from crowd.queries.spending import Spending, pay_by_week, spending
from releases.queries.releases import STAGES


def work_of(study: Study, *, crowd_round: int | None) -> dict[str, Any]:
    """Return the figures of a study's work, as they are stored. Raises RoundsDiffer."""
    rounds = {
        StageCode.CROWD: rounds_of(study, StageCode.CROWD, crowd_round),
        StageCode.LEGAL: rounds_of(study, StageCode.LEGAL),
    }
    return {
        "time": {str(stage): [spent(one) for one in time_spent(rounds[stage])] for stage in STAGES},
        "votes_by_week": weekly_votes(rounds),
        "agreement_by_week": {
            str(stage): [week(part) for part in week_parts(study, rounds[stage])]
            for stage in STAGES
        },
        "confusion": {
            str(stage): {"labels": list(found.labels), "cells": confusion(found)}
            for stage, found in rounds.items()
        },
        "pay": [paid(one) for one in spending(study)],
        "pay_by_week": [
            {"week": f"{one.begins:%G-W%V}", "currency": one.currency, "amount": str(one.amount)}
            for one in pay_by_week(study)
        ],
    }


def spent(found: Spent) -> dict[str, Any]:
    """Return the time for a label; for all votes the label is null."""
    return {
        "label": found.label,
        "votes": found.votes,
        "hours": found.hours,
        "quartiles": list(found.quartiles) if found.quartiles else None,
    }


def week(part: Part) -> dict[str, Any]:
    """Return the agreement of a week."""
    return {"week": part.code, "paired_posts": part.agreement.paired_posts} | {
        name: value for name, value in part.agreement.figures().items() if name != "people"
    }


def weekly_votes(rounds: dict[StageCode, Rounds]) -> list[dict[str, Any]]:
    """Return the votes of each week in which there were any, by stage."""
    by_stage = {str(stage): votes_by_week(found) for stage, found in rounds.items()}
    weeks = sorted({week for found in by_stage.values() for week in found})
    return [
        {"week": week} | {stage: found.get(week, 0) for stage, found in by_stage.items()}
        for week in weeks
    ]


def paid(found: Spending) -> dict[str, Any]:
    """Return what was earned in one currency; amounts are exact, as text."""
    earnings = found.earnings
    return {
        "currency": found.currency,
        "entered": str(earnings.entered),
        "paid": str(earnings.paid),
        "waiting": str(earnings.waiting + earnings.under_way),
        "votes": found.votes,
        "posts": found.posts,
        "per_vote": f"{found.per_vote:.4f}" if found.per_vote else None,
        "per_post": f"{found.per_post:.4f}" if found.per_post else None,
        "hours": earnings.seconds / 3600,
        "hourly": None if earnings.hourly is None else str(earnings.hourly),
    }
