"""Choosing an action: an ask, made with the viewer's cards as fans to tap, or any other action."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from classroom.engine.actions import Answer, Ask, Claim, Declare, Lay, LayOff, Name, Pass, Show
from classroom.engine.cards import Card, deck_of
from classroom.engine.events import Declared
from classroom.engine.observation import Observation
from classroom.web.child.card_faces import CardFace, ClassFace, Faces
from classroom.web.child.steps import StepView

# ---- Choosing an ask: the viewer's cards as fans to tap, and what can be asked for with each fan
#
# Only legal asks can be tapped: everything here comes from `Observation.legal`.

TRAITS: Final = ("colour", "shape", "number")
"""The three traits of a card in Fours, in the order in which its code lists them."""
CAME: Final = ("gave", "fished", "picked", "replaced", "refilled")  # steps that bring new cards


class Selection(NamedTuple):
    """The taps so far on a page without scripts, read from its URL and not yet checked. `fan`: the
    card tapped, in games where several things can be asked for with one card; `traits`: the traits
    of that card that were tapped; `cards`: the cards chosen for a four."""

    class_: str | None = None
    target: str | int | None = None
    fan: str | None = None
    traits: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()


NOTHING_SELECTED: Final = Selection()


@dataclass(frozen=True, slots=True)
class Fan:
    """A fan to tap: all the viewer's cards in one class or, in games with overlapping classes, one
    card. `is_`: the class of the cards; `options`: everything that may be asked for with them now;
    `code`: the card, in games with overlapping classes; `new`: whether the viewer has just got one
    of the cards."""

    key: str
    is_: ClassFace | None
    cards: tuple[CardFace, ...]
    options: tuple[ClassFace, ...]
    code: Card
    chosen: bool
    new: bool


@dataclass(frozen=True, slots=True)
class Choosing:
    """The viewer's ask, as far as it has been chosen. `options`: everything that may be asked for,
    each once. `next`: what to choose now: class, option (for the chosen fan), target, ask, or ""
    for nothing. `of_card`: the child taps a card, then two of its traits; `exact`: the child taps a
    fan, then the exact card to ask for. `everybody`: the ask goes to all."""

    fans: tuple[Fan, ...]
    options: tuple[ClassFace, ...]
    fan: Fan | None
    traits: tuple[str, ...]
    asks: ClassFace | None
    targets: tuple[int, ...]
    target: int | None
    everybody: bool
    of_card: bool
    exact: bool
    next: str


def choosing(
    observation: Observation, faces: Faces, steps: tuple[StepView, ...], chosen: Selection
) -> Choosing:
    """The viewer's fans and options, with as much of the selection as is legal."""
    asks = tuple(action for action in observation.legal if isinstance(action, Ask))
    can = _options(observation, faces, asks)
    # The fan that was tapped, or one that allows the chosen class.
    allowing = (key for key, classes in can.items() if chosen.class_ in classes)
    key = chosen.fan if chosen.fan in can else next(allowing, "")
    traits = tuple(name for name in chosen.traits if name in TRAITS)[-2:]
    class_ = _class(can.get(key, ()), chosen.class_, key, traits)
    fans = tuple(_fans(observation, faces, can, key, steps))
    everybody = any(ask.target == "all" for ask in asks)
    targets = tuple(dict.fromkeys(ask.target for ask in asks if isinstance(ask.target, int)))
    if len(targets) == 1:
        target: int | None = targets[0]
    else:
        target = next((one for one in targets if str(one) == str(chosen.target)), None)
    fan = next((fan for fan in fans if fan.chosen), None)
    if not asks:
        then = ""
    elif not class_:
        then = "option" if key else "class"
    else:
        then = "ask" if everybody or target is not None else "target"
    return Choosing(
        fans=fans,
        options=tuple(map(faces.asks, dict.fromkeys(ask.class_ for ask in asks))),
        fan=fan,
        traits=traits if fan else (),
        asks=faces.asks(class_) if class_ else None,
        targets=targets,
        target=target,
        everybody=everybody,
        of_card=deck_of(observation.rules).overlaps,
        exact=observation.rules.ask_what == "card",
        next=then,
    )


def _options(
    observation: Observation, faces: Faces, asks: Iterable[Ask]
) -> dict[str, tuple[str, ...]]:
    """The classes to ask for with each fan, by the fan's key; fans without a class are left out."""
    deck = deck_of(observation.rules)
    found: dict[str, dict[str, None]] = {}
    for ask in asks:
        class_ = deck.class_of(ask.class_) if ask.class_ in deck.place else ask.class_
        cards = (ask.bait,) if ask.bait else deck.entitling[class_].intersection(observation.hand)
        for card in cards:
            found.setdefault(faces.fan(card), {})[ask.class_] = None
    return {key: tuple(classes) for key, classes in found.items()}


def _class(classes: tuple[str, ...], wanted: str | None, key: str, traits: tuple[str, ...]) -> str:
    """The class to ask for: the fan's only class, else the chosen class if it is legal, else ""."""
    if len(classes) == 1:
        return classes[0]
    if traits:
        signs = zip(TRAITS, key, strict=False)
        wanted = "".join(sign if name in traits else "." for name, sign in signs)
    return wanted if wanted in classes else ""


def _fans(
    observation: Observation,
    faces: Faces,
    can: dict[str, tuple[str, ...]],
    tapped: str,
    steps: tuple[StepView, ...],
) -> Iterator[Fan]:
    """The fans in the order of the hand, which is the order of the deck."""
    deck, me = deck_of(observation.rules), observation.viewer
    came = {
        face.code
        for step in steps
        if step.kind in CAME and step.receiver == me
        for face in step.cards
    }
    for key, cards in faces.fans(observation.hand).items():
        yield Fan(
            key=key,
            is_=faces.own(key) if key in deck.members else None,
            cards=faces.cards(cards),
            options=tuple(map(faces.asks, can.get(key, ()))),
            code=key if deck.overlaps else "",
            chosen=bool(can) and key == tapped,
            new=not came.isdisjoint(cards),
        )


# ---- Actions other than asking: answer, name a number, show, lay, lay off, declare, claim, pass
#
# All actions in `Observation.legal` can be tapped, and no others.


@dataclass(frozen=True, slots=True)
class SheetCard:
    """A card to choose for a four. `can`: whether a four has this card and all the cards chosen."""

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
    """Cards spread out to choose a four from. `type`: lay or claim. `fours`: all fours that may be
    laid or claimed; `taken`: the cards chosen so far, which are always part of one of these fours;
    `ready`: whether they are a whole four. `stays`: how many cards are not chosen."""

    type: str
    piles: tuple[Pile, ...]
    fours: tuple[tuple[Card, ...], ...]
    taken: tuple[Card, ...]
    ready: bool
    stays: int


@dataclass(frozen=True, slots=True)
class OtherChoices:
    """All legal actions except asks. `asks`, `asker`, `asked`: the ask that waits for an action;
    `drawn`: the card just fished; `declarer`: the seat that declared, while others claim."""

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

    @property
    def extras(self) -> bool:
        """Whether the page needs the part with extra actions (partials/child/extras.html)."""
        return bool(self.lay or self.claim or self.declare or self.layoffs)


def other_choices(
    observation: Observation, faces: Faces, taken: tuple[Card, ...] = ()
) -> OtherChoices:
    """This viewer's actions other than asks. `taken`: the cards chosen for a four, unchecked."""
    if not observation.legal:
        return OtherChoices()
    asker, ask = observation.pending or (None, None)
    return OtherChoices(
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
    me = observation.viewer
    piles = [(me, False, observation.hand), (me, True, observation.boat)]
    return _sheet("lay", piles, fours, faces, taken)


def _claim(observation: Observation, faces: Faces, taken: tuple[Card, ...]) -> FourSheet | None:
    """All the cards, face up since the declaration: the declarer's first, then clockwise."""
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
    taken: tuple[Card, ...] = ()
    for card in dict.fromkeys(wanted):  # leave out a card that fits no four with earlier ones
        if any({*taken, card} <= set(four) for four in fours):
            taken = (*taken, card)
    whole = len(taken) == len(fours[0])
    can = {card for four in fours if set(taken) <= set(four) for card in four}
    if whole:
        can = set(taken)
    shown = tuple(
        Pile(seat, boat, tuple(SheetCard(faces.card(c), c in taken, c in can) for c in cards))
        for seat, boat, cards in piles
        if cards
    )
    return FourSheet(
        type=type_,
        piles=shown,
        fours=fours,
        taken=taken,
        ready=whole,
        stays=sum(len(pile.cards) for pile in shown) - len(taken),
    )


def _declarer(observation: Observation) -> int | None:
    """The seat that declared last."""
    events = (item.event for item in reversed(observation.history))
    return next((event.seat for event in events if isinstance(event, Declared)), None)
