"""Fixtures for all tests: a migrated database, copied for each test, and a small world in it."""

from __future__ import annotations

import gc
import json
import os
import shutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from argon2 import PasswordHasher
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import settings
from jinja2.bccache import FileSystemBytecodeCache

from classroom.app import create_app
from classroom.database import db
from classroom.services.access import passwords
from tests import clusters, databases, sample
from tests.addresses import share_addresses
from tests.playing import Classroom, fill
from tests.randomness import draw_from
from tests.sample import whole as whole  # a fixture, kept apart for tests/changed.py
from tests.statements import share_statements
from tests.world import MONITORS_TOKEN, World, make_world

COMPILED = FileSystemBytecodeCache()  # within this user's temporary folder


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--no-browser", action="store_true", help="leave out what needs Chromium")
    parser.addoption("--whole", action="store_true", help="run all cases of long walks")
    parser.addoption("--rest", action="store_true", help="run what the everyday run leaves out")
    parser.addoption("--long", action="store_true", help="run also what takes minutes")
    parser.addoption("--write-seconds", action="store_true", help="note how long tests take")


def _draws(config: pytest.Config) -> bool:
    """Whether this run draws its tests by lot."""
    return config.getoption("--rest") or (bool(databases.SERVER) and not sample.is_whole(config))


def pytest_configure(config: pytest.Config) -> None:
    """Use the same examples for property tests in every run, fewer in an everyday run, and new ones
    with --long. Put temporary folders in memory if there is room."""
    same = {"deadline": None, "derandomize": True, "database": None}
    settings.register_profile("everyday", **same, max_examples=30)
    settings.register_profile("whole", **same)
    settings.register_profile("long", deadline=None)
    size = "whole" if sample.is_whole(config) else "everyday"
    settings.load_profile("long" if config.getoption("--long") else size)
    if config.getoption("--long"):
        os.environ.setdefault("FISH_LONG", "3")  # tests/engine/tabletop.py, tests/learning/size.py
    if _draws(config):
        sample.lot()
    if memory := clusters.memory():  # on a real disk every commit of a test would wait for it
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(memory))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    out = {"browser"} if config.getoption("--no-browser") else set()
    out |= set() if config.getoption("--long") else {"long"}
    out |= {"sqlite"} if databases.SERVER else set()
    every = items[:]
    items[:] = [one for one in items if not any(map(one.get_closest_marker, out))]
    if config.getoption("--rest"):
        items[:] = sample.rest(items)
    elif _draws(config):
        items[:] = sample.stored(items)
    elif not sample.is_whole(config):
        gone = sample.left_out(items)
        items[:] = [one for one in items if one not in gone]
    if len(items) < len(every):
        config.hook.pytest_deselected(items=[*{*every} - {*items}])
    # The longest files come first. If one ran last, the other processors would wait for it.
    known = sample.seconds()
    items.sort(key=lambda item: (-known.get(file_of(item.nodeid), UNKNOWN), file_of(item.nodeid)))


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    if _draws(config):
        terminalreporter.write_line(f"FISH_LOT={sample.lot()} draws the same tests.")


SLOW: Final = 1.0  # seconds; a test that takes longer is in the table by itself
UNKNOWN: Final = 30.0  # seconds for a file that is not in the table yet
_spent: Counter[str] = Counter()


def file_of(nodeid: str) -> str:
    return nodeid.partition("::")[0]


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    _spent[report.nodeid] += report.duration


def pytest_sessionfinish(session: pytest.Session) -> None:
    """With --write-seconds, write the table of seconds. Workers leave that to the main process."""
    if session.config.getoption("--write-seconds") and not hasattr(session.config, "workerinput"):
        files = Counter[str]()
        for test, spent in _spent.items():
            files[file_of(test)] += spent
        old = sample.seconds().items()
        kept = {one: spent for one, spent in old if file_of(one) not in files and _exists(one)}
        slow = {test: spent for test, spent in _spent.items() if spent > SLOW}
        table = kept | {one: round(spent, 1) for one, spent in (files | slow).items()}
        sample.SECONDS.write_text(
            json.dumps(table, indent=1, sort_keys=True) + "\n", encoding="utf-8"
        )


def _exists(nodeid: str) -> bool:
    return Path(file_of(nodeid)).exists()


def pytest_collection_finish() -> None:
    """Keep the garbage collector from searching all modules again for every app that a test makes:
    that took a quarter of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 10)


share_addresses()


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
    draw_from(Random(request.node.nodeid), monkeypatch)


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an empty, migrated database and a key."""
    folder = tmp_path_factory.mktemp("migrated")
    databases.fresh(folder)
    finish(create_app({"INSTANCE": str(folder), "LOOK_AROUND": False}))
    key = sha256(b"a key for tests").hexdigest()  # some random results follow from it
    (folder / "key").write_text(key, encoding="ascii")
    return folder


def finish(app: Flask) -> None:
    """Close the database, so that its file is whole and no connection is left open."""
    with app.app_context():
        db.session.remove()
        db.engine.dispose()


def make_app(folder: Path, like: Path, **config: object) -> Flask:
    """Make an app in this folder, on a copy of another folder's database."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(like / "key", folder / "key")
    databases.copied(folder, like)
    settings = {"INSTANCE": str(folder), "LOOK_AROUND": False, "UPGRADE": False}
    if not config.get("DEMO"):
        (folder / "removed").touch()  # a school that was set up has this list
    settings["METRICS_TOKEN"] = MONITORS_TOKEN
    app = create_app({**settings, "COMPANION_PACE": 0.0, **config})
    app.jinja_env.bytecode_cache = COMPILED  # compiled templates, shared by all tests
    share_statements(app)
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
def postgres() -> Iterator[str]:
    """The address of a PostgreSQL server: the one of FISH_TEST_POSTGRES, or a throw-away one."""
    if databases.SERVER:
        yield databases.SERVER
        return
    if not clusters.can_run():
        pytest.skip("needs the programs of PostgreSQL, and psycopg")
    with clusters.throw_away() as cluster:
        yield cluster.address


class Rooms:
    """Classrooms: one is filled for each number of children, and copied for each test."""

    def __init__(self, folder: Path, migrated: Path) -> None:
        self._folder, self._migrated = folder, migrated
        self._filled: dict[int, Classroom] = {}

    def copy(self, folder: Path, children: int = 2) -> Classroom:
        """A classroom in this folder."""
        if databases.SERVER:  # a database made during a test is dropped after it
            return fill(make_app(folder, self._migrated), children)
        if children not in self._filled:
            like = make_app(self._folder / str(children), self._migrated)
            self._filled[children] = fill(like, children)
            finish(like)
        one = self._filled[children]
        app = make_app(folder, Path(one.app.instance_path))
        return replace(one, app=app, children=dict(one.children))


@pytest.fixture(scope="session")
def rooms(tmp_path_factory: pytest.TempPathFactory, migrated: Path) -> Rooms:
    """Makes classrooms of any size."""
    return Rooms(tmp_path_factory.mktemp("rooms"), migrated)


@pytest.fixture(scope="session")
def first_world(tmp_path_factory: pytest.TempPathFactory, migrated: Path) -> World:
    """The world of tests/world.py, whose app is closed: its database is there to be copied."""
    made = make_app(tmp_path_factory.mktemp("peopled"), migrated)
    make_world(made)
    world = World.of(made)
    finish(made)
    return world


@pytest.fixture(scope="session")
def peopled(first_world: World) -> Path:
    """A folder whose database holds the world of tests/world.py."""
    return Path(first_world.app.instance_path)


@pytest.fixture
def world(tmp_path: Path, first_world: World, peopled: Path) -> Iterator[World]:
    made = make_app(tmp_path / "world", peopled)
    yield first_world.at(made)
    finish(made)
