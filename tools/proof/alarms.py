"""Which children a teacher is told to look at: those who are behind, and no others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import Final

from classroom.learning.beliefs import chance
from classroom.learning.evidence import Evidence
from classroom.learning.levels import level_of
from classroom.learning.questions import Question
from classroom.learning.skills import AGE_BANDS, SKILLS, STRANDS, Strand
from classroom.learning.tracks import SCALES, Track, followed, fresh_of_all, hasty
from tools.proof.bank import bank
from tools.proof.children import Knows, Sitting, school_days
from tools.proof.lines import Measurement, Seeded, per_cent, slack
from tools.simulate import DAY_SECONDS

A_DAY: Final = 12  # fast answers
A_ROUND: Final = 6  # questions without help in a round, as at the default settings
WEEKS, SOON = 20, 4
FALSE: Final = 0.05
FOUND: Final = 0.75

Levels = dict[Strand, float]  # a child's true level in each strand, in logits


def needed(band: str, step: str, more: float = 0.0) -> Levels:
    """Return the level in each strand at which a child does this step half the time, plus `more`.

    `step`: "least", the one that its age needs, or "expected", the one it practises towards.
    """
    age = AGE_BANDS.index(band)
    return {
        strand: scale.steps[getattr(scale, step)[age] - 1] + more
        for strand, scale in SCALES.items()
    }


def of_levels(levels: Levels, day_spread: float = 0.0, tires: float = 0.0) -> Knows:
    """Return a child with a level in each strand.

    `day_spread`: how much its days differ, in logits. `tires`: logits lost with each answer of a
    sitting.
    """
    days: dict[int, float] = {}

    def right(question: Question, day: int, nth: int, rng: Random) -> bool:
        mood = days.setdefault(day, rng.gauss(0, day_spread) if day_spread else 0.0)
        level = levels[SKILLS[question.skill].strand] + mood - tires * nth
        return rng.random() < chance(level, question.difficulty, question.guess_rate)

    return right


def flagged(band: str, knows: Knows, weeks: int, rng: Random) -> int | None:
    """Return the first week in which a child is said to be behind in any strand, or None."""
    tracks = {strand: Track(strand=strand) for strand in STRANDS}
    sitting = Sitting(bank(band), knows, rng)
    for day in school_days(weeks):
        met = set()
        for row in sitting.answers(day, A_ROUND):
            strand = SKILLS[row.skill].strand
            tracks[strand] = tracks[strand].after(row)
            met.add(strand)
        if any(level_of(tracks[strand], band, day).behind for strand in met):
            return day // 7 + 1
    return None


def flags(name: str, child: Callable[[str], Knows], children: int, weeks: int, rng: Seeded) -> int:
    """Count the children said to be behind within these weeks; ages take turns."""
    found = 0
    for number in range(children):
        band = AGE_BANDS[number % len(AGE_BANDS)]
        found += flagged(band, child(band), weeks, rng(f"{name} {number}")) is not None
    return found


def alarm_lines(children: int, rng: Seeded) -> Iterator[Measurement]:
    """Check that steady children are left in peace, and that those who stay behind are found.

    An alarm after one look instead of two, or at a level that is likely rather than nearly certain,
    would fail the first check; one that waits for the colour of each skill would fail the second.
    """
    for what, child, wanted in (
        ("at what their age practises", lambda b: of_levels(needed(b, "expected")), FALSE),
        ("a logit above the line", lambda b: of_levels(needed(b, "least", 1.0)), FALSE),
        ("half a logit above the line", lambda b: of_levels(needed(b, "least", 0.5)), None),
        (
            "a logit above the line, tired (a logit in a sitting), days differ by 0.5 logits",
            lambda b: of_levels(needed(b, "least", 1.0), 0.5, 0.25),
            None,
        ),
        ("exactly at the line", lambda b: of_levels(needed(b, "least")), None),
    ):
        found = flags(what, child, children, WEEKS, rng)
        text = f"{per_cent(found, children)} of {children} children"
        held = wanted is None or found / children <= wanted + slack(wanted, children)
        yield Measurement(
            f"steady, {what}: ever said to be behind in {WEEKS} weeks",
            text,
            "-" if wanted is None else f"<= {100 * wanted:.0f} %",
            held,
        )
    found = flags("behind", lambda b: of_levels(needed(b, "least", -2.0)), children, SOON, rng)
    text = f"{per_cent(found, children)} of {children} children"
    held = found / children >= FOUND - slack(FOUND, children)
    what = f"two logits below the line: said to be behind within {SOON} weeks"
    yield Measurement(what, text, f">= {100 * FOUND:.0f} %", held)


# ---- guessing


def fast_days(share: float, days: int, rng: Random) -> tuple[int, bool]:
    """Of a child that answers twelve questions a day too fast, right as often as this at what luck
    gets right in three of ten, return how many days are judged as guessing, and whether it is ever
    said to be behind."""
    tracks: dict[Strand, Track] = {}
    judged, behind = 0, False
    for day, row in enumerate(_fast(share, days, rng)):
        tracks |= followed(tracks, row)
        if day % A_DAY == A_DAY - 1:
            fresh = fresh_of_all(tracks.values())
            told = hasty(fresh) is not None
            judged += told
            shown = [one.settled(not told) for one in tracks.values()]
            behind |= any(level_of(one, "7-9", row.day).behind for one in shown)
    return judged, behind


def _fast(share: float, days: int, rng: Random) -> Iterator[Evidence]:
    items = bank("7-9", "counting").items("how_many", 0.0)
    for day in range(days):
        for nth in range(A_DAY):
            item = rng.choice(items)
            row = item.row(rng.random() < share, day, day * DAY_SECONDS + nth)
            yield replace(row, latency_ms=700, guess_rate=0.3)


def guessing_lines(children: int, rng: Seeded) -> Iterator[Measurement]:
    """Check that fast children who know are not taken for guessers, and that those who guess are,
    and are not said to be behind for it."""
    for share, who, most in ((0.77, "who know", True), (0.3, "who guess", False)):
        found = [
            fast_days(share, 3, rng(f"fast {who} {number}")) for number in range(10 * children)
        ]
        days = 3 * len(found)
        judged = sum(one for one, _ in found)
        text = f"{per_cent(judged, days)} of {days}"
        held = judged <= FALSE * days if most else judged >= FOUND * days
        wanted = f"<= {100 * FALSE:.0f} %" if most else f">= {100 * FOUND:.0f} %"
        yield Measurement(f"days of fast children {who} judged as guessing", text, wanted, held)
        if not most:
            behind = sum(told for _, told in found)
            text = f"{per_cent(behind, len(found))} of {len(found)} children"
            what = "children who guess fast: said to be behind within three days"
            yield Measurement(what, text, "<= 5 %", behind <= FALSE * len(found))
