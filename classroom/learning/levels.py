"""Levels: the conclusions that adults see about a child in each strand, made from its track. A
level says which items a child can do, not which share of them the child got right. Items are chosen
to suit the child, so this share is about the same for every child (docs/learning.md)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import reduce
from math import ceil, hypot, log, sqrt
from typing import Final, Literal, NamedTuple

from classroom.learning.beliefs import NOTHING_KNOWN, SPREAD, Z95, moments, quantiles
from classroom.learning.estimates import CHECK_AFTER, ENOUGH, LATEST, Share, memory_of
from classroom.learning.recall_questions import recall_hardness
from classroom.learning.skills import AGE_BANDS, Strand
from classroom.learning.tracks import LOOKS, SCALES, RangeCount, Scale, Track, answered

CAN: Final = 2 / 3
"""A child can do a step if the probability of a right answer, luck aside, is at least this. With
the usual luck it is about three in four, the probability for which questions are chosen."""
LINE: Final = 0.5  # a child needs attention if the probability at the needed step is lower
CLEAR_FROM, CLEAR = 8, 0.75  # a child can do a range with this many answers and this share right
DOUBT: Final = 0.05  # the highest accepted probability that a standing is wrong
ITEMS: Final = 0.3
"""How far wrong difficulties can shift a level (standard deviation, logits). With this, ranges
contain the true level even if difficulties are wrong by 0.5 and skills differ (tools/proof)."""
Z90: Final = 1.645  # two-sided 90 % point of the normal distribution, so its one-sided 95 % point
NARROWER: Final = 0.75  # a level is shown once its range shrinks to this share of the initial range
SOON: Final = 2  # the number of recall ranges for facts that were heard up to five asks ago
BEYOND_ONE: Final = 2  # lowest step for "partly": a child that always says "one" gets step 1 right
START_FROM: Final = 8  # the fewest answers before a child is said to be at the start
BEHIND_FROM: Final = 6  # the fewest answers before a child is said to be behind
GROWTH_FROM: Final = 20  # the fewest earlier answers with which the newest answers are compared
CHANGED: Final = 2.4
"""A change is sure above this many standard errors. With a check every week for 20 weeks, at most
one in ten children who do not change is ever said to have grown in any strand (tools/proof)."""

Standing = Literal["none", "open", "start", "partly", "secure"]
"""A child's level compared with its age: "start", "partly" or "secure" if that is 95 % certain,
"open" if none of these is certain, "none" if too little is known."""

_ASSUMED: Final = 2 * Z95 * SPREAD  # logits; the width of the range before any answer


class Evident(NamedTuple):
    """The number of right answers among `n` first answers without help, in one range."""

    range: str
    right: int
    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """The conclusions about a child in one strand.

    `middle`, `low`, `high`: the level and its likely (95 %) range, in logits. `about`, `between`:
    the same as steps of the scale: the last step that the child can do, and its likely range.
    `about` is at most the last step that the child recently got right, and at least the end of a
    range in which the child got three in four right. `about` is 0 if the child cannot do the first
    step, or if luck may explain the answers. `evidence`: recent answers by range; for recall, the
    facts that the child could take in play, by lag. `days`: the number of days with these answers.
    `shown`: whether the range is narrow enough to be shown. `stale`: whether there was no answer
    for four weeks. `behind`: whether the child needs attention (_behind). `line`: the age band, and
    the step that the age needs. `looked`: the days on which the level was compared with that step.
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
        """The number of recent answers that are right."""
        return sum(one.right for one in self.evidence)

    @property
    def recent(self) -> int:
        """The number of recent answers."""
        return sum(one.n for one in self.evidence)

    @property
    def taken(self) -> tuple[Share, Share]:
        """For recall: how many facts the child took in play at the first chance, first for facts
        heard up to five asks before, then for older facts."""
        soon = SCALES[self.strand].ranges[:SOON]
        first, later = (
            added([one for one in self.evidence if (one.range in soon) == near])
            for near in (True, False)
        )
        return first, later


def added(counts: Collection[Evident | RangeCount]) -> Share:
    return Share(sum(one.right for one in counts), sum(one.n for one in counts))


def together(levels: Iterable[Level]) -> Share:
    """Add up the recent answers behind these levels."""
    return added([one for level in levels for one in level.evidence])


def level_of(one: Track, band: str, today: int) -> Level:
    """Make the level of a child in this age band from a track, as of a day. Without new answers a
    level becomes stale, but it never falls."""
    one = one.settled()
    if one.strand == "recall":
        return _remembering(one, today)
    scale, age = SCALES[one.strand], AGE_BANDS.index(band)
    shares = (0.025, DOUBT, 0.5, 1 - DOUBT, 0.975)
    low, lowest, middle, highest, high = quantiles(one.belief, shares)
    low, high = _allowing(low, middle, Z95), _allowing(high, middle, Z95)
    lowest, highest = _allowing(lowest, middle, Z90), _allowing(highest, middle, Z90)
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
    """Move an end of the range outwards to allow for errors in the difficulties (ITEMS). `errors`:
    the number of standard errors between the end and the middle."""
    away = hypot(end - middle, errors * ITEMS)
    return middle - away if end < middle else middle + away


def _remembering(one: Track, today: int) -> Level:
    """Make the level of recall: how far back a child remembers (estimates.py). Recall is not
    compared with an age, because there is no norm."""
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
    """Return the last step that the child can do, and the last step that the counts alone prove."""
    reached = max((count.top for count in one.ranges), default=0)
    able = [o.range for o in evidence if o.n >= CLEAR_FROM and o.right >= CLEAR * o.n]
    clear = min(scale.last_step(scale.ranges.index(able[-1])), reached) if able else 0
    about = min(max(scale.step_at(middle - _logit(CAN)), clear), reached)
    return about if one.beyond_luck else 0, clear


def _logit(chance: float) -> float:
    return log(chance / (1 - chance))


def _standing(one: Track, scale: Scale, age: int, between: tuple[float, float]) -> Standing:
    """Compare a child's level with its age. `between`: two levels in logits. With 95 % certainty
    each, the child's level is above the first and below the second.

    "start": the child is below the step that the age needs. "secure": it has reached the step that
    the age practises towards, and has answers in the range of this step or a later one. "partly":
    it is in between. While luck may explain the answers, only "start" and "none" are possible.
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
    """Whether, on each of the last two days with answers, the child was almost certainly below the
    step that the child's age needs."""
    if one.n < BEHIND_FROM or len(one.looks) < LOOKS:
        return False
    needed = scale.steps[scale.least[age] - 1] + _logit(LINE)
    fresh = today - one.looks[-1].day < CHECK_AFTER
    return fresh and all(look.high < needed for look in one.looks)


# ---- Growth


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """The change from a child's earlier answers to the newest ones.

    `by`: the change, in ranges of the scale. `low`, `high`: its likely (95 %) range. `sure`:
    whether it is larger than CHANGED standard errors. `since`: the day halfway between the first
    and the last earlier answer. `n`: the number of newest answers.
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
        return self.sure and self.by > 0

    @property
    def fallen(self) -> bool:
        """Whether the child is clearly doing worse than before."""
        return self.sure and self.by < 0


def growth(one: Track) -> Growth | None:
    """Compare the newest answers with earlier answers; None while these are too few. The two
    levels are independent, because no answer is in both sets."""
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
        low=(by - Z95 * error) / unit,
        high=(by + Z95 * error) / unit,
        sure=abs(by) > CHANGED * error,
        since=(one.before.since + one.before.until) // 2,
        n=len(one.latest),
    )
