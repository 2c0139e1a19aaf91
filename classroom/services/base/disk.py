"""A school's folder, and functions that write files in it safely: when they return, the data is on
the disk."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import IO, Any
from weakref import WeakKeyDictionary

from sqlalchemy.engine import Engine

_folders: WeakKeyDictionary[Engine, Path] = WeakKeyDictionary()


def keep_folder(engine: Engine, folder: Path) -> None:
    """Remember this school's folder, for the files that are kept beside its database."""
    _folders[engine] = folder


def folder_of(engine: Engine) -> Path | None:
    """The folder of a school; None for the demo school, which has no copies, logs or tombstones."""
    return _folders.get(engine)


def private(path: Path) -> None:
    """Create the file if it is missing. Only this user can read and write it."""
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))


def make(path: Path, text: str) -> None:
    """Make a private file with this text, or leave an existing file as it is. Even a full disk or a
    power cut never leaves half a file."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(text)
            _sync(file)
        try:
            os.link(part, path)
        except FileExistsError:
            return
        except OSError:  # a file system without hard links
            os.rename(part, path)
        sync_folder(path.parent)
    finally:
        part.unlink(missing_ok=True)


def append(path: Path, line: bytes) -> int:
    """Append to a private file; returns the offset of the line once it is on the disk."""
    new = not path.exists()
    private(path)
    with path.open("ab") as file:
        file.write(line)
        _sync(file)
        end = file.tell()
    if new:
        sync_folder(path.parent)
    return end - len(line)


def overwrite(path: Path, at: int, text: bytes) -> None:
    """Overwrite part of a file. This needs no more space, so it works on a full disk too."""
    with path.open("r+b") as file:
        file.seek(at)
        file.write(text)
        _sync(file)


def _sync(file: IO[Any]) -> None:
    file.flush()
    os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Sync a folder to the disk, if the operating system can do that."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
