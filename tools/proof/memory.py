"""What reports show about children whose memory is known: spans, alarms, help from the board."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from statistics import median
from typing import Final

from classroom.learning.drafts import Trial
from classroom.learning.evidence import Evidence
from classroom.learning.levels import level_of
from classroom.learning.recall_span import recall, remembered
from classroom.learning.report import report
from classroom.learning.simulate import DAY_SECONDS, SimulatedChild, answered, plain_question
from classroom.learning.tracks import track
from tools.proof.lines import Measurement, Seeded, per_cent

DAYS: Final = 30
SPANS: Final = (2.0, 4.0, 6.0, 10.0, 15.0)
ALARM_SPANS: Final = (2.0, 4.0, 8.0)
LAGS: Final = tuple(range(1, 21))
ITEMS: Final = 200
POWER: Final = 1.0  # exponent of forgetting by a power law
TAKEN_IN: Final = 0.7

Memory = str
"""How a child forgets: "exponential", "power", or "takes in 70 %" and then exponentially."""
MEMORIES: Final[tuple[Memory, ...]] = ("exponential", "power", "takes in 70 %")


def kept(memory: Memory, lag: int, span: float) -> float:
    """Return the chance that something `lag` asks ago is remembered. At a lag of one span, half of
    what was taken in is left."""
    if memory == "power":
        return float((1 + lag / span) ** -POWER)
    share = TAKEN_IN if memory.startswith("takes") else 1.0
    return share * remembered(lag, span)


def recall_rows(child: SimulatedChild, items: int, rng: Random) -> list[Evidence]:
    """Return recall answers mixed as in a game: a third "what", the rest "who", a third of those
    about new items."""
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
    span: float, names: float, children: int, rng: Random, items: int = ITEMS
) -> tuple[float, float, float]:
    """Return the mean and median of found span / true span, and how often the range holds the true
    one."""
    ratios, held = [], 0
    for _ in range(children):
        rows = recall_rows(SimulatedChild(span=span, names=names), items, rng)
        found = recall(rows).questions
        if found.half is not None and found.low is not None and found.high is not None:
            ratios.append(found.half / span)
            held += found.low <= span <= found.high
    return sum(ratios) / len(ratios), median(ratios), held / children


def helped_shown(children: int, items: int, rng: Random) -> int:
    """Return how many children with a span of one ask, who are helped by the open board, are shown
    as remembering: with a level or a span."""
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


def alarmed(memory: Memory, span: float, rng: Random) -> bool:
    """Whether a child with this memory raises any alarm in 200 questions about what was asked."""
    rows = []
    for i in range(ITEMS):
        lag = rng.choice(LAGS)
        question = plain_question("what_asked", rng, lag=lag)
        knows = rng.random() < kept(memory, lag, span)
        child = SimulatedChild(shares={"what_asked": 1.0} if knows else {}, guesses=not knows)
        day = i * DAYS // ITEMS
        rows.append(answered(child, question, rng, day=day, at=day * DAY_SECONDS + i, round_id=i))
    return bool(report(rows, DAYS, "7-9").signals)


def memory_lines(scale: int, rng: Seeded) -> Iterator[Measurement]:
    """Check spans and alarms, and that answers with an open board show no memory.

    An alarm that compares the share remembered with the share wanted in counting would fail: it
    would call children with ordinary memories "struggling".
    """
    for span in SPANS:
        yield _span_line(f"recall span {span:g}, {ITEMS} items", span, 0.6, scale, rng)
    for names, who in ((0.1, "says nobody when in doubt"), (1.0, "always names somebody")):
        yield _span_line(f"recall span 6, {who}", 6.0, names, scale, rng)
    children = 10 * scale
    for memory in MEMORIES:
        found = sum(
            alarmed(memory, span, rng(f"alarm {memory} {span} {number}"))
            for span in ALARM_SPANS
            for number in range(children)
        )
        n = children * len(ALARM_SPANS)
        yield Measurement(
            f"memory of 2 to 8 asks ({memory}): ever flagged",
            f"{per_cent(found, n)} of {n} children",
            "<= 5 %",
            found / n <= 0.05,
        )
    fooled = helped_shown(100, 60, rng("board"))
    yield Measurement(
        "helped by the board, shown as remembering", f"{fooled} of 100", "0", fooled == 0
    )


def _span_line(what: str, span: float, names: float, scale: int, rng: Seeded) -> Measurement:
    mean, middle, held = spans_found(span, names, 30 * scale, rng(what))
    text = f"mean {mean:.3f}, median {middle:.3f} of the truth; range holds it {100 * held:.0f} %"
    return Measurement(what, text, "0.9 to 1.1", abs(mean - 1) <= 0.1)
