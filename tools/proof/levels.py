"""What reports show about able children: the level, its likely range, and growth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import sqrt
from random import Random
from statistics import median
from typing import Final, NamedTuple

from classroom.learning.evidence import Evidence
from classroom.learning.levels import growth, level_of
from classroom.learning.questions import Question
from classroom.learning.skills import AGE_BANDS, SKILL_OF, SKILLS, Strand
from classroom.learning.tracks import Track, counts, tracks_of
from tools.calibrate import Answer, offsets
from tools.proof.bank import bank
from tools.proof.children import Knows, Sitting, able, right_by, steady
from tools.proof.lines import Measurement, Seeded, per_cent, slack

ABILITIES: Final = (-2.0, -1.0, 0.0, 1.0, 2.0, 3.0)  # logits
FEWEST, MOST = 5, 80  # the level is looked at after each answer from the fifth to the last
LOOKS: Final = (FEWEST, 10, 20, 40, MOST)  # numbers of answers that have lines of their own
STRANDS: Final[tuple[Strand, ...]] = ("counting", "adding")
A_DAY: Final = 2  # answers a day in one strand; children who play three rounds a week give fewer
SLOPE: Final = 0.9
HELD: Final = 0.93
HELD_GROWING: Final = 0.85
OFF_KINDS, OFF_SKILLS, OFF_SLIPS = 0.5, 0.6, 0.03  # logits, logits, share
OFF_LOOKS: Final = (27, 54)  # answers in a strand in three weeks, and in six
GAIN_SEEN: Final = 40  # a gain should be seen after this many answers
BEFORE: Final = 60  # answers at the same level before it


class Look(NamedTuple):
    """What was shown about a child after `n` answers, and what was true.

    `held`: whether the likely range held the truth.
    """

    true: float
    n: int
    middle: float
    held: bool


def looks(
    band: str, strand: Strand, knows: Knows, true: float, rng: Random, last: int = MOST,
) -> Iterator[Look]:  # fmt: skip
    """Look at a steady child after each answer from FEWEST to the last."""
    track, sitting = Track(strand=strand), Sitting(bank(band, strand), knows, rng)
    for row in sitting.days(range(last), A_DAY):
        track = track.after(row)
        level = level_of(track, band, row.day)
        if level.n >= FEWEST:
            yield Look(true, level.n, level.middle, level.low <= true <= level.high)
        if level.n == last:
            return


def steady_children(children: int, rng: Seeded) -> list[Look]:
    """Look at this many children of each ability, age and strand."""
    return [
        look
        for strand in STRANDS
        for band in AGE_BANDS
        for true in ABILITIES
        for number in range(children)
        for look in looks(
            band, strand, steady(true), true, rng(f"steady {strand} {band} {true} {number}")
        )
    ]


def slope(points: Sequence[tuple[float, float]]) -> float:
    """Return the slope of the least squares line of the second values on the first.

    >>> slope([(0.0, 1.0), (1.0, 3.0), (2.0, 5.0)])
    2.0
    """
    x = sum(a for a, _ in points) / len(points)
    y = sum(b for _, b in points) / len(points)
    return sum((a - x) * (b - y) for a, b in points) / sum((a - x) ** 2 for a, _ in points)


def slope_lines(found: Sequence[Look]) -> Iterator[Measurement]:
    """Check that the shown level follows the true one.

    A share of right answers would fail: items are chosen so that it is about the same for everyone.
    """
    for n in LOOKS[2:]:
        some = [look for look in found if look.n == n]
        medians = [
            (true, median(look.middle for look in some if look.true == true)) for true in ABILITIES
        ]
        got = slope(medians)
        text = f"{got:.2f} ({len(some)} children)"
        what = f"slope of the shown level on the true one, -2 to +3 logits, {n} answers"
        yield Measurement(what, text, f">= {SLOPE}", got >= SLOPE)


def coverage_lines(found: Sequence[Look]) -> Iterator[Measurement]:
    """Check that the likely range holds the truth, after each number of answers, at each ability.

    If luck is recorded too low, this fails at low abilities; if the prior is narrow, at both ends.
    """
    wanted = f">= {100 * HELD:.0f} % in each band"
    shares = _shares(found)
    each = len(found) // len(shares)
    enough = HELD - slack(HELD, each)
    for n in LOOKS:
        here = {true: shares[true, n] for true in ABILITIES}
        worst = min(ABILITIES, key=lambda true: here[true])
        held = sum(here.values()) / len(here)
        text = (
            f"{per_cent(held, 1)} of {each * len(here)} children, "
            f"least {per_cent(here[worst], 1)} of {each} (at {worst:+g})"
        )
        what = f"likely range holds the truth, {n} answers"
        yield Measurement(what, text, wanted, held >= HELD and here[worst] >= enough)
    true, n = min(shares, key=lambda key: shares[key])
    text = f"least {per_cent(shares[true, n], 1)} of {each} (at {true:+g}, {n} answers)"
    what = f"likely range holds the truth, each number of answers from {FEWEST} to {MOST}"
    yield Measurement(what, text, wanted, shares[true, n] >= enough)


def _shares(found: Sequence[Look]) -> dict[tuple[float, int], float]:
    """Return how often the range held the truth, by ability and number of answers."""
    of: Counter[tuple[float, int]] = Counter()
    held: Counter[tuple[float, int]] = Counter()
    for look in found:
        of[look.true, look.n] += 1
        held[look.true, look.n] += look.held
    return {key: held[key] / number for key, number in of.items()}


def off(children: int, rng: Seeded) -> dict[int, list[bool]]:
    """Say whether the range held the truth, after each of OFF_LOOKS answers, of children for whom
    no difficulty is as assumed: all kinds of questions are harder or easier, for all alike, and a
    child's skills differ."""
    harder = {kind: rng(f"off {kind}").gauss(0, OFF_KINDS) for kind in SKILL_OF}
    found: dict[int, list[bool]] = {n: [] for n in OFF_LOOKS}
    for number in range(children):
        random = rng(f"off {number}")
        true = random.uniform(-2, 3)
        mine = {key: true + random.gauss(0, OFF_SKILLS) for key in SKILLS}
        band, strand = AGE_BANDS[number % len(AGE_BANDS)], STRANDS[number // 4 % len(STRANDS)]
        knows = partial(_is_right, mine, harder)
        for look in looks(band, strand, knows, true, random, max(OFF_LOOKS)):
            if look.n in found:
                found[look.n].append(look.held)
    return found


def _is_right(
    mine: Mapping[str, float], harder: Mapping[str, float],
    question: Question, day: int, nth: int, rng: Random,
) -> bool:  # fmt: skip
    level = mine[question.skill] - harder[question.kind]
    return right_by(question, level, rng, slips=OFF_SLIPS)


def off_lines(children: int, rng: Seeded) -> Iterator[Measurement]:
    """Check that the range allows for difficulties that are wrong."""
    for n, held in off(children, rng).items():
        text = f"{per_cent(sum(held), len(held))} of {len(held)} children"
        what = (
            f"kinds off by {OFF_KINDS} logits, skills of a child by {OFF_SKILLS}: "
            f"likely range holds the truth, {n} answers"
        )
        wanted = f">= {100 * HELD:.0f} %"
        share = sum(held) / len(held)
        yield Measurement(what, text, wanted, share >= HELD - slack(HELD, len(held)))


def fitted_lines(children: int, rng: Seeded) -> Iterator[Measurement]:
    """Check that such children's own answers tell which kinds are harder, and how much better
    levels would be that allow for it."""
    harder = {kind: rng(f"off {kind}").gauss(0, OFF_KINDS) for kind in SKILL_OF}
    given, answers = list[tuple[float, str, list[Evidence]]](), list[Answer]()
    for number in range(children):
        random, band = rng(f"fitted {number}"), AGE_BANDS[number % len(AGE_BANDS)]
        true = random.uniform(-2, 3)
        mine = {key: true + random.gauss(0, OFF_SKILLS) for key in SKILLS}
        for strand in STRANDS:
            sitting = Sitting(bank(band, strand), partial(_is_right, mine, harder), random)
            rows = list(sitting.days(range(max(OFF_LOOKS) // A_DAY), A_DAY))
            given.append((true, band, rows))
            who = (str(number), strand)
            answers += [
                Answer(who, row.kind, row.difficulty, row.guess_rate, row.right)
                for row in rows
                if counts(row)
            ]
    found = offsets(answers)
    left = sqrt(sum((one.by - harder[kind]) ** 2 for kind, one in found.items()) / len(found))
    was = sqrt(sum(harder[kind] ** 2 for kind in found) / len(found))
    what = f"the same, six weeks of {children} children: error of {len(found)} kinds after a fit"
    text = f"{left:.2f} logits instead of {was:.2f}"
    yield Measurement(what, text, "less by a quarter", left <= 0.75 * was)
    ways = [{}, {kind: one.by for kind, one in found.items()}, harder]
    errors = [
        sqrt(sum(_error(true, band, rows, by) ** 2 for true, band, rows in given) / len(given))
        for by in ways
    ]
    table, fitted, known = (f"{one:.2f}" for one in errors)
    what = "the same: error of the levels by the table, 54 answers"
    text = f"{table} logits; by the fit {fitted}, by the true difficulties {known}"
    yield Measurement(what, text, "the fit gains less than a tenth", errors[0] < 1.1 * errors[1])


def _error(true: float, band: str, rows: Sequence[Evidence], harder: Mapping[str, float]) -> float:
    """The error of the level these answers give, if the kinds are this much harder."""
    strand = SKILLS[rows[0].skill].strand
    here = [
        replace(row, item={**row.item, "difficulty": row.difficulty + harder.get(row.kind, 0.0)})
        for row in rows
    ]
    return level_of(tracks_of(here)[strand], band, rows[-1].day).middle - true


def growing(children: int, a_day: int, rng: Seeded, logits: float = 1.0) -> tuple[int, int]:
    """Look at children who grow by `logits` in 30 days; return how many looks hold the truth, and
    how many there are.

    There is a look each week from the second on, for as long as the children grow.
    """
    held = seen = 0
    for number in range(children):
        start, days = ABILITIES[number % len(ABILITIES)] - logits / 2, 42
        random = rng(f"growing {a_day} {number}")

        def level(day: int, nth: int, start: float = start) -> float:
            return start + logits * day / 30

        band = AGE_BANDS[number % len(AGE_BANDS)]
        track, sitting = (
            Track(strand="counting"),
            Sitting(bank(band, "counting"), able(level), random),
        )
        for day in range(days):
            for row in sitting.answers(day, a_day):
                track = track.after(row)
            if day % 7 == 6 and day > 7:
                one = level_of(track, band, day)
                seen += 1
                held += one.low <= level(day, 0) <= one.high
    return held, seen


def growing_lines(children: int, rng: Seeded) -> Iterator[Measurement]:
    """Check that the likely range keeps up with children who grow. Without drift it would not."""
    for a_day in (1, 2, 3):
        held, seen = growing(children, a_day, rng)
        text = f"{per_cent(held, seen)} of {seen} looks at {children} children"
        what = f"growing by a logit in 30 days, {a_day} answers a day: range holds today's level"
        yield Measurement(
            what, text, ">= 85 %", held / seen >= HELD_GROWING - slack(HELD_GROWING, seen)
        )


def seen_after(gain: float, rng: Random, band: str, start: float, most: int = 120) -> int | None:
    """Return after how many answers a gain is told as growth, and a fall as one; None if `most`
    answers do not show it. There is a look a week."""
    child = [start]
    track = Track(strand="counting")
    sitting = Sitting(bank(band, "counting"), able(lambda day, nth: child[0]), rng)
    for week in range(60):
        for row in sitting.days(range(7 * week, 7 * week + 5), A_DAY):
            track = track.after(row)
        n = track.settled().n
        if n == BEFORE:
            child[0] += gain
        told = growth(track) if n > BEFORE else None
        if told is not None and (told.seen if gain >= 0 else told.fallen):
            return n - BEFORE
        if n >= BEFORE + most:
            return None
    return None


def gain_lines(children: int, rng: Seeded) -> Iterator[Measurement]:
    """Check how soon a gain and a fall are told."""
    for gain, what in (
        (1.0, "a gain of one logit"), (1.5, "a gain of one and a half"), (-1.5, "a fall of as much")
    ):  # fmt: skip
        found = [
            seen_after(
                gain,
                rng(f"gain {gain} {number}"),
                AGE_BANDS[number % len(AGE_BANDS)],
                ABILITIES[number % 5] + (0 if gain > 0 else 1.5),
            )
            for number in range(children)
        ]
        after = median(999 if one is None else one for one in found)
        soon = sum(one is not None and one <= GAIN_SEEN for one in found)
        text = (
            f"of {per_cent(soon, children)} of {children} children within {GAIN_SEEN} answers, "
            f"median {'over 120' if after == 999 else f'{after:g}'}"
        )
        yield Measurement(f"{what} is told", text, "of half of them", 2 * soon >= children)
