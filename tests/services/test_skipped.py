"""One thing that fails in the background stops no other, and whoever looks after the server hears
of it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest
from sqlalchemy import delete, select, update

from classroom.condition import Unavailable
from classroom.database import db, write_unit
from classroom.models import Child, EvidenceRow, Gathering, Move, Recount, Round, SchoolClass
from classroom.services.base import clock, errors
from classroom.services.lesson import gatherings
from classroom.services.operation import background, copies, health, retention
from classroom.services.school import class_life, removals
from classroom.services.table import evidence_log, rounds
from tests.learning.rows import row
from tests.world import World

DAY = clock.SECONDS_A_DAY
Done = Callable[[], bool]


@pytest.fixture
def school(world: World) -> Iterator[World]:
    with world.app.app_context():
        yield world
        db.session.rollback()


def late_tables(school: World) -> Done:
    for name in ("Benquill", "Adaquist"):
        gatherings.make(school.children[name], "classic")
    with write_unit():
        db.session.execute(update(Gathering).values(since=1.0))
        for row in db.session.scalars(select(Gathering)):
            for place in row.places:
                place.ready = True
    return lambda: db.session.get_one(Gathering, 2).match_id is not None


def counted_again(school: World) -> Done:
    with write_unit():
        db.session.add_all(Recount(child_id=child) for child in school.children.values())
    return lambda: list(db.session.scalars(select(Recount.child_id))) == [1]


def counted(school: World) -> Done:
    with write_unit():
        db.session.execute(delete(EvidenceRow))
        for child_id in (1, 2):
            answer = row(practice=True, day=clock.day(), at=clock.now(), round_id=None)
            evidence_log.append(child_id, [answer])
    assert evidence_log.behind(1) == [1, 2]
    return lambda: evidence_log.behind(1) == [1]


def ended_classes(school: World) -> Done:
    list(retention.end_what_is_due())
    with write_unit():
        db.session.execute(update(SchoolClass).values(ends_day=clock.day() - 1))
    return lambda: class_life.is_archived(2) and class_life.is_archived(3)


def archived_classes(school: World) -> Done:
    list(retention.end_what_is_due())
    with write_unit():
        db.session.execute(update(SchoolClass).values(archived_at=clock.now() - 100 * DAY))
    return lambda: list(db.session.scalars(select(SchoolClass.id))) == [1]


def old_open_rounds(school: World) -> Done:
    with write_unit():
        db.session.execute(update(Round).values(started_at=1.0))
        db.session.execute(update(Move).values(at=1.0))
    open_ones = select(Round.id).where(Round.ended_at.is_(None))
    return lambda: list(db.session.scalars(open_ones)) == [1]


# What runs, where one row fails (the argument that is its number), and what must be done then.
LOOPS: Final[dict[str, tuple[Any, str, int, Callable[[World], Done]]]] = {
    "start tables": (gatherings, "_start_overdue", 1, late_tables),
    "count again": (evidence_log, "count_again", 1, counted_again),
    "count": (evidence_log, "count_new", 1, counted),
    "archive classes": (class_life, "archive", 1, ended_classes),
    "delete children": (removals, "take_out", 1, archived_classes),
    "delete classes": (removals, "remove_class", 1, archived_classes),
    "give up rounds": (rounds, "_end_without_winner", 1, old_open_rounds),
}


def failing(work: Callable[..., Any], number: int) -> Callable[..., Any]:
    def fails(first: int, *more: Any, **named: Any) -> Any:
        if first == number:
            raise KeyError(first)
        return work(first, *more, **named)

    return fails


def everything(school: World) -> None:
    """All that the background thread does in the school, once."""
    worker = background.Worker(school.app.app_context, 0.0)
    worker._watch = health.Watch()
    worker._hub = background.hub_of(db.engine)
    worker._look_round()
    list(retention.tidy())


@pytest.mark.parametrize("what", LOOPS)
def test_one_row_that_fails_stops_no_other(
    school: World, what: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    place, name, number, prepare = LOOPS[what]
    is_done = prepare(school)
    monkeypatch.setattr(evidence_log.behind, "__defaults__", (1,))
    with monkeypatch.context() as patch:
        patch.setattr(place, name, failing(getattr(place, name), number))
        for _ in range(2):
            everything(school)
            assert is_done()
    assert errors.count_skipped() in (1, 2), "a child that cannot be deleted keeps its class"
    said = [one for one in caplog.messages if "skipped" in one]
    assert len(said) == errors.count_skipped(), "each is logged once"
    visitor = school.visitor("monitor")
    assert (
        visitor.get("/health").text == f"ok, but skipped: {errors.count_skipped()} (see the log)\n"
    )
    everything(school)
    assert errors.count_skipped() == 0
    assert visitor.get("/health").text == "ok\n"


@pytest.mark.parametrize(
    ("name", "prepare"), [("count_again", counted_again), ("count_new", counted)]
)
def test_children_whose_counting_fails_keep_no_other_child_waiting(
    school: World,
    name: str,
    prepare: Callable[[World], Done],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    prepare(school)
    monkeypatch.setattr(evidence_log, "AT_ONCE", 1)
    monkeypatch.setattr(evidence_log.behind, "__defaults__", (1,))
    tried: list[int] = []
    fails = failing(getattr(evidence_log, name), 1)
    monkeypatch.setattr(evidence_log, name, lambda child: (tried.append(child), fails(child)))
    for _ in range(3):
        everything(school)
    assert tried[:2] == [1, 2], "the one that failed is not tried again before the others"


def test_a_batch_of_old_rounds_that_fails_stops_no_other(
    school: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    with write_unit():
        db.session.execute(update(Round).values(ended_at=1.0))
    monkeypatch.setattr(rounds, "AT_ONCE", 1)
    first, units = [True], rounds.write_unit

    def fails_once() -> Any:
        if first.pop() if first else False:
            raise KeyError
        return units()

    monkeypatch.setattr(rounds, "write_unit", fails_once)
    list(retention.end_what_is_due())
    left = [row.id for row in db.session.scalars(select(Round)) if row.deck]
    assert left == [1]
    assert errors.count_skipped() == 1


@pytest.mark.parametrize("step", retention._STEPS, ids=lambda step: step.__name__)
def test_one_step_that_fails_in_one_school_stops_no_other(
    school: World, step: Callable[[int], Iterator[None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    went: list[tuple[str, int]] = []

    def noted(one: Callable[[int], Iterator[None]]) -> Callable[[int], Iterator[None]]:
        def goes(school_id: int) -> Iterator[None]:
            if (one, school_id) == (step, 1):
                raise KeyError
            went.append((one.__name__, school_id))
            yield

        goes.__name__ = one.__name__
        return goes

    monkeypatch.setattr(retention, "_STEPS", tuple(map(noted, retention._STEPS)))
    list(retention.end_what_is_due())
    every = {(one.__name__, school_id) for one in retention._STEPS for school_id in (1, 2)}
    assert every - set(went) == {(step.__name__, 1)}


PIECES: Final = (
    (health.Watch, "look"),
    (health, "checkpoint"),
    (health.Tidying, "when_due"),
    (retention.sessions, "sweep"),
    (retention, "end_what_is_due"),
    (copies, "forget_old_copies"),
    (health.SealWatch, "go_on"),
    (gatherings, "start_overdue"),
    (background.Worker, "_scan"),
    (evidence_log, "count_waiting"),
    (evidence_log, "behind"),
)


@pytest.mark.parametrize("at", range(len(PIECES)), ids=[name for _, name in PIECES])
def test_one_piece_of_the_work_that_fails_stops_no_other(
    school: World, at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    went: set[int] = set()

    def noted(number: int, work: Callable[..., Any]) -> Callable[..., Any]:
        def goes(*given: Any, **named: Any) -> Any:
            went.add(number)
            if number == at:
                raise KeyError
            return work(*given, **named)

        return goes

    monkeypatch.setattr(health, "CHECKPOINT_SECONDS", -1.0)
    for number, (place, name) in enumerate(PIECES):
        monkeypatch.setattr(place, name, noted(number, getattr(place, name)))
    everything(school)
    inside = {0: {1, 2, 6}}.get(at, set())  # a whole look at the data does these
    assert set(range(len(PIECES))) - went <= inside
    assert errors.count_skipped() == 1


def test_the_servers_page_says_what_failed(school: World) -> None:
    admin = school.visitor("admin")
    assert "All other jobs that are due have been done." in admin.get("/school/server").text
    with errors.guard("delete a child", 1):
        raise KeyError
    assert "1 job that is due fails each time" in admin.get("/school/server").text


def test_trouble_with_the_database_is_about_no_single_row(
    school: World, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(Unavailable), errors.guard("delete a child", 1):
        raise Unavailable("The disk is full.")
    assert errors.count_skipped() == 0
    assert caplog.messages == []


def test_what_failed_long_ago_is_forgotten(school: World, monkeypatch: pytest.MonkeyPatch) -> None:
    with errors.guard("delete a child", 1):
        raise KeyError
    later = errors.time.monotonic() + errors.COUNTED + 1
    monkeypatch.setattr(errors.time, "monotonic", lambda: later)
    assert errors.count_skipped() == 0


def test_the_log_names_no_child(school: World, caplog: pytest.LogCaptureFixture) -> None:
    name = db.session.get_one(Child, 1).name
    with caplog.at_level(logging.ERROR), errors.guard("delete a child", 1):
        raise KeyError(name)
    assert "delete a child 1" in caplog.text
    assert name not in caplog.text
