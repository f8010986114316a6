"""Posts with crowd votes, a tiny encoder, and runs that have been done."""

from collections.abc import Callable
from pathlib import Path

import pytest

from annotation.models import Post
from filtering.models import FilterRun
from tests.cast import Cast, add_posts
from tests.filtering.rounds import CLEAR, SPLIT, add_round, finished_run


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from tests.embeddings.tiny import save_tiny_roberta

    return save_tiny_roberta(tmp_path_factory.mktemp("tiny roberta"))


@pytest.fixture
def voted(cast: Cast) -> list[Post]:
    """Thirty posts with votes of the crowd, two thirds of them unanimous; and one without votes."""
    posts = add_posts(cast.study, 31)
    add_round(cast.study, posts[:30], [SPLIT if n % 3 == 0 else CLEAR for n in range(30)])
    return posts[:30]


@pytest.fixture
def run_to_end(cast: Cast, voted: list[Post], tiny: Path) -> Callable[..., FilterRun]:
    """Return a function that does a run with the tiny encoder."""

    def run(**chosen: object) -> FilterRun:
        return finished_run(cast.study, tiny, by=cast.researcher.user, **chosen)

    return run
