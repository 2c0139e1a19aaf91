"""The long walks of the tests: all of their cases in CI, a sample in an everyday run.

A walk tries one promise on many cases: each page, each form, each size of screen. An everyday run
takes a share of the cases, another one each day, so that a test with `walk(7)` has tried them all
after a week. Several tests of one promise are one walk if they name it: `walk(2, of="a lost ask")`.
What is marked `whole` is for CI alone, because a quicker test keeps the same promise every day.
All other tests that took long when they were last measured (tests/seconds.json) are one walk too,
unless their file is named: each comes once a week. `walk(1)` keeps a test out of it.
`--whole` takes everything, and so does a run where CI is set. The day is printed at the end;
FISH_DAY repeats it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Final, TypeVar
from zlib import crc32

import pytest

T = TypeVar("T")
SLOW: Final = 1.0  # seconds; a test that takes longer comes once a week
WEEK: Final = 7


def begin(config: pytest.Config) -> None:
    """Decide what this run takes. The workers of pytest-xdist read it from the environment."""
    os.environ.setdefault("FISH_DAY", str(datetime.now(UTC).toordinal()))
    options = ("--whole", "--long", "--write-seconds")
    wanted = any(map(config.getoption, options)) or os.environ.get("CI")
    named = any("::" in word for word in config.args)  # a test that is named runs whole
    if wanted or named:
        os.environ["FISH_WHOLE"] = "1"


def whole() -> bool:
    """Whether this run takes all cases."""
    return bool(os.environ.get("FISH_WHOLE"))


def day() -> int:
    """The number of the day whose sample is taken."""
    return int(os.environ["FISH_DAY"])


def many(all_of_them: int, share: int) -> int:
    """How many repetitions of a random test this run makes."""
    return all_of_them if whole() else max(1, all_of_them // share)


def of_the_day(cases: Iterable[T], share: int, walk: str) -> list[T]:
    """One in `share` of these cases, at least one, or all in a whole run.

    On `share` days in a row each case comes once. `walk` names the walk: each begins elsewhere.
    """
    found = list(cases)
    share = min(share, len(found))
    if whole() or share < 2:
        return found
    first = (day() + crc32(walk.encode())) % share
    return found[first::share]


def left_out(items: Sequence[pytest.Item], seconds: Mapping[str, float]) -> list[pytest.Item]:
    """The tests that this run does not take. `seconds`: how long each slow test takes."""
    if whole():
        return []
    out = [item for item in items if item.get_closest_marker("whole")]
    walks: dict[tuple[str, int], list[pytest.Item]] = {}
    for item in items:
        if item in out:
            continue
        if marker := item.get_closest_marker("walk"):
            name = marker.kwargs.get("of", item.nodeid.partition("[")[0])
            walks.setdefault((name, marker.args[0]), []).append(item)
        elif seconds.get(item.nodeid, 0.0) > SLOW:
            walks.setdefault(("slow tests", WEEK), []).append(item)
    for (name, share), cases in walks.items():
        taken = of_the_day(cases, share, name)
        out += [item for item in cases if item not in taken]
    return out


def said() -> str:
    """What a run prints at its end."""
    if whole():
        return "The long walks were taken with all their cases."
    return (
        f"Of each long walk this run took a sample. FISH_DAY={day()} takes the same one again; "
        "--whole takes all cases, as CI does."
    )
