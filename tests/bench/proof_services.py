"""Simulated children of known ability and memory play three weeks through the services.

    python -m tests.bench.proof_services [--scale 1]

The arithmetic is proved by `python -m tools.proof`; this covers the whole way: rounds and questions
by the services, evidence, tracks, and the report on the pages, with a simulated clock, at the
settings of a new class and three rounds a week. The children are of all ages. It prints a table of
docs/learning.md, and ends with status 1 if a line misses its target. The seeds are fixed. SCALE:
how many classes of ten children take part.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median
from typing import Final

from sqlalchemy import update

from classroom.app import create_app
from classroom.database import db, write_unit
from classroom.learning.levels import Level
from classroom.learning.report import Report
from classroom.learning.skills import AGE_BANDS, ASKED, SKILLS, Strand
from classroom.learning.tracks import SCALES
from classroom.models import Child
from classroom.services.base import clock, secrets_
from classroom.services.operation import background
from classroom.services.quiz import question_settings
from classroom.services.quiz.question_settings import QuestionChoice
from classroom.services.reports import skill_reports
from classroom.services.table import matches, rounds
from classroom.services.table.rounds import ViewedTable
from tests import simulated
from tests.playing import Classroom, fill
from tests.randomness import drawn_from
from tools.proof.lines import Measurement, per_cent, slack, table
from tools.simulate import SimulatedChild

WEEKS: Final = 3
ROUND_DAYS: Final = (0, 2, 4)  # days of a week with a round
START: Final = 1_790_000_000.0
SPANS: Final = (2.0, 4.0, 8.0)
RANGES: Final = 2  # the most number ranges that a likely range may span
SHARE: Final = 0.8
SHOWN: Final = 0.7
ALIKE: Final = 0.4
A_ROUND: Final = 8.0
HELD: Final = 0.93
KEY: Final = bytes(secrets_.KEY_BYTES)


@dataclass(frozen=True, slots=True)
class Played:
    """A child's true levels by strand, in logits, its report after the last day, and how often it
    was asked about each skill."""

    true: dict[Strand, float]
    report: Report
    asked: Counter[str]

    def level(self, strand: Strand) -> Level:
        """Return the level that the report shows for a strand."""
        return self.report.levels[strand]


def play(child_id: int, pupil: SimulatedChild, rng: Random) -> Counter[str]:
    """Play three rounds a week for three weeks, with arbitrary legal asks. Returns how often each
    skill was asked about."""
    asked: Counter[str] = Counter()
    for day in (7 * week + day for week in range(WEEKS) for day in ROUND_DAYS):
        now = [START + day * clock.SECONDS_A_DAY]
        with clock.clock_at(lambda now=now: now[0]):  # type: ignore[misc]
            asked.update(_round(child_id, pupil, rng, now))
    return asked


def _round(child_id: int, pupil: SimulatedChild, rng: Random, now: list[float]) -> Iterator[str]:
    def pass_(seconds: float) -> None:
        now[0] += seconds

    def think() -> None:
        pass_(rng.uniform(2.5, 6.0))

    def question(at: ViewedTable) -> Iterator[str]:
        one = simulated.answer(pupil, child_id, at, rng, think)
        if one is not None:
            yield one.skill

    round_id = matches.start_match(child_id)
    while True:
        while background.play_one(round_id):
            pass_(2.0)
        at = rounds.table(round_id, 0)
        yield from question(at)
        if at.over:
            return
        pass_(5.0)
        rounds.play(round_id, 0, rng.choice(at.observation.legal), f"p{at.seq}", at.seq)
        after = rounds.table(round_id, 0)
        if not after.over:
            yield from question(after)


def played(child_id: int, number: int) -> Played:
    """Let one child play, and read its report on the day after."""
    rng = Random(f"services {number}")
    true: dict[Strand, float] = {strand: rng.uniform(-1.5, 2.5) for strand in SCALES}
    levels = {skill: true[SKILLS[skill].strand] for skill in ASKED}
    pupil = SimulatedChild(levels=levels, span=SPANS[number % len(SPANS)])
    asked = play(child_id, pupil, rng)
    with clock.clock_at(START + (7 * WEEKS - 2) * clock.SECONDS_A_DAY):
        return Played(true, skill_reports.of_child(child_id), asked)


# ---- the results


def narrow_lines(children: Sequence[Played]) -> list[Measurement]:
    """Check that three weeks are enough for a level in Counting and in Adding."""
    found = []
    for strand in ("counting", "adding"):
        some = [one.level(strand) for one in children]
        widths = [(one.high - one.low) / SCALES[strand].unit for one in some]
        narrow = sum(width <= RANGES for width in widths)
        text = (
            f"{per_cent(narrow, len(some))} of {len(some)} children, "
            f"median {median(widths):.1f} from {median(one.n for one in some):g} answers"
        )
        what = f"{strand}, three weeks: likely range at most two number ranges wide"
        held = narrow / len(some) >= SHARE - slack(SHARE, len(some))
        found.append(Measurement(what, text, ">= 80 %", held))
    return found


def shown_lines(children: Sequence[Played]) -> list[Measurement]:
    """Check that three weeks say something about Comparing and Sorting too."""
    found = []
    for strand in ("comparing", "sorting"):
        some = [one.level(strand) for one in children]
        shown = sum(one.shown for one in some)
        text = (
            f"{per_cent(shown, len(some))} of {len(some)} children, "
            f"median {median(one.n for one in some):g} answers"
        )
        held = shown / len(some) >= SHOWN - slack(SHOWN, len(some))
        found.append(Measurement(f"{strand}, three weeks: a level is shown", text, ">= 70 %", held))
    return found


def mix_lines(children: Sequence[Played]) -> list[Measurement]:
    """Check that there are not too many questions for a game, and that those of Counting differ."""
    asked: Counter[str] = sum((one.asked for one in children), Counter())
    counting = sum(n for skill, n in asked.items() if SKILLS[skill].strand == "counting")
    a_round = asked.total() / (len(children) * WEEKS * len(ROUND_DAYS))
    given = asked["give_n"] / counting
    return [
        Measurement("questions a round", f"{a_round:.2f}", "<= 8", a_round <= A_ROUND),
        Measurement(
            "counting: questions that are “give Bear three”",
            f"{per_cent(asked['give_n'], counting)} of {counting}",
            "<= 40 %",
            given <= ALIKE,
        ),
    ]


def memory_line(children: Sequence[Played]) -> Measurement:
    """Check that something can be said about memory. These children ask for anything at random, so
    that all they show in play is luck."""
    levels = [one.level("recall") for one in children]
    said = sum(level.shown for level in levels)
    counts = median(level.n for level in levels)
    text = f"{per_cent(said, len(levels))} of {len(levels)} children, median n {counts:g}"
    held = said / len(levels) >= SHARE - slack(SHARE, len(levels))
    return Measurement("memory, three weeks: something is said", text, ">= 80 %", held)


def coverage_line(children: Sequence[Played]) -> Measurement:
    """Check that the shown ranges of all strands but memory contain the true levels."""
    looks = [
        one.level(strand).low <= one.true[strand] <= one.level(strand).high
        for one in children
        for strand in SCALES
        if strand != "recall" and one.level(strand).shown
    ]
    share = sum(looks) / max(len(looks), 1)
    text = f"{per_cent(sum(looks), len(looks))} of {len(looks)} shown levels"
    what = "likely range holds the true level"
    return Measurement(what, text, ">= 93 %", share >= HELD - slack(HELD, len(looks)))


def results(rooms: Sequence[Classroom]) -> list[Measurement]:
    """Let all children of these classes play, and look at their reports."""
    ids = [child_id for room in rooms for child_id in room.children.values()]
    secrets_.keep_key(db.engine, KEY)  # it decides when questions come
    with drawn_from(Random("services")):
        children = [played(child_id, number) for number, child_id in enumerate(ids)]
    levels = [*narrow_lines(children), *shown_lines(children)]
    return [*levels, memory_line(children), coverage_line(children), *mix_lines(children)]


def _of_all_ages(children: Sequence[int]) -> None:
    """Give the children all ages in turn. Their abilities do not depend on age."""
    with write_unit():
        for number, child_id in enumerate(children):
            band = AGE_BANDS[number % len(AGE_BANDS)]
            db.session.execute(update(Child).where(Child.id == child_id).values(age_band=band))


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
                question_settings.write(None, "class", room.class_id, QuestionChoice())
                _of_all_ages(list(room.children.values()))
            lines = results(rooms)
            db.session.remove()
            db.engine.dispose()
    print(table(lines))
    return 0 if all(line.held for line in lines) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
