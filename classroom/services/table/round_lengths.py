"""How long a round lasts, estimated from rounds that computer players play in memory.

The estimate adds up the time that a child takes to choose and the time for which the child's page
shows each event (scripts/child/steps.js). It was calibrated with rounds played in a browser;
docs/round-length.md says how accurate it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from random import Random
from statistics import mean
from typing import Final, NamedTuple

from classroom.engine import deal, events as e, observe, play, shuffled, winners
from classroom.engine.actions import Ask, Lots
from classroom.engine.rules import Rules
from classroom.engine.state import Table
from classroom.minds.playing.computer_players import choose
from classroom.minds.playing.forgetting import LEVELS

LEVEL: Final = "perch"  # remembers about as much as a child of seven
CHILD: Final = 0  # the seat that stands for the child; computer players play all seats
LONGEST: Final = 600  # moves after which a round is abandoned
ROUNDS: Final = 40
COUNTING_UP: Final = 2.5  # seconds per seat for counting books at the end

THOUGHT: Final = 7.0  # seconds for a child to choose a card and a friend, and ask
CHOICE: Final = 4.0  # seconds to make any other move: name a number, show a card, lay a four
SHOWN: Final[dict[type[e.Event], tuple[float, float]]] = {
    e.Asked: (0.5, 3.0),  # including thoughts that computer players say before some asks
    e.ShowedBait: (3.0, 0.4),
    e.Gave: (1.9, 2.3),
    e.AskedHowMany: (1.2, 0.9),
    e.Named: (0.7, 0.6),
    e.SaidGoFish: (0.8, 0.8),
    e.Fished: (4.3, 1.2),  # including the child's tap on the pond
    e.FishedFromHand: (3.7, 2.6),  # including the child's tap on a card back
    e.Replaced: (0.6, 1.9),
    e.Lucky: (2.2, 2.6),
    e.KeptHidden: (1.6, 1.8),
    e.LaidBook: (3.0, 3.0),
    e.LaidFaceDown: (3.0, 3.0),
    e.Claimed: (3.0, 3.0),
    e.LaidOff: (3.1, 3.1),
    e.Refilled: (1.7, 1.5),
    e.Baited: (1.7, 1.5),
    e.LampLit: (1.2, 1.2),
    e.TideFell: (2.6, 2.6),
    e.Retired: (1.2, 1.2),
    e.Declared: (1.6, 1.6),
    e.ClaimPassed: (1.2, 1.2),
    e.Compensated: (1.3, 1.3),
    e.LeftRound: (1.2, 1.2),
    e.TurnPassed: (0.3, 0.7),
    e.RevealedLost: (3.5, 3.5),
    e.RoundOver: (2.4, 2.4),
}
"""Seconds for which an event is shown at the usual pace: in the child's own move, then in a
computer player's move. `python -m tests.bench.bench_turns` measures them, but the values for rare
events are estimated from similar events: Claimed, Baited, LampLit, TideFell, Retired, Declared,
ClaimPassed, Compensated and LeftRound."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Length:
    """Asks and minutes in simulated rounds: the mean, and the range of the middle 80 %. `books`:
    the mean number of books for all seats together. `tied`: the share of rounds without a single
    winner. `whole`: every round was played to the end; if not, real rounds last longer."""

    rounds: int
    asks: float
    asks_low: int
    asks_high: int
    minutes: float
    minutes_low: float
    minutes_high: float
    books: float
    tied: float
    whole: bool


class _Played(NamedTuple):
    """One simulated round. `tied`: nobody won alone. `whole`: the round was played to the end."""

    asks: int
    minutes: float
    books: int
    tied: bool
    whole: bool


@lru_cache(maxsize=1024)
def length(
    rules: Rules, seats: int, rounds: int = ROUNDS, seed: int = 1, moves: int | None = None
) -> Length:
    """Play `rounds` rounds and measure them; the same seed gives the same rounds. `moves`: for a
    quick estimate, stop each round after this many moves, and start no more rounds after this many
    asks in total."""
    rng = Random(seed)
    played: list[_Played] = []
    for number in range(rounds):
        if moves is None or sum(one.asks for one in played) < moves:
            played.append(_round(rules, seats, number % seats, rng, moves or LONGEST))
    asks = sorted(one.asks for one in played)
    minutes = sorted(one.minutes for one in played)
    low, high = len(played) // 10, len(played) - 1 - len(played) // 10
    return Length(
        rounds=len(played),
        asks=mean(asks),
        asks_low=asks[low],
        asks_high=asks[high],
        minutes=mean(minutes),
        minutes_low=minutes[low],
        minutes_high=minutes[high],
        books=mean(one.books for one in played),
        tied=mean(one.tied for one in played),
        whole=all(one.whole for one in played),
    )


def _round(rules: Rules, seats: int, dealer: int, rng: Random, longest: int) -> _Played:
    lots = Lots(rng)
    memory = rng.randrange(2**31)
    table = Table(deal(rules, seats, dealer, shuffled(rules, rng), lots).state, lots)
    asks, seconds = 0, COUNTING_UP * seats
    while (turn := table.turn) is not None and table.seq < longest:
        action = choose(observe(table, turn), LEVELS[LEVEL], rng, memory + turn)
        events = play(table, action)
        asks += isinstance(action, Ask)
        shown = (SHOWN.get(type(event), (0.0, 0.0)) for event in events)
        seconds += sum(mine if turn == CHILD else others for mine, others in shown)
        if turn == CHILD:
            seconds += THOUGHT if isinstance(action, Ask) else CHOICE
    books = sum(map(len, table.books))
    return _Played(asks, seconds / 60, books, len(winners(table)) != 1, table.over)
