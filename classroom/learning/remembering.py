"""What a child remembers of who asked for what: one estimate from play and questions together.

After h asks a child still remembers half. In play it takes a fact at the first opportunity with the
chance r + (1 - r) g, where r = u 2^(-lag / h) and g is luck. How much the child uses of what it
knows is u, which is not known either. A question is answered right with the same chance and u = 1.
The chance of each h of a grid, for each of USES, follows from the newest facts and answers by
Bayes' rule (docs/learning.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import accumulate
from math import exp, log
from typing import Final, NamedTuple

from classroom.learning.estimates import Share
from classroom.learning.evidence import Evidence

LATEST: Final = 60  # newest facts and answers that count ...
KEPT: Final = 100  # ... and that are kept, since a day of guessing may be left out later
SHORTEST, LONGEST = 0.25, 160.0  # asks; the ends of the grid of half-lives
GRID: Final = 48
USUAL: Final = (5.0, 1.2)  # before any answer: 5 asks, give or take a factor of about 10
USES: Final = ((1.0, 0.45), (0.75, 0.25), (0.5, 0.2), (0.3, 0.1))
"""How much of what it knows a child may use in play, and how likely that is before any answer."""
ENOUGH: Final = 10  # fewest facts and answers before a half-life is shown
NAMING: Final = 2.0  # plain guessing weighs as much as this many answers (_naming)
LESS, SURE = 2 / 3, 0.9  # clearly less: under this share of what others take, with this chance
STEPS: Final = 60  # how many values of that share are tried, from 0 to 1

_SPANS: Final = tuple(SHORTEST * (LONGEST / SHORTEST) ** (i / (GRID - 1)) for i in range(GRID))
_ASSUMED: Final = tuple(exp(-((log(h / USUAL[0]) / USUAL[1]) ** 2) / 2) for h in _SPANS)


class Recalled(NamedTuple):
    """A fact at its first chance in play, or a first answer about one, without help.

    `lag`: how many asks ago it was heard, 0 if there was nothing to remember. `luck`: the chance of
    being right by luck. `nobody`: whether "nobody" was an option; `mixed_up`: whether the child
    wrongly named somebody although "nobody" was offered. `overlap`: two seats had asked.
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
    """After how many asks a child still remembers half, with the likely (95 %) range, from `n`
    facts and answers."""

    n: int
    half: float
    low: float
    high: float


def recalled(row: Evidence) -> Recalled | None:
    """What a row says about remembering; None if it says nothing because there was help, or only
    two choices, or it was practice."""
    new, play = row.trial == "new", row.source != "question"
    if row.how != "alone" or row.weak or (play if new else row.lag_asks is None):
        return None
    lag = 0 if new else row.lag_asks or 0
    asked = (row.trial is not None, row.mixed_up, row.overlap) if not play else ()
    return Recalled(row.day, play, lag, row.guess_rate, row.right, *asked)


def memory_of(items: Sequence[Recalled]) -> Memory:
    """Estimate how far back a child remembers; below ENOUGH facts and answers it is not shown."""
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
            row[:] = (
                [p * (luck + part * r) for p, r in zip(row, left, strict=True)]
                if one.right
                else [p * (1 - luck - part * r) for p, r in zip(row, left, strict=True)]
            )
    sums = list(accumulate(map(sum, zip(*chances, strict=True))))
    low, half, high = (_quantile(sums, share * sums[-1]) for share in (0.025, 0.5, 0.975))
    return Memory(len(old), half, low, high)


@cache
def _left(lag: int) -> tuple[float, ...]:
    return tuple(2 ** (-lag / h) for h in _SPANS)


def _naming(items: Iterable[Recalled]) -> float:
    """How often the child names somebody when there is nothing to remember. While there are few
    such answers, the result is drawn towards plain guessing."""
    new = [one for one in items if not one.lag]
    plain = 1 - sum(one.luck for one in new) / len(new) if new else 0.75
    return (sum(not one.right for one in new) + NAMING * plain) / (len(new) + NAMING)


def _quantile(sums: Sequence[float], goal: float) -> float:
    place = next(at for at, total in enumerate(sums) if total >= goal)
    below = sums[place - 1] if place else 0.0
    inside = (goal - below) / (sums[place] - below) - 0.5
    return float(_SPANS[place] * (LONGEST / SHORTEST) ** (inside / (GRID - 1)))


# ---- counts


def shares(items: Sequence[Recalled]) -> dict[str, Share]:
    """Counts of the answers behind the estimate, by name: hits, false alarms, and questions about
    what one or two players had asked for."""
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


# ---- compared with the class


def takes_less(mine: Sequence[Share], others: Sequence[Share]) -> bool:
    """Whether a child takes less than LESS of what the others take of facts of the same age, with a
    certainty of 90 %. `mine`, `others`: what was taken, by age of the facts."""
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
