"""Simulated children of known ability: they play in the demo school, and test the estimates.

Some of them know nothing and only guess, each by its own habit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Final

from classroom.learning.beliefs import chance
from classroom.learning.questions import Question
from classroom.learning.skills import RECALL

# ---- Habits of guessing: ways to answer a question without knowing anything about it
#
# tools/luck.py measures how often each habit is right. Simulated children may have one.


@dataclass(slots=True)
class Trace:
    """What a guesser remembers of earlier questions. `place`: where the last right answer was.

    `answers`: how often each answer to a kind of question was right.
    """

    place: int | None = None
    answers: dict[str, Counter[Hashable]] = field(default_factory=dict)

    def add(self, question: Question) -> None:
        """Note which answer was right: every child learns it at the end of a question."""
        self.place = question.right
        self.answers.setdefault(question.kind, Counter())[question.answer] += 1


ASKED_FOR: Final = ("give", "numeral_to_dots", "hear_numeral", "count_books", "given")
"""Kinds that say the right number itself, or show numbers without saying them."""
Habit = Callable[[Question, Trace, Random], int]


def any_place(question: Question, trace: Trace, rng: Random) -> int:
    """Tap anywhere."""
    return rng.randrange(len(question.options))


def win_shift(question: Question, trace: Trace, rng: Random) -> int:
    """Tap anywhere but where the last right answer was."""
    return rng.choice([at for at in range(len(question.options)) if at != trace.place])


def win_stay(question: Question, trace: Trace, rng: Random) -> int:
    """Tap where the last right answer was."""
    if trace.place is None or trace.place >= len(question.options):
        return any_place(question, trace, rng)
    return trace.place


def first_place(question: Question, trace: Trace, rng: Random) -> int:
    """Always tap the first place."""
    return 0


def second_place(question: Question, trace: Trace, rng: Random) -> int:
    """Always tap the second place."""
    return 1


def last_place(question: Question, trace: Trace, rng: Random) -> int:
    """Always tap the last place."""
    return len(question.options) - 1


def smallest(question: Question, trace: Trace, rng: Random) -> int:
    """Choose the smallest number; of things on a tray, give one."""
    return _in_order(question, trace, rng, lambda count: 0)


def greatest(question: Question, trace: Trace, rng: Random) -> int:
    """Choose the greatest number; of things on a tray, give all."""
    return _in_order(question, trace, rng, lambda count: count - 1)


def middle(question: Question, trace: Trace, rng: Random) -> int:
    """Choose the middle number, or the second of four."""
    return _in_order(question, trace, rng, lambda count: (count - 1) // 2)


def upper_middle(question: Question, trace: Trace, rng: Random) -> int:
    """Choose the middle number, or the third of four."""
    return _in_order(question, trace, rng, lambda count: count // 2)


def last_heard(question: Question, trace: Trace, rng: Random) -> int:
    """Choose the last number that was said."""
    return _heard(question, trace, rng, -1)


def first_heard(question: Question, trace: Trace, rng: Random) -> int:
    """Choose the first number that was said."""
    return _heard(question, trace, rng, 0)


def usual(question: Question, trace: Trace, rng: Random) -> int:
    """Choose the answer that was right most often for this kind of question.

    Not used where cards are compared: knowing which card is usually the greatest is knowledge.
    """
    if question.face == "card":
        return any_place(question, trace, rng)
    before = trace.answers.get(question.kind, Counter())
    most = max(before[option] for option in question.options)
    places = [at for at, option in enumerate(question.options) if before[option] == most]
    return rng.choice(places)


HABITS: Final[dict[str, Habit]] = {
    "any": any_place,
    "win_shift": win_shift,
    "win_stay": win_stay,
    "first": first_place,
    "second": second_place,
    "last": last_place,
    "smallest": smallest,
    "greatest": greatest,
    "middle": middle,
    "upper_middle": upper_middle,
    "last_heard": last_heard,
    "first_heard": first_heard,
    "usual": usual,
}


def _in_order(question: Question, trace: Trace, rng: Random, which: Callable[[int], int]) -> int:
    """Choose by size where the options are numbers; otherwise tap anywhere."""
    if question.face not in ("numeral", "dots", "tapped") or None in question.options:
        return any_place(question, trace, rng)
    wanted = sorted(question.options)[which(len(question.options))]
    return question.options.index(wanted)


def _heard(question: Question, trace: Trace, rng: Random, which: int) -> int:
    """Choose a number that was said, where it is an option."""
    said = () if question.kind in ASKED_FOR else question.stem.numbers
    if not said or question.face == "seat" or said[which] not in question.options:
        return any_place(question, trace, rng)
    return question.options.index(said[which])


# ---- Simulated children

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
