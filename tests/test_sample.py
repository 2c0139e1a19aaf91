"""An everyday run takes a sample of the long walks, and CI takes all of them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

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
def test_for_ci(): pass

def test_every_day(): pass
"""


@pytest.fixture
def everyday(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FISH_WHOLE", raising=False)
    monkeypatch.delenv("CI", raising=False)


def on(day: int, patch: pytest.MonkeyPatch, cases: int, share: int) -> list[int]:
    patch.setenv("FISH_DAY", str(day))
    return sample.of_the_day(range(cases), share, "a walk")


@pytest.mark.usefixtures("everyday")
@pytest.mark.parametrize(("cases", "share"), [(7, 3), (90, 7), (2, 5), (1, 4), (0, 4)])
def test_each_case_comes_once_in_as_many_days_as_its_share(
    monkeypatch: pytest.MonkeyPatch, cases: int, share: int
) -> None:
    days = [on(day, monkeypatch, cases, share) for day in range(min(share, cases) or 1)]
    assert sorted(sum(days, [])) == list(range(cases))  # noqa: RUF017
    assert all(days) or not cases, "something is tried every day"


@pytest.mark.usefixtures("everyday")
def test_the_same_day_has_the_same_sample_and_the_next_day_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert on(5, monkeypatch, 9, 3) == on(5, monkeypatch, 9, 3) != on(6, monkeypatch, 9, 3)


@pytest.mark.usefixtures("everyday")
def test_what_is_repeated_is_repeated_less_and_at_least_once() -> None:
    assert (sample.many(30, 3), sample.many(2, 5)) == (10, 1)


def test_a_whole_run_takes_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FISH_WHOLE", "1")
    assert on(5, monkeypatch, 9, 3) == list(range(9))
    assert sample.many(30, 3) == 30


@pytest.mark.usefixtures("everyday")
@pytest.mark.parametrize(
    ("option", "ci", "words", "whole"),
    [
        ("", "", ["tests"], False),
        ("whole", "", ["tests"], True),
        ("long", "", ["tests"], True),
        ("write-seconds", "", ["tests"], True),
        ("", "true", ["tests"], True),
        ("", "", ["tests/test_sample.py::test_this"], True),
    ],
)
def test_ci_an_option_or_the_name_of_a_test_makes_a_run_whole(
    monkeypatch: pytest.MonkeyPatch, option: str, ci: str, words: list[str], whole: bool
) -> None:
    monkeypatch.setenv("CI", ci)
    monkeypatch.setenv("FISH_DAY", "1")
    monkeypatch.setenv("FISH_WHOLE", "")
    config: Any = SimpleNamespace(getoption=lambda name: name == f"--{option}", args=words)
    sample.begin(cast(pytest.Config, config))
    assert sample.whole() == whole


def item(name: str, *marks: pytest.MarkDecorator) -> pytest.Item:
    found = {one.name: one.mark for one in marks}
    return cast(pytest.Item, SimpleNamespace(nodeid=name, get_closest_marker=found.get))


@pytest.mark.usefixtures("everyday")
def test_each_slow_test_comes_once_a_week(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = [item(f"tests/test_a.py::test_{number}") for number in range(14)]
    always = item("tests/test_a.py::test_lists", pytest.mark.walk(1))
    quick = item("tests/test_a.py::test_quick")
    seconds = {"tests/test_a.py": 60.0} | {one.nodeid: 9.0 for one in [*slow, always]}
    items = [*slow, always, quick]
    left = []
    for day in range(7):
        monkeypatch.setenv("FISH_DAY", str(day))
        left += sample.left_out(items, seconds)
    assert sorted(one.nodeid for one in left) == sorted(6 * [one.nodeid for one in slow])
    assert sample.left_out(items, {}) == []


@pytest.mark.usefixtures("everyday")
@pytest.mark.parametrize("words", [[], ["--whole"]])
def test_the_marks_leave_out_what_is_not_of_today(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    (tmp_path / "test_cases.py").write_text(CASES)
    (tmp_path / "conftest.py").write_text("from tests.conftest import *\n")
    monkeypatch.setenv("FISH_DAY", "0")
    options = [
        "-n0",
        "-q",
        "-p",
        "no:cacheprovider",
        f"--rootdir={tmp_path}",
        f"-c{ROOT}/pyproject.toml",
    ]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, *words, str(tmp_path)],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    passed = int(done.stdout.rpartition("\n")[0].rpartition("\n")[2].split(" passed")[0])
    walked = sample.of_the_day(range(7), 3, "test_cases.py::test_a_walk")
    assert len(walked) in (2, 3)
    assert passed == (7 + 2 + 1 + 1 if words else len(walked) + 1 + 1), done.stdout
