"""Fixtures for all tests: a migrated database, copied for each test, and a small world in it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from argon2 import PasswordHasher
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import settings
from jinja2.bccache import FileSystemBytecodeCache

from classroom.app import create_app
from classroom.database import db
from classroom.engine.chance import Lots
from classroom.services.access import passwords
from classroom.services.quiz import posing
from classroom.services.table import matches, players, rounds
from tests import databases
from tests.world import World, make_world

COMPILED = FileSystemBytecodeCache()  # within this user's temporary folder


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--no-browser", action="store_true", help="leave out what needs Chromium")
    parser.addoption("--long", action="store_true", help="run also what takes minutes")


def pytest_configure(config: pytest.Config) -> None:
    """Use the same examples for properties in every run, and new ones with --long."""
    settings.register_profile("everyday", deadline=None, derandomize=True, database=None)
    settings.register_profile("long", deadline=None)
    settings.load_profile("long" if config.getoption("--long") else "everyday")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    out = {"browser"} if config.getoption("--no-browser") else set()
    out |= set() if config.getoption("--long") else {"long"}
    out |= {"sqlite"} if databases.SERVER else set()
    left_out = [item for item in items if any(item.get_closest_marker(name) for name in out)]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]
    # These take longest. At the end, one of them would keep the other processors idle.
    items.sort(key=lambda item: item.path.parent.name not in ("faults", "browser"))


@pytest.fixture(autouse=True, scope="session")
def _cheap_passwords() -> None:
    passwords.use(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))


@pytest.fixture(autouse=True, scope="session")
def _no_database_is_left() -> Iterator[None]:
    yield
    databases.drop(0)


@pytest.fixture(autouse=True)
def _drop_databases_of_a_test() -> Iterator[None]:
    before = databases.made()
    yield
    databases.drop(before)


@pytest.fixture(autouse=True)
def _same_randomness_every_time(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seed the randomness of a test by its name, so that a test that failed fails again."""
    rng = Random(request.node.nodeid)
    for room, name in ((matches, "_random"), (players, "_random"), (posing, "_lots")):
        monkeypatch.setattr(room, name, rng)
    monkeypatch.setattr(rounds, "_chance", Lots(rng))


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an empty, migrated database and a key."""
    folder = tmp_path_factory.mktemp("migrated")
    databases.fresh(folder)
    finish(create_app({"INSTANCE": str(folder), "LOOK_AROUND": False}))
    return folder


def finish(app: Flask) -> None:
    """Close the database, so that its file is whole and no connection is left open."""
    with app.app_context():
        db.session.remove()
        db.engine.dispose()


def make_app(folder: Path, like: Path, **config: object) -> Flask:
    """An app on a copy of another folder's database."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(like / "key", folder / "key")
    databases.copied(folder, like)
    settings = {"INSTANCE": str(folder), "LOOK_AROUND": False, "UPGRADE": False}
    app = create_app({**settings, "COMPANION_PACE": 0.0, **config})
    app.jinja_env.bytecode_cache = COMPILED  # compiled templates, shared by all tests
    app.testing = True
    # A failure is answered as in a school, so that a test sees the page and the status.
    app.config["PROPAGATE_EXCEPTIONS"] = False
    return app


@pytest.fixture
def app(tmp_path: Path, migrated: Path) -> Iterator[Flask]:
    made = make_app(tmp_path / "instance", migrated)
    yield made
    finish(made)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture(scope="session")
def peopled(tmp_path_factory: pytest.TempPathFactory, migrated: Path) -> Path:
    """A folder whose database holds the world of tests/world.py."""
    folder = tmp_path_factory.mktemp("peopled")
    made = make_app(folder, migrated)
    make_world(made)
    finish(made)
    return folder


@pytest.fixture
def world(tmp_path: Path, peopled: Path) -> Iterator[World]:
    made = make_app(tmp_path / "world", peopled)
    yield World.of(made)
    finish(made)
