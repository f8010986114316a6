"""What a month of crowd work starts from: a study of real posts, and gold of two researchers.

The posts are the tweets of ct22_en_three_way.csv. Their authors labelled them with the very labels
of the method (no claim, not checkworthy, checkworthy), so the right answer to each is known, the
labels are mixed, and how well a simulated person does can be told. Only ids and texts go into the
study; the labels stay with the simulated people. One post in five is hard for them: on it they say
anything, and researchers mostly see that it is ambiguous.
"""

import csv
import io
import json
import random
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

from django.core.management import call_command

from annotation.models import Batch, BatchState, Member, Role, StageCode, Study, User
from annotation.services.assignments import next_task
from annotation.services.batches import BatchRefused, move_batch
from annotation.services.people import add_member, change_study, create_account
from annotation.services.votes import Answer, submit_vote
from crowd.models import GoldLabel
from crowd.services.batches import create_gold_batch
from crowd.services.checks import choose_checks, write_attention_post
from crowd.services.gold import close_pool
from tests.acceptance.findings import Findings, read_csv
from tests.acceptance.log import Log
from tests.acceptance.people import AMBIGUOUS, LABELS, Researcher

SLUG = "month"
GOLD_POSTS, BATCH_POSTS, SPARE_POSTS = 100, 60, 20
BATCHES = 3
SEED, POOL_SEED = 1, 7
CHECKS = 60
SITTING, DAILY_CAP = 10, 16
HARD = 0.2
RATE = Decimal("0.18")
ATTENTION = "This is no tweet. Whoever reads this line chooses the answer “{name}”, please."
NAMES = {
    "no_claim": "Invalid or no claim",
    "not_checkworthy": "Not checkworthy",
    "checkworthy": "Checkworthy",
}


@dataclass
class Month:
    """The study with who leads it, what people wrote down, and what was found."""

    study: Study
    owner: Member
    researcher: Member
    log: Log
    findings: Findings
    dice: random.Random
    folder: Path
    rate: Decimal = RATE
    paid: dict[str, int] = field(default_factory=dict)

    @property
    def by(self) -> User:
        """Return the account of whoever leads the study."""
        assert self.owner.user
        return self.owner.user


def command(*words: str) -> dict[str, Any]:
    """Type a command of manage.py."""
    out = io.StringIO()
    call_command(*words, "--json", stdout=out, stderr=io.StringIO())
    answer: dict[str, Any] = json.loads(out.getvalue())
    return answer


def begin_month(source: Path, folder: Path, findings: Findings) -> Month:
    """Make a study of as many posts as the month needs, drawn from the file."""
    dice = random.Random(SEED)
    rows = read_csv(source)
    wanted = GOLD_POSTS + BATCH_POSTS * BATCHES + SPARE_POSTS
    drawn = dice.sample(rows, wanted)
    command("create_study", SLUG, "--title", "A month of crowd work")
    study = Study.objects.get(slug=SLUG)
    owner, researcher = (
        add_member(by=None, study=study, user=create_account(username=role), role=role)
        for role in (Role.OWNER, Role.RESEARCHER)
    )
    change_study(
        by=owner,
        study=study,
        title=study.title,
        description="",
        sitting_size=SITTING,
        daily_cap=DAILY_CAP,
        reward=RATE,
    )
    month = Month(
        study=study,
        owner=owner,
        researcher=researcher,
        log=Log(
            truth={row["tweet_id"]: row["label3"] for row in drawn},
            hard=frozenset(row["tweet_id"] for row in drawn if dice.random() < HARD),
        ),
        findings=findings,
        dice=dice,
        folder=folder,
    )
    file = folder / "month.csv"
    with file.open("w", encoding="utf-8", newline="") as opened:
        table = csv.writer(opened)
        table.writerow(["id", "text"])
        table.writerows([row["tweet_id"], row["text"]] for row in drawn)
    findings.check("posts imported", command("import_posts", SLUG, str(file))["added"], wanted)
    return month


def label_gold(month: Month) -> None:
    """Let two researchers label the pool blind, close it, and compare the gold that comes of it."""
    pool = create_gold_batch(by=month.by, study=month.study, posts=GOLD_POSTS, seed=POOL_SEED)
    pool = move_batch(by=None, batch=pool, to=BatchState.OPEN)
    label_pool(month, month.owner)
    findings = month.findings
    findings.check("a pool that one person labelled is not closed", is_refused(month, pool), True)
    label_pool(month, month.researcher)
    found = close_pool(by=month.by, batch=pool)
    gold = month.log.gold()
    findings.check("gold labels", found, len(gold))
    findings.check_each("of them as both researchers said", stored_gold(month), gold)
    said = month.log.gold_said.values()
    findings.note("the researchers differ on", sum(len(set(labels)) > 1 for labels in said))
    findings.note("ambiguous", sum(label == AMBIGUOUS for label in gold.values()))


def label_pool(month: Month, member: Member) -> None:
    """Label all that one researcher is given."""
    researcher = Researcher(random.Random(month.dice.random()))
    while held := next_task(by=member, stage=StageCode.GOLD).assignment:
        post = held.task.post.external_id
        label = researcher.says(month.log.truth[post], is_hard=post in month.log.hard)
        submit_vote(by=member, assignment_id=held.pk, answer=Answer(label, 6.0, 1))
        month.log.gold_said.setdefault(post, []).append(label)


def is_refused(month: Month, pool: Batch) -> bool:
    """Say whether the pool cannot be closed."""
    try:
        close_pool(by=month.by, batch=pool)
    except BatchRefused:
        return True
    return False


def stored_gold(month: Month) -> dict[str, str]:
    """Return the gold labels that the study keeps."""
    found = GoldLabel.objects.filter(post__study=month.study)
    return dict(found.values_list("post__external_id", "label"))


def choose_some_checks(month: Month) -> None:
    """Use unambiguous posts of the pool as checks, and write three posts that tell their answer."""
    known = [post for post, label in month.log.gold().items() if label != AMBIGUOUS]
    wanted = known[:CHECKS]
    golds = GoldLabel.objects.filter(post__study=month.study, post__external_id__in=wanted)
    ids = list(golds.values_list("pk", flat=True))
    found = choose_checks(by=month.by, study=month.study, gold_ids=ids)
    month.findings.check("gold posts in use as checks", found, len(wanted))
    for label in LABELS:
        text = ATTENTION.format(name=NAMES[label])
        post = write_attention_post(by=month.by, study=month.study, text=text, label=label)
        month.log.attention[post.external_id] = label
        month.log.truth[post.external_id] = label
