"""What a child's move costs the server: its processor time, beside another version's in one run.

    git worktree add --detach ../before v1.2
    python -m tests.bench.bench_cost ../before

The clients of bench_load play the same school on both servers at the same time, so that other work
on the machine disturbs both alike. Measured one after the other, the same server took half as much
again when a neighbour was busy. Trust the ratio, not the figures.
"""

from __future__ import annotations

import argparse
import asyncio
import pickle
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from tests.bench.bench_load import START_UP, Gauge, judged, play, spread, tell
from tests.bench.load_clients import Notes
from tests.bench.load_servers import (
    Desk,
    Place,
    Server,
    school_children,
    school_teachers,
    start_school,
)


def beside(tree: Path, count: int, tables: int, seconds: float, times: int) -> None:
    """Play the same school on the server of another checkout and on ours, and print how much
    processor time each took for a move of a child."""
    found = []
    with tempfile.TemporaryDirectory(dir=Path.cwd(), ignore_cleanup_errors=True) as name:
        folder = Path(name)
        trees = {"theirs": tree, "ours": Path.cwd()}
        sizes = spread(count, tables)
        made = {whose: _made_by(by, folder / whose, sizes) for whose, by in trees.items()}
        for turn in range(times):
            sides = []
            for whose, by in trees.items():
                here = shutil.copytree(folder / whose, folder / f"{whose} {turn}")
                sides.append(Side(whose, start_school(here, tree=by), *made[whose]))
            asyncio.run(_play_all(sides, START_UP + seconds))
            found.append([side.told(START_UP + seconds) for side in sides])
    old, new = (sum(costs) / times for costs in zip(*found, strict=True))
    ratios = ", ".join(f"{ours / theirs:.2f}" for theirs, ours in found)
    print(f"\na move: {old:.1f} ms with theirs, {new:.1f} ms with ours: {new / old:.2f} ({ratios})")


def _made_by(tree: Path, folder: Path, sizes: Sequence[int]) -> tuple[list[Place], list[Desk]]:
    """Have this checkout make the school: another version may not open its database."""
    folder.mkdir()
    code = (
        "import pickle, queue, sys; from tests.bench.bench_load import make_school; "
        f"seats = queue.SimpleQueue(); make_school({str(folder)!r}, {[*sizes]!r}, seats); "
        "sys.stdout.buffer.write(pickle.dumps(seats.get()))"
    )
    made = subprocess.run([sys.executable, "-c", code], cwd=tree, check=True, capture_output=True)
    found: tuple[list[Place], list[Desk]] = pickle.loads(made.stdout)
    return found


class Side:
    """One of the two servers, and the people who use it."""

    def __init__(
        self, name: str, server: Server, places: Sequence[Place], desks: Sequence[Desk]
    ) -> None:
        self.name, self._server, self._notes = name, server, Notes()
        self.gauge, self._count = Gauge([server]), len(places)
        self.people: list[Any] = [
            *school_children(server, places, Random(1), self._notes),
            *school_teachers(server, desks, Random(2), self._notes),
        ]

    def told(self, seconds: float) -> float:
        """Stop the server and print what was found. Returns the milliseconds of processor time for
        each move after the burst at the beginning."""
        run = judged(self._count, seconds, self._notes, self.gauge, self._server.memory, 0, 0)
        self._server.kill()
        tell(self.name, run)
        cost = 1000 * self.gauge.spent / len(run.asks)
        print(f"  {cost:.1f} ms of processor time for each of {len(run.asks)} moves")
        return cost


async def _play_all(sides: Sequence[Side], seconds: float) -> None:
    """Let the people of all sides play at the same time."""
    for side in sides:
        side.gauge.begin()
        asyncio.get_running_loop().call_later(START_UP, side.gauge.start)
    await asyncio.gather(*(play(side.people, seconds, Random(1)) for side in sides))
    for side in sides:
        side.gauge.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tree", type=Path, help="a checkout of the other version")
    parser.add_argument("--children", type=int, default=150)
    parser.add_argument("--tables", type=int)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--times", type=int, default=2)
    given = parser.parse_args()
    tables = given.tables or given.children * 3 // 10
    beside(given.tree, given.children, tables, given.seconds, given.times)


if __name__ == "__main__":
    main()
