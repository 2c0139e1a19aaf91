"""What the middle of a shared tablet asks everybody: one right answer, which nobody can see."""

from __future__ import annotations

from random import Random

from classroom.engine import apply, deal, legal_actions, observe, shuffled
from classroom.engine.actions import Ask, Lots
from classroom.engine.observation import WATCHER
from classroom.games import GAMES
from classroom.games.variants import deck_rules
from classroom.learning.recall_questions import EVERY, for_all
from classroom.minds.board import asked_rows

SHOWN = 4


def test_it_asks_what_one_player_asked_for_and_what_no_ask_in_sight_is_about() -> None:
    found = 0
    for seed in range(30):
        rng = Random(seed)
        rules = deck_rules(GAMES["classic"], 3, "five")
        state = deal(rules, 3, 0, shuffled(rules, rng), Lots(rng)).state
        while not state.over:
            asks = [action for action in legal_actions(state) if isinstance(action, Ask)]
            state = apply(state, rng.choice(asks), Lots(rng)).state
            seen = observe(state, WATCHER)
            row, rows = for_all(seen, SHOWN), asked_rows(seen)
            assert row == for_all(seen, SHOWN), "a page that is loaded again asks the same"
            if row is None:
                continue
            found += 1
            assert len(rows) % EVERY == 0
            assert {one.asker for one in rows if one.class_ == row.class_} == {row.asker}
            assert row.class_ not in {one.class_ for one in rows[-SHOWN:]}
            assert not any(row.class_ in one.books for one in rows)
    assert found > 10


def test_a_round_that_is_over_asks_nothing() -> None:
    rng = Random(1)
    rules = deck_rules(GAMES["classic"], 2, "five")
    state = deal(rules, 2, 0, shuffled(rules, rng), Lots(rng)).state
    while not state.over:
        asks = [action for action in legal_actions(state) if isinstance(action, Ask)]
        state = apply(state, rng.choice(asks), Lots(rng)).state
    assert for_all(observe(state, WATCHER), SHOWN) is None
