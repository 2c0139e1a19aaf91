"""Which tests a run takes, and in which order.

The everyday run, `python3 run.py test`, is the same every day and on every machine. Tests that are
marked `whole` are not in it. A walk tries one promise on many cases (each page, form, size of
screen); of a test marked `walk(7)`, the first case in seven is in it. Several tests of one promise
are one walk if they name it: `walk(2, of="a lost ask")`. A test that takes the fixture `whole`
tries fewer cases in an everyday run; so does a test whose examples are generated.

`--whole` takes everything. The other runs draw lots, so that every test has its turn: `--rest`
takes a part (LEFT_OUT) of what the everyday run left out or shortened, and a few of the other tests
(AGAIN), the tests of each file in a random order, so that one that needs another to run before it
fails there sooner or later. `--postgres` takes a part (STORED) of the everyday tests. The
lots follow from the commit, so what failed elsewhere fails here too; FISH_LOT=anything draws
others. Of the other tests, those that take over SLOW seconds are not drawn: each begins a server, a
browser or a world of its own, so no other test can help it.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Final, TypeVar

import pytest

T = TypeVar("T")
# How long each test file takes, and each test that is slow; `--write-seconds` writes it.
ROOT: Final = Path(__file__).resolve().parent.parent
SECONDS: Final = ROOT / "tests" / "seconds.json"
SLOW: Final = 5.0
# With these, CI takes a quarter of an hour: nine minutes for the everyday run, four for LEFT_OUT
# and AGAIN, two for STORED.
LEFT_OUT: Final = 0.08
AGAIN: Final = 0.05
STORED: Final = 0.2
WHOLE: Final = ("--whole", "--long", "--write-seconds", "--rest")


def is_whole(config: pytest.Config) -> bool:
    """Whether this run takes all cases, because it was asked to or because it names a test."""
    return any(map(config.getoption, WHOLE)) or any("::" in word for word in config.args)


@pytest.fixture(scope="session")
def whole(pytestconfig: pytest.Config) -> bool:
    """Whether this run takes all cases. A test that asks for it takes fewer in an everyday run."""
    return is_whole(pytestconfig)


def lot() -> str:
    """The seed of a run's lots: FISH_LOT, or the commit. Workers of pytest-xdist read it from the
    environment."""
    if "FISH_LOT" not in os.environ:
        command = ["git", "rev-parse", "--short=12", "HEAD"]
        found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        os.environ["FISH_LOT"] = found.stdout.strip() or "no commit"
    return os.environ["FISH_LOT"]


def part(cases: Iterable[T], share: int, whole: bool) -> list[T]:
    """All cases in a whole run, else the first one in `share`."""
    return list(cases)[:: 1 if whole else share]


def left_out(items: Sequence[pytest.Item]) -> set[pytest.Item]:
    """The tests that the everyday run does not take."""
    out = {item for item in items if item.get_closest_marker("whole")}
    walks: dict[tuple[str, int], list[pytest.Item]] = {}
    for item in items:
        if item not in out and (marker := item.get_closest_marker("walk")):
            name = marker.kwargs.get("of", item.nodeid.partition("[")[0])
            walks.setdefault((name, marker.args[0]), []).append(item)
    for (_, share), cases in walks.items():
        out |= {*cases} - {*part(cases, share, whole=False)}
    return out


def rest(items: Sequence[pytest.Item]) -> list[pytest.Item]:
    """A part of what the everyday run leaves out or shortens, and a few of the others, in a random
    order."""
    out = left_out(items)
    return sorted(
        (one for one in items if _is_drawn(one, left_out=one in out or _shortened(one))),
        key=_drawn,
    )


def stored(items: Sequence[pytest.Item]) -> list[pytest.Item]:
    """A part of the everyday tests, in their order."""
    out = left_out(items)
    return [one for one in items if one not in out and _drawn(one) < STORED]


def _shortened(item: pytest.Item) -> bool:
    examples = getattr(getattr(item, "obj", None), "is_hypothesis_test", False)
    return examples or "whole" in getattr(item, "fixturenames", ())


def _is_drawn(item: pytest.Item, *, left_out: bool) -> bool:
    if left_out:
        return _drawn(item) < LEFT_OUT
    return _drawn(item) < AGAIN and seconds().get(item.nodeid, 0.0) <= SLOW


@cache
def seconds() -> dict[str, float]:
    """The seconds of each file and of each slow test."""
    found: dict[str, float] = json.loads(SECONDS.read_text(encoding="utf-8"))
    return found


def _drawn(item: pytest.Item) -> float:
    return Random(f"{lot()} {item.nodeid}").random()
