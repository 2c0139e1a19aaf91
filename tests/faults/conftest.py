"""Classes for tests that play many rounds, on a memory disk where there is one."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import finish, make_app
from tests.playing import Classroom, fill

MEMORY = Path("/dev/shm")


@pytest.fixture
def folder() -> Iterator[Path]:
    """An empty folder, in memory if possible: these tests are not about flushing to disk."""
    found = Path(tempfile.mkdtemp(dir=MEMORY if MEMORY.is_dir() else None))
    yield found
    shutil.rmtree(found)


@pytest.fixture
def room(folder: Path, migrated: Path) -> Iterator[Classroom]:
    app = make_app(folder, migrated)
    yield fill(app, children=4)
    finish(app)
