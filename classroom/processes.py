"""Serves one school with several processes, each on a port of its own. The data is in PostgreSQL.

The parent starts the processes one after the other, replaces each one that ends, and finally ends
them all. A process ends gracefully when its standard input is closed, so it never outlives its
parent. A web server in front sends each table to one of the processes (docs/running.md).
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Final

from classroom.services.base.errors import CannotStart

OPEN: Final = "Fish School is open"  # the beginning of the line that a server prints once it is up
PATIENCE: Final = 10.0  # seconds that a process is given to end; then it is killed
LOOK: Final = 0.1  # seconds between two checks of the processes
FIRST_WAIT: Final = 1.0  # seconds before replacing a process that ended early; doubled after each
LONGEST_WAIT: Final = 15.0
SOON: Final = 60.0  # seconds; a process that has run for longer is replaced at once

# Symbolic links in the path are not resolved: if a link is changed to point to another version, the
# next processes run that version.
_PROGRAM: Final = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

Heard = Callable[[str], None]

_log = logging.getLogger(__name__)


class Part:
    """One process of the school, and the processes that later replace it on its port."""

    def __init__(self, command: Sequence[str], heard: Heard) -> None:
        self._command, self._heard = command, heard
        self._process: subprocess.Popen[str] | None = None
        self._opened = threading.Event()
        self._began = self._again_at = 0.0
        self._wait = FIRST_WAIT

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def begin(self) -> None:
        """Start a process; it is ready some seconds later."""
        self._opened.clear()
        self._began = time.monotonic()
        self._process = subprocess.Popen(  # noqa: S603 - a command of our own
            self._command,
            env={**os.environ, "PYTHONPATH": _PROGRAM, "FISH_LOOK_AROUND": "never"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            **_apart(),
        )
        threading.Thread(target=self._read, args=(self._process,), daemon=True).start()

    def _read(self, process: subprocess.Popen[str]) -> None:
        for line in process.stdout or ():
            self._heard(line)
            if line.startswith(OPEN):
                self._opened.set()

    def opened(self, over: threading.Event) -> bool:
        """Wait until the process is ready; False if it has ended, or `over` is set."""
        while self.running and not over.is_set():
            if self._opened.wait(LOOK):
                return True
        return False

    def mend(self) -> None:
        """Start another process if this one has ended; wait longer after each early end."""
        if self.running or self._process is None:
            return
        now = time.monotonic()
        if not self._again_at:
            long_ago = now - self._began > SOON
            self._wait = FIRST_WAIT if long_ago else min(self._wait * 2, LONGEST_WAIT)
            self._again_at = now if long_ago else now + self._wait / 2
            _log.error("A process ended with status %s.", self._process.returncode)
        if now >= self._again_at:
            self._again_at = 0.0
            self.begin()

    def ask_to_end(self) -> None:
        if self._process is not None and self._process.stdin is not None:
            with suppress(OSError):
                self._process.stdin.close()

    def end(self) -> None:
        """Wait until the process has ended; kill it if that takes too long."""
        self.ask_to_end()
        if self._process is not None:
            try:
                self._process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()


def _apart() -> dict[str, Any]:
    """Return options that keep Ctrl-C from reaching a process: its parent ends it."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"process_group": 0}


def check(host: str, ports: range, database: str) -> None:
    """Raise CannotStart unless the school can be served by a process on each of these ports."""
    if len(ports) > 1 and not database.startswith("postgres"):
        raise CannotStart(
            "Several processes need PostgreSQL, because a SQLite file belongs to one: leave out "
            "--processes, or set DATABASE_URI (docs/running.md)."
        )
    for port in ports:
        free(host, port)


def free(host: str, port: int) -> None:
    """Raise CannotStart if the server cannot listen on this address."""
    try:
        kind, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with closing(socket.socket(kind, socket.SOCK_STREAM)) as trial:
            if os.name == "posix":  # elsewhere this would take a port that is in use
                trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.bind(address)
    except PermissionError as error:
        raise CannotStart(
            f"This user may not use port {port}: choose a higher port, such as --port 8000."
        ) from error
    except socket.gaierror as error:
        raise CannotStart(f"There is no address {host!r}: try --host 0.0.0.0.") from error
    except OSError as error:
        raise CannotStart(
            f"Port {port} of {host} cannot be used ({error.strerror}): stop the program that uses "
            f"it, or choose another port, such as --port {min(port + 1, 65_535)}."
        ) from error


def serve_school(host: str, ports: range, tls: Mapping[str, Path | None]) -> int:
    """Serve the school with a process on each port; returns the exit status. `tls`: the files of
    the options tls_cert and tls_key."""
    words = ["--host", host]
    for name, file in tls.items():
        words += [f"--{name.replace('_', '-')}", str(file.absolute())] if file else []
    command = [sys.executable, "-P", "-m", "classroom", "serve", "--part", *words]
    return serve(
        [[*command, "--port", str(port)] for port in ports],
        heard=lambda line: print(line, end="", flush=True),
        ready=lambda: print(_PARTS.format(len(ports), ports[0], ports[-1]), flush=True),
    )


_PARTS: Final = (
    "It is served by {} processes, at the ports {} to {}. A web server in front of them sends each "
    "table to one of them: docs/running.md shows how."
)


def serve(commands: Sequence[Sequence[str]], heard: Heard, ready: Callable[[], None]) -> int:
    """Run these commands until SIGINT or SIGTERM; returns the exit status. `heard` gets what the
    first one prints. `ready` is called once all run. SIGHUP replaces the processes one by one."""
    over, renew = threading.Event(), threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: over.set())
    if sys.platform != "win32":
        signal.signal(signal.SIGHUP, lambda *_: renew.set())
    parts = [Part(commands[0], heard)]
    parts += [Part(one, lambda _: None) for one in commands[1:]]  # the others print the same lines
    try:
        for part in parts:  # the first one upgrades the database
            part.begin()
            if not part.opened(over):
                return 0 if over.is_set() else 1
        ready()
        while not over.wait(LOOK):
            if renew.is_set():
                renew.clear()
                _renew(parts, over)
            for part in parts:
                part.mend()
    finally:
        for part in parts:
            part.ask_to_end()
        for part in parts:
            part.end()
    return 0


def _renew(parts: Sequence[Part], over: threading.Event) -> None:
    """Replace one process after the other. If a new one does not become ready, keep the others."""
    for part in parts:
        part.end()
        part.begin()
        if not part.opened(over):
            return


def end_with_parent() -> None:
    """End this process gracefully once its standard input is closed."""

    def wait() -> None:
        with suppress(OSError):
            while os.read(0, 1024):
                pass
        signal.raise_signal(signal.SIGTERM)

    threading.Thread(target=wait, name="parent", daemon=True).start()
