"""Perfect memory, which draws all conclusions from the events that one viewer saw (docs/rules.md
A10, D1 to D16), and judgements of the asks that a seat can make.

`remember(observation)` reads the whole history; `memory.after(seen)` reads one more event. A Memory
gives a lower and an upper bound on how many cards of a class a seat holds in hand and boat
together, and the events that prove each bound. It uses only what an Observation shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from classroom.engine import events as ev
from classroom.engine.actions import Ask, Target
from classroom.engine.cards import is_joker
from classroom.engine.observation import Observation, Seen
from classroom.minds.memory.by_card import PlaceMemory
from classroom.minds.memory.by_class import CountMemory
from classroom.minds.memory.known_facts import Kinds, kinds_of

Memory = CountMemory | PlaceMemory


def start(observation: Observation) -> Memory:
    """Start a memory before the first event of the round."""
    by_card = kinds_of(observation.rules).by_card
    return PlaceMemory.start(observation) if by_card else CountMemory.start(observation)


def remember(observation: Observation, memory: Memory | None = None) -> Memory:
    """Return the memory of everything the viewer saw. `memory`: an earlier memory for the same
    viewer in this round; if given, only newer events are read."""
    memory = memory or start(observation)
    fresh = tuple(islice(observation.history, memory.taken, None))
    if fresh:
        memory = memory.after(*fresh)
    return memory.with_sizes(observation) if isinstance(memory, PlaceMemory) else memory


@dataclass(frozen=True, slots=True)
class Catch:
    """An ask that is certain to catch at least `least` cards.

    `completes`: whether it is certain to complete a book. `since`: the number of the move that made
    it certain. `proof`: the events that prove it, oldest first. If the proof counts the cards in a
    place, it includes the event that last changed that count.
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
    catches = []
    for ask in plain_asks(observation):
        for target in targets(observation, ask):
            least, _ = memory.bounds(target, ask.class_)
            if least:
                sure = completes(observation, kinds, ask.class_, least)
                proof = memory.proof(target, ask.class_)
                since = max((seen.seq for seen in proof), default=0)
                catches.append(Catch(ask, target, ask.class_, least, sure, since, proof))
    return tuple(sorted(catches, key=lambda catch: (len(catch.proof), -catch.since)))


def plain_asks(observation: Observation) -> tuple[Ask, ...]:
    """The legal asks, one for each target and class: asks that differ only in bait count once."""
    asks: dict[tuple[object, str], Ask] = {}
    for action in observation.legal:
        if isinstance(action, Ask):
            asks.setdefault((action.target, action.class_), action)
    return tuple(asks.values())


def targets(observation: Observation, ask: Ask) -> tuple[int, ...]:
    """The seats that this ask addresses."""
    if ask.target == "all":
        return tuple(s for s in range(observation.seats) if s != observation.viewer)
    return (ask.target,)


def is_plain(observation: Observation, target: Target, class_: str, proof: Sequence[Seen]) -> bool:
    """Whether a proof was simply heard: all its events concern this seat and class, so that nothing
    had to be worked out. Where books are sums, an ask for the class's complement counts as well."""
    kinds, classes = kinds_of(observation.rules), {class_}
    if class_ in kinds.number:
        classes.add(kinds.needed(class_))
    return bool(proof) and all(
        target in (getattr(event, "seat", None), getattr(event, "taker", None))
        and getattr(event, "class_", None) in classes
        for event in (seen.event for seen in proof)
    )


def own_count(observation: Observation, kinds: Kinds, class_: str) -> int:
    """Count the viewer's cards (or fish, where books count fish) towards a book of the class."""
    held = (*observation.hand, *observation.boat)
    if kinds.rules.ask_what == "card":
        class_ = kinds.deck.class_of(class_)
    entitling = kinds.deck.entitling[class_]
    mine = [card for card in held if card in entitling]
    if kinds.rules.book_kind == "fish":
        return sum(kinds.rules.book_joker if is_joker(card) else 1 for card in mine)
    return len(mine)


def completes(observation: Observation, kinds: Kinds, class_: str, number: int) -> bool:
    """Whether catching `number` cards of the class is certain to complete a book."""
    return own_count(observation, kinds, class_) + number >= kinds.rules.book_size


# ---- Judgements of asks: they depend on the facts that the asker could know, never on luck

Held = tuple[int, str]  # (seat, class): the seat asked for, got or showed cards of the class


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact that everybody heard: the seat `target` must have cards of a class.

    `since`: the last move that showed it. `moves`: the moves that prove it, and the last one that
    showed it. `said`: the classes named in the proof; where books are sums, they can differ from
    the class to ask for. `first`: the first move in which the seat showed the fact or named
    `class_` or a class in `said`; earlier moves say nothing about the fact.
    """

    target: int
    class_: str
    since: int
    moves: tuple[int, ...]
    said: tuple[str, ...]
    first: int

    @property
    def held(self) -> tuple[Held, ...]:
        """The (seat, class) pairs that reveal the fact, for its class and those its proof names."""
        return tuple((self.target, class_) for class_ in (self.class_, *self.said))


@dataclass(frozen=True, slots=True)
class Judgement:
    """A seat's certain asks. `asks`: the number of its legal asks. `certain`: the asks that
    cannot miss, as (target, class), the easiest to prove first. `heard`: the facts behind certain
    asks, if the seat simply heard them and not only in answers to its own asks."""

    asks: int
    certain: tuple[tuple[int, str], ...]
    heard: tuple[Fact, ...]

    @property
    def tells(self) -> bool:
        """Whether the choice of an ask shows memory: a fact was heard, and some ask could miss."""
        return bool(self.heard) and len(self.certain) < self.asks


def shown_to_have(observation: Observation) -> Iterator[tuple[int, Held]]:
    """Yield (move, (seat, class)) each time a seat showed that it has cards of a class."""
    for seen in observation.history:
        match seen.event:
            case ev.Asked(seat=seat, class_=class_) | ev.Gave(taker=seat, class_=class_):
                yield seen.seq, (seat, class_)
            case ev.Lucky(seat=seat, class_=class_) | ev.AskedHowMany(seat=seat, class_=class_):
                yield seen.seq, (seat, class_)


def judge(observation: Observation, memory: Memory) -> Judgement:
    """Judge the asks that the viewer may make now. A catch that has to be worked out by counting is
    certain, but it shows no memory of one ask. A catch that is known only from answers to the
    viewer's own asks shows no memory either, because own asks are easier to remember."""
    catches = certain_catches(observation, memory)
    heard = [
        one
        for one in catches
        if is_plain(observation, one.target, one.class_, one.proof)
        and any(getattr(seen.event, "asker", None) != observation.viewer for seen in one.proof)
    ]
    shown = [*shown_to_have(observation)] if heard else []
    return Judgement(
        len(plain_asks(observation)),
        tuple((catch.target, catch.class_) for catch in catches),
        tuple(_fact(catch, shown) for catch in heard),
    )


def _fact(catch: Catch, shown: Iterable[tuple[int, Held]]) -> Fact:
    """The fact behind a catch. `shown`: the pairs that `shown_to_have` yields."""
    said = dict.fromkeys(getattr(seen.event, "class_", catch.class_) for seen in catch.proof)
    named = [(seq, class_) for seq, (seat, class_) in shown if seat == catch.target]
    times = [seq for seq, class_ in named if class_ in said]
    moves = dict.fromkeys((*(seen.seq for seen in catch.proof), max((catch.since, *times))))
    first = min([*moves, *(seq for seq, class_ in named if class_ in (catch.class_, *said))])
    return Fact(catch.target, catch.class_, max(moves), tuple(moves), tuple(said), first)


def lag_asks(observation: Observation, fact: Fact) -> int:
    """The number of asks since the fact was last shown, plus one: 1 if no ask came after it."""
    history = observation.history
    return 1 + sum(s.seq > fact.since and isinstance(s.event, ev.Asked) for s in history)
