"""Asking, answering, giving and fishing (the strategies Responder and MissAction in docs/rules.md
A7), and the tide, which falls after a miss."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from classroom.engine import events as ev
from classroom.engine.actions import Answer, Ask, Lamp, Name, Refusal, Show, Target
from classroom.engine.cards import Card, Deck, Hand
from classroom.engine.state import Flow, Position, Table

# ---- The tide and its lamp, in games that all seats play against the pond (rules T1 to T9)


def fall(t: Table) -> None:
    """Make the tide fall one step; do nothing in a game without a tide (T3, T4)."""
    if t.tide:
        t.tide -= 1
        t.tell(_fall_event(audience=ev.ALL, seat=t.active, left=t.tide))


def is_lit(p: Position) -> bool:
    """Whether the lamp was lit in this turn and so still shines (T8)."""
    for entry in reversed(p.log):
        for event in reversed(entry.events):
            if isinstance(event, (ev.LampLit, ev.TurnPassed)):
                return isinstance(event, ev.LampLit)
    return False


def lamp_refusal(p: Position, action: Lamp) -> Refusal | None:
    """The reason why the active seat may not light the lamp, or None."""
    if p.tide == 1:
        return Refusal("last_step", "the lamp would take the last step")
    if is_lit(p):
        return Refusal("lamp_lit", "the lamp shines already")
    return None


def light(t: Table) -> Flow:
    """Light the lamp for this turn, which costs one step (T8)."""
    t.tell(ev.LampLit(audience=ev.ALL, seat=t.active))
    fall(t)
    return "goes_on"


CHALLENGES: Final = ("challenge", "challenge_optional")


# ---- Legal asks: the list of legal asks and the refusals use the same rules


def askable(p: Position, seat: int) -> list[str]:
    """The codes that `seat` may ask for: classes, or cards where exact cards are asked for (GA8,
    S23). They are in deck order and depend only on the seat's own hand."""
    hand, bluff = p.hands[seat], p.rules.ask_bluff
    return [
        code
        for entitling, codes in _codes(p.setup.deck, p.rules.ask_what)
        if not entitling.isdisjoint(hand)
        for code in codes
        if bluff or code not in hand
    ]


@lru_cache(maxsize=256)
def _codes(deck: Deck, what: str) -> tuple[tuple[Hand, tuple[str, ...]], ...]:
    """For each class, the cards that entitle a seat to ask for it, and the codes it can name."""
    return tuple(
        (entitling, deck.sorted(deck.members[class_]) if what == "card" else (class_,))
        for class_, entitling in deck.entitling.items()
    )


def askable_seats(p: Position, seat: int) -> tuple[int, ...]:
    """The seats that `seat` may ask, also those without cards if the rules say so (CA8, P10)."""
    boats, out, empty_too = p.boats, p.out, p.rules.ask_empty_target == "legal"
    seats = [
        other
        for other, hand in enumerate(p.hands)
        if (hand or boats[other] or empty_too) and other != seat and other not in out
    ]
    return tuple(seats)


def targets(p: Position, seat: int) -> tuple[Target, ...]:
    """The targets that `seat` may name: other seats, or "all" where an ask goes to everyone."""
    if all(p.hands) and not p.out:
        return p.setup.others[seat]
    seats = askable_seats(p, seat)
    return ("all",) if seats and p.rules.ask_scope == "all" else seats


def baits(p: Position, seat: int, asked: str) -> tuple[Card | None, ...]:
    """The cards that `seat` may show when it asks for `asked` (F7); (None,) if there is no bait."""
    if p.rules.ask_bait == "nobody":
        return (None,)
    class_ = p.setup.deck.class_of(asked) if p.rules.ask_what == "card" else asked
    return p.setup.deck.sorted(p.setup.deck.entitling[class_] & p.hands[seat])


def legal_asks(p: Position) -> list[Ask]:
    """Every ask that the active seat may make, ordered by class, bait and target."""
    seat, asked = p.active, targets(p, p.active)
    legal: list[Ask] = []
    if p.rules.ask_bait != "nobody" or p.rules.ask_what == "card":
        for code in askable(p, seat):
            for bait in baits(p, seat, code):
                legal += _asks(asked, code, bait)
    else:
        hand = p.hands[seat]
        for entitling, asks in _asks_by_class(p.setup.deck, asked):
            if not entitling.isdisjoint(hand):
                legal += asks
    return legal


@lru_cache(maxsize=1024)
def _asks_by_class(
    deck: Deck, targets: tuple[Target, ...]
) -> tuple[tuple[Hand, tuple[Ask, ...]], ...]:
    """For each class, the cards that entitle a seat to ask for it, and the asks for it."""
    return tuple((cards, _asks(targets, class_, None)) for class_, cards in deck.entitling.items())


@lru_cache(maxsize=4096)
def _asks(targets: tuple[Target, ...], code: str, bait: Card | None) -> tuple[Ask, ...]:
    return tuple(Ask(target, code, bait) for target in targets)


def can_ask(p: Position, seat: int) -> bool:
    if not p.hands[seat] or not targets(p, seat):
        return False
    return p.setup.every_card_asks or bool(askable(p, seat))


def numbers(p: Position) -> range:
    """The numbers that can be named after "how many?": 1 to the class size less one (GA14)."""
    assert p.pending is not None
    return range(1, len(p.setup.deck.members[p.pending.class_]))


def may_show(p: Position) -> bool:
    """Whether the fished card is one that was asked for, so that it may be shown (S1)."""
    return p.drawn in wanted(p)


def name_refusal(p: Position, action: Name) -> Refusal | None:
    """The reason why the asker may not name this number, or None."""
    if action.number in numbers(p):
        return None
    return Refusal("wrong_number", f"the number must be one of {list(numbers(p))}")


def show_refusal(p: Position, action: Show) -> Refusal | None:
    """The reason why the asker may not show the card, or None."""
    if not action.show or may_show(p):
        return None
    return Refusal("not_lucky", "only a card of the class asked for can be shown")


def ask_refusal(p: Position, ask: Ask) -> Refusal | None:
    """The reason why the active seat may not make this ask, or None."""
    seat, deck, hand, class_ = p.active, p.setup.deck, p.hands[p.active], ask.class_
    if ask.target not in targets(p, seat):
        return _target_refusal(p, seat, ask.target)
    if p.rules.ask_what == "card":
        if ask.class_ not in deck.place:
            return Refusal("unknown_class", f"there is no card {ask.class_}")
        class_ = deck.class_of(ask.class_)
    entitling = deck.entitling.get(class_)
    if entitling is None:
        return Refusal("unknown_class", f"there is no class {ask.class_}")
    if entitling.isdisjoint(hand):
        return Refusal("rank_not_held", f"seat {seat} holds no card that lets it ask for {class_}")
    if p.rules.ask_what == "card" and ask.class_ in hand and not p.rules.ask_bluff:
        return Refusal("own_card", f"seat {seat} holds {ask.class_} itself")
    if ask.bait not in baits(p, seat, ask.class_):
        return Refusal("wrong_bait", f"{ask.bait} cannot be shown for {class_} by seat {seat}")
    return None


def _target_refusal(p: Position, seat: int, target: Target) -> Refusal:
    if (target == "all") != (p.rules.ask_scope == "all"):
        return Refusal("wrong_scope", f"an ask goes to {p.rules.ask_scope} in this game")
    if target == "all":
        return Refusal("nobody_to_ask", "nobody else has cards")
    if not 0 <= target < p.seats:
        return Refusal("no_such_seat", f"there is no seat {target}")
    if target == seat:
        return Refusal("ask_self", "a seat cannot ask itself")
    if target in p.out:
        return Refusal("target_out", f"seat {target} has left the round")
    return Refusal("empty_hand", f"seat {target} has no cards")


# ---- Carrying out an ask


def ask(t: Table, action: Ask) -> Flow:
    """Carry out an ask; the asked seat answers or asks "how many?" (A6, steps 2 to 4)."""
    # Asks are counted only if a turn can end without a draw. Otherwise the draw at the end of each
    # turn would reset the counts anyway.
    if not t.stock or t.rules.turn_catch == "again_if_book":
        t.quiet = t.quiet.asked(t.dead)
    t.pending = action
    seat, target = t.active, action.target
    t.tell(_ask_event(audience=ev.ALL, seat=seat, target=target, class_=action.class_))
    if action.bait is not None:
        assert target != "all"
        t.tell(ev.ShowedBait(audience=ev.ALL, seat=seat, target=target))
        two = _two(seat, target)
        t.tell(ev.SawBait(audience=two, seat=seat, target=target, card=action.bait))
    if t.rules.response in CHALLENGES and wanted(t) & t.cards(_asked(t, action)[0]):
        if t.rules.response == "challenge":
            return _how_many(t, action)
        t.phase = "answer"
        return "waits"
    return _resolve(t, action)


def answer(t: Table, action: Answer) -> Flow:
    """Give all cards of the class that was asked for, or ask "how many?" (GA13)."""
    assert t.pending is not None
    if action.answer == "give":
        return _resolve(t, t.pending)
    return _how_many(t, t.pending)


def name(t: Table, action: Name) -> Flow:
    """Name a number; this is a miss if the asked seat holds fewer cards of the class (G20)."""
    assert t.pending is not None
    t.tell(ev.Named(audience=ev.ALL, seat=t.active, number=action.number))
    return _resolve(t, t.pending, action.number)


def show(t: Table, action: Show) -> Flow:
    """Show the card that the asker fished, or keep it hidden and lose the turn (S1)."""
    assert t.drawn is not None
    assert t.pending is not None
    t.gained[t.active] = t.setup.deck.named[t.drawn]
    if action.show:
        return _lucky(t, t.pending, t.drawn)
    t.refuser = None if t.pending.target == "all" else t.pending.target
    t.tell(ev.KeptHidden(audience=ev.ALL, seat=t.active))
    return "ends"


def wanted(p: Position) -> Hand:
    """The cards that the pending ask is for."""
    assert p.pending is not None
    return p.setup.deck.named[p.pending.class_]


def _asked(t: Table, ask: Ask) -> list[int]:
    """The seats that must answer an ask, clockwise from the asker."""
    if ask.target == "all":
        askable = askable_seats(t, t.active)
        return [seat for seat in t.from_active() if seat in askable]
    return [ask.target]


def _how_many(t: Table, ask: Ask) -> Flow:
    t.phase = "name"
    (seat,) = _asked(t, ask)
    t.tell(ev.AskedHowMany(audience=ev.ALL, seat=seat, asker=t.active, class_=ask.class_))
    return "waits"


def _resolve(t: Table, ask: Ask, number: int = 1) -> Flow:
    """Let each asked seat give cards if it has at least `number` of the class, or else say "go
    fish". If no seat gives cards, the asker fishes."""
    caught, cards = False, t.setup.deck.named[ask.class_]
    for seat in _asked(t, ask):
        held = t.cards(seat) & cards
        if len(held) >= number:
            caught, given = True, _given(t, held, number)
            t.quiet = t.quiet.moved()
            t.lose(seat, given)
            t.gain(t.active, given, t.rules.catch_to)
            t.events += _gift_events(t.setup.deck, seat, t.active, ask.class_, given)
        else:
            t.tell(_go_fish_event(audience=ev.ALL, seat=seat, asker=t.active, class_=ask.class_))
    return "caught" if caught else _miss(t, ask)


def _given(t: Table, held: Hand, number: int) -> Hand:
    """Choose which of the cards `held` are given: all of them, or the first `number` in deck order
    (GA11, Make Ten). A10 describes how this affects chances."""
    if t.rules.response == "one" or (t.phase == "name" and t.rules.give == "named"):
        return frozenset(t.setup.deck.sorted(held)[:number])
    return held


def _miss(t: Table, ask: Ask) -> Flow:
    """Let the asker fish: from the stock, or blindly from the asked seat's hand (C8, G19)."""
    if ask.target != "all":
        t.refuser = ask.target
    if t.refuser is not None and t.rules.miss == "draw_asked_hand" and t.hands[t.refuser]:
        card = _fish_from_hand(t, t.refuser)
    elif t.stock:
        (card,) = t.draw(1)
        t.gain(t.active, t.setup.deck.named[card])
        t.events += _fishing_events(t.active, card)
    else:
        fall(t)
        return "ends"
    lucky = t.rules.lucky
    if lucky == "again_may_show":
        t.phase, t.drawn = "show", card
        return "waits"
    if lucky == "again_must_show" and card in t.setup.deck.named[ask.class_]:
        return _lucky(t, ask, card)
    fall(t)
    return "ends"


def _fish_from_hand(t: Table, source: int) -> Card:
    """Take a random card from the asked seat's hand and replace it from the stock (GA12)."""
    seat = t.active
    named = t.setup.deck.named
    card = t.pick(source)
    t.lose(source, named[card])
    t.gain(seat, named[card])
    t.tell(ev.FishedFromHand(audience=ev.ALL, seat=seat, source=source))
    t.tell(ev.Picked(audience=_two(seat, source), seat=seat, source=source, card=card))
    for new in t.draw(1):
        t.gain(source, named[new])
        t.tell(ev.Replaced(audience=ev.ALL, seat=source))
        t.tell(ev.ReplacedCard(audience=(source,), seat=source, card=new))
    return card


def _lucky(t: Table, ask: Ask, card: Card) -> Flow:
    t.tell(_lucky_event(audience=ev.ALL, seat=t.active, class_=ask.class_, card=card))
    return "goes_on"


def _two(seat: int, other: int) -> tuple[int, ...]:
    return (seat, other) if seat < other else (other, seat)


# ---- The events of an ask


_fall_event: Final = ev.shared(ev.TideFell)
_ask_event: Final = ev.shared(ev.Asked)
_go_fish_event: Final = ev.shared(ev.SaidGoFish)
_lucky_event: Final = ev.shared(ev.Lucky)


@ev.shared
def _gift_events(
    deck: Deck, giver: int, taker: int, class_: str, cards: Hand
) -> tuple[ev.Event, ev.Event]:
    return (
        ev.Gave(audience=ev.ALL, giver=giver, taker=taker, class_=class_, number=len(cards)),
        ev.GaveCards(
            audience=_two(giver, taker),
            giver=giver,
            taker=taker,
            class_=class_,
            cards=deck.sorted(cards),
        ),
    )


@ev.shared
def _fishing_events(seat: int, card: Card) -> tuple[ev.Event, ev.Event]:
    return ev.Fished(audience=ev.ALL, seat=seat), ev.Drew(audience=(seat,), seat=seat, card=card)
