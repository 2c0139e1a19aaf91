"""What reports show about children who know nothing and guess by some habit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Final

from classroom.learning.evidence import Evidence
from classroom.learning.levels import level_of
from classroom.learning.skills import AGE_BANDS, SKILLS, Strand
from classroom.learning.tracks import Track
from tools.proof.bank import bank
from tools.proof.children import Sitting, guesser
from tools.proof.lines import Measurement, Seeded
from tools.simulate import HABITS

CHILDREN: Final = 1000
STRANDS: Final[tuple[Strand, ...]] = ("counting", "comparing", "adding", "sorting")
FROM, UNTIL = 5, 100  # answers in a strand; there is a look after each answer from 5 to 100
A_DAY: Final = 6


@dataclass(frozen=True, slots=True)
class Guesser:
    """One child that guesses: by which habit, at which age, and what it is asked about.

    With `strand` None it is asked about everything, as at the default settings.
    """

    habit: str
    band: str
    strand: Strand | None


def guessers(children: int) -> Iterator[Guesser]:
    """Yield children of every habit, age and strand, as evenly as their number allows."""
    every = [
        Guesser(habit, band, strand)
        for strand in (*STRANDS, None)
        for habit in HABITS
        for band in AGE_BANDS
    ]
    for number in range(children):
        yield every[number * 7 % len(every)]


def answers(one: Guesser, rng: Random) -> Iterator[Evidence]:
    """Yield what the guesser answers, each question made for it alone."""
    sitting = Sitting(bank(one.band, one.strand), guesser(one.habit), rng, fresh=True)
    count = UNTIL if one.strand else 3 * UNTIL
    return sitting.days(range(count // A_DAY), A_DAY)


def raised(one: Guesser, rng: Random) -> tuple[bool, int, int]:
    """Return whether any look after FROM to UNTIL answers showed a guesser above the lowest level,
    how many answers were right, and how many there were.

    A guesser is above the lowest level if it is said to do more than the first step of the scale,
    which a child gets right by always naming the smallest. Standing at "partly" or "secure"
    for its age counts too.
    """
    tracks: dict[Strand, Track] = {}
    above, right, n = False, 0, 0
    for row in answers(one, rng):
        strand = SKILLS[row.skill].strand
        found = tracks[strand] = tracks.get(strand, Track(strand=strand)).after(row)
        right, n = right + row.right, n + 1
        level = level_of(found, one.band, row.day)
        if strand != "recall" and FROM <= level.n <= UNTIL:
            above |= level.about > 1 or level.standing in ("partly", "secure")
    return above, right, n


def guesser_lines(children: int, rng: Seeded) -> Iterator[Measurement]:
    """Check that no guesser is ever shown as able.

    This fails if luck is recorded too low, or if a level is shown without asking how likely luck
    is: with a look after every answer, some guesser is right often enough by luck.
    """
    above: Counter[str] = Counter()
    hits: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    for number, one in enumerate(guessers(children)):
        shown, right, n = raised(one, rng(f"guesser {number}"))
        above[one.habit] += shown
        hits[one.habit] += right
        asked[one.habit] += n
    best = max(HABITS, key=lambda habit: hits[habit] / max(asked[habit], 1))
    text = (
        f"{above.total()} of {children}, {len(HABITS)} habits "
        f"(most right: {best}, {hits[best] / max(asked[best], 1):.2f})"
    )
    what = f"guessers shown above the lowest level at any of {UNTIL - FROM + 1} looks"
    yield Measurement(what, text, "0", above.total() == 0)
