"""Children of known memory play whole rounds of Go Fish with the engine.

What they show comes from the judge of asks and from questions, as at a real table. How a child
remembers, uses what it remembers and plays otherwise is drawn here, and not from the estimate: the
end of each memory is a moment, so a child may forget by halves, all at once, or never.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import inf, log2
from random import Random
from typing import Final

from classroom.engine import apply, deal, observe, shuffled
from classroom.engine.actions import Ask, Lots
from classroom.engine.cards import deck_of
from classroom.engine.events import Asked
from classroom.engine.observation import Observation
from classroom.games import GAMES
from classroom.games.variants import deck_rules
from classroom.learning.evidence import Evidence, KnownFact, from_answer, from_ask
from classroom.learning.questions import Question, make
from classroom.learning.recall_questions import REMEMBERING, Past, named_classes
from classroom.learning.skills import SKILL_OF, bounds_at
from classroom.minds.board import AlreadyKnown, Telling, already_known
from classroom.minds.memory.perfect_memory import Fact, judge, lag_asks, plain_asks, remember
from classroom.minds.playing.computer_players import choose
from classroom.minds.playing.forgetting import LEVELS, Mind
from tools.proof.children import school_days
from tools.simulate import DAY_SECONDS

GAME: Final = GAMES["classic"]
FRIENDS: Final = LEVELS["minnow"]  # the computer players of a new class
BAND: Final = "6-7"  # the age of the questions; of memory, all ages get the same
ASKED: Final = 0.06  # questions about memory after a move: about four in nine rounds

Lasting = Callable[[Random], float]
"""Draws after how many asks something is forgotten."""


def halving(asks: float) -> Lasting:
    """Half is forgotten after this many asks, and half of the rest after as many again."""
    return lambda rng: -asks * log2(1 - rng.random())


def at_once(asks: float) -> Lasting:
    """Nothing is forgotten up to this many asks, and everything after."""
    return lambda rng: asks


def slowing(asks: float) -> Lasting:
    """Half is forgotten after this many asks, but the rest more and more slowly (a power law)."""
    return lambda rng: asks * (1 / (1 - rng.random()) - 1)


def in_part(share: float, lasting: Lasting) -> Lasting:
    """Only this share is taken in at all."""
    return lambda rng: lasting(rng) if rng.random() < share else 0.0


@dataclass(frozen=True, slots=True)
class Player:
    """How a child remembers and plays. `true`: the asks after which half of what it took in is
    left. `uses`: how often it goes for what it remembers. `names`: how often it names somebody
    when it remembers nothing. `habit`: whom it asks otherwise. `peeks`: how often it opens the
    board before an ask. `varies`: whether on half of the days it remembers half as long.
    """

    name: str
    lasting: Lasting
    true: float
    uses: float = 1.0
    names: float = 0.5
    habit: str = "any"
    peeks: float = 0.0
    seats: int = 3
    varies: bool = False

    def rounds(self, count: int, rng: Random) -> list[Evidence]:
        """Play this many rounds, three a week, and return what they show."""
        days = school_days(count // 3 + 1)[:count]
        return [row for number, day in enumerate(days) for row in _round(self, number, day, rng)]


class _Mind:
    """What the child still knows in one round."""

    def __init__(self, of: Player, rng: Random) -> None:
        self.of, self.rng = of, rng
        self.part = 0.5 if of.varies and rng.random() < 0.5 else 1.0
        self._ends: dict[int, float] = {}

    def knows(self, move: int | None, lag: int | None) -> bool:
        """Whether the child still knows of this move, `lag` asks ago."""
        if move is None or lag is None:
            return False
        if move not in self._ends:
            self._ends[move] = self.part * self.of.lasting(self.rng)
        return self._ends[move] >= lag

    def ask(self, table: Observation, facts: Sequence[Fact]) -> Ask:
        """Ask for something that it knows of, or by habit."""
        asks = plain_asks(table)
        known = [fact for fact in facts if self.knows(fact.since, lag_asks(table, fact))]
        if known and self.rng.random() < self.of.uses:
            fact = self.rng.choice(known)
            return next(a for a in asks if (a.target, a.class_) == (fact.target, fact.class_))
        return self.rng.choice(HABITS[self.of.habit](table, asks))

    def answer(self, question: Question) -> int:
        """Answer what it knows; otherwise say nobody, or name anybody."""
        if question.trial != "new" and self.knows(question.fact_seq, question.lag_asks):
            return question.right
        places = list(range(len(question.options)))
        if None in question.options:
            nobody = question.options.index(None)
            if self.rng.random() >= self.of.names:
                return nobody
            places.remove(nobody)
        return self.rng.choice(places)


def _most(table: Observation, asks: Sequence[Ask]) -> Sequence[Ask]:
    """What it has most of."""
    deck = deck_of(table.rules)
    held = [class_ for card in table.hand for class_ in deck.classes_of[card]]
    most = max(held.count(one.class_) for one in asks)
    return [one for one in asks if held.count(one.class_) == most]


def _again(table: Observation, asks: Sequence[Ask]) -> Sequence[Ask]:
    """What it asked for last."""
    own = [s.event for s in table.history if isinstance(s.event, Asked)]
    last = next((one.class_ for one in reversed(own) if one.seat == table.viewer), None)
    return [one for one in asks if one.class_ == last] or asks


HABITS: Final[dict[str, Callable[[Observation, Sequence[Ask]], Sequence[Ask]]]] = {
    "any": lambda table, asks: asks,
    "most": _most,
    "again": _again,
    "first": lambda table, asks: [a for a in asks if a.target == asks[0].target],
}


def _round(of: Player, number: int, day: int, rng: Random) -> Iterator[Evidence]:
    rules, lots, mind = deck_rules(GAME, of.seats, "short"), Lots(rng), _Mind(of, rng)
    state = deal(rules, of.seats, rng.randrange(of.seats), shuffled(rules, rng), lots).state
    seeds = [rng.randrange(2**30) for _ in range(of.seats)]
    heard = {seat: Mind(FRIENDS, seeds[seat]) for seat in range(1, of.seats)}
    met: set[tuple[int, str, int]] = set()
    tellings: list[Telling] = []
    memory = None

    def at() -> float:
        return day * DAY_SECONDS + state.seq

    while not state.over:
        seat = state.active
        table = observe(state, seat)
        if seat or len(table.legal) == 1:
            state = apply(state, choose(table, FRIENDS, rng, seeds[seat]), lots).state
            continue
        if rng.random() < of.peeks:
            tellings.append(Telling(door="peek", upto=table.seq))
        memory = remember(table, memory)
        found = judge(table, memory)
        ask = mind.ask(table, found.heard)
        new = [one for one in found.heard if (one.target, one.class_, one.since) not in met]
        if new and found.tells:
            said = already_known(table, "peek", heard, tellings, min(one.first for one in new))
            shown = from_ask(
                int(ask.target),
                ask.class_,
                facts=[_known(table, one, said) for one in new],
                certain=found.certain,
                legal=found.asks,
                at=at(),
                day=day,
                round_id=number,
                seq=table.seq + 1,
            )
            met |= {(*row.item["known"][0][:2], row.item["since"]) for row in shown}
            yield from shown
        state = apply(state, ask, lots).state
        if rng.random() < ASKED and not state.over:
            table = observe(state, 0)
            past = Past(told=already_known(table, "peek", heard, tellings))
            kind = rng.choice(sorted(REMEMBERING))
            put = make(table, SKILL_OF[kind], rng, bounds_at(BAND), kinds=(kind,), past=past)
            if put is not None:
                named = named_classes(put.to_json())
                tellings.append(Telling(door="question", upto=table.seq, classes=named))
                answer = (mind.answer(put),)
                yield from_answer(put, answer, at=at(), day=day, round_id=number, board="closed")


def _known(table: Observation, fact: Fact, said: AlreadyKnown) -> KnownFact:
    board = said.door(fact.moves, fact.held) or "closed"
    return KnownFact(fact.target, fact.class_, fact.since, lag_asks(table, fact), None, board)


NEVER: Final = at_once(inf)  # a child that forgets nothing
EMPTY: Final = at_once(0)  # a child that remembers nothing
