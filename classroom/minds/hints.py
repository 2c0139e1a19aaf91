"""The hint ladder (PEOPLE.md 1.6): data only, the words are in the templates.

Every step is true and comes from what the child could know. The steps of one position belong
together: they speak of the same ask, and for a certain catch they carry the events that prove it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from classroom.engine import events as ev
from classroom.engine.actions import Action, Answer, Ask, Claim, Lay, Name, Show, Target
from classroom.engine.cards import Card
from classroom.engine.observation import Observation, Seen
from classroom.minds.chances import Chances, chances
from classroom.minds.kinds import kinds_of
from classroom.minds.memory import (
    Catch,
    Memory,
    certain_catches,
    plain_asks,
    remember,
    targets,
)

SAY_AGAIN, LOOK, EVIDENCE, NARROW, SHOW = STEPS = (1, 2, 3, 4, 5)
LAST_STEP: Final = SHOW


@dataclass(frozen=True, slots=True)
class Hint:
    """One step of help.

    `kind`, by step: 1 "your_turn" (or "wait", "over"); 2 "look_at_cards"; 3 the evidence:
    "asked_for" (`seat` asked for `class_`, nobody took them), "took" (it was given them),
    "showed" (it fished one and showed it), "answered" (it asked "how many?"), "worked_out" (it
    follows from several events), or "most_likely" (nothing is certain); 4 "one_of_two"; 5 "do".
    In other phases than asking, steps 2 to 5 have the kinds "answer", "name", "show", "lay",
    "claim" or "other", and `action` is what to do.
    `cards`: own cards to light. `evidence`: numbers of the moves that prove it. `certain`: the
    ask cannot miss. `chance`: of at least one card (0 to 1), None before step 3; `sample`: worlds
    looked at for it, 0 if it was counted exactly. `choices`: two (seat, class), in screen order.
    """

    step: int
    kind: str
    seat: Target | None = None
    class_: str | None = None
    cards: tuple[Card, ...] = ()
    evidence: tuple[int, ...] = ()
    certain: bool = False
    chance: float | None = None
    sample: int = 0
    choices: tuple[tuple[Target, str], ...] = ()
    action: Action | None = None


@dataclass(frozen=True, slots=True)
class Hopeless:
    """An ask that cannot bring a card: `seat` has none of `class_`, proved by these moves."""

    seat: int
    class_: str
    evidence: tuple[int, ...]


def hint(observation: Observation, step: int) -> Hint:
    """Step 1 to 5 of the ladder for this position; a step beyond the last is the last."""
    step = min(max(step, SAY_AGAIN), LAST_STEP)
    if observation.over:
        return Hint(step, "over")
    if not observation.legal:
        return Hint(step, "wait", seat=observation.turn)
    if step == SAY_AGAIN:
        return Hint(step, "your_turn")
    asks = plain_asks(observation)
    books = [action for action in observation.legal if isinstance(action, (Lay, Claim))]
    if books or not asks:
        return _other(observation, step, books[0] if books else None)
    return _ask_hint(observation, step, asks)


def warning(observation: Observation, ask: Ask) -> Hopeless | None:
    """Why this ask cannot bring a card, if the child could know that."""
    memory = remember(observation)
    for seat in targets(observation, ask):
        if memory.bounds(seat, ask.class_)[1] > 0:
            return None
    seat = targets(observation, ask)[0]
    proof = memory.proof(seat, ask.class_, high=True)
    return Hopeless(seat, ask.class_, _moves(proof))


def _ask_hint(observation: Observation, step: int, asks: tuple[Ask, ...]) -> Hint:
    memory = remember(observation)
    catch = _best_catch(observation, memory)
    odds = chances(observation, memory)
    ask = catch.ask if catch else max(asks, key=lambda a: (odds.of(a) or 0.0, str(a)))
    common = {
        "class_": ask.class_,
        "cards": _cards_for(observation, ask),
        "certain": catch is not None,
    }
    if step == LOOK:
        return Hint(step, "look_at_cards", **common)  # type: ignore[arg-type]
    told = {
        **common,
        "seat": ask.target,
        "evidence": _moves(catch.proof) if catch else (),
        "chance": 1.0 if catch else odds.of(ask),
        "sample": 0 if catch else odds.sample,
    }
    if step == EVIDENCE:
        kind = _kind(catch) if catch else "most_likely"
        return Hint(step, kind, **told)  # type: ignore[arg-type]
    if step == NARROW:
        pair = _two(observation, ask, asks, odds)
        return Hint(step, "one_of_two", choices=pair, **told)  # type: ignore[arg-type]
    return Hint(step, "do", action=ask, **told)  # type: ignore[arg-type]


def _best_catch(observation: Observation, memory: Memory) -> Catch | None:
    """A certain catch: one that completes a book if there is one, then the easiest to prove."""
    catches = certain_catches(observation, memory)
    return min(
        catches,
        key=lambda c: (not c.completes, len(c.proof), -c.least, -c.since, c.target, c.class_),
        default=None,
    )


def _kind(catch: Catch) -> str:
    """What the newest event of the proof shows, if one event is enough."""
    if len(catch.proof) > 1 and not all(_about(seen, catch) for seen in catch.proof):
        return "worked_out"
    match catch.proof[-1].event if catch.proof else None:
        case ev.Asked(seat=seat) if seat == catch.target:
            return "asked_for"
        case ev.Gave(taker=taker) if taker == catch.target:
            return "took"
        case ev.Lucky():
            return "showed"
        case ev.AskedHowMany() | ev.SaidGoFish():
            return "answered"
    return "worked_out"


def _about(seen: Seen, catch: Catch) -> bool:
    """Whether an event is about this seat and class."""
    event = seen.event
    seats = (getattr(event, "seat", None), getattr(event, "taker", None))
    return catch.target in seats and getattr(event, "class_", None) == catch.class_


def _moves(proof: tuple[Seen, ...]) -> tuple[int, ...]:
    return tuple(sorted({seen.seq for seen in proof}))


def _cards_for(observation: Observation, ask: Ask) -> tuple[Card, ...]:
    """The viewer's own cards that allow this ask."""
    kinds = kinds_of(observation.rules)
    class_ = ask.class_
    if kinds.rules.ask_what == "card":
        class_ = kinds.deck.class_of(class_)
    needed = kinds.names[kinds.needs[kinds.number[class_]]]
    return tuple(card for card in observation.hand if needed in kinds.deck.classes_of[card])


def _two(
    observation: Observation, ask: Ask, asks: tuple[Ask, ...], odds: Chances
) -> tuple[tuple[Target, str], ...]:
    """The ask and the least promising other one; which comes first changes from move to move."""
    right = (ask.target, ask.class_)
    others = [(a.target, a.class_) for a in asks if (a.target, a.class_) != right]
    if not others:
        return (right,)
    wrong = min(others, key=lambda key: (odds.by_ask.get(key, 0.0), str(key)))
    turned = (observation.seq * 2654435761 >> 7) % 2
    return (wrong, right) if turned else (right, wrong)


def _other(observation: Observation, step: int, book: Action | None) -> Hint:
    """Help where there is something else to do than to ask."""
    action = book or _sensible(observation)
    kinds: dict[type, str] = {
        Lay: "lay",
        Claim: "claim",
        Answer: "answer",
        Name: "name",
        Show: "show",
    }
    cards = action.cards if isinstance(action, (Lay, Claim)) else ()
    if observation.drawn is not None:
        cards = (observation.drawn,)
    seat = observation.pending[0] if observation.pending else None
    return Hint(step, kinds.get(type(action), "other"), seat=seat, cards=cards, action=action)


def _sensible(observation: Observation) -> Action:
    """The safe thing to do: show a lucky card, name the number that is certain, give."""
    legal = observation.legal
    if observation.phase == "show":
        return max(legal, key=lambda action: isinstance(action, Show) and action.show)
    if observation.phase == "name" and observation.pending is not None:
        ask = observation.pending[1]
        low = sum(remember(observation).bounds(s, ask.class_)[0] for s in targets(observation, ask))
        return min(legal, key=lambda a: abs(a.number - max(low, 1)) if isinstance(a, Name) else 99)
    return legal[0]
