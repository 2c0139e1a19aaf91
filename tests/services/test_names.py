"""Names: two that look alike count as one, and every real name is allowed."""

from __future__ import annotations

import re
import subprocess
import sys
import time
import unicodedata

import pytest
from sqlalchemy import select

from classroom.config import ROOT
from classroom.database import db, write_unit
from classroom.models import Child
from classroom.services.access import sessions, sign_in
from classroom.services.base import names
from classroom.services.lesson import open_tables, seating
from classroom.services.lesson.live_class import live_class
from classroom.services.reports import overview, skill_reports
from classroom.services.school import classes
from tests.playing import Classroom

ALPHA = "\u0410"  # a capital A of the Cyrillic alphabet


def alike(one: str, other: str) -> bool:
    return names.is_like_one_of(one, [other])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Anna", f"{ALPHA}nna"),
        ("Anna", "\u0430nna"),
        ("Anna", "An\u200dna"),
        ("Anna", "\u200bAnna\ufeff"),
        ("Anna", "ANNA"),
        ("Bob", "\u0412ob"),  # only the capital В looks like a B
        ("Vera", "\u03bdera"),  # only the small nu looks like a v
        ("Вова", "ВОВА"),
        ("O'Neil", "O’Neil"),
        ("Şerban", "Șerban"),  # cedilla and comma
        ("علی", "علي"),  # the Persian and the Arabic letter differ
        ("José", "Jose\u0301"),
        ("Ｍｉａ", "Mia"),
        ("葛", "葛\U000e0100"),
    ],
)
def test_two_names_that_look_alike_are_one(one: str, other: str) -> None:
    assert alike(one, other)
    assert alike(other, one)


DIFFERENT = (
    "Anna Ana Anne Ema Erna Emma Ian Lan Jan Jose José Zoe Zoë Lukasz Łukasz Leo Léo Noa Noah "
    "Mia Mila Ilya Lilya Мария Марія Маша Миша Νίκος Νίκη 小明 小红 ゆい ゆき محمد محمود علی عالی "
    "נועה נועם नीना नीता 민준 민지 Aino Ainu Søren Soren Kim Tim Dim"
).split()


def test_real_names_in_all_scripts_are_distinguished() -> None:
    for at, one in enumerate(DIFFERENT):
        assert not names.is_like_one_of(one, DIFFERENT[at + 1 :]), one


@pytest.mark.parametrize(
    ("typed", "tidy"),
    [
        ("An\u200dna", "Anna"),
        ("\ufeffMia\u200b", "Mia"),
        ("Mi\u202ea", "Mia"),
        ("Anne\u00ad-Marie", "Anne-Marie"),
        ("\u200eنور\u200f", "نور"),
        ("\u3164Mia", "Mia"),
    ],
)
def test_invisible_characters_are_removed(typed: str, tidy: str) -> None:
    assert names.tidy(typed) == tidy


@pytest.mark.parametrize("name", ["علی\u200cرضا", "ශ්\u200dරී", "क्\u200dष", "Zoë", "D’Angelo"])
def test_a_joiner_that_shapes_a_name_is_kept(name: str) -> None:
    assert names.tidy(name) == unicodedata.normalize("NFC", name)
    assert names.trouble(name, names.CHILD_NAME) is None


@pytest.mark.parametrize("name", ["Wenhni:tare", "D’Angelo", "O'Neil", "N!xau", "Mia S.", "李小龙"])
def test_a_sign_that_is_part_of_a_name_is_allowed(name: str) -> None:
    assert names.trouble(name, names.CHILD_NAME) is None


def test_a_name_of_invisible_characters_is_empty() -> None:
    assert names.trouble(names.tidy("\u3164\u200b"), names.CHILD_NAME) == "empty"


# ---- the order of names

IN_ORDER = (
    "Ærø|Ana-Lucía|Ángel|Angela|Émile|Lina|Luca|Łukasz|Mia|mia B.|Ömer|Oskar|Šárka|Zoe|Zoë|أحمد"
)


def test_names_stand_where_a_reader_looks_for_them() -> None:
    found = IN_ORDER.split("|")
    shuffled = sorted(found)  # by bytes, as a database does
    assert shuffled != found
    assert sorted(shuffled, key=names.order) == found


def test_equal_names_stand_in_the_order_of_their_rows() -> None:
    assert sorted([("Zoë", 2), ("Zoe\u0308", 1)], key=lambda row: names.order(*row))[0][1] == 1


def test_a_thousand_names_are_sorted_quickly() -> None:
    names.order("")  # read the table of characters first
    many = [f"{name} {number}" for number in range(63) for name in IN_ORDER.split("|")][:1000]
    begun = time.perf_counter()
    sorted(many, key=names.order)
    assert time.perf_counter() - begun < 0.5


def test_the_order_of_characters_is_not_read_at_the_start() -> None:
    asked = "import classroom.app, sys; print('pyuca' in sys.modules)"
    found = subprocess.run(
        [sys.executable, "-c", asked], capture_output=True, text=True, check=True
    )
    assert found.stdout.strip() == "False"


def test_no_query_sorts_names() -> None:
    """A database sorts by bytes, or by the language of its machine."""
    for path in sorted((ROOT / "classroom").rglob("*.py")):
        asked = re.findall(r"order_by\(([^)]*)\)", path.read_text(encoding="utf-8"))
        assert not [columns for columns in asked if re.search(r"\bname\b", columns)], path


def test_every_list_of_children_is_in_this_order(room: Classroom) -> None:
    for name in ("mia B.", "Ömer", "Zoë", "Łukasz", "Oskar"):
        classes.add_child(room.class_id, name)
    expected = ["Ben", "Łukasz", "Mia", "mia B.", "Ömer", "Oskar", "Zoë"]
    here = {row.name: row.id for row in db.session.scalars(select(Child))}
    for name in here:
        with write_unit():
            sessions.start("d" * 32, class_id=room.class_id, child_id=here[name])
    lists = {
        "the class": overview.class_page(room.class_id).children,
        "the cards": classes.sign_in_cards(room.class_id),
        "the skills": skill_reports.of_class(room.class_id).children,
        "the live page": live_class(room.class_id).others,
        "the seats": seating.plan(room.class_id).loose,
        "the animals": sign_in.classroom(room.class_id)[1],
    }
    for where, children in lists.items():
        found = [child.name for child in children if child.name in expected]
        assert found == [name for name in expected if name in found], where
        assert len(found) > 5, where
    mates = open_tables.friends(here["Mia"]).here
    assert [mate.name for mate in mates] == [n for n in expected if n != "Mia"]
