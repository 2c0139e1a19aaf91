"""Making a demo school in another process."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from classroom import cli
from classroom.services.operation import demo, look_around, upkeep

posix = pytest.mark.skipif(sys.platform == "win32", reason="there priorities have other names")


def test_making_one_reports_progress_and_leaves_one_sound_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FISH_INSTANCE", str(tmp_path))
    monkeypatch.setattr(look_around, "be_modest", lambda: None)
    monkeypatch.setattr(demo, "WEEKS", 1)
    monkeypatch.setattr(
        demo, "CHILDREN", tuple(c for c in demo.CHILDREN if c.name in "Mia Ben Lina")
    )
    file = tmp_path / "demo-1.db"
    assert cli.main(["make-demo", str(file)]) == 0
    shares = [float(line) for line in capsys.readouterr().out.split()]
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0.0, 1.0)
    assert upkeep.is_current(file)
    with contextlib.closing(sqlite3.connect(file)) as made:
        roles = "SELECT role FROM adults ORDER BY role"
        assert [role for (role,) in made.execute(roles)] == ["admin", "parent", "parent", "teacher"]
        together = "SELECT max(n) FROM (SELECT count(*) n FROM child_rounds GROUP BY round_id)"
        assert made.execute(together).fetchone()[0] > 1
    assert [found.name for found in tmp_path.glob("demo-1.db*")] == ["demo-1.db"]


def test_its_class_has_the_size_and_the_ages_of_a_class() -> None:
    assert len({child.name for child in demo.CHILDREN}) == 25
    ages = Counter(child.age_band for child in demo.CHILDREN)
    assert set(ages) == {"5-6", "6-7"}
    assert min(ages.values()) > 8
    assert all(
        own in {child.name for child in demo.CHILDREN}
        for _, _, kin, _ in demo.PARENTS
        for own in kin
    )


@posix
def test_it_runs_at_the_lowest_priority_and_its_early_death_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[subprocess.Popen[str]] = []
    popen = subprocess.Popen

    def note(*words: object, **more: object) -> subprocess.Popen[str]:
        started.append(popen(*words, **more))  # type: ignore[call-overload]
        return started[0]

    def heard(share: float) -> None:
        (process,) = started
        priorities.append(os.getpriority(os.PRIO_PROCESS, process.pid))
        process.kill()

    priorities: list[int] = []
    monkeypatch.setattr(subprocess, "Popen", note)
    with pytest.raises(RuntimeError, match="status -9"):
        look_around.make_apart(tmp_path / "demo-1.db", heard)
    assert priorities == [19]


@posix
def test_it_ends_by_itself_when_its_parent_is_gone(tmp_path: Path) -> None:
    word = "from classroom import cli; from classroom.services.operation import demo, look_around\n"
    word += "look_around.be_modest = lambda: None\n"
    word += "def make(app, heard):\n  while True: heard(0.5)\n"
    word += "demo.make = make; raise SystemExit(cli.main(['make-demo', 'demo-1.db']))"
    process = subprocess.Popen(
        [sys.executable, "-c", word],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path.cwd()), "FISH_INSTANCE": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.wait(60) == 1
    assert process.stderr is not None
    assert process.stderr.read() == ""
    process.stderr.close()


def test_the_process_gets_the_file_and_the_folder_of_its_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: Callable[[float], None] = [].append
    monkeypatch.setattr(sys, "executable", "there-is-no-python-of-this-name")
    with pytest.raises(OSError):
        look_around.make_apart(tmp_path / "demo-1.db", said)
