"""The figures of a release that do not come from its rows: posts, tasks, versions, agreement."""

import tomllib
from typing import Any

from django.conf import settings
from django.db.models import Exists, OuterRef
from django.forms.models import model_to_dict

from annotation.models import Post, StageCode, Study, Task, Vote
from annotation.queries.agreement import stage_agreement
from annotation.queries.studies import post_totals
from filtering.models import FilterRun
from legal.queries.catalogues import issue_names
from releases.choices import Stage
from releases.queries.guides import versions_read
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
    study, estimate = sources.study, sources.estimate
    guides = guide_versions(sources)
    return {
        "study": {"slug": study.slug, "title": study.title},
        "software": {"name": "Juryroom", "version": software_version()},
        "choices": sources.choices.as_json(),
        "protocol": protocol_of(study),
        "crowd_labels": list(sources.rounds.labels),
        "metadata": list(sources.layout.metadata),
        "filter_run": filter_run_of(sources.run),
        "estimate": estimate.created_at.isoformat(timespec="seconds") if estimate else None,
        "instructions": guides[Stage.CROWD],
        "catalogue": guides[Stage.LEGAL],
        "background": background(study) if Stage.CROWD in sources.choices.stages else [],
    }


def filter_run_of(run: FilterRun | None) -> dict[str, Any] | None:
    """Return the run that says which posts passed, with all that it takes to repeat it."""
    if run is None:
        return None
    return {
        "number": run.number,
        "method": run.method,
        "k": run.k,
        "trials": run.trial_count,
        "at_least": run.at_least,
        "seed": run.seed,
        "encoder": run.encoder,
        "encoder_revision": run.encoder_revision,
        "pooling": run.pooling,
        "settings": run.settings,
        "posts": run.post_count,
        "kept": run.kept_count,
    }


def guide_versions(sources: Sources) -> dict[str, list[int]]:
    """Return by stage the versions of instructions or catalogue by which released votes were made.

    Votes of imported rounds name none.
    """
    return {stage: sorted(versions) for stage, versions in versions_read(sources).items()}


def software_version() -> str:
    """Return the version of Juryroom."""
    project = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text(encoding="utf-8"))
    return str(project["project"]["version"])


def protocol_of(study: Study) -> dict[str, Any]:
    """Return a study's settings; whom annotators write to is nobody else's business."""
    chosen = model_to_dict(study.protocol, exclude=["id", "study", "contact"])
    return chosen | {"reward": str(chosen["reward"])}
