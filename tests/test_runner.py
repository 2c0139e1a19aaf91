"""How `run.py check` and `run.py test` run the tests."""

from __future__ import annotations

import re
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import pytest

from classroom import launcher
from tests import changed, clusters, runner
from tests.mutants.plans import PLANS, Plan
from tests.runner import SPREAD, STORED, TIMED, before, pytest_command, together

OK = [sys.executable, "-c", "print('first'); print('well')"]
FAILS = [sys.executable, "-c", "print('here'); print('why'); raise SystemExit(3)"]


def test_all_run_and_the_first_that_fails_is_the_answer(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert together([OK, FAILS, OK]) == 3
    said = capsys.readouterr().out
    assert said.count("  well\n") == 2
    assert "first" not in said.replace("print('first')", "")
    assert "here\nwhy\n" in said


def test_they_run_side_by_side(tmp_path: Path) -> None:
    """Each of the two commands waits for the other to begin."""
    wait = (
        "import pathlib, sys, time; pathlib.Path(sys.argv[1]).touch()\n"
        "for _ in range(600):\n    if pathlib.Path(sys.argv[2]).exists(): sys.exit(0)\n"
        "    time.sleep(0.05)\nsys.exit(1)"
    )
    one, two = str(tmp_path / "one"), str(tmp_path / "two")
    commands = [[sys.executable, "-c", wait, a, b] for a, b in ((one, two), (two, one))]
    assert together(commands) == 0


def test_style_types_and_libraries_are_looked_at_before_all_tests() -> None:
    assert [command[2] for command in before(only_changed=False)[:3]] == ["ruff", "ruff", "mypy"]
    assert "tests.dependencies" in [command[2] for command in before(only_changed=False)]
    assert all(command[2] != "tests.dependencies" for command in before(only_changed=True))


def test_no_test_runs_where_the_style_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "together", lambda _: 5)
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: pytest.fail("a test ran"))
    assert runner.test([]) == 5


@pytest.mark.walk(3)
@pytest.mark.parametrize(
    ("words", "many"),
    [
        (["tests/browser/test_door.py", "--no-browser"], 0),
        (["tests/faults/test_fuzz.py"], 1),
        (["tests/faults/test_fuzz.py", "--long"], 2),
    ],
)
def test_long_tests_and_those_of_a_browser_run_where_they_are_wanted(
    words: list[str], many: int
) -> None:
    command = pytest_command(["-n0", "--collect-only", "-q", *words])
    done = subprocess.run(command, cwd=changed.ROOT, capture_output=True, text=True, check=False)
    assert done.stdout.count("::") == many, done.stdout


def test_the_tests_are_spread_unless_somebody_says_how() -> None:
    assert pytest_command([])[3 : 3 + len(SPREAD)] == SPREAD
    for word in ("-n0", "-x"):
        assert "--dist" not in pytest_command([word])


# ---- on PostgreSQL


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[tuple[list[str], dict[str, str]]]:
    """The runs of pytest, each with its command and its environment; the first of them fails."""
    found: list[tuple[list[str], dict[str, str]]] = []

    def run(command: list[str], env: dict[str, str], **_: object) -> SimpleNamespace:
        found.append((command, env))
        return SimpleNamespace(returncode=len(found) % 2)

    monkeypatch.setattr(runner, "together", lambda _: 0)
    monkeypatch.setattr(clusters, "can_run", lambda: True)
    monkeypatch.setattr(
        clusters, "throw_away", lambda: nullcontext(SimpleNamespace(address="postgresql://own"))
    )
    monkeypatch.delenv("FISH_TEST_POSTGRES", raising=False)
    monkeypatch.setattr(subprocess, "run", run)
    return found


Runs = list[tuple[list[str], dict[str, str]]]


def test_what_measures_time_runs_last_and_alone_whatever_the_machine_says(
    monkeypatch: pytest.MonkeyPatch, runs: Runs
) -> None:
    ignored = [f"--ignore={file}" for file in TIMED]
    both = [pytest_command(ignored), pytest_command(["-n0", *TIMED])]
    for ci in ("", "true"):
        monkeypatch.setenv("CI", ci)
        assert runner.test([]) == 1  # the first run fails, and the second one is still made
    assert [command for command, _ in runs] == 2 * both
    assert all("FISH_TEST_POSTGRES" not in env for _, env in runs)
    assert all((changed.ROOT / file).exists() for file in TIMED)


@pytest.mark.parametrize(("codes", "ends"), [((0, 5), 0), ((5, 1), 1), ((0, 0), 0), ((5, 5), 5)])
def test_a_run_in_which_nothing_is_chosen_is_no_failure_beside_one_that_ran(
    monkeypatch: pytest.MonkeyPatch, codes: tuple[int, int], ends: int
) -> None:
    left = list(codes)
    monkeypatch.setattr(runner, "together", lambda _: 0)
    monkeypatch.setattr(runner, "_ran", lambda *_: left.pop(0))
    assert runner.test(["-k", "pond"]) == ends


def test_files_that_are_named_run_together(runs: Runs) -> None:
    runner.test(["tests/web/test_play.py", TIMED[0]])
    assert [command[-2:] for command, _ in runs] == [["tests/web/test_play.py", TIMED[0]]]


def test_what_goes_on_after_the_everyday_run_checks_nothing_again(
    monkeypatch: pytest.MonkeyPatch, runs: Runs
) -> None:
    monkeypatch.setattr(runner, "together", lambda _: pytest.fail("checked again"))
    for words in (["--rest"], ["--postgres"]):
        runner.test(words)
    (rest, _), (timed, _), (other, env) = runs
    assert rest[-len(TIMED) - 1] == timed[-len(TIMED) - 1] == "--rest"
    assert other[-len(STORED) :] == [*STORED]
    assert env["FISH_TEST_POSTGRES"] == "postgresql://own"


def test_ci_runs_the_command_of_the_readme_and_then_all_the_rest() -> None:
    commands = re.findall(r"python3 run.py.*?(?= \|\|)", (changed.ROOT / ".ci/run").read_text())
    assert commands == [
        "python3 run.py test", "python3 run.py test --rest", "python3 run.py test --postgres"
    ]  # fmt: skip
    assert f"{commands[0]}   " in (changed.ROOT / "README.md").read_text()


def test_the_pass_on_postgresql_alone_takes_what_is_named(runs: Runs) -> None:
    runner.test(["--postgres", "-k", "pond"])
    runner.test(["--postgres", "tests/web/test_play.py"])
    (pond, _), (named, _) = runs
    assert pond[-len(STORED) - 2 :] == ["-k", "pond", *STORED]
    assert named[-1] == "tests/web/test_play.py"
    assert STORED[0] not in named


def test_a_machine_without_postgresql_says_that_nothing_ran_on_it(
    monkeypatch: pytest.MonkeyPatch, runs: Runs, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(clusters, "can_run", lambda: False)
    assert runner.test(["--postgres"]) == 1
    assert runs == []
    assert "PostgreSQL: tests NOT RUN" in capsys.readouterr().out


def test_what_ci_runs_on_postgresql_is_there() -> None:
    for one in STORED:
        assert (changed.ROOT / one.removeprefix("--ignore=")).exists()


def test_every_room_whose_tests_use_a_database_is_run_on_postgresql() -> None:
    using = {
        Path(file).parent.name
        for file in changed.test_files()
        if re.search(r"\bapp: Flask|: World\b|: Classroom\b", (changed.ROOT / file).read_text())
    }
    assert using - {"tests"} == {*map(_room, STORED)} - {"tests"}
    assert all((changed.ROOT / path.partition("=")[2]).exists() for path in STORED if "=" in path)


def _room(path: str) -> str:
    found = Path(path.removeprefix("--ignore="))
    return (found.parent if found.suffix else found).name


# ---- some of the tests


@pytest.mark.whole  # every day instead: tests/test_changed.py
def test_only_files_that_a_change_can_break_are_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[str | None] = []

    def since(reference: str | None) -> tuple[str, set[str]]:
        asked.append(reference)
        return "main", {"README.md"}

    monkeypatch.setattr(changed, "since", since)
    files = runner.chosen("--changed")
    assert "tests/test_documents.py" in files
    assert runner.chosen("--changed=v1") == files
    assert asked == [None, "v1"]
    assert capsys.readouterr().out.count("1 files changed since main: ") == 2


def test_a_commit_that_is_not_there_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert runner.test(["--changed=nowhere"]) == 1
    assert capsys.readouterr().err == "Git knows no commit 'nowhere'.\n"


def test_the_quick_check_has_the_house_and_tests_of_every_pure_room() -> None:
    files = runner.quick_files()
    assert set(changed.ALWAYS) <= set(files)
    rooms = {Path(file).parent.name for file in files}
    assert rooms == {"tests", *runner.PURE}
    assert all((changed.ROOT / file).is_file() for file in files)


def test_the_launcher_hands_on_what_to_test(monkeypatch: pytest.MonkeyPatch) -> None:
    became: list[list[str]] = []
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setattr(launcher, "environment", lambda *_: Path("python"))
    monkeypatch.setattr(launcher, "go_on", lambda command: became.append(command) or 0)
    assert launcher.main(["check"]) == 0
    assert launcher.main(["test", "--no-browser", "-k", "pond"]) == 0
    words = [command[command.index("tests.runner") + 1 :] for command in became]
    assert words == [["check"], ["test", "--no-browser", "-k", "pond"]]


# ---- run.py mutants


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: plan.name)
def test_a_plan_names_modules_and_tests_that_exist(plan: Plan) -> None:
    for glob in plan.modules:
        assert list((launcher.ROOT / "classroom").glob(glob)), glob
    missing = [name for name in plan.tests if not (launcher.ROOT / name).exists()]
    assert missing == []


def test_the_plans_cover_the_pure_rooms_the_live_server_and_the_web() -> None:
    planned = {path for plan in PLANS for path in plan.paths()}
    for room in ("engine", "minds", "learning", "live", "web"):
        modules = (launcher.ROOT / "classroom" / room).rglob("*.py")
        found = {path.relative_to(launcher.ROOT) for path in modules if path.name != "__init__.py"}
        left = {path for path in found - planned if path.parent.name != "words"}  # texts
        assert left == set()
