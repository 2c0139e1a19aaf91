"""Habits of guessing: ways to answer a question without knowing anything about it.

tools/luck.py measures how often they are right; simulated children have them (simulate.py).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from random import Random
from typing import Final

from classroom.learning.questions import Question


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
    """Choose the middle number, of four the second."""
    return _in_order(question, trace, rng, lambda count: (count - 1) // 2)


def upper_middle(question: Question, trace: Trace, rng: Random) -> int:
    """Choose the middle number, of four the third."""
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
