"""A bank of questions from real tables, so that many children can be asked quickly.

The questions of a skill, an age and an ability are made by the app from the views of whole random
rounds, once; a child then gets one of these at random. Difficulties, luck, numbers and options are
those of the app.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from random import Random
from typing import Final, NamedTuple

from classroom.engine.observation import Observation
from classroom.learning.evidence import Evidence, from_answer
from classroom.learning.questions import Question, make
from classroom.learning.skills import SKILLS, Bounds, Strand, bounds_at
from tools.luck import TABLES, views

ROUNDS: Final = 4  # random rounds of each game, whose views are used
VIEWS: Final = 12  # views of each round, one of them at its end
ITEMS: Final = 24  # questions of one skill, age and ability
BIN: Final = 0.5  # logits; abilities within one bin get the same questions
LOWEST, HIGHEST = -6.0, 5.0  # logits; abilities beyond are treated as these


class Item(NamedTuple):
    """A question, and the evidence of a right and of a wrong answer to it."""

    question: Question
    right: Evidence
    wrong: Evidence

    def row(self, right: bool, day: int, at: float) -> Evidence:
        """Return the evidence of an answer on a day."""
        return replace(self.right if right else self.wrong, day=day, at=at)


@cache
def pool() -> Sequence[Observation]:
    """Return views of random rounds of several games."""
    found = []
    for game in sorted(set(TABLES)):
        for number in range(ROUNDS):
            rng = Random(f"bank {game} {number}")
            every = list(views(game, rng))
            found += [*rng.sample(every, min(VIEWS - 1, len(every))), every[-1]]
    return found


@dataclass(slots=True)
class Bank:
    """The questions for children of one age, about all strands or about one."""

    band: str
    strand: Strand | None = None
    bounds: Bounds = field(init=False)
    _made: dict[tuple[str, float], list[Item]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Take the usual bounds at this age."""
        usual = bounds_at(self.band)
        of = frozenset(k for k in usual.skills if self.strand in (None, SKILLS[k].strand))
        self.bounds = replace(usual, skills=of)

    def items(self, skill: str, ability: float) -> list[Item]:
        """Return the questions of a skill near this ability."""
        key = skill, BIN * round(min(max(ability, LOWEST), HIGHEST) / BIN)
        if key not in self._made:
            self._made[key] = list(_made(self.bounds, *key))
        return self._made[key]

    def fresh(self, skill: str, ability: float, rng: Random) -> Item | None:
        """Make a question of a skill from a random view; None if three views allow none."""
        for observation in rng.sample(pool(), 3):
            question = make(observation, skill, rng, self.bounds, ability=ability)
            if question is not None:
                return _item(question)
        return None


@cache
def bank(band: str, strand: Strand | None = None) -> Bank:
    """Return the bank of an age and strand; it is made once."""
    return Bank(band, strand)


def _made(bounds: Bounds, skill: str, ability: float) -> Sequence[Item]:
    rng = Random(f"bank {bounds.band} {skill} {ability}")
    found: list[Item] = []
    for observation in rng.sample(pool(), len(pool())):
        question = make(observation, skill, rng, bounds, ability=ability)
        if question is not None:
            found.append(_item(question))
        if len(found) == ITEMS:
            break
    return found


def _item(question: Question) -> Item:
    wrong = (question.right + 1) % len(question.options)
    right, missed = (
        from_answer(question, taps, at=0.0, day=0, latency_ms=4000)
        for taps in ((question.right,), (wrong, question.right))
    )
    return Item(question, right, missed)
