"""The hint ladder (docs/rules.md, M3), as data. Its words are in translations/sentences, under
`hint`. Every step is true and follows from facts that the child could know. All steps in one
position concern the same ask. For a certain catch, steps 3 to 5 include the moves that prove it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import Final

from classroom.engine import events as ev
from classroom.engine.actions import Action, Answer, Ask, Claim, Lay, Name, Target
from classroom.engine.cards import Card, deck_of
from classroom.engine.observation import Observation, Seen
from classroom.minds.chances import Chances, chances
from classroom.minds.memory.perfect_memory import (
    Catch,
    Memory,
    certain_catches,
    is_plain,
    plain_asks,
    remember,
)
from classroom.minds.playing.computer_players import choose
from classroom.minds.playing.forgetting import LEVELS

SAY_AGAIN, LOOK, EVIDENCE, NARROW, SHOW = STEPS = (1, 2, 3, 4, 5)
LAST_STEP: Final = SHOW


@dataclass(frozen=True, slots=True)
class Hint:
    """One step of help.

    `kind` for an ask: "again" in step 1 (say again what to do), "look_at_cards" in step 2,
    "one_of_two" in step 4, "do" in step 5. In step 3, the evidence: "asked_for" (`seat` asked
    for `told` and still has some), "took" (`seat` was given some), "showed" (`seat` fished one and
    showed it), "answered" (`seat` asked "how many?" or refused a number), "worked_out" (it follows
    from several events) or "most_likely" (nothing is certain). `kind` for other actions: their type
    ("show", "answer", "lay", "claim", "pass", "declare", "layoff") in steps 1 to 3, and "do_" plus
    the type in steps 4 and 5. For naming a number: "name" in step 1, then as for an ask, with
    "do_name" instead of "do". "wait" and "over": there is nothing to do.

    `class_`: the class to ask for; `told`: the class in the event that is the evidence. `cards`:
    the child's cards to highlight or to lay. `evidence`: the numbers of the moves that prove the
    catch. `certain`: whether the action cannot fail. `chance`: the probability of at least one
    card, None if this step does not say it; `sample`: the number of sampled worlds behind it, 0 if
    it is certain. `choices`: two (seat, class) pairs in screen order. `numbers`: two numbers in
    ascending order, or the number to name. `action`: the action to take, if this step reveals it.
    """

    step: int
    kind: str
    seat: Target | None = None
    class_: str | None = None
    told: str | None = None
    cards: tuple[Card, ...] = ()
    evidence: tuple[int, ...] = ()
    certain: bool = False
    chance: float | None = None
    sample: int = 0
    choices: tuple[tuple[Target, str], ...] = ()
    numbers: tuple[int, ...] = ()
    action: Action | None = None


def hint(observation: Observation, step: int) -> Hint:
    """Give this step of the ladder in this position. A step below 1 counts as 1, above 5 as 5."""
    step = min(max(step, SAY_AGAIN), LAST_STEP)
    if observation.over:
        return Hint(step, "over")
    if not observation.legal:
        return Hint(step, "wait", seat=observation.turn)
    asks = plain_asks(observation)
    books = [action for action in observation.legal if isinstance(action, (Lay, Claim))]
    if books or not asks:
        return _other(observation, step, books[0] if books else _sensible(observation))
    return Hint(step, "again") if step == SAY_AGAIN else _ask_hint(observation, step, asks)


def _ask_hint(observation: Observation, step: int, asks: tuple[Ask, ...]) -> Hint:
    memory = remember(observation)
    catch = _best_catch(observation, memory)
    odds = chances(observation, memory)
    ask = catch.ask if catch else max(asks, key=lambda a: (odds.by_ask[a.target, a.class_], str(a)))
    cards = _cards_for(observation, ask.class_)
    looked = Hint(step, "look_at_cards", class_=ask.class_, cards=cards, certain=catch is not None)
    if step == LOOK:
        return looked
    if catch:
        told = replace(looked, seat=catch.target, evidence=_moves(catch.proof), chance=1.0)
        told = _telling(told, observation, catch.proof)
    else:
        told = replace(
            looked,
            kind="most_likely",
            seat=ask.target,
            chance=odds.by_ask[ask.target, ask.class_],
            sample=odds.sample,
        )
    if step == EVIDENCE:
        return told
    pair = _two(observation, ask, asks, odds)
    if step == NARROW and len(pair) > 1:
        both = tuple(dict.fromkeys(c for _, of in pair for c in _cards_for(observation, of)))
        return replace(told, kind="one_of_two", seat=ask.target, cards=both, choices=pair)
    return replace(told, kind="do", seat=ask.target, action=ask)


def shown_fact(observation: Observation, memory: Memory) -> tuple[int, str, tuple[int, ...]] | None:
    """The fact behind the steps in this position: the seat, the class that it must have, and the
    moves that prove this. None if the steps show no certain fact."""
    if any(isinstance(action, (Lay, Claim)) for action in observation.legal):
        return None
    catch = _best_catch(observation, memory)
    if catch is not None:
        return catch.target, catch.class_, _moves(catch.proof)
    asked = observation.pending[1] if observation.phase == "name" and observation.pending else None
    if asked is None or not isinstance(asked.target, int):
        return None
    return asked.target, asked.class_, _moves(memory.proof(asked.target, asked.class_))


def _best_catch(observation: Observation, memory: Memory) -> Catch | None:
    """The best certain catch: one that completes a book if possible, then the easiest to prove."""
    catches = certain_catches(observation, memory)
    return min(
        catches,
        key=lambda c: (not c.completes, len(c.proof), -c.least, -c.since, c.target, c.class_),
        default=None,
    )


def _telling(hint: Hint, observation: Observation, proof: tuple[Seen, ...]) -> Hint:
    """Give the hint the kind that fits the newest event in its proof, if all events in the proof
    concern the hint's seat and class; otherwise "worked_out"."""
    if hint.seat is None or not is_plain(observation, hint.seat, hint.class_ or "", proof):
        return replace(hint, kind="worked_out")
    match proof[-1].event:
        case ev.Asked(seat=seat, class_=told) if seat == hint.seat:
            return replace(hint, kind="asked_for", told=told)
        case ev.Gave(taker=taker, class_=told) if taker == hint.seat:
            return replace(hint, kind="took", told=told)
        case ev.Lucky(class_=told):
            return replace(hint, kind="showed", told=told)
        case ev.AskedHowMany(class_=told) | ev.SaidGoFish(class_=told):
            return replace(hint, kind="answered", told=told)
    return replace(hint, kind="worked_out")


def _moves(proof: tuple[Seen, ...]) -> tuple[int, ...]:
    return tuple(sorted({seen.seq for seen in proof}))


def _cards_for(observation: Observation, class_: str) -> tuple[Card, ...]:
    """The viewer's cards that allow an ask for this class or card."""
    deck = deck_of(observation.rules)
    if observation.rules.ask_what == "card":
        class_ = deck.class_of(class_)
    return tuple(card for card in observation.hand if card in deck.entitling[class_])


def _two(
    observation: Observation, ask: Ask, asks: tuple[Ask, ...], odds: Chances
) -> tuple[tuple[Target, str], ...]:
    """This ask and the least promising other ask, in an order that depends on the move number."""
    right = (ask.target, ask.class_)
    others = [(a.target, a.class_) for a in asks if (a.target, a.class_) != right]
    if not others:
        return (right,)
    wrong = min(others, key=lambda key: (odds.by_ask[key], str(key)))
    turned = (observation.seq * 2654435761 >> 7) % 2
    return (wrong, right) if turned else (right, wrong)


def _other(observation: Observation, step: int, action: Action) -> Hint:
    if isinstance(action, Name) and observation.pending is not None and step > SAY_AGAIN:
        return _number_hint(observation, step, action.number, observation.pending[1])
    asker = observation.pending[0] if observation.pending else None
    hint = Hint(step, action.type, seat=asker)
    if step == SAY_AGAIN:
        return hint
    if isinstance(action, Answer) and observation.pending is not None:
        cards = _held(observation, observation.pending[1].class_)
        hint = replace(hint, class_=observation.pending[1].class_, cards=cards)
    elif isinstance(action, (Lay, Claim)):
        hint = replace(hint, cards=action.cards)
    elif observation.drawn is not None:
        hint = replace(hint, cards=(observation.drawn,))
    if step < NARROW:
        return hint
    return replace(hint, kind=f"do_{action.type}", action=action if step == SHOW else None)


def _number_hint(observation: Observation, step: int, number: int, ask: Ask) -> Hint:
    """The hint for naming a number: as many cards as the asked seat is certain to have."""
    seat, class_ = ask.target, ask.class_
    looked = Hint(step, "look_at_cards", class_=class_, cards=_held(observation, class_))
    if step == LOOK:
        return looked
    proof = remember(observation).proof(seat, class_) if isinstance(seat, int) else ()
    told = replace(
        looked,
        seat=seat,
        evidence=_moves(proof),
        certain=bool(proof),
        chance=1.0 if proof else None,
    )
    told = _telling(told, observation, proof)
    if step == EVIDENCE:
        return told
    names = (one.number for one in observation.legal if isinstance(one, Name))
    wrong = [other for other in names if other != number]
    if step == NARROW and wrong:
        pair = tuple(sorted((number, min(wrong, key=lambda n: (n < number, n)))))
        return replace(told, kind="one_of_two", numbers=pair)
    return replace(told, kind="do_name", numbers=(number,), action=Name(number))


def _held(observation: Observation, class_: str) -> tuple[Card, ...]:
    named = deck_of(observation.rules).named[class_]
    return tuple(card for card in observation.hand if card in named)


def _sensible(observation: Observation) -> Action:
    """Choose a safe action, such as showing a lucky card or naming the number that is certain."""
    if observation.phase in ("show", "name", "answer"):
        return choose(observation, LEVELS["dolphin"], Random(0))
    return observation.legal[0]
