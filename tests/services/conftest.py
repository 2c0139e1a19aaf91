"""A class in an otherwise empty school, and an open session of its database."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from classroom.database import db
from tests.conftest import finish, make_app
from tests.playing import Classroom, fill


@pytest.fixture
def room(tmp_path: Path, migrated: Path) -> Iterator[Classroom]:
    app = make_app(tmp_path / "instance", migrated)
    room = fill(app)
    with app.app_context():
        yield room
        db.session.rollback()
    finish(app)


@pytest.fixture
def mia(room: Classroom) -> int:
    return room.children["Mia"]


@pytest.fixture
def ben(room: Classroom) -> int:
    return room.children["Ben"]
