"""A study whose posts have come all the way, and a release of it."""

from pathlib import Path

import pytest

from annotation.models import Member, Post, Role
from legal.services.batches import open_legal_batch
from releases.models import Release
from tests.cast import Cast, add_posts, join
from tests.filtering.rounds import CLEAR, SPLIT, add_round, finished_run
from tests.releases.ways import DEFENCE, NO_CLAIM, TEXTS, UNCLEAR, YES, answer_all, make


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from tests.embeddings.tiny import save_tiny_roberta

    return save_tiny_roberta(tmp_path_factory.mktemp("tiny roberta"))


@pytest.fixture
def posts(cast: Cast) -> list[Post]:
    """Six posts; the crowd voted on the first five."""
    found = add_posts(cast.study, TEXTS)
    add_round(cast.study, found[:5], [CLEAR, CLEAR, (0, 2, 1), SPLIT, (3, 0, 0)])
    return found


@pytest.fixture
def experts(cast: Cast) -> list[Member]:
    more = [join(cast.study, name, Role.EXPERT) for name in ("ruth", "louis")]
    return [cast.expert, *more]


@pytest.fixture
def judged(cast: Cast, posts: list[Post], experts: list[Member], tiny: Path) -> list[Post]:
    """Filter run 1, and three experts' answers: yes, no and a three-way tie."""
    finished_run(cast.study, tiny, k=3, trials=1)
    open_legal_batch(by=None, study=cast.study, external_ids=["p1", "p2", "p3"], source="Test")
    for member, answers in zip(
        experts,
        [
            {"p1": YES, "p2": NO_CLAIM, "p3": YES},
            {"p1": YES, "p2": NO_CLAIM, "p3": UNCLEAR},
            {"p1": UNCLEAR, "p2": DEFENCE, "p3": NO_CLAIM},
        ],
        strict=True,
    ):
        answer_all(member, answers)
    return posts


@pytest.fixture
def released(cast: Cast, judged: list[Post]) -> Release:
    return make(cast.study, by=cast.researcher.user)
