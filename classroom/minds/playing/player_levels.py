"""How well computer players play: the named levels, from minnow to dolphin, and "like me".

"Like me" is a level for one child. It begins at the child's measured recall and follows the child's
results from round to round, until the child wins its fair share: one round in four at a table of
four. The level is a single number, the half-life of an ask in memory, which is part of its key.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from classroom.minds.playing.forgetting import Fading


@dataclass(frozen=True, slots=True)
class PlayerLevel:
    """How well a computer player remembers (docs/rules.md M2).

    `span`: asks kept in mind (None: all). `decay`: chance of forgetting one at every later ask.
    `blur`: chance that a forgotten one is kept with the wrong asker instead. `slip`: chance of
    asking for a favourite instead of thinking.
    """

    key: str
    name: str
    sentence: str
    span: int | None = None
    decay: float = 0.0
    blur: float = 0.0
    slip: float = 0.0

    @property
    def fading(self) -> Fading:
        """How its memory fades."""
        return Fading(self.span, self.decay, self.blur)

    @property
    def perfect(self) -> bool:
        """Whether it forgets nothing."""
        return self.span is None and self.decay == 0


_ALL: Final = (
    PlayerLevel(
        key="minnow",
        name="Minnow",
        sentence="Remembers the last two asks.",
        span=2,
        decay=0.30,
        blur=0.2,
        slip=0.20,
    ),
    PlayerLevel(
        key="perch",
        name="Perch",
        sentence="Remembers about four asks.",
        span=4,
        decay=0.10,
        blur=0.2,
        slip=0.08,
    ),
    PlayerLevel(
        key="pike",
        name="Pike",
        sentence="Remembers most of what was asked.",
        span=9,
        decay=0.03,
        blur=0.1,
        slip=0.02,
    ),
    PlayerLevel(key="dolphin", name="Dolphin", sentence="Remembers everything."),
)

LEVELS: Final[dict[str, PlayerLevel]] = {level.key: level for level in _ALL}
"""The named levels, weakest first. Adults can choose minnow, perch and pike."""

LIKE_ME: Final = "like_me"
SHORTEST, LONGEST = 1 / 32, 160.0  # in asks: the limits of the half-life of "like me"
NEVER_FORGETS: Final = 48.0  # in asks: a player with this half-life or more forgets nothing
UNKNOWN: Final = 2.0  # in asks: the half-life to start from if a child's recall is not measured
STEP: Final = 0.75  # octaves that the half-life moves for each win above or below the fair share


@dataclass(frozen=True, slots=True)
class Result:
    """How a round with `seats` players ended for the child.

    `won`: 1 for winning alone, 1/k for being one of k winners, 0 for not winning.
    """

    seats: int
    won: float


def like_me(
    results: Iterable[Result] = (), half: float | None = None, low: float | None = None
) -> PlayerLevel:
    """The level at which a child wins about as often as the others at the table.

    `half`: after how many asks the child still remembers half, None if that is not measured yet;
    `low`: the lower end of the likely range. The wider the range, the easier the start. `results`:
    all rounds that the child has played at this level, oldest first.

    The level moves only by what is won above or below the fair share. So over n rounds the child's
    share of wins differs from the fair one by at most (octaves between first and last level) / (n
    STEP), unless the half-life reached its shortest or longest.

    >>> like_me().key, like_me([Result(4, 1)]).key, like_me(half=8, low=2).key
    ('like_me 2', 'like_me 2.95', 'like_me 4')
    """
    start = UNKNOWN if half is None else (half * (half if low is None else low)) ** 0.5
    reached = _bounded(start)
    for result in results:
        reached = _bounded(reached * 2 ** (STEP * (result.won - 1 / result.seats)))
    return level_of(f"{LIKE_ME} {reached:.3g}")


def going_on(key: str, results: Iterable[Result]) -> PlayerLevel:
    """The "like me" level after these results, starting from the level with this key.

    >>> going_on("like_me 2", [Result(4, 1)]).key
    'like_me 2.95'
    """
    return like_me(results, half=float(key.removeprefix(LIKE_ME)))


def level_of(key: str) -> PlayerLevel:
    """The level with this key: a named one, or any that `like_me` gave. Raises KeyError for others.

    >>> level_of("minnow").span, level_of(like_me().key) == like_me()
    (2, True)
    """
    name, _, half_life = key.partition(" ")
    if name != LIKE_ME:
        return LEVELS[key]
    try:
        return _remembering(key, _bounded(float(half_life)))
    except ValueError:
        raise KeyError(key) from None


def _remembering(key: str, half_life: float) -> PlayerLevel:
    """The level with this half-life in asks; the shorter it is, the more often a player slips."""
    forgets = half_life < NEVER_FORGETS
    return PlayerLevel(
        key=key,
        name="Like me",
        sentence="Plays about as well as you do.",
        decay=1 - 2 ** (-1 / half_life) if forgets else 0.0,
        blur=0.1 if forgets else 0.0,
        slip=2**-half_life,
    )


def _bounded(half_life: float) -> float:
    return min(max(half_life, SHORTEST), LONGEST)
