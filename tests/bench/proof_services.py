"""Simulated children with known skill and memory play for 30 days through the services.

    python -m tests.bench.proof_services [--scale 1]

The arithmetic is proved by `python -m tools.proof`; this covers the whole way: rounds and questions
by the services, evidence, tallies, and the report on the pages, with a simulated clock. It prints a
table of docs/learning.md, and ends with status 1 if a line misses its target. SCALE: how many
classes of ten children take part.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from statistics import median
from typing import Final

from classroom.app import create_app
from classroom.database import db
from classroom.learning.report import Report
from classroom.learning.simulate import SimulatedChild
from classroom.learning.skills import ASKED, RECALL
from classroom.services.base import clock
from classroom.services.operation import background
from classroom.services.quiz import question_settings
from classroom.services.quiz.question_settings import Choice
from classroom.services.reports import skill_reports
from classroom.services.table import matches, rounds
from tests import simulated
from tests.playing import Classroom, fill, settings
from tools.proof import Line, table

DAYS: Final = 30
RECALL_ONLY: Final = frozenset(RECALL) & frozenset(ASKED)
SPANS: Final = (3.0, 6.0, 10.0)
START: Final = 1_790_000_000.0
ENOUGH: Final = 150  # questions about memory after which a span must be right


def play_days(child_id: int, pupil: SimulatedChild, rng: Random, a_day: int) -> None:
    """Play this many rounds on each of thirty days, with arbitrary legal asks."""
    for day in range(DAYS):
        now = [START + day * clock.SECONDS_A_DAY]
        with clock.clock_at(lambda now=now: now[0]):  # type: ignore[misc]
            for _ in range(a_day):
                _round(child_id, pupil, rng, now)


def _round(child_id: int, pupil: SimulatedChild, rng: Random, now: list[float]) -> None:
    def pass_(seconds: float) -> None:
        now[0] += seconds

    round_id = matches.start_match(child_id)
    while True:
        while background.play_one(round_id):
            pass_(2.0)
        at = rounds.table(round_id, 0)
        simulated.answer(pupil, child_id, at, rng, lambda: pass_(rng.uniform(2.5, 6.0)))
        if at.over:
            return
        pass_(5.0)
        rounds.play(round_id, 0, rng.choice(at.observation.legal), f"p{at.seq}", at.seq)
        after = rounds.table(round_id, 0)
        if not after.over:
            simulated.answer(pupil, child_id, after, rng, lambda: pass_(rng.uniform(2.5, 6.0)))


def shown(
    child_id: int,
    pupil: SimulatedChild,
    seed: str,
    skills: Iterable[str] = ASKED,
    board: str = "off",
    a_day: int = 1,
) -> Report:
    """The report of a child after thirty days."""
    settings(child_id, opponents=3, deck="short", level="minnow", board=board, hints=False)
    question_settings.set_child(None, child_id, Choice("every_turn", frozenset(skills)))
    play_days(child_id, pupil, Random(seed), a_day)
    with clock.clock_at(START + DAYS * clock.SECONDS_A_DAY):
        return skill_reports.of_child(child_id)


# ---- the results


def coverage(children: Sequence[int]) -> Line:
    """Check that the likely ranges of all skills hold the true shares."""
    held = seen = 0
    least, most = 10**6, 0
    for number, child_id in enumerate(children):
        rng = Random(f"shares {number}")
        truth = {skill: rng.uniform(0.25, 0.97) for skill in ASKED}
        report = shown(child_id, SimulatedChild(shares=truth), f"play {number}")
        for skill, true in truth.items():
            one = report.estimates[skill]
            if one.low is not None and one.high is not None:
                seen += 1
                held += one.low <= true <= one.high
                least, most = min(least, one.n), max(most, one.n)
    share = held / max(seen, 1)
    text = f"{100 * share:.1f} % of {seen} lines of {len(children)} children, n {least} to {most}"
    # with a few hundred lines, a true 93 % falls below this once in twenty runs
    slack = 1.645 * (0.93 * 0.07 / max(seen, 1)) ** 0.5
    return Line("services: likely range holds the truth", text, ">= 93 %", share >= 0.93 - slack)


def spans(children: Sequence[int]) -> Line:
    """Check that the recall span has no bias."""
    ratios, items = [], []
    for number, child_id in enumerate(children):
        span = SPANS[number % len(SPANS)]
        pupil = SimulatedChild(span=span)
        report = shown(child_id, pupil, f"span {number}", RECALL_ONLY, a_day=2)
        found = report.recall.questions
        if found.half is not None and found.n >= ENOUGH:
            ratios.append(found.half / span)
            items.append(found.n)
    if not ratios:
        return Line("services: recall span found", "too few items", "0.9 to 1.1", False)
    mean = sum(ratios) / len(ratios)
    of = f"{min(items)} to {max(items)} items"
    text = f"mean {mean:.3f}, median {median(ratios):.3f} of the truth, {of}"
    error = 1.645 * (sum((r - mean) ** 2 for r in ratios) / len(ratios) / len(ratios)) ** 0.5
    held = 0.9 - error <= mean <= 1.1 + error
    return Line(f"services: recall spans of {len(ratios)} children", text, "0.9 to 1.1", held)


def guessers(children: Sequence[int]) -> Line:
    """Check that no child who only guesses is shown as high."""
    fooled = lines = 0
    for number, child_id in enumerate(children):
        report = shown(child_id, SimulatedChild(guesses=True), f"guess {number}")
        states = [one.state for one in report.estimates.values() if one.skill in ASKED]
        lines += sum(state != "none" for state in states)
        fooled += "high" in states
    text = f"{fooled} of {len(children)} ({lines} lines)"
    return Line("services: children who only guess, shown as high", text, "0", fooled == 0)


def helped(children: Sequence[int]) -> Line:
    """Check that a child who remembers one ask and looks everything up does not seem to
    remember."""
    fooled = aided = 0
    for number, child_id in enumerate(children):
        pupil = replace(SimulatedChild(), span=1.0)
        report = shown(child_id, pupil, f"board {number}", RECALL_ONLY, board="open")
        found = report.recall.questions
        aided += report.recall.aided.n
        lines = [one for one in report.estimates.values() if one.skill in RECALL_ONLY]
        fooled += any(one.state == "high" for one in lines) or (
            found.low is not None and found.low > 2.0
        )
    text = f"{fooled} of {len(children)} ({aided} answers with the board, not counted)"
    return Line("services: helped by the board, shown as remembering", text, "0", fooled == 0)


def results(rooms: Sequence[Classroom]) -> list[Line]:
    """All lines. Each is made with children of its own, this many from each class; every child
    plays alone against computer players."""
    left = [iter(room.children.values()) for room in rooms]

    def some(number: int) -> list[int]:
        return [next(children) for _ in range(number) for children in left]

    found = []
    for look, number in ((coverage, 4), (spans, 3), (guessers, 2), (helped, 1)):
        found.append(look(some(number)))
        print(table([found[-1]]).splitlines()[-1], flush=True)
    return found


def main(arguments: Sequence[str]) -> int:
    """Print the results. Returns 1 if one of them misses its target."""
    parser = argparse.ArgumentParser(description="Simulated children through the services.")
    parser.add_argument("--scale", type=int, default=1)
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        app = create_app({"INSTANCE": str(Path(folder)), "LOOK_AROUND": False})
        rooms = [fill(app, 10) for _ in range(given.scale)]
        with app.app_context():
            for room in rooms:
                question_settings.set_class(None, room.class_id, Choice("every_turn"))
            lines = results(rooms)
            db.session.remove()
            db.engine.dispose()
    print(table(lines))
    return 0 if all(line.held for line in lines) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
