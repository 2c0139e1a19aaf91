"""Whether two processes stay as they are when children play for hours: memory, files, connections.

    python -m tests.bench.bench_soak --minutes 240              100 children, two processes
    python -m tests.bench.bench_soak --minutes 30 --limit 20    a short one, while caches still fill

PostgreSQL is a throw-away server. The children play round after round in real streams, and each
closes its page every minute or two and opens it again, as children do. A line a minute shows both
processes; the last lines show the slopes after the first quarter, in percent an hour. The run fails
if a slope is above the limit beyond doubt (two standard errors), or if a move was lost or doubled.
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
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any, Final

import aiohttp

from tests import clusters
from tests.bench.bench_load import make_school, spread
from tests.bench.load_clients import Notes, SchoolChild, SchoolTeacher
from tests.bench.load_servers import Desk, Place
from tests.faults.apart import Group, served

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
    """What one process holds at a moment."""

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
    """A run: the processes, what the clients noted, and the readings by port."""

    group: Group
    notes: Notes
    times: list[float]
    readings: dict[int, list[Reading]]

    async def measure(self, seconds: float, every: float) -> None:
        began, count, wrong = time.monotonic(), 0, Counter[str]()
        while (now := time.monotonic() - began) < seconds:
            await asyncio.sleep(every)
            self.times.append(time.monotonic() - began)
            parts = self.group.parts()
            for port in self.group.ports:
                self.readings.setdefault(port, []).append(read(parts[port]))
            fresh = self.notes.sent[count:]
            took = sorted(one.took for one in fresh)
            errors = self.notes.errors - wrong
            print(
                f"{now / 60 + every / 60:6.1f} min",
                *(_shown(found[-1]) for found in self.readings.values()),
                f"{len(fresh)} moves, p99 {took[int(len(took) * 0.99)] if took else 0:.2f} s",
                f"load {os.getloadavg()[0]:.1f}",
                *([dict(errors)] if errors else []),
                sep=" | ",
                flush=True,
            )
            count, wrong = len(self.notes.sent), Counter(self.notes.errors)
            self.notes.seen.clear()
            self.notes.loads.clear()

    def slopes(self) -> dict[tuple[int, str], Slope]:
        """The slopes after the first quarter, by port and name."""
        first = len(self.times) // 4
        return {
            (port, name): slope(self.times[first:], [getattr(one, name) for one in found[first:]])
            for port, found in self.readings.items()
            for name in NAMES
        }


def _shown(one: Reading) -> str:
    return f"{one.memory:.1f} MB, {one.files} files, {one.connections} lines, {one.threads} threads"


async def play(soak: Soak, places: Sequence[Place], desks: Sequence[Desk], minutes: float) -> None:
    """Let all play, those of a table in one process, and measure once a minute."""
    rng, ports, notes = Random(1), soak.group.ports, soak.notes

    def base(number: int) -> str:
        return f"http://127.0.0.1:{ports[number % len(ports)]}"

    everybody: list[Any] = [
        Regular(base(p.round_id), str(p.round_id), p.seat, p.cookies, Random(rng.random()), notes)
        for p in places
    ]
    everybody += [
        SchoolTeacher(base(d.class_id), d.class_id, d.cookies, Random(rng.random()), notes)
        for d in desks
    ]
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


def not_once(database: str, notes: Notes) -> int:
    """How many acknowledged moves are not in the log exactly once."""
    rows = clusters.run(database, "SELECT round_id, key FROM moves WHERE played_by = 'child'")
    found = Counter((str(number), key) for number, key in rows)
    return sum(found[one.table, f"{one.seat}:{one.key}"] != 1 for one in notes.sent)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=240.0)
    parser.add_argument("--children", type=int, default=CHILDREN)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--limit", type=float, default=LIMIT, help="percent an hour")
    given = parser.parse_args()
    sizes = spread(given.children, max(1, given.children // AT_A_TABLE))
    with (
        clusters.throw_away() as server,
        school(server, sizes) as (folder, database, places, desks),
        served(folder, given.processes) as group,
    ):
        soak = Soak(group, Notes(), [], {})
        asyncio.run(play(soak, places, desks, given.minutes))
        wrong = not_once(database, soak.notes)
    slopes = soak.slopes()
    for (port, name), one in slopes.items():
        print(f"{port} {name}: {one.rate:+.1f} % an hour (error {one.error:.1f})")
    print(f"{len(soak.notes.sent)} moves acknowledged, {wrong} lost or doubled")
    return int(wrong > 0 or any(one.above(given.limit) for one in slopes.values()))


if __name__ == "__main__":
    sys.exit(main())
