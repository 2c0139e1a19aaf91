"""The number of children that one machine can serve: real clients and streams, think times, a kill.

    python -m tests.bench.bench_load                  30, then 500 children, and boardgame.io
    python -m tests.bench.bench_load --children 60 --tables 18 --seconds 20 --no-peer
    python -m tests.bench.bench_load --most           the most children with a p99 under 300 ms

Every child is one client with a session and one open stream of its own; it thinks for 2 to 6
seconds, asks what its page offers, and goes on. A teacher's page shows each class live. The
result is the time from sending an ask until *another* seat of the table has the move on its stream,
matched after the run. Half way, the server is killed with SIGKILL and started again, and the
clients reconnect. At the end every acknowledged ask is looked up in the database.

The same clients then play the same game on boardgame.io's server (`boardgame/server.js`; its
package is installed by npm into a temporary folder). It keeps its matches in memory, so it is not
killed. It serves about six times as many children per core (60 children: ours 0.16 times theirs),
because it only passes states on, while this school checks the session of each message, draws pages,
and writes each move and what it shows to the disk before it answers.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import sqlite3
import tempfile
import time
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path
from random import Random
from typing import Any, Final

from classroom.app import create_app
from classroom.database import db, write_unit
from classroom.services.table import matches
from tests.bench.load_clients import Notes, Sent
from tests.bench.load_servers import (
    Costly,
    Desk,
    Place,
    boardgame_children,
    boardgame_io,
    school_children,
    school_teachers,
    start_school,
)
from tests.playing import fill, signed_in, teacher_of

RUNS: Final = ((30, 8), (500, 150))  # children, tables
SECONDS: Final = 60.0
BELL: Final = 3.0  # seconds within which all open the page
START_UP: Final = 8.0  # seconds that count as the burst at the beginning
AFTER_KILL: Final = 8.0  # seconds that count as reconnecting
CLASS: Final = 30  # most children in a class
WANTED_P99, WANTED_MB, HELD_P99 = 0.150, 250.0, 0.300


# ---- the school


def make_school(folder: str, sizes: Sequence[int], seats: Any) -> None:
    """Make classes of children in this folder, seated at tables of these sizes. Puts the places
    of the children and the desks of the teachers into the queue `seats`.

    Runs in another process, so that the clients' memory holds nothing of the server.
    """
    app = create_app({"INSTANCE": folder, "LOOK_AROUND": False})
    found: list[Place] = []
    desks: list[Desk] = []
    for group in _classes(sizes):
        room = fill(app, sum(group))
        with app.app_context():
            teacher = teacher_of(room.class_id)
            desks.append(Desk(room.class_id, signed_in(adult_id=teacher)))
            free = list(room.children.values())
            for size in group:
                here, free = free[:size], free[size:]
                found += _seated(room.class_id, here)
    with app.app_context():
        db.engine.dispose()
    seats.put((found, desks))


def _classes(sizes: Sequence[int]) -> Iterator[list[int]]:
    """The sizes of the tables of each class, which has at most CLASS children."""
    group: list[int] = []
    for size in sizes:
        if sum(group) + size > CLASS:
            yield group
            group = []
        group.append(size)
    yield group


def _seated(class_id: int, children: Sequence[int]) -> list[Place]:
    """Seat these children, each signed in, at one table of classic Go Fish."""
    with write_unit():
        round_id = matches.together(class_id, "classic", list(children))
    return [
        Place(round_id, seat, signed_in(class_id=class_id, child_id=child_id), class_id)
        for seat, child_id in enumerate(children)
    ]


# ---- a run


@dataclass(frozen=True)
class Result:
    """The results of one run. Times are in seconds."""

    children: int
    seconds: float
    notes: Notes
    quiet: list[float]  # from sent to seen, in the quiet part
    asks: list[float]  # from sent to answered, in the quiet part
    back: list[float]  # sent to seen, around the kill
    down: float  # seconds without a server
    cpu: float  # cores used in the quiet part
    memory: float  # megabytes
    lost: int  # acknowledged asks that the log lacks
    doubled: int  # acknowledged asks that the log has twice


def spread(children: int, tables: int) -> list[int]:
    """The sizes of this many tables for this many children."""
    return [children // tables + (i < children % tables) for i in range(tables)]


async def play(children: Sequence[Any], seconds: float, rng: Random, middle: Any = None) -> None:
    """Let all play for this many seconds, and await `middle` at half time."""

    async def come(child: Any) -> None:
        await asyncio.sleep(rng.uniform(0, BELL))
        await child.live()

    tasks = [asyncio.create_task(come(child)) for child in children]
    await asyncio.sleep(seconds / 2)
    if middle is not None:
        await middle()
    await asyncio.sleep(seconds / 2)
    for task in tasks:
        task.cancel()
    ended = await asyncio.gather(*tasks, return_exceptions=True)
    for error in ended:
        if error is not None and not isinstance(error, asyncio.CancelledError):
            raise error


def run_school(count: int, tables: int, seconds: float, kill: bool = True) -> Result:
    sizes, rng, notes = spread(count, tables), Random(1), Notes()
    with tempfile.TemporaryDirectory(dir=Path.cwd(), ignore_cleanup_errors=True) as folder:
        context = multiprocessing.get_context("spawn")
        queue: Any = context.Queue()
        process = context.Process(target=make_school, args=(folder, sizes, queue))
        process.start()
        places, desks = queue.get(timeout=600)
        process.join()
        servers = [start_school(Path(folder))]
        gauge = Gauge(servers)

        async def restart() -> None:
            gauge.stop()
            gauge.killed_at = time.perf_counter()
            servers[-1].kill()
            port = servers[-1].port
            servers.append(await asyncio.to_thread(start_school, Path(folder), port))
            gauge.back_at = time.perf_counter()

        async def whole() -> None:
            gauge.begin()
            asyncio.get_running_loop().call_later(START_UP, gauge.start)
            everybody: list[Any] = [*school_children(servers[0], places, rng, notes)]
            everybody += school_teachers(servers[0], desks, rng, notes)
            await play(everybody, seconds, rng, restart if kill else None)
            if not kill:
                gauge.stop()

        asyncio.run(whole())
        memory = servers[-1].memory
        servers[-1].kill()
        lost, doubled = looked_up(Path(folder) / "school.db", notes.sent)
    return judged(count, seconds, notes, gauge, memory, lost, doubled)


def run_peer(count: int, tables: int, seconds: float) -> Result:
    sizes, rng, notes = spread(count, tables), Random(1), Notes()
    with tempfile.TemporaryDirectory() as folder, boardgame_io(Path(folder)) as server:
        gauge = Gauge([server])

        async def whole() -> None:
            everybody = await boardgame_children(server, sizes, rng, notes)
            gauge.begin()
            asyncio.get_running_loop().call_later(START_UP, gauge.start)
            await play(everybody, seconds, rng)
            gauge.stop()

        asyncio.run(whole())
        return judged(count, seconds, notes, gauge, server.memory, 0, 0)


class Gauge:
    """Processor time of the server in the quiet part, and the times when each part began."""

    def __init__(self, servers: Sequence[Costly]) -> None:
        self._servers = servers
        self.began, self.killed_at, self.back_at = 0.0, inf, -inf
        self._from = self._to = (0.0, 0.0)

    def _now(self) -> tuple[float, float]:
        return time.perf_counter(), self._servers[-1].cpu

    def begin(self) -> None:
        self.began = time.perf_counter()

    def start(self) -> None:
        self._from = self._now()

    def stop(self) -> None:
        self._to = self._now()

    @property
    def spent(self) -> float:
        return self._to[1] - self._from[1]

    @property
    def cores(self) -> float:
        return self.spent / (self._to[0] - self._from[0])

    def part(self, move: Sent) -> str:
        """The part of the run to which a move belongs: the beginning, around the kill, or quiet."""
        if move.at < self.began + START_UP:
            return "start"
        if move.at + move.took > self.killed_at and move.at < self.back_at + AFTER_KILL:
            return "back"
        return "quiet"


def judged(
    count: int, seconds: float, notes: Notes, gauge: Gauge, memory: float, lost: int, doubled: int
) -> Result:
    """The results of a run. Matches each sent move with the times when other seats saw it."""
    parts: dict[str, list[float]] = {"start": [], "back": [], "quiet": []}
    seats: dict[str, list[int]] = {}
    for table, seat in notes.seen:
        seats.setdefault(table, []).append(seat)
    for move in notes.sent:
        for seat in seats.get(move.table, ()):
            if seat != move.seat and (at := _seen(notes.seen[move.table, seat], move.move)):
                parts[gauge.part(move)].append(at - move.at)
    return Result(
        children=count,
        seconds=seconds,
        notes=notes,
        quiet=parts["quiet"],
        asks=[move.took for move in notes.sent if gauge.part(move) == "quiet"],
        back=parts["back"],
        down=gauge.back_at - gauge.killed_at,
        cpu=gauge.cores,
        memory=memory,
        lost=lost,
        doubled=doubled,
    )


def _seen(arrivals: list[tuple[int, float]], move: int) -> float | None:
    """The time when a seat was told of this move or a later one; None if it never was."""
    at = bisect_left(arrivals, move, key=lambda item: item[0])
    return arrivals[at][1] if at < len(arrivals) else None


def looked_up(file: Path, sent: Sequence[Sent]) -> tuple[int, int]:
    """The numbers of acknowledged asks that are missing from the log, and that are in it twice."""
    with sqlite3.connect(file) as log:
        rows = log.execute("SELECT round_id, seq, key FROM moves").fetchall()
    found: dict[tuple[str, str], list[int]] = {}
    for round_id, seq, key in rows:
        found.setdefault((str(round_id), key), []).append(seq)
    counts = [found.get((move.table, f"{move.seat}:{move.key}"), []) for move in sent]
    lost = sum(move.move not in seqs for move, seqs in zip(sent, counts, strict=True))
    return lost, sum(len(seqs) > 1 for seqs in counts)


# ---- printing


def percentile(times: Sequence[float], share: float) -> float:
    return sorted(times)[min(len(times) - 1, int(share * len(times)))] if times else float("nan")


def tell(name: str, run: Result) -> None:
    moves, errors = len(run.notes.sent), dict(run.notes.errors)
    print(f"\n{name}: {run.children} children, {run.seconds:.0f} s, {moves} moves acknowledged")
    for what, times in (
        ("sent to seen by others", run.quiet),
        ("sent to answered", run.asks),
        ("opening the table at the bell", run.notes.loads),
        (f"around the kill ({run.down:.1f} s away)", run.back),
    ):
        if times:
            p50, p99 = percentile(times, 0.5), percentile(times, 0.99)
            print(
                f"  {what:34s} p50 {p50 * 1000:7.1f}  p99 {p99 * 1000:7.1f}  "
                f"max {max(times) * 1000:7.1f} ms  ({len(times)})"
            )
    print(
        f"  server: {run.cpu:.2f} cores, {run.memory:.0f} MB, "
        f"{run.children / run.cpu:.0f} children a core; "
        f"lost {run.lost}, doubled {run.doubled}, errors {errors or 0}"
    )


def most(seconds: float) -> None:
    """Find the largest number of children that are served within the limit, in steps of about a
    twelfth."""
    count, held = 500, 0
    while True:
        run = run_school(count, count * 3 // 10, seconds, kill=False)
        tell("Fish School", run)
        if percentile(run.quiet, 0.99) > HELD_P99:
            break
        held, count = count, count + max(50, count // 12 // 10 * 10)
    print(f"\n{held} children hold p99 under {HELD_P99 * 1000:.0f} ms; {count} do not")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--children", type=int)
    parser.add_argument("--tables", type=int)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--no-peer", action="store_true")
    parser.add_argument("--most", action="store_true")
    given = parser.parse_args()
    if given.most:
        most(given.seconds)
        return
    runs = RUNS
    if given.children:
        runs = ((given.children, given.tables or given.children * 3 // 10),)
    for count, tables in runs:
        ours = run_school(count, tables, given.seconds)
        tell("Fish School", ours)
        if given.no_peer:
            continue
        theirs = run_peer(count, tables, given.seconds)
        tell("boardgame.io", theirs)
        times = (ours.children / ours.cpu) / (theirs.children / theirs.cpu)
        print(f"\nchildren a core: {times:.2f} times those of boardgame.io")
    p99 = percentile(ours.quiet, 0.99)
    print(
        f"wanted: p99 under {WANTED_P99 * 1000:.0f} ms, under {WANTED_MB:.0f} MB; "
        f"found {p99 * 1000:.0f} ms, {ours.memory:.0f} MB"
    )


if __name__ == "__main__":
    main()
