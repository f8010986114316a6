"""Says in sentences what a study knows about itself: how it collected, who voted, what to mind.

In English, like all of a release: it is read far from here. The sentences are Markdown.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from releases.algorithms.card_facts import CardFacts
from releases.algorithms.markdown import code, inline

LOW_ALPHA, RELIABLE_ALPHA = 0.667, 0.8
DOMINANT = 0.8
"""From this share on, one label makes most of the dataset."""
MANY_TIES = 0.1
FEW = 5
"""What fewer people earned is not told: a median would be somebody's."""
FEW_VERDICTS = 100
NON_ASCII = {
    "drop": "Characters outside ASCII were dropped, so accents, other scripts and emoji are lost.",
    "fold": "Characters outside ASCII were folded to their nearest ASCII letter or dropped.",
    "keep": "Characters outside ASCII were kept.",
}
TEXTS = {
    "cleaned": "Texts are given as annotators saw them, after cleaning.",
    "original": "Texts are given as they were imported, to the last character.",
    "ids": "Texts are left out: posts are named by their ids only.",
}
METHODS = {
    "kl": "the KL filter",
    "aflite": "AFLite",
    "majority": "a threshold on agreement",
    "random": "chance alone, as a baseline",
}
STAGES = {"crowd": "the crowd", "legal": "the experts"}
VOTED = {"crowd": "with the crowd", "legal": "as experts"}


def joined(*sentences: str) -> str:
    """Return sentences as one paragraph; empty ones are left out."""
    return " ".join(sentence for sentence in sentences if sentence)


def listed(sentences: Iterable[str]) -> str:
    """Return sentences as a list; empty ones are left out."""
    return "\n".join(f"* {sentence}" for sentence in sentences if sentence)


def number_of(count: int, one: str, many: str) -> str:
    """Return a count with its noun."""
    return f"{count:,} {one if count == 1 else many}"


def posts(count: int) -> str:
    """Return a number of posts."""
    return number_of(count, "post", "posts")


def has(facts: CardFacts, stage: str) -> bool:
    """Say whether a stage is released."""
    return stage in facts.stages


def summary(facts: CardFacts) -> str:
    """Say what the dataset is."""
    if facts.description.strip():
        return facts.description.strip()
    return joined(
        "Posts from social media, each judged by several people.",
        "A crowd said whether a post is worth checking." if has(facts, "crowd") else "",
        "Legal experts said whether it is misinformation with legal consequences, which legal "
        "issues it raises, and what proves it."
        if has(facts, "legal")
        else "",
    )


def uses(facts: CardFacts) -> str:
    """Say what the dataset is for, and what it is not."""
    return joined(
        "Research on misinformation and its legal consequences: to measure how well people and "
        "models tell such posts, and to study how annotators disagree, as all votes are there.",
        "It does not say whether a person or a post broke the law, and it is no ground for "
        "decisions about the people who wrote the posts.",
    )


def collection(facts: CardFacts) -> str:
    """Say how posts were collected and cleaned."""
    counts, protocol = facts.counts, facts.protocol
    left_out = counts["kept"] - counts["released"]
    return joined(
        f"Of {posts(counts['imported'])} that were imported, {counts['kept']:,} were kept "
        "after cleaning.",
        f"{left_out:,} of these only served as posts with a known answer and are left out."
        if left_out
        else "",
        f"Languages: {', '.join(map(inline, protocol['languages']))}."
        if protocol["languages"]
        else "",
        "User mentions were masked as `<user>`." if protocol["mask_users"] else "",
        NON_ASCII[protocol["non_ascii"]],
        "Each post of the dataset is a row, also without votes.",
        "Where and when the posts were written is not stated here.",
    )


def annotation(facts: CardFacts) -> str:
    """Say how posts were labelled."""
    return "\n\n".join(PARTS[stage](facts) for stage in facts.stages)


def crowd_part(facts: CardFacts) -> str:
    """Say how the crowd labelled."""
    labels = ", ".join(code(label) for label in facts.crowd_labels)
    return joined(
        "**The crowd** said of each post whether it is worth checking"
        + (f" ({labels})." if labels else "."),
        wanted(facts, "crowd", facts.protocol["crowd_votes"]),
        f"Where no label led, up to {facts.protocol['tie_votes']} more were asked for."
        if facts.protocol["tie_votes"] and is_here(facts, "crowd")
        else "",
        f"{posts(facts.counts['with_crowd_votes'])} have votes of the crowd"
        + (f", taken from round {facts.crowd_round} alone." if facts.crowd_round else "."),
        "The label with most votes is the crowd's; in a tie there is none.",
        f"People worked by instructions in {versions(facts.instructions)}, after a test on posts "
        "with a known answer where the study asked for one."
        if facts.instructions and is_here(facts, "crowd")
        else "",
        imported_part(facts, "crowd"),
    )


def legal_part(facts: CardFacts) -> str:
    """Say how experts labelled."""
    guide, counts = facts.guide, facts.counts
    return joined(
        "**Legal experts** said whether a post is misinformation, which legal issues it raises "
        "with their tests and defences, and which web pages prove it.",
        wanted(facts, "legal", facts.protocol["expert_votes"]),
        f"They judged by the catalogue “{inline(guide.title)}” ({inline(guide.jurisdiction)}, "
        f"{versions(guide.versions)}, {number_of(guide.issues, 'issue', 'issues')})."
        if guide and guide.versions
        else "",
        f"{posts(counts['with_legal_votes'])} have votes of experts; {counts['verdicts']:,} of "
        "these have all that were wanted and so a verdict.",
        "The label with most votes is the verdict; a tie counts as Unclear and is marked. Issues, "
        "noClaim and defence need more than half of the experts on a post; “any vote” counts what "
        "a single one said.",
        f"An adjudicator decided on {posts(counts['verdicts_decided'])}."
        if counts.get("verdicts_decided")
        else "",
        imported_part(facts, "legal"),
    )


PARTS = {"crowd": crowd_part, "legal": legal_part}


def versions(numbers: Sequence[int]) -> str:
    """Name the versions of a guide."""
    *first, last = (str(number) for number in numbers)
    return f"versions {', '.join(first)} and {last}" if first else f"version {last}"


def is_here(facts: CardFacts, stage: str) -> bool:
    """Say whether votes of a stage were made in this study."""
    return "here" in facts.sources.get(stage, ())


def wanted(facts: CardFacts, stage: str, votes: int) -> str:
    """Say how many votes a post were asked for; an imported round brings its own number."""
    is_asked = is_here(facts, stage)
    return f"Wanted were {number_of(votes, 'vote', 'votes')} a post." if is_asked else ""


def imported_part(facts: CardFacts, stage: str) -> str:
    """Say that votes were made elsewhere."""
    found = facts.sources.get(stage, ())
    if "imported" not in found:
        return ""
    return (
        "Some" if "here" in found else "All"
    ) + " of these votes were made elsewhere and imported."


def annotators(facts: CardFacts) -> str:
    """Say who labelled; nobody is told apart."""
    known = [
        f"{number_of(found['people'], 'person', 'people')} voted {VOTED[stage]}."
        if found["people"]
        else f"How many people voted {VOTED[stage]} is not known."
        for stage, found in facts.agreement.items()
    ]
    told = (one for one in facts.background if one["answers"] or one["others"] != 0)
    asked = [background_line(one) for one in told]
    more = "What people of the crowd said about themselves, groups of fewer than five folded:"
    return "\n\n".join(
        [
            joined(*known, "Everybody has a pseudonym that is made for releases alone."),
            *([more, listed(asked)] if asked else []),
            *([] if asked else ["Nothing is stated about age, gender, origin or education."]),
        ]
    )


def background_line(asked: Mapping[str, Any]) -> str:
    """Return the answers to one question, in numbers of people."""
    answers = [f"{inline(one['answer'])} {one['people']}" for one in asked["answers"]]
    others = asked["others"]
    folded = "some gave other answers" if others is None else f"other answers {others}"
    return f"{inline(asked['question'])}: " + ", ".join(
        [*answers, *([folded] if others is None or others else [])]
    )


def agreement(facts: CardFacts) -> str:
    """Say how far annotators agree, and what that means."""
    return listed(
        f"{STAGES[stage].capitalize()}: {agreement_words(found)}"
        for stage, found in facts.agreement.items()
    )


def agreement_words(found: Mapping[str, Any]) -> str:
    """Return a stage's alpha with its interval in words, or why there is none."""
    if found["alpha"] is None:
        return f"no alpha. {inline(found['reason'] or 'There are no votes.')}"
    interval = ""
    if found["interval"]:
        low, high = found["interval"]
        interval = f" (95% interval {low:.3f} to {high:.3f})"
    people = f" by {number_of(found['people'], 'person', 'people')}" if found["people"] else ""
    return (
        f"Krippendorff's alpha (nominal) is {found['alpha']:.3f}{interval}, from "
        f"{number_of(found['votes'], 'vote', 'votes')} on {posts(found['posts'])}{people}. "
        f"{meaning(found['alpha'])}"
    )


def meaning(alpha: float) -> str:
    """Say what an alpha means by the usual marks."""
    if alpha >= RELIABLE_ALPHA:
        return "That is reliable by the usual mark of 0.8."
    if alpha >= LOW_ALPHA:
        return "That is between 0.667 and 0.8: enough for tentative conclusions only."
    return "That is below 0.667, the usual minimum; it is common where labels are subjective."


def pay(facts: CardFacts) -> str:
    """Say what the crowd was paid."""
    if facts.pay is None:
        return "Nobody of the crowd was paid through this study, or nothing is known of it here."
    found = facts.pay
    return joined(
        f"The reward is {found.reward} {inline(found.currency)} a vote.",
        f"The median of what {number_of(found.people, 'person', 'people')} earned by the hour "
        f"of active time is {found.hourly} {inline(found.currency)}."
        if found.hourly is not None and found.people >= FEW
        else f"No hourly wage is stated: the working time of fewer than {FEW} people is known.",
        "What experts are paid is not stated here." if has(facts, "legal") else "",
    )


def adversarial_filter(facts: CardFacts) -> str:
    """Say what the filter did, with its settings."""
    run = facts.run
    if run is None:
        return "The adversarial filter was not run; no post was removed by a model."
    k = f", k = {run.k:,}" if run.k is not None else ""
    encoder = code(run.encoder) + (f" ({inline(run.revision)})" if run.revision else "")
    return joined(
        f"Filter run {run.number} kept {run.kept:,} of {posts(run.posts)} by "
        f"{METHODS.get(run.method, run.method)}: those kept by at least {run.at_least} of "
        f"{number_of(run.trials, 'trial', 'trials')}{k}, seed {run.seed}.",
        f"Posts were embedded by {encoder}, pooling: {run.pooling}.",
        "A post that it removed is easy to tell by such embeddings; what is left is harder "
        "than what was collected.",
    )


def ethics(facts: CardFacts) -> str:
    """Say what people agreed to, as the study states it."""
    number = facts.protocol["ethics_number"]
    return joined(
        f"Ethics approval, as the study states it: {inline(number)}."
        if number
        else "The study states no ethics approval.",
        f"The crowd agreed to a consent text (version {facts.consent}) before work; votes of "
        "who withdrew are left out."
        if facts.consent
        else "The study has no consent text here.",
        "Posts can upset; who voted through this site was warned and could skip any of them."
        if any(is_here(facts, stage) for stage in facts.stages)
        else "",
    )


def personal(facts: CardFacts) -> str:
    """Say what of people is in the files."""
    return joined(
        "Posts were written by people who did not agree to this dataset; their texts may name "
        "people, and tell of health, politics, religion or crimes.",
        TEXTS[facts.texts],
        "Annotators appear under pseudonyms. The tables were searched for e-mail addresses, "
        "ids of platforms and user mentions; names of people cannot be found that way.",
    )


def maintenance(facts: CardFacts) -> str:
    """Say how the dataset is kept up."""
    return joined(
        "A release is never changed. Corrections come as a later release with another number; "
        "a release with known faults is flagged, with the reason, where it was made.",
        "Who withdraws is left out of every later release.",
    )
