"""Tracks: a child's level in one strand, updated with each first answer.

A track made from all rows at once equals a track that was updated row by row. So a service can
store a track for each child and strand and never read old evidence again. The answers of the newest
day wait in `fresh` until the next day with answers: if the child guessed, they are dropped.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from math import log, prod
from statistics import median
from typing import Any, Final, NamedTuple

from classroom.learning.beliefs import (
    NOTHING_KNOWN,
    Belief,
    from_json,
    predicted,
    quantiles,
    to_json,
    updated,
    widened,
)
from classroom.learning.drafts import RANGE_ENDS, SLOPE, hardness
from classroom.learning.estimates import KEPT_FACTS, RECENT_DAYS, Recalled, recalled, recent_from
from classroom.learning.evidence import Evidence, in_order
from classroom.learning.recall_questions import recall_hardness
from classroom.learning.skills import SKILLS, Strand

# ---- The scale of each strand: from easy items to hard ones, in the steps that adults see
#
# A scale says in which range an item counts ("6-10"), how hard a typical item of each step is, and
# what is expected at each age. Difficulties are in logits, as everywhere in this package.

Ages = tuple[int, int, int, int]  # a step for each of AGE_BANDS
USUALLY_CLOSE: Final = 1.0  # logits: how much harder it is to compare sets of similar size


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """One strand's scale.

    `ranges`: the names of the ranges of steps, easiest first. `tops`: the last step of each range
    except the last range. `steps`: the difficulty of each step, from step 1 on. `place`: returns
    the step of a row's item. `expected`, `least`: for each of AGE_BANDS the step that children of
    that age practise towards, and the step below which a child needs help. `unit`: the average
    distance in logits from one range to the next.
    """

    ranges: tuple[str, ...]
    tops: tuple[int, ...]
    steps: tuple[float, ...]
    place: Callable[[Evidence], int]
    expected: Ages
    least: Ages
    unit: float

    def step_at(self, level: float) -> int:
        """Return the last step that is not harder than this level; 0 if all steps are harder."""
        return sum(1 for difficulty in self.steps if difficulty <= level)

    def last_step(self, place: int) -> int:
        """Return the last step of the range with this index."""
        return self.tops[place] if place < len(self.tops) else len(self.steps)

    def range_of_step(self, step: int) -> int:
        """Return the index of the range to which a step belongs."""
        return bisect_left(self.tops, step)


def _number(row: Evidence) -> int:
    """Return the greatest number that the item required the child to handle. Rows from version 0.2
    do not have it; for them it is the greatest number in the question."""
    number = row.item.get("number")
    if number is None:
        number = max(row.item.get("stem", {}).get("numbers", ()), default=1)
    return max(1, int(number))


def _of_numbers(kind: str, expected: Ages, least: Ages, more: float = 0.0) -> Scale:
    """Make a scale whose steps are the numbers from 1 to 20. `kind`: a typical kind of item.
    `more`: logits to add to its difficulty."""
    return Scale(
        ranges=("1-5", "6-10", "11-20", ">20"),
        tops=RANGE_ENDS,
        steps=tuple(hardness(kind, number) + more for number in range(1, 21)),
        place=_number,
        expected=expected,
        least=least,
        unit=SLOPE,
    )


SCALES: Final[dict[Strand, Scale]] = {
    "counting": _of_numbers("count_hand", (5, 10, 20, 20), (2, 4, 7, 9)),
    "comparing": _of_numbers("most_cards", (4, 8, 10, 20), (2, 3, 5, 6), USUALLY_CLOSE),
    "adding": _of_numbers("points_of_two", (4, 8, 10, 20), (1, 3, 4, 6)),
    "sorting": _of_numbers("count_kind", (3, 5, 10, 10), (1, 2, 3, 4)),
    "recall": Scale(
        ranges=("1-2", "3-5", "6-10", ">10"),
        tops=(2, 5, 10),
        steps=tuple(recall_hardness(lag) for lag in range(1, 41)),
        place=lambda row: row.lag_asks or 1,
        expected=(2, 3, 5, 5),
        least=(1, 1, 1, 1),
        unit=recall_hardness(2) - recall_hardness(1),
    ),
}


def range_of(row: Evidence) -> int:
    """Return the index of the range in which a row's item counts, on its strand's scale."""
    scale = SCALES[SKILLS[row.skill].strand]
    return min(scale.range_of_step(scale.place(row)), len(scale.ranges) - 1)


# ---- Fast guessing
#
# On a day of guessing, the child answered too fast to have thought, and luck explains the answers
# far better than knowledge does. The answers from such a day are not used for levels.

FAST_MS: Final[Mapping[str, int]] = {"flash": 700, "been_asked": 1000}
FAST_USUAL_MS: Final = 1500  # an answer this fast comes before the spoken question has ended
NEWEST: Final = 12  # how many of the newest answers of a day are checked for guessing
FAST_FROM: Final = 6  # guessing needs at least this many fast answers among the NEWEST
KNOWS: Final = 0.75  # how often a child that does not guess is right; items aim at this rate
LIKELIER: Final = 8.0  # fast answers are guessing if luck explains them this many times better


class FreshAnswer(NamedTuple):
    """A first answer on a child's newest day. `step`: the item's step on the strand's scale.
    `fast`: the milliseconds that a fast answer took; None if there was time to think."""

    day: int
    difficulty: float
    luck: float
    right: bool
    step: int
    at: float
    fast: int | None


class Hasty(NamedTuple):
    """A day of guessing: `fast` of the newest `n` answers were fast, `usual_ms` in the median."""

    day: int
    n: int
    fast: int
    right: int
    usual_ms: int


def too_fast(row: Evidence) -> int | None:
    """Return how many milliseconds the answer took if that is too short to have thought about it,
    else None."""
    ms = row.latency_ms
    return ms if ms is not None and ms < FAST_MS.get(row.kind, FAST_USUAL_MS) else None


def hasty(answers: Iterable[FreshAnswer]) -> Hasty | None:
    """Judge the answers of one day in all strands. Returns None unless the child guessed."""
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


# ---- Tracks

DRIFT: Final = 0.008  # variance, in square logits, that each day adds to a level
LEAP: Final = 0.0002  # daily probability that a level changes altogether, as after an illness
LONGEST: Final = 200  # a level's uncertainty grows for at most this many days without answers
LOOKS: Final = 2  # how many of the newest days with answers decide whether a child is behind
BEYOND_LUCK: Final = 3000.0
"""A child is said to know something only after the level has explained the answers this many times
better than luck alone. At most one in this many children who only guess ever reaches this limit,
however often the answers are checked (Ville's inequality)."""
LATEST: Final = 40  # how many of the newest answers are compared with all earlier answers


class LevelLook(NamedTuple):
    """The level after the last answer of a day; it is below `high` (logits) with 95 % certainty."""

    day: int
    high: float


class RangeCount(NamedTuple):
    """Counts of the first answers without help that were given on one day to items in one range.
    `place`: the index of the range. `top`: the highest step answered right; 0 for none."""

    day: int
    place: int
    n: int
    right: int
    top: int


class FirstAnswer(NamedTuple):
    """The facts about a first answer that update a level. `difficulty`: in logits. `luck`: the
    probability of guessing right."""

    day: int
    difficulty: float
    luck: float
    right: bool


class Before(NamedTuple):
    """All answers before the newest LATEST: their number, their first and last day, and the belief
    that follows from them alone."""

    n: int = 0
    since: int = 0
    until: int = 0
    belief: Belief = NOTHING_KNOWN

    def after(self, answer: FirstAnswer) -> Before:
        since = answer.day if self.n == 0 else self.since
        return Before(self.n + 1, since, answer.day, answered(self.belief, answer))


@dataclass(frozen=True, slots=True, kw_only=True)
class Track:
    """A child's level in one strand, as far as the child's answers show it.

    `day`: the day of the newest answer that counts. `belief`: how likely each level is. `n`: the
    number of all first answers without help. `ranges`: recent counts by day and range. `looks`: the
    levels of the newest LOOKS days. `latest`, `before`: the newest LATEST answers and all earlier
    answers, to measure growth. `against_luck`: the logarithm of how many times better the level
    predicted all answers than luck alone did. `beyond_luck`: whether this ever reached BEYOND_LUCK.
    `fresh`: the answers of the newest day, which are not yet included above. `recalled`: for recall
    only, which has no belief: the newest facts and answers, including those of the newest day.
    """

    strand: Strand
    day: int | None = None
    belief: Belief = NOTHING_KNOWN
    n: int = 0
    ranges: tuple[RangeCount, ...] = ()
    looks: tuple[LevelLook, ...] = ()
    before: Before = field(default_factory=Before)
    latest: tuple[FirstAnswer, ...] = ()
    against_luck: float = 0.0
    beyond_luck: bool = False
    fresh: tuple[FreshAnswer, ...] = ()
    recalled: tuple[Recalled, ...] = ()

    @property
    def newest(self) -> int | None:
        """The newest day with answers, even if they may count for nothing."""
        return self.fresh[-1].day if self.fresh else self.day

    def after(self, row: Evidence) -> Track:
        """Return the track with one more row of its strand, for a child without other tracks."""
        return followed({self.strand: self}, row)[self.strand]

    def settled(self, kept: bool = True) -> Track:
        """Return the track with the answers of the newest day counted (`kept`) or dropped."""
        if self.strand == "recall":
            left_out = None if kept or not self.fresh else self.fresh[-1].day
            some = [one for one in self.recalled if one.play or one.day != left_out]
            return replace(self, day=self.newest, fresh=(), recalled=tuple(some))
        one = replace(self, fresh=())
        for answer in self.fresh if kept else ():
            one = one._counted(answer)
        return one

    def _counted(self, fresh: FreshAnswer) -> Track:
        answer, day = FirstAnswer(*fresh[:4]), fresh.day
        away = 0 if self.day is None else min(day - self.day, LONGEST)
        start = widened(self.belief, DRIFT * away, 1 - (1 - LEAP) ** away)
        right = predicted(start, answer.difficulty, answer.luck)
        times = _chance(answer.right, right) / _chance(answer.right, answer.luck)
        against = round(self.against_luck + log(times), 4)
        before, latest = self.before, (*self.latest, answer)
        if len(latest) > LATEST:
            before, latest = before.after(latest[0]), latest[1:]
        belief = answered(start, answer)
        (high,) = quantiles(belief, (0.95,))
        looks = [*(one for one in self.looks if one.day < day), LevelLook(day, round(high, 3))]
        return replace(
            self,
            day=day,
            belief=belief,
            n=self.n + 1,
            ranges=self._in_ranges(fresh),
            looks=tuple(looks[-LOOKS:]),
            before=before,
            latest=latest,
            against_luck=against,
            beyond_luck=self.beyond_luck or against >= log(BEYOND_LUCK),
        )

    def _with(self, fact: Recalled | None) -> Track:
        return (
            self if fact is None else replace(self, recalled=(*self.recalled, fact)[-KEPT_FACTS:])
        )

    def _in_ranges(self, fresh: FreshAnswer) -> tuple[RangeCount, ...]:
        """Return the counts with one more answer and without days that are no longer recent."""
        scale = SCALES[self.strand]
        place = min(scale.range_of_step(fresh.step), len(scale.ranges) - 1)
        kept = {(one.day, one.place): one for one in self.ranges}
        _, _, n, right, top = kept.get((fresh.day, place), (0, 0, 0, 0, 0))
        top = max(top, fresh.step) if fresh.right else top
        now = RangeCount(fresh.day, place, n + 1, right + int(fresh.right), top)
        found = tuple({**kept, (fresh.day, place): now}.values())
        if found[0].day > fresh.day - RECENT_DAYS:
            return found
        since = recent_from([(one.day, one.n) for one in found])
        return tuple(one for one in found if since is None or one.day >= since)

    def to_json(self) -> dict[str, Any]:
        """Return the track as plain JSON values, without its strand."""
        belief, careless = to_json(self.belief)
        first, careless_first = to_json(self.before.belief)
        return {
            "day": self.day,
            "belief": belief,
            "careless": [careless, careless_first],
            "n": self.n,
            "ranges": [list(one) for one in self.ranges],
            "looks": [list(one) for one in self.looks],
            "first": [*self.before[:-1], first],
            "latest": [list(one) for one in self.latest],
            "against_luck": self.against_luck,
            "beyond_luck": self.beyond_luck,
            "fresh": [list(one) for one in self.fresh],
            "recalled": [list(one) for one in self.recalled],
        }

    @classmethod
    def from_json(cls, strand: Strand, data: Mapping[str, Any]) -> Track:
        """Parse a track from `to_json`, which does not name the strand."""
        n, since, until, first = data["first"]
        careless, careless_first = data["careless"]
        return cls(
            strand=strand,
            day=data["day"],
            belief=from_json(data["belief"], careless),
            n=data["n"],
            ranges=tuple(map(RangeCount._make, data["ranges"])),
            looks=tuple(map(LevelLook._make, data["looks"])),
            before=Before(n, since, until, from_json(first, careless_first)),
            latest=tuple(map(_answer, data["latest"])),
            against_luck=data["against_luck"],
            beyond_luck=data["beyond_luck"],
            fresh=tuple(map(FreshAnswer._make, data["fresh"])),
            recalled=tuple(map(Recalled._make, data["recalled"])),
        )


# This is faster than FirstAnswer(...), which matters for some 10,000 answers in a class.
_answer: Callable[[Iterable[Any]], FirstAnswer] = partial(tuple.__new__, FirstAnswer)


def followed(tracks: Mapping[Strand, Track], row: Evidence) -> dict[Strand, Track]:
    """Return only the child's tracks that a new row changes, updated by that row. The first answer
    of a day settles the previous day in all strands. A row with an earlier date than the newest day
    (the clock may have been changed) counts for the newest day."""
    strand = SKILLS[row.skill].strand
    mine = tracks.get(strand) or Track(strand=strand)
    fact = recalled(row) if strand == "recall" else None
    if not counts(row):
        return {strand: mine._with(fact)}
    days = [one.newest for one in tracks.values() if one.newest is not None]
    day, changed = max([*days, row.day]), dict[Strand, Track]()
    waiting = {key: one for key, one in tracks.items() if one.fresh}
    if any(one.newest != day for one in waiting.values()):
        kept = hasty(fresh_of_all(waiting.values())) is None
        changed = {key: one.settled(kept) for key, one in waiting.items()}
        mine = changed.get(strand, mine)
    step, luck = SCALES[strand].place(row), row.guess_rate
    fresh = FreshAnswer(day, row.difficulty, luck, row.right, step, row.at, too_fast(row))
    mine = mine._with(fact and fact._replace(day=day))
    return {**changed, strand: replace(mine, fresh=(*mine.fresh, fresh))}


def fresh_of_all(tracks: Iterable[Track]) -> tuple[FreshAnswer, ...]:
    """The answers of a child's newest day in all strands."""
    return tuple(chain.from_iterable(one.fresh for one in tracks))


def counts(row: Evidence) -> bool:
    """Whether a row updates a level: a question answered without help and not for practice. Items
    that a guesser gets right half the time count too, but change the level only a little."""
    return row.source == "question" and row.how == "alone"


def answered(belief: Belief, answer: FirstAnswer) -> Belief:
    return updated(belief, answer.right, answer.difficulty, answer.luck)


def tracks_of(rows: Iterable[Evidence]) -> dict[Strand, Track]:
    """Make a child's tracks from all of the child's rows, given in any order."""
    found: dict[Strand, Track] = {}
    for row in in_order(rows):
        found |= followed(found, row)
    return found
