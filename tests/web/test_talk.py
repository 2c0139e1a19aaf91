"""The voice asks a child now and then how it knew, and never at a wrong moment."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from classroom.engine import events as e, observe
from classroom.engine.observation import Observation
from classroom.services.table.choices import OFTEN, USUAL_TALK, Often
from classroom.services.table.rounds import Around
from classroom.web.child.table_view import table_view
from tests.web.test_table_view import played, table

GAMES = ("classic", "fours", "make_ten", "old_fish")


def asked(game: str, talk: Often, *, practice: bool = False) -> Iterator[tuple[Observation, str]]:
    """Each moment of some rounds at which seat 0 is asked how it knew, with the question."""
    for seed in range(6):
        states = played(game, 3, seed)
        for state in states[1:]:
            seen = observe(state, 0)
            shown = replace(table(seen, game), around=Around(talk=talk), practice=practice)
            if stem := table_view(shown, seen.seq - 1).stem:
                yield seen, stem


def mine(event: e.Event) -> bool:
    match event:
        case e.Gave(taker=seat) | e.LaidBook(seat=seat) | e.LaidFaceDown(seat=seat):
            return seat == 0
        case e.Claimed(seat=seat):
            return seat == 0
    return False


@pytest.mark.walk(2)
@pytest.mark.parametrize("game", GAMES)
def test_a_child_is_asked_only_after_its_own_catch_or_book_and_in_its_own_turn(game: str) -> None:
    for seen, stem in asked(game, "often"):
        latest = [item.event for item in seen.history if item.seq == seen.seq and mine(item.event)]
        assert latest
        assert seen.legal
        assert (stem == "do") == any(not isinstance(event, e.Gave) for event in latest)


def test_the_class_chooses_how_often() -> None:
    times = {often: len(list(asked("classic", often))) for often in OFTEN}
    assert times["never"] == 0
    assert 0 < times["now"] < times["often"]
    assert USUAL_TALK == "now"


def test_the_questions_take_turns() -> None:
    assert {stem for _, stem in asked("classic", "often")} == {"know", "find", "do"}


def test_nobody_is_asked_while_all_cards_are_open() -> None:
    assert not list(asked("classic", "often", practice=True))


def test_nobody_is_asked_on_a_first_look_or_in_a_replay() -> None:
    seen, _ = next(asked("classic", "often"))
    shown = replace(table(seen), around=Around(talk="often"))
    assert table_view(shown).stem is None
    assert table_view(table(seen), seen.seq - 1).stem is None
