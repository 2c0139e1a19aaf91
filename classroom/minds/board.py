"""The board, which lists a round's asks in order, and other ways of telling a child about them.

Asks are public. The board shows no conclusions; only hints do. The support level decides how much
of the board a child sees: `open` (the last asks are in view on a line, and a tap shows all), `peek`
(closed; a tap opens it for PEEK_SECONDS), `fading` (only the last FADING_ASKS asks) or `off`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal, get_args

from classroom.engine import events as ev
from classroom.engine.actions import Target
from classroom.engine.cards import Card
from classroom.engine.observation import Observation, Seen
from classroom.minds.memory.perfect_memory import Held, shown_to_have
from classroom.minds.playing.forgetting import Mind, thoughts

Support = Literal["open", "peek", "fading", "off"]
SUPPORTS: Final[tuple[Support, ...]] = get_args(Support)
OPEN: Final[Support] = "open"  # at this level no lamp is needed to open the board (T8)
FADING_ASKS: Final = 3
PEEK_SECONDS: Final = 5
ON_THE_LINE: Final[dict[Support, int]] = {"open": 6, "peek": 0, "fading": FADING_ASKS, "off": 0}
"""The number of recent asks that are visible on the table without a tap."""


@dataclass(frozen=True, slots=True)
class AskRow:
    """One ask. `outcome`: "waiting", "gave", "fished", "lucky" or "nothing" (the pond is empty).
    `number`: how many cards the `givers` gave, or 1 for a lucky card. `books`: the class of each
    book that the asker laid as a result; None for a face-down book or a book of several classes."""

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
    """One entry on a player's line of the board: what the player did. `kind`: "asked", "fished",
    "lucky", "got", "gave", "had_none" or "book". `number`: how many cards the player got or gave.
    `cards`: the cards of a face-up book. `target`: the target of an ask."""

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
    told = [seen for seen in observation.history if rows and seen.seq >= since]
    lines = tuple(
        BoardLine(seat, tuple(filter(None, (_mark(one.seq, one.event, seat) for one in told))))
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


# ---- Facts that a child was told, so that knowing them no longer shows memory
#
# Everybody hears an ask when it is made, but that does not count. An ask counts as told once the
# child can look it up or hears of it again: the line above the pond still shows it, the board is
# opened, a computer player thinks of it aloud, a hint uses it, or a question asks about it. It then
# counts as told until the round ends, whatever the child answers later. Moves that were made while
# the child was away count as missed.

Door = Support | Literal["aloud", "hint", "question", "away"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Telling:
    """An occasion, after `upto` moves, on which the child was told something or had missed moves.

    "peek": the board was opened, which showed every move so far. "hint": `moves` were shown as
    evidence, or `asks` were named. "question": a question named `classes`, so it counts even if the
    child did not answer it. "away": the child missed the moves after `since`, up to `upto`, because
    a stand-in or nobody played for the child.
    """

    door: Literal["peek", "hint", "question", "away"]
    upto: int
    since: int = 0
    moves: frozenset[int] = frozenset()
    asks: frozenset[Held] = frozenset()
    classes: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class AlreadyKnown:
    """Everything that the child was told, each with its door: the way it was told. `line`: the
    support level if it keeps asks in view, so that all asks count as told; otherwise None.

    `moves`: the numbers of the moves that were told. `asks`: the (seat, class) pairs that these
    moves or a hint showed: the seat has cards of the class. A pair stays told if it occurs again.
    `classes`: the classes that questions named; a question tells who has asked for its class, and
    that nobody else has. `missed`: the moves during which the child was away. `seen_all`: the board
    was opened, which also showed the classes that nobody had asked for.
    """

    line: Support | None = None
    moves: Mapping[int, Door] = field(default_factory=dict)
    asks: Mapping[Held, Door] = field(default_factory=dict)
    classes: frozenset[str] = frozenset()
    missed: frozenset[int] = frozenset()
    seen_all: bool = False

    def door(self, moves: Collection[int], asks: Iterable[Held]) -> Door | None:
        """The first door by which the child was told a fact that follows from these moves and
        concerns these asks; None if there is none. "away": the child missed one of the moves."""
        if not self.missed.isdisjoint(moves):
            return "away"
        if self.line:
            return self.line
        by_move = (self.moves[move] for move in moves if move in self.moves)
        by_ask = (self.asks[ask] for ask in asks if ask in self.asks)
        return next(by_move, None) or next(by_ask, None)

    def nobody(self, class_: str) -> bool:
        """Whether the child could see or hear that nobody has asked for this class."""
        return self.line is not None or self.seen_all or class_ in self.classes


NOTHING_KNOWN: Final = AlreadyKnown()


def already_known(
    observation: Observation,
    support: Support,
    minds: Mapping[int, Mind],
    tellings: Iterable[Telling] = (),
    since: int = 0,
) -> AlreadyKnown:
    """Collect everything that the viewer was told in this round so far. `minds`: the computer
    players that the viewer hears, by seat. `since`: thoughts up to this move are left out, which
    saves time if only later asks matter. With a line above the pond all asks count as told, because
    each ask stays on the line while others move."""
    tellings = tuple(tellings)
    if ON_THE_LINE[support]:
        return AlreadyKnown(line=support, missed=_missed(tellings))
    asked = {s.seq: s.event for s in observation.history if isinstance(s.event, ev.Asked)}
    moves: dict[int, Door] = {}
    asks: dict[Held, Door] = {}
    for one in tellings:
        for move in _moves_of(one, asked):
            moves.setdefault(move, one.door)
        asks |= {ask: one.door for ask in one.asks if ask not in asks}
    for thought in thoughts(observation, minds, since) if minds else ():
        moves.setdefault(thought.about, "aloud")
    for seq, held in shown_to_have(observation) if moves else ():
        if seq in moves:
            asks.setdefault(held, moves[seq])
    first = min(asked, default=0)
    return AlreadyKnown(
        moves=moves,
        asks=asks,
        classes=frozenset().union(*(one.classes for one in tellings)),
        missed=_missed(tellings),
        seen_all=any(one.door == "peek" and one.upto >= first > 0 for one in tellings),
    )


def _moves_of(one: Telling, asked: Mapping[int, ev.Asked]) -> Iterable[int]:
    """The moves that the child was told by this telling."""
    if one.door == "peek":
        return range(1, one.upto + 1)
    if one.door == "question":
        return (seq for seq, ask in asked.items() if seq <= one.upto and ask.class_ in one.classes)
    return one.moves


def _missed(tellings: Iterable[Telling]) -> frozenset[int]:
    away = (range(one.since + 1, one.upto + 1) for one in tellings if one.door == "away")
    return frozenset(seq for moves in away for seq in moves)
