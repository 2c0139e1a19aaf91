"""Simulated children of known ability: they play in the demo school, and test the estimates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Final

from classroom.learning.beliefs import chance
from classroom.learning.guessing import HABITS, Trace
from classroom.learning.questions import Question
from classroom.learning.skills import RECALL

DAY_SECONDS: Final = 86_400.0


@dataclass(frozen=True, slots=True)
class SimulatedChild:
    """A simulated child.

    `levels`: ability by skill in logits, for items of known difficulty. `shares`: by skill, a fixed
    chance of a right answer instead, luck included. `span`: asks after which half is forgotten.
    `names`: how often it names someone when it remembers nothing and "nobody" is an option.
    `guesses`: whether it knows nothing and guesses by its `habit`, one of HABITS; `trace` is what
    it remembers for that.
    """

    levels: Mapping[str, float] = field(default_factory=dict)
    shares: Mapping[str, float] = field(default_factory=dict)
    span: float = 5.0
    names: float = 0.5
    guesses: bool = False
    habit: str = "any"
    trace: Trace = field(default_factory=Trace, compare=False)

    def chance_of(self, question: Question) -> float:
        """Return the true chance of a right first answer to a question without help."""
        if self.guesses:
            return question.guess_rate
        if question.skill in self.shares:
            return self.shares[question.skill]
        if question.skill in RECALL:
            if question.trial == "new":
                return 1 - self.names if None in question.options else question.guess_rate
            luck = question.guess_rate
            if None in question.options:
                luck = self.names / (len(question.options) - 1)
            return remembered(question.lag_asks or 1, self.span, luck)
        level = self.levels.get(question.skill, 0.0)
        return chance(level, question.difficulty, question.guess_rate)

    def answer(self, question: Question, rng: Random, helped: bool = False) -> int:
        """Choose the option the child taps first. `helped`: the child can look the answer up."""
        if helped and question.skill in RECALL:
            return question.right
        if self.guesses:
            place = HABITS[self.habit](question, self.trace, rng)
            self.trace.add(question)
            return place
        if question.skill in RECALL and question.skill not in self.shares:
            return self._recalled(question, rng)
        if rng.random() < self.chance_of(question):
            return question.right
        places = [place for place in range(len(question.options)) if place != question.right]
        return rng.choice(places)

    def _recalled(self, question: Question, rng: Random) -> int:
        remembers = question.trial != "new" and (
            rng.random() < remembered(question.lag_asks or 1, self.span)
        )
        if remembers:
            return question.right
        places = list(range(len(question.options)))
        if None in question.options:
            nobody = question.options.index(None)
            if rng.random() >= self.names:
                return nobody
            places.remove(nobody)
        return rng.choice(places)


def remembered(lag: float, span: float, luck: float = 0.0) -> float:
    """Return the chance of a right answer about something `lag` asks ago.

    >>> remembered(5, 5), remembered(10, 5), remembered(5, 5, 0.25)
    (0.5, 0.25, 0.625)
    """
    return float(luck + (1 - luck) * 2 ** (-lag / span))
