"""A player's recall curve: the share of certain catches that it takes, by lag.

A seat asked for a seven in vain. It holds one, and the only other seat with one is the viewer. From
then on all asks are in vain, for cards that no other seat holds, so no other catch comes up. How
often this catch is taken later shows how much a memory with the player's numbers keeps.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import ceil, sqrt
from random import Random
from statistics import fmean

import pytest

from classroom.engine import apply, observe
from classroom.engine.actions import Ask
from classroom.engine.observation import Observation
from classroom.minds.memory.perfect_memory import certain_catches, remember
from classroom.minds.playing.computer_players import choose
from classroom.minds.playing.forgetting import LEVELS, PlayerLevel, like_me
from tests.engine.tabletop import dealt, rules_of

VIEWER = 0
TRIES = 150
HANDS = ("2C 3C", "8C 9C", "JC QC", "KC AC")  # and one more card: a seven, a five or a six
ASKED = ("2233", "8899", "JJQQ", "KKAA")  # the ranks that each seat asks for, turn by turn
DRAWN = ("3D 3H 2D 2H", "9D 9H 8D 8H", "QD QH JD JH", "AD AH KD KH")
FORGETFUL = [LEVELS["minnow"], LEVELS["perch"], LEVELS["pike"], like_me(half=4)]
PERFECT = [LEVELS["dolphin"], like_me(half=48)]


def waiting() -> Iterator[tuple[int, int, Observation]]:
    """The viewer's turns: the lag in asks, the seat with the seven, and the viewer's view."""
    top = " ".join(DRAWN[seat].split()[turn] for turn in range(4) for seat in (1, 2, 3, 0))
    for asker in (1, 2, 3):
        third = {VIEWER: "7H", asker: "7C"}
        spare = iter(("5C", "6C"))
        hands = [f"{hand} {third.get(seat) or next(spare)}" for seat, hand in enumerate(HANDS)]
        state = dealt(rules_of("classic", deal={"default": 3}), 4, *hands, top=top).state
        for number in range(16):
            seat = state.active
            if seat == VIEWER:
                yield number - asker, asker, observe(state, VIEWER)
            class_ = "7" if number == asker - 1 else ASKED[seat][number // 4]
            state = apply(state, Ask(1 if seat != 1 else 2, class_)).state


def times_taken(level: PlayerLevel, seen: Observation, asker: int, tries: int = TRIES) -> int:
    """How often the player takes the catch, over this many random seeds."""
    seeds = range(seen.seq * tries, (seen.seq + 1) * tries)
    asks = (choose(seen, level, Random(seed), seed) for seed in seeds)
    return sum(ask == Ask(asker, "7") for ask in asks)


def kept(level: PlayerLevel, lag: int, own: bool = False) -> float:
    """The chance that an ask is remembered after this lag. The player's own asks last twice as
    long."""
    return (1 - level.decay) ** (ceil(lag / 2) if own else lag)


def blurred(level: PlayerLevel, lag: int) -> float:
    """The chance that an ask is remembered with the wrong asker. This lasts as long as the right
    memory did."""
    return level.blur * (kept(level, ceil(lag / 2)) - kept(level, lag))


def in_span(level: PlayerLevel, lag: int, asker: int) -> float:
    """The chance that fewer than `span` later asks are remembered, rightly or wrongly."""
    if level.span is None:
        return 1.0
    later = [1.0] + [0.0] * lag  # the chances that 0, 1, 2, ... later asks are remembered
    for age in range(lag):
        own = (asker + lag - age) % len(HANDS) == VIEWER
        in_mind = kept(level, age, own) + (0.0 if own else blurred(level, age))
        shifted = [0.0, *later[:-1]]
        later = [(1 - in_mind) * n + in_mind * m for n, m in zip(later, shifted, strict=True)]
    return sum(later[: level.span])


def expected(level: PlayerLevel, lag: int, asker: int, seen: Observation) -> float:
    """The share to expect from the level's numbers: catches that are remembered and not lost to a
    slip, and lucky guesses."""
    right = kept(level, lag) * in_span(level, lag, asker)
    wrong = blurred(level, lag) * in_span(level, lag, asker)
    nothing = replace(level, decay=1.0, blur=0.0)
    guessed = times_taken(nothing, seen, asker) / TRIES
    slipped = level.slip * times_taken(replace(nothing, slip=1.0), seen, asker) / TRIES
    return right * (1 - level.slip + slipped) + wrong * slipped + (1 - right - wrong) * guessed


def test_the_lags_run_from_the_very_next_turn_to_the_fourth_round() -> None:
    table = list(waiting())
    assert sorted(lag for lag, _, _ in table) == [0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14]
    for _, asker, seen in table:
        (catch,) = certain_catches(seen, remember(seen))
        assert catch.ask == Ask(asker, "7")


@pytest.mark.walk(6)
@pytest.mark.parametrize("level", FORGETFUL, ids=lambda level: level.key)
def test_certain_catches_are_taken_as_often_as_the_numbers_of_the_level_say(
    level: PlayerLevel,
) -> None:
    """Within four standard errors of the sample plus 0.01 for the measured guesses, at each lag and
    on average."""
    table = sorted(waiting(), key=lambda row: row[0])
    wanted = [expected(level, *row) for row in table]
    shares = [times_taken(level, seen, asker) / TRIES for _, asker, seen in table]
    errors = [share * (1 - share) / TRIES for share in wanted]
    for (lag, *_), share, middle, error in zip(table, shares, wanted, errors, strict=True):
        assert share == pytest.approx(middle, abs=4 * sqrt(error) + 0.01), lag
    near = 4 * sqrt(sum(errors)) / len(table) + 0.01
    assert fmean(shares) == pytest.approx(fmean(wanted), abs=near)
    assert shares[0] > 0.65
    assert shares[-1] < shares[0] / 4


@pytest.mark.parametrize("level", PERFECT, ids=lambda level: level.key)
def test_a_player_that_forgets_nothing_takes_every_certain_catch(level: PlayerLevel) -> None:
    assert all(times_taken(level, seen, asker, 2) == 2 for _, asker, seen in waiting())
