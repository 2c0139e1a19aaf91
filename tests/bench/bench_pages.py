"""The cost of a table's page in each game, relative to the classic game in the same run.

    python -m tests.bench.bench_pages [seconds per game]

It measures the part of the page that is sent after every move: making its value from an Observation
and drawing its template, with the steps of the last move. It does so at every seventh position of
one round, seen from seat 0, and takes the processor time of the best of many runs, because other
programs disturb them.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections.abc import Iterator

from flask import g

from classroom.app import create_app
from classroom.engine import apply, deal, legal_actions, observe, shuffled
from classroom.engine.actions import Lots
from classroom.engine.observation import Observation
from classroom.games import GAMES
from classroom.services.table.rounds import Seated, ViewedTable
from classroom.web.child.table_view import table_view
from classroom.web.http.pages import render

ANIMALS = ("fox", "owl", "bear", "rabbit", "whale", "duck")
LARGEST = ("fours_wild", 6)
CLASSIC = ("classic", 3)
EVERY = 7
MOST = 3.0  # times the cost of the classic page


def positions(game: str, seats: int) -> list[Observation]:
    """Every seventh view of seat 0 in a random round."""
    rng, rules = random.Random(5), GAMES[game].rules
    state = deal(rules, seats, 0, shuffled(rules, rng), Lots(rng)).state
    found = [observe(state, 0)]
    while not state.over:
        state = apply(state, rng.choice(legal_actions(state)), Lots(rng)).state
        found.append(observe(state, 0))
    return found[:-1:EVERY]


def table(game: str, seen: Observation) -> ViewedTable:
    players = tuple(
        Seated(
            seat=seat,
            name=name.title(),
            animal=name,
            pad=1,
            child_id=None,
            level=None,
            me=seat == 0,
            away=False,
        )
        for seat, name in enumerate(ANIMALS[: seen.seats])
    )
    return ViewedTable(
        round_id=7,
        match_id=3,
        number=1,
        game=game,
        observation=seen,
        players=players,
        board="open",
        hints=True,
        thoughts=(),
    )


def draw(game: str, seen: Observation) -> str:
    shown = table_view(table(game, seen), max(0, seen.seq - 1))
    return render("partials/child/table.html", notice=None, hint=None, t=shown, key="k")


def cost(game: str, seats: int, seconds: float) -> tuple[float, int]:
    """The mean milliseconds and bytes of a page over the round."""
    seen = positions(game, seats)
    size = sum(len(draw(game, one).encode()) for one in seen) // len(seen)
    best, end = float("inf"), time.perf_counter() + seconds
    while time.perf_counter() < end:
        start = time.process_time()
        for one in seen:
            draw(game, one)
        best = min(best, (time.process_time() - start) / len(seen))
    return best * 1000, size


def lines(seconds: float) -> Iterator[str]:
    classic, size = cost(*CLASSIC, seconds)
    yield f"{'game':20} seats     ms   bytes  to classic"
    yield f"{CLASSIC[0]:20} {CLASSIC[1]:5} {classic:6.2f} {size:7,}        1.00"
    others = [(key, min(6, game.rules.seats[1])) for key, game in GAMES.items()]
    for key, seats in sorted(others, key=lambda one: one == LARGEST):
        mean, size = cost(key, seats, seconds)
        yield f"{key:20} {seats:5} {mean:6.2f} {size:7,}  {mean / classic:10.2f}"
    yield f"{LARGEST[0]} with {LARGEST[1]} seats is the largest case: at most {MOST}"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        app = create_app({"INSTANCE": folder, "LOOK_AROUND": False})
        with app.test_request_context("/"):
            g.token = g.device = ""
            for line in lines(float(sys.argv[1]) if len(sys.argv) > 1 else 1.0):
                print(line, flush=True)
