"""Decides whether to ask a question now, and which, from history, settings and chance alone.

The aim: 75 to 80 % right, all skills in turn, each again after 1, 7 and 28 days (docs/learning.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final, Literal

from classroom.engine.observation import Observation
from classroom.learning.evidence import Evidence
from classroom.learning.questions import Question, make
from classroom.learning.ratings import AIM, Ability, Rating, chance
from classroom.learning.recall_questions import NO_PAST, Past
from classroom.learning.skills import SKILLS, Bounds
from classroom.learning.tallies import CHECKS

Frequency = Literal["off", "rarely", "sometimes", "every_turn"]
Moment = Literal["turn", "waiting", "end"]

PACE: Final[dict[Frequency, tuple[int, float]]] = {
    "rarely": (4, 1 / 5),  # from the fourth turn on, one in five: every eighth turn on average
    "sometimes": (2, 1 / 2),  # every third turn on average
    "every_turn": (1, 1.0),
}
DUE_WEIGHT: Final = 4.0  # weight of a skill that is due
NEW_WEIGHT: Final = 2.0  # weight of a skill never asked about
RECALL_WEIGHT: Final = 2.0  # factor for the three memory skills, as there are eleven others
LOOKS: Final = 8  # most skills tried before the nearest item is taken
NEAR: Final = 0.08  # greatest difference from the wanted chance of success that is near enough
NEW_A_DAY: Final = 3  # new skills begun in one day before others become unlikely
POSITIONS: Final = 3  # how many places of right answers are kept, enough to see a pattern


@dataclass(frozen=True, slots=True)
class Asking:
    """What parent and teacher have set: how often to ask, and within which bounds."""

    frequency: Frequency
    bounds: Bounds


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Where a child stands in one skill, as far as it matters for choosing questions.

    `own`: rating. `rung`: place of the current interval in CHECKS. `due`: the day on which the
    skill comes back. `asked`: questions ever; `today`: those on `day`, the last day. `kinds`: how
    many of each kind.
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
    """What the choice of a child's next question depends on; stored after each answer.

    `general`: rating by area. `positions`: places of the last right answers, the newest last.
    """

    standings: Mapping[str, Standing] = field(default_factory=dict)
    general: Mapping[str, Rating] = field(default_factory=dict)
    positions: tuple[int, ...] = ()
    last_skill: str | None = None

    def standing(self, skill: str) -> Standing:
        """Return the child's standing in a skill; a new one if it has never met the skill."""
        return self.standings.get(skill, Standing())

    def ability(self, skill: str) -> Ability:
        """Return the child's ability in a skill."""
        return Ability(self.general.get(SKILLS[skill].area, Rating()), self.standing(skill).own)

    @property
    def practised(self) -> dict[str, int]:
        """How many questions of each kind were asked."""
        return {k: n for one in self.standings.values() for k, n in one.kinds.items()}

    def off(self, question: Question) -> float:
        """Return how far the child's expected chance with a question is from the wanted one."""
        level = self.ability(question.skill).level
        return abs(chance(level, question.difficulty, question.guess_rate) - AIM)

    def after(self, row: Evidence) -> History:
        """Return the history with one more answer. Asks in play are left out: no one posed them."""
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
        """Yield where the child stands in each skill it was asked about, in words and numbers.

        `rating`: in logits; 0 means even odds with a question of middling difficulty.
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
        """Return the history as plain JSON values."""
        return {
            "standings": {k: _plain(one) for k, one in self.standings.items()},
            "general": {k: [one.level, one.answers] for k, one in self.general.items()},
            "positions": list(self.positions),
            "last_skill": self.last_skill,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> History:
        """Parse a history; an empty mapping is that of a new child."""
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
    """Build a child's history from all its evidence, given in any order."""
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
    """Return the rung and the due day after the first answer of a day.

    A miss starts again, and the skill is due tomorrow; a right answer before the due day proves
    nothing yet.
    """
    if was.asked == 0 or (row.how == "alone" and not row.right):
        return 0, row.day + CHECKS[0]
    if row.how != "alone" or row.day < was.due:
        return was.rung, was.due
    rung = min(was.rung + 1, len(CHECKS) - 1)
    return rung, row.day + CHECKS[rung]


def is_due(frequency: Frequency, turns_since: int, rng: Random, moment: Moment = "turn") -> bool:
    """Whether to ask now. `turns_since`: the child's turns since the last question, and this one.

    Never twice in one turn, and at random, so that a child cannot foresee it. At the end of a
    round, when the books are counted, there is always one, unless questions are off.
    """
    if frequency == "off" or turns_since < 1:
        return False
    first_turn, share = PACE[frequency]
    return moment == "end" or (turns_since >= first_turn and rng.random() < share)


def weights(history: History, skills: Sequence[str], day: int) -> dict[str, float]:
    """Weigh each skill for the choice of the next question; 0: only if no other will do."""
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
        found[history.last_skill] = 0.0  # never the same skill twice running, if another will do
    return found


def next_question(
    observation: Observation,
    history: History,
    asking: Asking,
    day: int,
    rng: Random,
    *,
    moment: Moment = "turn",
    past: Past = NO_PAST,
    times: Mapping[int, float] | None = None,
    now: float | None = None,
) -> Question | None:
    """Choose the question to ask now, or None if there is none; `is_due` says whether to ask.

    A skill is drawn by weight. If the table has no item of it near the wanted chance of success,
    other skills are tried, and the nearest item is taken. At the end of a round the question is
    about adding up the books, if that skill is allowed.
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
    """Draw a random skill by weight; one of weight 0 only if nothing else is left."""
    keys = sorted(left)
    total = sum(left.values())
    return rng.choices(keys, [left[key] for key in keys])[0] if total > 0 else rng.choice(keys)
