"""Says what to mind about a dataset: limits and biases that follow from its figures."""

from collections.abc import Mapping

from releases.algorithms.card_facts import CardFacts
from releases.algorithms.card_words import (
    DOMINANT,
    FEW_VERDICTS,
    LOW_ALPHA,
    MANY_TIES,
    STAGES,
    has,
    listed,
    posts,
)
from releases.algorithms.markdown import inline

NONE_KNOWN = "No limit follows from the figures by itself."
VERDICTS = {"mislc": "MisLC", "unclear": "Unclear", "non_mislc": "Non-MisLC"}


def limits(facts: CardFacts) -> str:
    """Return the limits that follow from figures, as a list."""
    found = [
        *open_work(facts),
        *low_agreement(facts),
        *ties(facts),
        *few_verdicts(facts),
        *ceiling(facts),
        *missing(facts),
    ]
    return listed(found) or NONE_KNOWN


def open_work(facts: CardFacts) -> list[str]:
    """Tell posts that were still being voted on."""
    return [
        f"{posts(number)} of {STAGES[stage]} still wanted votes when this was written."
        for stage, number in facts.open_tasks.items()
        if number and has(facts, stage)
    ]


def low_agreement(facts: CardFacts) -> list[str]:
    """Tell where annotators agree too little, or where it cannot be said."""
    found = []
    for stage, figures in facts.agreement.items():
        alpha = figures["alpha"]
        if alpha is None:
            found.append(f"How far {STAGES[stage]} agree is not known: {inline(figures['reason'])}")
        elif alpha < LOW_ALPHA:
            found.append(
                f"Agreement of {STAGES[stage]} is low (alpha {alpha:.3f}): single labels are "
                "opinions; prefer the soft labels, or all votes."
            )
    return found


def ties(facts: CardFacts) -> list[str]:
    """Tell of posts on which no label leads."""
    pairs = {
        "crowd": (facts.counts["crowd_ties"], facts.counts["with_crowd_votes"], "have no label"),
        "legal": (facts.counts["verdict_ties"], facts.counts["verdicts"], "count as Unclear"),
    }
    return [
        f"On {posts(tied)} of {of:,} no answer of {STAGES[stage]} leads; these {become}."
        for stage, (tied, of, become) in pairs.items()
        if has(facts, stage) and of and tied / of >= MANY_TIES
    ]


def few_verdicts(facts: CardFacts) -> list[str]:
    """Tell that there are few verdicts, or posts that experts never answered."""
    if not has(facts, "legal"):
        return []
    verdicts, unanswered = facts.counts["verdicts"], facts.counts["unanswered"]
    return [
        *(
            [f"Only {posts(verdicts)} have a verdict; figures on them are uncertain."]
            if verdicts < FEW_VERDICTS
            else []
        ),
        *(
            [f"Without a vote of the experts that had them: {posts(unanswered)}."]
            if unanswered
            else []
        ),
    ]


def ceiling(facts: CardFacts) -> list[str]:
    """Tell how well a single expert does against the verdict."""
    found = facts.ceiling
    if found is None or not has(facts, "legal"):
        return []
    enough = f"more than {found.least} votes on posts that others judged, too"
    if found.ma_f1 is None:
        return [f"No human ceiling can be stated: it takes experts with {enough}."]
    told = (
        f"A single expert reaches a mean macro F1 of {100 * found.ma_f1:.1f} against the others on "
        f"the same posts ({found.counted} with {enough}); a model near that is not told apart from "
        "an expert here."
    )
    return [told]


def missing(facts: CardFacts) -> list[str]:
    """Tell what the release leaves out."""
    return [
        *(
            ["Without texts the posts must be fetched anew by their ids; some will be gone."]
            if facts.texts == "ids"
            else []
        ),
        *(
            ["Not all of the text that people wrote is there, as characters were dropped."]
            if facts.protocol["non_ascii"] == "drop" and facts.texts == "cleaned"
            else []
        ),
    ]


def biases(facts: CardFacts) -> str:
    """Return the biases that follow from figures and settings, as a list."""
    languages = ", ".join(map(inline, facts.protocol["languages"]))
    return listed(
        [
            dominant(facts.crowd_labels, "the crowd has one leading label", facts, "crowd"),
            dominant(
                {VERDICTS[code]: number for code, number in facts.verdicts.items()},
                "there is a verdict",
                facts,
                "legal",
            ),
            f"Only posts in these languages were kept: {languages}." if languages else "",
            f"The law is that of one jurisdiction: {inline(facts.guide.jurisdiction)}."
            if facts.guide and has(facts, "legal")
            else "",
            "Posts that a classifier tells easily were removed, so the posts that are left are not "
            "a random sample."
            if facts.run
            else "",
            "How the posts were found decides what they are about; see how they were collected.",
        ]
    )


def dominant(labels: Mapping[str, int], where: str, facts: CardFacts, stage: str) -> str:
    """Tell that one label makes most of the dataset; nothing where none does."""
    total = sum(labels.values())
    if not total or not has(facts, stage):
        return ""
    label, most = max(labels.items(), key=lambda one: one[1])
    if most / total < DOMINANT:
        return ""
    return (
        f"One label dominates: {inline(label)} on {100 * most / total:.0f}% of the posts on which "
        f"{where}; accuracy says little there."
    )
