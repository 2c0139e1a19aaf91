"""The demo school: the file of its rows, how its days are moved, and how the file is made."""

from __future__ import annotations

import json
import lzma
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from classroom.app import create_app
from classroom.database import db
from classroom.services.base import clock
from classroom.services.base.clock import SchoolPlace
from classroom.services.operation import look_around, upkeep
from tests.conftest import finish
from tests.world import Visitor
from tools import make_demo

KEPT: dict[str, Any] = json.loads(lzma.decompress(look_around.ROWS.read_bytes()))
MONDAY = datetime(2027, 3, 29, 7, 30, tzinfo=UTC)  # a day after the clocks changed in Europe


@contextmanager
def at(when: datetime, zone: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """It is this time of day in this time zone."""
    monkeypatch.setattr(clock, "here", lambda: SchoolPlace(time_zone=zone))
    with clock.clock_at(when.replace(tzinfo=ZoneInfo(zone)).timestamp()):
        yield


def days_of(file: Path) -> list[date]:
    with closing(sqlite3.connect(file)) as made:
        days = made.execute("SELECT DISTINCT day FROM child_rounds ORDER BY day").fetchall()
    return [date(1970, 1, 1) + timedelta(days=day) for (day,) in days]


@pytest.mark.walk(4)
@pytest.mark.parametrize("later", range(7))
def test_its_lessons_are_the_last_game_days_before_today_at_their_hours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, later: int
) -> None:
    zone = ("Europe/London", "Pacific/Auckland", "America/Los_Angeles")[later % 3]
    today = MONDAY + timedelta(days=later)
    with at(today, zone, monkeypatch):
        look_around.load_rows(tmp_path / "demo-1.db")
    days = days_of(tmp_path / "demo-1.db")
    three_weeks = [today.date() - timedelta(days=ago) for ago in range(21, 0, -1)]
    assert days == [day for day in three_weeks if day.weekday() in look_around.GAME_DAYS]
    with closing(sqlite3.connect(tmp_path / "demo-1.db")) as made:
        for at_, day in made.execute("SELECT at, day FROM evidence"):
            local = datetime.fromtimestamp(at_, ZoneInfo(zone))
            assert (local.date() - date(1970, 1, 1)).days == day
            assert 9 <= local.hour < 11


def test_what_chooses_a_childs_questions_moves_with_its_lessons(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with at(MONDAY, "Europe/London", monkeypatch):
        look_around.load_rows(tmp_path / "demo-1.db")
    lessons = {(day - date(1970, 1, 1)).days for day in days_of(tmp_path / "demo-1.db")}
    with closing(sqlite3.connect(tmp_path / "demo-1.db")) as made:
        rows = made.execute("SELECT history FROM child_histories").fetchall()
    now = asked_on([json.loads(text) for (text,) in rows])
    assert now <= lessons
    assert len(now) == len(asked_on(KEPT["rows"]["child_histories"]["history"])) > 5


def asked_on(histories: list[Any]) -> set[int]:
    return {one["day"] for history in histories for one in history["standings"].values()}


def test_the_file_suits_the_tables_and_the_games_of_this_version(tmp_path: Path) -> None:
    for name, columns in KEPT["rows"].items():
        table = db.metadata.tables[name]
        assert columns.keys() <= set(table.columns.keys()), "python -m tools.make_demo"
        needed = {c.name for c in table.columns if not c.nullable and c.server_default is None}
        assert needed - {"counted"} <= columns.keys(), "python -m tools.make_demo"
    look_around.load_rows(tmp_path / "demo-1.db")
    assert upkeep.is_current(tmp_path / "demo-1.db")
    assert [found.name for found in tmp_path.glob("demo-1.db*")] == ["demo-1.db"]


def test_every_kind_of_page_opens_in_it(tmp_path: Path) -> None:
    """Also the rounds of its children, which are played again from their moves."""
    look_around.load_rows(tmp_path / "demo-1.db")
    address = f"sqlite:///{tmp_path / 'demo-1.db'}"
    app = create_app({"INSTANCE": str(tmp_path), "DEMO": True, "DATABASE_URI": address})
    replays = [f"/teach/rounds/{number}" for number in range(1, 50, 7)]
    pages = {
        ("adult", 2): ["/teach/", "/teach/classes/1", "/teach/classes/1/skills", *replays],
        ("adult", 3): ["/family/", "/family/children/15", "/family/children/15/progress"],
        ("child", 15): ["/play/", "/play/friends"],
    }
    for (kind, number), addresses in pages.items():
        visitor = Visitor(app.test_client())
        assert visitor.post("/demo-in", {kind: number}).status_code == 303
        for address in addresses:
            assert visitor.get(address).status_code == 200, address
    finish(app)


# ---- making the file


def test_a_small_school_that_is_played_comes_out_of_its_file_as_it_went_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    three = tuple(one for one in make_demo.CHILDREN if one.name in "Mia Ben Lina")
    monkeypatch.setattr(make_demo, "WEEKS", 1)
    monkeypatch.setattr(make_demo, "CHILDREN", three)
    monkeypatch.setattr(look_around, "ROWS", tmp_path / "rows.json.xz")
    monkeypatch.setattr(clock, "here", lambda: SchoolPlace(time_zone=look_around.ZONE))
    played, loaded = tmp_path / "demo-1.db", tmp_path / "demo-2.db"
    app = create_app(
        {"INSTANCE": str(tmp_path), "DEMO": True, "DATABASE_URI": f"sqlite:///{played}"}
    )
    with app.app_context():
        make_demo.make(lambda _share: None)
        make_demo.write(look_around.ROWS)
    finish(app)
    look_around.load_rows(loaded)
    before, after = rows_of(played), rows_of(loaded)
    assert before.keys() == after.keys() >= {"moves", "evidence", "child_histories", "choices"}
    for name, rows in before.items():
        assert after[name] == rows, name


def rows_of(file: Path) -> dict[str, list[Any]]:
    """The rows of all tables that have any, but those that depend on a key; JSON as values."""
    found = {}
    with closing(sqlite3.connect(file)) as made:
        made.row_factory = sqlite3.Row
        for table in db.metadata.sorted_tables:
            rows = [dict(row) for row in made.execute(f"SELECT * FROM {table.name}")]
            if rows and table.name not in make_demo.KEYED:
                found[table.name] = [{**row, "ends_day": None} for row in rows]
    return found


def test_its_class_has_the_size_and_the_ages_of_a_class() -> None:
    assert len({child.name for child in make_demo.CHILDREN}) == 25
    ages = Counter(child.age_band for child in make_demo.CHILDREN)
    assert set(ages) == {"5-6", "6-7"}
    assert min(ages.values()) > 8
    kin = {child for _, _, own, _ in make_demo.PARENTS for child in own}
    assert kin <= {child.name for child in make_demo.CHILDREN}
