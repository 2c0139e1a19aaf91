"""Ratings of how able a child is, updated after every first answer without help (Elo).

p = g + (1 - g) / (1 + e^-(ability - difficulty)), where g is luck. A child's ability in a skill is
a general part, shared by the skills of a strand, plus the skill's own part, whose steps shrink as
answers add up; so a new skill does not begin at zero. Ratings choose the next question and are
never shown; adults see counts and levels (estimates.py, levels.py).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import exp
from typing import Final

AIM: Final = 0.755  # wanted chance of success; in simulations 75 to 80 % are right (tools/proof)
STEP: Final = 0.5  # first step of a skill's own part
FADE: Final = 0.05  # how fast these steps shrink
GENERAL_STEP: Final = 3.0  # first step of the general part: nothing is known about it at first
GENERAL_FADE: Final = 0.4  # how fast these steps shrink as answers make it known ...
GENERAL_LEAST: Final = 0.3  # ... but not below this: children grow


def chance(ability: float, difficulty: float, luck: float = 0.0) -> float:
    """Return the chance of a right first answer.

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


def step(first: float, answers: int, fade: float = FADE) -> float:
    """Return how far an answer moves a rating after `answers` others; `first`: the first step."""
    return first / (1 + fade * answers)


def general_step(answers: int) -> float:
    """Return how far an answer moves the general part of a rating after `answers` others."""
    return max(step(GENERAL_STEP, answers, GENERAL_FADE), GENERAL_LEAST)


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
    """What a child can do in one skill: the general part of its strand and the skill's own."""

    general: Rating = Rating()
    own: Rating = Rating()

    @property
    def level(self) -> float:
        """Both parts together, in logits."""
        return self.general.level + self.own.level

    def after(self, right: bool, difficulty: float, luck: float = 0.0) -> Ability:
        """Return the ability after a first answer to an item of this difficulty.

        If the item can be guessed, a right answer says less, so it moves the ability less than in
        the plain formula: both steps are scaled by the share of the chance that is not luck.
        """
        expected = chance(self.level, difficulty, luck)
        surprise = (float(right) - expected) * _knowledge_share(expected, luck)
        return Ability(
            self.general.moved(general_step(self.general.answers) * surprise),
            self.own.moved(step(STEP, self.own.answers) * surprise),
        )


def _knowledge_share(expected: float, luck: float) -> float:
    """Return how much an answer says about ability: 1 without luck, less near pure luck."""
    return (expected - luck) / (expected * (1 - luck)) if luck else 1.0
