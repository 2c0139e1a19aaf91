"""PostgreSQL servers for the tests: made in a temporary folder, started, and thrown away.

PostgreSQL refuses to run as root, so root starts it as the user `postgres`, which its package
makes.
"""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from sqlalchemy import NullPool, create_engine, make_url, text

from tests.ports import free_port

MEMORY: Final = Path("/dev/shm")
ROOM: Final = 2**30  # bytes that must be free in memory
# Nothing has to survive a crash of the machine, so commits are written but never wait for a disk.
_OPTIONS: Final = (
    "-c fsync=off -c full_page_writes=off -c max_wal_size=256MB "
    "-c max_connections=200 -c log_min_messages=fatal"
)


def programs() -> Path | None:
    """The folder of the newest PostgreSQL's programs; None if this machine has none."""
    where = shutil.which("initdb")
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return Path(where).parent if where else found[-1].parent if found else None


def can_run() -> bool:
    """Whether tests can have a server of their own here."""
    return os.name == "posix" and programs() is not None and find_spec("psycopg") is not None


def memory() -> Path | None:
    """A folder in memory for temporary files; None if this machine has none with enough room."""
    roomy = MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ROOM
    return MEMORY if roomy else None


class Cluster:
    """A PostgreSQL server in a folder, at a port of this machine."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.port = free_port()
        self.address = f"postgresql+psycopg://postgres@127.0.0.1:{self.port}/postgres"
        self._run(
            "initdb", "-U", "postgres", "-A", "trust", "--no-sync", "-D", str(folder / "data")
        )

    def _run(self, program: str, *words: str) -> None:
        found = programs()
        assert found is not None
        user: dict[str, Any] = {"user": "postgres", "group": "postgres"} if _is_root() else {}
        subprocess.run(
            [found / program, *words],
            check=True,
            cwd=self._folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            env={**os.environ, "HOME": str(self._folder)},
            **user,
        )

    def _control(self, *words: str) -> None:
        data, log = str(self._folder / "data"), str(self._folder / "log")
        self._run("pg_ctl", "-D", data, "-l", log, "-w", "-s", *words)

    @property
    def number(self) -> int:
        """The number of the server's process, the parent of all its others."""
        return int((self._folder / "data" / "postmaster.pid").read_text().split()[0])

    def start(self) -> None:
        where = f"-c port={self.port} -c unix_socket_directories={self._folder}"
        self._control("-o", f"{where} -c listen_addresses=127.0.0.1 {_OPTIONS}", "start")

    def restart(self) -> None:
        """Stop at once, without waiting for open connections, and start again."""
        self._control("-m", "fast", "restart")

    def stop(self) -> None:
        self._control("-m", "immediate", "stop")


def _is_root() -> bool:
    return os.geteuid() == 0


@contextmanager
def throw_away() -> Iterator[Cluster]:
    """A new running server, which is removed after the block."""
    folder = Path(tempfile.mkdtemp(prefix="fish-postgres-", dir=memory()))
    try:
        if _is_root():
            shutil.chown(folder, "postgres", "postgres")
        cluster = Cluster(folder)
        cluster.start()
        try:
            yield cluster
        finally:
            cluster.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def database(server: str) -> Iterator[str]:
    """An empty database on this server, by its address, which is dropped after the block."""
    name = f"fish_{secrets.token_hex(8)}"
    run(server, f'CREATE DATABASE "{name}" TEMPLATE template0')
    try:
        yield make_url(server).set(database=name).render_as_string(hide_password=False)
    finally:
        run(server, f'DROP DATABASE "{name}" WITH (FORCE)')


def run(address: str, statement: str) -> Any:
    """Run one statement on its own; returns its rows, if it has any."""
    engine = create_engine(address, isolation_level="AUTOCOMMIT", poolclass=NullPool)
    with engine.connect() as connection:
        found = connection.execute(text(statement))
        return found.all() if found.returns_rows else None
