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

from classroom.learning.drafts import Trial
from classroom.learning.evidence import Evidence
from classroom.learning.levels import level_of
from classroom.learning.ratings import AIM, Ability, chance
from classroom.learning.recall_span import recall
from classroom.learning.simulate import DAY_SECONDS, SimulatedChild, answered, plain_question
from classroom.learning.tracks import track

DAYS: Final = 30
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


def helped_shown(children: int, items: int, rng: Random) -> int:
    """How many children with a span of one ask, who are always right because the board is open,
    are shown as remembering: with a level or a span."""
    fooled = 0
    for _ in range(children):
        rows = []
        for i in range(items):
            question = plain_question("who_asked", rng, lag=rng.choice(LAGS))
            at = i * 600.0
            rows.append(
                answered(SimulatedChild(span=1.0), question, rng, day=i // 10, at=at, board="open")
            )
        shown, picture = level_of(track(rows, "recall"), "5-6", items // 10), recall(rows)
        fooled += shown.shown or picture.questions.enough
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


def results(scale: int, rng: Callable[[str], Random]) -> Iterator[Measurement]:
    """All measurements that have a wanted result. `scale`: multiplies the number of children."""
    yield from _spans(scale, rng)
    yield from _fooled(rng)
    yield from _choices(scale, rng)


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
    return 0 if all(line.held for line in lines) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
