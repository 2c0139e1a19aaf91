"""A PostgreSQL server that is frozen, as a suspended machine or a stalled disk is: it answers
nothing, and breaks no connection."""

from __future__ import annotations

import http.client
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import pytest

from classroom.condition import NO_ANSWER, trouble
from tests import clusters
from tests.clusters import Cluster
from tests.faults.apart import is_well, school, until
from tests.playing import Classroom, browser
from tests.ports import free_port
from tests.serving import serving

pytestmark = [
    pytest.mark.skipif(not clusters.can_run(), reason="needs the programs of PostgreSQL"),
    pytest.mark.walk(1),
]
NOTICED: Final = 10.0  # seconds within which `/health` reports it
HELD: Final = 10.0  # seconds within which every page is answered again
BUSY: Final = 5.0  # more of them, if this machine is busy
PAGES: Final = 24  # at once, asked for by as many browsers: more than there are threads


def processes_of(cluster: Cluster) -> list[int]:
    parent = cluster.number
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    return [parent, *map(int, children)]


@contextmanager
def frozen(cluster: Cluster) -> Iterator[float]:
    """Stop all processes of the server during the block, without ending them."""
    stopped = processes_of(cluster)
    for number in stopped:
        with suppress(ProcessLookupError):
            os.kill(number, signal.SIGSTOP)
    try:
        yield time.monotonic()
    finally:
        for number in reversed(stopped):
            with suppress(ProcessLookupError):
                os.kill(number, signal.SIGCONT)


def asked(port: int, path: str, cookies: str = "") -> tuple[int, str, float]:
    """The status and text of the answer, and the seconds it took."""
    began = time.monotonic()
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        line.request("GET", path, headers={"Cookie": cookies})
        answer = line.getresponse()
        return answer.status, answer.read().decode(), time.monotonic() - began
    finally:
        line.close()


def cookies_of(room: Classroom) -> str:
    client = browser(room).client
    kept = [client.get_cookie(name) for name in ("school", "school-device")]
    return "; ".join(f"{one.key}={one.value}" for one in kept if one)


def test_an_answer_that_does_not_come_is_trouble_with_the_server() -> None:
    import psycopg

    from classroom.postgres import Silent

    for error in (Silent("?"), psycopg.errors.ConnectionTimeout("?")):
        assert trouble(error) == NO_ANSWER


def test_a_frozen_server_is_noticed_and_holds_no_thread(tmp_path: Path, whole: bool) -> None:
    with clusters.throw_away() as cluster, school(tmp_path, cluster.address) as room:
        port, cookies, over = free_port(), cookies_of(room), threading.Event()
        answers: list[tuple[int, str, float]] = []

        def go_on() -> None:
            while not over.is_set():
                answers.append(asked(port, "/play/", cookies))
                over.wait(0.2)

        with serving(tmp_path, port):
            until(lambda: is_well(port))
            assert asked(port, "/play/", cookies)[0] == 200
            browsers = [threading.Thread(target=go_on, daemon=True) for _ in range(PAGES)]
            with frozen(cluster) as since:
                for one in browsers:
                    one.start()
                while (found := asked(port, "/health"))[0] == 200:
                    assert time.monotonic() - since < NOTICED + BUSY
                    time.sleep(0.2)
                noticed = time.monotonic() - since
                if whole:  # for as long again, while pages are still requested
                    time.sleep(HELD)
                assert asked(port, "/health")[0] == 503
                over.set()
                for one in browsers:
                    one.join(60)
            back = time.monotonic()
            until(lambda: is_well(port))
            assert asked(port, "/play/", cookies)[0] == 200
            back = time.monotonic() - back
    longest = max(took for _, _, took in answers)
    print(
        f"noticed in {noticed:.1f} s, {len(answers)} pages, the longest {longest:.1f} s,", end=" "
    )
    print(f"well again in {back:.1f} s")
    assert found[:2] == (503, NO_ANSWER + "\n")
    assert noticed <= NOTICED
    assert {status for status, _, _ in answers} <= {200, 503}
    assert longest <= HELD + BUSY
