"""Estimates of a child's level from the child's answers: beliefs, ratings and likely ranges."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from math import ceil, exp, sqrt
from typing import Final

# ---- Beliefs: the probability of each level on a grid (in logits), given a child's answers
#
# The probability of a right answer is g + (1 - g - s) / (1 + e^-(level - difficulty)). Here g is
# luck, and s is how often the child gets a known item wrong. This is the Rasch model with a floor
# and a ceiling. Carelessness shows in a child's answers too, so a belief has a probability for each
# pair of a level and one of SLIPS. The probability of a level is the sum over SLIPS.

STEP: Final = 0.2  # logits between the levels of the grid
LOWEST, HIGHEST = -8.0, 9.0  # logits; the ends of the grid
GRID: Final = tuple(LOWEST + STEP * i for i in range(round((HIGHEST - LOWEST) / STEP) + 1))
MIDDLE, SPREAD = 0.0, 3.0  # logits; mean and standard deviation of the level before any answer
SLIPS: Final = (0.0, 0.08)  # how often a careful and a careless child get a known item wrong
CARELESS: Final = 0.15  # the probability, before any answer, that a child is careless
PLACES: Final = 9  # decimal places of a stored probability

Belief = tuple[float, ...]  # a probability for each level in GRID, for each of SLIPS

_STATES: Final = tuple((exp(-level), slip) for slip in SLIPS for level in GRID)


def updated(belief: Belief, right: bool, difficulty: float, luck: float) -> Belief:
    """Return the belief after a first answer to an item of this difficulty (Bayes' rule)."""
    pairs = zip(belief, _chances(difficulty, luck), strict=True)
    return _normal([p * c if right else p * (1 - c) for p, c in pairs])


def _chances(difficulty: float, luck: float) -> list[float]:
    """The probability of a right first answer in each of _STATES."""
    hard, free = exp(difficulty), 1 - luck
    return [luck + (free - slip) / (1 + hard * e) for e, slip in _STATES]


def predicted(belief: Belief, difficulty: float, luck: float) -> float:
    """Return the probability of a right first answer to an item of this difficulty."""
    pairs = zip(belief, _chances(difficulty, luck), strict=True)
    return sum([p * c for p, c in pairs]) / sum(belief)


def widened(belief: Belief, variance: float, leap: float = 0.0) -> Belief:
    """Return the belief about a level that has since changed at random, with this variance. `leap`:
    the probability that it has changed altogether, so that no level is ruled out for good."""
    if variance <= 0:
        return belief
    times = ceil(variance / (0.5 * STEP**2))  # a pass moves at most 1/4 of a probability each way
    share = variance / times / STEP**2 / 2
    new: list[float] = []
    for part in (belief[: len(GRID)], belief[len(GRID) :]):
        one = list(part)
        for _ in range(times):
            below, above = [one[0], *one[:-1]], [*one[1:], one[-1]]
            one = [p + share * (b - 2 * p + a) for b, p, a in zip(below, one, above, strict=True)]
        new += one
    return _normal([(1 - leap) * p + leap * q for p, q in zip(new, NOTHING_KNOWN, strict=True)])


def of_levels(belief: Belief) -> list[float]:
    """Return the probability of each level in GRID, summed over SLIPS."""
    return [a + b for a, b in zip(belief[: len(GRID)], belief[len(GRID) :], strict=True)]


def to_json(belief: Belief) -> tuple[list[float], list[float]]:
    """Return two lists for JSON: each level's probability, and its part for a careless child."""
    return [round(p, PLACES) for p in of_levels(belief)], list(belief[len(GRID) :])


def from_json(levels: Sequence[float], careless: Sequence[float]) -> Belief:
    """Parse a belief from the two lists that `to_json` returns."""
    pairs = zip(levels, careless, strict=True)
    return (*[round(p - c, PLACES) for p, c in pairs], *careless)


def quantiles(belief: Belief, shares: Iterable[float]) -> tuple[float, ...]:
    """For each share, return the level (in logits) that the child's true level is below with that
    probability."""
    sums = list(accumulate(of_levels(belief)))
    return tuple(GRID[at] + STEP * way for at, way in (cut(sums, share) for share in shares))


def cut(sums: Sequence[float], share: float) -> tuple[int, float]:
    """Return where running sums reach a share of their total: the index in the grid, and the
    distance from the middle of that grid step, from -0.5 to 0.5 of a step."""
    goal = share * sums[-1]
    place = next(at for at, total in enumerate(sums) if total >= goal)
    below = sums[place - 1] if place else 0.0
    return place, (goal - below) / (sums[place] - below) - 0.5


def moments(belief: Belief) -> tuple[float, float]:
    """Return the mean and the variance of a belief, in logits and square logits."""
    chances, total = of_levels(belief), sum(belief)
    mean = sum(p * level for p, level in zip(chances, GRID, strict=True)) / total
    square = sum(p * level * level for p, level in zip(chances, GRID, strict=True)) / total
    return mean, max(square - mean * mean, 0.0)


def _normal(weights: list[float]) -> Belief:
    total = sum(weights)
    return tuple([round(weight / total, PLACES) for weight in weights])


NOTHING_KNOWN: Final = _normal(
    [
        share * exp(-(((level - MIDDLE) / SPREAD) ** 2) / 2)
        for share in (1 - CARELESS, CARELESS)
        for level in GRID
    ]
)


# ---- Ratings of how able a child is, updated after every first answer without help (Elo)
#
# p = g + (1 - g) / (1 + e^-(ability - difficulty)), where g is luck. A child's ability in a skill
# is a general part, shared by the skills in a strand, plus the skill's own part, so a new skill
# does not begin at zero. Each answer moves both parts by a step, and the steps shrink with the
# number of answers. Ratings are used to choose the next question and are never shown on a page.

AIM: Final = 0.755  # intended chance of success; simulated children reach 75 to 80 % (tools/proof)
RATING_STEP: Final = 0.5  # first step of a skill's own part
RATING_FADE: Final = 0.05  # how fast the steps of a skill's own part shrink
GENERAL_STEP: Final = 3.0  # first step of the general part; large, because nothing is known yet
GENERAL_FADE: Final = 0.4  # how fast the steps of the general part shrink
GENERAL_LEAST: Final = 0.3  # the smallest step of the general part; not 0, because children grow


def chance(ability: float, difficulty: float, luck: float = 0.0) -> float:
    """Return the probability of a right first answer.

    >>> chance(0.0, 0.0), chance(0.0, 0.0, 0.25)
    (0.5, 0.625)
    """
    return luck + (1 - luck) / (1 + exp(difficulty - ability))


def information(ability: float, difficulty: float, luck: float = 0.0) -> float:
    """Return how much an answer says about the ability: Fisher's information, per square logit.

    >>> information(0.0, 0.0), round(information(0.5, 0.0, 0.25), 3)
    (0.25, 0.153)
    """
    known = chance(ability, difficulty)
    return (1 - luck) * known**2 * (1 - known) / chance(ability, difficulty, luck)


def rating_step(first: float, answers: int, fade: float = RATING_FADE) -> float:
    """Return the step of a rating after `answers` earlier answers. `first`: the first step."""
    return first / (1 + fade * answers)


def general_step(answers: int) -> float:
    """Return the step of the general part of a rating after `answers` earlier answers."""
    return max(rating_step(GENERAL_STEP, answers, GENERAL_FADE), GENERAL_LEAST)


@dataclass(frozen=True, slots=True)
class Rating:
    """A level in logits and the number of answers behind it."""

    level: float = 0.0
    answers: int = 0

    def moved(self, by: float) -> Rating:
        """Return the rating moved by this much, with one more answer behind it."""
        return replace(self, level=self.level + by, answers=self.answers + 1)


@dataclass(frozen=True, slots=True)
class Ability:
    """A child's ability in one skill: the strand's general rating plus the skill's own rating."""

    general: Rating = Rating()
    own: Rating = Rating()

    @property
    def level(self) -> float:
        return self.general.level + self.own.level

    def after(self, right: bool, difficulty: float, luck: float = 0.0) -> Ability:
        """Return the ability after a first answer to an item of this difficulty. Both steps are
        multiplied by the probability that a right answer comes from knowledge, so an answer to an
        item that can be guessed moves the ability less than in Elo's formula."""
        expected = chance(self.level, difficulty, luck)
        known = (expected - luck) / (expected * (1 - luck)) if luck else 1.0
        surprise = (float(right) - expected) * known
        return Ability(
            self.general.moved(general_step(self.general.answers) * surprise),
            self.own.moved(rating_step(RATING_STEP, self.own.answers) * surprise),
        )


# ---- Likely ranges of a share (docs/learning.md)

Z95: Final = 1.959964  # two-sided 95 % point of the normal distribution


def wilson(right: float, n: float) -> tuple[float, float]:
    """Return the Wilson score interval of the share `right` / `n`, as fractions from 0 to 1.

    `right` and `n` need not be whole numbers. Without answers the range is from 0 to 1.

    >>> [round(100 * end) for end in wilson(8, 10)]
    [49, 94]
    >>> wilson(0, 0)
    (0.0, 1.0)
    """
    if n <= 0:
        return 0.0, 1.0
    z = Z95
    middle = right + z * z / 2
    spread = z * sqrt(right * (n - right) / n + z * z / 4)
    low = 0.0 if right <= 0 else (middle - spread) / (n + z * z)
    high = 1.0 if right >= n else (middle + spread) / (n + z * z)
    return low, high
