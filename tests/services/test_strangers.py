"""Strangers' wrong tries are kept in memory: bounded, by school and by what was tried."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from classroom.services.base import clock
from classroom.services.base.budgets import TRIES, TryMemory
from tests.conftest import finish, make_app

NOW = 1_790_000_000.0


@pytest.fixture(autouse=True)
def _inside(app: Flask) -> Iterator[None]:
    with app.app_context():
        yield


def test_a_try_counts_for_what_was_tried_and_for_the_given_time() -> None:
    memory = TryMemory()
    for second in (0, 10, 20):
        with clock.clock_at(NOW + second):
            memory.note("one", "a")
    with clock.clock_at(NOW + 30):
        assert memory.times("one", 15) == [NOW + 20]
        assert memory.times("one", 100) == [NOW, NOW + 10, NOW + 20]
        assert memory.times("two", 100) == []


def test_forgiving_one_device_does_not_forgive_others() -> None:
    memory = TryMemory()
    for device in "aba":
        memory.note("one", device)
    memory.forgive("one", "a")
    assert len(memory.times("one", 100)) == 1
    memory.forgive("one", "b")
    memory.forgive("two", "b")
    assert memory.times("one", 100) == []


def test_each_school_has_its_own_memory(tmp_path: Path, migrated: Path) -> None:
    memory, other = TryMemory(), make_app(tmp_path / "other", migrated)
    memory.note("one", "a")
    with other.app_context():
        assert memory.times("one", 100) == []
        memory.note("one", "a")
        memory.forgive("one", "a")
    assert len(memory.times("one", 100)) == 1
    finish(other)


def test_a_flood_of_made_up_names_pushes_out_only_itself() -> None:
    memory = TryMemory(keys=50)
    for _ in range(2):
        memory.note("lake", "a")
    for number in range(1_000):
        memory.note(f"made up {number}", "a")
    assert len(memory.times("lake", 100)) == 2
    assert sum(bool(memory.times(f"made up {number}", 100)) for number in range(1_000)) < 50
    assert len(memory.times("made up 999", 100)) == 1


def test_yesterdays_tries_make_room_first() -> None:
    memory = TryMemory(keys=10)
    with clock.clock_at(NOW):
        for _ in range(5):
            memory.note("yesterday", "a")
    with clock.clock_at(NOW + 86_400 + 1):
        for number in range(10):
            memory.note(f"today {number}", "a")
    with clock.clock_at(NOW):
        assert memory.times("yesterday", 100) == []


def test_no_name_takes_more_room_than_the_rules_ask_for() -> None:
    memory = TryMemory()
    for _ in range(3 * TRIES):
        memory.note("one", "a")
    assert len(memory.times("one", 100)) == TRIES


def test_no_try_is_lost_between_threads(app: Flask) -> None:
    memory = TryMemory()

    def tries() -> None:
        with app.app_context():
            for number in range(200):
                memory.note(f"{number % 20}", "a")

    threads = [threading.Thread(target=tries) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [len(memory.times(str(n), 100)) for n in range(20)] == [80] * 20
