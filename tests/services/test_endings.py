"""Every record ends by itself, shown with a simulated clock, and never because a clock is wrong."""

from __future__ import annotations

import random
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import func, select, update

from classroom.database import db, write_unit
from classroom.models import (
    Adult,
    AuditEntry,
    Child,
    ChildRound,
    EvidenceRow,
    Match,
    Move,
    Round,
    SchoolClass,
)
from classroom.services.base import clock, limits
from classroom.services.base.errors import LeftOff, MovesGone
from classroom.services.operation import background, copies, health, restored, retention
from classroom.services.reports import overview, skill_reports
from classroom.services.school import child_moves, class_life, classes, exports
from classroom.services.table import evidence_log, matches, rounds
from tests.listed import add_list
from tests.world import World, count_all, play_out

DAY = clock.SECONDS_A_DAY


class Time:
    """A clock for a test, which moves only when the test sets it forward."""

    def __init__(self) -> None:
        self.at = clock.now()

    def on(self, days: float) -> None:
        self.at += days * DAY


@pytest.fixture
def time() -> Iterator[Time]:
    moving = Time()
    with clock.clock_at(lambda: moving.at):
        yield moving


@pytest.fixture
def school(world: World, time: Time) -> Iterator[World]:
    with world.app.app_context():
        list(retention.end_what_is_due())  # gives the classes of an earlier version their last day
        yield world
        db.session.rollback()


def count(model: type) -> int:
    return db.session.scalar(select(func.count()).select_from(model)) or 0


# ---- classes


def test_a_class_of_an_earlier_version_gets_a_last_day_and_does_not_end_at_once(
    school: World,
) -> None:
    ends = class_life.life(school.classes["sunfish"]).ends_day
    assert f"{class_life.date_of(ends):%m-%d}" == "07-31"
    assert ends > clock.day() + class_life.SHORTEST_YEAR


def test_a_class_is_archived_after_its_last_day_and_deleted_after_its_time(
    school: World, time: Time
) -> None:
    sunfish, mia = school.classes["sunfish"], school.children["Miaqua"]
    class_life.set_end(sunfish, clock.day() + 10)
    told = []
    for days in (10, 1, 59, 2):
        time.on(days)
        list(retention.end_what_is_due())
        room = db.session.get(SchoolClass, sunfish)
        told.append((room is not None and room.archived_at is not None, room is None))
    assert told == [(False, False), (True, False), (True, False), (False, True)]
    assert db.session.get(Child, mia) is None
    logins = set(db.session.scalars(select(Adult.login)))
    assert {"reed", "rush"} & logins == set(), "parents without another child"
    assert {"lake", "sedge"} <= logins
    acts = {"archive", "remove"}
    done = select(AuditEntry.action, AuditEntry.thing).where(AuditEntry.action.in_(acts))
    assert set(db.session.execute(done.where(AuditEntry.adult_id.is_(None)))) == {
        ("archive", "class"),
        ("remove", "child"),
        ("remove", "class"),
    }


def test_the_schools_own_period_counts(school: World, time: Time) -> None:
    limits.choose_days(1, {**limits.days_kept(), "keep_archived": 100})
    class_life.archive(school.classes["sunfish"])
    assert class_life.life(school.classes["sunfish"]).deleted_at == time.at + 100 * DAY
    time.on(99)
    list(retention.end_what_is_due())
    assert db.session.get(SchoolClass, school.classes["sunfish"]) is not None
    time.on(2)
    list(retention.end_what_is_due())
    assert db.session.get(SchoolClass, school.classes["sunfish"]) is None


def test_a_class_is_deleted_child_by_child(school: World, time: Time) -> None:
    class_life.archive(school.classes["sunfish"])
    time.on(61)
    left = []
    for _ in retention.end_what_is_due():
        here = select(func.count()).where(Child.class_id == school.classes["sunfish"])
        left.append(db.session.scalar(here))
        db.session.rollback()
    many = max(filter(None, left))
    assert many > 1
    assert set(left) == set(range(many + 1)), "each piece of the work removes one child at most"
    assert db.session.get(SchoolClass, school.classes["sunfish"]) is None


def test_a_class_that_is_restored_meanwhile_keeps_its_other_children(
    school: World, time: Time
) -> None:
    sunfish = school.classes["sunfish"]
    class_life.archive(sunfish)
    time.on(61)
    here = select(func.count()).where(Child.class_id == sunfish)
    before = db.session.scalar(here)
    work = retention.end_what_is_due()
    while db.session.scalar(here) == before:
        db.session.rollback()
        next(work)
    class_life.restore(sunfish)
    list(work)
    assert db.session.scalar(here) == before - 1
    assert db.session.get(SchoolClass, sunfish) is not None


def test_a_class_whose_last_day_is_moved_meanwhile_is_not_archived(
    school: World, time: Time
) -> None:
    first, second = sorted((school.classes["sunfish"], school.classes["perch"]))
    for room in (first, second):
        class_life.set_end(room, clock.day() + 10)
    time.on(11)
    work = retention.end_what_is_due()
    while not class_life.is_archived(first):
        next(work)
    class_life.set_end(second, clock.day() + 10)
    list(work)
    assert not class_life.is_archived(second)


def test_a_clock_that_runs_ahead_archives_and_deletes_nothing(school: World, time: Time) -> None:
    class_life.set_end(school.classes["sunfish"], clock.day() + 10)
    before = count(Child), count(Move), count(SchoolClass)
    time.on(800)
    retention.Tidying().when_due()
    assert (count(Child), count(Move), count(SchoolClass)) == before
    assert not class_life.is_archived(school.classes["sunfish"])


def test_the_worker_ends_what_is_due_once_a_day(school: World, time: Time) -> None:
    class_life.set_end(school.classes["sunfish"], clock.day())
    time.on(1.5)
    health.Watch().look()
    assert class_life.is_archived(school.classes["sunfish"])


# ---- moves


def test_the_moves_of_an_old_round_go_and_its_results_stay(school: World, time: Time) -> None:
    ben, played = school.children["Benquill"], school.rounds["Benquill"]
    count_all()
    before = results(ben)
    time.on(89)
    list(retention.end_what_is_due())
    assert count_moves(played) > 0
    time.on(2)
    list(retention.end_what_is_due())
    assert count_moves(played) == 0
    assert db.session.get_one(Round, played).deck == []
    assert results(ben) == before
    with pytest.raises(MovesGone):
        rounds.replay(played, 0, 0)
    with pytest.raises(MovesGone):
        rounds.table(played, 0)
    assert not any(differed for _, differed in evidence_log.recount())
    assert [line.round_id for line in overview.child_page(ben).rounds] == [played]
    assert skill_reports.of_child(ben) is not None
    assert overview.sure_asks(played) is not None
    record = {name: list(rows) for name, rows in exports.record(ben, school.adults["lake"])}
    assert record["moves"] == []
    assert record["evidence"]
    assert matches.start_match(ben) > played


def results(child_id: int) -> list[tuple[object, ...]]:
    found: list[tuple[object, ...]] = []
    for model in (ChildRound, EvidenceRow):
        rows = db.session.execute(select(*model.__table__.c).where(model.child_id == child_id))
        found += [tuple(map(str, row)) for row in rows]
    db.session.rollback()
    return found


def count_moves(round_id: int) -> int:
    return db.session.scalar(select(func.count()).where(Move.round_id == round_id)) or 0


def test_a_next_round_follows_one_whose_moves_are_gone(school: World, time: Time) -> None:
    ben, played = school.children["Benquill"], school.rounds["Benquill"]
    time.on(91)
    list(retention.end_what_is_due())
    match_id = db.session.get_one(Round, played).match_id
    following = matches.next_round(match_id, ben)
    assert following is not None
    play_out(ben)


def test_a_round_that_nobody_goes_on_with_ends_and_then_goes_too(school: World, time: Time) -> None:
    mia, round_id = school.children["Miaqua"], school.rounds["Miaqua"]
    time.on(60)
    seat = rounds.seat_of(round_id, mia)
    assert seat is not None
    move(round_id, seat)
    time.on(60)
    list(retention.end_what_is_due())
    assert matches.current_round(mia) == round_id, "it was played sixty days ago"
    time.on(31)
    list(retention.end_what_is_due())
    assert matches.current_round(mia) is None
    with pytest.raises(LeftOff):
        rounds.table(round_id, seat)
    assert count_moves(round_id) > 0
    time.on(91)
    list(retention.end_what_is_due())
    assert count_moves(round_id) == 0


def move(round_id: int, seat: int) -> None:
    background.play_now(round_id)
    table = rounds.table(round_id, seat)
    action = random.Random(1).choice(table.observation.legal)
    rounds.play(round_id, seat, action, secrets.token_hex(8), table.seq)


def test_old_moves_go_in_portions_and_only_once(
    school: World, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rounds, "AT_ONCE", 2)
    for name in ("Miaqua", "Adaquist"):
        play_out(school.children[name])
    time.on(91)
    before = limits.kept_since("keep_moves")
    assert [len(list(rounds.forget_moves(1, before))) for _ in range(2)] == [2, 0]


# ---- no byte, and no return


def fill(school: World, many: int) -> list[str]:
    """Make archived classes of children with canaries for names. Returns the names."""
    names = [f"Quill{chr(97 + n // 26)}{chr(97 + n % 26)}canary" for n in range(many)]
    for at in range(0, many, 40):
        room = classes.make_class(school.adults["lake"], 1, f"Leavers {at}")
        add_list(room, "\n".join(names[at : at + 40]))
        child = db.session.scalar(select(Child.id).where(Child.name == names[at]))
        assert child is not None
        matches.start_match(child)
        play_out(child)
        class_life.archive(room)
    return names


def bytes_of(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.glob("school.db*"))


@pytest.mark.sqlite
def test_no_byte_of_an_ended_class_is_left_in_the_file_its_log_or_a_new_copy(
    school: World, time: Time
) -> None:
    fill(school, 12)
    folder = Path(school.app.instance_path)
    assert b"canary" in bytes_of(folder)
    time.on(61)
    list(retention.end_what_is_due())
    db.session.remove()
    assert b"canary" not in bytes_of(folder)
    assert b"Leavers" not in bytes_of(folder)
    copies.backup(folder / "school.db", folder / "new.db")
    assert b"canary" not in (folder / "new.db").read_bytes()


@pytest.mark.sqlite
def test_older_copies_hold_it_until_their_own_time_is_over(school: World, time: Time) -> None:
    limits.choose_days(1, {**limits.days_kept(), "keep_copies": 10})
    folder = Path(school.app.instance_path)
    names = [copies.copy_aside(folder / "school.db", str(number), 9) for number in range(4)]
    at = names[0].stat().st_mtime
    for days, left in ((9, 4), (11, copies.KEPT_COPIES)):
        time.at = at + days * DAY
        list(retention.tidy())
        assert len(list((folder / copies.FOLDER).glob("*.db"))) == left


@pytest.mark.sqlite
def test_none_of_a_hundred_removed_children_comes_back_with_a_backup(
    school: World, time: Time, tmp_path: Path, whole: bool
) -> None:
    names = fill(school, 100 if whole else 41)  # of more than one class
    folder = Path(school.app.instance_path)
    copies.backup(folder / "school.db", tmp_path / "backup.db")
    time.on(61)
    list(retention.end_what_is_due())
    with closing(sqlite3.connect(tmp_path / "backup.db")) as backup:
        held = backup.execute("SELECT count(*) FROM children WHERE name LIKE '%canary'").fetchone()
    assert held == (len(names),)
    db.session.remove()
    db.engine.dispose()
    _put_in_place(tmp_path / "backup.db", folder / "school.db")
    restored.replay()
    back = select(func.count()).where(Child.name.like("%canary"))
    assert db.session.scalar(back) == 0
    assert (
        db.session.scalar(select(SchoolClass.id).where(SchoolClass.name.like("Leavers%"))) is None
    )
    assert count(Child) == 4, "nobody else is gone"


def _put_in_place(backup: Path, database: Path) -> None:
    with closing(sqlite3.connect(backup)) as source, closing(sqlite3.connect(database)) as target:
        source.backup(target)


def test_a_merged_child_is_merged_again_after_a_restore(school: World) -> None:
    ben = school.children["Benquill"]
    again = classes.add_child(school.classes["sunfish"], "Ben Q")
    with write_unit():
        other = db.session.get_one(Child, again)
        made, into = repr(other.created_at), db.session.get_one(Child, ben)
        into_made = repr(into.created_at)
    matches.start_match(again)
    play_out(again)
    both = count(ChildRound)
    with write_unit():
        assert not restored._merged(again, made, str(ben), "1.5"), "another child has this number"
        assert restored._merged(again, made, str(ben), into_made)
    assert count(ChildRound) == both
    assert db.session.get(Child, again) is None
    assert child_moves.mates(ben)[0].name == "Miaqua"


def test_a_class_that_got_children_since_stays_after_a_restore(school: World) -> None:
    sunfish = school.classes["sunfish"]
    made = repr(db.session.get_one(SchoolClass, sunfish).created_at)
    with write_unit():
        assert not restored._class(sunfish, made)
        db.session.execute(
            update(Child).where(Child.class_id == sunfish).values(class_id=school.classes["perch"])
        )
        assert not restored._class(sunfish, "1.5")
        assert restored._class(sunfish, made)
    assert db.session.get(SchoolClass, sunfish) is None
    assert count(Match) == 5, "rounds of the children who moved away stay"


def test_the_record_of_who_looked_is_kept_as_long_as_the_school_says(
    school: World, time: Time
) -> None:
    limits.choose_days(1, {**limits.days_kept(), "keep_audit": 200}, by=school.adults["admin"])
    looks = select(func.count()).where(AuditEntry.action == "keeping")
    for days, left in ((199, 1), (2, 0)):
        time.on(days)
        list(retention.tidy())
        assert db.session.scalar(looks) == left
