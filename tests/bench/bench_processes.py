"""Children at several processes over PostgreSQL, beside a bare page and boardgame.io in one run.

    python -m tests.bench.bench_processes                                  1,000, two processes
    python -m tests.bench.bench_processes --children 500 --tables 150 --processes 1 --no-peer

The school and its clients are those of bench_load; all children of a class talk to one process, as
behind a front that is sticky by class, and every class is watched by its teacher. Meanwhile a bare
Flask page that commits one row (bench_stack) is requested five times a second from a server of its
own: it shows what the machine does to a page that has nothing to do. The clients run on the same
machine, and what they spend is shown too.

Then the same children play on boardgame.io, which keeps its matches in memory, and again with each
move written to PostgreSQL by its own storage. Processor time is that of all processes of a server
and of its database.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import resource
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final

import aiohttp

from tests import clusters
from tests.bench.bench_load import START_UP, Gauge, Result, judged, percentile, play, spread, tell
from tests.bench.bench_soak import not_once, school
from tests.bench.bench_stack import serve_bare
from tests.bench.load_clients import Notes, SchoolChild, SchoolTeacher
from tests.bench.load_servers import (
    Desk,
    Place,
    boardgame_children,
    boardgame_io,
    resident,
    spent,
    start_school,
)
from tests.faults.apart import served

CHILDREN: Final = 1_000
PAGE: Final = 12_000  # bytes of the bare page, about those of a table
OFTEN: Final = 0.2  # seconds between two requests for it


@dataclass(frozen=True)
class Costs:
    """The processes of a server and, if it has a database server, the parent process of that."""

    numbers: Sequence[int]
    database: int | None

    @property
    def cpu(self) -> float:
        """The processor seconds so far."""
        found = sum(spent(number) for number in self.numbers)
        return found + (_with_children(self.database) if self.database else 0.0)

    @property
    def memory(self) -> float:
        """The megabytes of the server's processes."""
        return sum(map(resident, self.numbers))


def _with_children(parent: int) -> float:
    """The processor seconds of a process and of all its children."""
    total = spent(parent, ended=True)
    for number in Path(f"/proc/{parent}/task/{parent}/children").read_text().split():
        with suppress(OSError):  # it has ended meanwhile
            total += spent(int(number))
    return total


@contextmanager
def serving(folder: Path, processes: int) -> Iterator[dict[int, int]]:
    """Serve the school in this folder during the block. Yields the processes' numbers by port."""
    if processes > 1:
        with served(folder, processes) as group:
            yield group.parts()
        return
    server = start_school(folder)
    try:
        yield {server.port: server.process.pid}
    finally:
        server.kill()


# ---- the bare page


@contextmanager
def bare_page() -> Iterator[int]:
    """Serve a bare page during the block. Yields its port."""
    context = multiprocessing.get_context("spawn")
    port: Any = context.Queue()
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        process = context.Process(target=serve_bare, args=(folder, port, PAGE))
        process.start()
        try:
            yield port.get(timeout=60)
        finally:
            process.terminate()
            process.join(10)


@dataclass
class Passer:
    """A client that asks for the bare page again and again."""

    port: int
    times: list[float]

    async def live(self) -> None:
        async with aiohttp.ClientSession(f"http://127.0.0.1:{self.port}") as web:
            while True:
                began = time.perf_counter()
                async with web.post("/") as answer:
                    await answer.read()
                self.times.append(time.perf_counter() - began)
                await asyncio.sleep(OFTEN)


# ---- the runs


def run_school(count: int, tables: int, seconds: float, processes: int) -> Result:
    notes, bare = Notes(), list[float]()
    sizes = spread(count, tables)
    with (
        clusters.throw_away() as cluster,
        school(cluster, sizes) as (folder, database, places, desks),
        serving(folder, processes) as parts,
        bare_page() as port,
    ):
        costs = Costs([*parts.values()], cluster.number)
        people = [*_people([*parts], places, desks, notes), Passer(port, bare)]
        result = _played(people, costs, count, seconds, notes)
        wrong = not_once(database, notes)
    print(f"\nthe bare page: p50 {_ms(bare, 0.5)}, p99 {_ms(bare, 0.99)} ms ({len(bare)})")
    print(f"acknowledged asks that the log has not exactly once: {wrong}")
    return result


def _people(
    ports: Sequence[int], places: Sequence[Place], desks: Sequence[Desk], notes: Notes
) -> Iterator[SchoolChild | SchoolTeacher]:
    """The children and the teachers, those of a class at one process."""
    rng = Random(1)
    bases = [f"http://127.0.0.1:{port}" for port in ports]
    for number, desk in enumerate(desks):
        base = bases[number % len(bases)]
        yield SchoolTeacher(base, desk.class_id, desk.cookies, Random(rng.random()), notes)
        for one in places:
            if one.class_id == desk.class_id:
                lots = Random(rng.random())
                yield SchoolChild(base, str(one.round_id), one.seat, one.cookies, lots, notes)


def run_peer(count: int, tables: int, seconds: float, *, on_disk: bool) -> Result:
    notes = Notes()
    with (
        tempfile.TemporaryDirectory() as folder,
        clusters.throw_away() as cluster,
        clusters.database(cluster.address) as database,
        boardgame_io(Path(folder), _plain(database) if on_disk else "") as server,
    ):
        costs = Costs([server.process.pid], cluster.number if on_disk else None)
        people = asyncio.run(boardgame_children(server, spread(count, tables), Random(1), notes))
        return _played(people, costs, count, seconds, notes)


def _plain(database: str) -> str:
    return database.replace("postgresql+psycopg://", "postgresql://")


def _played(
    people: Sequence[Any], costs: Costs, count: int, seconds: float, notes: Notes
) -> Result:
    """Let all play, and judge what they noted."""
    gauge = Gauge([costs])

    async def whole() -> None:
        gauge.begin()
        asyncio.get_running_loop().call_later(START_UP, gauge.start)
        await play(people, seconds, Random(1))
        gauge.stop()

    before = resource.getrusage(resource.RUSAGE_SELF)
    asyncio.run(whole())
    after = resource.getrusage(resource.RUSAGE_SELF)
    clients = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"\nthe clients took {clients / seconds:.2f} of a core")
    return judged(count, seconds, notes, gauge, costs.memory, 0, 0)


def _ms(times: Sequence[float], share: float) -> str:
    return f"{1000 * percentile(times, share):.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--children", type=int, default=CHILDREN)
    parser.add_argument("--tables", type=int)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--no-peer", action="store_true")
    given = parser.parse_args()
    tables = given.tables or given.children * 3 // 10
    ours = run_school(given.children, tables, given.seconds, given.processes)
    tell("Fish School", ours)
    for name, on_disk in (("in memory", False), ("in PostgreSQL", True)):
        if not given.no_peer:
            theirs = run_peer(given.children, tables, given.seconds, on_disk=on_disk)
            tell(f"boardgame.io {name}", theirs)
            print(f"\nchildren a core: {theirs.cpu / ours.cpu:.2f} times those of boardgame.io")


if __name__ == "__main__":
    main()
