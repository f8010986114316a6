"""The figures of a study counted again from its plain rows, in Python and by other means."""

from collections import Counter, defaultdict
from itertools import permutations
from statistics import median, quantiles
from typing import Any

from annotation.models import Post, StageCode, Study, Tally, Vote
from legal.models import Decision, LegalAnswer

LABELS = ("no_claim", "not_checkworthy", "checkworthy")
ANSWERS = ("no", "unclear", "yes")
VERDICT = {"yes": "mislc", "unclear": "unclear", "no": "non_mislc"}
Votes = list[Vote]


def standing_votes(study: Study, stage: str) -> Votes:
    """Return the newest version of each vote that fills a place, or an imported round."""
    newest: dict[tuple[int, int], Vote] = {}
    for vote in Vote.objects.filter(task__batch__study=study).select_related("task", "place"):
        key = vote.task_id, vote.member_id
        if vote.task.stage == stage and (key not in newest or newest[key].version < vote.version):
            newest[key] = vote
    return [
        vote
        for vote in newest.values()
        if vote.counted and (vote.place is None or vote.place.vacated_at is None)
    ]


def said_on_posts(study: Study, stage: str) -> dict[int, list[str]]:
    """Return by post every label that was said and counts, imported counts with the votes."""
    said: dict[int, list[str]] = defaultdict(list)
    for vote in standing_votes(study, stage):
        said[vote.task.post_id].append(vote.label)
    for tally in Tally.objects.filter(batch__study=study, batch__stage=stage):
        said[tally.post_id] += [tally.label] * tally.count
    return {post: labels for post, labels in said.items() if labels}


def leader(said: list[str]) -> str | None:
    """Return the label with most votes, if there is one."""
    numbers = Counter(said).most_common()
    return numbers[0][0] if len(numbers) == 1 or numbers[0][1] > numbers[1][1] else None


def verdicts(study: Study) -> dict[int, dict[str, Any]]:
    """Return the verdict on each post of the experts that wants no more votes."""
    found = {}
    for post, said in said_on_posts(study, StageCode.LEGAL).items():
        places = [
            place
            for task in Post.objects.get(pk=post).tasks.filter(stage=StageCode.LEGAL)
            for place in task.places.all()
        ]
        if any(place.filled_at is None for place in places):
            continue
        answers = [
            LegalAnswer.objects.get(vote=vote)
            for vote in standing_votes(study, StageCode.LEGAL)
            if vote.task.post_id == post
        ]
        raised = Counter(
            one.issue.code for answer in answers for one in answer.issues.all() if one.is_raised
        )
        decision = Decision.objects.filter(post=post).order_by("version").last()
        label = decision.label if decision else leader(said) or "unclear"
        half = len(answers) / 2
        found[post] = {
            "verdict": VERDICT[label],
            "tie": leader(said) is None,
            "decided": decision is not None,
            "said": said,
            "issues": decision.issues
            if decision
            else [code for code, number in raised.items() if number > half],
            "no_claim": sum(answer.no_claim for answer in answers) > half,
            "no_claim_any": any(answer.no_claim for answer in answers),
            "defence": sum(answer.defence for answer in answers) > half,
            "defence_any": any(answer.defence for answer in answers),
            "evidence": any(answer.evidence.exists() for answer in answers),
        }
    return found


def pairs(said: dict[int, list[str]], labels: tuple[str, ...]) -> list[list[int]]:
    """Return how often one vote said a label and another on the same post another one."""
    seen = Counter(pair for votes in said.values() for pair in permutations(votes, 2))
    return [[seen[one, other] for other in labels] for one in labels]


def times(votes: Votes) -> tuple[int, float, float | None, list[float] | None]:
    """Return number, hours, median and quartiles of the seconds that are known."""
    seconds = [vote.seconds for vote in votes if vote.seconds is not None]
    if not seconds:
        return 0, 0.0, None, None
    middle = quantiles(seconds, n=4, method="inclusive") if len(seconds) > 1 else seconds * 3
    return len(seconds), sum(seconds) / 3600, median(seconds), middle


def weeks(votes: Votes) -> Counter[str]:
    """Return votes by ISO week, in UTC."""
    return Counter(f"{vote.created_at:%G-W%V}" for vote in votes)
