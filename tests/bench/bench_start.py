"""The time of a start and a stop, and of a Python that only loads the same libraries.

    python -m tests.bench.bench_start [times]

Start: from the command to the first page, with an existing database (target: 3 s, and 1.5 s of
processor time on Linux). Stop: from Ctrl-C to the end of the process with five open streams
(target: 2 s). Each figure is the best of several runs, because other programs disturb them.
"""

from __future__ import annotations

import contextlib
import math
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from classroom.app import create_app
from tests.conftest import finish, make_app
from tests.ports import free_port
from tests.serving import get, open_tables, serving, stream
from tests.world import make_world

LIBRARIES = "import alembic, argon2, flask, flask_migrate, flask_sqlalchemy, jinja2, uvicorn"
START, PROCESSOR, END = 3.0, 1.5, 2.0  # targets in seconds


def school(folder: Path) -> tuple[str, list[str]]:
    """Make a school in `folder`. Returns the address of a stream, and sessions that may open it."""
    (folder / "like").mkdir()
    finish(create_app({"INSTANCE": str(folder / "like"), "LOOK_AROUND": False}))
    made = make_app(folder / "instance", folder / "like")
    make_world(made)
    tables = open_tables(made, 5)
    finish(made)
    return tables


def start_and_end(folder: Path, path: str, tokens: list[str]) -> tuple[float, float, float]:
    """The seconds to the first page, the processor seconds until then, and the seconds from Ctrl-C
    to the end."""
    port, begun = free_port(), time.perf_counter()
    with serving(folder, port) as (process, _), contextlib.ExitStack() as streams:
        get(port)
        started, worked = time.perf_counter() - begun, processor_time(process.pid)
        for token in tokens:
            streams.enter_context(stream(port, path, token))
        stopped = time.perf_counter()
        process.send_signal(signal.SIGINT)
        process.wait(20)
        return started, worked, time.perf_counter() - stopped


def processor_time(process: int) -> float:
    """The processor seconds of a process so far; nan where there is no /proc."""
    file = Path(f"/proc/{process}/stat")
    if not file.is_file():
        return math.nan
    fields = file.read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def bare() -> float:
    begun = time.perf_counter()
    subprocess.run([sys.executable, "-c", LIBRARIES], check=True)
    return time.perf_counter() - begun


def main(times: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path, tokens = school(folder)
        runs = [(bare(), *start_and_end(folder / "instance", path, tokens)) for _ in range(times)]
    libraries, started, worked, ended = (min(column) for column in zip(*runs, strict=True))
    print(f"libraries alone   {libraries:6.2f} s")
    print(
        f"a later start     {started:6.2f} s   {started / libraries:.2f} times   wanted {START} s"
    )
    print(f"  on a processor  {worked:6.2f} s   wanted {PROCESSOR} s")
    print(f"Ctrl-C, 5 streams {ended:6.2f} s   wanted {END} s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
