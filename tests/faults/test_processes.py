"""Several processes on one PostgreSQL: what one of them acknowledges, all of them know, whatever
breaks."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import chain
from pathlib import Path

import pytest

from classroom.database import db
from tests import clusters
from tests.clusters import Cluster
from tests.faults.apart import (
    Group,
    Roamer,
    Seen,
    all_moved,
    nothing_lost,
    playing,
    race,
    roamers,
    school,
    served,
    share,
    tables,
    until,
    watch,
)
from tests.playing import Classroom
from tests.ports import free_port
from tests.serving import get, serving

pytestmark = [
    pytest.mark.skipif(not clusters.can_run(), reason="needs the programs of PostgreSQL"),
    pytest.mark.skipif(sys.platform != "linux", reason="reads /proc"),
    pytest.mark.walk(9, of="several processes"),  # every day test_kills kills one that is alone
]
GOES_ON = 3.0  # seconds that a fault may add to the time until every table has gone on
FEW = 8  # children of the everyday tests


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with clusters.throw_away() as made:
        yield made


Base = tuple[Classroom, Group, Cluster]


class Scene:
    """A school, the processes that serve it, and children at new tables.

    `earlier`: the scenes before it in this school, each with some of the children. A child whose
    round ends may be led back to a table of one of those, where its taps were checked then.
    """

    def __init__(self, base: Base, few: int, earlier: Sequence[Scene]) -> None:
        self.room, self.group, self.cluster = base
        self.children = roamers(self.room, self.group.ports, few)
        tapped: defaultdict[int, set[tuple[int, str]]] = defaultdict(set)
        for one in chain.from_iterable(scene.children for scene in earlier):
            tapped[one.id] |= {*one.acknowledged, *one.given_up}
        for child in self.children:
            child.given_up |= tapped[child.id]

    @property
    def pairs(self) -> list[list[Roamer]]:
        return [table for table in tables(self.children) if len(table) == 2]

    def fault(self, number: int) -> float:
        """Kill a process, wait until every table has gone on and the process is back; returns the
        longest wait."""
        parts = self.group.parts()
        port = self.group.ports[number % len(self.group.ports)]
        began = time.time()
        os.kill(parts[port], signal.SIGKILL)
        longest = all_moved(self.room, self.children, began)
        until(lambda: self.group.parts().get(port, parts[port]) != parts[port])
        until(self.group.well)
        return longest


@pytest.fixture(scope="module", params=[2, pytest.param(4, marks=pytest.mark.long)])
def base(
    request: pytest.FixtureRequest, cluster: Cluster, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Base]:
    folder = tmp_path_factory.mktemp("school")
    with ExitStack() as stack:
        database = stack.enter_context(clusters.database(cluster.address))
        room = stack.enter_context(school(folder, database))
        group = stack.enter_context(served(folder, request.param))
        yield room, group, cluster


@pytest.fixture(scope="module")
def scenes(base: Base) -> list[Scene]:
    """The scenes that this school has seen."""
    return []


@pytest.fixture
def scene(request: pytest.FixtureRequest, base: Base, scenes: list[Scene]) -> Scene:
    until(base[1].well)
    few = 0 if request.node.get_closest_marker("long") else FEW
    scenes.append(Scene(base, few, scenes))
    return scenes[-1]


def said(what: str, *values: object) -> None:
    print(f"\n{what}:", *values, file=sys.__stdout__, flush=True)


# ---- without a fault


def seen(scene: Scene, moves: int) -> Seen:
    found = Seen()
    with ThreadPoolExecutor(len(scene.pairs)) as pool:
        for done in [pool.submit(watch, pair, moves, found) for pair in scene.pairs]:
            done.result()
    return found


def test_a_move_is_seen_in_another_process_about_as_soon_as_in_its_own(
    scene: Scene, whole: bool
) -> None:
    found = seen(scene, 16 if whole else 8)
    assert len(found.other) >= (24 if whole else 12)
    assert share(found.other, 0.5) < 1.5 * share(found.same, 0.5) + 0.1
    assert share(found.other, 0.5) < 3.0


@pytest.mark.long
def test_one_move_in_a_hundred_is_seen_at_most_half_as_late_again_elsewhere(scene: Scene) -> None:
    found = seen(scene, 300)  # of a few hundred sightings, chance decides about the last five
    p99 = share(found.same, 0.99), share(found.other, 0.99)
    said(
        f"{len(scene.group.ports)} processes, {len(found.same)} and {len(found.other)} sightings",
        *(f"p50 {share(v, 0.5):.3f} p99 {share(v, 0.99):.3f}" for v in (found.same, found.other)),
        f"ratio of p99 {p99[1] / p99[0]:.2f}",
    )
    assert p99[1] <= 1.5 * p99[0]


def races(scene: Scene, number: int) -> None:
    made, pairs, lots = 0, scene.pairs, random.Random(number)
    while made < number:
        pair = lots.choice(pairs)
        if race(scene.room, pair, scene.group.ports, same_key=made % 2 == 0):
            made += 1
            continue
        for child in (*pair, *pair):
            if (page := child.look()) is not None and page.over:
                child.again(page)


def test_two_processes_at_one_move_make_it_once(scene: Scene) -> None:
    races(scene, 10)


@pytest.mark.long
def test_two_hundred_races_through_all_processes_make_each_move_once(scene: Scene) -> None:
    races(scene, 200)


# ---- with faults


def under_fire(scene: Scene, what: str, times: int, fault: Callable[[int], float]) -> None:
    """Let all play while this fault happens again and again; nothing may be lost, and every table
    has to go on: at most GOES_ON later than it would without a fault, on however busy a machine."""
    calm, waits = [], []
    with playing(scene.children):
        for _ in range(max(3, times // 5)):
            time.sleep(0.5)
            calm.append(all_moved(scene.room, scene.children, time.time()))
        for number in range(times):
            time.sleep(0.5)
            waits.append(fault(number))
    asks = nothing_lost(scene.room, scene.children)
    said(
        f"{what}, {len(scene.group.ports)} processes, {len(scene.children)} children",
        f"{times} times, {asks} asks, none lost or doubled; every table had gone on",
        f"after p50 {share(waits, 0.5):.2f} s, at most {max(waits):.2f} s;",
        f"without a fault {share(calm, 0.5):.2f} s, at most {max(calm):.2f} s",
    )
    if len(waits) >= 10:  # with fewer, chance decides on a busy machine; there GO_ON is the limit
        assert share(waits, 0.9) < GOES_ON + max(calm)
    assert asks > 5 * times


def test_a_killed_process_loses_nothing_and_every_table_goes_on(scene: Scene) -> None:
    under_fire(scene, "a process killed", 2, scene.fault)


@pytest.mark.long
def test_fifty_kills_lose_nothing_and_every_table_goes_on(scene: Scene) -> None:
    under_fire(scene, "a process killed", 50, scene.fault)


def restarted(scene: Scene, _number: int) -> float:
    scene.cluster.restart()
    with scene.room.app.app_context():
        db.engine.dispose()  # the connections of this test are gone too
    return all_moved(scene.room, scene.children, time.time())


def test_after_a_restart_of_postgresql_every_table_goes_on(scene: Scene) -> None:
    under_fire(scene, "PostgreSQL restarted", 1, lambda n: restarted(scene, n))


@pytest.mark.long
def test_ten_restarts_of_postgresql_lose_nothing(scene: Scene) -> None:
    under_fire(scene, "PostgreSQL restarted", 10, lambda n: restarted(scene, n))


def cut(scene: Scene, _number: int) -> float:
    """Cut the connections for notices of all processes."""
    cut = clusters.run(
        scene.cluster.address,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() "
        "AND (query LIKE 'LISTEN%' OR query LIKE 'SELECT id, moves FROM rounds WHERE id = ANY%' "
        "OR query LIKE 'SELECT pg_notify%' OR query LIKE 'SELECT pg_try_advisory_lock%')",
    )
    assert len(cut) >= len(scene.group.ports)
    return all_moved(scene.room, scene.children, time.time())


def test_after_the_connections_for_notices_are_cut_every_table_goes_on(scene: Scene) -> None:
    under_fire(scene, "connections for notices cut", 2, lambda n: cut(scene, n))
    found = seen(scene, 4)  # the others still hear what one process tells
    assert share(found.other, 0.5) < 1.5 * share(found.same, 0.5) + 0.1


@pytest.mark.long
def test_fifty_cuts_of_the_connections_for_notices_lose_nothing(scene: Scene) -> None:
    under_fire(scene, "connections for notices cut", 50, lambda n: cut(scene, n))


def renewed(scene: Scene, _number: int) -> float:
    """Replace one process after the other; returns the longest time that a table took to go on."""
    before, began, longest = scene.group.parts(), time.monotonic(), 0.0
    scene.group.process.send_signal(signal.SIGHUP)
    while any(scene.group.parts().get(port, old) == old for port, old in before.items()):
        assert time.monotonic() < began + 240
        longest = max(longest, all_moved(scene.room, scene.children, time.time()))
    until(scene.group.well)
    return longest


def test_processes_are_replaced_one_after_the_other_while_children_play(scene: Scene) -> None:
    under_fire(scene, "processes replaced", 1, lambda n: renewed(scene, n))


@pytest.mark.long
def test_processes_are_replaced_ten_times_while_children_play(scene: Scene) -> None:
    under_fire(scene, "processes replaced", 10, lambda n: renewed(scene, n))


# ---- beginning and end


@pytest.mark.whole  # every day instead: two processes move at one table
def test_two_servers_that_start_at_once_on_an_empty_database_both_come_up(
    cluster: Cluster, tmp_path: Path
) -> None:
    ports = free_port(), free_port()
    with clusters.database(cluster.address) as database, ExitStack() as stack:
        folders = [tmp_path / "one", tmp_path / "two"]
        for folder in folders:
            folder.mkdir()
            (folder / "settings.toml").write_text(
                f'database_uri = "{database}"\nlook_around = "never"\n'
            )
        (folders[0] / "key").write_text("ab" * 32)
        shutil.copy(folders[0] / "key", folders[1] / "key")
        with ThreadPoolExecutor(2) as pool:
            begun = [serving(folder, port) for folder, port in zip(folders, ports, strict=True)]
            servers = [process for process, _ in pool.map(stack.enter_context, begun)]
        assert [get(port, "/health")[0] for port in ports] == [200, 200]
        said = [server.stdout.readline() for server in servers if server.stdout]
    codes = [line.rpartition(": ")[2].strip() for line in said if "set up your school" in line]
    assert len(codes) == 2
    assert len({*codes}) == 1, "one code is good at both"


def test_all_processes_end_with_their_parent(cluster: Cluster, tmp_path: Path) -> None:
    with clusters.database(cluster.address) as database, school(tmp_path / "school", database):
        with served(tmp_path / "school", 2) as group:
            parts = group.parts()
            assert set(parts) == set(group.ports)
            assert group.end() == 0
            assert not any(Path(f"/proc/{number}").exists() for number in parts.values())
        with served(tmp_path / "school", 2) as group:
            parts = group.parts()
            group.process.kill()  # without a chance to tell them
            group.process.wait()
            until(lambda: not any(Path(f"/proc/{n}").exists() for n in parts.values()), 30)
