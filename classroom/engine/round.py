"""A round from the deal to its end: `apply` returns a new State, `play` changes a Table."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, Final

from classroom.engine import asks, events as ev, laying
from classroom.engine.actions import (
    Action,
    Answer,
    Ask,
    Chance,
    Claim,
    Declare,
    IllegalAction,
    Lamp,
    Lay,
    LayOff,
    Name,
    Pass,
    Refusal,
    Show,
    Target,
)
from classroom.engine.asks import can_ask
from classroom.engine.cards import Card, deck_of, finder_of
from classroom.engine.checks import demand
from classroom.engine.laying import can_lay, can_lay_off, lay_books, lays_at_once
from classroom.engine.rules import Rules
from classroom.engine.scoring import OWN_ENDS, check_end, count_turn, finish, look_for_dead
from classroom.engine.state import NOTHING, Choice, Flow, Kind, Position, Setup, State, Step, Table

# ---- After an action: books, refills, the end of the round and the next turn (A6, steps 5 to 10)


def refill(t: Table) -> None:
    """Refill the empty hands that must be refilled at once, until nothing changes (C16, CA5, CA6).
    The active seat goes first, then the others clockwise. A seat whose new cards all go into books
    refills again before the next seat (S13). Then retire the seats with an empty hand, if the rules
    say so (G18)."""
    changed = not all(t.hands) and bool(t.stock or t.rules.refill_boat)
    while changed:
        changed = False
        for seat in t.from_active():
            while number := _due_now(t, seat):
                take(t, seat, number)
                lay_books(t)
                changed = True
    if t.rules.refill_retire:
        for seat in t.from_active():
            if seat not in t.out and not t.cards(seat):
                t.out |= {seat}
                t.tell(ev.Retired(audience=ev.ALL, seat=seat))


def take(t: Table, seat: int, number: int) -> None:
    """Fill an empty hand from the stock or, if the stock is empty, from the seat's boat (S18)."""
    if not t.stock:
        bait = frozenset(t.bait(seat, number))
        t.boats[seat] -= bait
        t.hands[seat] |= bait
        t.tell(ev.Baited(audience=ev.ALL, seat=seat, number=len(bait)))
        t.tell(ev.BaitedCards(audience=(seat,), seat=seat, cards=t.setup.deck.sorted(bait)))
        return
    cards = t.setup.deck.sorted(t.draw(number))
    t.gain(seat, frozenset(cards))
    t.tell(ev.Refilled(audience=ev.ALL, seat=seat, number=len(cards)))
    t.tell(ev.RefilledCards(audience=(seat,), seat=seat, cards=cards))


def due_at_own_turn(p: Position, seat: int, keeps: bool) -> int:
    """The number of cards that `seat` takes when it gets or keeps the turn, possibly 0 (F15, P9).
    If `refill.passive` is `own_turn`, its number applies to a seat that gets the turn. In all other
    cases `refill.active` decides."""
    if p.hands[seat] or seat in p.out:
        return 0
    if not p.stock:
        return _from_boat(p, seat)
    when, amount = p.rules.refill_passive
    if when != "own_turn" or keeps:
        when, amount = p.rules.refill_active
    return 0 if when == "never" else _number(p, amount)


def due_once_passive(p: Position, to: int) -> bool:
    """Whether the active seat is refilled because the turn goes to another seat, `to` (S3)."""
    if to == p.active or to in p.out or p.hands[p.active] or p.active in p.out:
        return False
    return bool(p.stock) and p.rules.refill_passive[0] == "now"


def _due_now(p: Position, seat: int) -> int:
    if p.hands[seat] or seat in p.out:
        return 0
    when, amount = p.rules.refill_active if seat == p.active else p.rules.refill_passive
    if when != "now":
        return 0
    if p.stock:
        return _number(p, amount)
    return _from_boat(p, seat) if seat == p.active else 0


def _from_boat(p: Position, seat: int) -> int:
    if not p.rules.refill_boat:
        return 0
    return min(_number(p, p.rules.refill_active[1]), len(p.boats[seat]))


def _number(p: Position, amount: str | int) -> int:
    return p.setup.hand_size if amount == "deal" else int(amount)


def conclude(t: Table, flow: Flow) -> None:
    """Complete an action: lay books, refill hands, check for the end, then pass on the turn."""
    if flow == "waits":
        # The asked seat lays books and refills while the asker looks at the fished card (S32).
        if t.phase == "show":
            t.gained.pop(t.active, None)
            if t.gained:
                lay_books(t)
            refill(t)
        if t.may_be_dead:
            look_for_dead(t)
        return
    t.phase, t.pending, t.drawn = "ask", None, None
    lay_books(t)
    keeps = flow != "ends"
    if flow == "caught" and t.rules.turn_catch == "again_if_book":
        keeps = t.made_book  # before refills: books made by refills do not count (O9)
    refill(t)
    if not check_end(t):
        pass_on(t, keeps)


def pass_on(t: Table, keeps: bool) -> None:
    """Give the turn to the first seat that can act, after any refill that is due (steps 8 to 10).
    An active seat that may go on but has nothing to do passes the turn clockwise (CA12, S14)."""
    if keeps:
        t.refuser = None
        if _takes_turn(t, t.active, keeps):
            return
    if t.stockless and count_turn(t):
        return
    first = t.refuser if t.rules.turn_next == "refuser" else None
    for seat in t.setup.order[t.from_active()[1] if first is None else first]:
        if _takes_turn(t, seat):
            return
    finish(t, "dead")


def _takes_turn(t: Table, seat: int, keeps: bool = False) -> bool:
    """Offer the turn to `seat`; returns whether the seat takes it or the round has ended."""
    if not (t.hands[seat] and t.hands[t.active]) or t.rules.book_lay == "choice":
        _prepare(t, seat, keeps)
        if t.over:
            return True
    if seat in t.out or not (can_ask(t, seat) or can_lay(t, seat) or can_lay_off(t, seat)):
        return False
    if seat != t.active:
        _pass_turn_to(t, seat)
    return True


def _prepare(t: Table, seat: int, keeps: bool) -> None:
    """Prepare `seat` for its turn: it takes the cards that are due and lays the books that waited
    for this turn. The seat that had the turn before is refilled as a passive seat (step 9)."""
    due = due_at_own_turn(t, seat, keeps)
    if not (due or lays_at_once(t, seat) or due_once_passive(t, seat)):
        return
    if seat != t.active:
        _pass_turn_to(t, seat)
    while number := due_at_own_turn(t, seat, keeps):  # repeat if books took the whole hand (S13)
        take(t, seat, number)
        lay_books(t)
    lay_books(t)
    refill(t)
    check_end(t)


def _pass_turn_to(t: Table, seat: int) -> None:
    t.tell(_turn_event(audience=ev.ALL, seat=t.active, to=seat))
    t.active = seat


_turn_event: Final = ev.shared(ev.TurnPassed)


# ---- The kinds of action, each with the functions that list it, refuse it and carry it out

PHASES: Final = ("ask", "answer", "name", "show", "claim", "over")


def _lay(t: Table, action: Lay) -> Flow:
    laying.lay_book(t, t.active, t.setup.deck.sorted(action.cards))
    return "goes_on"


def _lay_off(t: Table, action: LayOff) -> Flow:
    laying.lay_off(t, t.active, action.card)
    return "goes_on"


ACTION_KINDS: Final[dict[type[Any], Kind]] = {
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
        legal=lambda p: map(LayOff, laying.singles(p, p.active)),
        refusal=lambda p, layoff: laying.single_refusal(p, layoff.card),
        perform=_lay_off,
    ),
    Declare: Kind(
        exists=lambda rules: rules.end_declare,
        phase="ask",
        legal=lambda p: () if p.stock else (Declare(),),
        refusal=laying.declare_refusal,
        perform=lambda t, _: laying.declare(t),
    ),
    Lamp: Kind(
        exists=lambda rules: rules.end_tide is not None,
        phase="ask",
        legal=lambda p: () if asks.lamp_refusal(p, Lamp()) else (Lamp(),),
        refusal=asks.lamp_refusal,
        perform=lambda t, _: asks.light(t),
    ),
    Answer: Kind(
        exists=lambda rules: rules.response == "challenge_optional",
        phase="answer",
        legal=lambda p: (Answer("give"), Answer("challenge")),
        refusal=lambda *_: None,  # always allowed in its phase
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
        legal=lambda p: map(Claim, laying.claim_options(p)),
        refusal=lambda p, claim: laying.claim_refusal(p, claim.cards),
        perform=lambda t, claim: laying.claim(t, claim.cards),
    ),
    Pass: Kind(
        exists=lambda rules: rules.end_declare,
        phase="claim",
        legal=lambda p: (Pass(),),
        refusal=lambda *_: None,  # always allowed in its phase
        perform=lambda t, _: laying.pass_claim(t),
    ),
}


# ---- The setup: worked out from the rules once for a whole round, so that each ask is fast

STALL_ASKS: Final = 40
"""The smallest stall limit: a number of asks in a row that move no card (A11)."""


@lru_cache(maxsize=1024)
def setup_of(rules: Rules, seats: int, dealer: int) -> Setup:
    deck = deck_of(rules)
    order = tuple(tuple((seat + i) % seats for i in range(seats)) for seat in range(seats))
    others: tuple[tuple[Target, ...], ...] = tuple(
        ("all",) if rules.ask_scope == "all" else tuple(sorted(rest)) for _, *rest in order
    )
    kinds = {action: kind for action, kind in ACTION_KINDS.items() if kind.exists(rules)}
    entitling = frozenset[Card]().union(*deck.entitling.values())
    ends = rules.end if rules.end_tide is None else (*rules.end, "tide")
    return Setup(
        rules=rules,
        deck=deck,
        finder=finder_of(rules),
        seats=seats,
        dealer=dealer,
        hand_size=rules.deal_size(seats),
        order=order,
        others=others,
        every_card_asks=rules.ask_what == "class" and len(entitling) == len(deck.cards),
        stall_limit=max(STALL_ASKS, seats * len(deck.classes)),
        kinds=kinds,
        choices={
            phase: _joined([kind.legal for kind in kinds.values() if kind.phase == phase])
            for phase in PHASES
        },
        ends=tuple((end, OWN_ENDS[end]) for end in ends),
    )


def _joined(choices: Sequence[Choice]) -> Choice:
    """Combine these choices into one that lists the actions of each in turn."""
    if len(choices) == 1:
        return choices[0]
    return lambda p: chain.from_iterable(choice(p) for choice in choices)


def shuffled(rules: Rules, rng: Any) -> list[Card]:
    """All cards in the game in random order. `rng`: a random.Random or similar."""
    cards = list(deck_of(rules).cards)
    rng.shuffle(cards)
    return cards


def deal(
    rules: Rules, seats: int, dealer: int, deck: Sequence[Card], chance: Chance | None = None
) -> Step:
    """Deal a round: one card at a time, from the front of `deck`, starting at the dealer's left.
    The lost cards come next, in games that have them; the rest is the stock. Books in the deal are
    laid and hands refilled before the first ask (C4). Raises RulesError, or ValueError if `dealer`
    is not a seat or `deck` is not the deck of the game."""
    demand(rules, seats)
    if not 0 <= dealer < seats:
        raise ValueError(f"the dealer is one of {seats} seats, counted from 0, not {dealer}")
    setup = setup_of(rules, seats, dealer)
    named = {card for card in deck if isinstance(card, str)}
    if len(deck) != len(setup.deck.cards) or named != setup.deck.place.keys():
        raise ValueError(f"a deck for this game has each of its {len(setup.deck.cards)} cards once")
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
            tide=rules.end_tide,
        ),
        chance,
    )
    _tell_deal(table)
    conclude(table, "goes_on")
    table.end()
    return table.step()


def _tell_deal(t: Table) -> None:
    for seat in t.from_active():
        cards = t.setup.deck.sorted(t.hands[seat])
        t.tell(_deal_event(audience=ev.ALL, seat=seat, number=len(cards)))
        t.tell(ev.DealtCards(audience=(seat,), seat=seat, cards=cards))
        t.gained[seat] = t.hands[seat]
    if t.lost:
        t.tell(ev.SetAside(audience=ev.ALL, number=len(t.lost)))
    t.may_be_dead = True


_deal_event: Final = ev.shared(ev.Dealt)


def legal_actions(p: Position) -> tuple[Action, ...]:
    """All legal actions of the seat that must act; they depend only on what that seat sees (A9)."""
    legal: tuple[Action, ...] | None = getattr(p, "_legal", None)
    if legal is None:
        legal = tuple(p.setup.choices[p.phase](p))
        object.__setattr__(p, "_legal", legal)  # works for a frozen State too
    return legal


def refusal(p: Position, action: Action, seat: int | None = None) -> Refusal | None:
    """The reason why `seat` (default: the seat to act) may not take the action now, or None."""
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
) -> tuple[ev.Event, ...]:
    """Carry out an action on the table itself; returns its events. Raises IllegalAction. Use this
    function when the intermediate states of a round are not needed. A refused action changes
    nothing; after a ChanceError the table must not be used any more. `listed`: the action was taken
    from `legal_actions` and is not checked again."""
    refused = None if listed else refusal(table, action, seat)
    if refused is not None:
        raise IllegalAction(
            refused.reason, f"{action}: {refused.message} [move {table.seq}, phase {table.phase}]"
        )
    table.begin()
    conclude(table, table.setup.kinds[type(action)].perform(table, action))
    return table.end()


def apply(
    state: State, action: Action, chance: Chance | None = None, *, seat: int | None = None
) -> Step:
    """Carry out an action and return the result; `state` is unchanged. Raises IllegalAction.
    `chance` decides the random results; most games have none and need no `chance`."""
    table = Table(state, chance)
    play(table, action, seat=seat)
    return table.step()
