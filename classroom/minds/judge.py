"""What an ask shows about its asker's memory, going by what the seat could know, never by luck."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from classroom.engine import events as ev
from classroom.engine.actions import Ask
from classroom.engine.observation import Observation, Seen
from classroom.minds.board import ON_THE_LINE, Support
from classroom.minds.memory.perfect_memory import Memory, certain_catches, plain_asks, targets
from classroom.minds.playing.thoughts import Mind, thoughts


@dataclass(frozen=True, slots=True)
class Fact:
    """An ask whose outcome the asker could know, and the number of the move that made it known."""

    target: int
    class_: str
    since: int


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a seat could know about its legal asks.

    `asks`: how many there are. `certain`: those that cannot miss, the easiest to prove first.
    `hopeless`: those that cannot catch anything.
    """

    asks: int
    certain: tuple[Fact, ...]
    hopeless: tuple[Fact, ...]

    def tells(self, facts: Sequence[Fact]) -> bool:
        """Whether the choice of an ask shows anything: these facts cover some asks, but not all."""
        return 0 < len(facts) < self.asks


def judge(observation: Observation, memory: Memory) -> Judgement:
    """Judge the asks that the viewer may make now."""
    asks = plain_asks(observation)
    certain = (Fact(c.target, c.class_, c.since) for c in certain_catches(observation, memory))
    hopeless = _hopeless(observation, memory, asks)
    return Judgement(len(asks), tuple(certain), tuple(hopeless))


def _hopeless(observation: Observation, memory: Memory, asks: Iterable[Ask]) -> Iterable[Fact]:
    for ask in asks:
        for target in targets(observation, ask):
            if memory.bounds(target, ask.class_)[1] == 0:
                proof = memory.proof(target, ask.class_, high=True)
                yield Fact(target, ask.class_, max((seen.seq for seen in proof), default=0))


def lag_asks(observation: Observation, fact: Fact) -> int:
    """How many asks ago the fact became known: 1 if no ask came after it."""
    return 1 + sum(seq > fact.since for seq in _asks(observation.history))


def board_for(
    observation: Observation,
    since: Sequence[int],
    support: Support,
    looked: int,
    minds: Mapping[int, Mind],
) -> str:
    """Where the viewer could look up facts that became known with the moves `since`.

    Returns the support level if a fact is on the line now; "peek" if the board was opened after one
    became known, or a computer player thought of it aloud; "off" without a board or facts; else
    "closed". The fading board shows only the line. `looked`: how many moves there were when the
    board was last opened, -1 if it never was. `minds`: the computer players that the viewer hears,
    by seat.
    """
    if not since or support == "off":
        return "off"
    shown = ON_THE_LINE[support]
    line = _asks(observation.history)[-shown:] if shown else []
    if line and max(since) >= line[0]:
        return support
    if _heard_again(observation, since, minds):
        return "peek"
    return "closed" if support == "fading" or looked < min(since) else "peek"


def _heard_again(observation: Observation, since: Sequence[int], minds: Mapping[int, Mind]) -> bool:
    """Whether a computer player, since the first of these moves, has thought aloud of one of these
    asks or of one with the same asker and class."""
    asked = {
        (seen.event.seat, seen.event.class_)
        for seen in observation.history
        if seen.seq in since and isinstance(seen.event, ev.Asked)
    }
    told = thoughts(observation, minds, min(since)) if minds else ()
    return any(one.about in since or (one.asker, one.class_) in asked for one in told)


def _asks(history: Iterable[Seen]) -> list[int]:
    """The numbers of the moves that were asks."""
    return [seen.seq for seen in history if isinstance(seen.event, ev.Asked)]
