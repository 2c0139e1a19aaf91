"""One password is hashed at a time, few wait, and the others are told at once to try again."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from argon2 import PasswordHasher

from classroom.live.pools import DOORS
from classroom.services.access import passwords
from classroom.services.base.errors import Refused
from tests.world import PASSWORD, Visitor, World

CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
HASHING = 0.1  # seconds
PEOPLE = 16


class Slow:
    """A slow hasher, which can also wait for a signal and counts how many hashes run at once."""

    def __init__(self) -> None:
        self.now = self.most = 0
        self.go_on = threading.Event()
        self.go_on.set()
        self._counting = threading.Lock()

    def __getattr__(self, name: str) -> object:
        return getattr(CHEAP, name)

    def hash(self, password: str) -> str:
        with self:
            return CHEAP.hash(password)

    def verify(self, hashed: str, password: str) -> bool:
        with self:
            return CHEAP.verify(hashed, password)

    def __enter__(self) -> None:
        with self._counting:
            self.now += 1
            self.most = max(self.most, self.now)
        time.sleep(HASHING)
        assert self.go_on.wait(10)

    def __exit__(self, *_error: object) -> None:
        with self._counting:
            self.now -= 1


@pytest.fixture
def slow() -> Iterator[Slow]:
    hasher = Slow()
    passwords.use(hasher)  # type: ignore[arg-type]
    yield hasher
    passwords.use(CHEAP)


def test_one_thread_of_the_doors_never_waits_for_a_password() -> None:
    assert 1 + passwords.WAITING < DOORS


@pytest.mark.parametrize("login", ["lake", "heron"])
def test_of_many_sign_ins_at_once_few_wait_and_the_rest_are_told_to_try_again(
    world: World, slow: Slow, login: str
) -> None:
    passwords.fits("", None)  # the first sign-in makes one more hash
    visitors = [world.visitor("nobody") for _ in range(PEOPLE)]
    fields = [
        {"login": login, "password": PASSWORD, "token": visitor.token()} for visitor in visitors
    ]
    gate = threading.Barrier(PEOPLE)

    def one(visitor: Visitor, sent: dict[str, str]) -> tuple[int, float, str | None]:
        gate.wait()
        begun = time.perf_counter()
        answer = visitor.client.post("/in", data=sent)
        took = time.perf_counter() - begun
        return answer.status_code, took, answer.headers.get("Retry-After")

    with ThreadPoolExecutor(PEOPLE) as threads:
        answers = list(threads.map(one, visitors, fields))
    assert slow.most == 1
    found = Counter(status for status, _, _ in answers)
    right = 303 if login == "lake" else 401
    assert set(found) == {right, 429}
    assert found[right] >= 1 + passwords.WAITING
    assert all(after == "2" for status, _, after in answers if status == 429)
    refused, let_in = (
        [took for status, took, _ in answers if status == kind] for kind in (429, right)
    )
    assert min(refused) < max(let_in)  # being told to wait takes no turn, on a busy machine too


def test_an_adult_who_finds_no_place_is_told_kindly_and_has_no_wrong_try(
    world: World, slow: Slow
) -> None:
    visitor, before = world.visitor("nobody"), world.rows()
    slow.go_on.clear()
    with ThreadPoolExecutor(1 + passwords.WAITING) as threads:
        busy = [threads.submit(passwords.hash_of, PASSWORD) for _ in range(1 + passwords.WAITING)]
        time.sleep(5 * HASHING)
        answer = visitor.post("/in", {"login": "lake", "password": PASSWORD})
        slow.go_on.set()
    assert all(one.result() for one in busy)
    assert answer.status_code == 429
    assert "Many people are signing in right now." in answer.text
    assert world.rows() == before
    assert visitor.post("/in", {"login": "lake", "password": PASSWORD}).status_code == 303


def test_every_place_is_free_again_after_any_error(slow: Slow) -> None:
    for _ in range(2 + passwords.WAITING):
        assert not passwords.fits("x", "no hash at all")
        with pytest.raises(TypeError):
            passwords.hash_of(None)  # type: ignore[arg-type]
    assert passwords.fits(PASSWORD, passwords.hash_of(PASSWORD))


def test_a_hash_of_another_cost_is_renewed_when_its_owner_signs_in(world: World) -> None:
    def kept() -> list[tuple[str, ...]]:
        return world.rows()["adults"]

    before = kept()
    passwords.use(PasswordHasher(time_cost=2, memory_cost=8, parallelism=1))
    try:
        fields = {"login": "lake", "password": PASSWORD}
        assert world.visitor("nobody").post("/in", fields).status_code == 303
        assert kept() != before
        again = kept()
        assert world.visitor("nobody").post("/in", fields).status_code == 303
        assert kept() == again
    finally:
        passwords.use(CHEAP)


def test_a_single_sign_in_is_never_refused() -> None:
    for _ in range(20):
        try:
            passwords.hash_of(PASSWORD)
        except Refused:
            pytest.fail("there was nobody to wait for")
