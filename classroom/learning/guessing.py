"""Guessing: habits of guessing, and answers that came too fast for thought."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from math import prod
from random import Random
from statistics import median
from typing import Final, NamedTuple

from classroom.learning.evidence import Evidence
from classroom.learning.questions import Question

# ---- Habits of guessing: ways to answer a question without knowing anything about it
#
# tools/luck.py measures how often they are right; simulated children have them (simulate.py).


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


# ---- answers that came too fast
#
# The child had no time to think, and luck explains the answers far better than knowledge does. A
# day of such guessing counts for no level (tracks.py).

FAST_MS: Final[Mapping[str, int]] = {"flash": 700, "been_asked": 1000}
FAST_USUAL_MS: Final = 1500  # an answer this fast comes before the spoken question has ended
NEWEST: Final = 12  # how many of the newest answers of a day are looked at
FAST_FROM: Final = 6  # this many of them must be fast before it is called guessing
KNOWS: Final = 0.75  # chance that a child who knows is right; items are chosen for this chance
LIKELIER: Final = 8.0  # fast answers are guessing if luck explains them this many times better


class FreshAnswer(NamedTuple):
    """A first answer of a child's newest day. `step`: the item's step on the strand's scale;
    `fast`: the milliseconds that it took, None if there was time to think."""

    day: int
    difficulty: float
    luck: float
    right: bool
    step: int
    at: float
    fast: int | None


class Hasty(NamedTuple):
    """How a child guessed on a day: `fast` of the newest `n` answers took about `usual_ms`."""

    day: int
    n: int
    fast: int
    right: int
    usual_ms: int


def too_fast(row: Evidence) -> int | None:
    """The time that an answer took, if that was too short for the child to have thought."""
    ms = row.latency_ms
    return ms if ms is not None and ms < FAST_MS.get(row.kind, FAST_USUAL_MS) else None


def hasty(answers: Iterable[FreshAnswer]) -> Hasty | None:
    """Judge the answers of one day in all strands; returns None unless the child guessed."""
    newest = sorted(answers, key=lambda one: one.at)[-NEWEST:]
    fast = [one for one in newest if one.fast is not None]
    if len(fast) < FAST_FROM:
        return None
    by_luck = prod(_chance(one.right, one.luck) for one in fast)
    if by_luck < LIKELIER * prod(_chance(one.right, KNOWS) for one in fast):
        return None
    usual = round(median(one.fast or 0 for one in fast))
    return Hasty(newest[-1].day, len(newest), len(fast), sum(one.right for one in fast), usual)


def _chance(right: bool, share: float) -> float:
    return share if right else 1 - share
