"""What happens to one school of a district is not noticed in the others."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from tests.faults.apart import share, until
from tests.faults.district import Cell, Pupil, district
from tests.faults.newer import NEWER, newer_version, version_at

pytestmark = pytest.mark.sqlite  # each school has a SQLite file of its own
ALL_IN = 300.0  # seconds in which the children of the whole district sign in
SLOWER = 2.0  # how many times as long one answer in a hundred may take while others are in trouble
AND = 0.5  # seconds on top of that: here all share the processor with servers that start


def said(*values: object) -> None:
    print("\n", *values, file=sys.__stdout__, flush=True)


def pupils(cells: Sequence[Cell]) -> list[Pupil]:
    return [pupil for cell in cells for pupil in cell.pupils]


def sign_in(children: Sequence[Pupil]) -> float:
    """Let all these children sign in at once; returns how long it took."""
    began = time.monotonic()
    with ThreadPoolExecutor(len(children)) as pool:
        for done in [pool.submit(child.enter) for child in children]:
            done.result()
    return time.monotonic() - began


@contextmanager
def playing(children: Sequence[Pupil]) -> Iterator[None]:
    """Let all these children play during the block."""
    over = threading.Event()
    with ThreadPoolExecutor(len(children)) as pool:
        begun = [pool.submit(child.play, over) for child in children]
        try:
            until(lambda: all(child.took for child in children))
            yield
        finally:
            over.set()
        for each in begun:
            each.result()


def gone_on(cells: Sequence[Cell]) -> None:
    """Wait until every child of these schools has had two more answers, and another ask of each
    school was acknowledged."""
    before = [(child, len(child.took)) for child in pupils(cells)]
    asks = [(cell, cell.asks()) for cell in cells]
    until(lambda: all(len(child.took) > count + 1 for child, count in before))
    until(lambda: all(cell.asks() > count for cell, count in asks))


# ---- what happens to one school


def killed(cell: Cell) -> None:
    cell.kill()
    cell.start()
    gone_on([cell])


def upgraded(cell: Cell, program: Path) -> None:
    cell.stop()
    cell.start(program)
    assert version_at(cell.port, cell.name) == NEWER
    gone_on([cell])


class Backup:
    """A backup of a school at play, and what its children were told until then."""

    def __init__(self, cell: Cell) -> None:
        self.cell, self._file = cell, cell.folder / "copy.db"
        self._told = [([*one.rounds], [*one.acknowledged]) for one in cell.pupils]
        cell.command("backup", str(self._file))

    def restore(self) -> None:
        """Put it in place while the children do not play; then all sign in again."""
        self.cell.stop()
        self.cell.command("restore", str(self._file))
        self.cell.start()
        for pupil, (rounds, acknowledged) in zip(self.cell.pupils, self._told, strict=True):
            pupil.given_up |= {*pupil.acknowledged} - {*acknowledged}
            pupil.rounds, pupil.acknowledged = rounds, acknowledged
            pupil.pages.clear()
        sign_in(self.cell.pupils)


# ---- the others


class Watch:
    """Lets the children of these schools sign in, and compares how the schools answer while one is
    in trouble with how they did before."""

    def __init__(self, cells: Sequence[Cell]) -> None:
        self._cells = cells
        self.signed_in = sign_in(pupils(cells))
        said(f"{len(pupils(cells))} children signed in within {self.signed_in:.1f} s")
        self._calm: list[float] = []
        self._worst = 0.0

    def calm(self, seconds: float) -> None:
        began = time.monotonic()
        time.sleep(seconds)
        gone_on(self._cells)
        self._calm = self._answers(self._cells, began)

    def during(self, what: str, trouble: Callable[[], None], troubled: Cell) -> None:
        """Check that no request to another school fails during this trouble."""
        others = [cell for cell in self._cells if cell is not troubled]
        began = time.monotonic()
        trouble()
        seconds = time.monotonic() - began
        found = self._answers(others, began)
        self._worst = max(self._worst, share(found, 0.99))
        said(
            f"{len(self._cells)} schools, one {what} ({seconds:.1f} s):",
            f"the others p50 {share(found, 0.5):.3f} p99 {share(found, 0.99):.3f} s",
            f"of {len(found)} answers, before p99 {share(self._calm, 0.99):.3f} s",
        )
        failed = [at for one in pupils(others) for at in one.failed]
        assert failed == [], f"{len(failed)} requests to other schools failed"
        for one in troubled.pupils:
            one.failed.clear()

    def unaware(self) -> bool:
        return self._worst < SLOWER * share(self._calm, 0.99) + AND

    @staticmethod
    def _answers(cells: Sequence[Cell], since: float) -> list[float]:
        return [took for one in pupils(cells) for at, took in [*one.took] if at >= since]


def strangers(cells: Sequence[Cell]) -> None:
    """Check that what lets a child into its school opens nothing in another."""
    for here, there in pairwise(cells):
        mia = replace(here.pupils[0], host=there.name)
        answer = mia.sent("GET", "/table")
        assert answer is not None
        assert answer[0] == 401


def one_killed(cells: Sequence[Cell]) -> None:
    """Kill one school while the others play."""
    watch = Watch(cells)
    strangers(cells)
    with playing(pupils(cells)):
        watch.calm(1.0)
        watch.during("killed", lambda: killed(cells[0]), cells[0])
        gone_on(cells)
    for cell in cells:
        cell.stop()
        assert cell.nothing_lost() > 0


def troubles(cells: Sequence[Cell], newer: Path) -> Watch:
    """Kill one school, restore one and upgrade one, while all the others play."""
    first, second, third, *rest = cells
    watch = Watch(cells)
    strangers(cells)
    with playing(pupils([first, third, *rest])):
        with playing(second.pupils):
            watch.calm(3.0)
            backup = Backup(second)
            gone_on([second])
        watch.during("restored", backup.restore, second)
        with playing(second.pupils):
            watch.during("killed", lambda: killed(first), first)
            watch.during("upgraded", lambda: upgraded(third, newer), third)
            gone_on(cells)
    for cell in cells:
        cell.stop()
        assert cell.nothing_lost() > 0
    return watch


@pytest.fixture
def newer(tmp_path: Path) -> Path:
    folder = tmp_path / "newer"
    folder.mkdir()
    return newer_version(folder)


@pytest.mark.whole  # every day instead: test_kills; test_demo tries a session in another
def test_the_other_school_answers_while_one_is_killed(tmp_path: Path, migrated: Path) -> None:
    with district(tmp_path, migrated, 2, 2) as cells:
        one_killed(cells)


@pytest.mark.whole
def test_the_other_schools_answer_while_one_is_killed_restored_or_upgraded(
    tmp_path: Path, migrated: Path, newer: Path
) -> None:
    with district(tmp_path, migrated, 3, 2) as cells:
        troubles(cells, newer)


@pytest.mark.long
def test_twenty_schools_sign_in_and_do_not_notice_what_happens_to_one(
    tmp_path: Path, migrated: Path, newer: Path
) -> None:
    with district(tmp_path, migrated, 20, 6) as cells:
        watch = troubles(cells, newer)
        assert watch.signed_in < ALL_IN
        assert watch.unaware()
