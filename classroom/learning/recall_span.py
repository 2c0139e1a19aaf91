"""How far back a child remembers who asked for what: the recall span (docs/learning.md).

p = g + (1 - g) 2^(-lag / h): after h asks half is still remembered; g is luck. The
span h is measured, with its likely range, from the counts by lag. Answers to questions and asks
made in play are measured separately, as are hits, false alarms, and items with an overlap.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import exp, log
from typing import Final

from classroom.learning.estimates import SHARE_FROM, Share, share
from classroom.learning.evidence import Evidence, Source
from classroom.learning.skills import RECALL
from classroom.learning.tallies import Tally, grouped, lag_bin
from classroom.learning.windows import recent_from

SHORTEST, LONGEST = 0.25, 160.0  # asks; the ends of the grid of spans
GRID: Final = 240
USUAL: Final = (5.0, 1.2)  # assumed before any answer: 5 asks, give or take a factor of about 10
SHOWN_BINS: Final = (("1-2", 1, 2), ("3-5", 3, 5), ("6-10", 6, 10), (">10", 11, None))
RECENT_ITEMS: Final = 200  # answers behind a span, which needs more of them than a share
FALSE_PRIOR: Final = 2.0  # weight, in items, of the rate at which plain guessing names someone

_SPANS: Final = tuple(SHORTEST * (LONGEST / SHORTEST) ** (i / (GRID - 1)) for i in range(GRID))


def remembered(lag: float, span: float, luck: float = 0.0) -> float:
    """Return the chance of a right answer about something `lag` asks ago.

    >>> remembered(5, 5), remembered(10, 5), remembered(5, 5, 0.25)
    (0.5, 0.25, 0.625)
    """
    return float(luck + (1 - luck) * 2 ** (-lag / span))


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A recall span in asks: the best guess and its likely (95 %) range, None below 10 items.

    `beyond`: the range reaches the end of what can be measured; say "at least `low`".
    """

    n: int
    right: int
    half: float | None
    low: float | None
    high: float | None
    beyond: bool = False

    @property
    def enough(self) -> bool:
        """Whether the span may be shown."""
        return self.half is not None


@dataclass(frozen=True, slots=True)
class LagPoint:
    """The share remembered at one distance. `label`: asks back; `luck`: the share by luck alone."""

    label: str
    questions: Share
    play: Share
    luck: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallEstimate:
    """What a child's evidence says about remembering, with help and luck kept apart.

    `questions`, `play`: spans. `points`: shares by lag. `hits`: the share of items with a
    fact to remember that were right; in the rest someone else was named (`mixed_up`), or no one.
    `false_alarms`: the share of items with nothing to remember in which someone was named.
    `single`, `overlap`: questions about a class that one seat, or several, asked for. `aided`: with
    board or hint, not counted. `hopeless`: in play, how often the child asked a seat that, as
    it could have known, did not have the card; only old rows tell. `since_day`: the first day used.
    """

    questions: Span
    play: Span
    points: tuple[LagPoint, ...]
    hits: Share
    mixed_up: int
    false_alarms: Share
    single: Share
    overlap: Share
    aided: Share
    hopeless: Share
    since_day: int | None


@dataclass(frozen=True, slots=True)
class Cell:
    """Counts at one lag: `n`, `right`, mean `lag`, mean `luck`."""

    n: int
    right: int
    lag: float
    luck: float


def recall(evidence: Sequence[Evidence] | Sequence[Tally]) -> RecallEstimate:
    """Estimate one child's recall from rows or tallies; other skills are left out.

    As in `estimate`, the last four weeks are used, and older days only until there are 200 items.
    """
    tallies = [one for one in grouped(evidence) if one.skill in RECALL]
    alone = [one for one in tallies if one.how == "alone"]
    since = recent_from([(one.day, one.n) for one in alone or tallies], RECENT_ITEMS)
    tallies = [one for one in tallies if since is not None and one.day >= since]
    alone = [one for one in alone if since is not None and one.day >= since]
    asked = [one for one in alone if one.source == "question" and not one.weak]
    old = [one for one in asked if one.trial == "old"]
    new = [one for one in asked if one.trial == "new"]
    named = _named(new)
    lagged = [one for one in asked if one.lag_bin >= 0]
    hopeless = share(o for o in alone if o.source == "play" and o.trial == "new")
    return RecallEstimate(
        questions=span_of(_cells(alone, "question", named)),
        play=span_of(_cells(alone, "play", None)),
        points=tuple(_point(alone, *bounds) for bounds in SHOWN_BINS),
        hits=share(old),
        mixed_up=sum(one.mixed_up for one in old),
        false_alarms=Share(sum(o.n - o.right for o in new), sum(o.n for o in new)),
        single=share(one for one in lagged if not one.overlap),
        overlap=share(one for one in lagged if one.overlap),
        aided=share(one for one in tallies if one.how == "aided"),
        hopeless=Share(hopeless.n - hopeless.right, hopeless.n),
        since_day=since,
    )


def span_of(cells: Sequence[Cell]) -> Span:
    """Fit a span to the counts: median and 95 % range of the posterior on a grid."""
    n, right = sum(cell.n for cell in cells), sum(cell.right for cell in cells)
    if n < SHARE_FROM:
        return Span(n=n, right=right, half=None, low=None, high=None)
    low, half, high = _quantiles(_posterior(cells), (0.025, 0.5, 0.975))
    return Span(n=n, right=right, half=half, low=low, high=high, beyond=high > LONGEST / 2)


def _named(new: Sequence[Tally]) -> float | None:
    """Estimate how often the child names someone if there is nothing to remember; None if never
    tested.

    While there are few such items, the estimate is drawn towards plain guessing.
    """
    n = sum(one.n for one in new)
    if not n:
        return None
    plain = 1 - sum(one.guess_sum for one in new) / n
    alarms = sum(one.n - one.right for one in new)
    return (alarms + FALSE_PRIOR * plain) / (n + FALSE_PRIOR)


def _cells(alone: Sequence[Tally], source: Source, named: float | None) -> list[Cell]:
    """Count by lag. If "nobody" is an option, luck depends on how often the child names anyone.

    A child that says "nobody" when in doubt is hardly ever right by luck; without this its span
    would come out too short, and that of a child that always names someone too long.
    """
    sums: dict[tuple[int, bool], list[float]] = {}
    for one in alone:
        if one.source != source or one.lag_bin < 0 or one.weak or one.trial == "new":
            continue
        guess = one.guess_sum / one.n
        if one.trial == "old" and named is not None:
            guess = named * guess / (1 - guess)
        sum_ = sums.setdefault((one.lag_bin, one.trial == "old"), [0, 0, 0, 0])
        for place, more in enumerate((one.n, one.right, one.lag_sum, guess * one.n)):
            sum_[place] += more
    return [Cell(int(n), int(right), lag / n, luck / n) for n, right, lag, luck in sums.values()]


def _posterior(cells: Sequence[Cell]) -> list[float]:
    logs = []
    for span in _SPANS:
        off = (log(span) - log(USUAL[0])) / USUAL[1]
        told = -off * off / 2
        for cell in cells:
            p = min(max(remembered(cell.lag, span, cell.luck), 1e-9), 1 - 1e-9)
            told += cell.right * log(p) + (cell.n - cell.right) * log(1 - p)
        logs.append(told)
    top = max(logs)
    return [exp(one - top) for one in logs]


def _quantiles(weights: Sequence[float], shares: Sequence[float]) -> list[float]:
    """Return the spans below which these shares of the weight lie, interpolated in log asks."""
    heaped = list(accumulate(weights))
    found = []
    for part in shares:
        goal = part * heaped[-1]
        place = bisect_left(heaped, goal)
        below = heaped[place - 1] if place else 0.0
        inside = (goal - below) / (heaped[place] - below) - 0.5
        ratio = (LONGEST / SHORTEST) ** (inside / (GRID - 1))
        found.append(_SPANS[place] * ratio)
    return found


def _point(alone: Sequence[Tally], label: str, first: int, last: int | None) -> LagPoint:
    bins = range(lag_bin(first), lag_bin(last if last is not None else 10**6) + 1)
    here = [o for o in alone if o.lag_bin in bins and not o.weak and o.trial != "new"]
    asked = [one for one in here if one.source == "question"]
    n = sum(one.n for one in here)
    luck = sum(one.guess_sum for one in here) / n if n else 0.0
    return LagPoint(label, share(asked), share(o for o in here if o.source == "play"), luck)
