"""The page of a class on a Monday: on which days each child played, and where it stands."""

from __future__ import annotations

import re
from html import unescape

import pytest

from classroom.database import db, write_unit
from classroom.models import ChildRound
from classroom.services.base import clock
from classroom.web.reports import charts, class_skills
from tests.learning.rows import rows
from tests.web.test_class_page import keep, on_days, plain, room
from tests.web.test_teach import INLINE
from tests.world import Visitor, World

MONDAY = 20_780  # a Monday, as a day number


@pytest.fixture
def lake(world: World) -> Visitor:
    return world.visitor("lake")


def line_of(page: str, name: str) -> str:
    """The row of a child."""
    return next(row for row in re.split("</?tr>", page) if f"<b>{name}</b>" in row)


def played_on(world: World, name: str, day: int) -> None:
    """Have all that this child has played lie on one day."""
    with world.app.app_context(), write_unit():
        theirs = ChildRound.child_id == world.children[name]
        db.session.query(ChildRound).where(theirs).update({"day": day})


def test_each_school_day_of_three_weeks_is_a_dot() -> None:
    assert clock.local(MONDAY * clock.SECONDS_A_DAY).weekday() == 0
    week = {MONDAY, MONDAY - 1, MONDAY - 3, MONDAY - 20}  # a Sunday, a Friday, the first day
    dots = charts.day_dots(week, MONDAY)
    assert len(dots.on) + len(dots.off) == charts.SCHOOL_DAYS
    assert dots.on == (4, 92, 103), "a weekend is a gap and no dot"


def test_a_child_who_has_not_played_for_long_has_a_mark(world: World, lake: Visitor) -> None:
    today = clock.day()
    played_on(world, "Miaqua", today - class_skills.LONG)
    played_on(world, "Benquill", today - class_skills.LONG + 1)
    page = lake.get(room(world)).text
    assert "8 days" in plain(line_of(page, "Miaqua"))
    assert "days" not in plain(line_of(page, "Benquill")).replace("school days", "")
    assert "Since last week: Benquill and Miaqua did not play." in plain(page)
    played_on(world, "Miaqua", today)
    assert "Since last week: Benquill did not play." in plain(lake.get(room(world)).text)


def test_growth_that_is_certain_and_new_is_told(world: World, lake: Visitor) -> None:
    for name in ("Miaqua", "Benquill"):
        played_on(world, name, clock.day())
    old = rows(20, 40, skill="how_many", day=clock.day() - 60, round_id=None, difficulty=0.0)
    keep(world, "Miaqua", old)
    new = rows(39, 40, skill="how_many", day=clock.day(), round_id=None, difficulty=2.5, start=100)
    keep(world, "Miaqua", new)
    text = plain(lake.get(room(world)).text)
    assert "Since last week: Miaqua (counting) made progress. Everybody played." in text


def test_levels_are_strips_and_what_was_missed_is_one_tap_away(world: World, lake: Visitor) -> None:
    keep(world, "Miaqua", on_days(6, 8, kind="count_hand"))
    page = lake.get(room(world)).text
    line = line_of(page, "Miaqua")
    assert line.count('<svg class="st ') == 1
    assert "Counts up to about" in line
    (missed,) = re.findall(r'href="([^"]*/missed)"', line)
    assert lake.get(unescape(missed)).status_code == 200
    assert "Catches" not in plain(page)
    assert not INLINE.search(page)


def test_a_substitute_sees_when_children_played_and_no_level(world: World) -> None:
    keep(world, "Miaqua", on_days(6, 8, kind="count_hand"))
    page = world.visitor("eddy").get(room(world)).text
    line = line_of(page, "Miaqua")
    assert 'class="days"' in line
    assert "st--" not in page.split("</defs>")[1]
    assert "missed" not in line


def test_who_was_here_and_who_was_not_is_below_the_children(world: World) -> None:
    played_on(world, "Miaqua", clock.day())
    played_on(world, "Benquill", clock.day() - 1)
    for reader in ("lake", "eddy"):
        text = plain(world.visitor(reader).get(room(world)).text)
        assert "Who was here" in text
        assert "1 child. Not here: Benquill." in text
