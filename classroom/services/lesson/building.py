"""Building a moment: from the kinds of card that each seat is dealt and from what is asked, a deck
and moves that the engine deals and plays.

What came of an ask is never chosen. It follows from the cards, so nobody can keep what it gave. The
seats are dealt equally many: smaller hands are filled up with kinds that nothing is said about, and
such a card is fished too, as long as there is one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Final

from classroom.engine import apply, deal, observe
from classroom.engine.actions import Ask, IllegalAction
from classroom.engine.cards import Card, Finder, deck_of, finder_of
from classroom.engine.chance import Lots
from classroom.engine.observation import Observation
from classroom.engine.record import action_to_json, chance_to_json
from classroom.engine.rules import Rules
from classroom.engine.state import State
from classroom.services.base.errors import Refused
from classroom.services.table.offers import Offer, only_asks

DECK: Final = "short"  # the size of its deck
SEATS: Final = range(2, 5)
FEWEST: Final = 3  # cards of a hand; a smaller one says too little to a child
MOST_CARDS: Final = 7  # cards of a hand that are chosen
MOST_ASKS: Final = 8


@dataclass(frozen=True, slots=True)
class Built:
    """`hands`: what each seat is dealt, the chosen cards first; `state`: the round after `moves`.
    `problem`: why it cannot be kept, with the code `moment_many`, `moment_book`, `moment_unheld`
    or `moment_ask`; `moves` are then those before the mistake."""

    deck: tuple[Card, ...]
    hands: list[list[Card]]
    moves: list[Any]
    state: State
    problem: Refused | None

    @property
    def turn(self) -> int:
        """The seat whose turn it is."""
        return self.state.active

    @property
    def view(self) -> Observation:
        """What that seat sees."""
        return observe(self.state, self.turn)


def sizes(offer: Offer) -> list[int]:
    """The numbers of seats for which moments of this game can be built; none unless each card is
    of one kind, and an ask goes to one seat and is answered at once."""
    fewest, most = offer.seats
    return [n for n in SEATS if fewest <= n <= most and _simple(offer.rules_for(n, DECK), n)]


def _simple(rules: Rules, seats: int) -> bool:
    kinds = deck_of(rules).classes_of.values()
    return only_asks(rules) and all(len(one) == 1 for one in kinds) and len(kinds) > seats * FEWEST


def build(offer: Offer, hands: Sequence[str], asks: Sequence[str]) -> Built:
    """Deal and play a moment; seat 0 begins. `hands`: the kinds of each seat, as in `7.7.2`;
    `asks`: whom the seat whose turn it is asks, and for what, as in `1-7`."""
    seats, problem = len(hands), None
    rules = offer.rules_for(seats, DECK)
    deck, finder = deck_of(rules), finder_of(rules)
    chosen = [hand.split(".") if hand else [] for hand in hands]
    size = max(FEWEST, *map(len, chosen))
    wanted = Counter(kind for hand in chosen for kind in hand)
    enough = all(n <= len(deck.members.get(kind, ())) for kind, n in wanted.items())
    if not enough or size * seats > len(deck.cards):
        return replace(build(offer, [""] * seats, ()), problem=Refused("moment_many"))
    about = {*wanted, *(deck.class_of(card) for kind in wanted for card in deck.entitling[kind])}
    rng = Random("/".join((offer.key, *hands)))  # the same cards have the same pond
    left = sorted(deck.cards, key=lambda card: rng.random())
    dealt = [[_take(left, deck.members[kind]) for kind in hand] for hand in chosen]
    for hand in dealt:
        while len(hand) < size:
            held = {deck.class_of(card) for one in dealt for card in one}
            hand.append(_take(left, _dull(finder, left, hand, about | held)))
    order = [card for turn in zip(*dealt, strict=True) for card in turn]
    rules = rules.changed(deal={"default": size})
    state = deal(rules, seats, seats - 1, (*order, *left)).state
    if any(state.books):
        problem = Refused("moment_book")
    order += state.lost
    moves: list[Any] = []
    for number, text in enumerate(() if problem else asks, 1):
        whom, _, kind = text.partition("-")
        ask = Ask(next((n for n in range(seats) if whom == str(n)), seats), kind)
        first = _dull(finder, state.stock, state.hands[state.active], about | {kind})
        pond = sorted(state.stock, key=lambda card, first=first: card not in first)  # type: ignore[misc]
        try:
            step = apply(replace(state, stock=tuple(pond)), ask, Lots(rng), seat=state.turn)
        except IllegalAction as error:
            unheld = error.reason == "rank_not_held"
            problem = Refused("moment_unheld" if unheld else "moment_ask", number=number)
            break
        order += pond[: len(pond) - len(step.state.stock)]
        shuffled = tuple(card for card in state.stock if card in step.state.stock)
        state = replace(step.state, stock=shuffled)
        moves.append([action_to_json(ask), [*map(chance_to_json, step.chance)]])
    return Built((*order, *state.stock), dealt, moves, state, problem)


def _take(left: list[Card], cards: Collection[Card]) -> Card:
    card = min(one for one in left if one in cards)
    left.remove(card)
    return card


def _dull(
    finder: Finder, left: Sequence[Card], hand: Collection[Card], useful: Collection[str]
) -> Collection[Card]:
    """Those of the cards left that make no book with the hand and are not of a useful kind; if
    there are none, those that make no book; else all."""
    no_book = [card for card in left if not finder.possible(frozenset((*hand, card)))]
    return [card for card in no_book if finder.deck.class_of(card) not in useful] or no_book or left
