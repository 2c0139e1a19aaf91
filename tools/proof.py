"""`python -m tools.proof [--long]`: measure the estimates on simulated children.

All random numbers come from fixed seeds, so the results are the same every time; docs/learning.md
has them. This tests the arithmetic alone, not whole games played through the services.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from statistics import median
from typing import Final

from classroom.learning.alerts import struggling
from classroom.learning.drafts import Trial
from classroom.learning.estimates import Estimate, estimate
from classroom.learning.evidence import Evidence
from classroom.learning.intervals import wilson
from classroom.learning.ratings import AIM, Ability, chance
from classroom.learning.recall_span import recall
from classroom.learning.simulate import DAY_SECONDS, SimulatedChild, answered, plain_question
from classroom.learning.skills import ASKED

DAYS: Final = 30
SIZES: Final = (10, 20, 50, 100, 200)
SPANS: Final = (2.0, 4.0, 6.0, 10.0, 15.0)
LAGS: Final = tuple(range(1, 21))
RECALL_ITEMS: Final = 200


@dataclass(frozen=True, slots=True)
class Measurement:
    """One result: what was measured, what came out, what was wanted, and whether it held."""

    what: str
    result: str
    wanted: str
    held: bool


def answers(
    child: SimulatedChild, skill: str, n: int, rng: Random, options: int = 4, days: int = DAYS
) -> list[Evidence]:
    """`n` first answers of a child in one skill, spread over days and rounds."""
    rows = []
    for i in range(n):
        day = i * days // n
        question = plain_question(skill, rng, options=options, lag=rng.choice(LAGS))
        at = day * DAY_SECONDS + i
        rows.append(answered(child, question, rng, day=day, at=at, round_id=i // 5))
    return rows


def covered(skill: str, n: int, children: int, rng: Random) -> tuple[int, int]:
    """The number of children whose true share is inside the likely range, and of all children."""
    hits = 0
    for _ in range(children):
        truth = rng.uniform(0.25, 0.97)
        shown = estimate(
            answers(SimulatedChild(shares={skill: truth}), skill, n, rng), DAYS - 1, skill
        )
        hits += _holds(shown, truth)
    return hits, children


def _holds(shown: Estimate, truth: float) -> bool:
    return shown.low is not None and shown.high is not None and shown.low <= truth <= shown.high


def uneven_days(n: int, swing: float, children: int, rng: Random) -> float:
    """How often the range holds the long-run share if days vary by `swing` logits (deviation)."""
    hits = 0
    for _ in range(children):
        level = rng.uniform(-0.5, 2.5)
        days = max(1, n // 10)
        truth = sum(chance(level, rng.gauss(0, swing)) for _ in range(400)) / 400
        right = 0
        for _ in range(days):
            p = chance(level, rng.gauss(0, swing))
            right += sum(rng.random() < p for _ in range(n // days))
        low, high = wilson(right, n // days * days)
        hits += low <= truth <= high
    return hits / children


def recall_rows(child: SimulatedChild, items: int, rng: Random) -> list[Evidence]:
    """Recall answers mixed as in a game: 1/3 "what", 2/3 "who", of which a third are new items."""
    rows = []
    for i in range(items):
        lag = rng.choice(LAGS)
        if i % 3 == 0:
            question = plain_question("what_asked", rng, lag=lag)
        else:
            trial: Trial = "new" if rng.random() < 1 / 3 else "old"
            question = plain_question("who_asked", rng, lag=lag, trial=trial)
        day = i * DAYS // items
        at = day * DAY_SECONDS + i
        rows.append(answered(child, question, rng, day=day, at=at, round_id=i // 5))
    return rows


def spans_found(
    span: float, names: float, children: int, rng: Random, items: int = RECALL_ITEMS
) -> tuple[float, float, float]:
    """Mean and median of found span / true span, and how often the true one is in the range."""
    ratios, held = [], 0
    for _ in range(children):
        rows = recall_rows(SimulatedChild(span=span, names=names), items, rng)
        found = recall(rows).questions
        if found.half is not None and found.low is not None and found.high is not None:
            ratios.append(found.half / span)
            held += found.low <= span <= found.high
    return sum(ratios) / len(ratios), median(ratios), held / children


def guessers_mastering(children: int, items: int, rng: Random) -> int:
    """How many children who only guess are ever shown as high in the skill that they practise."""
    fooled = 0
    for child in range(children):
        skill = ASKED[child % len(ASKED)]
        options = 3 + child % 3  # three to five choices
        rows = answers(SimulatedChild(guesses=True), skill, items, rng, options)
        looks = range(20, items + 1, 20)
        fooled += any(estimate(rows[:n], DAYS - 1, skill).state == "high" for n in looks)
    return fooled


def helped_shown(children: int, items: int, rng: Random) -> int:
    """How many children with a span of one ask, who are always right because the board is open,
    are shown as remembering: with a percentage, a colour or a span."""
    fooled = 0
    for _ in range(children):
        rows = []
        for i in range(items):
            question = plain_question("who_asked", rng, lag=rng.choice(LAGS))
            at = i * 600.0
            rows.append(
                answered(SimulatedChild(span=1.0), question, rng, day=i // 10, at=at, board="open")
            )
        shown, picture = estimate(rows, items // 10, "who_asked"), recall(rows)
        fooled += shown.share is not None or shown.coloured or picture.questions.enough
    return fooled


def success_aimed_at(level: float, items: int, rng: Random) -> float:
    """The share of right answers, after the first 20, if each item is the one of eight that fits
    the rating best."""
    ability, right = Ability(), 0
    for i in range(items):
        at_hand = [rng.uniform(-5, 5) for _ in range(8)]
        item = min(at_hand, key=lambda d: abs(chance(ability.level, d, 0.25) - AIM))
        hit = rng.random() < chance(level, item, 0.25)
        ability = ability.after(hit, item, 0.25)
        right += hit and i >= 20
    return right / (items - 20)


def flagged(truths: Sequence[float], children: int, rng: Random) -> float:
    """The share of children flagged as struggling. `truths`: their chance of a right answer, at
    first and at last."""
    flags = 0
    first, last = truths[0], truths[-1]
    for _ in range(children):
        rows = []
        for i in range(30):
            share = first + (last - first) * i / 29
            question = plain_question("make_book", rng)
            child = SimulatedChild(shares={"make_book": share})
            rows.append(answered(child, question, rng, day=i * 20 // 30, at=i * 1000.0))
        flags += struggling(rows, 20, "make_book") is not None
    return flags / children


def results(scale: int, rng: Callable[[str], Random]) -> Iterator[Measurement]:
    """All measurements that have a wanted result. `scale`: multiplies the number of children."""
    yield from _ranges(scale, rng)
    yield from _spans(scale, rng)
    yield from _fooled(rng)
    yield from _choices(scale, rng)
    yield from _struggles(scale, rng)


def _ranges(scale: int, rng: Callable[[str], Random]) -> Iterator[Measurement]:
    for n in SIZES:
        counts = [covered(skill, n, 20 * scale, rng(f"{skill}{n}")) for skill in ASKED]
        hits, of = sum(h for h, _ in counts), sum(c for _, c in counts)
        text = f"{100 * hits / of:.1f} % of {of} children"
        yield Measurement(
            f"likely range holds the truth, {n} answers", text, ">= 93 %", hits >= 0.93 * of
        )


def _spans(scale: int, rng: Callable[[str], Random]) -> Iterator[Measurement]:
    for span in SPANS:
        mean, middle, held = spans_found(span, 0.6, 30 * scale, rng(f"span{span}"))
        text = (
            f"mean {mean:.3f}, median {middle:.3f} of the truth; range holds it {100 * held:.0f} %"
        )
        yield Measurement(
            f"recall span {span:g}, 200 items", text, "0.9 to 1.1", abs(mean - 1) <= 0.1
        )
    for names in (0.1, 1.0):
        mean, middle, held = spans_found(6.0, names, 30 * scale, rng(f"names{names}"))
        text = (
            f"mean {mean:.3f}, median {middle:.3f} of the truth; range holds it {100 * held:.0f} %"
        )
        who = "says nobody when in doubt" if names < 0.5 else "always names somebody"
        yield Measurement(f"recall span 6, {who}", text, "0.9 to 1.1", abs(mean - 1) <= 0.1)


def _fooled(rng: Callable[[str], Random]) -> Iterator[Measurement]:
    fooled = guessers_mastering(1000, 100, rng("guess"))
    yield Measurement(
        "children who only guess, shown as high", f"{fooled} of 1000", "0", fooled == 0
    )
    fooled = helped_shown(100, 60, rng("board"))
    yield Measurement(
        "helped by the board, shown as remembering", f"{fooled} of 100", "0", fooled == 0
    )


def _choices(scale: int, rng: Callable[[str], Random]) -> Iterator[Measurement]:
    for level in (-2.0, 0.0, 2.0):
        shares = [success_aimed_at(level, 220, rng(f"aim{level}{i}")) for i in range(20 * scale)]
        got = sum(shares) / len(shares)
        text = f"{100 * got:.1f} % right"
        yield Measurement(
            f"choice of items, ability {level:+g}", text, "75 to 80 %", 0.75 <= got <= 0.80
        )


def _struggles(scale: int, rng: Callable[[str], Random]) -> Iterator[Measurement]:
    for name, truths, most, least in (
        ("steady at 80 %", (0.80,), 0.05, 0.0),
        ("from 30 to 90 %", (0.30, 0.90), 0.20, 0.0),
        ("stays at 35 %", (0.35,), 1.0, 0.75),
    ):
        share = flagged(truths, 50 * scale, rng(name))
        wanted = f"<= {100 * most:.0f} %" if most < 1 else f">= {100 * least:.0f} %"
        text = f"{100 * share:.1f} % flagged"
        yield Measurement(f"struggling, 30 answers, {name}", text, wanted, least <= share <= most)


def uncovered(scale: int, rng: Callable[[str], Random]) -> Iterator[Measurement]:
    """Measurements of what the ranges do not cover; none has a wanted result."""
    for p, n in ((0.98, 10), (0.95, 20), (0.98, 50)):
        random = rng(f"edge{p}{n}")
        tries = 2000 * scale
        held = 0
        for _ in range(tries):
            low, high = wilson(sum(random.random() < p for _ in range(n)), n)
            held += low <= p <= high
        yield Measurement(
            f"true share {p:.0%}, {n} answers", f"{100 * held / tries:.1f} %", "-", True
        )
    for swing in (0.5, 1.0):
        held_share = uneven_days(100, swing, 400 * scale, rng(f"days{swing}"))
        text = f"{100 * held_share:.1f} %"
        yield Measurement(f"days that differ by {swing:g} logits, 100 answers", text, "-", True)


def table(lines: Sequence[Measurement]) -> str:
    """The lines as a Markdown table."""
    rows = [f"| {one.what} | {one.result} | {one.wanted} |" for one in lines]
    return "\n".join(("| looked at | result | wanted |", "| --- | --- | --- |", *rows))


def main(arguments: Sequence[str]) -> int:
    """Print the results; returns 1 if one of them is not as wanted."""
    scale = 10 if "--long" in arguments else 2

    def seeded(name: str) -> Random:
        return Random(f"proof {name}")

    lines = list(results(scale, seeded))
    print(table(lines))
    print("\nNot covered by the ranges, to be known:\n")
    print(table(list(uncovered(scale, seeded))))
    return 0 if all(line.held for line in lines) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
