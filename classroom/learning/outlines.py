"""Twelve ready-made lessons in three sequences by age, and the choice of a class's next lesson."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Final

from classroom.learning.estimates import Share
from classroom.learning.levels import Level, together
from classroom.learning.skills import SKILLS, Strand

FEWEST: Final = 3  # a lesson is skipped only if at least this many levels in its strand are known
SECURE_SHARE: Final = 0.75  # this share of the known levels must be secure to skip a lesson


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """A ready-made lesson; data/outlines.toml explains the fields. `number`: its place in the
    sequence, from 1. `moment`: "" if the lesson has none."""

    key: str
    number: int
    title: str
    game: str
    skills: tuple[str, ...]
    minutes: int
    opener: str
    play: str
    say: tuple[str, ...]
    look: tuple[str, ...]
    close: str
    sheet: Strand | None = None
    moment: str = ""

    @property
    def strand(self) -> Strand:
        return SKILLS[self.skills[0]].strand


@dataclass(frozen=True, slots=True)
class Sequence:
    """Lessons that build on each other. `ages`: the age bands for which they are made."""

    name: str
    ages: tuple[str, ...]
    lessons: tuple[Outline, ...]


@dataclass(frozen=True, slots=True)
class Next:
    """The next lesson and the reasons for it. `passed`: the lessons that are skipped because the
    class can do them. `known`: the number of children whose level in the lesson's strand is known.
    `able`: how many of these levels are secure. `about`: the lowest and the highest of the levels,
    as steps. `answers`: the recent answers behind them."""

    outline: Outline
    passed: tuple[Outline, ...]
    known: int
    able: int
    about: tuple[int, int] | None
    answers: Share


def _lesson(number: int, data: Mapping[str, Any]) -> Outline:
    lists = {name: tuple(found) for name, found in data.items() if isinstance(found, list)}
    return Outline(number=number, **{**data, **lists})


_DATA: Final = tomllib.loads(
    files("classroom").joinpath("data/outlines.toml").read_text(encoding="utf-8")
)
SEQUENCES: Final = tuple(
    Sequence(
        one["name"],
        tuple(one["ages"]),
        tuple(_lesson(number, data) for number, data in enumerate(one["lessons"], 1)),
    )
    for one in _DATA["sequences"]
)
OUTLINES: Final = {one.key: one for sequence in SEQUENCES for one in sequence.lessons}


def sequence_of(bands: Iterable[str], place: str | None) -> Sequence:
    """Return the sequence that has the lesson `place`. Before the class's first lesson, return the
    sequence for the age of most children."""
    known = (one for one in SEQUENCES if any(place == lesson.key for lesson in one.lessons))
    most = Counter(sorted(bands)).most_common(1)
    band = most[0][0] if most else SEQUENCES[0].ages[0]
    return next(known, next(one for one in SEQUENCES if band in one.ages))


def next_outline(
    sequence: Sequence, place: str | None, levels: Mapping[Strand, tuple[Level, ...]]
) -> Next:
    """Choose the lesson after `place`, the last lesson begun; after the last one, the sequence
    starts again. A lesson is skipped if at least three levels in its strand are known and three
    quarters of these are secure. If this applies to every lesson, none is skipped. `levels`: the
    known levels."""
    keys = [one.key for one in sequence.lessons]
    first = (keys.index(place) + 1) % len(keys) if place in keys else 0
    turn = sequence.lessons[first:] + sequence.lessons[:first]
    at = next((at for at, one in enumerate(turn) if not _can(levels.get(one.strand, ()))), 0)
    mine = levels.get(turn[at].strand, ())
    abouts = [one.about for one in mine]
    return Next(
        outline=turn[at],
        passed=turn[:at],
        known=len(mine),
        able=_able(mine),
        about=(min(abouts), max(abouts)) if abouts else None,
        answers=together(mine),
    )


def _can(levels: tuple[Level, ...]) -> bool:
    return len(levels) >= FEWEST and _able(levels) >= SECURE_SHARE * len(levels)


def _able(levels: tuple[Level, ...]) -> int:
    return sum(one.standing == "secure" for one in levels)
