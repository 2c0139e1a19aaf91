"""An older and a newer version at one database: the school is upgraded while children play.

The newer version is made in newer.py.
"""

from __future__ import annotations

import shutil
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from classroom import config
from tests import clusters
from tests.clusters import Cluster
from tests.faults.apart import (
    UP,
    Roamer,
    all_moved,
    nothing_lost,
    playing,
    roamers,
    school,
    served,
    share,
    until,
)
from tests.faults.newer import NEWER, TOKEN, newer_version, version_at
from tests.playing import Classroom
from tests.ports import free_port
from tests.serving import ROOT, serving

pytestmark = [
    pytest.mark.long,  # it compares times, which a busy machine stretches
    pytest.mark.skipif(not clusters.can_run(), reason="needs the programs of PostgreSQL"),
    pytest.mark.skipif(sys.platform != "linux", reason="reads /proc"),
]
GOES_ON = 3.0  # seconds that an upgrade may add to the time until every table has gone on
FEW = 8  # children of the shorter tests


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with clusters.throw_away() as made:
        yield made


@pytest.fixture(scope="module")
def newer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return newer_version(tmp_path_factory.mktemp("newer"))


@pytest.fixture
def room(cluster: Cluster, tmp_path: Path) -> Iterator[Classroom]:
    """A class in a school of this version, whose folder is `school`."""
    with (
        clusters.database(cluster.address) as database,
        school(tmp_path / "school", database) as made,
    ):
        with (tmp_path / "school" / "settings.toml").open("a") as file:
            file.write(f'metrics_token = "{TOKEN}"\n')
        yield made


@dataclass
class Waits:
    """How long every table took to go on, without an upgrade and during one."""

    room: Classroom
    children: Sequence[Roamer]
    calm: list[float] = field(default_factory=list)
    busy: list[float] = field(default_factory=list)

    def be(self, found: list[float], times: int = 1) -> None:
        for _ in range(times):
            time.sleep(0.2)
            found.append(all_moved(self.room, self.children, time.time()))

    def judge(self, what: str, least: int) -> None:
        asks = nothing_lost(self.room, self.children)
        print(
            f"\n{what}, {len(self.children)} children: {asks} asks, none lost or doubled; every "
            f"table had gone on after p50 {share(self.busy, 0.5):.2f} s, at most "
            f"{max(self.busy):.2f} s;",
            f"before p50 {share(self.calm, 0.5):.2f} s, at most {max(self.calm):.2f} s",
            file=sys.__stdout__,
            flush=True,
        )
        assert asks > least
        assert share(self.busy, 0.9) < GOES_ON + max(self.calm)


@pytest.mark.parametrize("few", [FEW, 0])
def test_a_reload_brings_a_newer_version_while_children_play(
    room: Classroom, newer: Path, tmp_path: Path, few: int
) -> None:
    """The program is a link, which leads to the newer version now."""
    program, older = tmp_path / "program", config.version()
    program.symlink_to(ROOT)
    with served(tmp_path / "school", 2, program) as group:
        waits = Waits(room, roamers(room, group.ports, few))
        with playing(waits.children):
            waits.be(waits.calm, 5)
            assert [version_at(port) for port in group.ports] == [older, older]
            program.with_suffix(".fresh").symlink_to(newer)
            program.with_suffix(".fresh").replace(program)
            group.process.send_signal(signal.SIGHUP)
            end = time.monotonic() + UP
            while [version_at(port) for port in group.ports] != [NEWER, NEWER]:
                assert time.monotonic() < end
                waits.be(waits.busy)
            waits.be(waits.busy)
        waits.judge("processes of a newer version", 5)


@pytest.mark.parametrize("few", [FEW, 0])
def test_an_older_and_a_newer_version_serve_one_school_together(
    room: Classroom, newer: Path, tmp_path: Path, few: int
) -> None:
    """As with two machines, one of which is upgraded before the other."""
    shutil.copytree(tmp_path / "school", tmp_path / "other", ignore=shutil.ignore_patterns("serv*"))
    ports = free_port(), free_port()
    with serving(tmp_path / "school", ports[0]) as (older, _):
        waits = Waits(room, roamers(room, ports[:1], few))
        with playing(waits.children), ExitStack() as stack:
            waits.be(waits.calm, 5)
            begun = ThreadPoolExecutor(1).submit(
                stack.enter_context, serving(tmp_path / "other", ports[1], program=newer)
            )
            while not begun.done():
                waits.be(waits.busy)  # the newer version changes the tables meanwhile
            assert begun.result()
            assert [version_at(port) for port in ports] == [config.version(), NEWER]
            for child in waits.children:
                child.ports = ports
            for child in waits.children[::2]:
                child.port = ports[1]
            before = [len(child.acknowledged) for child in waits.children]
            waits.be(waits.busy, 10)
            for child, asks in zip(waits.children, before, strict=True):
                until(lambda child=child, asks=asks: len(child.acknowledged) > asks)
            older.send_signal(signal.SIGTERM)
            waits.be(waits.busy, 3)
            assert version_at(ports[0]) == ""
        waits.judge("an older and a newer version", 10)
