"""The board: the asks of a round in time order, all of them public.

It never shows a deduction; only hints do. How much of the board a child sees depends on the
support level: `open` (the last asks hang on a line, and a tap shows all of them), `peek` (closed; a
tap opens it for PEEK_SECONDS), `fading` (only the last FADING_ASKS asks) or `off`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, get_args

from classroom.engine import events as ev
from classroom.engine.actions import Target
from classroom.engine.cards import Card
from classroom.engine.observation import Observation, Seen

Support = Literal["open", "peek", "fading", "off"]
SUPPORTS: Final[tuple[Support, ...]] = get_args(Support)
FREE: Final[Support] = "open"  # with this support a lamp (T8) costs nothing
FADING_ASKS: Final = 3
PEEK_SECONDS: Final = 5
ON_THE_LINE: Final[dict[Support, int]] = {"open": 6, "peek": 0, "fading": FADING_ASKS, "off": 0}
"""How many of the last asks are visible on the table without a tap."""


@dataclass(frozen=True, slots=True)
class AskRow:
    """One ask. `outcome`: "waiting", "gave", "fished", "lucky" or "nothing" (the pond is empty).

    `number`: how many cards the `givers` gave, or 1 for a lucky card. `books`: the class of each
    book that the asker laid as a result; None for a face-down book or one of several classes.
    """

    seq: int
    asker: int
    target: Target
    class_: str
    outcome: str = "waiting"
    number: int = 0
    givers: tuple[int, ...] = ()
    books: tuple[str | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Mark:
    """One thing that a player did, for its line on the board.

    `kind`: "asked", "fished", "lucky", "got", "gave", "had_none" or "book". `number`: how many
    cards the player got or gave. `cards`: the cards of a face-up book. `target`: the seat asked.
    """

    seq: int
    kind: str
    class_: str | None
    number: int = 0
    cards: tuple[Card, ...] = ()
    target: Target | None = None


@dataclass(frozen=True, slots=True)
class BoardLine:
    """The marks of one seat that have not faded, oldest first."""

    seat: int
    marks: tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class Board:
    """The opened board. `rows`: asks, oldest first. `lines`: one for each other seat, clockwise."""

    rows: tuple[AskRow, ...]
    lines: tuple[BoardLine, ...]


def asked_board(observation: Observation, support: Support = "open") -> Board:
    """Build the opened board as the viewer may see it; a viewer without a seat gets all lines."""
    rows = () if support == "off" else _rows(observation.history)
    if support == "fading":
        rows = rows[-FADING_ASKS:]
    since = rows[0].seq if rows else 0
    first = observation.viewer + 1 if isinstance(observation.viewer, int) else 0
    order = [(first + turn) % observation.seats for turn in range(observation.seats)]
    lines = tuple(
        BoardLine(seat, _marks(observation, seat, since) if rows else ())
        for seat in order
        if seat != observation.viewer
    )
    return Board(rows, lines)


def asked_rows(observation: Observation, last: int | None = None) -> tuple[AskRow, ...]:
    """List the rows of the board, or only those of the `last` asks, oldest first."""
    history = observation.history
    if last is None:
        return _rows(history)
    asks = [at for at, seen in enumerate(history) if isinstance(seen.event, ev.Asked)]
    return _rows(history[asks[-last:][0] :]) if asks and last else ()


def _rows(history: Sequence[Seen]) -> tuple[AskRow, ...]:
    rows: list[AskRow] = []
    for seen in history:
        if isinstance(seen.event, ev.Asked):
            asked = seen.event
            rows.append(AskRow(seen.seq, asked.seat, asked.target, asked.class_))
        elif rows:
            rows[-1] = _continued(rows[-1], seen.event)
    return tuple(rows)


def _continued(row: AskRow, event: ev.Event) -> AskRow:
    match event:
        case ev.Gave(giver=giver, number=number):
            return replace(
                row, outcome="gave", number=row.number + number, givers=(*row.givers, giver)
            )
        case ev.SaidGoFish() if row.outcome == "waiting":
            return replace(row, outcome="nothing")
        case ev.Fished() | ev.FishedFromHand() if row.outcome == "nothing":
            return replace(row, outcome="fished")
        case ev.Lucky():
            return replace(row, outcome="lucky", number=1)
        case ev.LaidBook(seat=seat, class_=class_) if seat == row.asker:
            return replace(row, books=(*row.books, class_))
        case ev.LaidFaceDown(seat=seat) if seat == row.asker:
            return replace(row, books=(*row.books, None))
    return row


def _marks(observation: Observation, seat: int, since: int) -> tuple[Mark, ...]:
    found = (_mark(seen.seq, seen.event, seat) for seen in observation.history if seen.seq >= since)
    return tuple(mark for mark in found if mark is not None)


def _mark(seq: int, event: ev.Event, seat: int) -> Mark | None:
    match event:
        case ev.Asked(seat=asker, class_=class_, target=target) if asker == seat:
            return Mark(seq, "asked", class_, target=target)
        case ev.Gave(giver=giver, class_=class_, number=number) if giver == seat:
            return Mark(seq, "gave", class_, number)
        case ev.Gave(taker=taker, class_=class_, number=number) if taker == seat:
            return Mark(seq, "got", class_, number)
        case ev.SaidGoFish(seat=refuser, class_=class_) if refuser == seat:
            return Mark(seq, "had_none", class_)
        case ev.Fished(seat=fisher) | ev.FishedFromHand(seat=fisher) if fisher == seat:
            return Mark(seq, "fished", None)
        case ev.Lucky(seat=fisher, class_=class_) if fisher == seat:
            return Mark(seq, "lucky", class_)
        case ev.LaidBook(seat=owner, class_=class_, cards=cards) if owner == seat:
            return Mark(seq, "book", class_, cards=cards)
        case ev.LaidFaceDown(seat=owner) if owner == seat:
            return Mark(seq, "book", None)
    return None
