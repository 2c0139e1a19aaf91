"""`python3 run.py mutants [--all] [--minutes N] [--only ROOM] [--seed TEXT]`: do the tests notice?

Changes the program on purpose, one small change at a time, in copies of this folder, and runs the
tests that ought to fail. Without --all it draws changes by lot for half an hour. Survivors that are
explained in survivors.md do not count against a room.
"""

from __future__ import annotations

import argparse
import math
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import chain, islice
from multiprocessing import Manager
from pathlib import Path
from random import Random

from cosmic_ray.testing import run_tests
from cosmic_ray.work_item import TestOutcome

from tests.mutants.changes import TABLE, Mutant, mutant, places, table_mutants
from tests.mutants.plans import PLANS, ROOT, Plan

TIMEOUT = 900  # seconds for the tests of one change; one that makes them hang counts as noticed
EXPLAINED = Path(__file__).with_name("survivors.md")
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "instance", "__pycache__", ".*_cache")


@dataclass
class Score:
    """The results of the changes to one room."""

    plan: Plan
    killed: int = 0
    survived: list[Mutant] = field(default_factory=list)

    def share(self) -> tuple[float, float, float]:
        """The share that was noticed, and its likely range (Wilson, 95 %)."""
        n = self.killed + len(self.survived)
        if not n:
            return 0.0, 0.0, 1.0
        p, z = self.killed / n, 1.96
        middle, half = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        return p, (middle - half) / (1 + z * z / n), (middle + half) / (1 + z * z / n)


def main(words: list[str]) -> int:
    """Try the changes. Returns 1 if too small a share of the changes to some room is noticed."""
    given = _parser().parse_args(words)
    plans = [plan for plan in PLANS if given.only in (None, plan.name)]
    scores = {plan.name: Score(plan) for plan in plans}
    latest = math.inf if given.all else time.monotonic() + 60 * given.minutes
    changes = _in_turn([_changes(plan, given) for plan in plans])
    explained = EXPLAINED.read_text(encoding="utf-8")
    for plan, one, noticed in _tried(changes, latest, given.workers):
        if noticed:
            scores[plan.name].killed += 1
        elif one.what not in explained:
            scores[plan.name].survived.append(one)
            print(f"survived: {one.what} (line {one.line})", flush=True)
    return _told(list(scores.values()))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python3 run.py mutants", description=__doc__)
    parser.add_argument("--all", action="store_true", help="every change; takes days")
    parser.add_argument("--minutes", type=float, default=30, help="how long to go on (30)")
    parser.add_argument("--only", choices=[plan.name for plan in PLANS], help="one room")
    parser.add_argument("--seed", default="everyday", help="which changes are drawn")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    return parser


def _changes(plan: Plan, given: argparse.Namespace) -> Iterator[tuple[Plan, Mutant]]:
    """The changes to one room in random order: with --all every one, otherwise one at each place.
    Those to the permission table come first."""
    rng = Random(f"{given.seed} {plan.name}")
    with tempfile.TemporaryDirectory() as folder:
        found = [
            (path, specs) for path in plan.paths() for specs in places(path, Path(folder, "work"))
        ]
    rng.shuffle(found)
    if not given.all:
        found = [(path, [rng.choice(specs)]) for path, specs in found]
    usual = (mutant(path, spec) for path, specs in found for spec in specs)
    of_table = [path for path in plan.paths() if path.name == TABLE]
    rows = chain.from_iterable(islice(table_mutants(path, rng), 60) for path in of_table)
    for one in chain(rows, usual):
        if one is not None:
            yield plan, one


def _in_turn(all_changes: list[Iterator[tuple[Plan, Mutant]]]) -> Iterator[tuple[Plan, Mutant]]:
    """One change to each room, then the next one to each."""
    while all_changes:
        for changes in [*all_changes]:
            one = next(changes, None)
            if one is None:
                all_changes.remove(changes)
            else:
                yield one


def _tried(
    changes: Iterator[tuple[Plan, Mutant]], latest: float, workers: int
) -> Iterator[tuple[Plan, Mutant, bool]]:
    """Each change with whether a test noticed it; each worker has a copy of the project."""
    with Manager() as manager, ProcessPoolExecutor(workers) as pool:
        copies = manager.Queue()
        folders = [_copy() for _ in range(workers)]
        for folder in folders:
            copies.put(folder)
        try:
            waiting: list[tuple[Plan, Mutant, object]] = []
            for plan, one in changes:
                if time.monotonic() > latest:
                    break
                waiting.append((plan, one, pool.submit(_noticed, plan, one, copies)))
                if len(waiting) >= 2 * workers:
                    yield _done(waiting.pop(0))
            yield from map(_done, waiting)
        finally:
            for folder in folders:
                shutil.rmtree(folder, ignore_errors=True)


def _done(tried: tuple[Plan, Mutant, object]) -> tuple[Plan, Mutant, bool]:
    plan, one, future = tried
    return plan, one, future.result()  # type: ignore[attr-defined]


def _copy() -> str:
    folder = tempfile.mkdtemp(prefix="mutants-")
    shutil.copytree(ROOT, folder, ignore=LEFT_OUT, dirs_exist_ok=True)
    return folder


def _noticed(plan: Plan, one: Mutant, copies: object) -> bool:
    """Make this change in a copy of the project. Returns whether the tests fail there."""
    folder = copies.get()  # type: ignore[attr-defined]
    path = Path(folder, one.path)
    before = path.read_text(encoding="utf-8")
    try:
        path.write_text(one.source, encoding="utf-8")
        os.chdir(folder)
        os.environ["PYTHONPATH"] = folder
        tests = " ".join(plan.tests_for(one.path))
        command = f"{sys.executable} -B -m pytest -x -q -p no:cacheprovider --no-browser {tests}"
        outcome, _ = run_tests(command, TIMEOUT)
        return bool(outcome != TestOutcome.SURVIVED)
    finally:
        path.write_text(before, encoding="utf-8")
        copies.put(folder)  # type: ignore[attr-defined]


def _told(scores: list[Score]) -> int:
    short = False
    for score in scores:
        p, low, high = score.share()
        n = score.killed + len(score.survived)
        short = short or (n > 0 and p < score.plan.wanted)
        print(
            f"{score.plan.name}: {score.killed} of {n} noticed, {100 * p:.0f} % (likely "
            f"{100 * low:.0f} to {100 * high:.0f} %; wanted {100 * score.plan.wanted:.0f} %)"
        )
    return 1 if short else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
