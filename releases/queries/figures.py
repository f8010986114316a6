"""The figures of a release that do not come from its rows: posts, tasks, versions, agreement."""

from typing import Any

from django.db.models import Exists, Max, OuterRef
from django.forms.models import model_to_dict

from annotation.models import Post, StageCode, Study, Task, Vote
from annotation.queries.agreement import stage_agreement
from annotation.queries.studies import post_totals
from crowd.models import Instructions
from legal.models import Catalogue
from legal.queries.catalogues import issue_names
from releases.queries.dataset import Sources
from releases.queries.releases import open_tasks


def unanswered_posts(study: Study) -> int:
    """Return how many kept posts were given to the experts and have no vote of theirs."""
    tasks = Task.objects.filter(post=OuterRef("pk"), stage=StageCode.LEGAL)
    votes = Vote.objects.filter(
        task__post=OuterRef("pk"), task__stage=StageCode.LEGAL, counted=True
    )
    kept = Post.objects.filter(study=study, dropped_reason="")
    return kept.filter(Exists(tasks), ~Exists(votes)).count()


def figures_of(sources: Sources, *, crowd_round: int | None) -> dict[str, Any]:
    """Return what a release states beside what its rows add up to."""
    study = sources.study
    totals = post_totals(study)
    return {
        "counts": {
            "imported": totals["imported"],
            "kept": totals["kept"],
            "unanswered": unanswered_posts(study),
        },
        "agreement": {
            "crowd": stage_agreement(study, StageCode.CROWD, crowd_round).figures(),
            "legal": stage_agreement(study, StageCode.LEGAL).figures(),
        },
        "issue_names": issue_names(study),
        "open_tasks": open_tasks(study),
    }


def provenance_of(sources: Sources, *, crowd_round: int | None) -> dict[str, Any]:
    """Return how a release came about: settings and versions, nothing about people."""
    study, run = sources.study, sources.run
    newest = {"newest": Max("version")}
    return {
        "study": {"slug": study.slug, "title": study.title},
        "texts": sources.texts,
        "protocol": protocol_of(study),
        "crowd_labels": list(sources.rounds.labels),
        "crowd_round": crowd_round,
        "filter_run": run.number if run else None,
        "instructions": Instructions.objects.filter(study=study).aggregate(**newest)["newest"],
        "catalogue": Catalogue.objects.filter(study=study).aggregate(**newest)["newest"],
    }


def protocol_of(study: Study) -> dict[str, Any]:
    """Return a study's settings; whom annotators write to is nobody else's business."""
    settings = model_to_dict(study.protocol, exclude=["id", "study", "contact"])
    return settings | {"reward": str(settings["reward"])}
