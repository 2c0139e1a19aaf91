"""A school has a largest size and says so when it is full; a demo school is small."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import create_engine
from sqlalchemy.exc import OperationalError

from classroom.database import PAGE, db, prepare, write_unit
from classroom.engine.rules import Rules
from classroom.games import GAMES
from classroom.models import Adult, School
from classroom.services.access import accounts
from classroom.services.base import clock, limits
from classroom.services.base.errors import Refused
from classroom.services.lesson import own_games
from classroom.services.school import classes, family_links
from classroom.services.table import matches
from classroom.web.words import sentences
from tests.listed import add_list
from tests.playing import Classroom


def full(what: str) -> limits.Limits:
    """The limits of a demo school that has no room for one more of this."""
    most = db.session.scalar(limits._count(what)) or 0
    return demo(**{what: most})


def demo(**most: int) -> limits.Limits:
    """The limits of a demo school, but with these."""
    return limits.DEMO._replace(most={**limits.DEMO.most, **most})


def make_class(room: Classroom) -> None:
    adult = db.session.query(Adult.id).first()
    assert adult is not None
    classes.make_class(adult[0], school(), "Dragonflies")


def add_child(room: Classroom) -> None:
    classes.add_child(room.class_id, "Zoe")


def paste_list(room: Classroom) -> None:
    add_list(room.class_id, "Zoe")


def make_code(room: Classroom) -> None:
    family_links.make_code(room.children["Mia"])


def make_game(room: Classroom) -> None:
    rules: Rules = GAMES["classic"].rules
    own_games.save(room.class_id, "classic", "Our game", rules, "both", by=None)


def add_adult(room: Classroom) -> None:
    teacher("new")


def begin_round(room: Classroom) -> None:
    matches.start_match(room.children["Ben"])


def school() -> int:
    found = db.session.query(School.id).scalar()
    db.session.rollback()
    return int(found)


def teacher(login: str) -> int:
    school_id = school()
    with write_unit():
        return accounts.add_adult(school_id, "teacher", "Ms Lake", login, "-")


ADDS = [
    ("classes", make_class),
    ("children", add_child),
    ("children", paste_list),
    ("codes", make_code),
    ("own_games", make_game),
    ("adults", add_adult),
    ("rounds", begin_round),
]


@pytest.mark.parametrize(("what", "add"), ADDS, ids=lambda value: getattr(value, "__name__", value))
def test_a_full_school_refuses_more_in_one_sentence(
    room: Classroom, what: str, add: Callable[[Classroom], None]
) -> None:
    teacher("lake")
    here = full(what)
    limits.use(db.engine, here)
    with pytest.raises(Refused) as refused:
        add(room)
    assert refused.value.code == "demo_full"
    said = sentences.sentence(refused.value)
    assert f": it can have at most {here.most[what]} " in said
    assert "reset every night" in said
    limits.use(db.engine, demo(**{what: (here.most[what] or 0) + 1}))
    add(room)


def test_a_used_or_expired_code_makes_room_for_another(room: Classroom) -> None:
    with clock.clock_at(clock.now() - 15 * clock.SECONDS_A_DAY):
        make_code(room)
    limits.use(db.engine, demo(codes=1))
    make_code(room)
    with pytest.raises(Refused):
        make_code(room)


def test_a_list_that_does_not_fit_is_refused_as_a_whole(room: Classroom) -> None:
    here = full("children")
    limits.use(db.engine, demo(children=(here.most["children"] or 0) + 2))
    with pytest.raises(Refused):
        add_list(room.class_id, "Zoe\nYan\nXia")
    assert full("children") == here
    add_list(room.class_id, "Zoe\nYan")


def test_a_real_school_has_limits_that_it_never_comes_near(room: Classroom) -> None:
    for what, _ in ADDS:
        there, most = full(what).most[what] or 0, limits.SCHOOL.most[what]
        assert most is None or most >= 100 * there >= 0
    make_code(room)  # nothing is refused


def test_a_database_grows_to_its_largest_size_and_no_further(tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path / 'small.db'}")
    prepare(engine, 50 * PAGE)
    with engine.connect() as connection:
        connection.exec_driver_sql("CREATE TABLE words (word TEXT)")
        with pytest.raises(OperationalError, match="full"):
            for _ in range(100):
                connection.exec_driver_sql("INSERT INTO words VALUES (?)", ("x" * PAGE,))
                connection.commit()
        connection.rollback()
        assert connection.exec_driver_sql("PRAGMA page_count").scalar_one() in range(45, 51)
    engine.dispose()
