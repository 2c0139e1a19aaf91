"""A round from the deal to its end: pure functions from a State and an action to the next."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import chain
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
    if not 0 <= dealer < seats:
        raise ValueError(f"the dealer is one of {seats} seats, counted from 0, not {dealer}")
    setup = setup_of(rules, seats, dealer)
    _demand_whole(setup.deck, deck)
    number = setup.hand_size * seats
    order = (*setup.after[dealer], dealer)
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
    conclude(table, Flow.GOES_ON)
    return table.step()


def _demand_whole(deck: Deck, cards: Sequence[Card]) -> None:
    if sorted(map(str, cards)) != sorted(deck.cards):
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
    legal: tuple[Action, ...] | None = getattr(state, "_legal", None)
    if legal is None:
        legal = _legal(state)
        object.__setattr__(state, "_legal", legal)
    return legal


def refusal(state: State, action: Action, seat: int | None = None) -> Refusal | None:
    """Why the action is not allowed now, if so. `seat`: who wants it, if not the seat to act."""
    if state.phase == "over":
        return Refusal("round_over", "the round is over")
    if seat is not None and seat != state.turn:
        return Refusal("not_your_turn", f"it is the turn of seat {state.turn}")
    kind = KINDS[type(action)]
    if not kind.exists(state.rules):
        return Refusal("not_in_this_game", f"there is no {action.type} in this game")
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


class Kind(NamedTuple):
    """One kind of action: the games that have it, its phase, what is legal, why not, what it does.

    The list and the refusal ask the same functions of the strategy modules, so that a list of
    legal actions and a refusal cannot disagree.
    """

    exists: Callable[[Rules], bool]
    phase: str
    legal: Callable[[Position], Iterable[Action]]
    refusal: Callable[[Position, Any], Refusal | None]
    perform: Callable[[Table, Any], Flow]


def _legal(p: Position) -> tuple[Action, ...]:
    kinds = _kinds(p.rules, p.phase)
    if len(kinds) == 1:
        return tuple(kinds[0].legal(p))
    return tuple(chain.from_iterable(kind.legal(p) for kind in kinds))


@lru_cache(maxsize=1024)
def _kinds(rules: Rules, phase: str) -> tuple[Kind, ...]:
    """The kinds of action that a game has in a phase."""
    return tuple(kind for kind in KINDS.values() if kind.phase == phase and kind.exists(rules))


def _lay(t: Table, action: Lay) -> Flow:
    laying.lay_book(t, t.active, t.setup.deck.sorted(action.cards))
    return Flow.GOES_ON


def _lay_off(t: Table, action: LayOff) -> Flow:
    laying.lay_off(t, t.active, action.card)
    return Flow.GOES_ON


def _never_refused(p: Position, action: Action) -> None:
    """For actions that are always allowed in their phase."""


KINDS: Final[dict[type[Any], Kind]] = {
    Ask: Kind(
        exists=lambda rules: True,
        phase="ask",
        legal=asks.legal_asks,
        refusal=asks.ask_refusal,
        perform=asks.ask,
    ),
    Lay: Kind(
        exists=lambda rules: rules.book_lay == "choice",
        phase="ask",
        legal=lambda p: map(Lay, laying.options(p)),
        refusal=lambda p, lay: laying.lay_refusal(p, lay.cards),
        perform=_lay,
    ),
    LayOff: Kind(
        exists=lambda rules: rules.book_layoff == "choice",
        phase="ask",
        legal=lambda p: map(LayOff, laying.single_options(p)),
        refusal=lambda p, layoff: laying.single_refusal(p, layoff.card),
        perform=_lay_off,
    ),
    Declare: Kind(
        exists=lambda rules: rules.end_declare,
        phase="ask",
        legal=lambda p: () if p.stock else (Declare(),),
        refusal=claims.declare_refusal,
        perform=lambda t, _: claims.declare(t),
    ),
    Answer: Kind(
        exists=lambda rules: rules.response == "challenge_optional",
        phase="answer",
        legal=lambda p: (Answer("give"), Answer("challenge")),
        refusal=_never_refused,
        perform=asks.answer,
    ),
    Name: Kind(
        exists=lambda rules: rules.response in asks.CHALLENGES,
        phase="name",
        legal=lambda p: map(Name, asks.numbers(p)),
        refusal=asks.name_refusal,
        perform=asks.name,
    ),
    Show: Kind(
        exists=lambda rules: rules.lucky == "again_may_show",
        phase="show",
        legal=lambda p: (Show(True), Show(False)) if asks.may_show(p) else (Show(False),),
        refusal=asks.show_refusal,
        perform=asks.show,
    ),
    Claim: Kind(
        exists=lambda rules: rules.end_declare,
        phase="claim",
        legal=lambda p: map(Claim, claims.claim_options(p)),
        refusal=lambda p, claim: claims.claim_refusal(p, claim.cards),
        perform=lambda t, claim: claims.claim(t, claim.cards),
    ),
    Pass: Kind(
        exists=lambda rules: rules.end_declare,
        phase="claim",
        legal=lambda p: (Pass(),),
        refusal=_never_refused,
        perform=lambda t, _: claims.pass_claim(t),
    ),
}
