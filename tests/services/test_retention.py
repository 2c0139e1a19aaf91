"""Expired data is deleted every day, and nothing is deleted because a clock is wrong."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import func, select

from classroom.database import db, write_unit
from classroom.models import AuditEntry, KnownDevice, Session
from classroom.services.access import sessions
from classroom.services.base import audit, clock, errors
from classroom.services.operation import background, copies, health, retention
from classroom.services.operation.retention import Tidying, last_activity
from tests.world import World

DAY = clock.SECONDS_A_DAY
YEAR = 400 * DAY


class Clocks:
    """Both clocks of a machine: the wall clock and the monotonic one."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.wall, self.passed = clock.now(), 1_000.0
        patch.setattr(retention.time, "monotonic", lambda: self.passed)

    def pass_(self, seconds: float) -> None:
        self.wall += seconds
        self.passed += seconds


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> Iterator[Clocks]:
    clocks = Clocks(monkeypatch)
    with clock.clock_at(lambda: clocks.wall):
        yield clocks


@pytest.fixture
def school(world: World) -> Iterator[World]:
    """A school in use, with old copies."""
    with world.app.app_context():
        folder = Path(world.app.instance_path)
        for days in (50, 40, 30, 20):
            make_copy(folder, clock.now() - days * DAY)
        with write_unit():
            for adult_id in world.adults.values():
                sessions.start("d" * 32, adult_id=adult_id)
                db.session.add(KnownDevice(adult_id=adult_id, device="d" * 32, last_at=clock.now()))
            audit.record(1, "read", "child", 1)
        yield world
        db.session.rollback()


def make_copy(folder: Path, at: float) -> Path:
    (folder / copies.FOLDER).mkdir(exist_ok=True)
    copy = folder / copies.FOLDER / f"school-{at}.db"
    copy.touch()
    os.utime(copy, (at, at))
    return copy


def things(world: World) -> tuple[int, ...]:
    """The number of copies, sessions, devices and rows of the audit log."""
    tables = (Session, KnownDevice, AuditEntry)
    counts = [db.session.scalar(select(func.count()).select_from(each)) or 0 for each in tables]
    db.session.rollback()
    return len(list((Path(world.app.instance_path) / "copies").iterdir())), *counts


def test_a_start_with_the_clock_far_ahead_deletes_nothing_and_says_so_once(
    school: World, clocks: Clocks, caplog: pytest.LogCaptureFixture
) -> None:
    before = things(school)
    clocks.wall += YEAR
    tidying = Tidying()
    for _ in range(5):
        tidying.when_due()
        clocks.pass_(60)
    assert things(school) == before
    (line,) = caplog.messages
    assert line.startswith("The clock is 400 days ahead of the newest thing in the school")


def test_a_school_in_use_deletes_expired_data(school: World, clocks: Clocks) -> None:
    Tidying().when_due()
    assert things(school)[0] == 2
    clocks.pass_(1.9 * DAY)
    Tidying().when_due()
    assert things(school)[1] == 0  # sessions


def test_a_running_server_tidies_up_every_day(
    school: World, clocks: Clocks, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[float] = []
    monkeypatch.setattr(retention, "tidy", lambda: iter([done.append(clocks.passed)]))
    tidying = Tidying()
    for _ in range(40 * 24):  # an empty school during the holidays
        tidying.when_due()
        clocks.pass_(DAY / 24)
    assert len(done) == 40


def test_a_clock_that_jumps_while_the_server_runs_deletes_nothing(
    school: World, clocks: Clocks
) -> None:
    tidying = Tidying()
    tidying.when_due()
    before = things(school)
    clocks.pass_(DAY)
    clocks.wall += YEAR
    tidying.when_due()
    assert things(school) == before
    clocks.wall -= YEAR
    clocks.pass_(DAY)
    tidying.when_due()
    assert things(school)[1] == 0


def test_a_clock_far_back_breaks_nothing(
    school: World, clocks: Clocks, caplog: pytest.LogCaptureFixture
) -> None:
    before = things(school)
    clocks.wall -= 10 * YEAR
    Tidying().when_due()
    assert things(school)[1:] == before[1:]
    assert caplog.messages == []
    assert school.visitor("lake").get("/teach/").status_code == 200


def test_an_empty_school_deletes_no_copy(world: World, clocks: Clocks) -> None:
    with world.app.app_context():
        with write_unit():
            for table in reversed(db.metadata.sorted_tables):
                db.session.execute(table.delete())
        assert last_activity() is None
        copy = make_copy(Path(world.app.instance_path), clock.now())
        clocks.wall += YEAR
        Tidying().when_due()
        assert copy.exists()


def test_a_failed_deletion_is_tried_again_after_an_hour(
    school: World, clocks: Clocks, monkeypatch: pytest.MonkeyPatch
) -> None:
    tidying = Tidying()
    with monkeypatch.context() as patch:
        patch.setattr(sessions, "sweep", fails)
        tidying.when_due()
    assert errors.count_skipped() == 1
    before = things(school)
    tidying.when_due()
    assert things(school) == before
    clocks.pass_(retention.AGAIN)
    tidying.when_due()
    assert things(school)[0] == 2
    assert errors.count_skipped() == 0


def fails() -> None:
    raise KeyError


def test_the_worker_of_a_server_tidies_up(school: World, monkeypatch: pytest.MonkeyPatch) -> None:
    done = background.threading.Event()
    monkeypatch.setattr(retention, "tidy", done.set)
    worker = background.Worker(school.app.app_context, 0.0).start()
    try:
        assert done.wait(20)
    finally:
        worker.stop()
    assert health.CHECKPOINT_SECONDS <= 600
    assert background.SCAN_SECONDS <= 10


def test_a_long_work_is_done_a_second_at_each_look(
    school: World, clocks: Clocks, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[float] = []

    def works() -> Iterator[None]:
        for _ in range(10):
            clocks.pass_(0.3)
            done.append(clocks.passed)
            yield

    monkeypatch.setattr(retention, "tidy", works)
    tidying, after = Tidying(), []
    for _ in range(5):
        tidying.when_due()
        after.append(len(done))
    assert after == [4, 8, 10, 10, 10]
    clocks.pass_(DAY)
    tidying.when_due()
    assert len(done) == 14


def test_a_long_work_that_fails_begins_again_after_an_hour(
    school: World, clocks: Clocks, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[float] = []

    def works() -> Iterator[None]:
        begun.append(clocks.passed)
        clocks.pass_(2.0)
        yield
        raise KeyError

    monkeypatch.setattr(retention, "tidy", works)
    tidying = Tidying()
    tidying.when_due()
    with pytest.raises(KeyError):
        tidying.when_due()
    tidying.when_due()
    assert len(begun) == 1
    clocks.pass_(retention.AGAIN)
    tidying.when_due()
    assert len(begun) == 2
