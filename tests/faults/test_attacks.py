"""A class of thirty plays on while its school is attacked from outside.

In an ordinary run the attacks come in groups, each for some seconds and from different addresses:
one of the groups each day, and all of them in CI. With --long each comes alone and in full, on a
new school. `-rP` shows the figures.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import aiohttp
import pytest

from tests.faults.siege import INSIDE, OUTSIDE, Figures, Siege, attacking, siege
from tests.loops import in_a_loop

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/fd").is_dir(), reason="what a server holds is read in /proc"
)
EVERYDAY, LONG = 2.0, 30.0  # seconds of an attack
# Seconds within which 99 of 100 answers come. In an ordinary run other tests use the machine too.
WITHIN, WITHIN_LONG = 3.0, 1.0

# The number of connections of each attack in an ordinary run, and with --long.
TOGETHER: Final[dict[str, dict[str, int]]] = {
    "held connections": {
        "stalled_posts": 60,
        "almost_whole_posts": 60,
        "dripped_posts": 40,
        "slow_headers": 60,
        "silent": 1_100,  # more than the files that a program may have open
        "idle": 60,
        "half_closed": 40,
    },
    "readers that do not read": {
        "slow_readers": 300,
        "unread_pipelines": 30,
        "unread_streams": 20,
    },
    "streams of one child": {"streams_of_one_child": 500},
    "requests without end": {"endless_headers": 10, "endless_bodies": 4},
    "odd requests": {
        "small_chunks": 2,
        "many_fields": 2,
        "gzip_bombs": 2,
        "pipelined": 2,
        "odd_methods": 2,
        "strange_hosts": 2,
        "old_http": 2,
        "upgrades": 4,
        "no_http": 8,
        "resets": 8,
    },
    "floods": {"sign_ins": 16, "page_flood": 4, "taps_of_one_child": 4, "stream_storm": 4},
}
ALONE: Final = {
    "stalled_posts": 200,
    "almost_whole_posts": 900,
    "dripped_posts": 200,
    "slow_headers": 200,
    "silent": 1_200,
    "idle": 300,
    "half_closed": 200,
    "slow_readers": 900,
    "unread_pipelines": 50,
    "unread_streams": 100,
    "streams_of_one_child": 500,
    "stream_storm": 100,
    "endless_headers": 10,
    "endless_bodies": 10,
    "small_chunks": 16,
    "many_fields": 16,
    "gzip_bombs": 16,
    "pipelined": 16,
    "page_flood": 100,
    "taps_of_one_child": 100,
    "odd_methods": 16,
    "strange_hosts": 16,
    "old_http": 16,
    "upgrades": 16,
    "no_http": 50,
    "resets": 50,
    "sign_ins": 16,
}
SPREAD: Final = ("sign_ins", "wrong_codes")  # each connection comes from another network
NEAR: Final = {"stalled_posts": 100, "slow_headers": 100, "idle": 100, "half_closed": 100}
STREAMS: Final = 12  # the most streams of one child that stay open, however many it requests
NEIGHBOUR: Final = "127.0.9.9"  # the address that a guesser and a new tablet share
PATIENCE: Final = 20.0  # seconds that a new tablet waits for an answer
CROWDS, CROWD = 5, 1_000  # addresses, and connections of each
CODES, CODES_LONG = 310, 500


@pytest.fixture(scope="module")
def school(tmp_path_factory: pytest.TempPathFactory, migrated: Path) -> Iterator[Siege]:
    with siege(tmp_path_factory.mktemp("school"), migrated) as found:
        yield found
        log = "".join(found.log)
        assert "Traceback" not in log, log[:3_000]


def held(school: Siege, figures: Figures, seconds: float) -> None:
    """Check that 99 of 100 answers took no longer than this, and that the server is healthy."""
    print(f"\n{figures}")
    figures.hold(seconds)
    assert figures.made.get("streams_of_one_child", {}).get("held", 0) <= STREAMS, figures
    assert school.healthy()


def plans(kinds: dict[str, int]) -> list[dict[str, Any]]:
    """Attackers of these kinds, each at its own address."""
    return [
        {
            "kind": kind,
            "many": many,
            "source": f"127.0.1.{number}" if len(kinds) > 1 else OUTSIDE,
            "spread": kind in SPREAD,
        }
        for number, (kind, many) in enumerate(kinds.items(), 1)
    ]


@pytest.mark.whole  # the class has to play as promptly under attack
def test_a_class_plays_promptly_without_an_attack(school: Siege) -> None:
    held(school, school.under("nobody", [], EVERYDAY), WITHIN)


@pytest.mark.walk(6)
@pytest.mark.parametrize("name", TOGETHER)
def test_a_class_plays_on_while_its_school_is_attacked(school: Siege, name: str) -> None:
    held(school, school.under(name, plans(TOGETHER[name]), EVERYDAY), WITHIN)


def test_pages_are_answered_at_the_address_from_which_an_attack_comes(school: Siege) -> None:
    """All devices behind one router have one address, and an attacker behind it has the same."""
    near = [{"kind": "stalled_posts", "many": 60}]
    held(school, school.under("near", near, EVERYDAY, address=OUTSIDE), WITHIN)


def test_a_right_code_is_accepted_after_strangers_wrong_ones(school: Siege) -> None:
    """The wrong tries come from many networks."""
    guesses = plans({"wrong_codes": CODES})
    held(school, school.under("wrong codes", guesses, EVERYDAY, until="tried"), WITHIN)
    assert in_a_loop(joined(school, INSIDE)) == 303


def test_a_right_code_is_accepted_beside_a_guesser_on_the_same_network(school: Siege) -> None:
    near = {"kind": "wrong_codes", "many": 10_000, "source": NEIGHBOUR, "port": school.port}
    with attacking([near]):
        time.sleep(EVERYDAY)
        assert in_a_loop(joined(school, NEIGHBOUR)) == 303


async def joined(school: Siege, address: str) -> int:
    """The status of the answer to the right class code from a new tablet at this address."""
    browser = aiohttp.ClientSession(
        f"http://127.0.0.1:{school.port}",
        connector=aiohttp.TCPConnector(local_addr=(address, 0)),
        cookie_jar=aiohttp.CookieJar(unsafe=True),  # keep cookies of numeric hosts too
    )
    async with browser as web, asyncio.timeout(PATIENCE):
        async with web.get("/") as page:
            token = re.findall(r'name="token" value="([0-9a-f]+)"', await page.text())[0]
        form = {"token": token, "code": school.seats.code}
        async with web.post("/join", data=form, allow_redirects=False) as answer:
            return answer.status


# ---- with --long: each alone, in full


@pytest.fixture
def fresh(tmp_path: Path, migrated: Path) -> Iterator[Siege]:
    with siege(tmp_path / "school", migrated) as found:
        yield found


@pytest.fixture
def near(tmp_path: Path, migrated: Path) -> Iterator[Siege]:
    with siege(tmp_path / "school", migrated, OUTSIDE) as found:
        yield found


@pytest.mark.long
@pytest.mark.parametrize("kind", ALONE)
def test_a_class_plays_on_under_each_attack_in_full(fresh: Siege, kind: str) -> None:
    held(fresh, fresh.under(kind, plans({kind: ALONE[kind]}), LONG), WITHIN_LONG)


@pytest.mark.long
@pytest.mark.parametrize("kind", NEAR)
def test_a_class_plays_on_at_the_address_of_the_attackers(near: Siege, kind: str) -> None:
    held(near, near.under(f"{kind}, near", plans({kind: NEAR[kind]}), LONG), WITHIN_LONG)


@pytest.mark.long
@pytest.mark.parametrize("kind", ["silent", "slow_readers"])
def test_a_class_plays_on_while_many_addresses_hold_connections(fresh: Siege, kind: str) -> None:
    crowds = [
        {"kind": kind, "many": CROWD, "source": f"127.0.3.{1 + number}"} for number in range(CROWDS)
    ]
    held(fresh, fresh.under(f"{kind}, from many addresses", crowds, LONG), WITHIN_LONG)


@pytest.mark.long
def test_a_right_code_is_accepted_after_hundreds_of_wrong_ones(fresh: Siege) -> None:
    guesses = plans({"wrong_codes": CODES_LONG})
    figures = fresh.under("wrong codes", guesses, LONG, until="tried")
    held(fresh, figures, WITHIN_LONG)
    assert in_a_loop(joined(fresh, INSIDE)) == 303
