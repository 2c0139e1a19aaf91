"""Levels: what adults are told about a child in each strand, made from its track. A level says
which items a child can do, not which share it got right: items are chosen to suit the child, so
that share is about the same for everyone (docs/learning.md)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import reduce
from math import ceil, hypot, log, sqrt
from typing import Final, Literal, NamedTuple

from classroom.learning.beliefs import NOTHING_KNOWN, SPREAD, moments, quantiles
from classroom.learning.estimates import CHECK_AFTER, ENOUGH, LATEST, Share, memory_of
from classroom.learning.recall_questions import recall_hardness
from classroom.learning.skills import AGE_BANDS, Strand
from classroom.learning.tracks import LOOKS, SCALES, RangeCount, Scale, Track, answered

CAN: Final = 2 / 3
"""A child can do a step if its chance of a right answer, luck aside, is at least this. With the
usual luck it is about three in four, and questions are chosen for that chance."""
LINE: Final = 0.5  # the chance of a right answer at the line below which an adult should look
CLEAR_FROM, CLEAR = 8, 0.75  # a child can do a range with this many answers and this share right
DOUBT: Final = 0.05  # the highest chance that a standing is wrong
ITEMS: Final = 0.3
"""How far wrong difficulties may shift a level (standard deviation, logits). With this, ranges
contain the truth even if kinds are off by 0.5 and a child's skills differ (tools/proof)."""
NINETEEN, SIDE = 1.96, 1.645  # standard errors for 19 in 20: to both sides, and to one side only
NARROWER: Final = 0.75  # a level is shown once its range is below this share of the first range
SOON: Final = 2  # this many ranges of remembering go up to five asks ago; the rest are shown apart
BEYOND_ONE: Final = 2  # lowest step for "partly": a child that always says "one" gets step 1 right
START_FROM: Final = 8  # fewest answers before a child is said to be at the start
BEHIND_FROM: Final = 6  # fewest answers before a child is said to be behind
GROWTH_FROM: Final = 20  # fewest earlier answers with which the newest are compared
CHANGED: Final = 2.4
"""Standard errors. With a look every week for 20 weeks, at most one in ten children who do not
change is ever said to have grown in any strand (tools/proof)."""

Standing = Literal["none", "open", "start", "partly", "secure"]
"""Where a child stands for its age: "start", "partly" and "secure" if that is 95 % certain, "open"
if the level is known but none of these is certain."""

_ASSUMED: Final = 2 * NINETEEN * SPREAD  # logits; the width of the range before any answer


class Evident(NamedTuple):
    """How many of `n` first answers without help in one range of the scale are right."""

    range: str
    right: int
    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """What adults are told about a child in one strand.

    `middle`, `low`, `high`: the level and its likely (95 %) range, in logits. `about`, `between`:
    the same as steps of the scale, the last ones that the child can do. `about` is at most the last
    step that the child lately got right, and at least the end of a range in which it got three in
    four right. It is 0 if the child cannot do the first step, or if luck may explain the answers.
    `evidence`: recent answers by range; for remembering, the facts taken in play at the first
    chance, by age. `days`: on how many days they were given. `shown`: whether the range says more
    than was assumed before any answer. `stale`: whether there was no answer for four weeks.
    `behind`: whether an adult should look (_behind). `line`: the age band, and the step that it
    needs; `looked`: the days on which the level was compared with that step.
    """

    strand: Strand
    n: int
    middle: float
    low: float
    high: float
    about: int
    between: tuple[int, int]
    evidence: tuple[Evident, ...]
    standing: Standing
    shown: bool
    stale: bool
    behind: bool
    last_day: int | None
    days: int
    line: tuple[str, int] = ("", 0)
    looked: tuple[int, ...] = ()

    @property
    def right(self) -> int:
        """How many of the recent answers are right."""
        return sum(one.right for one in self.evidence)

    @property
    def recent(self) -> int:
        """How many recent answers there are."""
        return sum(one.n for one in self.evidence)

    @property
    def taken(self) -> tuple[Share, Share]:
        """For remembering: how many facts the child took in play at the first chance, first of
        those heard up to five asks before, then of older ones."""
        soon = SCALES[self.strand].ranges[:SOON]
        first, later = (
            added([one for one in self.evidence if (one.range in soon) == near])
            for near in (True, False)
        )
        return first, later


def added(counts: Collection[Evident | RangeCount]) -> Share:
    """Add up counts of right answers."""
    return Share(sum(one.right for one in counts), sum(one.n for one in counts))


def together(levels: Iterable[Level]) -> Share:
    """Add up the recent answers behind these levels."""
    return added([one for level in levels for one in level.evidence])


def level_of(one: Track, band: str, today: int) -> Level:
    """Say what a track shows about a child of this age band, as of a day. Only new answers change
    what is said: time alone makes a level stale, never lower."""
    one = one.settled()
    if one.strand == "recall":
        return _remembering(one, today)
    scale, age = SCALES[one.strand], AGE_BANDS.index(band)
    shares = (0.025, DOUBT, 0.5, 1 - DOUBT, 0.975)
    low, lowest, middle, highest, high = quantiles(one.belief, shares)
    low, high = _allowing(low, middle, NINETEEN), _allowing(high, middle, NINETEEN)
    lowest, highest = _allowing(lowest, middle, SIDE), _allowing(highest, middle, SIDE)
    evidence = tuple(
        Evident(name, some.right, some.n)
        for place, name in enumerate(scale.ranges)
        if (some := added([count for count in one.ranges if count.place == place])).n
    )
    about, least = _about(one, scale, middle, evidence)
    first, last = (scale.step_at(end - _logit(CAN)) for end in (low, high))
    shown = one.n > 0 and high - low < NARROWER * _ASSUMED
    return Level(
        strand=one.strand,
        n=one.n,
        middle=middle,
        low=low,
        high=high,
        about=about,
        between=(max(1, min(first, about or first)), max(last, about, least)),
        evidence=evidence,
        standing=_standing(one, scale, age, (lowest, highest)) if shown else "none",
        shown=shown,
        stale=one.day is not None and today - one.day >= CHECK_AFTER,
        behind=_behind(one, scale, age, today),
        last_day=one.day,
        days=len({count.day for count in one.ranges}),
        line=(band, scale.least[age]),
        looked=tuple(look.day for look in one.looks),
    )


def _allowing(end: float, middle: float, errors: float) -> float:
    """Move an end of the range outwards to allow for wrong difficulties (ITEMS). `errors`: how many
    standard errors the end is from the middle."""
    away = hypot(end - middle, errors * ITEMS)
    return middle - away if end < middle else middle + away


def _remembering(one: Track, today: int) -> Level:
    """Say how far back a child remembers, from play and questions together (estimates.py). It has
    no line and no colour: there is no norm for it."""
    scale, newest = SCALES[one.strand], one.recalled[-LATEST:]
    facts = [(scale.range_of_step(item.lag), item.right) for item in newest if item.play]
    evidence = [
        Evident(name, sum(right for at, right in facts if at == place), n)
        for place, name in enumerate(scale.ranges)
        if (n := sum(at == place for at, _ in facts))
    ]
    last, most = (newest[-1].day if newest else None), len(scale.steps)
    memory = memory_of(newest)
    reached = max((item.lag for item in newest if item.right), default=0)
    about = min(round(memory.half), reached, most)
    first, end = (min(max(1.0, way), most) for way in (memory.low, memory.high))
    low, middle, high = (recall_hardness(h) for h in (memory.low, memory.half, memory.high))
    shown = memory.n >= ENOUGH and log(end / first) < NARROWER * log(most)
    return Level(
        strand=one.strand,
        n=memory.n,
        middle=middle,
        low=low,
        high=high,
        about=about,
        between=(min(int(memory.low), about or most), max(ceil(end), about)),
        evidence=tuple(evidence),
        standing="open" if shown else "none",
        shown=shown,
        stale=last is not None and today - last >= CHECK_AFTER,
        behind=False,
        last_day=last,
        days=len({item.day for item in newest}),
    )


def _about(
    one: Track, scale: Scale, middle: float, evidence: tuple[Evident, ...]
) -> tuple[int, int]:
    """The last step that the child can do, and the last step that its counts alone prove."""
    reached = max((count.top for count in one.ranges), default=0)
    able = [o.range for o in evidence if o.n >= CLEAR_FROM and o.right >= CLEAR * o.n]
    clear = min(scale.last_step(scale.ranges.index(able[-1])), reached) if able else 0
    about = min(max(scale.step_at(middle - _logit(CAN)), clear), reached)
    return about if one.beyond_luck else 0, clear


def _logit(chance: float) -> float:
    return log(chance / (1 - chance))


def _standing(one: Track, scale: Scale, age: int, between: tuple[float, float]) -> Standing:
    """Say where a child stands for its age. Its level is above the first of `between` with a chance
    of 95 %, and below the second with the same chance.

    "start" is below the step that the age needs. "secure" has reached the step that the age
    practises towards, and has answers in its range or a later one. "partly" is between the two.
    Nothing good is said while luck may explain the answers.
    """
    lowest, highest = between
    needed = scale.steps[max(scale.least[age], BEYOND_ONE) - 1] + _logit(LINE)
    wanted = scale.steps[scale.expected[age] - 1] + _logit(CAN)
    tried = scale.last_step(max(count.place for count in one.ranges))
    if highest < scale.steps[scale.least[age] - 1] + _logit(LINE) and one.n >= START_FROM:
        return "start"
    if not one.beyond_luck:
        return "none"
    if lowest >= wanted and tried >= scale.expected[age]:
        return "secure"
    return "partly" if needed <= lowest and highest < wanted else "open"


def _behind(one: Track, scale: Scale, age: int, today: int) -> bool:
    """Whether on each of the last two days with answers the child was almost certainly below the
    step that its age needs."""
    if one.n < BEHIND_FROM or len(one.looks) < LOOKS:
        return False
    needed = scale.steps[scale.least[age] - 1] + _logit(LINE)
    fresh = today - one.looks[-1].day < CHECK_AFTER
    return fresh and all(look.high < needed for look in one.looks)


# ---- growth


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """How far a child's newest answers are above all those before them, in ranges of the scale.

    `low`, `high`: the likely (95 %) range. `sure`: whether the change is as certain as CHANGED
    demands. `since`: the day in the middle of the earlier answers. `n`: how many newest answers are
    compared.
    """

    strand: Strand
    by: float
    low: float
    high: float
    sure: bool
    since: int
    n: int

    @property
    def seen(self) -> bool:
        """Whether the child has grown."""
        return self.sure and self.by > 0

    @property
    def fallen(self) -> bool:
        """Whether the child does less well than before."""
        return self.sure and self.by < 0


def growth(one: Track) -> Growth | None:
    """Compare the newest answers with those before them; None while there are too few. No answer is
    in both sets, and neither of the two levels depends on the other."""
    one = one.settled()
    if one.before.n < GROWTH_FROM:
        return None
    was, variance = moments(one.before.belief)
    now, more = moments(reduce(answered, one.latest, NOTHING_KNOWN))
    unit, error = SCALES[one.strand].unit, sqrt(variance + more)
    by = now - was
    return Growth(
        strand=one.strand,
        by=by / unit,
        low=(by - NINETEEN * error) / unit,
        high=(by + NINETEEN * error) / unit,
        sure=abs(by) > CHANGED * error,
        since=(one.before.since + one.before.until) // 2,
        n=len(one.latest),
    )
