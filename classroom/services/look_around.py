"""Making the demo school while somebody waits: once for an installation, in a database of its own.

It counts as made only when all of it is there; what an interrupted making left is thrown away.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy.engine import Engine

from classroom.database import condition_of
from classroom.services import disk, upkeep
from classroom.services.errors import traced

log = logging.getLogger("classroom")

Progress = Callable[[float], None]


@dataclass(slots=True)
class Making:
    """How far the demo school is. `share` from 0 to 1; `failed` when it had to be given up."""

    folder: Path
    share: float = 0.0
    running: bool = False
    failed: bool = False
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def ready(self) -> bool:
        return mark(self.folder).exists()


def mark(folder: Path) -> Path:
    return folder / "demo.ready"


def begin(making: Making, make: Callable[[Progress], None]) -> None:
    """Start making it in a thread of its own, unless it is there or on its way."""
    with making.lock:
        if making.ready or making.running:
            return
        making.running, making.failed, making.share = True, False, 0.0
    threading.Thread(target=_run, args=(making, make), name="demo-school", daemon=True).start()


def _run(making: Making, make: Callable[[Progress], None]) -> None:
    try:
        make(lambda share: setattr(making, "share", min(max(share, 0.0), 1.0)))
    except Exception as error:
        log.error("the demo school could not be made: %s", traced(error))
        making.failed = True
    finally:
        making.running = False


def make_now(
    engine: Engine, folder: Path, fill: Callable[[Progress], None], progress: Progress
) -> None:
    """Empty the demo database, fill it, and mark it as made. Within an app context."""
    mark(folder).unlink(missing_ok=True)
    engine.dispose()
    condition_of(engine).begin_again()
    for suffix in ("", "-wal", "-shm"):
        Path(f"{engine.url.database}{suffix}").unlink(missing_ok=True)
    disk.private(Path(str(engine.url.database)))
    upkeep.upgrade(engine)
    fill(progress)
    progress(1.0)
    mark(folder).write_text("made\n", encoding="ascii")
