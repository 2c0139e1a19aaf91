"""A class in an otherwise empty school, and a child of it in a browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from classroom.web.words import language
from tests.conftest import Rooms, finish
from tests.playing import Browser, Classroom, browser


@pytest.fixture
def room(tmp_path: Path, rooms: Rooms) -> Iterator[Classroom]:
    made = rooms.copy(tmp_path / "instance")
    yield made
    finish(made.app)


@pytest.fixture
def mia(room: Classroom) -> Browser:
    child = browser(room)
    child.get("/play/")
    return child


@pytest.fixture(autouse=True)
def speak_english() -> Iterator[None]:
    """Outside a request the language is that of the last one in this thread, which may have been
    one of a test in another folder."""
    language._chosen.set(language.ENGLISH)
    yield
    language._chosen.set(language.ENGLISH)
