"""A newer version of this program, for tests of upgrades: a copy with another number and one more
migration, which adds a column to the busiest tables, and a table."""

from __future__ import annotations

import http.client
import re
import shutil
import urllib.request
from pathlib import Path

from classroom import config
from classroom.services.operation import upkeep
from tests.serving import ROOT

NEWER = "99.0.0"
TOKEN = "a token for the numbers of tests"
BESIDE = ("docs", "scripts", "static", "templates", "translations")
MIGRATION = '''"""a column and a table that the older version does not know."""

import sqlalchemy as sa
from alembic import op

revision = "{revision}"
down_revision = "{before}"
branch_labels = None
depends_on = None


def upgrade():
    op.add_column("rounds", sa.Column("mood", sa.String(length=20), nullable=True))
    op.add_column("moves", sa.Column("mood", sa.String(length=20), nullable=True))
    op.create_table("moods", sa.Column("id", sa.Integer(), primary_key=True))
'''


def copied(folder: Path) -> Path:
    """Put a copy of this program into this folder, which exists; returns the folder."""
    shutil.copytree(
        ROOT / "classroom", folder / "classroom", ignore=shutil.ignore_patterns("__pycache__")
    )
    for name in BESIDE:
        (folder / name).symlink_to(ROOT / name)
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


def newer_version(folder: Path) -> Path:
    """Put the code of a newer version into this folder, which exists; returns the folder."""
    copied(folder)
    numbered = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    numbered = numbered.replace(f'version = "{config.version()}"', f'version = "{NEWER}"', 1)
    (folder / "pyproject.toml").write_text(numbered, encoding="utf-8")
    revision = f"{int(upkeep.newest()) + 1:04}"
    versions = folder / "classroom" / "migrations" / "versions"
    (versions / f"{revision}_moods.py").write_text(
        MIGRATION.format(revision=revision, before=upkeep.newest())
    )
    return folder


def version_at(port: int, name: str = "localhost") -> str:
    """The version of the process at this port, which answers to this host name; "" if it does not
    answer."""
    headers = {"Host": name, "Authorization": f"Bearer {TOKEN}"}
    asked = urllib.request.Request(f"http://127.0.0.1:{port}/metrics", headers=headers)
    try:
        with urllib.request.urlopen(asked, timeout=5) as answer:
            found = re.search(r'^fish_info\{version="(.+)"\}', answer.read().decode(), re.M)
    except (OSError, http.client.HTTPException):
        return ""
    return found[1] if found else ""
