"""Names: two that look alike count as one, and every real name is allowed."""

from __future__ import annotations

import time
import unicodedata

import pytest

from classroom.services.base import names
from classroom.services.school import rosters

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


def test_a_name_of_invisible_characters_is_empty() -> None:
    assert names.trouble(names.tidy("\u3164\u200b"), names.CHILD_NAME) == "empty"


def test_a_name_that_only_looks_like_another_is_refused_in_a_pasted_list() -> None:
    lines, good = rosters.read(f"Ben\nAnna\n{ALPHA}nna\nBen\u200b", "4-5", ("Mia",), 48)
    assert not good
    assert [(line.trouble, line.twin) for line in lines[2:]] == [("twice", 2), ("twice", 1)]
    lines, _ = rosters.read(f"{ALPHA}nna", "4-5", ("Anna",), 48)
    assert lines[0].trouble == "known"


def test_the_list_of_a_class_is_read_quickly() -> None:
    names.looks("")  # so that the table of characters is read before the clock starts
    begun = time.perf_counter()
    rosters.read("\n".join(f"Maximilian {number}" for number in range(48)), "4-5", (), 48)
    assert time.perf_counter() - begun < 0.5
