"""What else a seat may do: answer, name a number, show a card, lay, lay off, declare, claim, pass.

Each thing to tap comes from one of `Observation.legal`, and each of those can be tapped.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from classroom.engine.actions import Answer, Claim, Declare, Lay, LayOff, Name, Pass, Show
from classroom.engine.cards import Card
from classroom.engine.events import Declared
from classroom.engine.observation import Observation
from classroom.web.child.card_faces import CardFace, ClassFace, Faces


@dataclass(frozen=True, slots=True)
class SheetCard:
    """A card to choose for a four. `can`: with those taken it still makes a four."""

    face: CardFace
    taken: bool
    can: bool


@dataclass(frozen=True, slots=True)
class Pile:
    """Cards that lie together: `seat` whose they are, `boat` whether they were caught."""

    seat: int
    boat: bool
    cards: tuple[SheetCard, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """Cards spread out to choose a four from. `type`: lay or claim.

    `fours`: all that may be laid, as codes; `taken`: the codes chosen so far, which are part of
    one of them; `ready`: they are one. `stays`: how many cards are left over.
    """

    type: str
    piles: tuple[Pile, ...]
    fours: tuple[tuple[Card, ...], ...]
    taken: tuple[Card, ...]
    ready: bool
    stays: int


@dataclass(frozen=True, slots=True)
class Choices:
    """All that can be done now beside asking, for the page. `asks`, `asker`, `asked`: the ask
    that waits for this; `drawn`: the card just fished; `declarer`: who declared, while claiming."""

    numbers: tuple[int, ...] = ()
    shows: tuple[bool, ...] = ()
    answers: tuple[str, ...] = ()
    layoffs: tuple[CardFace, ...] = ()
    lay: Sheet | None = None
    claim: Sheet | None = None
    declare: bool = False
    can_pass: bool = False
    asks: ClassFace | None = None
    asker: int | None = None
    asked: int | None = None
    drawn: CardFace | None = None
    declarer: int | None = None


NONE = Choices()


def choices(seen: Observation, faces: Faces, taken: tuple[Card, ...] = ()) -> Choices:
    """What this viewer may do. `taken`: cards chosen for a four so far, without scripts."""
    if not seen.legal:
        return NONE
    asker, ask = seen.pending or (None, None)
    return Choices(
        numbers=tuple(action.number for action in seen.legal if isinstance(action, Name)),
        shows=tuple(action.show for action in seen.legal if isinstance(action, Show)),
        answers=tuple(action.answer for action in seen.legal if isinstance(action, Answer)),
        layoffs=faces.cards(a.card for a in seen.legal if isinstance(a, LayOff)),
        lay=_lay(seen, faces, taken),
        claim=_claim(seen, faces, taken),
        declare=Declare() in seen.legal,
        can_pass=Pass() in seen.legal,
        asks=faces.asks(ask.class_) if ask else None,
        asker=asker,
        asked=ask.target if ask and isinstance(ask.target, int) else None,
        drawn=faces.card(seen.drawn) if seen.drawn else None,
        declarer=_declarer(seen) if seen.phase == "claim" else None,
    )


def _lay(seen: Observation, faces: Faces, taken: tuple[Card, ...]) -> Sheet | None:
    fours = tuple(action.cards for action in seen.legal if isinstance(action, Lay))
    if not fours or not isinstance(seen.viewer, int):
        return None
    piles = [(seen.viewer, False, seen.hand), (seen.viewer, True, seen.boat)]
    return _sheet("lay", piles, fours, faces, taken)


def _claim(seen: Observation, faces: Faces, taken: tuple[Card, ...]) -> Sheet | None:
    """All cards lie open: the declarer's first, then everybody's clockwise."""
    fours = tuple(action.cards for action in seen.legal if isinstance(action, Claim))
    if not fours:
        return None
    first = _declarer(seen) or 0
    order = [(first + i) % seen.seats for i in range(seen.seats)]
    piles = [
        (seat, boat, cards)
        for seat in order
        if seat not in seen.out
        for boat, cards in ((False, seen.hands[seat]), (True, seen.boats[seat]))
    ]
    return _sheet("claim", piles, fours, faces, taken)


def _sheet(
    type_: str,
    piles: Sequence[tuple[int, bool, tuple[Card, ...] | None]],
    fours: tuple[tuple[Card, ...], ...],
    faces: Faces,
    wanted: tuple[Card, ...],
) -> Sheet:
    taken = _fitting(wanted, fours)
    can = {card for four in fours if set(taken) <= set(four) for card in four}
    whole = len(taken) == len(fours[0])
    shown = tuple(_piles(piles, faces, taken, set(taken) if whole else can))
    return Sheet(
        type=type_,
        piles=shown,
        fours=fours,
        taken=taken,
        ready=whole,
        stays=sum(len(pile.cards) for pile in shown) - len(taken),
    )


def _fitting(wanted: tuple[Card, ...], fours: tuple[tuple[Card, ...], ...]) -> tuple[Card, ...]:
    """Those of the cards wanted, in order, that are together part of a four."""
    taken: tuple[Card, ...] = ()
    for card in dict.fromkeys(wanted):
        if any({*taken, card} <= set(four) for four in fours):
            taken = (*taken, card)
    return taken


def _piles(
    piles: Sequence[tuple[int, bool, tuple[Card, ...] | None]],
    faces: Faces,
    taken: tuple[Card, ...],
    can: set[Card],
) -> Iterator[Pile]:
    for seat, boat, cards in piles:
        if cards:
            spread = (SheetCard(faces.card(c), c in taken, c in can) for c in cards)
            yield Pile(seat, boat, tuple(spread))


def _declarer(seen: Observation) -> int | None:
    """Who declared last."""
    told = (item.event.seat for item in reversed(seen.history) if isinstance(item.event, Declared))
    return next(told, None)
