"""A study's facts for its card, as a test wants them."""

from decimal import Decimal
from typing import Any

from releases.algorithms.card_facts import CardFacts, CeilingFacts, Guide, Pay, Run

PROTOCOL = {
    "languages": ["en"],
    "mask_users": True,
    "non_ascii": "keep",
    "crowd_votes": 3,
    "tie_votes": 0,
    "expert_votes": 3,
    "ethics_number": "REB 12-3",
}
COUNTS = {
    "imported": 1_000,
    "kept": 900,
    "released": 900,
    "unanswered": 0,
    "with_crowd_votes": 900,
    "crowd_ties": 10,
    "with_legal_votes": 500,
    "verdicts": 400,
    "verdict_ties": 5,
}
RELIABLE = {
    "alpha": 0.85,
    "interval": [0.8, 0.9],
    "posts": 900,
    "votes": 2_700,
    "people": 30,
    "reason": "",
}
LOW = RELIABLE | {"alpha": 0.3, "interval": [0.25, 0.35]}
UNKNOWN = RELIABLE | {"alpha": None, "interval": None, "people": None, "reason": "Nobody voted."}
GUIDE = Guide(title="Issues", jurisdiction="Canada", versions=(1, 2), issues=11)
RUN = Run(
    number=4,
    method="kl",
    encoder="an/encoder",
    revision="abc",
    pooling="First token",
    k=1_000,
    trials=3,
    at_least=3,
    seed=7,
    posts=900,
    kept=500,
)
PAY = Pay(reward=Decimal("0.18"), currency="USD", people=30, hourly=Decimal("14.40"))
CEILING = CeilingFacts(experts=5, counted=4, least=50, ma_f1=0.713)


def facts(**more: Any) -> CardFacts:
    usual: dict[str, Any] = {
        "description": "",
        "protocol": PROTOCOL,
        "stages": ("crowd", "legal"),
        "texts": "cleaned",
        "counts": COUNTS,
        "verdicts": {"mislc": 150, "unclear": 50, "non_mislc": 200},
        "crowd_labels": {"no_claim": 200, "checkworthy": 690},
        "agreement": {"crowd": RELIABLE, "legal": RELIABLE},
        "open_tasks": {"crowd": 0, "legal": 0},
        "sources": {"crowd": ["here"], "legal": ["here"]},
        "instructions": (3,),
        "guide": GUIDE,
        "run": RUN,
        "pay": PAY,
        "consent": 2,
        "ceiling": CEILING,
    }
    return CardFacts(**usual | more)
