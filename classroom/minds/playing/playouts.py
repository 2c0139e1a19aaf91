"""Playouts: imagined rounds are played out, to find the ask after which most of them are won.

They are for a table where someone does not use what all have heard. In a playout the others ask at
random; the viewer asks for cards it knows of or, without any, avoids asks it knows to be hopeless.
A move takes a few hundred playouts of about ten asks each, all with the rng that is passed in.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Final

from classroom.engine import events as ev
from classroom.engine.actions import Action, Ask
from classroom.engine.chance import Lots
from classroom.engine.events import Event
from classroom.engine.observation import Observation
from classroom.engine.round import legal_actions, play, winners
from classroom.engine.state import State, Table
from classroom.minds.deals.worlds import rounds
from classroom.minds.memory.counts import CountMemory

PLAYOUTS: Final = 240
"""Playouts for a move, about 80 ms in all. Fewer would not show a lead of 5 wins in 100 rounds."""


def most_won(
    observation: Observation, memory: CountMemory, asks: Sequence[Ask], rng: Random
) -> Ask:
    """Find the ask after which most imagined rounds are won; the first if none can be imagined.

    All asks are tried in the same rounds; the worse half drops out, and the others get as many
    playouts again, until one is left (sequential halving: Karnin, Koren and Somekh, ICML 2013).
    """
    viewer = observation.viewer
    assert isinstance(viewer, int)
    known = _Known.of(observation, memory)
    imagined = rounds(observation, memory, rng, PLAYOUTS)
    won = dict.fromkeys(asks, 0.0)
    left = list(asks)
    halvings = (len(asks) - 1).bit_length()
    while len(left) > 1:
        for state in islice(imagined, PLAYOUTS // halvings // len(left)):
            luck = rng.random()
            for ask in left:
                won[ask] += _won(state, ask, viewer, known.copy(), Random(luck))
        left.sort(key=lambda ask: -won[ask])
        del left[(len(left) + 1) // 2 :]
    return left[0]


def _won(state: State, ask: Ask, viewer: int, known: _Known, rng: Random) -> float:
    """Play this round until it is decided; returns the viewer's share of the win."""
    table = Table(state, Lots(rng))
    action: Action = ask
    while True:
        known.hear(play(table, action, listed=True))
        if table.made_book and (part := _settled(table, viewer)) is not None:
            return part
        turn = table.turn
        if turn is None:
            best = winners(table)
            return (viewer in best) / max(len(best), 1)
        legal = legal_actions(table)
        action = rng.choice(known.sensible(legal) if turn == viewer else legal)


def _settled(table: Table, viewer: int) -> float | None:
    """1 or 0 if the books still to come cannot change whether the viewer wins, else None."""
    books = [len(of) for of in table.books]
    mine, rival = books[viewer], max(n for seat, n in enumerate(books) if seat != viewer)
    still = len(table.setup.deck.cards) // table.rules.book_size - sum(books)
    if mine > rival + still:
        return 1.0
    return 0.0 if rival > mine + still else None


@dataclass(slots=True)
class _Known:
    """What the viewer knows as a round goes on.

    `has`, `none`: the (seat, class) pairs that are known to have cards, or to have none.
    """

    has: set[tuple[object, str]]
    none: set[tuple[object, str]]

    @classmethod
    def of(cls, observation: Observation, memory: CountMemory) -> _Known:
        """What the viewer knows now, from its memory."""
        known = cls(set(), set())
        for seat in {*range(observation.seats)} - {observation.viewer}:
            for class_ in memory.kinds.names:
                low, high = memory.bounds(seat, class_)
                if low:
                    known.has.add((seat, class_))
                if not high:
                    known.none.add((seat, class_))
        return known

    def copy(self) -> _Known:
        return _Known(set(self.has), set(self.none))

    def hear(self, events: Iterable[Event]) -> None:
        """Take in what happened in a move, as far as a player with a good memory uses it."""
        for event in events:
            match event:
                case ev.Asked(seat=seat, class_=class_):
                    self._has(seat, class_)
                case ev.Gave(giver=giver, taker=taker, class_=class_):
                    self._has_none(giver, class_)
                    self._has(taker, class_)
                case ev.SaidGoFish(seat=seat, class_=class_):
                    self._has_none(seat, class_)
                case ev.Fished(seat=seat) | ev.Refilled(seat=seat):
                    self.none = {cell for cell in self.none if cell[0] != seat}
                case ev.LaidBook(seat=seat, class_=str(class_)):
                    self.has.discard((seat, class_))

    def _has(self, seat: int, class_: str) -> None:
        self.has.add((seat, class_))
        self.none.discard((seat, class_))

    def _has_none(self, seat: int, class_: str) -> None:
        self.has.discard((seat, class_))
        self.none.add((seat, class_))

    def sensible(self, legal: Sequence[Action]) -> Sequence[Action]:
        """The certain catches if there are any, otherwise all actions not known to be hopeless."""
        asks = [action for action in legal if isinstance(action, Ask)]
        sure = [ask for ask in asks if (ask.target, ask.class_) in self.has]
        return sure or [a for a in asks if (a.target, a.class_) not in self.none] or legal
