"""How well the likely range holds for children who do not have one steady level."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Final

from classroom.learning.beliefs import chance
from classroom.learning.evidence import Evidence
from classroom.learning.levels import level_of
from classroom.learning.questions import Question
from classroom.learning.skills import AGE_BANDS, Strand
from classroom.learning.tracks import Track
from tools.proof.bank import bank
from tools.proof.children import Knows, Sitting, able, steady
from tools.proof.lines import Measurement, Seeded, per_cent

STRAND: Final[Strand] = "counting"
ANSWERS: Final = 40
A_DAY: Final = 4
TRUE: Final = (-1.0, 0.0, 1.0, 2.0)  # logits


def moody(level: float, spread: float) -> Knows:
    """Return a child whose level differs by day, with this standard deviation in logits."""
    days: dict[int, float] = {}
    own = Random(f"{level} {spread}")
    return able(lambda day, nth: level + days.setdefault(day, own.gauss(0, spread)))


def tired(level: float, loss: float) -> Knows:
    """Return a child that loses this many logits with each answer of a sitting."""
    return able(lambda day, nth: level - loss * (nth - (A_DAY - 1) / 2))


def lapsing(level: float, share: float) -> Knows:
    """Return a child that taps anywhere in this share of its answers."""

    def right(question: Question, day: int, nth: int, rng: Random) -> bool:
        if rng.random() < share:
            return rng.randrange(len(question.options)) == question.right
        return rng.random() < chance(level, question.difficulty, question.guess_rate)

    return right


def two(level: float, other: float) -> Knows:
    """Return two children of different levels who answer on alternate days."""
    return able(lambda day, nth: level if day % 2 else other)


def forty(rows: Iterator[Evidence], band: str) -> tuple[float, float]:
    """Return the likely range after 40 answers that count."""
    track, day = Track(strand=STRAND), 0
    for row in rows:
        track, day = track.after(row), row.day
        if track.settled().n == ANSWERS:
            break
    level = level_of(track, band, day)
    return level.low, level.high


def leaving(rows: Iterator[Evidence], level: float, rng: Random) -> Iterator[Evidence]:
    """Leave alone half of the questions that the child would get wrong more often than not."""
    for row in rows:
        hard = chance(level, row.difficulty, 0.0) < 0.5
        yield replace(row, first_answer=None) if hard and rng.random() < 0.5 else row


def leaning(rows: Iterator[Evidence], level: float, rng: Random) -> Iterator[Evidence]:
    """Take help with half of the questions that the child would get wrong more often than not."""
    for row in rows:
        hard = chance(level, row.difficulty, 0.0) < 0.5
        yield replace(row, aided=True) if hard and rng.random() < 0.5 else row


def mood_lines(children: int, rng: Seeded) -> Iterator[Measurement]:
    """Measure how often the range holds the usual level of a child whose level varies."""
    kinds = {
        "tired: a logit lost within each sitting": lambda true: tired(true, 1 / (A_DAY - 1)),
        "days that differ by 0.5 logits": lambda true: moody(true, 0.5),
        "days that differ by 1 logit": lambda true: moody(true, 1.0),
        "taps anywhere in one answer of ten": lambda true: lapsing(true, 0.1),
        "taps anywhere in one answer of four": lambda true: lapsing(true, 0.25),
        "two children, two logits apart, on one sign-in": lambda true: two(true - 1, true + 1),
        "leaves half of the hard ones alone": steady,
        "takes help with half of the hard ones": steady,
    }
    for what, child in kinds.items():
        held = 0
        for number in range(children):
            band, true = AGE_BANDS[number % 4], TRUE[number // 4 % 4]
            random = rng(f"{what} {number}")
            rows = Sitting(bank(band, STRAND), child(true), random).days(range(60), A_DAY)
            if "alone" in what:
                rows = leaving(rows, true, random)
            elif "help" in what:
                rows = leaning(rows, true, random)
            low, high = forty(rows, band)
            held += low <= true <= high
        yield Measurement(
            f"{what}: range holds the usual level after {ANSWERS} answers",
            f"{per_cent(held, children)} of {children}",
            "-",
        )
