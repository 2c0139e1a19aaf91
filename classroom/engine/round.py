"""A round from the deal to its end: `apply` returns a new State, `play` changes a Table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from classroom.engine.actions import Action, IllegalAction, InvalidAction, Refusal
from classroom.engine.cards import Card, Deck, deck_of
from classroom.engine.chance import Chance
from classroom.engine.checks import demand
from classroom.engine.events import ALL, Dealt, DealtCards, Event, SetAside, shared
from classroom.engine.rules import Rules
from classroom.engine.scoring import scores, winners
from classroom.engine.setup import setup_of
from classroom.engine.state import NOTHING, Position, State, Step, Table
from classroom.engine.turns import conclude

__all__ = [
    "IllegalAction",
    "InvalidAction",
    "State",
    "Step",
    "apply",
    "deal",
    "legal_actions",
    "play",
    "refusal",
    "scores",
    "shuffled",
    "winners",
]


_set = object.__setattr__  # lets a frozen State keep its legal actions once they are listed


def shuffled(rules: Rules, rng: Any) -> list[Card]:
    """All cards of the game in random order. `rng`: a random.Random or similar."""
    cards = list(deck_of(rules).cards)
    rng.shuffle(cards)
    return cards


def deal(
    rules: Rules,
    seats: int,
    dealer: int,
    deck: Sequence[Card],
    chance: Chance | None = None,
) -> Step:
    """Deal a round: one card at a time, from the front of `deck`, starting at the dealer's left.

    The lost cards come next, in games that have them; the rest is the stock. Books in the deal are
    laid and hands refilled before the first ask (C4). Raises RulesError, or ValueError for a dealer
    who has no seat or a deck that is not the deck of the game.
    """
    demand(rules, seats)
    if not 0 <= dealer < seats:
        raise ValueError(f"the dealer is one of {seats} seats, counted from 0, not {dealer}")
    setup = setup_of(rules, seats, dealer)
    _demand_whole(setup.deck, deck)
    number = setup.hand_size * seats
    order = setup.order[(dealer + 1) % seats]
    hands = [NOTHING] * seats
    for i, seat in enumerate(order):
        hands[seat] = frozenset(deck[i:number:seats])
    rest = tuple(deck[number:])
    empty = ((),) * seats
    table = Table(
        State(
            setup=setup,
            rules=rules,
            hands=tuple(hands),
            boats=(NOTHING,) * seats,
            lost=rest[: rules.deck_lost],
            stock=rest[rules.deck_lost :],
            books=empty,
            singles=empty,
            active=order[0],
        ),
        chance,
    )
    _tell_deal(table)
    conclude(table, "goes_on")
    table.end()
    return table.step()


def _demand_whole(deck: Deck, cards: Sequence[Card]) -> None:
    named = {card for card in cards if isinstance(card, str)}
    if len(cards) != len(deck.cards) or named != deck.place.keys():
        raise ValueError(f"a deck for this game has each of its {len(deck.cards)} cards once")


def _tell_deal(t: Table) -> None:
    for seat in t.from_active():
        cards = t.setup.deck.sorted(t.hands[seat])
        t.tell(_deal_event(seat, len(cards)))
        t.tell(DealtCards(audience=(seat,), seat=seat, cards=cards))
        t.gained[seat] = t.hands[seat]
    if t.lost:
        t.tell(SetAside(audience=ALL, number=len(t.lost)))
    t.may_be_dead = True


@shared
def _deal_event(seat: int, number: int) -> Event:
    return Dealt(audience=ALL, seat=seat, number=number)


def legal_actions(p: Position) -> tuple[Action, ...]:
    """Every legal action of the seat that must act; these depend only on what it sees (A9)."""
    legal: tuple[Action, ...] | None = getattr(p, "_legal", None)
    if legal is None:
        legal = tuple(p.setup.choices[p.phase](p))
        _set(p, "_legal", legal)
    return legal


def refusal(p: Position, action: Action, seat: int | None = None) -> Refusal | None:
    """The reason why `seat` (by default the one to act) may not take the action now, or None."""
    if p.phase == "over":
        return Refusal("round_over", "the round is over")
    if seat is not None and seat != p.turn:
        return Refusal("not_your_turn", f"it is the turn of seat {p.turn}")
    kind = p.setup.kinds.get(type(action))
    if kind is None:
        return Refusal("not_in_this_game", f"there is no {action.type} in this game")
    if kind.phase != p.phase:
        return Refusal("wrong_phase", f"{action.type} does not come in phase {p.phase}")
    return kind.refusal(p, action)


def play(
    table: Table, action: Action, *, seat: int | None = None, listed: bool = False
) -> tuple[Event, ...]:
    """Carry out an action on the table itself; returns its events. Raises IllegalAction.

    This is for rounds whose intermediate states are not needed. A refused action changes nothing;
    after a ChanceError the table must not be used any more. `listed`: the action was taken from
    `legal_actions` and is not checked again.
    """
    refused = None if listed else refusal(table, action, seat)
    if refused is not None:
        raise IllegalAction(refused.reason, _message(table, action, refused))
    table.begin()
    conclude(table, table.setup.kinds[type(action)].perform(table, action))
    return table.end()


def apply(
    state: State, action: Action, chance: Chance | None = None, *, seat: int | None = None
) -> Step:
    """Carry out an action and return the result; `state` is unchanged. Raises IllegalAction.

    `chance` decides random results. Most games have no random results and need no `chance`.
    """
    table = Table(state, chance)
    play(table, action, seat=seat)
    return table.step()


def _message(p: Position, action: Action, refused: Refusal) -> str:
    """One line for the log: the action, the reason, and what is public about the position."""
    return f"{action}: {refused.message} [move {p.seq}, phase {p.phase}]"
