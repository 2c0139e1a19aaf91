"""Groups inside a class, and the plan for its next lesson."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from classroom.database import db
from classroom.models import Gathering
from classroom.services.base.errors import NotFound, Refused
from classroom.services.lesson import lessons, seating
from classroom.services.lesson.lessons import TablePlan
from classroom.services.quiz import question_settings
from classroom.services.school import classes
from tests.conftest import Rooms, finish
from tests.playing import Classroom, browser
from tests.services.test_locks import a_teacher


@pytest.fixture
def room(tmp_path: Path, rooms: Rooms) -> Iterator[Classroom]:
    made = rooms.copy(tmp_path / "instance", 8)
    with made.app.app_context():
        yield made
    finish(made.app)


def ids(room: Classroom, *names: str) -> tuple[int, ...]:
    return tuple(room.children[name] for name in names)


def here(room: Classroom, *names: str) -> None:
    for name in names:
        browser(room, name).get("/play/")


# ---- groups


def group(room: Classroom, name: str, *children: int) -> int:
    """Make a group of these children. Returns its id."""
    seating.change_groups(room.class_id, dict.fromkeys(children, seating.NEW_GROUP), name)
    return seating.groups_of(room.class_id)[-1].group_id


def test_a_child_is_in_one_group_and_can_change_it(room: Classroom) -> None:
    (mia,) = ids(room, "Mia")
    group(room, "Owls", mia)
    foxes = group(room, "Foxes")
    seating.change_groups(room.class_id, {mia: foxes})
    assert [one.children for one in seating.groups_of(room.class_id)] == [(), (mia,)]
    seating.change_groups(room.class_id, {mia: None})
    assert [one.children for one in seating.groups_of(room.class_id)] == [(), ()]


def test_a_removed_group_leaves_its_children_in_the_class(room: Classroom) -> None:
    owls = group(room, "Owls", *ids(room, "Mia", "Ben"))
    seating.change_groups(room.class_id, {}, gone=[owls])
    assert seating.groups_of(room.class_id) == ()
    assert len(lessons.children_of_plan(room.class_id)) == 8


@pytest.mark.parametrize(
    ("name", "code"),
    [(" @ ", "group_name"), ("x" * 31, "group_name"), ("owls", "group_name_known")],
)
def test_a_group_needs_a_name_of_its_own(room: Classroom, name: str, code: str) -> None:
    group(room, "Owls")
    with pytest.raises(Refused, match=code):
        seating.change_groups(room.class_id, {}, name)


def test_groups_of_another_class_cannot_be_changed(room: Classroom) -> None:
    owls = group(room, "Owls")
    other = classes.make_class(a_teacher(), 1, "Toads")
    seating.change_groups(other, dict.fromkeys(ids(room, "Mia"), owls), gone=[owls])
    assert [one.children for one in seating.groups_of(room.class_id)] == [()]


def test_each_group_sits_at_its_own_tables(room: Classroom) -> None:
    mine = ids(room, "Mia", "Ben", "Ada")
    group(room, "Owls", *mine)
    every = [child.child_id for child in lessons.children_of_plan(room.class_id)]
    tables = seating.split(room.class_id, [one for one in every if one], 2, seating.GROUPS)
    assert [set(table) <= set(mine) for table in tables] == [True, True, False, False, False]


# ---- the plan


def test_a_plan_is_kept_and_replaced(room: Classroom) -> None:
    first = TablePlan(game="classic", children=ids(room, "Ben", "Mia"), numbers=(0, 5))
    lessons.save_plan(room.class_id, [first, TablePlan(game="fours", children=())])
    (found,) = lessons.plan_of(room.class_id)
    assert (found.game, found.numbers, set(found.children)) == (
        "classic",
        (0, 5),
        set(first.children),
    )
    lessons.save_plan(room.class_id, [TablePlan(game="fours", children=ids(room, "Ada"))])
    assert [one.game for one in lessons.plan_of(room.class_id)] == ["fours"]


def test_a_child_sits_at_one_planned_table(room: Classroom) -> None:
    mia = ids(room, "Mia")
    tables = [TablePlan(game="classic", children=mia), TablePlan(game="fours", children=mia)]
    lessons.save_plan(room.class_id, tables)
    assert [one.game for one in lessons.plan_of(room.class_id)] == ["classic"]


def test_what_cannot_be_played_is_not_planned(room: Classroom) -> None:
    many = ids(room, *list(room.children)[:7])
    with pytest.raises(Refused, match="too_many"):
        lessons.save_plan(room.class_id, [TablePlan(game="classic", children=many)])
    with pytest.raises(NotFound):
        lessons.save_plan(room.class_id, [TablePlan(game="nothing", children=many[:2])])
    with pytest.raises(Refused, match="numbers"):
        lessons.save_plan(
            room.class_id, [TablePlan(game="classic", children=many[:2], numbers=(3, 4))]
        )
    assert lessons.plan_of(room.class_id) == ()


def test_one_tap_starts_the_tables_of_those_who_are_here(room: Classroom) -> None:
    here(room, "Mia", "Ben")
    tables = [
        TablePlan(game="classic", children=ids(room, "Mia", "Ben"), numbers=(0, 5)),
        TablePlan(game="fours", children=ids(room, "Ada", "Theo")),
    ]
    lessons.save_plan(room.class_id, tables)
    assert len(lessons.begin_planned(room.class_id, a_teacher())) == 1
    kept = db.session.query(Gathering).order_by(Gathering.id).all()
    assert [(row.game, row.match_id is not None) for row in kept] == [
        ("classic", True),
        ("fours", False),
    ]
    mia, lina = ids(room, "Mia", "Lina")
    assert (
        question_settings.asking(mia).bounds.low,
        question_settings.asking(mia).bounds.high,
    ) == (
        0,
        5,
    )
    assert question_settings.asking(lina).bounds.high > 5
    assert lessons.plan_of(room.class_id), "the plan stays for another time"


def test_without_a_plan_nothing_begins(room: Classroom) -> None:
    with pytest.raises(Refused, match="no_plan"):
        lessons.begin_planned(room.class_id)


def test_a_proposal_seats_everyone_once(room: Classroom) -> None:
    tables = lessons.proposed_plan(room.class_id, 3, seating.MIXED)
    seated = [child for one in tables for child in one.children]
    assert sorted(seated) == sorted(room.children.values())
    assert max(len(one.children) for one in tables) == 3


# ---- everybody in one tap


def seats(game: str) -> list[tuple[bool, int]]:
    """Whether each table at this game plays, and how many children sit there."""
    rows = db.session.query(Gathering).filter_by(game=game).order_by(Gathering.id)
    return [
        (row.match_id is not None, sum(place.child_id is not None for place in row.places))
        for row in rows
    ]


def test_one_tap_seats_everyone_who_is_here_and_starts(room: Classroom) -> None:
    with pytest.raises(Refused, match="nobody_here"):
        lessons.seat_and_start(room.class_id, a_teacher())
    here(room, "Mia", "Ben", "Ada", "Theo", "Lina")
    assert len(lessons.seat_and_start(room.class_id, a_teacher())) == 2
    assert seats("classic") == [(True, 3), (True, 2)]


def test_one_tap_leaves_alone_whom_a_teacher_has_seated(room: Classroom) -> None:
    here(room, "Mia", "Ben")
    seating.seat_together(room.class_id, "make_five", ids(room, "Mia", "Ben"), a_teacher())
    here(room, "Ada")
    lessons.seat_and_start(room.class_id, a_teacher())
    assert seats("make_five") == [(True, 2), (True, 1)], "who comes later plays the same game"
    assert lessons.seat_and_start(room.class_id, a_teacher()) == (), "nobody is left"


def test_one_tap_begins_the_plan_and_seats_the_others(room: Classroom) -> None:
    plan = TablePlan(game="fours", children=ids(room, "Mia", "Ben", "Noor"))
    lessons.save_plan(room.class_id, [plan])
    here(room, "Mia", "Ben", "Ada")
    assert len(lessons.seat_and_start(room.class_id, a_teacher())) == 2
    assert seats("fours") == [(True, 2), (True, 1)]


# ---- ready-made lessons


def test_a_ready_made_lesson_seats_everyone_at_its_game(room: Classroom) -> None:
    here(room, "Mia", "Ben", "Ada")
    lessons.seat_and_start(room.class_id, a_teacher())
    assert len(classes.begin_outline(room.class_id, "make-five", a_teacher())) == 1
    assert (seats("classic"), seats("make_five")) == ([], [(True, 3)])
    assert lessons.last_outline_of(room.class_id) == "make-five"


def test_before_children_are_here_its_game_is_kept(room: Classroom) -> None:
    assert classes.begin_outline(room.class_id, "ten-friends", a_teacher()) == ()
    here(room, "Mia", "Ben")
    lessons.seat_and_start(room.class_id, a_teacher())
    assert seats("make_ten") == [(True, 2)]


def test_before_children_are_here_it_goes_before_the_plan(room: Classroom) -> None:
    lessons.save_plan(room.class_id, [TablePlan(game="classic", children=ids(room, "Mia", "Ben"))])
    classes.begin_outline(room.class_id, "ten-friends", a_teacher())
    here(room, "Mia", "Ben")
    lessons.seat_and_start(room.class_id, a_teacher())
    assert (seats("make_ten"), seats("classic")) == ([(True, 2)], [])


def test_the_next_lesson_of_the_class_begins_without_it(room: Classroom) -> None:
    classes.begin_outline(room.class_id, "ten-friends", a_teacher())
    classes.close_class(room.class_id)
    classes.open_class(room.class_id)
    here(room, "Mia", "Ben")
    lessons.seat_and_start(room.class_id, a_teacher())
    assert (seats("make_ten"), seats("classic")) == ([], [(True, 2)])
    assert lessons.last_outline_of(room.class_id) == "ten-friends", "its place is kept"


def test_an_unknown_lesson_is_not_begun(room: Classroom) -> None:
    with pytest.raises(NotFound):
        classes.begin_outline(room.class_id, "make-six", a_teacher())
