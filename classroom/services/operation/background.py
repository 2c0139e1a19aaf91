"""Computer players at work: each of their moves is a move and a transaction of its own.

A worker thread plays them at a pace that a child can follow; the child's answer never waits for
it. It knows nothing that is not in the database, so it may be stopped at any time: at its start it
looks for rounds that wait for a computer player. Two workers, in two processes, cannot double a
move: the log refuses it, and both would have decided the same. The same worker plays for children
who are away (services.stand_ins), begins rounds that friends have waited for long enough, counts
what was shown (services.evidence), where nobody waits for it, and looks after the data
(services.health).
"""

from __future__ import annotations

import heapq
import logging
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from math import inf
from random import Random
from typing import Any, Final

from sqlalchemy import select

from classroom.database import db, trouble
from classroom.engine.actions import Action
from classroom.engine.observation import Observation, observe
from classroom.hub import ANY, Hub, Topic, hub_of
from classroom.minds.playing.computer_players import choose
from classroom.minds.playing.levels import level_of
from classroom.models import Round
from classroom.services.base import clock
from classroom.services.base.errors import EarlierRules, NotFound, NotNow, OutOfDate, traced
from classroom.services.lesson import gatherings
from classroom.services.operation import health
from classroom.services.table import evidence_log, pauses, rounds, stand_ins, states
from classroom.services.table.states import Facts, Live, Sitter
from classroom.services.table.tables import ViewedTable

Context = Callable[[], AbstractContextManager[Any]]

LOOK_AROUND: Final = 5.0  # seconds between two looks for rounds that nobody told us of
LONGEST_REST: Final = 30.0  # seconds before a round that failed is tried again, at most
UNFINISHED: Final = 2 * 86_400.0  # seconds; older rounds are played on when a child opens them

_log = logging.getLogger(__name__)


# ---- one move


def decide(observation: Observation, player: Sitter, number: int) -> Action:
    """What this computer player does here: the same whenever and wherever it is asked.

    All chance in it comes from the player's seed, the round's number in the match and the move.
    """
    rng = Random(f"{player.seed}.{number}.{observation.seq}")
    return choose(observation, level_of(player.level or ""), rng, player.seed + number)


def waiting(facts: Facts, turn: int | None) -> Sitter | None:
    """The computer player whose turn it is, if it is one's."""
    return next((p for p in facts.players if p.seat == turn and p.level is not None), None)


def due_in(live: Live) -> float | None:
    """Seconds until the computer has to move, for itself or for a child who is away; None: it is
    not to move here as things stand."""
    turn = live.state.turn
    if turn is None or pauses.of_table(live):
        return None
    if waiting(live.facts, turn) is not None:
        return 0.0
    return stand_ins.wait_for(live, turn, clock.now())


def play_one(round_id: int) -> bool:
    """Make one move, if the round waits for the computer; whether it was made here."""
    live = states.read(round_id)
    return due_in(live) == 0 and _played(live)


def _played(live: Live) -> bool:
    facts, turn = live.facts, live.state.turn
    if turn is None:
        return False
    player = waiting(facts, turn)
    by = "computer" if player else stand_ins.STAND_IN
    seen = observe(live.state, turn)
    action = decide(seen, player or stand_ins.sitter(facts, turn), facts.number)
    try:
        rounds.play(facts.round_id, turn, action, f"c{seen.seq}", seen.seq, played_by=by)
    except (OutOfDate, NotNow):  # somebody else made this very move, or the table is paused now
        return False
    return True


def play_now(round_id: int) -> int:
    """Make all moves of the computer until a child is to move; how many there were."""
    moves = 0
    while play_one(round_id):
        moves += 1
    return moves


def _look(round_id: int) -> tuple[float, float]:
    """Move, if the computer is to move; else in how many seconds to look again, 0 for never. And
    how long it may leave this table alone after each move. A round that went with its child needs
    no look any more; one that the rules of today do not let go on is ended."""
    try:
        live = states.read(round_id)
        wait = due_in(live)
        if wait == 0:
            _played(live)
    except NotFound:
        return 0.0, 0.0
    except EarlierRules:
        rounds.end_earlier(round_id)
        return 0.0, 0.0
    return wait or 0.0, stand_ins.patience(live)


def remind(table: ViewedTable) -> None:
    """Somebody looks at this table: should it wait for a computer player, one is to look too."""
    if table.thoughts:
        hub_of(db.engine).tell(table.round_id, table.seq)


# ---- the worker


class Worker:
    """Plays for the computer players of one database, in a thread, until it is stopped."""

    def __init__(self, context: Context, pace: float) -> None:
        self._context = context
        self._pace = pace
        self._news = threading.Condition()
        self._queue: list[tuple[float, int]] = []
        self._due: dict[int, float] = {}  # when each round is to be looked at; the queue in order
        self._known: dict[int, int] = {}  # how many moves each round had when last heard of
        self._calm: dict[int, float] = {}  # how long after a move each round may be left alone
        self._failed: dict[int, int] = {}
        self._watch = health.Watch()
        self._stopped = False
        self._thread = threading.Thread(target=self._run, name="companions", daemon=True)

    def start(self) -> Worker:
        with self._context():
            self._listen(hub_of(db.engine))
        self._thread.start()
        return self

    def _listen(self, hub: Hub) -> None:
        self._hub, self._leave = hub, hub.subscribe(ANY, self._hear)

    def _follow(self) -> None:
        """Listen to the database that is there now; what was known of another one is forgotten."""
        hub = hub_of(db.engine)
        if hub is not self._hub:
            self._leave()
            with self._news:
                for known in (self._queue, self._due, self._known, self._calm, self._failed):
                    known.clear()
            self._listen(hub)
            self._watch.leave()
            self._watch = health.Watch()

    def stop(self, seconds: float = 1.0) -> None:
        """Stop after the move that is being made. What is left is found at the next start."""
        self._leave()
        with self._news:
            self._stopped = True
            self._news.notify()
        self._thread.join(seconds)
        self._guarded(self._watch.end)

    def _hear(self, topic: Topic, seq: int) -> None:
        """A round has this many moves: look at it when its pace has passed, or later where the
        computer has nothing to do. Is the number known, something else is different there."""
        if not isinstance(topic, int):
            return
        with self._news:
            known, self._known[topic] = self._known.get(topic), seq
            if known == seq:
                self._calm.pop(topic, None)
            calm = self._calm.get(topic, 0.0)
            self._wake(topic, max(self._pace, calm), put_off=known != seq and not calm)

    def _wake(self, round_id: int, after: float, *, put_off: bool = False) -> None:
        """Look at this round in so many seconds, or when it was to be looked at if that is sooner
        and not to be put off."""
        due = time.monotonic() + after
        if put_off or due < self._due.get(round_id, inf):
            self._due[round_id] = due
            heapq.heappush(self._queue, (due, round_id))
            self._news.notify()

    def _run(self) -> None:
        look_at = 0.0
        while not self._stopped:
            if time.monotonic() >= look_at:
                self._guarded(self._follow)
                self._guarded(self._watch.look)
                self._guarded(gatherings.start_overdue)
                self._guarded(self._look_around)
                self._count()
                look_at = time.monotonic() + LOOK_AROUND
            round_id = self._next(look_at)
            if round_id is not None:
                self._play(round_id)

    def _next(self, until: float) -> int | None:
        """The next round that is due; None when it is time to look around, or to stop."""
        with self._news:
            while not self._stopped:
                now = time.monotonic()
                while self._queue and self._due.get(self._queue[0][1]) != self._queue[0][0]:
                    heapq.heappop(self._queue)  # was put off
                if self._queue and self._queue[0][0] <= now:
                    _, round_id = heapq.heappop(self._queue)
                    del self._due[round_id]
                    return round_id
                if now >= until:
                    return None
                self._news.wait(min(until, self._queue[0][0] if self._queue else until) - now)
        return None

    def _play(self, round_id: int) -> None:
        found = self._guarded(partial(_look, round_id))
        if found is not None:
            self._failed.pop(round_id, None)  # and if it moved, the notice of it wakes us again
            wait, calm = found
            with self._news:
                self._calm[round_id] = calm
                if wait > 0:
                    self._wake(round_id, wait)
            return
        tries = self._failed[round_id] = self._failed.get(round_id, 0) + 1
        with self._news:
            self._wake(round_id, min(LONGEST_REST, 0.5 * 2**tries))

    def _look_around(self) -> None:
        """Find rounds that moved without a notice: in another process, or before our start."""
        rows = db.session.execute(
            select(Round.id, Round.moves)
            .where(Round.ended_at.is_(None), Round.started_at > time.time() - UNFINISHED)
            .order_by(Round.id.desc())
        ).all()
        with self._news:
            self._known = {number: self._known.get(number, -1) for number, _ in rows}
            self._calm = {n: calm for n, calm in self._calm.items() if n in self._known}
        for number, moves in rows:
            if self._known.get(number) != moves:
                self._hear(number, moves)

    def _count(self) -> None:
        """Count what children showed; one who cannot be counted keeps nobody else from it."""
        for child_id in self._guarded(evidence_log.behind) or ():
            if not self._stopped:
                self._guarded(partial(evidence_log.count_new, child_id))

    def _guarded(self, work: Callable[[], Any]) -> Any:
        """Run one piece of work with a session of its own; None if it failed."""
        try:
            with self._context():
                return work()
        except Exception as error:
            if not trouble(error):  # which is said once, by the database's condition
                _log.error("the computer players stumbled: %s", traced(error))
            return None


def start(context: Context, pace: float) -> Worker:
    """Begin to play for the computer players. `context`: what opens a database session."""
    return Worker(context, pace).start()
