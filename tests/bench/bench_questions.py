"""What recording costs: an ask with its evidence beside the same ask without, and an answer.

Run: `python -m tests.bench.bench_questions [asks]`. Wanted: an ask that shows something of
remembering costs at most LIMIT times one that records nothing. Beside it, an answer to a question:
a transaction of its own, which no ask waits for. All of it on a real disk, each commit flushed.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from unittest.mock import patch

from classroom.database import db
from classroom.services import companions, evidence, matches, questions, rounds
from classroom.services.tables import Table
from tests.playing import make_classroom
from tests.questioning import put_question

LIMIT = 1.2
ASKS = 300


@contextmanager
def recording(on: bool) -> Iterator[list[int]]:
    """Inside the block evidence is kept, or thrown away; how many rows came with each call."""
    came: list[int] = []
    append = evidence.append

    def kept(child_id: int, rows: list[object]) -> tuple[int, ...]:
        came.append(len(rows))
        return append(child_id, rows) if on else ()  # type: ignore[arg-type]

    with patch.object(evidence, "append", kept):
        yield came


def turns(child_id: int) -> Iterator[Table]:
    """Tables at the child's turn, round after round."""
    while True:
        round_id = matches.start_match(child_id)
        while True:
            companions.play_now(round_id)
            table = rounds.table(round_id, 0)
            if table.over:
                break
            yield table


def measure(child_id: int, number: int) -> tuple[list[float], list[float], list[float]]:
    """Milliseconds of asks that record something, of such asks with it thrown away, of answers."""
    lots = Random(1)
    with_it, without, answers = [], [], []
    for count, table in enumerate(turns(child_id)):
        on = count % 2 == 0
        with recording(on) as came:
            began = time.perf_counter()
            action = lots.choice(table.observation.legal)
            rounds.play(table.round_id, 0, action, f"b{table.seq}", table.seq)
            took = 1000 * (time.perf_counter() - began)
        if any(came):
            (with_it if on else without).append(took)
        put_question(child_id, table.round_id, table.seq)
        began = time.perf_counter()
        questions.answer(table.round_id, child_id, table.seq, 1, "b")
        answers.append(1000 * (time.perf_counter() - began))
        if min(len(with_it), len(without)) >= number // 2:
            return with_it, without, answers
    raise AssertionError


def main(number: int = ASKS) -> None:
    """Print the figures of one run; a run on a busy machine is judged by its ratios only."""
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        room = make_classroom(Path(folder))
        with room.app.app_context():
            times = measure(room.children["Mia"], number)
            db.session.remove()
            db.engine.dispose()
    names = ("an ask with its evidence", "the same, nothing recorded", "an answer to a question")
    middles = [statistics.median(some) for some in times]
    for name, some, middle in zip(names, times, middles, strict=True):
        print(f"{name:28s} p50 {middle:6.2f} ms   ({len(some)} times)")
    ratio = middles[0] / middles[1]
    verdict = "ok" if ratio <= LIMIT else "TOO MUCH"
    print(f"recording, in asks without it {ratio:6.2f}   at most {LIMIT:.2f}   {verdict}")
    print(f"an answer, in asks            {middles[2] / middles[0]:6.2f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
