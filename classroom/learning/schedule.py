"""Whether a question is asked now, and which: pure in history, settings and chance.

Aim: 75 to 80 % right, all skills in turn, each back after 1, 7 and 28 days (docs/learning.md).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final, Literal

from classroom.engine.observation import Observation
from classroom.learning.evidence import Evidence
from classroom.learning.questions import Question, make
from classroom.learning.ratings import AIM, Ability, Rating, chance
from classroom.learning.recall_questions import Past
from classroom.learning.skills import SKILLS, Bounds
from classroom.learning.tallies import CHECKS

Frequency = Literal["off", "rarely", "sometimes", "every_turn"]
Moment = Literal["turn", "waiting", "end"]

PACE: Final[dict[Frequency, tuple[int, float]]] = {
    "rarely": (4, 1 / 5),  # four own turns of peace, then one in five: every eighth on average
    "sometimes": (2, 1 / 2),  # every third on average
    "every_turn": (1, 1.0),
}
DUE_WEIGHT: Final = 4.0  # a skill whose day has come
NEW_WEIGHT: Final = 2.0  # a skill never asked
RECALL_WEIGHT: Final = 2.0  # three skills of memory against eleven of counting
LOOKS: Final = 8  # skills looked at before the nearest item is taken
NEAR: Final = 0.08  # of the aimed chance of success: near enough
NEW_A_DAY: Final = 3  # skills begun on one day
POSITIONS: Final = 3  # places of right answers that a pattern could be seen in


@dataclass(frozen=True, slots=True)
class Asking:
    """What parent and teacher settled: how often, and within which bounds."""

    frequency: Frequency
    bounds: Bounds


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Where a child stands in one skill, as far as choosing questions goes.

    `own`: rating. `rung`: how many of the three intervals were passed. `due`: the day it comes
    back. `asked`: questions ever; `today`: on `day`. `kinds`: how many of each kind.
    """

    own: Rating = field(default_factory=Rating)
    rung: int = 0
    due: int = 0
    asked: int = 0
    day: int = -1
    today: int = 0
    kinds: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class History:
    """All that the choice of the next question needs to know of a child; kept with each answer.

    `general`: rating by area. `positions`: places of the last right answers, the newest last.
    """

    standings: Mapping[str, Standing] = field(default_factory=dict)
    general: Mapping[str, Rating] = field(default_factory=dict)
    positions: tuple[int, ...] = ()
    last_skill: str | None = None

    def standing(self, skill: str) -> Standing:
        """Where the child stands in a skill; a fresh start if it never met it."""
        return self.standings.get(skill, Standing())

    def ability(self, skill: str) -> Ability:
        """The child's rating in a skill."""
        return Ability(self.general.get(SKILLS[skill].area, Rating()), self.standing(skill).own)

    @property
    def practised(self) -> dict[str, int]:
        """How many questions of each kind were asked."""
        return {k: n for one in self.standings.values() for k, n in one.kinds.items()}

    def off(self, question: Question) -> float:
        """How far the child's expected chance with a question is from the aimed one."""
        level = self.ability(question.skill).level
        return abs(chance(level, question.difficulty, question.guess_rate) - AIM)

    def after(self, row: Evidence) -> History:
        """The history with one more answer. Play is not counted here: it was not chosen."""
        if row.source != "question":
            return self
        ability = self.ability(row.skill)
        if row.how == "alone":
            ability = ability.after(row.right, row.difficulty, row.guess_rate)
        standing = _met(self.standing(row.skill), row, ability.own)
        return History(
            {**self.standings, row.skill: standing},
            {**self.general, SKILLS[row.skill].area: ability.general},
            (*self.positions, int(row.item.get("right", 0)))[-POSITIONS:],
            row.skill,
        )

    def lines(self) -> Iterator[dict[str, Any]]:
        """Where the child stands in each skill it was asked about, in words and numbers.

        `rating`: in logits; 0 is even chances with a question of middling difficulty.
        """
        for key, one in sorted(self.standings.items()):
            level = self.ability(key).level
            tenths = round(10 * chance(level, 0.0))
            yield {
                "skill": key,
                "name": SKILLS[key].name,
                "rating": round(level, 2),
                "in_words": f"about {tenths} of 10 middling questions right at the first try",
                "questions": one.asked,
                "comes_back_day": one.due,
            }

    def to_json(self) -> dict[str, Any]:
        """The history as plain JSON values."""
        return {
            "standings": {k: _plain(one) for k, one in self.standings.items()},
            "general": {k: [one.level, one.answers] for k, one in self.general.items()},
            "positions": list(self.positions),
            "last_skill": self.last_skill,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> History:
        """The history so written; an empty mapping is a child without a past."""
        return cls(
            {
                k: Standing(**{**one, "own": Rating(*one["own"])})
                for k, one in data.get("standings", {}).items()
            },
            {k: Rating(*one) for k, one in data.get("general", {}).items()},
            tuple(data.get("positions", ())),
            data.get("last_skill"),
        )


def _plain(one: Standing) -> dict[str, Any]:
    return {
        "own": [one.own.level, one.own.answers],
        "rung": one.rung,
        "due": one.due,
        "asked": one.asked,
        "day": one.day,
        "today": one.today,
        "kinds": dict(one.kinds),
    }


def history(rows: Iterable[Evidence]) -> History:
    """The history of a child from all its evidence, in the order in which it happened."""
    found = History()
    for row in sorted(rows, key=lambda row: row.at):
        found = found.after(row)
    return found


def _met(was: Standing, row: Evidence, own: Rating) -> Standing:
    first_today = row.day != was.day
    kinds = {**was.kinds, row.kind: was.kinds.get(row.kind, 0) + 1}
    rung, due = _climb(was, row) if first_today else (was.rung, was.due)
    today = 1 if first_today else was.today + 1
    return Standing(
        own=own, rung=rung, due=due, asked=was.asked + 1, day=row.day, today=today, kinds=kinds
    )


def _climb(was: Standing, row: Evidence) -> tuple[int, int]:
    """The rung and the day of return after the first answer of a day.

    A miss begins again with tomorrow; a right answer before the day has come proves nothing yet.
    """
    if was.asked == 0 or (row.how == "alone" and not row.right):
        return 0, row.day + CHECKS[0]
    if row.how != "alone" or row.day < was.due:
        return was.rung, was.due
    rung = min(was.rung + 1, len(CHECKS) - 1)
    return rung, row.day + CHECKS[rung]


def is_due(frequency: Frequency, turns_since: int, rng: Random, moment: Moment = "turn") -> bool:
    """Whether to ask now. `turns_since`: own turns since the last question, this one included.

    Never two in one turn; by chance, so that a child cannot know. At the end of a round, when the
    books are counted, a question is welcome unless they are off.
    """
    if frequency == "off" or turns_since < 1:
        return False
    peace, share = PACE[frequency]
    return moment == "end" or (turns_since >= peace and rng.random() < share)


def weights(history: History, skills: Sequence[str], day: int) -> dict[str, float]:
    """How much each skill is to be preferred today; 0 is never."""
    begun = sum(
        1 for one in history.standings.values() if one.day == day and one.asked == one.today
    )
    found = {}
    for skill in skills:
        standing = history.standing(skill)
        today = standing.today if standing.day == day else 0
        if standing.asked == 0:
            weight = NEW_WEIGHT if begun < NEW_A_DAY else 0.1
        else:
            weight = DUE_WEIGHT if day >= standing.due and not today else 1.0
        area = RECALL_WEIGHT if SKILLS[skill].area == "recall" else 1.0
        found[skill] = weight * area / (1 + today)
    if len(found) > 1 and history.last_skill in found:
        found[history.last_skill] = 0.0  # spread: never the same skill twice running
    return found


def next_question(
    observation: Observation,
    history: History,
    asking: Asking,
    day: int,
    rng: Random,
    *,
    moment: Moment = "turn",
    past: Past = (),
    asked_about: Collection[int] = (),
    times: Mapping[int, float] | None = None,
    now: float | None = None,
) -> Question | None:
    """The question to ask now, or None if the table holds none. Whether to ask: `is_due`.

    A skill is drawn by weight; if it has nothing near the aimed chance of success on this table,
    others are looked at too, and the nearest is taken. At the end of a round the books are added,
    where that is allowed.
    """
    left = weights(history, sorted(asking.bounds.skills), day)
    if moment == "end" and "add_books" in left:
        left = {**dict.fromkeys(left, 0.0), "add_books": 1.0}
    nearest: Question | None = None
    for looked_at in range(len(left)):
        skill = _drawn(left, rng)
        if nearest is not None and (looked_at >= LOOKS or left[skill] == 0.0):
            break
        del left[skill]
        question = make(
            observation,
            skill,
            rng,
            asking.bounds,
            history.positions,
            ability=history.ability(skill).level,
            practised=history.practised,
            past=past,
            asked_about=asked_about,
            times=times,
            now=now,
        )
        if question is not None and (
            nearest is None or history.off(question) < history.off(nearest)
        ):
            nearest = question
        if nearest is not None and (nearest.practice or history.off(nearest) <= NEAR):
            break
    return nearest


def _drawn(left: Mapping[str, float], rng: Random) -> str:
    """One of the skills, by weight; those of weight 0 only when nothing else is left."""
    keys = sorted(left)
    total = sum(left.values())
    return rng.choices(keys, [left[key] for key in keys])[0] if total > 0 else rng.choice(keys)
