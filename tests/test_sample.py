"""The everyday run is the same every day; the other runs draw lots."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests import sample

ROOT = Path(__file__).resolve().parent.parent
CASES = """
import pytest

@pytest.mark.walk(3)
@pytest.mark.parametrize("case", range(7))
def test_a_walk(case): pass

@pytest.mark.walk(2, of="one promise")
def test_one(): pass

@pytest.mark.walk(2, of="one promise")
def test_other(): pass

@pytest.mark.whole
def test_of_whole_runs(): pass

def test_that_is_shorter_in_an_everyday_run(whole): print("whole", whole)

@pytest.mark.parametrize("case", range(20))
def test_every_day(case): pass
"""
EVERYDAY = [
    *(f"test_a_walk[{case}]" for case in (0, 3, 6)),
    "test_one",
    "test_that_is_shorter_in_an_everyday_run",
    *(f"test_every_day[{case}]" for case in range(20)),
]
REST = {
    *(f"test_a_walk[{case}]" for case in (1, 2, 4, 5)),
    "test_other",
    "test_of_whole_runs",
    "test_that_is_shorter_in_an_everyday_run",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "test_cases.py").write_text(CASES)
    (tmp_path / "conftest.py").write_text("from tests.conftest import *\n")
    monkeypatch.delenv("FISH_LOT", raising=False)
    monkeypatch.setenv("CI", "true")  # on every machine
    return tmp_path


def taken(folder: Path, *words: str) -> list[str]:
    """The tests that a run with these words takes, in their order."""
    options = f"-n0 -v -s -p no:cacheprovider --rootdir={folder} -c{ROOT}/pyproject.toml".split()
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, *words],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode in (0, 5), done.stdout  # 5: none was drawn
    if found := re.search(r"whole (True|False)", done.stdout):
        assert found[1] == str(bool(words[1:] or "::" in words[0]))
    return [line.split()[0].partition("::")[2] for line in done.stdout.split("\n") if "::" in line]


def test_the_everyday_run_takes_the_first_cases_of_each_walk(folder: Path) -> None:
    assert taken(folder, str(folder)) == EVERYDAY


@pytest.mark.whole  # every day instead: what a part is, and what an everyday run leaves out
@pytest.mark.parametrize("word", ["--whole", "--long"])
def test_a_whole_run_takes_everything(folder: Path, word: str) -> None:
    assert {*taken(folder, str(folder), word)} == REST | {*EVERYDAY}


@pytest.mark.whole  # as are most tests of a change
def test_a_test_that_is_named_runs_whole(folder: Path) -> None:
    named = "test_that_is_shorter_in_an_everyday_run"
    assert taken(folder, f"{folder}/test_cases.py::{named}") == [named]


@pytest.mark.whole  # every day the same is tried with tests that are made up
def test_the_rest_has_some_of_what_was_left_out_and_fewer_of_the_others_by_lot(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = Counter[str]()
    for number in range(16):
        monkeypatch.setenv("FISH_LOT", f"{number}")
        tests = taken(folder, str(folder), "--rest")
        drawn.update(tests)
        in_order = sorted(tests, key=[*EVERYDAY, *REST].index)
        drawn["in a random order"] += tests != in_order
    assert drawn["in a random order"] > 1
    left_out = sum(drawn[test] for test in REST) / len(REST)
    others = sum(drawn[test] for test in {*EVERYDAY} - REST) / len({*EVERYDAY} - REST)
    assert 0 < others < left_out < 4


@pytest.mark.whole  # every day the same is tried with tests that are made up
def test_another_database_gets_some_of_the_everyday_tests_in_their_order(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FISH_TEST_POSTGRES", "postgresql://nobody@localhost/nothing")
    monkeypatch.setenv("FISH_LOT", "one")
    tests = taken(folder, str(folder))
    assert 0 < len(tests) < len(EVERYDAY) / 2
    assert tests == [test for test in EVERYDAY if test in tests]
    named = "test_cases.py::test_one"
    assert taken(folder, f"{folder}/{named}") == ["test_one"]


def test_a_commit_has_a_lot_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    git = ["git", "-c", "user.name=M", "-c", "user.email=m@example.org"]
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    monkeypatch.setattr(sample, "ROOT", tmp_path)
    found = []
    for commit in ("", "one", "", "two"):
        if commit:
            words = [*git, "commit", "-q", "--allow-empty", "-m", commit]
            subprocess.run(words, cwd=tmp_path, check=True)
        monkeypatch.setenv("FISH_LOT", "noted, so that it is set back")
        monkeypatch.delenv("FISH_LOT")
        found.append(sample.lot())
    assert found[0] == "no commit"
    assert found[1] == found[2] != found[3]


def test_a_lot_draws_the_same_again_and_another_one_does_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tests: Any = [Drawable(f"tests/test_x.py::test_{number}") for number in range(40)]
    found = []
    for lot in ("one", "one", "other"):
        monkeypatch.setenv("FISH_LOT", lot)
        found.append(sample.rest(tests))
    assert found[0] == found[1] != found[2]


class Drawable:
    """The parts of a test that a draw looks at; it may be marked `whole`, or be shorter every
    day."""

    def __init__(self, nodeid: str, marked: str = "", fixture: str = "") -> None:
        self.nodeid, self._marked, self.fixturenames = nodeid, marked, (fixture,)

    def get_closest_marker(self, name: str) -> object:
        return name == self._marked or None


def test_a_part_of_what_was_left_out_or_shortened_is_drawn_and_a_smaller_one_of_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("FISH_LOT", "one")
    kinds = {"left out": ("whole", ""), "shortened": ("", "whole"), "other": ("", "")}
    tests: Any = [Drawable(f"{kind} {n}", *kinds[kind]) for kind in kinds for n in range(1000)]
    drawn = Counter(one.nodeid.rpartition(" ")[0] for one in sample.rest(tests))
    for kind in ("left out", "shortened"):
        assert drawn[kind] == pytest.approx(1000 * sample.LEFT_OUT, rel=0.3)
    assert drawn["other"] == pytest.approx(1000 * sample.AGAIN, rel=0.3)
    assert sample.AGAIN < sample.LEFT_OUT


def test_another_database_gets_a_part_of_the_everyday_tests_in_their_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("FISH_LOT", "one")
    tests: Any = [Drawable(f"{n}", "whole" if n % 2 else "") for n in range(2000)]
    found = [int(one.nodeid) for one in sample.stored(tests)]
    assert found == sorted(found)
    assert not [n for n in found if n % 2]
    assert len(found) == pytest.approx(1000 * sample.STORED, rel=0.2)


def test_a_slow_test_is_not_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    tests: Any = [Drawable(f"tests/test_x.py::test_{number}") for number in range(400)]
    seconds = {one.nodeid: 5.1 for one in tests[::2]}
    monkeypatch.setattr(sample, "seconds", lambda: seconds)
    drawn = {one.nodeid for one in sample.rest(tests)}
    assert 0 < len(drawn) < 40
    assert not drawn & {*seconds}


def test_a_part_is_the_first_of_each_few() -> None:
    assert sample.part(range(7), 3, whole=False) == [0, 3, 6]
    assert sample.part(range(7), 3, whole=True) == [*range(7)]
