"""The databases of the schools in tests: a SQLite file in each folder or, with FISH_TEST_POSTGRES,
a database on the server of that address. The folder's settings.toml then names the database.

    FISH_TEST_POSTGRES=postgresql+psycopg://user@localhost/postgres python3 run.py test

The address may name any database of the server, if its user may create others there.
"""

from __future__ import annotations

import os
import secrets
import shutil
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from sqlalchemy import create_engine, make_url, text

SERVER: Final = os.environ.get("FISH_TEST_POSTGRES", "")
_made: list[str] = []  # names of databases to drop


def fresh(folder: Path) -> None:
    """Give this folder an empty database. With SQLite, the app creates it."""
    if SERVER:
        _name(folder, _new("template0"))


def copied(folder: Path, like: Path) -> None:
    """Copy the database of the folder `like`, which must not be open, to another folder."""
    if SERVER:
        _name(folder, _new(_name_of(like)))
    else:
        shutil.copy(like / "school.db", folder / "school.db")


def made() -> int:
    """The number of databases made so far."""
    return len(_made)


def drop(first: int) -> None:
    """Drop all databases except the first `first` that were made, even if they are open."""
    _run([f'DROP DATABASE "{name}" WITH (FORCE)' for name in _made[first:]])
    del _made[first:]


def _new(template: str) -> str:
    _made.append(f"fish_{secrets.token_hex(8)}")
    _run([f'CREATE DATABASE "{_made[-1]}" TEMPLATE "{template}"'])
    return _made[-1]


def _name(folder: Path, name: str) -> None:
    address = make_url(SERVER).set(database=name).render_as_string(hide_password=False)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "settings.toml").write_text(f'database_uri = "{address}"\n')


def _name_of(folder: Path) -> str:
    found = tomllib.loads((folder / "settings.toml").read_text())["database_uri"]
    return str(make_url(found).database)


def _run(statements: Sequence[str]) -> None:
    if not statements:
        return
    engine = create_engine(SERVER, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        for statement in statements:
            connection.execute(text(statement))
    engine.dispose()
