"""What tests of the legal stage share."""

from collections.abc import Iterator

import pytest

from tests.legal.archive_world import Outside, outside_world


@pytest.fixture
def outside(monkeypatch: pytest.MonkeyPatch) -> Iterator[Outside]:
    with outside_world(monkeypatch) as world:
        yield world
