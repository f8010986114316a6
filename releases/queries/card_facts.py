"""What a study knows about itself, for its data card: as it stands now, or as a release has it."""

from collections import Counter
from collections.abc import Mapping
from decimal import Decimal
from statistics import median
from typing import Any

from annotation.aggregation import majority
from annotation.models import Batch, Member, StageCode, Study
from annotation.queries.counts import Rounds, RoundsDiffer, pattern_counts
from crowd.queries.consent import newest_consent_text
from crowd.queries.earnings import people_pay
from filtering.models import FilterRun
from legal.models import Catalogue
from legal.queries.ceiling import human_ceiling
from legal.queries.summary import legal_summary
from releases.algorithms.card_facts import CardFacts, CeilingFacts, Guide, Pay, Run
from releases.choices import ReleaseChoices, Stage
from releases.queries.figures import figures_of, guide_versions, protocol_of
from releases.queries.posts import VERDICTS, released_posts
from releases.queries.sources import Sources, sources_of
from releases.queries.workers import background

Figures = Mapping[str, Any]
CENT = Decimal("0.01")


def facts_now(study: Study) -> CardFacts:
    """Return what is true at this moment, of a release of everything by the usual choices."""
    try:
        sources = sources_of(study, ReleaseChoices())
    except RoundsDiffer:  # a release shows one of them; the newest stands for it here
        newest = Batch.objects.filter(study=study, stage=StageCode.CROWD).latest("number")
        sources = sources_of(study, ReleaseChoices(crowd_round=newest.number))
    figures = figures_of(sources)
    crowd, legal = crowd_counts(sources.rounds), legal_summary(study)
    counts = figures["counts"] | {
        "released": released_posts(study).count(),
        "with_crowd_votes": sum(crowd.values()),
        "crowd_ties": crowd.pop(None),
        "with_legal_votes": figures["agreement"][Stage.LEGAL]["posts"] or 0,
        "verdicts": legal.posts,
        "verdict_ties": legal.ties,
        "verdicts_decided": legal.decided,
    }
    verdicts = {VERDICTS[label]: posts for label, posts in legal.labels.items()}
    return facts_of(sources, figures | {"counts": counts}, crowd=crowd, verdicts=verdicts)


def facts_of_release(sources: Sources, statistics: Figures) -> CardFacts:
    """Return what is true of a release with these statistics."""
    table = {line["key"]: line["count"] for line in statistics["table_1"]}
    return facts_of(
        sources,
        statistics,
        crowd=leading_labels(statistics["distributions"]),
        verdicts={code: table[code] for code in VERDICTS.values()},
    )


def leading_labels(distributions: list[Figures]) -> dict[str, int]:
    """Return on how many of all posts each label of the crowd leads."""
    return {
        line["label"]: line["count"]
        for found in distributions
        if (found["of"], found["side"]) == ("crowd_labels", "all")
        for line in found["lines"]
        if line["kind"] == "label"
    }


def crowd_counts(rounds: Rounds) -> Counter[str | None]:
    """Return on how many posts with votes each label leads; None stands for a tie."""
    found: Counter[str | None] = Counter(dict.fromkeys((*rounds.labels, None), 0))
    for counts, posts in pattern_counts(rounds).items():
        if any(counts):
            found[majority(dict(zip(rounds.labels, counts, strict=True))).label] += posts
    return found


def facts_of(
    sources: Sources, figures: Figures, *, crowd: Mapping[Any, int], verdicts: Mapping[str, int]
) -> CardFacts:
    """Return figures together with how a study was set up."""
    study, choices = sources.study, sources.choices
    consent = newest_consent_text(study)
    guides = guide_versions(sources)
    return CardFacts(
        description=study.description,
        protocol=protocol_of(study),
        stages=choices.stages,
        texts=choices.texts,
        counts=figures["counts"],
        verdicts=verdicts,
        crowd_labels=crowd,
        agreement=figures["agreement"],
        open_tasks=figures["open_tasks"],
        sources=sources_of_votes(study),
        crowd_round=choices.crowd_round,
        instructions=guides[Stage.CROWD],
        guide=guide_of(study, guides[Stage.LEGAL]),
        run=run_of(sources.run),
        pay=pay_of(study),
        consent=consent.version if consent else None,
        background=background(study) if Stage.CROWD in choices.stages else (),
        ceiling=ceiling_of(study),
    )


def sources_of_votes(study: Study) -> dict[str, list[str]]:
    """Return by stage where its votes were made."""
    found: dict[str, list[str]] = {}
    batches = Batch.objects.filter(study=study).order_by("stage", "origin").distinct()
    for stage, origin in batches.values_list("stage", "origin"):
        found.setdefault(stage, []).append(origin)
    return found


def guide_of(study: Study, versions: list[int]) -> Guide | None:
    """Return the catalogue as it reads now, with the versions by which experts judged."""
    newest = Catalogue.objects.filter(study=study).first()
    if newest is None:
        return None
    return Guide(
        title=newest.title,
        jurisdiction=newest.jurisdiction,
        versions=versions,
        issues=newest.issues.count(),
    )


def run_of(run: FilterRun | None) -> Run | None:
    """Return a filter run as the card tells of it."""
    if run is None:
        return None
    return Run(
        number=run.number,
        method=run.method,
        encoder=run.encoder,
        revision=run.encoder_revision,
        pooling=run.get_pooling_display(),
        k=run.k,
        trials=run.trial_count,
        at_least=run.at_least,
        seed=run.seed,
        posts=run.post_count or 0,
        kept=run.kept_count or 0,
    )


def pay_of(study: Study) -> Pay | None:
    """Return what the crowd earned, in the study's currency; None where nobody earned anything."""
    protocol = study.protocol
    people = people_pay(Member.objects.filter(study=study), protocol.currency)
    hourly = [one.hourly for one in people if one.hourly is not None]
    return (
        Pay(
            reward=protocol.reward,
            currency=protocol.currency,
            people=len(hourly),
            hourly=median(hourly).quantize(CENT) if hourly else None,
        )
        if people
        else None
    )


def ceiling_of(study: Study) -> CeilingFacts | None:
    """Return how well experts do; None where none has voted on a post with a verdict."""
    found = human_ceiling(study)
    return (
        CeilingFacts(
            experts=len(found.experts),
            counted=found.counted,
            least=found.least,
            ma_f1=found.others.ma_f1.mean,
        )
        if found.experts
        else None
    )
