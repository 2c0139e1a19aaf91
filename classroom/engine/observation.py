"""What one viewer may know of a round: the cut-off between the table and everybody around it.

`observe` builds an Observation from nothing, by an allow-list. There is no function that takes
hidden things out of a State. Pages, computer players, hints and questions get this and only this.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from classroom.engine.actions import Action, Ask
from classroom.engine.cards import Card
from classroom.engine.events import Event
from classroom.engine.rules import Rules


class Viewer(Enum):
    """Who looks without a seat."""

    WATCHER = "watcher"  # public facts only: projector, classmates
    TEACHER = "teacher"  # all hands; never the stock's order


WATCHER = Viewer.WATCHER
TEACHER = Viewer.TEACHER


@dataclass(frozen=True, slots=True)
class Seen:
    """An event the viewer saw, with the number of the move that caused it (0: the deal)."""

    seq: int
    event: Event


@dataclass(frozen=True, slots=True)
class Observation:
    """Everything one viewer was allowed to see, with history (an information state).

    `seq`: moves so far. `hand`, `boat`: the viewer's own cards, sorted; empty without a seat.
    `hands`, `boats`: per seat the cards where this viewer may see them, else None.
    `books`: per seat the books, each a sorted tuple of cards, or None where it lies face down
    for this viewer. `singles`: cards laid off per seat. `turn`: the seat to act, or None.
    `phase`: ask, answer, name, show, claim, over. `pending`: (asker, ask) while an ask is open.
    `drawn`: the card just fished, for its owner in phase show. `out`: seats that left the round.
    `lost`: the cards set aside, once revealed, else None. `legal`: all the viewer may do now;
    empty when it is not the viewer's turn. `winners` is empty until the round is over (S25).
    """

    viewer: int | Viewer
    rules: Rules
    seats: int
    dealer: int
    seq: int
    hand: tuple[Card, ...]
    boat: tuple[Card, ...]
    hands: tuple[tuple[Card, ...] | None, ...]
    boats: tuple[tuple[Card, ...] | None, ...]
    hand_sizes: tuple[int, ...]
    boat_sizes: tuple[int, ...]
    stock_size: int
    lost_size: int
    books: tuple[tuple[tuple[Card, ...] | None, ...], ...]
    singles: tuple[tuple[Card, ...], ...]
    turn: int | None
    phase: str
    pending: tuple[int, Ask] | None
    drawn: Card | None
    out: tuple[int, ...]
    lost: tuple[Card, ...] | None
    over: bool
    ended_by: str | None
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    legal: tuple[Action, ...]
    history: tuple[Seen, ...]
