"""What a perfect memory can know from one seat's view (docs/rules.md A10, rules D1 to D16).

`remember(observation)` reads the whole history; `memory.after(seen)` reads one more event.
A Memory gives bounds on how many cards of a class a seat holds, hand and boat together, and for
each bound the events that prove it. It sees no more than an Observation shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from classroom.engine.actions import Ask, Target
from classroom.engine.cards import is_joker
from classroom.engine.observation import Observation, Seen
from classroom.minds.memory.by_card import PlaceMemory
from classroom.minds.memory.by_class import CountMemory
from classroom.minds.memory.known_facts import Kinds, kinds_of

Memory = CountMemory | PlaceMemory


def start(observation: Observation) -> Memory:
    """Start a memory before the first event of the round."""
    if kinds_of(observation.rules).by_card:
        return PlaceMemory.start(observation)
    return CountMemory.start(observation)


def remember(observation: Observation, memory: Memory | None = None) -> Memory:
    """Return the memory of everything the viewer saw.

    `memory`: what the same viewer remembered earlier in the round; if given, only newer events are
    read.
    """
    memory = memory or start(observation)
    fresh = tuple(islice(observation.history, memory.taken, None))
    if fresh:
        memory = memory.after(*fresh)
    return memory.with_sizes(observation) if isinstance(memory, PlaceMemory) else memory


@dataclass(frozen=True, slots=True)
class Catch:
    """An ask that is certain to catch at least `least` cards.

    `completes`: whether it is certain to complete a book. `since`: the number of the move that made
    it known. `proof`: the events that prove it, oldest first; if it follows from how many cards are
    in some places, they include the events that last changed those numbers.
    """

    ask: Ask
    target: int
    class_: str
    least: int
    completes: bool
    since: int
    proof: tuple[Seen, ...]


def certain_catches(observation: Observation, memory: Memory) -> tuple[Catch, ...]:
    """The legal asks that cannot miss, the easiest to prove first."""
    kinds = kinds_of(observation.rules)
    catches = [
        _catch(observation, memory, kinds, ask, target, least)
        for ask in plain_asks(observation)
        for target in targets(observation, ask)
        if (least := memory.bounds(target, ask.class_)[0])
    ]
    return tuple(sorted(catches, key=lambda catch: (len(catch.proof), -catch.since)))


def plain_asks(observation: Observation) -> tuple[Ask, ...]:
    """The legal asks, one for each target and class, whatever card is shown as bait."""
    asks: dict[tuple[object, str], Ask] = {}
    for action in observation.legal:
        if isinstance(action, Ask):
            asks.setdefault((action.target, action.class_), action)
    return tuple(asks.values())


def targets(observation: Observation, ask: Ask) -> tuple[int, ...]:
    """The seats that this ask is put to."""
    if ask.target == "all":
        return tuple(s for s in range(observation.seats) if s != observation.viewer)
    return (ask.target,)


def is_plain(observation: Observation, target: Target, class_: str, proof: Sequence[Seen]) -> bool:
    """Whether a proof was simply heard: all of it is about this seat and class, so that nothing had
    to be worked out. Where books are sums, an ask names the number that completes the sum."""
    classes = _said_for(observation, class_)
    return bool(proof) and all(_about(seen, target, classes) for seen in proof)


def _said_for(observation: Observation, class_: str) -> tuple[str, ...]:
    kinds = kinds_of(observation.rules)
    if class_ not in kinds.number:
        return (class_,)
    return class_, kinds.names[kinds.needs[kinds.number[class_]]]


def _about(seen: Seen, seat: Target, classes: Sequence[str]) -> bool:
    event = seen.event
    seats = (getattr(event, "seat", None), getattr(event, "taker", None))
    return seat in seats and getattr(event, "class_", None) in classes


def own_count(observation: Observation, kinds: Kinds, class_: str) -> int:
    """Count the viewer's cards (or fish, where books count fish) towards a book of the class."""
    held = (*observation.hand, *observation.boat)
    if kinds.rules.ask_what == "card":
        class_ = kinds.deck.class_of(class_)
    if kinds.rules.book_kind == "sum":
        class_ = kinds.names[kinds.needs[kinds.number[class_]]]
    mine = [card for card in held if class_ in kinds.deck.classes_of[card]]
    if kinds.rules.book_kind == "fish":
        return sum(kinds.rules.book_joker if is_joker(card) else 1 for card in mine)
    return len(mine)


def completes(observation: Observation, kinds: Kinds, class_: str, number: int) -> bool:
    """Whether catching `number` cards of the class is certain to complete a book."""
    return own_count(observation, kinds, class_) + number >= kinds.rules.book_size


def _catch(
    observation: Observation, memory: Memory, kinds: Kinds, ask: Ask, target: int, least: int
) -> Catch:
    proof = memory.proof(target, ask.class_)
    return Catch(
        ask=ask,
        target=target,
        class_=ask.class_,
        least=least,
        completes=completes(observation, kinds, ask.class_, least),
        since=max((seen.seq for seen in proof), default=0),
        proof=proof,
    )
