"""How soon the doors look at the next try from one network: guessing is slowed, never refused.

After many wrong answers to one network its tries are looked at one after the other, and after a
wrong one the next waits, longer where a day has brought very many. A right one lets the next in at
once. So the owner of a right code waits some seconds for a guesser on the same network, but is not
turned away because of one.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final

from classroom.live.answers import Answer

WINDOW: Final = 600.0  # seconds for which a wrong answer counts
DAY: Final = 86_400.0  # seconds
VERY_MANY: Final = 1_000  # wrong tries of one network in a day
LONGER: Final = 4  # times as long as before each try waits from then on
MOST_WAITING: Final = 30  # tries of one network; more are asked to come again
LONGEST_WAIT: Final = 30.0  # seconds
NETWORKS: Final = 10_000  # that are remembered; then the one that was quiet longest is forgotten
WRONG: Final = frozenset({401, 404, 422})  # statuses of an answer to a wrong secret

Clock = Callable[[], float]
Try = Callable[[], Awaitable[Answer | None]]
"""Has one try looked at; the answer, None where there was none."""


@dataclass(slots=True)
class _Network:
    wrong: deque[float] = field(default_factory=deque)
    today: int = 0
    since: float = 0.0  # when the day of `today` began
    next_at: float = 0.0
    waiting: int = 0
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    room: asyncio.Semaphore | None = None  # for tries that are looked at together


class Pace:
    """The pace of one kind of network: `free` wrong tries in ten minutes, then one in `every`
    seconds. `slows` is called when that begins for a network. For one event loop."""

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
        self._networks: OrderedDict[str, _Network] = OrderedDict()

    async def look(self, network: str, at: Try) -> Answer | None:
        """Have a try looked at, in its turn; None if it was not, for too many wait already.

        So many that come at once are looked at together as may be wrong; the rest wait to see how
        these went, or sending all guesses at once would be a way around.
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

    def _of(self, network: str) -> _Network:
        found = self._networks.setdefault(network, _Network())
        self._networks.move_to_end(network)
        if len(self._networks) > NETWORKS:
            self._networks.popitem(last=False)
        return found

    def _is_slow(self, network: _Network) -> bool:
        while network.wrong and network.wrong[0] <= self._clock() - WINDOW:
            network.wrong.popleft()
        return len(network.wrong) >= self._free

    def _noted(self, name: str, network: _Network, answer: Answer | None) -> Answer | None:
        if answer is not None and answer.status in WRONG:
            self._wrong(name, network)
        return answer

    def _wrong(self, name: str, network: _Network) -> None:
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
