"""How soon the doors answer the next try from one network: guessers are slowed, not locked out.

After many wrong tries from one network, its tries are answered one at a time, and after a wrong one
the next has to wait, longer if there were very many that day. A right one lets the next in at once.
So the owner of a right code may wait some seconds because of a guesser on the same network, or be
asked to come again if many tries are waiting, but is never locked out.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final

from classroom.live.answers import RawResponse

WINDOW: Final = 600.0  # seconds for which a wrong try counts
DAY: Final = 86_400.0  # seconds
VERY_MANY: Final = 1_000  # wrong tries from one network in a day, after which each wait is longer
LONGER: Final = 4  # how many times as long a wait is then
MOST_WAITING: Final = 30  # tries that may wait in one network; more are asked to come again
LONGEST_WAIT: Final = 30.0  # seconds that a try may wait for its turn
NETWORKS: Final = 10_000  # most networks remembered; beyond that, the one quiet for longest goes
WRONG: Final = frozenset({401, 404, 422})  # the statuses that answer a wrong secret

Clock = Callable[[], float]
Try = Callable[[], Awaitable[RawResponse | None]]
"""Answers one try; returns None if the try was not looked at."""


@dataclass(slots=True)
class _NetworkTries:
    wrong: deque[float] = field(default_factory=deque)
    today: int = 0
    since: float = 0.0  # when the day of `today` began
    next_at: float = 0.0
    waiting: int = 0
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    room: asyncio.Semaphore | None = None  # limits how many tries are answered at a time


class Pace:
    """The pace for one size of network: `free` wrong tries in ten minutes, then one try in `every`
    seconds. `slows` is called whenever a network begins to be slowed. Works within one event
    loop."""

    def __init__(
        self,
        free: int,
        every: float,
        slows: Callable[[str], None] = lambda _network: None,
        clock: Clock = time.monotonic,
    ) -> None:
        self._free = free
        self._every = every
        self._slows = slows
        self._clock = clock
        self._networks: OrderedDict[str, _NetworkTries] = OrderedDict()

    async def answer(self, network: str, at: Try) -> RawResponse | None:
        """Answer a try when its turn comes; returns None if too many wait, or it waits too long.

        Of tries that come at once, only as many are answered together as may be wrong before the
        network is slowed; the others wait for the results, so sending all guesses at once gains
        nothing.
        """
        found = self._of(network)
        if not self._is_slow(found):
            found.room = found.room or asyncio.Semaphore(self._free)
            async with found.room:
                if not self._is_slow(found):
                    return self._noted(network, found, await at())
        if found.waiting >= MOST_WAITING:
            return None
        found.waiting += 1
        try:
            async with asyncio.timeout(LONGEST_WAIT):
                await found.turn.acquire()
        except TimeoutError:
            return None
        finally:
            found.waiting -= 1
        try:
            await asyncio.sleep(max(0.0, found.next_at - self._clock()))
            return self._noted(network, found, await at())
        finally:
            found.turn.release()

    def _of(self, network: str) -> _NetworkTries:
        found = self._networks.setdefault(network, _NetworkTries())
        self._networks.move_to_end(network)
        if len(self._networks) > NETWORKS:
            self._networks.popitem(last=False)
        return found

    def _is_slow(self, network: _NetworkTries) -> bool:
        while network.wrong and network.wrong[0] <= self._clock() - WINDOW:
            network.wrong.popleft()
        return len(network.wrong) >= self._free

    def _noted(
        self, name: str, network: _NetworkTries, answer: RawResponse | None
    ) -> RawResponse | None:
        if answer is not None and answer.status in WRONG:
            self._wrong(name, network)
        return answer

    def _wrong(self, name: str, network: _NetworkTries) -> None:
        now = self._clock()
        if now > network.since + DAY:
            network.since, network.today = now, 0
        network.today += 1
        network.wrong.append(now)
        network.next_at = now + self._every * (LONGER if network.today > VERY_MANY else 1)
        if len(network.wrong) == self._free:
            self._slows(name)
        while len(network.wrong) > self._free:
            network.wrong.popleft()
