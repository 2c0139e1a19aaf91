"""Actions other than asking: answer, name a number, show, lay, lay off, declare, claim, pass.

Everything to tap comes from `Observation.legal`, and everything in it can be tapped.
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
    """A card to choose for a four. `can`: whether it can still make a four with those taken."""

    face: CardFace
    taken: bool
    can: bool


@dataclass(frozen=True, slots=True)
class Pile:
    """The cards of one `seat`: those in its boat if `boat`, else those in its hand."""

    seat: int
    boat: bool
    cards: tuple[SheetCard, ...]


@dataclass(frozen=True, slots=True)
class FourSheet:
    """Cards spread out to choose a four from. `type`: lay or claim.

    `fours`: all that may be laid or claimed; `taken`: the cards chosen so far, always part of one
    of them; `ready`: whether they make a whole four. `stays`: how many cards would be left.
    """

    type: str
    piles: tuple[Pile, ...]
    fours: tuple[tuple[Card, ...], ...]
    taken: tuple[Card, ...]
    ready: bool
    stays: int


@dataclass(frozen=True, slots=True)
class Choices:
    """All that can be done now other than asking. `asks`, `asker`, `asked`: the ask that waits for
    one of these; `drawn`: the card just fished; `declarer`: who declared, while others claim."""

    numbers: tuple[int, ...] = ()
    shows: tuple[bool, ...] = ()
    answers: tuple[str, ...] = ()
    layoffs: tuple[CardFace, ...] = ()
    lay: FourSheet | None = None
    claim: FourSheet | None = None
    declare: bool = False
    can_pass: bool = False
    asks: ClassFace | None = None
    asker: int | None = None
    asked: int | None = None
    drawn: CardFace | None = None
    declarer: int | None = None


NONE = Choices()


def choices(observation: Observation, faces: Faces, taken: tuple[Card, ...] = ()) -> Choices:
    """What this viewer may do. `taken`: cards chosen so far for a four, from the address."""
    if not observation.legal:
        return NONE
    asker, ask = observation.pending or (None, None)
    return Choices(
        numbers=tuple(action.number for action in observation.legal if isinstance(action, Name)),
        shows=tuple(action.show for action in observation.legal if isinstance(action, Show)),
        answers=tuple(action.answer for action in observation.legal if isinstance(action, Answer)),
        layoffs=faces.cards(a.card for a in observation.legal if isinstance(a, LayOff)),
        lay=_lay(observation, faces, taken),
        claim=_claim(observation, faces, taken),
        declare=Declare() in observation.legal,
        can_pass=Pass() in observation.legal,
        asks=faces.asks(ask.class_) if ask else None,
        asker=asker,
        asked=ask.target if ask and isinstance(ask.target, int) else None,
        drawn=faces.card(observation.drawn) if observation.drawn else None,
        declarer=_declarer(observation) if observation.phase == "claim" else None,
    )


def _lay(observation: Observation, faces: Faces, taken: tuple[Card, ...]) -> FourSheet | None:
    fours = tuple(action.cards for action in observation.legal if isinstance(action, Lay))
    if not fours or not isinstance(observation.viewer, int):
        return None
    piles = [
        (observation.viewer, False, observation.hand),
        (observation.viewer, True, observation.boat),
    ]
    return _sheet("lay", piles, fours, faces, taken)


def _claim(observation: Observation, faces: Faces, taken: tuple[Card, ...]) -> FourSheet | None:
    """The sheet for a claim: all cards, which are open now, the declarer's first, then clockwise.
    None if there is nothing to claim."""
    fours = tuple(action.cards for action in observation.legal if isinstance(action, Claim))
    if not fours:
        return None
    first = _declarer(observation) or 0
    order = [(first + i) % observation.seats for i in range(observation.seats)]
    piles = [
        (seat, boat, cards)
        for seat in order
        if seat not in observation.out
        for boat, cards in ((False, observation.hands[seat]), (True, observation.boats[seat]))
    ]
    return _sheet("claim", piles, fours, faces, taken)


def _sheet(
    type_: str,
    piles: Sequence[tuple[int, bool, tuple[Card, ...] | None]],
    fours: tuple[tuple[Card, ...], ...],
    faces: Faces,
    wanted: tuple[Card, ...],
) -> FourSheet:
    taken = _fitting(wanted, fours)
    can = {card for four in fours if set(taken) <= set(four) for card in four}
    whole = len(taken) == len(fours[0])
    shown = tuple(_piles(piles, faces, taken, set(taken) if whole else can))
    return FourSheet(
        type=type_,
        piles=shown,
        fours=fours,
        taken=taken,
        ready=whole,
        stays=sum(len(pile.cards) for pile in shown) - len(taken),
    )


def _fitting(wanted: tuple[Card, ...], fours: tuple[tuple[Card, ...], ...]) -> tuple[Card, ...]:
    """The wanted cards in order, without any that cannot join those before it in a four."""
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


def _declarer(observation: Observation) -> int | None:
    """The seat that declared last."""
    told = (
        item.event.seat
        for item in reversed(observation.history)
        if isinstance(item.event, Declared)
    )
    return next(told, None)
