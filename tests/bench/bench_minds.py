"""The speed of the minds, and how much chances earn: the time of the memory for each event, of a
hint and of a move; how often the ask of a hint catches where no catch is certain.

    python -m tests.bench.bench_minds [rounds]

It measures processor time in one thread. Times of the memory are also given as a ratio to one
`apply` of the engine in this run, because machines differ.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain

from classroom.engine import apply, deal, legal_actions, observe, shuffled
from classroom.engine.actions import Ask, Lots
from classroom.engine.observation import Observation
from classroom.engine.rules import Rules
from classroom.engine.state import State
from classroom.games import GAMES
from classroom.minds.chances import chances
from classroom.minds.hints import LAST_STEP, hint
from classroom.minds.memory.perfect_memory import (
    certain_catches,
    plain_asks,
    remember,
    start,
    targets,
)
from classroom.minds.playing.computer_players import by_memory, choose
from classroom.minds.playing.forgetting import LEVELS
from tests.minds.arena import views

HINT, MOVE, EVENT = 0.050, 0.010, 0.000_100  # the targets, in seconds


def timed(work: Callable[[], object]) -> float:
    """The processor seconds of a call."""
    begin = time.process_time()
    work()
    return time.process_time() - begin


def positions(rules: Rules, seats: int, seed: int) -> Iterator[Observation]:
    """The view of the seat to move, before each move of a random round."""
    rng = random.Random(seed)
    chance = Lots(rng)
    state = deal(rules, seats, 0, shuffled(rules, rng), chance).state
    while state.turn is not None:
        yield observe(state, state.turn)
        state = apply(state, rng.choice(legal_actions(state)), chance).state


def engine(rules: Rules, seats: int, seed: int) -> tuple[float, int]:
    """The seconds and the number of calls of `apply` in one round."""
    rng = random.Random(seed)
    chance = Lots(rng)
    state = deal(rules, seats, 0, shuffled(rules, rng), chance).state
    spent = 0.0
    while state.turn is not None:
        action = rng.choice(legal_actions(state))
        begin = time.process_time()
        state = apply(state, action, chance).state
        spent += time.process_time() - begin
    return spent, state.seq


def memory(rules: Rules, seats: int, seed: int) -> tuple[float, int]:
    """The seconds to read one seat's round into its memory, event by event, and the number of
    events."""
    *_, last = positions(rules, seats, seed)
    one = start(last)

    def take() -> None:
        nonlocal one
        for seen in last.history:
            one = one.after(seen)

    return timed(take), len(last.history)


def per_item(times: Sequence[tuple[float, int]]) -> float:
    """The seconds for one item, in the run that was disturbed least."""
    return min(spent / number for spent, number in times)


def worst(times: list[float]) -> float:
    """The 99th percentile."""
    times.sort()
    return times[min(len(times) - 1, int(0.99 * len(times)))]


def by_event(rounds: int) -> Iterator[str]:
    """Time the memory in the classic game with four seats."""
    rules = GAMES["classic"].rules
    one_apply = per_item([engine(rules, 4, seed) for seed in range(rounds)])
    one_event = per_item([memory(rules, 4, seed) for seed in range(rounds)])
    yield (
        f"memory, classic, 4 seats: {one_event * 1e6:.0f} us an event (wanted {EVENT * 1e6:.0f}), "
        f"{one_event / one_apply:.2f} of one apply ({one_apply * 1e6:.0f} us)"
    )


def by_game(rounds: int) -> Iterator[str]:
    """Time hints and moves in every game with four seats, or the nearest number that it allows."""
    yield f"{'game':20} seats   positions   hint p99 (ms)   move p99 (ms)"
    for key, game in GAMES.items():
        seats = min(max(4, game.rules.seats[0]), game.rules.seats[1])
        hints, moves = [], []
        for seed in range(rounds):
            for observation in list(positions(game.rules, seats, seed))[::3]:
                hints.append(timed(partial(hint, observation, LAST_STEP)))
                moves.append(
                    timed(partial(choose, observation, LEVELS["dolphin"], random.Random(seed), 1))
                )
        bad = " too slow" * (worst(hints) > HINT or worst(moves) > MOVE)
        yield (
            f"{key:20} {seats:5} {len(hints):11} {worst(hints) * 1e3:15.0f} "
            f"{worst(moves) * 1e3:15.0f}{bad}"
        )


def unsure(rules: Rules, rounds: int) -> Iterator[tuple[State, Observation]]:
    """Positions of rounds of minnows, with the fewest seats and with four, in which no catch is
    certain."""
    for seats in sorted({max(2, rules.seats[0]), min(4, rules.seats[1])}):
        for seed in range(rounds):
            for state, seen in views(rules, [LEVELS["minnow"]] * seats, seed):
                if state.seq % 5 or len(plain_asks(seen)) < 2:
                    continue
                if not certain_catches(seen, remember(seen)):
                    yield state, seen


def by_catches(rounds: int) -> Iterator[str]:
    """How often the likeliest ask catches where no catch is certain, by chances and by an even
    spread of the unseen cards, which costs nothing."""
    yield f"{'game':20} positions   by chances   by an even spread"
    sums = [0, 0, 0]
    for key, game in GAMES.items():
        found = [0, 0, 0]
        for state, seen in unsure(game.rules, rounds):
            memory = remember(seen)
            even = {(p.ask.target, p.ask.class_): p.chance for p in by_memory(seen, memory)}
            found[0] += 1
            for column, odds in ((1, chances(seen, memory).by_ask), (2, even)):
                _, _, (target, class_) = max((odds[ask], str(ask), ask) for ask in odds)
                cards = memory.kinds.deck.named[class_]
                at = targets(seen, Ask(target, class_))
                found[column] += any(cards & set(state.cards(seat)) for seat in at)
        sums = [sum(pair) for pair in zip(sums, found, strict=True)]
        yield f"{key:20} {found[0]:9} {found[1] / found[0]:12.1%} {found[2] / found[0]:19.1%}"
    yield f"{'all':20} {sums[0]:9} {sums[1] / sums[0]:12.1%} {sums[2] / sums[0]:19.1%}"


if __name__ == "__main__":
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    for line in chain(by_event(rounds), by_game(rounds), by_catches(rounds)):
        print(line, flush=True)
