"""The speed of the engine, compared with OpenSpiel's go_fish if that is installed.

    python -m tests.bench.bench_engine [seconds per line]

Rounds are played at random: in place, as OpenSpiel does (though ours also keeps all events), and
from one frozen State to the next. Results are asks per second and ratios within one run, because
machines differ; each line names its reference.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Iterator

from classroom.engine import apply, deal, legal_actions, observe, play, shuffled
from classroom.engine.actions import Lots
from classroom.engine.rules import Rules
from classroom.engine.state import Table
from classroom.games import GAMES

Player = Callable[[random.Random], int]
ROUNDS_AT_ONCE = 20
FLOOR = 0.25  # times OpenSpiel's speed


def in_place(rules: Rules, seats: int, views: bool = False) -> Player:
    """A function that plays one random round in place. `views`: it also makes every seat's view
    after every action."""

    def a_round(rng: random.Random) -> int:
        chance = Lots(rng)
        table = Table(deal(rules, seats, 0, shuffled(rules, rng), chance).state, chance)
        while not table.over:
            play(table, rng.choice(legal_actions(table)), listed=True)
            if views:
                for seat in range(seats):
                    observe(table, seat)
        return table.seq

    return a_round


def from_state_to_state(rules: Rules, seats: int) -> Player:
    """A function that plays one random round with a frozen State after every action."""

    def a_round(rng: random.Random) -> int:
        chance = Lots(rng)
        state = deal(rules, seats, 0, shuffled(rules, rng), chance).state
        while not state.over:
            state = apply(state, rng.choice(legal_actions(state)), chance).state
        return state.seq

    return a_round


def openspiel(seats: int) -> Player | None:
    """A function that plays one round of OpenSpiel's go_fish, or None if it is not installed."""
    try:
        import pyspiel
    except ImportError:
        return None
    game = pyspiel.load_game("go_fish", {"players": seats})

    def a_round(rng: random.Random) -> int:
        state = game.new_initial_state()
        asks = 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, weights)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
                asks += 1
        return asks

    return a_round


def speeds(players: list[Player], seconds: float) -> list[float]:
    """The asks per second of each player. They take turns in many short runs, and the best run of
    each counts, because other programs disturbed it least.
    """
    best = [0.0] * len(players)
    end = time.perf_counter() + seconds * len(players)
    while time.perf_counter() < end:
        for i, a_round in enumerate(players):
            rng = random.Random(7)
            start = time.process_time()
            asks = sum(a_round(rng) for _ in range(ROUNDS_AT_ONCE))
            best[i] = max(best[i], asks / (time.process_time() - start))
    return best


def against_openspiel(seconds: float) -> Iterator[str]:
    """Time the classic game with 2 and 4 seats, and the slower views separately."""
    rules = GAMES["classic"].rules
    for seats in (2, 4):
        players = [in_place(rules, seats), from_state_to_state(rules, seats)]
        other = openspiel(seats)
        bare, frozen, *reference = speeds(players + ([other] if other else []), seconds)
        (viewed,) = speeds([in_place(rules, seats, views=True)], seconds)
        yield (
            f"classic, {seats} seats: in place {bare:7,.0f} asks/s, from state to state "
            f"{frozen:7,.0f}, in place with all views {viewed:6,.0f}"
        )
        if reference:
            yield (
                f"  OpenSpiel go_fish from Python {reference[0]:8,.0f} asks/s: in place ours is "
                f"{bare / reference[0]:.2f} of it (floor {FLOOR}), from state to state "
                f"{frozen / reference[0]:.2f}"
            )


def all_games(seconds: float) -> Iterator[str]:
    """Time every game of the menu with four seats, or the nearest number that it allows."""
    games = [
        (key, game, min(max(4, game.rules.seats[0]), game.rules.seats[1]))
        for key, game in GAMES.items()
    ]
    bare = speeds([in_place(game.rules, seats) for _, game, seats in games], seconds)
    viewed = speeds([in_place(game.rules, seats, views=True) for _, game, seats in games], seconds)
    yield f"{'game':20} seats   asks/s  to classic   with all views"
    for (key, _, seats), speed, with_views in zip(games, bare, viewed, strict=True):
        yield f"{key:20} {seats:5} {speed:8,.0f}  {speed / bare[0]:10.2f}   {with_views:10,.0f}"


if __name__ == "__main__":
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    for line in (*against_openspiel(seconds), *all_games(seconds / 2)):
        print(line)
