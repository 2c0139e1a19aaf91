"""A round from the deal to its end: pure functions from a State and an action to the next."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple

from classroom.engine import asks, claims, laying
from classroom.engine.actions import (
    Action,
    Answer,
    Ask,
    Claim,
    Declare,
    Lay,
    LayOff,
    Name,
    Pass,
    Show,
)
from classroom.engine.asks import Flow
from classroom.engine.cards import Card, Deck, deck_of
from classroom.engine.chance import Chance
from classroom.engine.checks import demand
from classroom.engine.events import ALL, Dealt, DealtCards, SetAside
from classroom.engine.refusals import IllegalAction, InvalidAction, Refusal
from classroom.engine.rules import Rules
from classroom.engine.scoring import scores, winners
from classroom.engine.state import NOTHING, Position, State, Step, Table, setup_of
from classroom.engine.turns import conclude

__all__ = [
    "IllegalAction",
    "InvalidAction",
    "State",
    "Step",
    "apply",
    "deal",
    "legal_actions",
    "refusal",
    "scores",
    "shuffled",
    "winners",
]


def shuffled(rules: Rules, rng: Any) -> list[Card]:
    """All cards of the game in random order. `rng` is a random.Random or alike."""
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
    """Deal a round: one card at a time from the dealer's left, off the top (first) of `deck`.

    Then the lost cards, where the game has them; the rest is the stock. What the deal completes
    is laid and refilled before the first ask (C4). Raises RulesError, or ValueError for a deck
    that is not the deck of the game.
    """
    demand(rules, seats)
    setup = setup_of(rules, seats, dealer)
    _demand_whole(setup.deck, deck)
    number = setup.hand_size * seats
    order = (*setup.after(dealer), dealer)
    hands = [NOTHING] * seats
    for i, seat in enumerate(order):
        hands[seat] = frozenset(deck[i:number:seats])
    rest = tuple(deck[number:])
    empty = ((),) * seats
    table = Table(
        State(
            setup=setup,
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
    conclude(table, Flow.GOES_ON)
    return table.step()


def _demand_whole(deck: Deck, cards: Sequence[Card]) -> None:
    if len(cards) != len(deck.cards) or set(cards) != set(deck.cards):
        raise ValueError(f"a deck for this game has each of its {len(deck.cards)} cards once")


def _tell_deal(t: Table) -> None:
    for seat in t.from_active():
        cards = t.setup.deck.sorted(t.hands[seat])
        t.tell(Dealt(audience=ALL, seat=seat, number=len(cards)))
        t.tell(DealtCards(audience=(seat,), seat=seat, cards=cards))
        t.gained[seat] = t.hands[seat]
    if t.lost:
        t.tell(SetAside(audience=ALL, number=len(t.lost)))
    t.recount = True


def legal_actions(state: State) -> tuple[Action, ...]:
    """Every action of the seat to act; a function of that seat's own view alone (A9)."""
    kept = vars(state)
    if "_legal" not in kept:
        kept["_legal"] = _legal(state)
    legal: tuple[Action, ...] = kept["_legal"]
    return legal


def refusal(state: State, action: Action, seat: int | None = None) -> Refusal | None:
    """Why the action is not allowed now, if so. `seat`: who wants it, if not the seat to act."""
    if state.over:
        return Refusal("round_over", "the round is over")
    if seat is not None and seat != state.turn:
        return Refusal("not_your_turn", f"it is the turn of seat {state.turn}")
    kind = KINDS[type(action)]
    if kind.phase != state.phase:
        return Refusal("wrong_phase", f"{action.type} does not come in phase {state.phase}")
    return kind.refusal(state, action)


def apply(
    state: State, action: Action, chance: Chance | None = None, *, seat: int | None = None
) -> Step:
    """Carry out an action of the seat to act. Raises IllegalAction.

    `chance` decides what is left to it; a game without such things needs none.
    """
    refused = refusal(state, action, seat)
    if refused is not None:
        raise IllegalAction(refused.reason, _message(state, action, refused))
    table = Table(state, chance)
    conclude(table, KINDS[type(action)].perform(table, action))
    return table.step()


def _message(state: State, action: Action, refused: Refusal) -> str:
    """One line: what was asked, why not, and where the round stands for everybody to see."""
    return f"{action}: {refused.message} [move {state.seq}, phase {state.phase}]"


def _legal(p: Position) -> tuple[Action, ...]:
    return tuple(
        action for kind in KINDS.values() if kind.phase == p.phase for action in kind.legal(p)
    )


class Kind(NamedTuple):
    """One kind of action: the phase it belongs to, what is legal, why not, and what it does.

    Both questions are put to the same functions of the strategy modules, so that a list of legal
    actions and a refusal cannot disagree.
    """

    phase: str
    legal: Callable[[Position], Iterable[Action]]
    refusal: Callable[[Position, Any], Refusal | None]
    perform: Callable[[Table, Any], Flow]


def _lay(t: Table, action: Lay) -> Flow:
    laying.lay_book(t, t.active, t.setup.deck.sorted(action.cards))
    return Flow.GOES_ON


def _lay_off(t: Table, action: LayOff) -> Flow:
    laying.lay_off(t, t.active, action.card)
    return Flow.GOES_ON


def _name_refusal(p: Position, action: Name) -> Refusal | None:
    if action.number in asks.numbers(p):
        return None
    return Refusal("wrong_number", f"the number must be one of {list(asks.numbers(p))}")


def _show_refusal(p: Position, action: Show) -> Refusal | None:
    if not action.show or asks.may_show(p):
        return None
    return Refusal("not_lucky", "only a card of the class asked for can be shown")


def _declare_refusal(p: Position, action: Declare) -> Refusal | None:
    if claims.may_declare(p):
        return None
    return Refusal("no_declaring", "only where the game has it, once the stock is out")


KINDS: Final[dict[type[Any], Kind]] = {
    Ask: Kind(
        "ask",
        lambda p: asks.legal_asks(p, p.active),
        lambda p, action: asks.ask_refusal(p, p.active, action),
        asks.ask,
    ),
    Lay: Kind(
        "ask",
        lambda p: map(Lay, laying.options(p, p.active)),
        lambda p, action: laying.lay_refusal(p, p.active, action.cards),
        _lay,
    ),
    LayOff: Kind(
        "ask",
        lambda p: map(LayOff, laying.single_options(p, p.active)),
        lambda p, action: laying.single_refusal(p, p.active, action.card),
        _lay_off,
    ),
    Declare: Kind(
        "ask",
        lambda p: (Declare(),) if claims.may_declare(p) else (),
        _declare_refusal,
        lambda t, action: claims.declare(t),
    ),
    Answer: Kind(
        "answer",
        lambda p: (Answer("give"), Answer("challenge")),
        lambda p, action: None,
        asks.answer,
    ),
    Name: Kind("name", lambda p: map(Name, asks.numbers(p)), _name_refusal, asks.name),
    Show: Kind(
        "show",
        lambda p: (Show(True), Show(False)) if asks.may_show(p) else (Show(False),),
        _show_refusal,
        asks.show,
    ),
    Claim: Kind(
        "claim",
        lambda p: map(Claim, claims.claim_options(p)),
        lambda p, action: claims.claim_refusal(p, action.cards),
        lambda t, action: claims.claim(t, action.cards),
    ),
    Pass: Kind(
        "claim",
        lambda p: (Pass(),),
        lambda p, action: None,
        lambda t, action: claims.pass_claim(t),
    ),
}
