"""A class of four children, for tests that play many rounds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import Rooms, finish
from tests.playing import Classroom


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Take a fifth of each file in an everyday run: whole rounds and whole servers take long."""
    for item in items:
        here = Path(__file__).parent in item.path.parents
        if here and not item.get_closest_marker("walk"):
            item.add_marker(pytest.mark.walk(5, of=item.path.name))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty folder."""
    return tmp_path


@pytest.fixture
def room(folder: Path, rooms: Rooms) -> Iterator[Classroom]:
    made = rooms.copy(folder, children=4)
    yield made
    finish(made.app)
