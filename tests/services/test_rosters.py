"""A pasted class list: read tolerantly, with nothing guessed and no child dropped."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classroom.learning.skills import AGE_BANDS
from classroom.services.base import names
from classroom.services.school import rosters


def read(
    text: str, known: tuple[str, ...] = (), room: int = 48
) -> list[tuple[int, str, str | None]]:
    lines, _ = rosters.read(text, "4-5", known, room)
    return [(line.number, line.name, line.trouble) for line in lines]


@pytest.mark.parametrize(
    "typed",
    ["Mia", "  Mia  ", "1. Mia", "12) Mia", "3 Mia", "- Mia", "•Mia", "* Mia", "Mia,", "\tMia"],
)
def test_bullets_numbers_and_spaces_around_a_name_are_left_out(typed: str) -> None:
    assert read(typed) == [(1, "Mia", None)]


@pytest.mark.parametrize(
    ("typed", "band"),
    [
        ("Mia", "4-5"),
        ("Mia, 5", "5-6"),
        ("Mia;7-9", "7-9"),
        ("Mia\t6", "6-7"),
        ("Mia, 7 – 9", "7-9"),
    ],
)
def test_an_age_can_follow_the_name(typed: str, band: str) -> None:
    lines, good = rosters.read(typed, "4-5", (), 48)
    assert good
    assert lines[0].band == band


def test_a_heading_and_empty_lines_are_not_children() -> None:
    assert read("First name\n\nMia\n   \nBen\n") == [(3, "Mia", None), (5, "Ben", None)]


def test_a_repeated_name_is_reported_with_the_line_of_the_first() -> None:
    lines, good = rosters.read("Mia\nBen\nmia", "4-5", (), 48)
    assert not good
    assert (lines[2].trouble, lines[2].twin) == ("twice", 1)
    assert lines[0].trouble is None


def test_a_child_who_is_already_in_the_class_is_reported() -> None:
    assert read("MIA\nBen", known=("Mia",)) == [(1, "MIA", "known"), (2, "Ben", None)]


@pytest.mark.parametrize(
    ("typed", "trouble"),
    [
        ("Reed, Mia", "more"),
        ("Mia; 2019-04-01", "more"),
        ("Mia, 5, Reed", "more"),
        ("42", "odd"),
        ("mia@home.example", "odd"),
        ("!!!", "odd"),
        ("x" * 31, "long"),
        ("Total: 20", "odd"),
        ("Teacher: Ms Ortiz", "odd"),
        ("<script>alert(1)</script>", "odd"),
        ('=HYPERLINK("x")', "odd"),
        ('"Ann")', "odd"),
    ],
)
def test_odd_lines_are_reported_and_never_added(typed: str, trouble: str) -> None:
    assert read(typed)[0][2] == trouble


@pytest.mark.parametrize(
    "name", ["Zoë", "D’Angelo", "Anne-Marie", "Łucja", "محمد", "美", "Q", "Mia 2"]
)
def test_no_real_name_is_called_wrong(name: str) -> None:
    assert read(name) == [(1, names.tidy(name), None)]


def test_children_who_no_longer_fit_into_the_class_are_reported() -> None:
    assert [line[2] for line in read("Mia\nBen\nAda", room=2)] == [None, None, "full"]


@given(st.text(max_size=300), st.sampled_from(AGE_BANDS))
def test_any_text_is_read_and_no_line_with_text_is_lost(text: str, band: str) -> None:
    lines, good = rosters.read(text, band, ("Mia",), 3)
    typed = text.splitlines()
    assert all(line.text == typed[line.number - 1] for line in lines)
    assert good == all(line.trouble is None for line in lines)
    said = {line.number for line in lines}
    for number, line in enumerate(typed, start=1):
        if any(sign.isalnum() for sign in names.tidy(line)) and number > 1:
            assert number in said
