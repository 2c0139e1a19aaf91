"""A table that the teacher seats at one tablet, from the plan to the first raised hand."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import func, select

from classroom.database import db
from classroom.models import Child, Gathering, Round, SchoolClass, Session
from classroom.services.access import sign_in
from classroom.services.base.errors import Refused
from classroom.services.lesson import lessons, open_tables, seating
from classroom.services.lesson.lessons import TablePlan
from tests.conftest import Rooms, finish
from tests.playing import (
    Browser,
    Classroom,
    browser,
    client_with,
    signed_in,
    teacher_of,
)
from tests.web.test_shared import NAMES, SIZES, Tablet, shown


@pytest.fixture
def room(tmp_path: Path, rooms: Rooms) -> Iterator[Classroom]:
    made = rooms.copy(tmp_path / "instance", 6)
    yield made
    finish(made.app)


def plan(room: Classroom, *names: str, game: str = "classic") -> int:
    """Let the teacher seat these children at one tablet; returns the table."""
    with room.app.app_context():
        teacher, children = teacher_of(room.class_id), [room.children[name] for name in names]
        seating.seat_together(room.class_id, game, children, teacher)
        table = seating.plan(room.class_id).tables[-1].gathering_id
        seating.at_one_tablet(room.class_id, table, shared=True)
        return table


def start(room: Classroom) -> tuple[int, ...]:
    with room.app.app_context():
        return seating.start_all(room.class_id, teacher_of(room.class_id))


def let_in(room: Classroom, name: str) -> Tablet:
    """The child taps its pictures on a device of the class, which follows where it is led."""
    with room.app.app_context():
        code = db.session.get_one(SchoolClass, room.class_id).code
        child = db.session.get_one(Child, room.children[name])
        pictures = sign_in.pictures_of(child)
        device = secrets.token_hex(16)
        kept = {"school": sign_in.open_device(code, device), "school-device": device}
    page, door = Browser(client_with(room.app, kept)), f"/animals/{room.children[name]}"
    page.get("/animals")
    page.post(f"{door}/knock", htmx=False)
    page.get(door)
    tapped = {f"p{number}": one for number, one in enumerate(pictures, 1)}
    answer = page.post(door, htmx=False, **tapped)
    assert answer.status_code == 303, answer.text
    made = Tablet(room, page)
    where = page.get(answer.headers["Location"]).headers.get("Location", "")
    if "/play/shared/" in where:
        made.round_id = int(where.rpartition("/")[2])
        page.get(made.at)
    return made


def sitters(room: Classroom, round_id: int) -> list[str]:
    with room.app.app_context():
        found = db.session.get_one(Round, round_id).match
        return [player.name for player in found.players]


@pytest.mark.walk(3)
@SIZES
def test_the_first_child_who_is_let_in_brings_the_seats_of_all(room: Classroom, seats: int) -> None:
    plan(room, *NAMES[:seats])
    assert start(room) == ()  # nobody is here: the table waits for its tablet
    other = let_in(room, "Lina")
    assert not other.round_id
    made = let_in(room, NAMES[1])
    assert made.round_id
    assert sitters(room, made.round_id) == list(NAMES[:seats])
    assert not any(shown(text) for text in made.everything())
    for seat in range(seats):
        assert shown(made.raise_(seat).text) == set(made.seen_by(seat).hand)
    late = let_in(room, NAMES[0])  # the next one gets no second table
    assert not late.round_id
    assert late.page.post(made.at + "/hand", seat=0).status_code == 404


def test_before_the_teacher_starts_a_child_waits_as_at_any_table(room: Classroom) -> None:
    plan(room, "Mia", "Ben")
    mia = let_in(room, "Mia")
    assert not mia.round_id
    assert "Your teacher starts the game." in mia.page.get("/play/friends").text
    (round_id,) = start(room)
    answer = mia.page.get("/play/friends")  # its page reloads
    assert answer.headers["Location"] == "/"
    assert mia.page.get("/").headers["Location"].endswith(f"/play/shared/{round_id}")


def test_all_who_are_signed_in_elsewhere_move_to_the_tablet_of_the_first(room: Classroom) -> None:
    mia, ben = browser(room, "Mia"), browser(room, "Ben")
    plan(room, "Ben", "Mia", "Ada")
    (round_id,) = start(room)
    made = Tablet(room, mia, round_id)
    mia.get(made.at)
    assert shown(made.raise_(0).text) == set(made.seen_by(0).hand)
    assert ben.post(made.at + "/hand", seat=0).status_code in (401, 403, 404)
    assert 'id="here-again"' in ben.get("/animals").text
    with room.app.app_context():
        assert db.session.scalar(select(func.count(Session.child_id))) == 0


def test_the_same_tablet_goes_on_with_the_next_table_of_its_children(room: Classroom) -> None:
    made = Tablet(room, browser(room, "Mia"))
    made.seat(["Ben"])
    plan(room, "Ben", "Ada")
    (round_id,) = start(room)
    assert made.page.get(made.at).status_code == 404  # from where the script leads on
    assert made.page.get("/").headers["Location"].endswith(f"/play/shared/{round_id}")


def test_a_table_that_does_not_fit_is_not_marked(room: Classroom) -> None:
    with pytest.raises(Refused, match="one_tablet"):
        plan(room, *NAMES[:2], game="fours")
    with pytest.raises(Refused, match="one_tablet"):
        plan(room, *NAMES[:5])
    with room.app.app_context():
        assert not any(table.shared for table in seating.plan(room.class_id).tables)


def test_a_marked_table_that_fits_no_more_begins_as_any_other(room: Classroom) -> None:
    browser(room, "Mia")
    plan(room, "Mia", "Ben")
    with room.app.app_context():
        seating.move(room.class_id, room.children["Ben"], None, 0)
    (round_id,) = start(room)
    with room.app.app_context():
        assert open_tables.round_of(room.children["Mia"]) == round_id


def test_a_plan_for_the_next_lesson_keeps_the_mark(room: Classroom) -> None:
    with room.app.app_context():
        teacher = teacher_of(room.class_id)
        children = tuple(room.children[name] for name in ("Mia", "Ben"))
        lessons.save_plan(
            room.class_id, [TablePlan(game="classic", children=children, shared=True)]
        )
        assert lessons.plan_of(room.class_id)[0].shared
        assert lessons.begin_planned(room.class_id, teacher) == ()
        assert db.session.scalars(select(Gathering)).one().shared
        with pytest.raises(Refused, match="one_tablet"):
            plan_of_one = TablePlan(game="classic", children=children[:1], shared=True)
            lessons.save_plan(room.class_id, [plan_of_one])
    assert let_in(room, "Ben").round_id


def test_the_mark_is_one_tap_on_the_seats_page(room: Classroom) -> None:
    with room.app.app_context():
        teacher, children = teacher_of(room.class_id), list(room.children.values())
        seating.seat_together(room.class_id, "classic", children[:2], teacher)
        seating.seat_together(room.class_id, "fours", children[2:4], teacher)
        kept = signed_in(adult_id=teacher)
    page, at = Browser(client_with(room.app, kept)), f"/teach/classes/{room.class_id}/seats"
    marks = [re.findall('aria-pressed="(true|false)"', page.get(at).text)]
    for table, shared in ((1, "1"), (2, "1"), (1, "")):
        sent = {"table": table} | ({"shared": shared} if shared else {})
        answer = page.post(f"{at}/tablet", htmx=False, **sent)
        assert (answer.status_code == 303) is (table == 1)
        marks.append(re.findall('aria-pressed="(true|false)"', page.get(at).text))
    assert marks == [["false"] * 2, ["true", "false"], ["true", "false"], ["false"] * 2]
