"""The clients of bench_load: a child's browser at a table of this school or of boardgame.io.

Both think for the same time, choose among legal asks in the same way, and record in `Notes` when
they sent and saw each move. Moves are matched after the run.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

import aiohttp

from tests.playing import Shown, shown

THINK: Final = (2.0, 6.0)  # seconds between the start of the turn and the ask
AGAIN: Final = (0.2, 2.0)  # seconds before a client tries again after a failure
_BY_SCRIPT: Final = {"HX-Request": "true", "HX-Told": "1"}
# aiohttp reports a closed stream as a bare RuntimeError.
_LOST = (aiohttp.ClientError, ConnectionError, TimeoutError, RuntimeError)


@dataclass(frozen=True, slots=True)
class Sent:
    """An acknowledged move. `move`: its number; `at`, `took`: when it was sent, for how long."""

    table: str
    seat: int
    move: int
    key: str
    at: float
    took: float


@dataclass
class Notes:
    """The records of the clients in one run. Times are in seconds, by `time.perf_counter`.

    `seen`: each move and when it was seen, by table and seat; `loads`: how long each client took to
    open its table.
    """

    sent: list[Sent] = field(default_factory=list)
    seen: dict[tuple[str, int], list[tuple[int, float]]] = field(default_factory=dict)
    loads: list[float] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)
    over: set[str] = field(default_factory=set)
    asking: dict[tuple[str, int], float] = field(default_factory=dict)  # when open asks were sent

    def see(self, table: str, seat: int, move: int) -> None:
        self.seen.setdefault((table, seat), []).append((move, time.perf_counter()))


@dataclass
class SchoolChild:
    """A child's browser at a table of this school."""

    base: str
    round_id: str
    seat: int
    cookies: dict[str, str]
    rng: Random
    notes: Notes
    page: Shown | None = None
    address: str | None = None  # its source address, if that matters
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    async def live(self) -> None:
        """Load the page, then stream and play until cancelled."""
        connector = aiohttp.TCPConnector(
            limit=6,  # connections that a browser opens to one host
            local_addr=_source(self.address),
        )
        async with aiohttp.ClientSession(
            self.base, cookies=self.cookies, connector=connector
        ) as web:
            await self._load(web)
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._stream(web))
                tasks.create_task(self._play(web))

    def _path(self, end: str = "") -> str:
        return f"/play/rounds/{self.round_id}{end}"

    async def _load(self, web: aiohttp.ClientSession) -> None:
        began = time.perf_counter()
        while self.page is None:
            try:
                async with web.get(self._path()) as answer:
                    text = await answer.text()
                self._shown(text, answer.status)
            except _LOST as error:
                self.notes.errors[f"load: {type(error).__name__}"] += 1
            if self.page is None:
                await asyncio.sleep(self.rng.uniform(*AGAIN))
        self.notes.loads.append(time.perf_counter() - began)

    def _shown(self, text: str, status: int) -> None:
        if status not in (200, 409):
            self.notes.errors[f"status {status}"] += 1
            return
        page = shown(text)
        if self.page is None or page.v >= self.page.v:
            self.page = page
            self._news.set()
        if page.over:
            self.notes.over.add(self.round_id)

    async def _stream(self, web: aiohttp.ClientSession) -> None:
        while True:
            assert self.page is not None
            headers = {"Last-Event-ID": str(self.page.v), "Accept-Encoding": "identity"}
            with suppress(*_LOST):
                async with web.get(
                    self._path(f"/events?seen={self.page.v}&told=1"),
                    headers=headers,
                    timeout=aiohttp.ClientTimeout(None),
                ) as answer:
                    if answer.status != 200:
                        self.notes.errors[f"stream {answer.status}"] += 1
                    async for move, text in _events(answer.content):
                        if not text.strip():
                            self.notes.errors["stream ended"] += 1
                            break
                        self.notes.see(self.round_id, self.seat, move)
                        self._shown(text, 200)
            await asyncio.sleep(self.rng.uniform(*AGAIN))

    async def _play(self, web: aiohttp.ClientSession) -> None:
        while True:
            page = self.page
            assert page is not None
            if page.over:
                return
            if not page.my_turn:
                self._news.clear()
                await self._news.wait()
                continue
            await asyncio.sleep(self.rng.uniform(*THINK))
            if self.page is page:
                await self._ask(web, page)

    async def _ask(self, web: aiohttp.ClientSession, page: Shown) -> None:
        """Tap once, and send the tap again with the same key until it is answered."""
        form = {
            "token": page.token,
            "key": secrets.token_urlsafe(12),
            "seen": str(page.v),
            "class": self.rng.choice(page.classes),
            "target": self.rng.choice(page.targets),
        }
        at = self.notes.asking[self.round_id, self.seat] = time.perf_counter()
        while True:
            try:
                async with web.post(self._path("/asks"), data=form, headers=_BY_SCRIPT) as answer:
                    text = await answer.text()
                break
            except _LOST as error:
                self.notes.errors[f"ask: {type(error).__name__}"] += 1
                await asyncio.sleep(self.rng.uniform(*AGAIN))
        took = time.perf_counter() - at
        del self.notes.asking[self.round_id, self.seat]
        if answer.status == 200:
            self.notes.sent.append(
                Sent(self.round_id, self.seat, page.v + 1, form["key"], at, took)
            )
        self._shown(text, answer.status)


@dataclass
class SchoolTeacher:
    """A teacher's page that shows the class live, with an open stream."""

    base: str
    class_id: int
    cookies: dict[str, str]
    rng: Random
    notes: Notes
    address: str | None = None

    async def live(self) -> None:
        connector = aiohttp.TCPConnector(local_addr=_source(self.address))
        async with aiohttp.ClientSession(
            self.base, cookies=self.cookies, connector=connector
        ) as web:
            while True:
                with suppress(*_LOST):
                    async with web.get(
                        f"/teach/classes/{self.class_id}/live/events",
                        timeout=aiohttp.ClientTimeout(None),
                    ) as answer:
                        if answer.status != 200:
                            self.notes.errors[f"teacher {answer.status}"] += 1
                        async for _ in answer.content.iter_any():
                            pass
                await asyncio.sleep(self.rng.uniform(*AGAIN))


def _source(address: str | None) -> tuple[str, int] | None:
    return (address, 0) if address else None


async def _events(content: aiohttp.StreamReader) -> AsyncIterator[tuple[int, str]]:
    """The number and page of each event of a stream."""
    number, lines = 0, []
    while line := (await content.readline()).decode():
        if line.startswith("id: "):
            number = int(line[4:].partition("-")[0])
        elif line.startswith("data: "):
            lines.append(line[6:])
        elif line == "\n" and lines:
            yield number, "".join(lines)
            lines = []


# ---- boardgame.io


@dataclass
class BoardgameChild:
    """A client of boardgame.io's socket at a match of `boardgame/server.js`."""

    base: str
    match_id: str
    seat: int
    credentials: str
    seats: int
    rng: Random
    notes: Notes
    _state: dict[str, Any] = field(default_factory=dict)
    _sent: tuple[int, float] | None = None

    async def live(self) -> None:
        """Connect, then play until cancelled."""
        began = time.perf_counter()
        async with aiohttp.ClientSession() as web:
            address = f"{self.base}/socket.io/?EIO=4&transport=websocket"
            async with web.ws_connect(address, max_msg_size=0) as socket:
                await socket.send_str("40/gofish,")
                async with asyncio.TaskGroup() as tasks:
                    async for message in socket:
                        if message.data == "2":
                            await socket.send_str("3")
                        elif message.data.startswith("40"):
                            who = (self.match_id, str(self.seat), self.credentials, self.seats)
                            await self._emit(socket, "sync", *who)
                        elif message.data.startswith("42"):
                            event = json.loads(message.data[message.data.index("[") :])
                            if event[0] == "sync":
                                self.notes.loads.append(time.perf_counter() - began)
                            if self._hear(*event):
                                tasks.create_task(self._ask(socket))

    async def _emit(self, socket: aiohttp.ClientWebSocketResponse, *event: Any) -> None:
        await socket.send_str("42/gofish," + json.dumps(event))

    def _hear(self, kind: str, _match: str, *content: Any) -> bool:
        """Record the news. Returns whether it is this seat's turn now."""
        if kind not in ("sync", "update"):
            return False
        state = content[0]["state"] if kind == "sync" else content[0]
        if state["_stateID"] <= self._state.get("_stateID", -1):
            return False
        self._state = state
        if kind == "update":
            self.notes.see(self.match_id, self.seat, state["_stateID"])
            if self._sent and self._sent[0] <= state["_stateID"]:
                move, at = self._sent
                took = time.perf_counter() - at
                self.notes.sent.append(Sent(self.match_id, self.seat, move, "", at, took))
                self._sent = None
        if state["ctx"].get("gameover"):
            self.notes.over.add(self.match_id)
            return False
        return bool(state["ctx"]["currentPlayer"] == str(self.seat))

    async def _ask(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        await asyncio.sleep(self.rng.uniform(*THINK))
        hands, number = self._state["G"]["hands"], self._state["_stateID"]
        mine = hands[str(self.seat)]
        targets = [seat for seat, hand in hands.items() if seat != str(self.seat) and hand]
        arguments = [self.rng.choice(targets), self.rng.choice(mine)[0]]
        action = {
            "type": "MAKE_MOVE",
            "payload": {
                "type": "ask",
                "args": arguments,
                "playerID": str(self.seat),
                "credentials": self.credentials,
            },
        }
        self._sent = (number + 1, time.perf_counter())
        await self._emit(socket, "update", action, number, self.match_id, str(self.seat))
