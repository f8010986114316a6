"""The figures of a release that do not come from its rows: posts, tasks, versions, agreement."""

import tomllib
from typing import Any

from django.conf import settings
from django.db.models import Exists, Max, OuterRef
from django.forms.models import model_to_dict

from annotation.models import Post, StageCode, Study, Task, Vote
from annotation.queries.agreement import stage_agreement
from annotation.queries.studies import post_totals
from crowd.models import Instructions
from legal.models import Catalogue
from legal.queries.catalogues import issue_names
from releases.choices import Stage
from releases.queries.releases import open_tasks
from releases.queries.sources import Sources
from releases.queries.workers import background


def unanswered_posts(study: Study) -> int:
    """Return how many kept posts were given to the experts and have no vote of theirs."""
    tasks = Task.objects.filter(post=OuterRef("pk"), stage=StageCode.LEGAL)
    votes = Vote.objects.filter(
        task__post=OuterRef("pk"), task__stage=StageCode.LEGAL, counted=True
    )
    kept = Post.objects.filter(study=study, dropped_reason="")
    return kept.filter(Exists(tasks), ~Exists(votes)).count()


def figures_of(sources: Sources) -> dict[str, Any]:
    """Return what a release states beside what its rows add up to."""
    study, choices = sources.study, sources.choices
    totals = post_totals(study)
    rounds = {Stage.CROWD: choices.crowd_round, Stage.LEGAL: None}
    return {
        "counts": {
            "imported": totals["imported"],
            "kept": totals["kept"],
            "unanswered": unanswered_posts(study),
        },
        "agreement": {
            stage: stage_agreement(study, StageCode(stage), rounds[Stage(stage)]).figures()
            for stage in choices.stages
        },
        "issue_names": issue_names(study),
        "open_tasks": open_tasks(study),
    }


def provenance_of(sources: Sources) -> dict[str, Any]:
    """Return how a release came about: choices, settings and versions, and nobody's name."""
    study, run, estimate = sources.study, sources.run, sources.estimate
    newest = {"newest": Max("version")}
    return {
        "study": {"slug": study.slug, "title": study.title},
        "software": {"name": "Juryroom", "version": software_version()},
        "choices": sources.choices.as_json(),
        "protocol": protocol_of(study),
        "crowd_labels": list(sources.rounds.labels),
        "metadata": list(sources.layout.metadata),
        "filter_run": run.number if run else None,
        "estimate": estimate.created_at.isoformat(timespec="seconds") if estimate else None,
        "instructions": Instructions.objects.filter(study=study).aggregate(**newest)["newest"],
        "catalogue": Catalogue.objects.filter(study=study).aggregate(**newest)["newest"],
        "background": background(study) if Stage.CROWD in sources.choices.stages else [],
    }


def software_version() -> str:
    """Return the version of Juryroom."""
    project = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text(encoding="utf-8"))
    return str(project["project"]["version"])


def protocol_of(study: Study) -> dict[str, Any]:
    """Return a study's settings; whom annotators write to is nobody else's business."""
    chosen = model_to_dict(study.protocol, exclude=["id", "study", "contact"])
    return chosen | {"reward": str(chosen["reward"])}
