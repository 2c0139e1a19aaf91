"""The import rule, checked for every import of every module, also inside functions."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from classroom import engine
from tests.changed import tree

ROOT = Path(__file__).resolve().parent.parent
PURE = ("engine", "games", "minds", "learning")
ROOMS = (*PURE, "papers", "privacy", "models", "services", "live", "web")

# The rooms that each room may import from; its own is always allowed.
MAY = {
    "engine": {"engine"},
    "games": {"games", "engine"},
    "minds": {"minds", "games", "engine"},
    "learning": {"learning", "minds", "games", "engine"},
    "papers": {"privacy", "config"},
    "privacy": {"config"},
    "models": {"models", "database"},
    "services": {
        "services",
        "models",
        "database",
        "condition",  # whether the data can be trusted, and sentences for what failed
        "learning",
        "minds",
        "games",
        "engine",
        "hub",
        "postgres",  # the relay carries the hub's notices to other processes
        "config",
        "measures",
        "privacy",  # which columns belong to a child's record
    },
    "live": {"live", "hub", "measures", "services"},
    "web": {
        "web",
        "services",
        "models",
        "condition",  # sentences for what failed
        "database",
        "learning",
        "minds",
        "games",
        "engine",
        "privacy",  # the privacy page
        "papers",  # the papers made from it
        "measures",
        "config",  # where the sources of scripts and styles are
    },
}
# The functions of the engine: other packages import them from `classroom.engine` itself.
DOOR = {f"classroom.engine.{name}" for name in engine.__all__}
# Minds, learning, live and web may use the values of the engine, but nothing that knows a State.
NO_STATE = ("classroom.engine.state", "classroom.engine.round", *DOOR)
NOT_PURE = {
    "flask",
    "sqlalchemy",
    "flask_sqlalchemy",
    "jinja2",
    "werkzeug",
    "os",
    "time",
    "datetime",
    "secrets",
    "socket",
    "threading",
    "subprocess",
}


@dataclass(frozen=True)
class Import:
    """One import: `what` is the module, or the module and the name."""

    by: str
    room: str
    what: str

    @property
    def from_room(self) -> str | None:
        parts = self.what.split(".")
        return parts[1] if parts[0] == "classroom" and len(parts) > 1 else None


def modules(folder: str = "classroom") -> list[Path]:
    return sorted(p for p in (ROOT / folder).rglob("*.py") if "migrations" not in p.parts)


def imports(room: str | None = None, folder: str = "classroom") -> Iterator[Import]:
    for path in modules(folder):
        parts = path.relative_to(ROOT / folder).parts
        own = parts[0] if len(parts) > 1 else path.stem
        if room is not None and own != room:
            continue
        name = ".".join((folder, *parts)).removesuffix(".py").removesuffix(".__init__")
        for node in ast.walk(tree(path.relative_to(ROOT).as_posix())):
            for what in _asked(node):
                yield Import(name, own, what)


def _asked(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        assert node.level == 0, "imports are absolute"
        return [f"{node.module}.{alias.name}" for alias in node.names]
    return []


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_only_from_the_rooms_it_may(room: str) -> None:
    found = list(imports(room))
    assert found
    for one in found:
        assert one.from_room is None or one.from_room in MAY[room], one


@pytest.mark.parametrize("room", PURE)
def test_a_pure_room_is_pure(room: str) -> None:
    for one in imports(room):
        assert one.what.split(".")[0] not in NOT_PURE, one


@pytest.mark.parametrize("room", PURE)
def test_randomness_is_passed_in_and_never_taken_from_the_module(room: str) -> None:
    for one in imports(room):
        if one.what.split(".")[0] == "random":
            assert one.what == "random.Random", one


def test_a_mind_never_gets_hold_of_a_state() -> None:
    for room in ("minds", "learning", "web", "live"):
        for one in imports(room):
            assert not one.what.startswith(NO_STATE), one


def test_the_functions_of_the_engine_have_one_door() -> None:
    for folder in ("classroom", "tools", "tests"):
        for one in imports(folder=folder):
            module, _, name = one.what.rpartition(".")
            if module.startswith("classroom.engine.") and not one.by.startswith("classroom.engine"):
                assert name not in engine.__all__, one


def test_services_do_not_import_flask() -> None:
    for one in imports("services"):
        assert one.what.split(".")[0] not in ("flask", "jinja2", "werkzeug"), one


# The floors of a room, lowest first. A package imports from its own floor and those below it.
FLOORS = {
    "minds": ("memory", "playing"),
    "services": (
        "base",  # what every service needs: the clock, names, limits, the audit log
        "table",  # a round: its state, its seats, its moves, what they show
        "quiz",  # questions put to children in play
        "reports",  # what adults read
        "lesson",  # a class at play
        "access",  # ways in: sign-in, sessions, doors
        "school",  # classes, children, families
        "operation",  # running it: the background thread, copies, health, the demo
    ),
    "web": ("words", "http", "child", "reports", "voice", "auth", "teacher", "school"),
}


@pytest.mark.parametrize("room", FLOORS)
def test_no_package_imports_from_a_floor_above_it(room: str) -> None:
    floors, climbs = FLOORS[room], []
    packages = {path.name for path in (ROOT / "classroom" / room).iterdir() if path.is_dir()}
    assert packages - {"__pycache__"} == set(floors)
    for one in imports(room):
        by, what = one.by.split("."), one.what.split(".")
        known = what[:2] == ["classroom", room] and by[2] in floors and what[2] in floors
        if known and floors.index(what[2]) > floors.index(by[2]):
            climbs.append(one)
    assert not climbs


def test_the_hub_imports_nothing_of_ours() -> None:
    assert {one.from_room for one in imports("hub")} == {None}


def test_only_the_app_joins_the_web_to_the_rest() -> None:
    for one in imports():
        if one.from_room == "web" and one.room not in ("web", "app"):
            # the command line uses the sentences of the pages, and begins new languages
            assert one.by == "classroom.cli"
            assert one.what.startswith("classroom.web.words.")


def test_the_launcher_needs_nothing_but_the_standard_library() -> None:
    for one in imports("launcher"):
        assert one.what.split(".")[0] in sys.stdlib_module_names, one


@pytest.mark.parametrize("room", PURE)
def test_the_modules_of_a_pure_room_import_one_another_in_no_circle(room: str) -> None:
    """Imports that only the type checker needs count as well, as they too tie modules together."""
    names = {one.by for one in imports(room)}
    order: TopologicalSorter[str] = TopologicalSorter()
    for one in imports(room):
        module = one.what if one.what in names else one.what.rpartition(".")[0]
        if module in names:
            order.add(one.by, module)
    order.prepare()  # raises CycleError, with the modules of the circle


def test_the_product_imports_no_tool_and_no_test() -> None:
    for one in imports():
        assert one.what.split(".")[0] not in ("tools", "tests"), one


def test_importing_the_engine_brings_in_no_web_and_no_database() -> None:
    script = (
        "import sys, classroom.engine, classroom.games\n"
        "import classroom.minds.playing.computer_players\n"
        "print([m for m in ('flask', 'sqlalchemy', 'jinja2') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_only_services_commit() -> None:
    for path in modules():
        room = path.relative_to(ROOT / "classroom").parts[0]
        for node in ast.walk(tree(path.relative_to(ROOT).as_posix())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
                name = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id
                if name in ("commit", "write_unit", "flush"):
                    allowed = room in ("services", "database.py") or name == "flush"
                    assert allowed, f"{path}:{node.lineno}"


DRAWERS = ("table.matches", "table.rounds", "quiz.posing")


def test_few_modules_use_the_system_randomness() -> None:
    for one in imports():
        if one.what.endswith("SystemRandom"):
            # the deck, the seats, other chance in a few games, and which question comes
            assert one.by in {f"classroom.services.{by}" for by in DRAWERS}, one


def test_only_the_clock_asks_for_the_current_time() -> None:
    asks = {("time", "time"), ("datetime", "now"), ("date", "today"), ("datetime", "utcnow")}
    found = {
        path.name
        for path in (ROOT / "classroom").rglob("*.py")
        for node in ast.walk(tree(path.relative_to(ROOT).as_posix()))
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and (node.value.id, node.attr) in asks
    }
    assert found == {"clock.py"}
