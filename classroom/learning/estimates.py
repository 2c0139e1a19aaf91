"""Counts and shares that adults see, made by the same functions for all pages and files.

Only first answers without help count. Of a skill there are counts and no percentage: questions are
chosen to suit the child, so every child gets about the same share of them right (docs/learning.md).
Of remembering there is one from 10 answers on, without items that luck alone gets right half the
time.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from classroom.learning.intervals import wilson
from classroom.learning.tallies import Tally
from classroom.learning.windows import DayCount, SkillEvidence, window

SHARE_FROM: Final = 10  # answers before a share is shown
CHECK_AFTER: Final = 28  # days without evidence after which a skill or a level needs a new check


@dataclass(frozen=True, slots=True)
class Share:
    """A number of right answers out of `n`, with the range that may be shown.

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
    """The counts of one skill of one child; levels.py says what they mean, strand by strand.

    `n`, `right`: first answers without help since `since_day`. Counted separately: `aided_*`, with
    help; `weak_*`, to items that luck gets right half the time; `practice_n`; `skipped_n`. `all_*`:
    `n` and `right` of all time. `days`, `sessions`: days and rounds since `since_day`. `checks`:
    first answers after 1 to 6, 7 to 27,
    and 28 days away or more. `check_again`: there was an answer, but none for four weeks.
    """

    skill: str
    n: int
    right: int
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


def share(tallies: Iterable[Tally]) -> Share:
    """Add these tallies up into a Share."""
    some = tuple(tallies)
    return Share(sum(one.right for one in some), sum(one.n for one in some))
