"""How the cost of an ask grows with the moves of its match and with the rounds of the school.

    python -m tests.bench.bench_growth                 up to 1,000,000 finished rounds
    python -m tests.bench.bench_growth 10000           up to 10,000

The same rounds, card by card and ask by ask, are played at all tables in turn, so that each ask is
measured in all cases at nearly the same time. The output is medians and their ratio to the
smallest case. The finished rounds are copies of one played round, each with MOVES of its moves.
They belong to CHILDREN children, including the measured one.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final

from sqlalchemy import Table, insert, select

from classroom.database import db, write_unit
from classroom.engine import shuffled
from classroom.engine.actions import Ask
from classroom.games import GAMES
from classroom.models import ChildRound, EvidenceRow, Match, Move, Player, Round
from classroom.services.table import matches, rounds
from tests.playing import (
    Browser,
    Classroom,
    browser,
    fill,
    make_classroom,
    re_deal,
    settings,
    stacked,
)

FINISHED: Final = (100, 10_000, 1_000_000)  # rounds in the database
IN_MATCH: Final = (10, 100, 1_000)  # moves in the match
MOVES: Final = 4  # rows of the log for each finished round
CLASS: Final = 30
CHILDREN: Final = 10 * CLASS
ROUNDS: Final = 6  # measured rounds, each from its deal to its end
LIMIT: Final = 1.2
BATCH: Final = 5_000  # rounds inserted at once
FIRST: Final = 1_000  # the ids of the copies begin after this one


@dataclass
class Case:
    """A measured table, and the times of its asks in milliseconds."""

    name: str
    room: Classroom
    reader: Browser
    round_id: int = 0
    took: list[float] = field(default_factory=list)

    def deal(self, seed: int) -> None:
        """Deal the next round of the match, with the same cards in every case."""
        mia = self.room.children["Mia"]
        with self.room.app.app_context(), stacked(_deck(seed), dealer=0):
            if self.round_id:
                match_id = rounds.table(self.round_id, 0).match_id
                self.round_id = matches.next_round(match_id, mia)
            else:
                self.round_id = matches.start_match(mia)
            re_deal(self.round_id, dealer=0)

    def step(self, rng: Random, *, measured: bool) -> bool:
        """Make one move of the round. Returns False when it is over."""
        with self.room.app.app_context():
            turn = rounds.table(self.round_id, 0).observation.turn
            if turn is None:
                return False
            table = rounds.table(self.round_id, turn)
            action = rng.choice(table.observation.legal)
            if turn or not measured:
                by = "computer" if turn else "child"
                rounds.play(self.round_id, turn, action, f"k{table.seq}", table.seq, by)
                return True
        assert isinstance(action, Ask)
        began = time.perf_counter()
        answer = self.reader.ask(self.round_id, action.target, action.class_, table.seq)
        self.took.append((time.perf_counter() - began) * 1000)
        assert answer.status_code == 200
        return True


def _deck(seed: int) -> list[Any]:
    return shuffled(GAMES["classic"].rules, Random(seed))


def make_case(name: str, folder: Path) -> Case:
    room = make_classroom(folder, CLASS)
    for _ in range(CHILDREN // CLASS - 1):
        fill(room.app, CLASS)
    with room.app.app_context():
        settings(room.children["Mia"], opponents=1, deck="full", level="perch")
    reader = browser(room)
    reader.get("/play/")
    return Case(name, room, reader)


def measure(cases: Sequence[Case]) -> None:
    """Play the same rounds in all cases: each move in every case before the next move."""
    for number in range(ROUNDS):
        for case in cases:
            case.deal(1000 + number)
        lots = [Random(number) for _ in cases]
        going = True
        while going:
            turns = [case.step(rng, measured=True) for case, rng in zip(cases, lots, strict=True)]
            going = all(turns)
            assert going == any(turns)  # the same round everywhere


def tell(cases: Sequence[Case]) -> None:
    base = statistics.median(cases[0].took)
    for case in cases:
        p50 = statistics.median(case.took)
        verdict = "" if case is cases[0] else "ok" if p50 <= LIMIT * base else "TOO MUCH"
        print(
            f"{case.name:34s} an ask {p50:6.2f} ms  {p50 / base:5.2f} x  {verdict}"
            f"  ({len(case.took)} asks)"
        )


# ---- the two questions


def with_moves(folder: Path) -> list[Case]:
    """Make tables whose matches already have at least these numbers of moves."""
    cases = []
    for moves in IN_MATCH:
        case = make_case(f"{moves:,} moves in the match", folder / f"m{moves}")
        made, seed = 0, 0
        while made < moves:
            case.deal(seed)
            rng = Random(seed)
            while made < moves and case.step(rng, measured=False):
                made += 1
            seed += 1
        while case.step(rng, measured=False):
            pass
        cases.append(case)
    return cases


def with_rounds(folder: Path, sizes: Sequence[int]) -> list[Case]:
    """Make tables in schools with these numbers of finished rounds."""
    cases = []
    for size in sizes:
        case = make_case(f"{size:,} finished rounds", folder / f"r{size}")
        with case.room.app.app_context():
            _fill(size, case.room)
        cases.append(case)
    return cases


def _fill(size: int, room: Classroom) -> None:
    """Insert finished rounds: copies of one that was played, for all children in turn. This
    bypasses the services, because playing a million rounds would take days.
    """
    mia = room.children["Mia"]
    round_id = matches.start_match(mia)
    _play_out(round_id)
    sample = _rows(round_id)
    for first in range(1, size + 1, BATCH):
        with write_unit():
            for table, rows in _copies(sample, range(first, min(first + BATCH, size + 1)), mia):
                db.session.execute(insert(table), rows)
    with db.engine.connect() as connection:
        connection.exec_driver_sql("ANALYZE")


def _play_out(round_id: int) -> None:
    rng = Random(7)
    while (turn := rounds.table(round_id, 0).observation.turn) is not None:
        table = rounds.table(round_id, turn)
        by = "computer" if turn else "child"
        action = rng.choice(table.observation.legal)
        rounds.play(round_id, turn, action, f"k{table.seq}", table.seq, by)


def _rows(round_id: int) -> dict[Table, list[dict[str, Any]]]:
    """The rows that a round left in the database, but only the first MOVES of its moves and of its
    evidence."""
    match_id = rounds.table(round_id, 0).match_id
    found = {}
    for model, column, value in (
        (Match, "id", match_id),
        (Player, "match_id", match_id),
        (Round, "id", round_id),
        (Move, "round_id", round_id),
        (ChildRound, "round_id", round_id),
        (EvidenceRow, "round_id", round_id),
    ):
        table = model.__table__
        rows = db.session.execute(select(table).where(table.c[column] == value)).mappings()
        found[table] = [dict(row) for row in rows][
            : MOVES if model in (Move, EvidenceRow) else None
        ]
    db.session.rollback()
    return found


def _copies(
    sample: dict[Table, list[dict[str, Any]]], numbers: range, mia: int
) -> Iterator[tuple[Table, list[dict[str, Any]]]]:
    """Copies of the sample with new ids, for the children in turn."""
    for table, rows in sample.items():
        copies = []
        for number in numbers:
            for row in rows:
                copy = {name: value for name, value in row.items() if name != "id"}
                if table.name in ("matches", "rounds"):
                    copy["id"] = FIRST + number
                for name in ("match_id", "round_id"):
                    if name in copy:
                        copy[name] = FIRST + number
                if copy.get("child_id") is not None:
                    copy["child_id"] = mia + number % CHILDREN
                copies.append(copy)
        if copies:
            yield table, copies


def main(largest: int = FINISHED[-1]) -> None:
    """Measure both sorts of cases, and print a table of results for each."""
    with tempfile.TemporaryDirectory(dir=Path.cwd(), ignore_cleanup_errors=True) as folder:
        cases = with_moves(Path(folder))
        measure(cases)
        tell(cases)
        cases = with_rounds(Path(folder), [size for size in FINISHED if size <= largest])
        measure(cases)
        tell(cases)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
