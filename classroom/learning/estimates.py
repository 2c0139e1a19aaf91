"""Counts and shares that adults see, made by the same functions for all pages and files.

Only first answers without help count. A share is made only of items of the set form, which were
drawn at random: the others were chosen to suit the child, so their share is about the same for
every child (docs/learning.md). There is no percentage below 10 answers, and no share includes items
that luck alone gets right half the time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from classroom.learning.evidence import Evidence, How
from classroom.learning.intervals import wilson
from classroom.learning.tallies import Tally, grouped
from classroom.learning.windows import DayCount, SkillEvidence, window

SHARE_FROM: Final = 10  # answers before a percentage is shown
CHECK_AFTER: Final = 28  # days without evidence after which a skill or a level needs a new check


@dataclass(frozen=True, slots=True)
class Share:
    """A number of right answers out of `n`, with the percentage and range that may be shown.

    >>> Share(14, 18).percent, Share(7, 9).percent
    (78, None)
    """

    right: int
    n: int

    @property
    def enough(self) -> bool:
        """Whether a percentage may be shown."""
        return self.n >= SHARE_FROM

    @property
    def percent(self) -> int | None:
        """The share in per cent, or None below 10 answers."""
        return round(100 * self.right / self.n) if self.enough else None

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
    """The counts of one skill of one child; levels.py says what they mean, strand by strand.

    `n`, `right`: first answers without help since `since_day`; `form`: those of them to items of
    the set form. Counted separately: `aided_*`, with help; `weak_*`, to items that luck gets right
    half the time; `practice_n`; `skipped_n`. `all_*`: `n` and `right` of all time. `days`,
    `sessions`: days and rounds since `since_day`. `checks`: first answers after 1 to 6, 7 to 27,
    and 28 days away or more. `check_again`: there was an answer, but none for four weeks.
    """

    skill: str
    n: int
    right: int
    form: Share
    aided_n: int
    aided_right: int
    weak_n: int
    weak_right: int
    practice_n: int
    skipped_n: int
    all_n: int
    all_right: int
    days: int
    sessions: int
    since_day: int | None
    last_day: int | None
    checks: tuple[Share, Share, Share]
    check_again: bool


def estimate(evidence: SkillEvidence, day: int, skill: str | None = None) -> Estimate:
    """Count one skill as of a day. `skill` may be left out if there is only one.

    The four weeks up to the newest answer are used, and older days, always whole ones, only until
    there are 40 answers. Which days are used depends on how many answers there are, never on
    whether they were right.
    """
    counted = window(evidence, skill)
    since = counted.since
    now = DayCount(day) if since is None else counted.counted(since)
    newest = max((one.day for one in counted.days if one.n), default=None)
    one, week, month = (Share(hits, tries) for tries, hits in counted.checks)
    return Estimate(
        skill=counted.skill,
        n=now.n,
        right=now.right,
        form=Share(now.form_right, now.form_n),
        aided_n=now.aided_n,
        aided_right=now.aided_right,
        weak_n=now.weak_n,
        weak_right=now.weak_right,
        practice_n=now.practice_n,
        skipped_n=now.skipped_n,
        all_n=counted.ever[0],
        all_right=counted.ever[1],
        days=now.days,
        sessions=now.sessions,
        since_day=since,
        last_day=counted.days[-1].day if counted.days else None,
        checks=(one, week, month),
        check_again=newest is not None and day - newest >= CHECK_AFTER,
    )


@dataclass(frozen=True, slots=True)
class Week:
    """The first answers of one week. `week`: its number by `week_of`; `first_day`: its Monday.

    `alone`: those without help to items of the set form; `aided`: those with help, to any.
    """

    week: int
    first_day: int
    alone: Share
    aided: Share


def trend(evidence: Sequence[Evidence] | Sequence[Tally]) -> tuple[Week, ...]:
    """Compute the shares week by week, oldest first; weeks without answers are left out."""
    weeks: dict[int, list[Tally]] = {}
    for one in grouped(evidence):
        weeks.setdefault(week_of(one.day), []).append(one)
    return tuple(
        Week(
            week,
            7 * week - 3,
            share(one for one in weeks[week] if _decides(one)),
            share(_how(weeks[week], "aided")),
        )
        for week in sorted(weeks)
    )


def week_of(day: int) -> int:
    """Return the number of a day's week; weeks begin on Monday (day 0, 1970-01-01, was a Thursday).

    >>> week_of(3), week_of(4), week_of(10), week_of(11)
    (0, 1, 1, 2)
    """
    return (day + 3) // 7


def share(tallies: Iterable[Tally]) -> Share:
    """Add these tallies up into a Share."""
    n, right = _sum(tallies)
    return Share(right, n)


def _decides(one: Tally) -> bool:
    return one.how == "alone" and one.form and not one.weak


def _how(tallies: Iterable[Tally], how: How) -> list[Tally]:
    return [one for one in tallies if one.how == how]


def _sum(tallies: Iterable[Tally]) -> tuple[int, int]:
    counts = [(one.n, one.right) for one in tallies]
    return sum(n for n, _ in counts), sum(right for _, right in counts)
