"""How fast the engine plays, side by side with OpenSpiel's go_fish where that is installed.

    python -m tests.bench.bench_engine [seconds per line]

Random play. Everything is printed as asks per second and as a ratio within this one run, because
machines differ; what a line is to be measured against stands beside it.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Iterator

from classroom.engine.chance import Lots
from classroom.engine.observation import observe
from classroom.engine.round import deal, legal_actions, shuffled
from classroom.engine.round import play as engine_play
from classroom.engine.rules import Rules
from classroom.engine.state import Table
from classroom.games import GAMES

Player = Callable[[random.Random], int]
ROUNDS_AT_ONCE = 20


def ours(rules: Rules, seats: int, views: bool) -> Player:
    """Plays one round at random, with every seat's view after every action if asked for."""

    def play(rng: random.Random) -> int:
        chance = Lots(rng)
        table = Table(deal(rules, seats, 0, shuffled(rules, rng), chance).state, chance)
        while not table.over:
            engine_play(table, rng.choice(legal_actions(table)))
            if views:
                for seat in range(seats):
                    observe(table, seat)
        return table.seq

    return play


def openspiel(seats: int) -> Player | None:
    """Plays one round of OpenSpiel's go_fish from Python, or None where it is not installed."""
    try:
        import pyspiel
    except ImportError:
        return None
    game = pyspiel.load_game("go_fish", {"players": seats})

    def play(rng: random.Random) -> int:
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

    return play


def speeds(players: list[Player], seconds: float) -> list[float]:
    """Asks per second of each player: the best of many short runs, taken in turns.

    The best run is the one that was disturbed least by whatever else the machine does.
    """
    best = [0.0] * len(players)
    end = time.perf_counter() + seconds * len(players)
    while time.perf_counter() < end:
        for i, play in enumerate(players):
            rng = random.Random(7)
            start = time.process_time()
            asks = sum(play(rng) for _ in range(ROUNDS_AT_ONCE))
            best[i] = max(best[i], asks / (time.process_time() - start))
    return best


def against_openspiel(seconds: float) -> Iterator[str]:
    """The classic game with 2 and 4 seats."""
    for seats in (2, 4):
        rules = GAMES["classic"].rules
        players = [ours(rules, seats, False), ours(rules, seats, True)]
        other = openspiel(seats)
        bare, viewed, *reference = speeds(players + ([other] if other else []), seconds)
        yield f"classic, {seats} seats: {bare:8,.0f} asks/s, with all views {viewed:7,.0f} asks/s"
        if reference:
            yield (
                f"  OpenSpiel go_fish from Python {reference[0]:8,.0f} asks/s: "
                f"ours is {bare / reference[0]:.2f} of it (floor 0.25)"
            )


def all_games(seconds: float) -> Iterator[str]:
    """Every game of the menu with four seats, or as near as it allows."""
    games = [
        (key, game, min(max(4, game.rules.seats[0]), game.rules.seats[1]))
        for key, game in GAMES.items()
    ]
    bare = speeds([ours(game.rules, seats, False) for _, game, seats in games], seconds)
    viewed = speeds([ours(game.rules, seats, True) for _, game, seats in games], seconds)
    yield f"{'game':20} seats   asks/s  to classic   with all views"
    for (key, _, seats), speed, with_views in zip(games, bare, viewed, strict=True):
        yield f"{key:20} {seats:5} {speed:8,.0f}  {speed / bare[0]:10.2f}   {with_views:10,.0f}"


if __name__ == "__main__":
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    for line in (*against_openspiel(seconds), *all_games(seconds / 2)):
        print(line)
