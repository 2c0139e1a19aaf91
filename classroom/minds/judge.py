"""Judges what an ask shows about its asker's memory: by what the seat could know, never by luck."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from classroom.engine import events as ev
from classroom.engine.observation import Observation, Seen
from classroom.minds.already_known import shown_to_have
from classroom.minds.memory.perfect_memory import (
    Catch,
    Memory,
    certain_catches,
    is_plain,
    plain_asks,
)


@dataclass(frozen=True, slots=True)
class Fact:
    """A seat that must have some of a class, as everybody heard.

    `since`: the last move that showed it. `moves`: the moves that prove it, and the last to show
    it. `said`: the classes named in the proof; where books are sums, they differ from the class to
    ask for. `first`: the first move that showed it or named its class; nothing before told of it.
    """

    target: int
    class_: str
    since: int
    moves: tuple[int, ...]
    said: tuple[str, ...]
    first: int

    @property
    def held(self) -> tuple[tuple[int, str], ...]:
        """The (seat, class) pairs that reveal the fact: its class and those in its proof."""
        return tuple((self.target, class_) for class_ in (self.class_, *self.said))


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a seat could know about its legal asks.

    `asks`: how many there are. `certain`: those that cannot miss, as (target, class), the easiest
    to prove first. `heard`: the facts behind the certain asks that follow from other seats' asks
    and catches.
    """

    asks: int
    certain: tuple[tuple[int, str], ...]
    heard: tuple[Fact, ...]

    @property
    def tells(self) -> bool:
        """Whether the choice of an ask shows anything: a fact was heard, and an ask could miss."""
        return bool(self.heard) and len(self.certain) < self.asks


def judge(observation: Observation, memory: Memory) -> Judgement:
    """Judge the asks that the viewer may make now.

    A catch that has to be worked out by counting is certain, but it shows no memory of one ask. Nor
    does a catch that the viewer knows only from the answer to its own ask, since one's own asks are
    easier to remember.
    """
    catches = certain_catches(observation, memory)
    heard = [catch for catch in catches if _was_heard(observation, catch)]
    shown = [*shown_to_have(observation)] if heard else []
    return Judgement(
        len(plain_asks(observation)),
        tuple((catch.target, catch.class_) for catch in catches),
        tuple(_fact(catch, shown) for catch in heard),
    )


def _was_heard(observation: Observation, catch: Catch) -> bool:
    return is_plain(observation, catch.target, catch.class_, catch.proof) and any(
        getattr(seen.event, "asker", None) != observation.viewer for seen in catch.proof
    )


def _fact(catch: Catch, shown: Iterable[tuple[int, tuple[int, str]]]) -> Fact:
    """The fact behind a catch. `shown`: pairs as `shown_to_have` yields them."""
    said = dict.fromkeys(getattr(seen.event, "class_", catch.class_) for seen in catch.proof)
    named = [(seq, class_) for seq, (seat, class_) in shown if seat == catch.target]
    times = [seq for seq, class_ in named if class_ in said]
    moves = dict.fromkeys((*(seen.seq for seen in catch.proof), max((catch.since, *times))))
    first = min([*moves, *(seq for seq, class_ in named if class_ in (catch.class_, *said))])
    return Fact(catch.target, catch.class_, max(moves), tuple(moves), tuple(said), first)


def lag_asks(observation: Observation, fact: Fact) -> int:
    """How many asks ago the fact became known: 1 if no ask came after it."""
    return 1 + sum(seq > fact.since for seq in _asks(observation.history))


def _asks(history: Iterable[Seen]) -> list[int]:
    """The numbers of the moves that were asks."""
    return [seen.seq for seen in history if isinstance(seen.event, ev.Asked)]
