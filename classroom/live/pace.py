"""How soon the doors answer the next try from one network: guessers are slowed, not locked out.

After many wrong tries from one network, its tries are answered one at a time, and after a wrong one
the next has to wait, longer if there were very many that day. A right one lets the next in at once.

Those who wait do so by device. Next is the device with the fewest wrong tries; if too many wait,
the device with most waiting loses one. So a guesser with a hundred devices only goes behind the
owner of a right code. Known devices and people who are signed in have a lane of their own (`asgi`),
where strangers delay nobody. A guesser who takes a new device for every try fills the strangers'
lane: a right code from a device that the school does not know may then be asked to come again.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass, field
from typing import Final

from classroom.live.answers import RawResponse

WINDOW: Final = 600.0  # seconds for which a wrong try counts
DAY: Final = 86_400.0  # seconds
VERY_MANY: Final = 1_000  # wrong tries from one network in a day, after which each wait is longer
LONGER: Final = 4  # how many times as long a wait is then
MOST_WAITING: Final = 30  # tries that may wait in one lane; more are asked to come again
LONGEST_WAIT: Final = 30.0  # seconds that a try may wait for its turn
NETWORKS: Final = 10_000  # most networks remembered; beyond that, the one quiet for longest goes
DEVICES: Final = 10_000  # most devices whose wrong tries are remembered, the latest
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
    is_busy: bool = False  # one try is being answered
    waiting: OrderedDict[Hashable, deque[asyncio.Future[bool]]] = field(default_factory=OrderedDict)
    room: asyncio.Semaphore | None = None  # limits how many tries are answered at a time


class Pace:
    """The pace for one size of network: `free` wrong tries in ten minutes, then one try in `every`
    seconds. `slows` is called whenever a network begins to be slowed. Works within one event loop.

    A network has as many lanes as it is given names, each with its own tries.
    """

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
        self._wrong_by: OrderedDict[Hashable, int] = OrderedDict()  # wrong tries of each device

    async def answer(self, network: str, device: Hashable, at: Try) -> RawResponse | None:
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
                    return self._noted(network, device, found, await at())
        if found.is_busy and not await self._turn(found, device):
            return None
        found.is_busy = True
        try:
            await asyncio.sleep(max(0.0, found.next_at - self._clock()))
            return self._noted(network, device, found, await at())
        finally:
            self._pass_on(found)

    async def _turn(self, network: _NetworkTries, device: Hashable) -> bool:
        """Wait for a turn; returns whether it came."""
        mine: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        network.waiting.setdefault(device, deque()).append(mine)
        if sum(map(len, network.waiting.values())) > MOST_WAITING:
            crowd = max(network.waiting, key=lambda one: (len(network.waiting[one]), self._by(one)))
            self._take(network, crowd).set_result(False)
        came = False
        try:
            await asyncio.wait((mine,), timeout=LONGEST_WAIT)
            came = mine.done() and mine.result()
            return came
        finally:
            if not mine.done():
                network.waiting[device].remove(mine)
                network.waiting = OrderedDict(kept for kept in network.waiting.items() if kept[1])
            elif mine.result() and not came:
                self._pass_on(network)  # the turn came just as the request was cancelled

    def _pass_on(self, network: _NetworkTries) -> None:
        network.is_busy = bool(network.waiting)
        if network.waiting:
            self._take(network, min(network.waiting, key=self._by)).set_result(True)

    def _take(self, network: _NetworkTries, device: Hashable) -> asyncio.Future[bool]:
        """Take the device's oldest try out of the queue; the device goes to the end."""
        queue = network.waiting.pop(device)
        found = queue.popleft()
        if queue:
            network.waiting[device] = queue
        return found

    def _by(self, device: Hashable) -> int:
        return self._wrong_by.get(device, 0)

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
        self, name: str, device: Hashable, network: _NetworkTries, answer: RawResponse | None
    ) -> RawResponse | None:
        if answer is not None and answer.status < 400:
            self._wrong_by.pop(device, None)
        elif answer is not None and answer.status in WRONG:
            self._wrong_by[device] = self._wrong_by.pop(device, 0) + 1
            if len(self._wrong_by) > DEVICES:
                self._wrong_by.popitem(last=False)
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
