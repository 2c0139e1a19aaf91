"""What adults see: true figures, few queries, and every look on record."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from classroom.database import db, write_unit
from classroom.models import AuditEntry, Child, ChildRound, Match, Player, Round, SchoolClass
from classroom.services.base import audit, clock
from classroom.services.base.errors import NotFound
from classroom.services.reports import figures, overview
from classroom.services.school import child_moves
from tests.playing import Classroom
from tests.statements import sent_to
from tests.world import World

NOON = 1_790_000_000.0
DAY = 86_400.0


def played(room: Classroom, child_id: int, at: float, **counts: object) -> int:
    """Write the figures of a child's round against an owl. Returns the round's id."""
    with write_unit():
        match = Match(class_id=room.class_id, game="classic", rules={}, created_at=at)
        db.session.add(match)
        db.session.flush()
        row = Round(match_id=match.id, number=1, dealer=0, deck=[], started_at=at)
        child = db.session.get_one(Child, child_id)
        db.session.add_all(
            [
                row,
                Player(
                    match_id=match.id,
                    seat=0,
                    child_id=child_id,
                    name=child.name,
                    animal=child.animal,
                    pad=1,
                ),
                Player(match_id=match.id, seat=1, level="perch", name="Owl", animal="owl", pad=1),
            ]
        )
        db.session.flush()
        db.session.add(
            ChildRound(
                child_id=child_id,
                round_id=row.id,
                seat=0,
                day=clock.day(at),
                last_at=at + 60,
                **{"asks": 10, "catches": 4, "books": 2, "seconds": 300.0, "over": True, **counts},
            )
        )
        return row.id


# ---- a class


def test_a_class_page_says_who_was_here_in_the_last_lessons(
    room: Classroom, mia: int, ben: int
) -> None:
    with write_unit():
        db.session.get_one(Child, mia).created_at = NOON - 30 * DAY
        db.session.get_one(Child, ben).created_at = NOON - 6 * DAY
    for days_ago in (0, 0, 1, 5, 7, 8, 9, 25):
        played(room, mia, NOON - days_ago * DAY)
    played(room, ben, NOON - DAY)
    played(room, ben, NOON, at_home=True)
    with clock.clock_at(NOON + 3600):
        found = overview.who_was_here(overview.class_page(room.class_id))
    today = clock.day(NOON)
    assert [(today - day, here, absent) for day, here, absent in found] == [
        *((0, 1, ("Ben",)), (1, 2, ()), (5, 1, ("Ben",))),
        *((7, 1, ()), (8, 1, ())),  # Ben had not come yet
    ]


def test_a_childs_page_says_when_it_last_played(room: Classroom, mia: int) -> None:
    for days_ago in (3, 1, 9):
        played(room, mia, NOON - days_ago * DAY)
    with clock.clock_at(NOON):
        assert overview.child_page(mia).ever.last_at == NOON - DAY + 60


def test_what_a_child_did_in_an_earlier_class_is_no_lesson_of_the_present_one(
    room: Classroom, mia: int, ben: int
) -> None:
    with write_unit():
        school_id = db.session.get_one(Child, ben).school_class.school_id
        another = SchoolClass(school_id=school_id, name="Another", code="999999", created_at=0.0)
        db.session.add(another)
        db.session.flush()
        other = another.id
        db.session.get_one(Child, ben).created_at = NOON - 30 * DAY
    played(room, ben, NOON - 2 * DAY)
    with clock.clock_at(NOON):
        child_moves.move(mia, other)
        child_moves.move(mia, room.class_id)
        found = overview.who_was_here(overview.class_page(other))
        assert found == ()
        (one,) = overview.who_was_here(overview.class_page(room.class_id))
    assert one[1:] == (1, ()), "Mia came back after it"


def test_a_class_page_says_on_which_days_each_child_played(
    room: Classroom, mia: int, ben: int
) -> None:
    for days_ago in (0, 0, 6, 20, 21):
        played(room, mia, NOON - days_ago * DAY)
    played(room, ben, NOON - 8 * DAY)
    with clock.clock_at(NOON + 3600):
        page = overview.class_page(room.class_id)
    first, second = page.children
    today = clock.day(NOON)
    assert (first.name, first.days, first.last_day) == ("Ben", {today - 8}, today - 8)
    assert (second.days, second.last_day) == ({today, today - 6, today - 20}, today)
    assert (page.played_today, page.played_lately) == (1, 1)


def test_a_larger_class_and_longer_history_take_no_more_queries(room: Classroom, mia: int) -> None:
    def queries() -> int:
        db.session.expire_all()
        with clock.clock_at(NOON), sent_to(db.engine, begins=True) as sent:
            overview.class_page(room.class_id)
            overview.child_page(mia)
        return len(sent)

    played(room, mia, NOON)
    few = queries()
    with write_unit():
        for number in range(10):
            db.session.add(
                Child(
                    class_id=room.class_id,
                    name=f"C{number}",
                    animal="cat",
                    pad=5 + number,
                    created_at=NOON,
                )
            )
    for child in db.session.scalars(select(Child.id)).all():
        for days_ago in range(3):
            played(room, child, NOON - days_ago * DAY)
    assert queries() == few <= 15


@pytest.mark.sqlite
def test_the_page_of_a_child_is_read_through_indexes(room: Classroom, mia: int) -> None:
    plan = db.session.connection().exec_driver_sql(
        "EXPLAIN QUERY PLAN SELECT day, count(*) FROM child_rounds WHERE child_id = 1 GROUP BY day"
    )
    assert any("ix_child_rounds_child_day" in str(row) for row in plan)


# ---- a child


def test_a_round_names_the_other_players(room: Classroom, mia: int) -> None:
    round_id = played(room, mia, NOON, hints=1, peeks=2)
    with clock.clock_at(NOON + 3600):
        page = overview.child_page(mia)
    (line,) = page.rounds
    assert (line.round_id, line.game, line.asks, line.catches, line.books) == (
        round_id,
        "classic",
        10,
        4,
        2,
    )
    assert (line.minutes, line.help, line.over) == (5, 3, True)
    assert [(other.name, other.level is None) for other in line.opponents] == [("Owl", False)]
    assert page.ever == page.week == page.today
    assert list(page.days) == [clock.day(NOON)]


def test_rounds_come_newest_first_and_a_page_at_a_time(room: Classroom, mia: int) -> None:
    made = [played(room, mia, NOON + number) for number in range(overview.PAGE + 3)]
    first = overview.child_page(mia)
    assert [line.round_id for line in first.rounds] == made[:2:-1]
    assert first.more == made[3]
    rest = overview.child_page(mia, first.more)
    assert [line.round_id for line in rest.rounds] == made[2::-1]
    assert rest.more is None


def test_less_than_a_minute_is_not_shown_as_nothing(room: Classroom, mia: int) -> None:
    played(room, mia, NOON, seconds=3.0)
    assert overview.child_page(mia).ever.minutes == 1
    assert figures.Totals().minutes == 0


def test_an_unknown_child_is_not_found(room: Classroom) -> None:
    for call in (overview.child_page, overview.class_page, overview.class_of):
        with pytest.raises(NotFound):
            call(987_654)
    with pytest.raises(NotFound):
        overview.round_page(987_654, 1)


# ---- on record


def test_a_look_is_on_record_once_a_sitting(world: World) -> None:
    with world.app.app_context():
        lake, mia = world.adults["lake"], world.children["Miaqua"]

        def rows() -> int:
            return len(db.session.scalars(select(AuditEntry)).all())

        before = rows()
        with clock.clock_at(NOON):
            overview.looked(lake, "child", mia)
            overview.looked(lake, "child", mia)
            assert overview.opened(lake, "child", mia, "read")
        assert rows() == before + 1
        with clock.clock_at(NOON + 60):
            overview.looked(lake, "child", world.children["Benquill"])
            overview.looked(world.adults["brook"], "child", mia)
            overview.looked(lake, "round", mia)
        assert rows() == before + 4
        with clock.clock_at(NOON + 90):
            with write_unit():  # an office adds the lists of a big school
                audit.record(world.adults["admin"], "add", "child", *range(5_000))
            overview.looked(lake, "child", mia)
        assert rows() == before + 5_004
        with clock.clock_at(NOON + overview.SITTING_SECONDS):
            assert not overview.opened(lake, "child", mia, "read")
            overview.looked(lake, "child", mia)
        assert rows() == before + 5_005
        db.session.rollback()
