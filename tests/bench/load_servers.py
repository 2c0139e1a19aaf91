"""The servers of bench_load: this school as it really runs, and boardgame.io's."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final, Protocol

import aiohttp

from tests.bench.load_clients import BoardgameChild, Notes, SchoolChild, SchoolTeacher
from tests.ports import free_port

HERE: Final = Path(__file__).parent
PEER: Final = ("boardgame.io@0.50.2", "bgio-postgres@1.0.16")
_TICKS: Final = os.sysconf("SC_CLK_TCK")


def spent(number: int, *, ended: bool = False) -> float:
    """The processor seconds so far of the process with this number; with those of its children
    that have `ended`."""
    fields = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11 : 15 if ended else 13])) / _TICKS


def resident(number: int) -> float:
    """The megabytes of the process with this number that are in memory now."""
    text = Path(f"/proc/{number}/status").read_text()
    return next(int(row.split()[1]) for row in text.splitlines() if "VmRSS" in row) / 1024


class Costly(Protocol):
    """What a gauge reads."""

    @property
    def cpu(self) -> float: ...


@dataclass
class Server:
    """A server process, its cost and its address."""

    process: subprocess.Popen[bytes]
    port: int

    @property
    def cpu(self) -> float:
        """The processor seconds so far."""
        return spent(self.process.pid)

    @property
    def memory(self) -> float:
        """The megabytes in memory now."""
        return resident(self.process.pid)

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


def _answering(process: subprocess.Popen[bytes], address: str) -> None:
    for _ in range(600):
        if process.poll() is not None:
            raise SystemExit(f"the server ended with {process.returncode}")
        try:
            urllib.request.urlopen(address, timeout=5).close()
            return
        except OSError:
            time.sleep(0.05)
    raise SystemExit(f"nothing answers at {address}")


# ---- this school


@dataclass(frozen=True, slots=True)
class Place:
    """A child of a class at a table: its seat and the cookies of its browser."""

    round_id: int
    seat: int
    cookies: dict[str, str]
    class_id: int


@dataclass(frozen=True, slots=True)
class Desk:
    """A teacher of a class, and the cookies of the teacher's browser."""

    class_id: int
    cookies: dict[str, str]


def start_school(folder: Path, port: int = 0, tree: Path | None = None) -> Server:
    """Serve the school in this folder, as `run.py` does. `tree`: the checkout whose server it is;
    None for this one."""
    port = port or free_port()
    surroundings = {**os.environ, "FISH_INSTANCE": str(folder), "FISH_LOOK_AROUND": "0"}
    command = [sys.executable, "-m", "classroom", "serve", "--port", str(port)]
    process = subprocess.Popen(command, env=surroundings, stdout=subprocess.DEVNULL, cwd=tree)
    _answering(process, f"http://127.0.0.1:{port}/health")
    return Server(process, port)


def school_children(
    server: Server, places: Sequence[Place], rng: Random, notes: Notes
) -> list[SchoolChild]:
    base = f"http://127.0.0.1:{server.port}"
    return [
        SchoolChild(base, str(p.round_id), p.seat, p.cookies, Random(rng.random()), notes)
        for p in places
    ]


def school_teachers(
    server: Server, desks: Sequence[Desk], rng: Random, notes: Notes
) -> list[SchoolTeacher]:
    base = f"http://127.0.0.1:{server.port}"
    return [SchoolTeacher(base, d.class_id, d.cookies, Random(rng.random()), notes) for d in desks]


# ---- boardgame.io


@contextmanager
def boardgame_io(folder: Path, database: str = "") -> Iterator[Server]:
    """Install the packages into `folder` and serve `boardgame/server.js` from there. `database`:
    where it keeps the matches; in memory if there is none."""
    shutil.copy(HERE / "boardgame" / "server.js", folder)
    install = ["npm", "install", "--silent", "--no-package-lock", "--prefix", str(folder), *PEER]
    subprocess.run(install, check=True, stdout=subprocess.DEVNULL)
    port = free_port()
    surroundings = {**os.environ, "NODE_ENV": "production", "DATABASE": database}
    process = subprocess.Popen(
        ["node", "server.js", str(port)], cwd=folder, env=surroundings, stdout=subprocess.DEVNULL
    )
    try:
        _answering(process, f"http://127.0.0.1:{port + 1}/games")
        yield Server(process, port)
    finally:
        process.kill()
        process.wait()


async def boardgame_children(
    server: Server, sizes: Sequence[int], rng: Random, notes: Notes
) -> list[BoardgameChild]:
    """Make a match for each size and take every seat in it."""
    lobby = f"http://127.0.0.1:{server.port + 1}/games/gofish"
    base = f"ws://127.0.0.1:{server.port}"
    children = []
    async with aiohttp.ClientSession() as web:
        for size in sizes:
            async with web.post(f"{lobby}/create", json={"numPlayers": size}) as answer:
                match = (await answer.json())["matchID"]
            for seat in range(size):
                who = {"playerID": str(seat), "playerName": f"Child {seat}"}
                async with web.post(f"{lobby}/{match}/join", json=who) as answer:
                    secret = (await answer.json())["playerCredentials"]
                children.append(
                    BoardgameChild(base, match, seat, secret, size, Random(rng.random()), notes)
                )
    await asyncio.sleep(0)
    return children
