"""Whether two processes stay level while children play for hours: memory, files, connections.

    python -m tests.bench.bench_soak --minutes 180                       100 children, two processes
    python -m tests.bench.bench_soak --children 24 --kept 150 --minutes 12 --limit 100       a trial

PostgreSQL is a throw-away server. The children play round after round in real streams, and each
closes its page every minute or two and opens it again, as children do. A line a minute shows all
processes.

A process keeps the rounds that it worked out on a shelf, which holds KEPT_MOVES moves
(classroom/services/table/states.py), and grows until the shelf is full: for about an hour with 50
children. So the minutes begin once each process has written that many moves. `--kept` serves a copy
of the program with a smaller shelf; then other caches still fill for some ten minutes.

At the end it prints each count of each process: at first, when the shelf was full, and in the two
halves of the time after that (medians), with the slope in that time in percent an hour. The run
fails if a slope is above the limit beyond doubt (two standard errors), or if a move was lost or
doubled.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, fields
from pathlib import Path
from random import Random
from statistics import fmean, median
from typing import Any, Final

import aiohttp

from classroom.services.table import states
from tests import clusters
from tests.bench.bench_load import make_school, spread
from tests.bench.load_clients import Notes, SchoolChild, SchoolTeacher, Sent
from tests.bench.load_servers import Desk, Place
from tests.faults.apart import Group, served
from tests.faults.newer import copied
from tests.serving import ROOT

CHILDREN: Final = 100
AT_A_TABLE: Final = 3
STAY: Final = (60.0, 180.0)  # seconds before a child closes its page and opens it again
LIMIT: Final = 1.0  # percent an hour


# ---- children who stay


class Regular(SchoolChild):
    """A child who plays one round after the other."""

    async def live(self) -> None:
        while True:
            connector = aiohttp.TCPConnector(limit=6)
            async with aiohttp.ClientSession(
                self.base, cookies=self.cookies, connector=connector
            ) as web:
                self.page = None
                await self._load(web)
                await self._stay(web)
                if self.page is not None and self.page.over:
                    await self._again(web, self.page.token)

    async def _stay(self, web: aiohttp.ClientSession) -> None:
        """Play until the round is over, or until this page is closed."""
        stream = asyncio.create_task(self._stream(web))
        with suppress(TimeoutError):
            await asyncio.wait_for(self._play(web), self.rng.uniform(*STAY))
        stream.cancel()
        with suppress(asyncio.CancelledError):
            await stream

    async def _again(self, web: aiohttp.ClientSession, token: str) -> None:
        """Be ready for another round; while a friend is not, the address stays the same."""
        await asyncio.sleep(self.rng.uniform(0.5, 2.0))
        with suppress(aiohttp.ClientError, TimeoutError):
            async with web.post(
                self._path("/again"), data={"token": token}, allow_redirects=False
            ) as answer:
                where = answer.headers.get("Location", "").partition("/rounds/")[2]
            self.round_id = where or self.round_id


# ---- what is measured


@dataclass(frozen=True)
class Reading:
    """What one process has open or in memory at a moment."""

    memory: float  # megabytes that no other process has
    files: int  # open descriptors, connections among them
    connections: int  # of pages and streams, and to PostgreSQL
    threads: int


NAMES: Final = [one.name for one in fields(Reading)]


def read(number: int) -> Reading:
    """Read what this process holds; Linux only."""
    process = Path(f"/proc/{number}")
    rows = (process / "smaps_rollup").read_text().splitlines()
    private = sum(int(row.split()[1]) for row in rows if row.startswith("Private_"))
    opened = []
    for file in (process / "fd").iterdir():
        with suppress(OSError):  # closed meanwhile
            opened.append(os.readlink(file))
    return Reading(
        private / 1024,
        len(opened),
        sum(name.startswith("socket:") for name in opened),
        len(list((process / "task").iterdir())),
    )


@dataclass(frozen=True)
class Slope:
    """How fast something grows, in percent of its mean an hour, and the error of that."""

    rate: float
    error: float

    def above(self, limit: float) -> bool:
        return self.rate - 2 * self.error > limit


def slope(times: Sequence[float], values: Sequence[float]) -> Slope:
    """Fit a line through these values; times are in seconds."""
    middle, mean = fmean(times), fmean(values)
    wide = sum((t - middle) ** 2 for t in times)
    rate = sum((t - middle) * (v - mean) for t, v in zip(times, values, strict=True)) / wide
    rest = sum(
        (v - mean - rate * (t - middle)) ** 2 for t, v in zip(times, values, strict=True)
    ) / max(1, len(times) - 2)
    in_percent = 3_600 * 100 / mean
    return Slope(rate * in_percent, (rest / wide) ** 0.5 * in_percent)


# ---- the run


@dataclass
class Soak:
    """A run: the processes, the moves that fill a shelf, and by port what the clients noted and the
    readings. `full`: the place of the first reading with full shelves."""

    group: Group
    kept: int
    notes: dict[int, Notes]
    times: list[float] = field(default_factory=list)
    readings: dict[int, list[Reading]] = field(default_factory=dict)
    full: int | None = None

    def is_full(self) -> bool:
        return all(len(one.sent) >= self.kept for one in self.notes.values())

    async def measure(self, seconds: float, every: float) -> None:
        """Take a reading every `every` seconds until the shelves have been full for `seconds`."""
        began, counts, wrong = time.monotonic(), dict.fromkeys(self.notes, 0), Counter[str]()
        while self.full is None or self.times[-1] - self.times[self.full] < seconds:
            await asyncio.sleep(every)
            self.times.append(time.monotonic() - began)
            parts = self.group.parts()
            for port in self.group.ports:
                self.readings.setdefault(port, []).append(read(parts[port]))
            if self.full is None and self.is_full():
                self.full = len(self.times) - 1
            fresh = [one for port, made in self.notes.items() for one in made.sent[counts[port] :]]
            took = sorted(one.took for one in fresh)
            errors = sum((one.errors for one in self.notes.values()), Counter[str]())
            print(
                f"{self.times[-1] / 60:6.1f} min",
                *(_shown(found[-1]) for found in self.readings.values()),
                f"{len(fresh)} moves, p99 {took[int(len(took) * 0.99)] if took else 0:.2f} s",
                "shelves filling" if self.full is None else "shelves full",
                f"load {os.getloadavg()[0]:.1f}",
                *([dict(errors - wrong)] if errors - wrong else []),
                sep=" | ",
                flush=True,
            )
            counts, wrong = {port: len(one.sent) for port, one in self.notes.items()}, errors
            for one in self.notes.values():
                one.seen.clear()
                one.loads.clear()

    def grown(self) -> Iterator[tuple[str, Slope]]:
        """For each process and thing a line that shows how it grew, and its slope since the shelf
        was full."""
        assert self.full is not None
        times = self.times[self.full :]
        for port, found in self.readings.items():
            for name in NAMES:
                values = [getattr(one, name) for one in found]
                since, one = values[self.full :], slope(times, values[self.full :])
                middle = len(since) // 2
                yield (
                    f"{port} {name}: {values[0]:.1f} at first, {since[0]:.1f} with a full shelf, "
                    f"then {median(since[:middle]):.1f} and {median(since[middle:]):.1f}; "
                    f"{one.rate:+.1f} % an hour (error {one.error:.1f})",
                    one,
                )


def _shown(one: Reading) -> str:
    return f"{one.memory:.1f} MB, {one.files} files, {one.connections} lines, {one.threads} threads"


async def play(soak: Soak, places: Sequence[Place], desks: Sequence[Desk], minutes: float) -> None:
    """Let all play, those of a table in one process, and measure once a minute."""
    rng, ports = Random(1), soak.group.ports

    def lots(number: int) -> tuple[str, Random, Notes]:
        """The process of this table or class, and what its visitors draw from and write into."""
        port = ports[number % len(ports)]
        return f"http://127.0.0.1:{port}", Random(rng.random()), soak.notes[port]

    everybody: list[Any] = []
    for place in places:
        base, own, notes = lots(place.round_id)
        everybody.append(Regular(base, str(place.round_id), place.seat, place.cookies, own, notes))
    for desk in desks:
        base, own, notes = lots(desk.class_id)
        everybody.append(SchoolTeacher(base, desk.class_id, desk.cookies, own, notes))
    tasks = [asyncio.create_task(one.live()) for one in everybody]
    await soak.measure(minutes * 60, min(60.0, minutes * 60 / 16))
    for task in tasks:
        task.cancel()
    for error in await asyncio.gather(*tasks, return_exceptions=True):
        if error is not None and not isinstance(error, asyncio.CancelledError):
            raise error


@contextmanager
def school(
    server: clusters.Cluster, sizes: Sequence[int]
) -> Iterator[tuple[Path, str, list[Place], list[Desk]]]:
    """A school of children at tables of these sizes: its folder and its database on this server,
    the places of the children and the desks of the teachers."""
    with tempfile.TemporaryDirectory() as parent, clusters.database(server.address) as database:
        folder = Path(parent, "school")
        folder.mkdir()
        (folder / "settings.toml").write_text(
            f'database_uri = "{database}"\nlook_around = "never"\n'
        )
        context = multiprocessing.get_context("spawn")
        queue: Any = context.Queue()
        process = context.Process(target=make_school, args=(str(folder), sizes, queue))
        process.start()
        places, desks = queue.get(timeout=600)
        process.join()
        yield folder, database, places, desks


def with_shelf(folder: Path, kept: int) -> Path:
    """The folder of a program whose shelf holds this many moves: ours, or else a copy in
    `folder`."""
    if kept == states.KEPT_MOVES:
        return ROOT
    file = copied(folder) / "classroom" / "services" / "table" / "states.py"
    ours, line = file.read_text(encoding="utf-8"), f"KEPT_MOVES: Final = {states.KEPT_MOVES:_}"
    assert line in ours
    file.write_text(ours.replace(line, f"KEPT_MOVES: Final = {kept}"), encoding="utf-8")
    return folder


def not_once(database: str, sent: Iterable[Sent]) -> int:
    """How many of these acknowledged moves are not in the log exactly once."""
    rows = clusters.run(database, "SELECT round_id, key FROM moves WHERE played_by = 'child'")
    found = Counter((str(number), key) for number, key in rows)
    return sum(found[one.table, f"{one.seat}:{one.key}"] != 1 for one in sent)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=180.0, help="with full shelves")
    parser.add_argument("--kept", type=int, default=states.KEPT_MOVES, help="moves on a shelf")
    parser.add_argument("--children", type=int, default=CHILDREN)
    parser.add_argument("--processes", type=int, default=2, choices=range(2, 17))
    parser.add_argument("--limit", type=float, default=LIMIT, help="percent an hour")
    given = parser.parse_args()
    sizes = spread(given.children, max(1, given.children // AT_A_TABLE))
    with (
        clusters.throw_away() as server,
        school(server, sizes) as (folder, database, places, desks),
        tempfile.TemporaryDirectory() as copy,
        served(folder, given.processes, with_shelf(Path(copy), given.kept)) as group,
    ):
        soak = Soak(group, given.kept, {port: Notes() for port in group.ports})
        asyncio.run(play(soak, places, desks, given.minutes))
        sent = [one for notes in soak.notes.values() for one in notes.sent]
        wrong = not_once(database, sent)
    above = False
    for line, one in soak.grown():
        print(line)
        above = above or one.above(given.limit)
    print(f"{len(sent)} moves acknowledged, {wrong} lost or doubled")
    return int(wrong > 0 or above)


if __name__ == "__main__":
    sys.exit(main())
