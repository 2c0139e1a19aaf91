"""Makes a demo school in a process of its own, which gets only the processor time that the school
does not need.

The process prints its progress, a number on each line; it ends when its output is closed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from classroom import config

LONGEST: Final = 1800.0  # seconds that the process may take; a busy school leaves it little time


def make(file: Path, heard: Callable[[float], None]) -> None:
    """Fill this new file with a demo school, which uses the key in the same folder.

    Raises RuntimeError if the process fails; the process itself prints why on the console.
    """
    process = subprocess.Popen(  # noqa: S603 - a command of our own
        [sys.executable, "-P", "-m", "classroom", "make-demo", str(file)],
        env={
            **os.environ,
            "PYTHONPATH": str(config.PACKAGE.parent),
            "FISH_INSTANCE": str(file.parent),
        },
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        **_apart(),
    )
    timer = threading.Timer(LONGEST, process.kill)
    timer.daemon = True
    timer.start()
    try:
        with process:
            for line in process.stdout or ():
                heard(float(line))
    finally:
        timer.cancel()
    if process.returncode:
        raise RuntimeError(f"the process that made it ended with status {process.returncode}")


def _apart() -> dict[str, Any]:
    """Options that keep Ctrl-C from reaching the process and, on Windows, give it a low priority.
    It gets no session of its own: Linux would give that as much processor time as the server's."""
    if sys.platform == "win32":
        return {
            "creationflags": subprocess.IDLE_PRIORITY_CLASS | subprocess.CREATE_NEW_PROCESS_GROUP
        }
    return {"process_group": 0}


def be_modest() -> None:
    """Give this process the lowest priority. On Windows, `make` has already done so."""
    if sys.platform != "win32":
        os.nice(19)
