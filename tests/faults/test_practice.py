"""In a practice round the computer friend's hand is open, and no other hidden card is shown."""

from __future__ import annotations

import random

import pytest

from classroom.engine.observation import TEACHER, WATCHER
from classroom.services.operation import background
from classroom.services.table import matches, rounds
from tests.faults.tainted import history, knowable, marked_cards
from tests.faults.test_hidden_cards import _do_something, _table
from tests.playing import Classroom, browser, without_random_parts


@pytest.mark.parametrize("game", ["classic", "fours", "old_fish", "make_ten"])
def test_a_practice_round_shows_the_friends_hand_and_no_card_of_the_pond(
    room: Classroom, game: str
) -> None:
    lots, mia = random.Random(game), browser(room)
    mia.get("/play/")
    with marked_cards() as marks:
        with room.app.app_context():
            round_id = matches.start_practice(room.children["Mia"], game)
        here = f"/play/rounds/{round_id}"
        mia.answers.clear()
        mia.get(here)
        while not (table := _table(room, round_id)).over:
            if table.my_turn:
                _do_something(mia, here, table, lots)
            else:
                with room.app.app_context():
                    background.play_now(round_id)
                mia.get(f"{here}?seen={table.seq}")
        with room.app.app_context():
            past = history(round_id)
        opened = [
            frozenset[str]().union(*(s.hands[1] for s in past[: i + 1])) for i in range(len(past))
        ]
        seen, open_now = 0, 0
        for answer in mia.answers:
            at = answer.text.find('data-v="')
            if at >= 0:
                seen = int(answer.text[at + 8 : answer.text.index('"', at + 8)])
            found, state = marks.shown(answer.text, past[0].rules), past[seen]
            extra = found - knowable(past[: seen + 1], 0) - opened[seen]
            assert not extra, f"move {seen} shows {extra}"
            if at >= 0 and not state.over:
                assert state.hands[1] <= found
                open_now += len(state.hands[1])
    assert open_now > 10  # the hand was open, so the marks work


@pytest.mark.parametrize("game", ["classic", "fours"])
def test_no_extra_field_opens_the_hands_of_a_round_that_counts(room: Classroom, game: str) -> None:
    mia = browser(room)
    mia.get("/play/")
    with room.app.app_context():
        round_id = matches.start_match(room.children["Mia"], game)
        background.play_now(round_id)
    here = f"/play/rounds/{round_id}"
    for path in (here, f"{here}/table"):
        plain = without_random_parts(mia.get(path).text)
        assert "seat__open" not in plain
        assert without_random_parts(mia.get(f"{path}?practice=1&open_hands=1").text) == plain
    mia.post(f"{here}/again", practice="1")
    with room.app.app_context():
        for viewer in (0, WATCHER, TEACHER):
            assert rounds.table(round_id, viewer).open_hands == ()
