"""Plain models that predict the next answer; bench_tutoring.py compares the level with them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import exp, log
from random import Random
from typing import Final

Pupil = Sequence[tuple[int, bool]]
Prediction = tuple[bool, float]
Shares = dict[int, float]

MOST: Final = 20  # only this many first answers of a pupil in a skill are predicted
UNKNOWN: Final = 0.65  # share of right answers to assume where there is no better estimate


def sequences(people: Sequence[Pupil]) -> dict[int, list[list[bool]]]:
    """The first answers of each pupil in each skill, by skill."""
    found: dict[int, list[list[bool]]] = defaultdict(list)
    for pupil in people:
        own: dict[int, list[bool]] = defaultdict(list)
        for skill, right in pupil:
            own[skill].append(right)
        for skill, answers in own.items():
            found[skill].append(answers[:MOST])
    return found


def shares_of(train: Sequence[Pupil]) -> Shares:
    """The share of right answers in each skill, with one right and one wrong answer added."""
    found = {}
    for skill, some in sequences(train).items():
        right, n = sum(map(sum, some)), sum(map(len, some))
        found[skill] = (right + 1) / (n + 2)
    return found


@dataclass(slots=True)
class Past:
    """What a pupil has answered so far, in one skill or in all."""

    right: int = 0
    wrong: int = 0
    newest: list[bool] = field(default_factory=list)
    average: float = UNKNOWN

    def add(self, right: bool, weight: float = 0.2) -> None:
        """Add one answer."""
        self.right += right
        self.wrong += not right
        self.newest = [*self.newest, right][-20:]
        self.average += weight * (right - self.average)

    def recent(self, count: int, usual: float) -> float:
        """Return the share of right ones among the newest `count` answers and two imaginary ones,
        which are right in the usual share."""
        some = self.newest[-count:]
        return (sum(some) + 2 * usual) / (len(some) + 2)


def _walk(test: Sequence[Pupil], shares: Shares) -> Iterator[tuple[int, bool, Past, Past]]:
    """Yield each answer to predict, with the pupil's past in its skill and in all skills."""
    for pupil in test:
        every, own = Past(), {}
        for skill, right in pupil:
            if skill not in own:
                own[skill] = Past(average=shares.get(skill, UNKNOWN))
            past = own[skill]
            if past.right + past.wrong < MOST:
                yield skill, right, past, every
            past.add(right)
            every.add(right, 0.1)


def base_rates(test: Sequence[Pupil], shares: Shares) -> Iterator[Prediction]:
    """Predict each skill's share of right answers, without knowledge of the pupil."""
    for skill, right, _, _ in _walk(test, shares):
        yield right, shares.get(skill, UNKNOWN)


def last_ten(test: Sequence[Pupil], shares: Shares) -> Iterator[Prediction]:
    """Predict the share of right ones among the last ten answers in the skill."""
    for skill, right, past, _ in _walk(test, shares):
        yield right, past.recent(10, shares.get(skill, UNKNOWN))


def moving_average(test: Sequence[Pupil], shares: Shares) -> Iterator[Prediction]:
    """Predict the moving average of the skill, which starts at the skill's share."""
    for _, right, past, _ in _walk(test, shares):
        yield right, past.average


# ---- Bayesian knowledge tracing


@dataclass(frozen=True, slots=True)
class Tracing:
    """The chances in one skill: that it is known at first, that an answer teaches it, that a guess
    is right, and that a slip makes a known answer wrong."""

    known: float = 0.4
    learns: float = 0.15
    guess: float = 0.25
    slip: float = 0.1

    def right(self, known: float) -> float:
        """Return the chance of a right answer, given the chance that the skill is known."""
        return known * (1 - self.slip) + (1 - known) * self.guess

    def seen(self, known: float, right: bool) -> float:
        """Return the chance that the skill was known, given the answer."""
        p = self.right(known) if right else 1 - self.right(known)
        return known * ((1 - self.slip) if right else self.slip) / p


STEPS: Final = 15  # steps of expectation and maximisation
SURELY: Final = 0.001  # every chance stays at least this far from 0 and 1


def bkt(train: Sequence[Pupil], test: Sequence[Pupil]) -> Iterator[Prediction]:
    """Predict by knowledge tracing, one fit for each skill."""
    of = {skill: traced(some) for skill, some in sequences(train).items()}
    for pupil in test:
        known: dict[int, float] = {}
        met: dict[int, int] = defaultdict(int)
        for skill, right in pupil:
            met[skill] += 1
            if met[skill] > MOST:
                continue
            fit = of.get(skill, Tracing())
            now = known.get(skill, fit.known)
            yield right, fit.right(now)
            seen = fit.seen(now, right)
            known[skill] = seen + (1 - seen) * fit.learns


def traced(some: Sequence[Sequence[bool]]) -> Tracing:
    """Fit a skill by expectation and maximisation, from one starting point."""
    fit = Tracing()
    for _ in range(STEPS):
        sums = [
            0.1,
            0.2,
            0.1,
            0.2,
            0.1,
            0.4,
            0.05,
            0.4,
        ]  # weak assumptions, which matter only if answers are few
        for answers in some:
            _expect(fit, answers, sums)
        known, learns, guess, slip = (
            min(max(sums[i] / sums[i + 1], SURELY), 1 - SURELY) for i in range(0, 8, 2)
        )
        fit = Tracing(known, learns, min(guess, 0.5), min(slip, 0.5))
    return fit


def _expect(fit: Tracing, answers: Sequence[bool], sums: list[float]) -> None:
    """Add to `sums` how often the event of each chance happened, and how often it could have."""
    before, seen = [fit.known], []
    for right in answers:
        seen.append(fit.seen(before[-1], right))
        before.append(min(seen[-1] + (1 - seen[-1]) * fit.learns, 1 - 1e-9))
    after = seen[-1]  # chance that it was known at each answer, given all answers
    for place in range(len(answers) - 1, -1, -1):
        if place < len(answers) - 1:
            unknown = (1 - after) * (1 - seen[place]) * (1 - fit.learns)
            stays = unknown / (1 - before[place + 1])  # not known here nor at the next answer
            moved = after * (1 - seen[place]) * fit.learns / before[place + 1]
            sums[2] += moved
            sums[3] += moved + stays
            after = 1 - moved - stays
        sums[4] += (1 - after) * answers[place]
        sums[5] += 1 - after
        sums[6] += after * (not answers[place])
        sums[7] += after
    sums[0] += after
    sums[1] += 1


# ---- logistic regression

EPOCHS: Final = 4
FIRST_STEP: Final = 0.05


def regression(
    train: Sequence[Pupil], test: Sequence[Pupil], all_skills: bool
) -> Iterator[Prediction]:
    """Predict by skill, counts and recent shares; `all_skills`: also by the pupil's counts and
    shares over all skills."""
    shares = shares_of(train)
    rows = [
        (skill, right, _features(skill, past, every, shares, all_skills))
        for skill, right, past, every in _walk(train, shares)
    ]
    size = len(rows[0][2])
    weights = [0.0] * size
    base = {skill: log(share / (1 - share)) for skill, share in shares.items()}
    rng = Random(1)
    for epoch in range(EPOCHS):
        rng.shuffle(rows)
        step = FIRST_STEP / (1 + 2 * epoch)
        for skill, right, values in rows:
            off = right - _chance(base[skill], weights, values)
            base[skill] += step * off
            weights = [w + step * off * v for w, v in zip(weights, values, strict=True)]
    usual = log(UNKNOWN / (1 - UNKNOWN))
    for skill, right, past, every in _walk(test, shares):
        values = _features(skill, past, every, shares, all_skills)
        yield right, _chance(base.get(skill, usual), weights, values)


def _chance(base: float, weights: Sequence[float], values: Sequence[float]) -> float:
    return 1 / (1 + exp(-base - sum([w * v for w, v in zip(weights, values, strict=True)])))


def _features(
    skill: int, past: Past, every: Past, shares: Shares, all_skills: bool
) -> tuple[float, ...]:
    usual = shares.get(skill, UNKNOWN)
    newest = past.newest[-1] if past.newest else 0.5
    found = (
        log(1 + past.right),
        log(1 + past.wrong),
        2 * (past.recent(10, usual) - usual),
        2 * (past.recent(5, usual) - usual),
        2 * (past.average - usual),
        newest - 0.5,
        float(not past.newest),
    )
    if not all_skills:
        return found
    return (
        *found,
        log(1 + every.right) / 3,
        log(1 + every.wrong) / 3,
        2 * (every.recent(20, UNKNOWN) - UNKNOWN),
        2 * (every.average - UNKNOWN),
    )
