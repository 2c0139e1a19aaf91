"""How able a child is and how hard an item is: a rating after every first answer (Elo).

p = g + (1 - g) / (1 + e^-(ability - difficulty)), steps that shrink with the number
of answers seen. A child's ability in a skill is a general part, shared by the skills of an area,
and a part of its own, so that a new skill does not begin from nothing. Ratings choose the next
question and are never shown: what adults see is counted (estimates.py).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import exp
from typing import Final

AIM: Final = 0.755  # predicted success aimed at; measured, 75 to 80 % come of it (tools/proof.py)
STEP: Final = 0.8  # first step of a skill's own part
FADE: Final = 0.05  # how fast the steps shrink
GENERAL_STEP: Final = 0.3  # step of the general part; it does not shrink: children grow
ITEM_STEP: Final = 1.0  # first step of an item's difficulty


def chance(ability: float, difficulty: float, luck: float = 0.0) -> float:
    """Chance of a right first answer.

    >>> chance(0.0, 0.0), chance(0.0, 0.0, 0.25)
    (0.5, 0.625)
    """
    return luck + (1 - luck) / (1 + exp(difficulty - ability))


def step(first: float, seen: int) -> float:
    """How much one answer moves a rating after `seen` others: first / (1 + FADE seen)."""
    return first / (1 + FADE * seen)


@dataclass(frozen=True, slots=True)
class Rating:
    """A level in logits and the number of answers behind it."""

    level: float = 0.0
    seen: int = 0

    def moved(self, by: float) -> Rating:
        """The rating after one more answer."""
        return replace(self, level=self.level + by, seen=self.seen + 1)


@dataclass(frozen=True, slots=True)
class Ability:
    """What a child can do in one skill: the general part of its area and the skill's own."""

    general: Rating = Rating()
    own: Rating = Rating()

    @property
    def level(self) -> float:
        """Both parts together, in logits."""
        return self.general.level + self.own.level

    def after(self, right: bool, difficulty: float, luck: float = 0.0) -> Ability:
        """The ability after a first answer to an item of that difficulty.

        With luck in play a right answer says less, so it moves less than in the plain formula:
        both steps are scaled by the share of the chance that is not luck.
        """
        expected = chance(self.level, difficulty, luck)
        surprise = (float(right) - expected) * _told(expected, luck)
        return Ability(
            self.general.moved(GENERAL_STEP * surprise),
            self.own.moved(step(STEP, self.own.seen) * surprise),
        )


def _told(expected: float, luck: float) -> float:
    """How much an answer tells about ability: 1 without luck, less near pure luck."""
    return (expected - luck) / (expected * (1 - luck)) if luck else 1.0


def harder(item: Rating, right: bool, ability: float, luck: float = 0.0) -> Rating:
    """The difficulty of an item after a child of that ability answered it."""
    surprise = float(right) - chance(ability, item.level, luck)
    return item.moved(-step(ITEM_STEP, item.seen) * surprise)
