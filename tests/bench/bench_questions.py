"""The cost of recording: asks with and without evidence, and an answer to a question.

    python -m tests.bench.bench_questions [asks]

It compares asks that show something about remembering in three sorts of rounds: with evidence
written; with evidence judged but not written; and without judging, as if there were no learning.
Each sort plays the same rounds, card for card, so an ask is compared with itself. Each starts with
an empty cache of pages and some rounds to warm up, and the order alternates. The targets are
medians of processor time, which a busy machine disturbs least: writing evidence makes the service's
ask at most LIMIT times as long, and all work for evidence makes the answer to a tap at most LIMIT
times as long. Wall time on a real disk, with each commit flushed, is printed too, as are an answer
to a question and the counting of MANY rows, which are separate transactions that delay no ask.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, Final
from unittest.mock import patch

from classroom.database import db, write_unit
from classroom.engine.actions import Action
from classroom.models import EvidenceRow
from classroom.services.operation import background
from classroom.services.quiz import posing
from classroom.services.table import evidence_log, matches, recording, rounds
from classroom.services.table.rounds import ViewedTable
from classroom.web.http import pages
from tests.playing import browser, make_classroom
from tests.questioning import put_question

LIMIT: Final = 1.2
ASKS: Final = 300
WARM: Final = 6  # rounds to warm up
TOGETHER: Final = 6  # rounds measured in a row
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
"""Milliseconds of processor time and of wall time."""
Asked = tuple[tuple[int, int, Action], Took]
"""An ask (its round, its number, the action) and its time."""


@contextmanager
def evidence_of(sort: str) -> Iterator[Callable[[], bool]]:
    """Keep, judge or ignore the evidence of asks. Yields a function that says, after an ask,
    whether it showed anything."""
    remembered, append = recording._remembered, evidence_log.write
    asked: list[Callable[[], Any]] = []
    rows: list[tuple[int, Any]] = []

    def remember(*ask: Any) -> None:
        if sort == "nothing":
            asked.append(partial(remembered, *ask))
        else:
            remembered(*ask)

    def keep(child_id: int, some: Any, *, at_home: bool = False) -> None:
        rows.extend((child_id, one) for one in some)
        if sort == "kept":
            append(child_id, some, at_home=at_home)

    def shows() -> bool:
        for late in asked:
            late()
        anything = bool(rows)
        if anything and sort != "kept":
            # A fact counts only at its first use, and these rows tell the next ask which facts were
            # used. So they are written now, after the timing.
            with write_unit():
                for child_id, one in rows:
                    append(child_id, [one])
        asked.clear()
        rows.clear()
        return anything

    with (
        patch.object(recording, "_remembered", remember),
        patch.object(evidence_log, "write", keep),
    ):
        yield shows


def turns(child_id: int, number: int) -> Iterator[ViewedTable]:
    """The child's table at each of its turns in one round. The same number always gives the same
    round."""
    with patch.object(matches, "_random", Random(number)):
        round_id = matches.start_match(child_id)
    while True:
        background.play_now(round_id)
        table = rounds.table(round_id, 0)
        if table.over:
            return
        yield table


def timed(do: Callable[[], Any]) -> Took:
    """The milliseconds of a call: processor time and wall time."""
    worked, began = time.process_time(), time.perf_counter()
    do()
    return 1000 * (time.process_time() - worked), 1000 * (time.perf_counter() - began)


def measure(folder: Path, number: int) -> dict[tuple[str, str], list[Took]]:
    """Time at least `number` asks in each way and sort, the same asks in all of them, then answers
    and the counting of rows. Returns the times by way and sort."""
    room = make_classroom(folder)
    child_id, page = room.children["Mia"], browser(room)
    page.get("/play/")
    took: dict[tuple[str, str], list[Asked]] = {sort: [] for sort in SORTS}
    answers: list[Took] = []
    counted: list[Took] = []
    with room.app.app_context():
        for block in count():
            deals = range(block * TOGETHER, block * TOGETHER + WARM + TOGETHER)
            for way, sort in SORTS if block % 2 else SORTS[::-1]:
                pages._drawn.cache_clear()
                with evidence_of(sort) as shows:
                    for deal in deals:
                        some = asks(child_id, deal, page if way == "page" else None, shows)
                        took[way, sort] += some if deal in deals[WARM:] else ()
            answers += (_answer(child_id, deal) for deal in deals[WARM:])
            counted += _counted(child_id)
            if len(took[SORTS[0]]) >= number:
                break
        db.session.remove()
        db.engine.dispose()
    asked = [[which for which, _ in some] for some in took.values()]
    if any(one != asked[0] for one in asked):
        raise SystemExit("the sorts were not asked the same")
    times = {sort: [one for _, one in some] for sort, some in took.items()}
    return times | {("answer", "kept"): answers, ("some rows", "counted"): counted}


def asks(child_id: int, deal: int, page: Any, shows: Callable[[], bool]) -> list[Asked]:
    """The asks of one round that show something about remembering, with their times."""
    lots, found = Random(deal), []
    for table in turns(child_id, deal):
        action = lots.choice(table.observation.legal)
        took = _ask(table, action, page)
        if shows():
            found.append(((deal, table.seq, action), took))
    return found


def _counted(child_id: int) -> Iterator[Took]:
    """Count new rows of the child, MANY at a time, as the background thread does. Yields times."""
    evidence_log.count_new(child_id)
    rows = [row for _, row in evidence_log.rows_of(EvidenceRow.child_id == child_id)]
    for at in range(0, 4 * evidence_log.MANY, evidence_log.MANY):
        with write_unit():
            evidence_log.append(child_id, rows[at : at + evidence_log.MANY])
        yield timed(lambda: evidence_log.count_new(child_id))


def _ask(table: ViewedTable, action: Action, page: Any) -> Took:
    if page is None:
        key = f"b{table.seq}"
        return timed(lambda: rounds.play(table.round_id, 0, action, key, table.seq))
    return timed(lambda: page.move(table.round_id, action, table.seq))


def _answer(child_id: int, deal: int) -> Took:
    table = next(turns(child_id, deal))
    put_question(child_id, table.round_id, table.seq)
    return timed(lambda: posing.answer(table.round_id, child_id, table.seq, 1, "b"))


def main(number: int = ASKS) -> int:
    """Print the results of one run. Returns 1 if recording takes too long."""
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:  # a disk, not memory
        took = measure(Path(folder), number)
    print("milliseconds, middle    processor    clock   times")
    for (way, sort), some in took.items():
        processor, on_clock = (median(one) for one in zip(*some, strict=True))
        print(f"{way + ', ' + sort:22} {processor:10.2f} {on_clock:8.2f} {len(some):7}")
    held = True
    for text, kept, beside in WANTED:
        pairs = zip(took[kept], took[beside], strict=True)
        ratio, on_clock = map(
            median, zip(*((a / c, b / d) for (a, b), (c, d) in pairs), strict=True)
        )
        held &= ratio <= LIMIT
        print(f"{text:22} {ratio:10.2f} {on_clock:8.2f}   at most {LIMIT:.2f}")
    print("ok" if held else "TOO MUCH")
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
