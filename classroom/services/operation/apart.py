"""The making of a demo school in a process of its own: it takes what time the school leaves over.

The process says how far it is, a number on each line; one that nobody listens to any more ends.
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

LONGEST: Final = 1800.0  # seconds: a school at play may leave little over


def make(file: Path, heard: Callable[[float], None]) -> None:
    """Fill this new file with a demo school, in the folder whose key is to be its key.

    Raises RuntimeError where the process did not come to its end; it has told the console why.
    """
    process = subprocess.Popen(  # noqa: S603 - a command of our own
        [sys.executable, "-P", "-m", "classroom", "make-demo", str(file)],
        env={**os.environ, "PYTHONPATH": str(config.ROOT), "FISH_INSTANCE": str(file.parent)},
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
    """Of low priority, and not ended by the Ctrl-C that ends the server in good order. Not in a
    session of its own: to Linux that is a group that gets as much time as the server's."""
    if sys.platform == "win32":
        return {
            "creationflags": subprocess.IDLE_PRIORITY_CLASS | subprocess.CREATE_NEW_PROCESS_GROUP
        }
    return {"process_group": 0}


def be_modest() -> None:
    """Leave the processor to all others. On Windows whoever started this process has seen to it."""
    if sys.platform != "win32":
        os.nice(19)
