"""The background thread: it plays for the computer players, each move in its own transaction.

It plays at a pace that a child can follow; a child's request never waits for it. All its state is
in the database, so it can be stopped at any time: when it starts, it looks for rounds that wait for
a computer player. If two processes have a worker, no move is made twice: both choose the same move,
and the move log refuses the second one. The worker also plays for children who are away
(table/stand_ins.py), starts tables where friends have waited long enough, counts evidence
(table/evidence_log.py) and looks after the data (health.py).

If several processes serve a school from PostgreSQL, the worker in one process leads and does all
this. The relay (classroom/postgres.py) tells it about moves in other processes. When the leading
process ends, the worker in another process takes over.
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
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import select

from classroom import measures
from classroom.condition import trouble
from classroom.database import db
from classroom.engine import observe
from classroom.engine.actions import Action
from classroom.engine.observation import Observation
from classroom.hub import ANY, Hub, Topic, hub_of
from classroom.minds.playing.computer_players import choose
from classroom.minds.playing.forgetting import level_of
from classroom.models import Round
from classroom.services.base import clock
from classroom.services.base.errors import EarlierRules, NotFound, NotNow, OutOfDate, guard, traced
from classroom.services.lesson import gatherings
from classroom.services.operation import health
from classroom.services.table import evidence_log, rounds, stand_ins, states
from classroom.services.table.rounds import ViewedTable
from classroom.services.table.states import Facts, Live, Sitter

if TYPE_CHECKING:
    from classroom.postgres import Relay

Context = Callable[[], AbstractContextManager[Any]]

SCAN_SECONDS: Final = 5.0  # seconds between searches for moves that no notice announced
LONGEST_DELAY: Final = 30.0  # seconds; the longest wait before a round that failed is tried again
UNFINISHED: Final = 2 * 86_400.0  # seconds; an older round continues only when a child opens it

_log = logging.getLogger(__name__)


# ---- making one move


def decide(observation: Observation, player: Sitter, number: int) -> Action:
    """Choose the computer player's next action. The choice is the same at any time and in any
    process: all randomness comes from the player's seed, the round's number in the match and the
    number of moves."""
    rng = Random(f"{player.seed}.{number}.{observation.seq}")
    return choose(observation, level_of(player.level or ""), rng, player.seed + number)


def waiting(facts: Facts, turn: int | None) -> Sitter | None:
    """The computer player whose turn it is, if any."""
    return next((p for p in facts.players if p.seat == turn and p.level is not None), None)


def due_in(live: Live) -> float | None:
    """Seconds until the computer moves, also in place of an absent child; None if it will not."""
    turn = live.state.turn
    if turn is None or stand_ins.pause_of_table(live):
        return None
    if waiting(live.facts, turn) is not None:
        return 0.0
    return stand_ins.wait_for(live, turn, clock.now())


def play_one(round_id: int) -> bool:
    """Make one move if the round waits for the computer; returns whether this call made a move."""
    live = states.read(round_id)
    return due_in(live) == 0 and _played(live)


def _played(live: Live) -> bool:
    facts, turn = live.facts, live.state.turn
    if turn is None:
        return False
    player = waiting(facts, turn)
    by = "computer" if player else stand_ins.STAND_IN
    observation = observe(live.state, turn)
    action = decide(observation, player or stand_ins.stand_in_at(facts, turn), facts.number)
    seq = observation.seq
    try:
        rounds.play(facts.round_id, turn, action, f"c{seq}", seq, played_by=by)
    except (OutOfDate, NotNow):  # the move was made elsewhere, or the table is paused now
        return False
    return True


def play_now(round_id: int) -> int:
    """Make the computer's moves until it is a child's turn; returns the number of moves."""
    moves = 0
    while play_one(round_id):
        moves += 1
    return moves


def _look(round_id: int) -> tuple[float, float]:
    """Make the computer's move if it is due. Returns the seconds until the next look (0: no look is
    needed), and the seconds for which this table can be left alone after each move. A round that no
    longer exists needs no further look; a round that the present rules cannot continue is ended."""
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
    """Wake the worker if this table, which someone is looking at, waits for a computer player."""
    if table.thoughts:
        hub_of(db.engine).tell(table.round_id, table.seq)


# ---- the worker and its thread


class Worker:
    """Plays for the computer players in one database, in its own thread, until it is stopped.
    `context` opens a database session; `pace`: the usual seconds between two moves."""

    def __init__(self, context: Context, pace: float) -> None:
        self._context = context
        self._pace = pace
        self._news = threading.Condition()
        self._queue: list[tuple[float, int]] = []
        self._due: dict[int, float] = {}  # when each round is due, also kept as a heap in `_queue`
        self._moves: dict[int, int] = {}  # how many moves each round had at its last notice
        self._patience: dict[int, float] = {}  # seconds to leave each round alone after a move
        self._failed: dict[int, int] = {}
        self._watch = health.Watch()
        self._scan_at = time.monotonic()
        self.pulse = health.Pulse()
        self._leads = True
        self._fresh = False  # whether this worker has just begun to lead
        self._relay: Relay | None = None
        self._stopped = False
        self._thread = threading.Thread(target=self._run, name="companions", daemon=True)

    def start(self) -> Worker:
        with self._context():
            self._listen(hub_of(db.engine))
        self._thread.start()
        return self

    def _listen(self, hub: Hub) -> None:
        self._hub, self._leave = hub, hub.subscribe(ANY, self._hear)
        if db.engine.dialect.name == "postgresql":
            from classroom.postgres import Relay  # needs psycopg, which may not be installed

            self._leads = False  # until the relay says that this process leads
            self._relay = Relay(db.engine, hub, self.lead).start()

    def _unlisten(self) -> None:
        self._leave()
        if self._relay is not None:
            self._relay.stop()

    def _follow(self) -> None:
        """Listen for notices about the current database; if it is new, forget the old database."""
        hub = hub_of(db.engine)
        if hub is not self._hub:
            self._unlisten()
            with self._news:
                self._forget()
            self._listen(hub)
            self._watch.leave()
            self._watch = health.Watch()

    def _forget(self) -> None:
        self._queue.clear()
        for by_round in (self._due, self._moves, self._patience, self._failed):
            by_round.clear()

    def lead(self, leads: bool) -> None:
        """Begin at once to work for all processes, starting with rounds that already wait; or, if
        `leads` is False, leave the work to another process."""
        with self._news:
            self._forget()
            self._leads, self._fresh, self._scan_at = leads, leads, time.monotonic()
            self._news.notify()

    def stop(self) -> None:
        """Stop after the move in progress. Rounds that still wait are found on the next start."""
        self._unlisten()
        with self._news:
            self._stopped = True
            self._news.notify()
        self._thread.join(1.0)
        self._guarded("close the database", self._watch.end)

    def lag(self) -> float:
        """How many seconds ago the next piece of work was due; 0 if it is not due yet."""
        with self._news:
            due = min([self._scan_at, *self._due.values()])
        return max(0.0, time.monotonic() - due)

    def _hear(self, topic: Topic, seq: int) -> None:
        """Note that a round now has `seq` moves. Make it due after the usual wait, or later if it
        can be left alone for longer (`_patience`). If `seq` is the same as before, something else
        has changed, so the patience no longer holds."""
        if not isinstance(topic, int) or not self._leads:
            return
        with self._news:
            before, self._moves[topic] = self._moves.get(topic), seq
            if before == seq:
                self._patience.pop(topic, None)
            patience = self._patience.get(topic, 0.0)
            self._wake(topic, max(self._pace, patience), put_off=before != seq and not patience)

    def _wake(self, round_id: int, after: float, *, put_off: bool = False) -> None:
        """Make this round due in `after` seconds. If it is already due sooner, nothing changes,
        unless `put_off` is set."""
        due = time.monotonic() + after
        if put_off or due < self._due.get(round_id, inf):
            self._due[round_id] = due
            heapq.heappush(self._queue, (due, round_id))
            self._news.notify()

    def _run(self) -> None:
        while not self._stopped:
            self.pulse.beat()
            if time.monotonic() >= self._scan_at:
                self._look_round()
            round_id = self._next()
            if round_id is not None:
                self._play(round_id)

    def _look_round(self) -> None:
        """Do the work that is due every few seconds; if the lead changes meanwhile, do it again at
        once. A new leader plays in waiting rounds first, and looks after the data the next time."""
        leads, fresh = self._leads, self._fresh
        self._guarded("follow the database", self._follow)
        if not fresh:
            self._guarded("look after the data", partial(self._watch.look, leads=leads))
        if leads:
            self._guarded("start tables", gatherings.start_overdue)
            self._guarded("look for rounds", self._scan)
        if leads and not fresh:
            self._count()
        with self._news:
            if leads == self._leads:
                self._fresh, self._scan_at = False, time.monotonic() + SCAN_SECONDS

    def _next(self) -> int | None:
        """Wait until a round is due and return it; None when it is time to scan or to stop."""
        with self._news:
            while not self._stopped:
                now = time.monotonic()
                while self._queue and self._due.get(self._queue[0][1]) != self._queue[0][0]:
                    heapq.heappop(self._queue)  # this round is now due at another time
                if self._queue and self._queue[0][0] <= now:
                    _, round_id = heapq.heappop(self._queue)
                    del self._due[round_id]
                    return round_id
                if now >= self._scan_at:
                    return None
                due = self._queue[0][0] if self._queue else inf
                self._news.wait(min(self._scan_at, due) - now)
        return None

    def _play(self, round_id: int) -> None:
        found = self._guarded("play in a round", partial(_look, round_id), round_id)
        if found is not None:
            self._failed.pop(round_id, None)  # after a move, the notice of the move wakes us
            wait, patience = found
            with self._news:
                self._patience[round_id] = patience
                if wait > 0:
                    self._wake(round_id, wait)
            return
        tries = self._failed[round_id] = self._failed.get(round_id, 0) + 1
        with self._news:
            # at most 10, so that the number cannot overflow
            self._wake(round_id, min(LONGEST_DELAY, 0.5 * 2 ** min(tries, 10)))

    def _scan(self) -> None:
        """Find rounds with moves that no notice announced, such as those made before the start."""
        going_on = Round.ended_at.is_(None), Round.started_at > clock.now() - UNFINISHED
        wanted = select(Round.id, Round.moves).where(*going_on).order_by(Round.id.desc())
        rows = db.session.execute(wanted).all()
        with self._news:
            self._moves = {round_id: self._moves.get(round_id, -1) for round_id, _ in rows}
            for round_id in self._patience.keys() - self._moves.keys():
                del self._patience[round_id]
        for round_id, moves in rows:
            if self._moves.get(round_id) != moves:
                self._hear(round_id, moves)

    def _count(self) -> None:
        """Count new evidence, child by child; a failure for one child does not stop the others."""
        self._guarded("count again", evidence_log.count_waiting)
        for child_id in self._guarded("find new evidence", evidence_log.behind) or ():
            if not self._stopped:
                count = partial(evidence_log.count_new, child_id)
                self._guarded(evidence_log.COUNT, count, child_id)

    def _guarded(self, what: str, work: Callable[[], Any], number: int | None = None) -> Any:
        """Do some work in its own database session; returns its result, or None if it failed."""
        self.pulse.beat()
        try:
            with self._context(), guard(what, number):
                return work()
        except Exception as error:
            measures.ERRORS.labels("worker").inc()
            if not trouble(error):  # database trouble is logged once, by the database's Condition
                _log.error("the background thread failed: %s", traced(error))
        return None
