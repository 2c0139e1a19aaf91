"""Judges what an ask shows about its asker's memory. It counts what the seat could know and had
been told, never luck.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from classroom.engine import events as ev
from classroom.engine.observation import Observation, Seen
from classroom.minds.board import ON_THE_LINE, Support
from classroom.minds.memory.perfect_memory import (
    Catch,
    Memory,
    certain_catches,
    is_plain,
    plain_asks,
)
from classroom.minds.playing.forgetting import Mind, thoughts

# ---- What a child was told about a round's asks: a fact that was told no longer shows memory
#
# Everybody hears an ask when it is made, but that does not count. An ask is told once the child can
# look it up or hears of it again: it stays in the line above the pond, the board is opened, a
# computer player thinks of it aloud, a hint is based on it, or a question is about it. It stays
# told until the round ends, however the child answers later. What happened while the child was away
# counts as missed.

Door = Support | Literal["aloud", "hint", "question", "away"]
Held = tuple[int, str]  # (seat, class): the seat asked for the class, or took cards of it


@dataclass(frozen=True, slots=True, kw_only=True)
class Telling:
    """What told the child something, or made it miss moves, after `upto` moves of the round.

    "peek": the board was opened, which told every move so far. "hint": `moves` were shown as
    evidence, or `asks` were named. "question": a question was about asks for `classes`; it counts
    even if the child did not answer it, since it named them. "away": the child missed the moves
    after `since`, up to `upto`, because a stand-in played for it or nobody did.
    """

    door: Literal["peek", "hint", "question", "away"]
    upto: int
    since: int = 0
    moves: frozenset[int] = frozenset()
    asks: frozenset[Held] = frozenset()
    classes: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class AlreadyKnown:
    """What was told, by door. `line`: the support level if it keeps asks in view, so that all of
    them are told; None if it does not.

    `moves`: the numbers of the moves that were told. `asks`: who asked for or took which class in
    these moves; they stay told if the same happens again. `classes`: the classes in questions,
    which told who had asked for them and that nobody else had. `missed`: the moves during which the
    child was away. `seen_all`: a board was opened, which also showed what nobody had asked for.
    """

    line: Support | None = None
    moves: Mapping[int, Door] = field(default_factory=dict)
    asks: Mapping[Held, Door] = field(default_factory=dict)
    classes: frozenset[str] = frozenset()
    missed: frozenset[int] = frozenset()
    seen_all: bool = False

    def door(self, moves: Collection[int], asks: Iterable[Held]) -> Door | None:
        """A door at which the child was told a fact that follows from these moves and is about
        these asks; None if it was not told. "away": it missed one of the moves."""
        if not self.missed.isdisjoint(moves):
            return "away"
        if self.line:
            return self.line
        by_move = (self.moves[move] for move in moves if move in self.moves)
        by_ask = (self.asks[ask] for ask in asks if ask in self.asks)
        return next(by_move, None) or next(by_ask, None)

    def nobody(self, class_: str) -> bool:
        """Whether the child could see or hear that nobody has asked for this class."""
        return self.line is not None or self.seen_all or class_ in self.classes


NOTHING_KNOWN: Final = AlreadyKnown()


def already_known(
    observation: Observation,
    support: Support,
    minds: Mapping[int, Mind],
    tellings: Iterable[Telling] = (),
    since: int = 0,
) -> AlreadyKnown:
    """List what the viewer was told in this round so far.

    `minds`: the computer players that the viewer hears, by seat. `since`: thoughts up to this move
    are left out, which saves time if only later asks matter. With a line above the pond everything
    is told, because each ask stays there while others move.
    """
    tellings = tuple(tellings)
    if ON_THE_LINE[support]:
        return AlreadyKnown(line=support, missed=_missed(tellings))
    asked = {s.seq: s.event for s in observation.history if isinstance(s.event, ev.Asked)}
    moves: dict[int, Door] = {}
    asks: dict[Held, Door] = {}
    for one in tellings:
        for move in _moves_of(one, asked):
            moves.setdefault(move, one.door)
        asks |= {ask: one.door for ask in one.asks if ask not in asks}
    for thought in thoughts(observation, minds, since) if minds else ():
        moves.setdefault(thought.about, "aloud")
    for seq, held in shown_to_have(observation) if moves else ():
        if seq in moves:
            asks.setdefault(held, moves[seq])
    first = min(asked, default=0)
    return AlreadyKnown(
        moves=moves,
        asks=asks,
        classes=frozenset().union(*(one.classes for one in tellings)),
        missed=_missed(tellings),
        seen_all=any(one.door == "peek" and one.upto >= first > 0 for one in tellings),
    )


def _moves_of(one: Telling, asked: Mapping[int, ev.Asked]) -> Iterable[int]:
    """The moves that this telling told the child about."""
    if one.door == "peek":
        return range(1, one.upto + 1)
    if one.door == "question":
        return (seq for seq, ask in asked.items() if seq <= one.upto and ask.class_ in one.classes)
    return one.moves


def _missed(tellings: Iterable[Telling]) -> frozenset[int]:
    away = (range(one.since + 1, one.upto + 1) for one in tellings if one.door == "away")
    return frozenset(seq for moves in away for seq in moves)


def shown_to_have(observation: Observation) -> Iterator[tuple[int, Held]]:
    """Yield (move, (seat, class)) each time a seat showed that it has cards of a class."""
    for seen in observation.history:
        match seen.event:
            case ev.Asked(seat=seat, class_=class_) | ev.Gave(taker=seat, class_=class_):
                yield seen.seq, (seat, class_)
            case ev.Lucky(seat=seat, class_=class_) | ev.AskedHowMany(seat=seat, class_=class_):
                yield seen.seq, (seat, class_)


# ---- Judgements


@dataclass(frozen=True, slots=True)
class Fact:
    """A seat that must have some of a class, as everybody heard.

    `since`: the last move that showed it. `moves`: the moves that prove it, and the last one that
    showed it. `said`: the classes named in the proof; where books are sums, they differ from the
    class to ask for. `first`: the first move that showed it or named its class; nothing before it
    told of the fact.
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

    `asks`: how many there are. `certain`: the asks that cannot miss, as (target, class), the
    easiest to prove first. `heard`: the facts behind certain asks, where other seats' asks and
    catches show them.
    """

    asks: int
    certain: tuple[tuple[int, str], ...]
    heard: tuple[Fact, ...]

    @property
    def tells(self) -> bool:
        """Whether the choice of an ask shows memory: a fact was heard, and some ask could miss."""
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
    """The fact behind a catch. `shown`: the pairs that `shown_to_have` yields."""
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
