"""A child's history: the facts on which the choice of the child's next question depends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import reduce
from typing import Any, Final

from classroom.learning.beliefs import AIM, Ability, Rating, chance, information
from classroom.learning.estimates import CHECKS
from classroom.learning.evidence import Evidence
from classroom.learning.questions import Question
from classroom.learning.skills import AGE_BANDS, SKILLS, Strand, answered_by
from classroom.learning.tracks import SCALES

EASIEST: Final = -0.5
"""In logits. A child with a lower rating gets questions for this level. Easier questions would all
be about the number one, and "always one" would be a good guess."""
READY: Final = 5  # a child needs this many answers in a strand to get the numbers for a later age
AHEAD: Final = 0.7
"""A child gets the numbers for the next age once the probability of a right answer, luck aside, is
at least this at the step that the child's own age practises towards."""
WAYS_BEFORE: Final = {
    "give": "tapped",
    "numeral_to_dots": "dots",
    **dict.fromkeys(("complement_5", "complement_10"), "pad"),
    **dict.fromkeys(("greatest_number", "smallest_number", "belongs"), "card"),
    **dict.fromkeys(("most_cards", "fewest_cards", "most_books"), "seat"),
    **dict.fromkeys(("who_asked", "who_asked_last"), "seat"),
    **dict.fromkeys(("what_asked", "which_asked"), "class"),
    "been_asked": "yes_no",
}
"""How each kind was answered in earlier versions, whose histories counted questions by kind."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A child's state in one skill, as far as it matters for choosing questions.

    `own`: the skill's own rating. `rung`: the index of the current interval in CHECKS. `due`: the
    day on which the skill should be asked about again. `asked`: the number of questions so far.
    `day`: the last day with a question. `today`: the number of questions on that day.
    """

    own: Rating = field(default_factory=Rating)
    rung: int = 0
    due: int = 0
    asked: int = 0
    day: int = -1
    today: int = 0


@dataclass(frozen=True, slots=True)
class History:
    """The facts on which the choice of a child's next question depends; stored after each answer.
    `general`: the rating in each strand. `practised`: the ways of answering that the child has
    already used."""

    standings: Mapping[str, Standing] = field(default_factory=dict)
    general: Mapping[Strand, Rating] = field(default_factory=dict)
    practised: frozenset[str] = frozenset()
    last_skill: str | None = None

    def standing(self, skill: str) -> Standing:
        """Return the child's standing in a skill; a new standing if there is none."""
        return self.standings.get(skill, Standing())

    def ability(self, skill: str) -> Ability:
        return Ability(self.general.get(SKILLS[skill].strand, Rating()), self.standing(skill).own)

    def aimed(self, skill: str) -> float:
        """Return the level, in logits, for which questions of a skill are chosen."""
        return max(self.ability(skill).level, EASIEST)

    def reach(self, band: str) -> dict[Strand, str]:
        """Return, by strand, the age whose numbers the child gets, if not the child's own age. This
        is the first age whose expected step the child does not yet get right often enough."""
        return {
            strand: reached
            for strand, rating in self.general.items()
            if strand != "recall" and rating.answers >= READY
            if (reached := _reached(strand, rating.level, band)) != band
        }

    def expected(self, question: Question) -> float:
        """Return the probability of a right answer at the level for which questions are chosen."""
        return chance(self.aimed(question.skill), question.difficulty, question.guess_rate)

    def information(self, question: Question) -> float:
        """Return how much an answer would say about the level for which questions are chosen."""
        return information(self.aimed(question.skill), question.difficulty, question.guess_rate)

    def off(self, question: Question) -> float:
        """Return how far the expected probability of a right answer is from AIM."""
        return abs(self.expected(question) - AIM)

    def after(self, row: Evidence) -> History:
        """Return the history with one more answer. Asks in play change nothing."""
        if row.source != "question":
            return self
        ability = self.ability(row.skill)
        if row.how == "alone":
            ability = ability.after(row.right, row.difficulty, row.guess_rate)
        was = self.standing(row.skill)
        new = replace(was, own=ability.own, asked=was.asked + 1, day=row.day, today=was.today + 1)
        if row.day != was.day:
            rung, due = _climb(was, row)
            new = replace(new, rung=rung, due=due, today=1)
        return History(
            {**self.standings, row.skill: new},
            {**self.general, SKILLS[row.skill].strand: ability.general},
            self.practised | {answered_by(row.item.get("face", "numeral"), len(row.options))},
            row.skill,
        )

    def lines(self) -> Iterator[dict[str, Any]]:
        """Yield a description, in words and numbers, of each skill that the child was asked about.
        `rating`: in logits; 0 means even odds with a question of medium difficulty."""
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
        return {
            "standings": {
                key: asdict(one) | {"own": [one.own.level, one.own.answers]}
                for key, one in self.standings.items()
            },
            "general": {k: [one.level, one.answers] for k, one in self.general.items()},
            "practised": sorted(self.practised),
            "last_skill": self.last_skill,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> History:
        """Parse a history of this or an earlier version; an empty mapping gives a new history."""
        standings = data.get("standings", {})
        return cls(
            {skill: _standing(one) for skill, one in standings.items()},
            {k: Rating(*one) for k, one in data.get("general", {}).items()},
            frozenset(data["practised"] if "practised" in data else _ways_before(standings)),
            data.get("last_skill"),
        )


def _reached(strand: Strand, level: float, band: str) -> str:
    scale = SCALES[strand]
    for at in range(AGE_BANDS.index(band), len(AGE_BANDS)):
        if chance(level, scale.steps[scale.expected[at] - 1]) < AHEAD:
            return AGE_BANDS[at]
    return AGE_BANDS[-1]


def _standing(kept: Mapping[str, Any]) -> Standing:
    values = {key: value for key, value in kept.items() if key != "kinds"}
    return Standing(**{**values, "own": Rating(*kept["own"])})


def _ways_before(standings: Mapping[str, Any]) -> Iterator[str]:
    """Yield the ways of answering that a child has used, from the counts of an earlier version."""
    for kept in standings.values():
        yield from (WAYS_BEFORE.get(kind, "numeral") for kind in kept.get("kinds", ()))


def history(rows: Iterable[Evidence]) -> History:
    """Build a child's history from all of the child's evidence, given in any order."""
    return reduce(History.after, sorted(rows, key=lambda row: row.at), History())


def _climb(was: Standing, row: Evidence) -> tuple[int, int]:
    """Return the rung and the due day after the first answer of a day. After a wrong answer the
    intervals start again and the skill is due the next day. A right answer before the due day
    changes nothing."""
    if was.asked == 0 or (row.how == "alone" and not row.right):
        return 0, row.day + CHECKS[0]
    if row.how != "alone" or row.day < was.due:
        return was.rung, was.due
    rung = min(was.rung + 1, len(CHECKS) - 1)
    return rung, row.day + CHECKS[rung]
