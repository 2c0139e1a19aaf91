"""A class of four children, for tests that play many rounds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import finish, make_app
from tests.playing import Classroom, fill


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty folder."""
    return tmp_path


@pytest.fixture
def room(folder: Path, migrated: Path) -> Iterator[Classroom]:
    app = make_app(folder, migrated)
    yield fill(app, children=4)
    finish(app)
