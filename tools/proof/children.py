"""Simulated children who answer questions of a bank, day by day."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from math import exp
from random import Random
from typing import Final

from classroom.learning.beliefs import chance
from classroom.learning.evidence import Evidence
from classroom.learning.history import History
from classroom.learning.questions import Question
from classroom.learning.schedule import Asking, choose
from tools.proof.bank import Bank, Item
from tools.simulate import DAY_SECONDS, HABITS, Trace

TABLES: Final = 50  # tables at which a question is tried before giving up

Knows = Callable[[Question, int, int, Random], bool]
"""Says whether a child is right, given the question, the day, how many questions came before on
that day, and the random numbers."""


def right_by(
    question: Question, level: float, rng: Random, *, slips: float = 0.0, taps: float = 0.0
) -> bool:
    """Draw an answer. `slips`: how often the child misses what it knows; `taps`: how often it taps
    anywhere."""
    if rng.random() < taps:
        return rng.randrange(len(question.options)) == question.right
    knows = (1 - slips / (1 - question.guess_rate)) / (1 + exp(question.difficulty - level))
    return rng.random() < question.guess_rate + (1 - question.guess_rate) * knows


def able(level: Callable[[int, int], float]) -> Knows:
    """Return a child whose level, in logits, depends on the day and on how many answers came
    before."""

    def right(question: Question, day: int, nth: int, rng: Random) -> bool:
        return rng.random() < chance(level(day, nth), question.difficulty, question.guess_rate)

    return right


def steady(level: float) -> Knows:
    """Return a child that is always at this level."""
    return able(lambda day, nth: level)


def guesser(habit: str) -> Knows:
    """Return a child that knows nothing and guesses by this habit (HABITS)."""
    trace, tap = Trace(), HABITS[habit]

    def right(question: Question, day: int, nth: int, rng: Random) -> bool:
        place = tap(question, trace, rng)
        trace.add(question)
        return place == question.right

    return right


@dataclass(slots=True)
class Sitting:
    """One child at its questions: the schedule chooses them, and the child answers.

    `fresh`: each question is made for this child alone. A bank would repeat its questions, and a
    child could guess by what was right before.
    """

    bank: Bank
    knows: Knows
    rng: Random
    fresh: bool = False
    history: History = field(default_factory=History)

    def answers(self, day: int, count: int) -> Iterator[Evidence]:
        """Yield the evidence of this many answers on a day."""
        for nth in range(count):
            item = self._item(day)
            right = self.knows(item.question, day, nth, self.rng)
            row = item.row(right, day, day * DAY_SECONDS + 60.0 * nth)
            self.history = self.history.after(row)
            yield row

    def days(self, days: Iterable[int], a_day: int) -> Iterator[Evidence]:
        """Yield the evidence of this many answers on each of these days."""
        for day in days:
            yield from self.answers(day, a_day)

    def _item(self, day: int) -> Item:
        asking = Asking("sometimes", self.bank.bounds)
        asked: dict[int, Item] = {}

        def ask(skill: str, *, ability: float) -> Question | None:
            if self.fresh:
                item = self.bank.fresh(skill, ability, self.rng)
            else:
                items = self.bank.items(skill, ability)
                item = self.rng.choice(items) if items else None
            if item is None:
                return None
            asked[id(item.question)] = item
            return item.question

        for _ in range(TABLES):
            question = choose(self.history, asking, day, ask, self.rng)
            if question is not None:
                return asked[id(question)]
        raise ValueError(f"no table allows a question at {self.bank.band}")


SCHOOL_DAYS: Final = (0, 2, 4)  # days of a week on which a round is played


def school_days(weeks: int) -> list[int]:
    """Return the days with a round, three a week."""
    return [7 * week + day for week in range(weeks) for day in SCHOOL_DAYS]
