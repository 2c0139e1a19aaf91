"""Check what the wheel and the lock files contain, and that a school can be served from the
wheel."""

from __future__ import annotations

import ast
import contextlib
import json
import os
import re
import subprocess
import sys
import sysconfig
import tomllib
import venv
from importlib.metadata import packages_distributions, version
from pathlib import Path
from zipfile import ZipFile

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from classroom import config
from tests.changed import trees
from tests.ports import free_port
from tests.serving import get

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
NEEDED = PROJECT["project"]["dependencies"]
EXTRAS = PROJECT["project"]["optional-dependencies"]
GROUPS = PROJECT["dependency-groups"]
# What a served school reads. All but the package itself is in `classroom/shipped` in a wheel.
SERVED = """classroom/ scripts/adult/ scripts/child/ scripts/studio/ scripts/vendor/ static/
templates/ translations/ pyproject.toml requirements.txt requirements-postgres.txt docs/https.md
docs/running.md docs/settings.md""".split()


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel of these sources, built without the internet."""
    folder = tmp_path_factory.mktemp("wheel")
    build = "import sys; from hatchling.build import build_wheel; print(build_wheel(sys.argv[1]))"
    done = subprocess.run(
        [sys.executable, "-c", build, str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return folder / done.stdout.split()[-1]


@pytest.fixture(scope="module")
def program(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command `fish-school` in an environment that has the wheel, and the libraries of the
    tests in place of those that pip would fetch. No source is on its path."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder, with_pip=False)
    paths = {"base": str(folder), "platbase": str(folder)}
    site = Path(sysconfig.get_path("purelib", "venv", paths))
    scripts = Path(sysconfig.get_path("scripts", "venv", paths))
    python = scripts / ("python.exe" if os.name == "nt" else "python")
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "-q", "--no-deps"]
    subprocess.run([*pip, "--disable-pip-version-check", "--no-index", str(wheel)], check=True)
    (site / "libraries.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    return scripts / ("fish-school.exe" if os.name == "nt" else "fish-school")


def run(program: Path, *words: str, home: Path, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [program, *words],
        env=alone(home) | more,
        cwd=home,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def alone(home: Path) -> dict[str, str]:
    """An environment without our sources, settings or home folder."""
    found = {name: value for name, value in os.environ.items() if not name.startswith("FISH_")}
    found.pop("PYTHONPATH", None)
    return found | {"HOME": str(home), "USERPROFILE": str(home)}


# ---- the wheel


def in_sources() -> list[str]:
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    done = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True)
    return [name for name in done.stdout.split("\0") if name and (ROOT / name).is_file()]


def test_the_wheel_holds_everything_that_is_served_and_nothing_else(wheel: Path) -> None:
    wanted = {
        name if name.startswith("classroom/") else f"classroom/shipped/{name}"
        for name in in_sources()
        if any(name == one or (one.endswith("/") and name.startswith(one)) for one in SERVED)
    }
    with ZipFile(wheel) as files:
        found = {name for name in files.namelist() if ".dist-info/" not in name}
    assert found == wanted


@pytest.mark.whole  # every day instead: the wheel has what is served, and its command runs
def test_an_installed_program_serves_a_school_with_its_pages_and_styles(
    program: Path, tmp_path: Path
) -> None:
    port = free_port()
    process = subprocess.Popen(
        [program, "--port", str(port)],
        env=alone(tmp_path),
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    with contextlib.closing(process.stdout or sys.stdin) as said:
        try:
            first = said.readline()
            assert "Fish School is open" in first, first + said.read()
            assert get(port, "/health") == (200, "ok\n")
            page = get(port)[1]
            for path in re.findall(r'(?:href|src)="(/static/[^"]+)"', page):
                assert get(port, path.replace("&amp;", "&"))[0] == 200
        finally:
            process.kill()
            process.wait()
    assert (tmp_path / "fish-school" / "school.db").is_file()


def test_an_installed_program_calls_itself_by_its_command(program: Path, tmp_path: Path) -> None:
    told = run(program, "swim", home=tmp_path).stderr
    assert told.startswith("There is no command 'swim'")
    assert re.findall(r"^fish-school (\w+)", told, re.M)[:2] == ["serve", "demo"]
    assert "run.py" not in told
    (tmp_path / "fish-school").mkdir()
    (tmp_path / "fish-school" / "key").write_text("ab")
    lost = run(program, "serve", "--port", "0", home=tmp_path)
    assert "(fish-school restore FILE)" in lost.stderr


def test_an_installed_program_lists_its_components(program: Path, tmp_path: Path) -> None:
    done = run(program, "sbom", home=tmp_path)
    assert done.stderr == ""
    names = {one["name"] for one in json.loads(done.stdout)["components"]}
    assert {"flask", "psycopg", "htmx", "fredoka"} <= names


def test_what_an_installed_program_runs_apart_finds_its_own_modules(
    program: Path, tmp_path: Path
) -> None:
    read = "from classroom.services.school.lists import reading; reading.sheet_rows(b'no sheet')"
    python = program.with_name("python.exe" if os.name == "nt" else "python")
    done = subprocess.run(
        [python, "-c", read], env=alone(tmp_path), cwd=tmp_path, capture_output=True, text=True
    )
    assert "UnreadableList: list_damaged" in done.stderr
    assert "No module named" not in done.stderr


def test_a_checkout_keeps_its_folders_and_its_command() -> None:
    assert config.ROOT == ROOT
    assert config.COMMAND == "python3 run.py"
    assert Path(config.HOME) == ROOT / "instance"


# ---- the dependencies


def declared(lines: list[object]) -> dict[str, Requirement]:
    found = [Requirement(line) for line in lines if isinstance(line, str)]
    return {canonicalize_name(one.name): one for one in found}


def locked(name: str) -> dict[str, str]:
    text = (ROOT / name).read_text(encoding="utf-8")
    return dict(re.findall(r"^([a-z0-9._-]+)==([^\s;]+)", text, re.M))


@pytest.mark.parametrize(
    ("lock", "lines"),
    [
        ("requirements.txt", NEEDED),
        ("requirements-postgres.txt", [*NEEDED, *EXTRAS["postgres"]]),
        ("requirements-test.txt", [*NEEDED, *GROUPS["test"], *GROUPS["build"]]),
        ("requirements-build.txt", GROUPS["build"]),
        ("requirements-mutants.txt", GROUPS["mutants"]),
    ],
)
def test_each_lock_has_a_version_of_everything_that_is_declared(
    lock: str, lines: list[object]
) -> None:
    versions = locked(lock)
    for name, wanted in declared(lines).items():
        assert versions[name] in wanted.specifier, (lock, name)


def test_every_library_of_the_tests_is_installed_where_its_marker_holds() -> None:
    """So that the comparison with OpenSpiel is left out only where there is no wheel of it."""
    for name, wanted in declared(GROUPS["test"]).items():
        if wanted.marker is None or wanted.marker.evaluate():
            assert version(name) in wanted.specifier, name


def test_every_library_that_the_program_imports_is_declared() -> None:
    known = packages_distributions()
    named = {*declared(NEEDED), *declared(EXTRAS["postgres"])}
    through = {"click", "jinja2", "markupsafe", "werkzeug", "alembic", "babel"}  # of those declared
    ours = {*sys.stdlib_module_names, "classroom"}
    for path, tree in trees("classroom"):
        for node in ast.walk(tree):
            for module in _imported(node) - ours:
                names = {canonicalize_name(one) for one in known[module]}
                assert names & (named | through), (path, module)


def _imported(node: ast.AST) -> set[str]:
    if isinstance(node, ast.Import):
        return {alias.name.partition(".")[0] for alias in node.names}
    if isinstance(node, ast.ImportFrom):
        return {str(node.module).partition(".")[0]}
    return set()
