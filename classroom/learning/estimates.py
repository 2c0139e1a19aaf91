"""The counts and shares that adults see, made from a skill's recent days in the same way for every
page, and the estimate of how well a child remembers who asked for what."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import accumulate
from math import exp, log
from typing import Any, Final, NamedTuple

from classroom.learning.beliefs import cut, wilson
from classroom.learning.evidence import Evidence

# ---- Windows: the recent days of a skill, from which its estimate is made
#
# A window is updated with each answer, so a service can store a window for each child and skill and
# never read old evidence again.

RECENT_DAYS: Final = 28  # an estimate always uses the answers from this many days
RECENT_ITEMS: Final = 40  # an estimate uses earlier days too until it has this many answers
CHECKS: Final = (1, 7, 28)  # days after which a skill is asked about again


class Met(NamedTuple):
    """The day and round of a skill's newest row; they decide how the next row is counted."""

    day: int
    round_id: int | None


class DayCount(NamedTuple):
    """Counts of one day's first answers in a skill. `n`, `right`: answers without help, except to
    weak items. `weak_n`, `weak_right`: answers to weak items, which a guesser gets right half the
    time or more. `sessions`: rounds begun. `days`: 1, or more if days were merged."""

    day: int
    n: int = 0
    right: int = 0
    aided_n: int = 0
    aided_right: int = 0
    weak_n: int = 0
    weak_right: int = 0
    practice_n: int = 0
    skipped_n: int = 0
    days: int = 0
    sessions: int = 0

    def plus(self, row: Evidence, days: int, sessions: int) -> DayCount:
        """Return the counts with one more row. `days`, `sessions`: 1 if the row begins a new day or
        round, else 0."""
        changed = {"days": self.days + days, "sessions": self.sessions + sessions}
        kind = ("weak" if row.weak else "") if row.how == "alone" else row.how
        n = f"{kind}_n".removeprefix("_")
        changed[n] = getattr(self, n) + 1
        right = f"{kind}_right".removeprefix("_")
        if right in self._fields:
            changed[right] = getattr(self, right) + int(row.right)
        return self._replace(**changed)


@dataclass(frozen=True, slots=True)
class Window:
    """The days of one skill that an estimate or a signal may still need, oldest first. `ever`: `n`
    and `right` summed over all days so far. `checks`: the same sums for the first answers after 1
    to 6, 7 to 27, and at least 28 days without the skill. `met`: None before the first row."""

    skill: str
    days: tuple[DayCount, ...] = ()
    ever: tuple[int, int] = (0, 0)
    checks: tuple[tuple[int, int], ...] = ((0, 0),) * len(CHECKS)
    met: Met | None = None

    @property
    def since(self) -> int | None:
        """The first day that counts, or None without evidence. The four weeks that end with the
        newest day always count. Earlier days are added until there are 40 answers without help."""
        if not self.days:
            return None
        enough = recent_from([(one.day, one.n) for one in self.days if one.n])
        month = next(one.day for one in self.days if one.day > self.days[-1].day - RECENT_DAYS)
        return month if enough is None else min(enough, month)

    def counted(self, since: int) -> DayCount:
        """Merge all days from `since` on into one DayCount with the date of the last day."""
        days = [one for one in self.days if one.day >= since]
        _, *sums = map(sum, zip(*days, strict=True))
        return DayCount(days[-1].day, *sums)

    def after(self, row: Evidence) -> Window:
        """Return the window with a new row of its skill, but without days that no longer count."""
        away = None if self.met is None else row.day - self.met.day
        new_day = away is None or away > 0
        new_round = self.met is None or new_day or row.round_id != self.met.round_id
        days = {one.day: one for one in self.days}
        of_day = days.get(row.day, DayCount(row.day))
        days[row.day] = of_day.plus(row, int(new_day), int(new_round))
        ever, checks = self.ever, list(self.checks)
        if row.how == "alone" and not row.weak:
            ever = _with(ever, row)
            past = sum(away is not None and away >= one for one in CHECKS)
            if past:
                checks[past - 1] = _with(checks[past - 1], row)
        found, met = tuple(sorted(days.values())), Met(row.day, row.round_id)
        return replace(self, days=found, ever=ever, checks=tuple(checks), met=met)._cut()

    def _cut(self) -> Window:
        if self.days[0].day > self.days[-1].day - RECENT_DAYS or (since := self.since) is None:
            return self
        return replace(self, days=tuple(one for one in self.days if one.day >= since))

    def to_json(self) -> dict[str, Any]:
        """Return the window as plain JSON values, without its skill."""
        return {
            "days": [list(one) for one in self.days],
            "ever": list(self.ever),
            "checks": [list(one) for one in self.checks],
            "met": list(self.met) if self.met else None,
        }

    @classmethod
    def from_json(cls, skill: str, data: Mapping[str, Any]) -> Window:
        n, right = data["ever"]
        return cls(
            skill,
            tuple(map(_day, data["days"])),
            (n, right),
            tuple((n, right) for n, right in data["checks"]),
            Met(*data["met"]) if data["met"] else None,
        )


# Like DayCount._make, but without its length check. That check took a tenth of the time for a page
# about a class with some 15,000 of these values.
_day: Callable[[Iterable[Any]], DayCount] = partial(tuple.__new__, DayCount)


def recent_from(counts: Sequence[tuple[int, int]]) -> int | None:
    """Return the first day that counts, given pairs of a day and its number of answers. The four
    weeks up to the newest day always count. Earlier days are added, newest first, until there are
    at least RECENT_ITEMS answers.

    >>> recent_from([(0, 30), (1, 30), (50, 30)]), recent_from([(0, 30), (1, 5), (50, 30)])
    (1, 0)
    >>> recent_from(())
    """
    if not counts:
        return None
    earliest, last = min(counts)[0], max(counts)[0]
    if earliest > last - RECENT_DAYS:
        return earliest
    first, n = last, 0
    for day, more in sorted(counts, reverse=True):
        if day < first and day <= last - RECENT_DAYS and n >= RECENT_ITEMS:
            break
        first, n = day, n + more
    return first


def _with(sum_: tuple[int, int], row: Evidence) -> tuple[int, int]:
    return sum_[0] + 1, sum_[1] + int(row.right)


# ---- Counts and shares that adults see, made by the same functions for all pages and files
#
# Only first answers without help count. For a skill, adults see counts and no percentage: questions
# are chosen to suit the child, so every child gets about the same share of them right
# (docs/learning.md). For remembering, adults see a percentage from 10 answers on. It leaves out
# items that a guesser gets right half the time.

SHARE_FROM: Final = 10  # the fewest answers for which a share is shown
CHECK_AFTER: Final = 28  # days without evidence after which a skill or a level needs a new check


@dataclass(frozen=True, slots=True)
class Share:
    """The number of right answers out of `n`, with the likely range of the share.

    >>> Share(16, 20).enough, Share(7, 9).low
    (True, None)
    """

    right: int
    n: int

    @property
    def enough(self) -> bool:
        """Whether a share and its range may be shown."""
        return self.n >= SHARE_FROM

    @property
    def low(self) -> float | None:
        """The lower end of the likely range, or None below 10 answers."""
        return wilson(self.right, self.n)[0] if self.enough else None

    @property
    def high(self) -> float | None:
        """The upper end of the likely range, or None below 10 answers."""
        return wilson(self.right, self.n)[1] if self.enough else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """The counts of one skill of one child; levels.py draws conclusions for whole strands.
    `counts`: the sum of all days from `since_day` on. `ever`, `checks`: as in Window.
    `check_again`: whether there was an answer without help, but none for four weeks."""

    skill: str
    counts: DayCount
    ever: Share
    since_day: int | None
    last_day: int | None
    checks: tuple[Share, Share, Share]
    check_again: bool


def estimate(counted: Window, day: int) -> Estimate:
    """Sum up one skill as of a day. All answers of the four weeks up to the newest answer are
    used. Whole earlier days are added until there are 40 answers. The choice of days depends on the
    number of answers, never on whether they were right."""
    since = counted.since
    now = DayCount(day) if since is None else counted.counted(since)
    newest = max((one.day for one in counted.days if one.n), default=None)
    sums = (counted.ever, *counted.checks)
    ever, one, week, month = (Share(hits, tries) for tries, hits in sums)
    return Estimate(
        skill=counted.skill,
        counts=now,
        ever=ever,
        since_day=since,
        last_day=counted.days[-1].day if counted.days else None,
        checks=(one, week, month),
        check_again=newest is not None and day - newest >= CHECK_AFTER,
    )


# ---- How well a child remembers who asked for what: one estimate from play and questions together
#
# After h asks (the half-life) a child remembers a fact half the time. In play, the probability that
# the child takes a fact at the first chance is r + (1 - r) g, where r = u 2^(-lag / h), g is luck
# and u is the share of remembered facts that the child uses; u is unknown too. The probability of a
# right answer to a question is the same with u = 1. Bayes' rule gives the probability of each h on
# a grid, for each of USES, from the newest facts and answers (docs/learning.md).

LATEST: Final = 60  # how many of the newest facts and answers count
KEPT_FACTS: Final = 100  # more than LATEST, because a day of guessing may be dropped later
SHORTEST, LONGEST = 0.25, 160.0  # asks; the ends of the grid of half-lives
GRID: Final = 48
USUAL: Final = (5.0, 1.2)  # half-life before any answer: median, and standard deviation of its log
USES: Final = ((1.0, 0.45), (0.75, 0.25), (0.5, 0.2), (0.3, 0.1))
"""The possible values of u, and the probability of each before any answer."""
ENOUGH: Final = 10  # the fewest facts and answers for which a half-life is shown
NAMING: Final = 2.0  # plain guessing has the weight of this many answers (_naming)
LESS, SURE = 2 / 3, 0.9  # the limits in `takes_less`: share of the others' catches, certainty
STEPS: Final = 60  # how many shares between 0 and 1 `takes_less` tries

_SPANS: Final = tuple(SHORTEST * (LONGEST / SHORTEST) ** (i / (GRID - 1)) for i in range(GRID))
_ASSUMED: Final = tuple(exp(-((log(h / USUAL[0]) / USUAL[1]) ** 2) / 2) for h in _SPANS)


class Recalled(NamedTuple):
    """A fact at the first chance to use it, or a first answer to a recall question, without help.

    `lag`: how many asks ago the fact was heard; 0 if there was nothing to remember. `luck`: how
    likely a guess is right. `nobody`: whether "nobody" was an option. `mixed_up`: whether the child
    wrongly named somebody although "nobody" was offered. `overlap`: as in Evidence.
    """

    day: int
    play: bool
    lag: int
    luck: float
    right: bool
    nobody: bool = False
    mixed_up: bool = False
    overlap: bool = False


class Memory(NamedTuple):
    """A child's half-life in asks, with its 95 % range. `n`: the number of facts and answers."""

    n: int
    half: float
    low: float
    high: float


def recalled(row: Evidence) -> Recalled | None:
    """Return what the row shows about memory: a fact or an answer. None if the row has none, if the
    child had help or only two choices, or if the row was practice."""
    new, play = row.trial == "new", row.source != "question"
    if row.how != "alone" or row.weak or (play if new else row.lag_asks is None):
        return None
    lag = 0 if new else row.lag_asks or 0
    asked = (row.trial is not None, row.mixed_up, row.overlap) if not play else ()
    return Recalled(row.day, play, lag, row.guess_rate, row.right, *asked)


def memory_of(items: Sequence[Recalled]) -> Memory:
    """Estimate how far back a child remembers. Pages show it from ENOUGH facts and answers on."""
    newest = items[-LATEST:]
    old = [one for one in newest if one.lag]
    naming, use = _naming(newest), [u for u, _ in USES]
    chances = [[share * p for p in _ASSUMED] for _, share in USES]
    for one in old:
        left, luck = _left(one.lag), one.luck
        if one.nobody:  # a guess can be right only if it names somebody
            luck *= naming / (1 - luck)
        for u, row in zip(use, chances, strict=True):
            part = (1 - luck) * (u if one.play else 1.0)
            pairs = zip(row, left, strict=True)
            if one.right:
                row[:] = [p * (luck + part * r) for p, r in pairs]
            else:
                row[:] = [p * (1 - luck - part * r) for p, r in pairs]
    sums = list(accumulate(map(sum, zip(*chances, strict=True))))
    cuts = (cut(sums, share) for share in (0.025, 0.5, 0.975))
    ratio = LONGEST / SHORTEST
    low, half, high = (_SPANS[at] * ratio ** (way / (GRID - 1)) for at, way in cuts)
    return Memory(len(old), half, low, high)


@cache
def _left(lag: int) -> tuple[float, ...]:
    return tuple(2 ** (-lag / h) for h in _SPANS)


def _naming(items: Iterable[Recalled]) -> float:
    """Return how often the child names somebody when there is nothing to remember. If there are few
    such answers, the result stays close to the rate of plain guessing."""
    new = [one for one in items if not one.lag]
    plain = 1 - sum(one.luck for one in new) / len(new) if new else 0.75
    return (sum(not one.right for one in new) + NAMING * plain) / (len(new) + NAMING)


def shares(items: Sequence[Recalled]) -> dict[str, Share]:
    """Count the answers behind the estimate, by name: hits, false alarms, and questions about
    classes that one player or two had asked for."""
    asked = [one for one in items[-LATEST:] if not one.play]
    old, new = [one for one in asked if one.lag], [one for one in asked if not one.lag]
    hits = [one for one in old if one.nobody]
    return {
        "questions: hits": _share(hits),
        "questions: named somebody else": Share(sum(o.mixed_up for o in hits), len(hits)),
        "questions: false alarms": Share(sum(not o.right for o in new), len(new)),
        "questions: asked for by one": _share([one for one in old if not one.overlap]),
        "questions: asked for by two": _share([one for one in old if one.overlap]),
    }


def _share(items: Sequence[Recalled]) -> Share:
    return Share(sum(one.right for one in items), len(items))


def takes_less(mine: Sequence[Share], others: Sequence[Share]) -> bool:
    """Whether it is 90 % certain that a child takes less than two thirds of the catches that other
    children take. `mine`, `others`: the shares of facts that were taken, by age of the facts."""
    usual = [(share.right + 1) / (share.n + 2) for share in others]
    below = total = 0.0
    for step in range(1, STEPS + 1):
        part = step / STEPS
        chance = 1.0
        for share, p in zip(mine, usual, strict=True):
            chance *= (part * p) ** share.right * (1 - part * p) ** (share.n - share.right)
        total += chance
        below += chance if part < LESS else 0.0
    return below >= SURE * total
