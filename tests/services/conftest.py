"""A class in an otherwise empty school, and an open session of its database."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from classroom.database import db
from tests.conftest import Rooms, finish
from tests.playing import Classroom


@pytest.fixture
def room(tmp_path: Path, rooms: Rooms) -> Iterator[Classroom]:
    room = rooms.copy(tmp_path / "instance")
    with room.app.app_context():
        yield room
        db.session.rollback()
    finish(room.app)


@pytest.fixture
def mia(room: Classroom) -> int:
    return room.children["Mia"]


@pytest.fixture
def ben(room: Classroom) -> int:
    return room.children["Ben"]
