"""Windows: the recent days of a skill, from which its estimate is made.

A window can be made of all evidence at once or updated answer by answer. Both give the same
result, so a service can keep one for each child and skill and never read old evidence again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, NamedTuple

from classroom.learning.evidence import Evidence
from classroom.learning.tallies import CHECKS, Met, Tally, count, grouped

RECENT_DAYS: Final = 28  # how far back an estimate looks ...
RECENT_ITEMS: Final = 40  # ... or further, until it has this many answers


class DayCount(NamedTuple):
    """The first answers of one day. `n`, `right`: those without help, to items that luck alone gets
    right less than half the time; other answers are counted separately. `sessions`: rounds begun;
    `days`: 1, or more if days were merged."""

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

    @property
    def answers(self) -> int:
        """All questions and asks of the day, however they were answered."""
        return self.n + self.aided_n + self.weak_n + self.practice_n + self.skipped_n

    def plus(self, one: Tally) -> DayCount:
        """Return this count with the answers of one sort added."""
        changed = {"days": self.days + one.days, "sessions": self.sessions + one.sessions}
        kind = ("weak" if one.weak else "") if one.how == "alone" else one.how
        n = f"{kind}_n".removeprefix("_")
        changed[n] = getattr(self, n) + one.n
        right = f"{kind}_right".removeprefix("_")
        if right in self._fields:
            changed[right] = getattr(self, right) + one.right
        return self._replace(**changed)


@dataclass(frozen=True, slots=True)
class Window:
    """The days of one skill that an estimate or a signal can still need, oldest first.

    `ever`: `n` and `right` summed over all days so far; `checks`: the same for the first answer of
    a day after 1 to 6, 7 to 27, and 28 days away or more. `met`: when the skill was last met.
    """

    skill: str
    days: tuple[DayCount, ...] = ()
    ever: tuple[int, int] = (0, 0)
    checks: tuple[tuple[int, int], ...] = ((0, 0),) * len(CHECKS)
    met: Met | None = None

    @property
    def since(self) -> int | None:
        """The first day that counts, or None without evidence.

        The four weeks up to the newest day count, whatever was answered in them, and earlier days
        as far back as it takes to have 40 answers without help.
        """
        if not self.days:
            return None
        enough = recent_from([(one.day, one.n) for one in self.days if one.n])
        month = next(one.day for one in self.days if one.day > self.days[-1].day - RECENT_DAYS)
        return month if enough is None else min(enough, month)

    def counted(self, since: int) -> DayCount:
        """Merge the days from `since` on into one, which gets the date of the last."""
        days = [one for one in self.days if one.day >= since]
        _, *sums = map(sum, zip(*days, strict=True))
        return DayCount(days[-1].day, *sums)

    def plus(self, tallies: Iterable[Tally]) -> Window:
        """Return the window with tallies of its skill added, without days that no longer count."""
        days = {one.day: one for one in self.days}
        ever, checks = self.ever, list(self.checks)
        for one in tallies:
            days[one.day] = days.get(one.day, DayCount(one.day)).plus(one)
            if one.how == "alone" and not one.weak:
                ever = _both(ever, one)
                if one.check:
                    place = CHECKS.index(one.check)
                    checks[place] = _both(checks[place], one)
        more = replace(self, days=tuple(sorted(days.values())), ever=ever, checks=tuple(checks))
        return more._cut()

    def _cut(self) -> Window:
        month = self.days[-1].day - RECENT_DAYS + 1 if self.days else 0
        if not self.days or self.days[0].day >= month or (since := self.since) is None:
            return self
        return replace(self, days=tuple(d for d in self.days if d.day >= min(since, month)))

    def after(self, row: Evidence) -> tuple[Tally, Window]:
        """Return the tally of one more row, the newest, and the window that includes it."""
        one, met = count(row, self.met)
        return one, replace(self.plus((one,)), met=met)

    def to_json(self) -> dict[str, Any]:
        """Return the window as plain JSON values, without its skill."""
        return {
            "days": [[*one, 0, 0] for one in self.days],  # 0.2 reads two more
            "ever": list(self.ever),
            "checks": [list(one) for one in self.checks],
            "met": [self.met.day, self.met.round_id] if self.met else None,
            "beats": [],  # 0.2 reads it
        }

    @classmethod
    def from_json(cls, skill: str, data: Mapping[str, Any]) -> Window:
        """Parse the window of a skill."""
        n, right = data["ever"]
        return cls(
            skill,
            tuple(map(_day, data["days"])),
            (n, right),
            tuple((n, right) for n, right in data["checks"]),
            Met(*data["met"]) if data["met"] else None,
        )


# DayCount._make without its check of the length, which was a tenth of the work for a class's page:
# a class has some 15,000 of these.
_new: Callable[[Iterable[Any]], DayCount] = partial(tuple.__new__, DayCount)
_FIELDS: Final = len(DayCount._fields)


def _day(kept: list[Any]) -> DayCount:
    return _new(kept[:_FIELDS])


SkillEvidence = Sequence[Evidence] | Sequence[Tally] | Window
"""A child's evidence in a skill: rows, their tallies, or the window made of them."""


def window(evidence: SkillEvidence, skill: str | None = None) -> Window:
    """Return the window of one skill; `skill` may be left out if there is only one."""
    if isinstance(evidence, Window):
        return evidence
    tallies = [one for one in grouped(evidence) if skill in (None, one.skill)]
    return Window(skill or _only_skill(tallies)).plus(tallies)


def recent_from(counts: Sequence[tuple[int, int]], items: int = RECENT_ITEMS) -> int | None:
    """Return the first day that counts, from the number of answers on each day: four weeks before
    the newest, or as many days earlier as it takes to have `items` answers.

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
        if day < first and day <= last - RECENT_DAYS and n >= items:
            break
        first, n = day, n + more
    return first


def _both(sum_: tuple[int, int], one: Tally) -> tuple[int, int]:
    return sum_[0] + one.n, sum_[1] + one.right


def _only_skill(tallies: Sequence[Tally]) -> str:
    skills = {one.skill for one in tallies}
    if len(skills) != 1:
        raise ValueError(f"evidence of one skill is needed, not of {sorted(skills)}")
    return skills.pop()
