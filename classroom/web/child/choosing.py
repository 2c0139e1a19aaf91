"""Choosing what to ask for: my cards as things to tap, and what each of them may ask for.

What can be asked is what can be tapped: everything here comes from `Observation.legal`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from classroom.engine.actions import Ask
from classroom.engine.cards import Card, deck_of
from classroom.engine.observation import Observation
from classroom.web.child.card_faces import CardFace, ClassFace, Faces
from classroom.web.child.steps import Step

TRAITS: Final = ("colour", "shape", "number")
"""The three traits of a Fours card, in the order of its code."""


class Chosen(NamedTuple):
    """What a page without scripts has taken so far, as its address says; nothing is trusted.

    `fan`: the card tapped in games where a card can ask for several things; `traits`: of it, the
    last two tapped; `cards`: taken for a four.
    """

    class_: str | None = None
    target: str | int | None = None
    fan: str | None = None
    traits: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fan:
    """All my cards of one class, or one card where each stands for itself: one thing to tap.

    `is_`: what the cards are; `options`: what may be asked for with them now; `new`: a card of it
    has just come. `code` is the card that is shown with an ask, in games where one is.
    """

    key: str
    is_: ClassFace | None
    cards: tuple[CardFace, ...]
    options: tuple[ClassFace, ...]
    code: Card
    chosen: bool
    new: bool

    @property
    def can(self) -> bool:
        return bool(self.options)

    @property
    def width(self) -> float:
        """How wide it lies, in cards: each further card shows a third of itself."""
        return 1 + 0.34 * (len(self.cards) - 1)


@dataclass(frozen=True, slots=True)
class Trait:
    """One of the three things about the chosen card."""

    name: str
    face: CardFace
    chosen: bool


@dataclass(frozen=True, slots=True)
class Choosing:
    """The state of my ask. `options`: all that may be asked for, each once.

    `next`: the one thing to do now: class, option (of the chosen card), target, ask, or "".
    `of_card`: each card stands for itself and two of its traits are tapped; `exact`: one of
    several cards is. `everybody`: the ask goes to all.
    """

    fans: tuple[Fan, ...]
    options: tuple[ClassFace, ...]
    fan: Fan | None
    traits: tuple[Trait, ...]
    asks: ClassFace | None
    targets: tuple[int, ...]
    target: int | None
    everybody: bool
    of_card: bool
    exact: bool
    next: str


def choosing(seen: Observation, faces: Faces, steps: tuple[Step, ...], chosen: Chosen) -> Choosing:
    """My hand and what was chosen of it, as far as it may be asked for."""
    asks = tuple(action for action in seen.legal if isinstance(action, Ask))
    can = _options(seen, faces, asks)
    key = _tapped(seen, can, chosen)
    traits = tuple(name for name in chosen.traits if name in TRAITS)[-2:]
    class_ = _class(seen, can.get(key, ()), chosen.class_, key, traits)
    fans = tuple(_fans(seen, faces, can, key, _came(seen, steps)))
    everybody = any(ask.target == "all" for ask in asks)
    targets = tuple(dict.fromkeys(ask.target for ask in asks if isinstance(ask.target, int)))
    target = _target(targets, chosen.target)
    fan = next((fan for fan in fans if fan.chosen), None)
    return Choosing(
        fans=fans,
        options=tuple(map(faces.asks, dict.fromkeys(ask.class_ for ask in asks))),
        fan=fan,
        traits=_traits(seen, fan, traits),
        asks=faces.asks(class_) if class_ else None,
        targets=targets,
        target=target,
        everybody=everybody,
        of_card=_each_for_itself(seen),
        exact=seen.rules.ask_what == "card",
        next=_next(bool(asks), bool(key), bool(class_), everybody or target is not None),
    )


def _each_for_itself(seen: Observation) -> bool:
    return deck_of(seen.rules).overlaps


def _options(seen: Observation, faces: Faces, asks: Iterable[Ask]) -> dict[str, tuple[str, ...]]:
    """For each fan what may be asked for with it; a fan that may ask for nothing has no entry."""
    deck = deck_of(seen.rules)
    found: dict[str, dict[str, None]] = {}
    for ask in asks:
        class_ = deck.class_of(ask.class_) if ask.class_ in deck.place else ask.class_
        cards = (ask.bait,) if ask.bait else deck.entitling[class_].intersection(seen.hand)
        for card in cards:
            found.setdefault(faces.fan(card), {})[ask.class_] = None
    return {key: tuple(classes) for key, classes in found.items()}


def _tapped(seen: Observation, can: dict[str, tuple[str, ...]], chosen: Chosen) -> str:
    """The fan that was tapped, or the one that holds what was chosen."""
    if chosen.fan in can:
        return chosen.fan
    return next((key for key, classes in can.items() if chosen.class_ in classes), "")


def _class(
    seen: Observation,
    classes: tuple[str, ...],
    wanted: str | None,
    key: str,
    traits: tuple[str, ...],
) -> str:
    """The class chosen, if it may be asked for; the only one that a fan has chooses itself."""
    if len(classes) == 1:
        return classes[0]
    if traits:
        signs = [sign if name in traits else "." for name, sign in zip(TRAITS, key, strict=False)]
        wanted = "".join(signs)
    return wanted if wanted in classes else ""


def _target(targets: tuple[int, ...], wanted: str | int | None) -> int | None:
    """Whom to ask; the only target there is chooses itself."""
    if len(targets) == 1:
        return targets[0]
    return next((target for target in targets if str(target) == str(wanted)), None)


def _next(mine: bool, fan: bool, class_: bool, target: bool) -> str:
    if not mine:
        return ""
    if not class_:
        return "option" if fan else "class"
    return "ask" if target else "target"


def _traits(seen: Observation, fan: Fan | None, chosen: tuple[str, ...]) -> tuple[Trait, ...]:
    """The three traits of the chosen card, or of any card of mine, for the page to draw them."""
    if not _each_for_itself(seen):
        return ()
    face = fan.cards[0] if fan else CardFace(1, "", "traits", "coral", "square")
    return tuple(Trait(name, face, fan is not None and name in chosen) for name in TRAITS)


def _fans(
    seen: Observation, faces: Faces, can: dict[str, tuple[str, ...]], tapped: str, came: set[Card]
) -> Iterator[Fan]:
    """In the order of the deck, in which the hand is sorted."""
    deck = deck_of(seen.rules)
    held: dict[str, list[Card]] = {}
    for card in seen.hand:
        held.setdefault(faces.fan(card), []).append(card)
    for key, cards in held.items():
        yield Fan(
            key=key,
            is_=faces.own(key) if key in deck.members else None,
            cards=faces.cards(cards),
            options=tuple(map(faces.asks, can.get(key, ()))),
            code=key if deck.overlaps else "",
            chosen=bool(can) and key == tapped,
            new=not came.isdisjoint(cards),
        )


def _came(seen: Observation, steps: tuple[Step, ...]) -> set[Card]:
    """The cards that these steps brought to my hand."""
    return {
        face.code
        for step in steps
        for face in step.cards
        if (step.kind in ("fished", "picked", "replaced", "refilled") and step.seat == seen.viewer)
        or (step.kind == "gave" and step.other == seen.viewer)
    }
