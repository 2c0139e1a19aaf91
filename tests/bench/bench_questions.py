"""What recording costs: asks that leave evidence beside asks that leave none, and an answer.

    python -m tests.bench.bench_questions [asks]

Compared are asks of a child that show something of remembering, in three sorts of rounds: all is
kept; it is found out what they show, but nothing is written; nothing is looked at, as if there were
no learning. Wanted, of the processor's time, which a busy machine disturbs least: writing evidence
makes the service's ask at most LIMIT times as long, and all that has to do with evidence makes
what a child waits for after its tap on the page at most LIMIT times as long. Time on the clock
stands beside it, on a real disk, each commit flushed; and so does an answer to a question: a
transaction of its own, for which no ask waits.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, Final
from unittest.mock import patch

from classroom.database import db
from classroom.services import companions, evidence, matches, practice, questions, rounds
from classroom.services.tables import Table
from tests.playing import browser, make_classroom
from tests.questioning import put_question

LIMIT: Final = 1.2
ASKS: Final = 100
SORTS: Final = (
    ("service", "kept"),
    ("service", "judged"),
    ("service", "nothing"),
    ("page", "kept"),
    ("page", "nothing"),
)
WANTED: Final = (
    ("service, writing it", SORTS[0], SORTS[1]),
    ("page, all of it", SORTS[3], SORTS[4]),
)

Took = tuple[float, float]
"""Milliseconds of the processor, and on the clock."""


@contextmanager
def evidence_of(sort: str) -> Iterator[Callable[[], bool]]:
    """Evidence of asks is kept, judged or not looked at. Yields what tells, after an ask, whether
    it showed anything."""
    remembered, append = practice._remembered, evidence.append
    asked: list[Callable[[], Any]] = []
    rows: list[object] = []

    def remember(*ask: Any, **more: Any) -> Any:
        if sort != "nothing":
            return remembered(*ask, **more)
        asked.append(partial(remembered, *ask, **more))
        return {}

    def keep(child_id: int, some: Any) -> None:
        rows[:] = some
        if sort == "kept":
            append(child_id, some)

    def shows() -> bool:
        for late in asked:
            late()
        anything = bool(rows)
        asked.clear()
        rows.clear()
        return anything

    with patch.object(practice, "_remembered", remember), patch.object(evidence, "append", keep):
        yield shows


def turns(child_id: int) -> Iterator[Table]:
    """The child's table at each of its turns in one round."""
    round_id = matches.start_match(child_id)
    while True:
        companions.play_now(round_id)
        table = rounds.table(round_id, 0)
        if table.over:
            return
        yield table


def timed(do: Callable[[], Any]) -> Took:
    """What it takes."""
    worked, began = time.process_time(), time.perf_counter()
    do()
    return 1000 * (time.process_time() - worked), 1000 * (time.perf_counter() - began)


def measure(folder: Path, number: int) -> dict[tuple[str, str], list[Took]]:
    """Asks and answers by way and sort, so many of each at least."""
    room = make_classroom(folder)
    child_id, page, lots = room.children["Mia"], browser(room), Random(1)
    page.get("/play/")
    took: dict[tuple[str, str], list[Took]] = {sort: [] for sort in SORTS}
    answers: list[Took] = []
    with room.app.app_context():
        while min(map(len, took.values())) < number:
            for (way, sort), mine in took.items():
                with evidence_of(sort) as shows:
                    for table in turns(child_id):
                        one = _ask(table, lots, page if way == "page" else None)
                        if shows():
                            mine.append(one)
            answers += _answers(child_id)
        db.session.remove()
        db.engine.dispose()
    return took | {("answer", "kept"): answers}


def _ask(table: Table, lots: Random, page: Any) -> Took:
    action = lots.choice(table.observation.legal)
    if page is None:
        key = f"b{table.seq}"
        return timed(lambda: rounds.play(table.round_id, 0, action, key, table.seq))
    return timed(lambda: page.move(table.round_id, action, table.seq))


def _answers(child_id: int) -> Iterator[Took]:
    table = next(turns(child_id))
    put_question(child_id, table.round_id, table.seq)
    yield timed(lambda: questions.answer(table.round_id, child_id, table.seq, 1, "b"))


def main(number: int = ASKS) -> int:
    """Print the figures of one run; status 1 if recording takes too much."""
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:  # a real disk
        took = measure(Path(folder), number)
    print("milliseconds, middle    processor    clock   times")
    middles = {}
    for (way, sort), some in took.items():
        middles[way, sort] = processor, on_clock = [median(one) for one in zip(*some, strict=True)]
        print(f"{way + ', ' + sort:22} {processor:10.2f} {on_clock:8.2f} {len(some):7}")
    held = True
    for text, kept, beside in WANTED:
        ratio, on_clock = (a / b for a, b in zip(middles[kept], middles[beside], strict=True))
        held &= ratio <= LIMIT
        print(f"{text:22} {ratio:10.2f} {on_clock:8.2f}   at most {LIMIT:.2f}")
    print("ok" if held else "TOO MUCH")
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
