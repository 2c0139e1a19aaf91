"""Low tide as games/variants.py sets it: in few rounds, whether its dial is about right (T9).

`python -m tests.bench.bench_tide` measures every cell in many rounds.
"""

from __future__ import annotations

from random import Random

import pytest

from classroom.engine import deal, shuffled
from classroom.engine.actions import Lots
from classroom.engine.checks import check
from classroom.games import GAMES
from classroom.games.variants import DECKS, DIAL, MEMORY, TIDE_DECKS, TIDE_SEATS, low_tide
from classroom.learning.skills import AGE_BANDS
from classroom.minds.playing.forgetting import LEVELS
from tests.bench.bench_tide import LEAST, MOST, best, forgetful, lines, rounds, wins
from tests.minds.arena import played

ROUNDS = 40
WIDE = 0.15
"""How far forty rounds may be from the wins that are wanted."""
CELLS = [("classic", "small", 4, "6-7"), ("colour_pairs", "five", 4, "7-9")]


@pytest.mark.parametrize(("key", "deck"), DIAL)
def test_every_cell_of_the_dial_is_a_round_that_can_be_played(key: str, deck: str) -> None:
    for seats, row in zip(TIDE_SEATS, DIAL[key, deck], strict=True):
        assert list(row) == sorted(row, reverse=True), "who remembers more needs no more steps"
        for band in MEMORY:
            rules = low_tide(GAMES[key], seats, deck, band)
            assert rules is not None
            assert check(rules, seats).lawful
            assert rules.seats == TIDE_SEATS
            assert rules.end_tide in row
            deal(rules, seats, 0, shuffled(rules, Random(1)), Lots(Random(1)))


def test_every_age_band_has_a_usual_memory() -> None:
    assert tuple(MEMORY) == AGE_BANDS
    assert set(MEMORY.values()) <= set(LEVELS)
    assert {deck for _, deck in DIAL} == set(TIDE_DECKS)


def test_other_games_and_tables_are_not_played_so() -> None:
    classic = GAMES["classic"]
    assert low_tide(classic, 2, "small", "4-5") is None
    assert low_tide(classic, 5, "small", "4-5") is None
    for deck in DECKS:
        assert low_tide(GAMES["old_fish"], 3, deck, "4-5") is None
        assert low_tide(GAMES["make_ten"], 3, deck, "6-7") is not None
    assert low_tide(classic, 3, "full", "6-7") == low_tide(classic, 3, "short", "6-7")


@pytest.mark.parametrize(("key", "deck", "seats", "band"), CELLS)
def test_usual_memory_wins_about_two_rounds_in_three_and_forgetting_costs(
    key: str, deck: str, seats: int, band: str
) -> None:
    rules = low_tide(GAMES[key], seats, deck, band)
    assert rules is not None
    steps, level = rules.end_tide or 0, LEVELS[MEMORY[band]]
    usual = rounds(rules, seats, level, ROUNDS)
    won = wins(usual, steps)
    assert LEAST - WIDE <= won <= MOST + WIDE
    assert won - wins(rounds(rules, seats, forgetful(level), ROUNDS), steps) >= 0.25
    assert abs(best(usual) - steps) <= 1, "what the bench would set"


def test_a_wrong_dial_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    key, deck, seats, band = CELLS[0]
    rules = low_tide(GAMES[key], seats, deck, band)
    assert rules is not None
    steps = rules.end_tide or 0
    usual = rounds(rules, seats, LEVELS[MEMORY[band]], ROUNDS)
    assert wins(usual, steps + 3) > MOST + WIDE
    assert wins(usual, steps - 3) < LEAST - WIDE
    wrong = {(key, deck): ((14, 14, 14), (14, 14, 14))}
    monkeypatch.setattr("classroom.games.variants.DIAL", wrong)
    monkeypatch.setattr("tests.bench.bench_tide.DIAL", wrong)
    told = [*lines(10, [key])][1:]
    assert len(told) == len(TIDE_SEATS) * len(MEMORY)
    assert all("wins" in line for line in told), "too many steps"


def test_a_round_ends_as_the_endless_one_says() -> None:
    key, deck, seats, band = CELLS[0]
    rules = low_tide(GAMES[key], seats, deck, band)
    assert rules is not None
    level = LEVELS[MEMORY[band]]
    endless = rounds(rules, seats, level, 12)
    ends = set()
    for seed, one in enumerate(endless):
        state = played(rules, [level] * seats, seed)
        ends.add(state.ended_by)
        assert (state.ended_by == "all_booked") == one.won(rules.end_tide or 0)
        assert state.seq == one.length(rules.end_tide or 0)
    assert ends == {"all_booked", "tide"}
