"""The text form of a position."""

from __future__ import annotations

from dataclasses import replace

import pytest

from classroom.engine.state import LogEntry
from classroom.games import GAMES
from tests.engine.positions import position, to_text
from tests.engine.tabletop import rules_of, seats_of, steps

TEXT = """\
. 2C 7H / books 3C+3D+3H+3S 4C+4D+4H+4S
> 9D / singles 5H
. / out
stock KC KD"""


def test_a_position_is_read_and_written() -> None:
    state = position(rules_of("classic"), TEXT)
    assert state.turn == 1
    assert state.dealer == 0
    assert state.hands == ({"2C", "7H"}, {"9D"}, frozenset())
    assert state.books[0] == (("3C", "3D", "3H", "3S"), ("4C", "4D", "4H", "4S"))
    assert state.singles == ((), ("5H",), ())
    assert state.out == {2}
    assert state.stock == ("KC", "KD")
    assert to_text(state) == TEXT


@pytest.mark.parametrize("key", GAMES)
def test_every_position_of_a_round_can_be_written_and_read_back(key: str) -> None:
    rules = rules_of(key)
    for _, step in steps(rules, seats_of(rules)[0], 1):
        state = step.state
        if state.phase == "ask":
            again = position(rules, to_text(state))
            plain = replace(
                state,
                setup=again.setup,
                books=tuple(tuple(map(state.setup.deck.sorted, b)) for b in state.books),
                quiet=again.quiet,
                log=(LogEntry(0, ()),),
            )
            assert again == plain
