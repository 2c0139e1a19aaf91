"""The State of a round, folded (replayed) from its deck and moves, and the players at its table. A
State never leaves the services.

Folded states are cached, one for each round of each database. A State is frozen and the log only
grows, so a cached State stays valid while its last move is in the log. Each use compares the deal
and that move's key with the database, because a restored backup may have a different log.
"""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from types import SimpleNamespace
from typing import Any, Final
from weakref import WeakKeyDictionary

from sqlalchemy import Text, bindparam, cast, func, or_, select

from classroom.database import AnyRow, db, hold, run
from classroom.engine import deal
from classroom.engine.cards import Card
from classroom.engine.observation import Observation, Viewer
from classroom.engine.record import replayed
from classroom.engine.rules import Rules
from classroom.engine.state import State
from classroom.games import GAMES
from classroom.minds.board import Support
from classroom.minds.memory.perfect_memory import Memory, remember
from classroom.minds.playing.forgetting import Mind, level_of
from classroom.models import (
    ChoicesRow,
    ClassSettings,
    Gathering,
    Match,
    Move,
    OwnGame,
    Place,
    Player,
    Round,
    SchoolClass,
    Session,
)
from classroom.models.table_rows import open_since, waiting_moment
from classroom.services.base.errors import EarlierRules, LeftOff, MovesGone, NotFound
from classroom.services.table.choices import Hours, hours_of

KEPT_MOVES: Final = 12_000  # the most moves in one database's cache; each takes about 3.5 kB
DECKS: Final = 1_000  # the most parsed decks that the cache can hold

Rows = list[AnyRow]

# ---- The players at a table's seats, as the database has them now; read together with each round
#
# The statement that reads a round also reads everything else that a page shows about the viewer.
# With separate statements, a page could be older than its mark (web/http/pages.py) says.

_players, _family = Player.__table__.c, ChoicesRow.__table__.c
_sessions, _places, _gatherings = Session.__table__.c, Place.__table__.c, Gathering.__table__.c
_later = Round.__table__.alias("later")
_THEIRS = _sessions.child_id == _players.child_id
_HAND = select(func.max(_sessions.hand_at)).where(_THEIRS).scalar_subquery()
_INVITED = (
    select(func.max(_sessions.invited_at))
    .where(_THEIRS, _sessions.invited_by.is_not(None))
    .scalar_subquery()
)
# "+ 0.0" makes SQLite search the match's few rounds, not all unfinished rounds of the school.
_GOES_ON = (_later.c.ended_at + 0.0).is_(None)
_CALLED = (
    select(func.max(_later.c.id))
    .join(Gathering.__table__, _gatherings.match_id == _later.c.match_id)
    .join(Place.__table__, _places.gathering_id == _gatherings.id)
    .where(_places.child_id == _players.child_id, _GOES_ON)
    .scalar_subquery()
)
_SEAT_COLUMNS: Final = (
    _players.seat, _players.child_id, _players.level, _players.name, _players.animal,
    _players.pad, _players.board, _players.hints, _players.pace, _players.seed, _players.gone,
    _family.minutes_a_day,
    open_since(_players.child_id, Round.__table__.c.id).label("asked_at"),
    _HAND.label("hand_at"), _INVITED.label("invited_at"), _CALLED.label("called"),
    waiting_moment(_players.child_id, Match.__table__.c.class_id).label("moment"),
)  # fmt: skip
_SEAT_NAMES: Final = tuple(column.name for column in _SEAT_COLUMNS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitter:
    """The player at a seat: a row of `players`, with the settings from when the match began.
    `child_id`: None for a computer player or a removed child; `level`: None for any child. `gone`:
    the child has closed the table's page. `minutes_a_day`: the current daily limit that the family
    set. `asked_at`: when the child's open question was made. `hand_at`: when the child's hand went
    up. `invited_at`: when a classmate last invited it to a shared tablet. `called`: the unfinished
    round at the table where the child's place is now. `moment`: the class's open moment, if the
    child has not answered it. From `minutes_a_day` on, None means that there is none."""

    seat: int
    child_id: int | None
    level: str | None
    name: str
    animal: str
    pad: int
    board: Support
    hints: bool
    pace: str
    seed: int
    gone: bool
    minutes_a_day: int | None
    asked_at: float | None = None
    hand_at: float | None = None
    invited_at: float | None = None
    called: int | None = None
    moment: int | None = None


# ---- A round with all its facts, and the State that its moves lead to

# The queries are built once and bypass the ORM session, which would make them six times as slow.
_rounds, _matches = Round.__table__.c, Match.__table__.c
_log, _own = Move.__table__.c, OwnGame.__table__.c
_classes, _class = SchoolClass.__table__.c, ClassSettings.__table__.c
_FAMILY = (_family.child_id == _players.child_id) & (_family.whose == "family")
_KEYS = select(_log.key).where(_log.round_id == _rounds.id)
_LAST_KEY = _KEYS.order_by(_log.seq.desc()).limit(1).scalar_subquery().label("last_key")
_REPEATED = _KEYS.where(_log.key == bindparam("key")).exists().label("repeated")
_ROUNDS = (  # one row for each seat: repeating the round's columns is cheaper than a second query
    select(
        *_SEAT_COLUMNS,
        _rounds.id, _rounds.match_id, _rounds.number, _matches.game, _rounds.dealer,
        cast(_rounds.deck, Text).label("deck"), cast(_matches.rules, Text).label("rules"),
        _rounds.started_at, _own.name.label("own"), _matches.look,
        _rounds.away, _rounds.returned_at, (_rounds.changes + _classes.changes).label("changes"),
        _rounds.moves, _rounds.ended_at, _LAST_KEY, _REPEATED, _matches.class_id,
        _matches.practice, _matches.at_home, _matches.shared, _matches.moment.label("begun"),
        _class.nudge_after, _class.stand_in_after, _class.talk,
        _class.minutes_a_day.label("of_class"), _classes.paused_at, _classes.ending_at,
        _classes.resumed_at, _classes.archived_at, _classes.home_on, _classes.home_from,
        _classes.home_until, _classes.home_weekend, _classes.home_weekend_from,
        _classes.home_weekend_until,
    )
    .join(Match.__table__, _rounds.match_id == _matches.id)
    .join(SchoolClass.__table__, _matches.class_id == _classes.id)
    .join(Player.__table__, _players.match_id == _matches.id)
    .outerjoin(OwnGame.__table__, _matches.own_id == _own.id)
    .outerjoin(ClassSettings.__table__, _class.class_id == _classes.id)
    .outerjoin(ChoicesRow.__table__, _FAMILY)
    .order_by(_rounds.id, _players.seat)
)  # fmt: skip
_FACTS = _ROUNDS.where(_rounds.id == bindparam("round"))
_FACTS_OF_SEVERAL = _ROUNDS.where(_rounds.id.in_(bindparam("rounds", expanding=True)))
_FACT_NAMES = tuple(_FACTS.selected_columns.keys())
_FACTS_LOCKED = hold(_FACTS, of=Round.__table__)
_SCORES = select(_rounds.scores).where(
    _rounds.match_id == bindparam("match"), _rounds.number < bindparam("number")
)
_MOVES = (
    select(_log.seq, _log.key, _log.action, _log.chance, _log.at)
    .where(_log.round_id == bindparam("round"))
    .where(or_(_log.seq >= bindparam("since"), _log.key == bindparam("key")))
    .order_by(_log.seq)
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """A class's lesson, the teacher's settings (None: the default), and hours of play at home."""

    class_id: int
    paused_at: float | None
    ending_at: float | None
    resumed_at: float
    nudge_after: int | None
    stand_in_after: int | None
    minutes_a_day: int | None
    talk: str | None
    home: Hours


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """A round without its moves. `name`: the name of a class's own game, None for the menu's games.
    `look`: how numbers are drawn. `practice`, `at_home`, `shared`: as in Match. `begun`: the round
    begins with the moves of a moment. `points`: each seat's points before this round if the match
    is played to a target, else (). `away`, `returned_at`: as in Round. `changes`: the number of
    changes to the round and its class, not counting moves."""

    round_id: int
    match_id: int
    number: int
    game: str
    dealer: int
    deck: tuple[Card, ...]
    rules: Rules
    started_at: float
    players: tuple[Sitter, ...]
    name: str | None
    look: str
    practice: bool
    at_home: bool
    shared: bool
    begun: bool
    points: tuple[int, ...]
    away: frozenset[int]
    returned_at: float
    changes: int
    lesson: Lesson

    @property
    def computers(self) -> frozenset[int]:
        return frozenset(player.seat for player in self.players if player.level is not None)

    @property
    def children(self) -> dict[int, int]:
        """The children's ids by seat."""
        return {p.seat: p.child_id for p in self.players if p.child_id is not None}

    @property
    def learners(self) -> dict[int, int]:
        """The ids of the children whose play is recorded, by seat; empty in a practice round."""
        return {} if self.practice else self.children

    def minds_heard(self, viewer: int | Viewer) -> dict[int, Mind]:
        """The computer players whose thoughts this viewer hears, by seat. A viewer without a seat
        hears none. Nor does a child with the board off, who is meant to remember without help."""
        listener = next((p for p in self.players if p.seat == viewer), None)
        if listener is None or listener.board == "off":
            return {}
        return {
            p.seat: Mind(level_of(p.level), p.seed + self.number)
            for p in self.players
            if p.level is not None
        }


@dataclass(slots=True, eq=False, kw_only=True)
class Fold:
    """A State, with the deal and the last move, which identify the log that it was folded from.
    `times`: when the cards were dealt, then when each move was made. `memories` caches what each
    viewer could know at this move or earlier. `remembered` fills this cache, so a Fold is not
    frozen. No two folds share a cache, so no cache contains later memories. Two threads that fill
    the same cache write the same values."""

    state: State
    beginning: tuple[tuple[Card, ...], Rules, int, int]
    last_key: str
    times: tuple[float, ...]
    memories: dict[Viewer | int, Memory]

    def remembered(self, observation: Observation) -> Memory:
        """The memory of this observation's viewer, continued from the viewer's cached memory."""
        memory = remember(observation, self.memories.get(observation.viewer))
        self.memories[observation.viewer] = memory
        return memory

    @property
    def last_at(self) -> float:
        """When the last move was made or, if there is none, when the cards were dealt."""
        return self.times[-1]

    def after(self, state: State, key: str, *times: float) -> Fold:
        """The fold after one or more further moves. `key`: the last move's key."""
        at, memories = (*self.times, *times), self.memories.copy()
        return replace(self, state=state, last_key=key, times=at, memories=memories)


@dataclass(frozen=True, slots=True)
class Live:
    """A round as it is in the database now. `repeated`: whether the log has the key that `read`
    looked for."""

    facts: Facts
    fold: Fold
    repeated: bool

    @property
    def state(self) -> State:
        return self.fold.state

    @property
    def seq(self) -> int:
        return self.fold.state.seq


def facts_of(round_id: int, *, lock: bool = False) -> Facts:
    """The round without its moves. `lock`: lock the round until the commit. Raises NotFound, and
    EarlierRules if this version of the program no longer has the game or refuses its rules."""
    return _facts(_rows_of(round_id, None, lock))


def _rows_of(round_id: int, key: str | None, lock: bool) -> Rows:
    """One row for each seat, with the facts, the last key, and whether `key` is in the log."""
    rows = run(_FACTS_LOCKED if lock else _FACTS, {"round": round_id, "key": key}).all()
    if not rows:
        raise NotFound("round")
    return list(rows)


def _facts(rows: Rows) -> Facts:
    # Reading a Row's columns by name is slow. With this many columns a namespace is faster.
    row = SimpleNamespace(**dict(zip(_FACT_NAMES, rows[0], strict=True)))
    with _by_earlier_rules(row.id):
        rules = read_rules(row.rules)
    if row.game not in GAMES:
        raise EarlierRules(row.id)
    points: tuple[int, ...] = ()  # from the earlier rounds of the match
    if rules.match_target is not None:
        scores = db.session.scalars(_SCORES, {"match": row.match_id, "number": row.number})
        points = tuple(map(sum, zip((0,) * len(rows), *scores, strict=True)))
    players = tuple(Sitter(**dict(zip(_SEAT_NAMES, seat, strict=False))) for seat in rows)
    return Facts(
        round_id=row.id, match_id=row.match_id, number=row.number, game=row.game,
        dealer=row.dealer, deck=_deck(row.deck), rules=rules, started_at=row.started_at,
        players=players, name=row.own, look=row.look, practice=row.practice,
        at_home=row.at_home, shared=row.shared, begun=row.begun, points=points,
        away=frozenset(row.away), returned_at=row.returned_at, changes=row.changes,
        lesson=Lesson(
            class_id=row.class_id, paused_at=row.paused_at, ending_at=row.ending_at,
            resumed_at=row.resumed_at, nudge_after=row.nudge_after,
            stand_in_after=row.stand_in_after, minutes_a_day=row.of_class, talk=row.talk,
            home=hours_of(row),
        ),
    )  # fmt: skip


def read(round_id: int, key: str | None = None, *, lock: bool = False) -> Live:
    """Read the round as it is now. `key`: also find out whether a move with this key is already in
    the log. Raises NotFound and, like all functions that replay a round, EarlierRules."""
    return _read(_rows_of(round_id, key, lock), key)


def read_several(round_ids: Sequence[int]) -> list[Live]:
    """Read these rounds in one query. Rounds that would raise EarlierRules are left out."""
    seats: dict[int, Rows] = {round_id: [] for round_id in round_ids}
    for row in run(_FACTS_OF_SEVERAL, {"rounds": list(round_ids), "key": None}):
        seats[row.id].append(row)
    found = []
    for rows in filter(None, seats.values()):
        with suppress(EarlierRules):
            found.append(_read(rows, None))
    return found


def _read(seats: Rows, key: str | None) -> Live:
    """Replay the round described by these rows, one per seat. Raises LeftOff if it ended early."""
    facts, now = _facts(seats), seats[0]
    round_id = facts.round_id
    kept = _shelf().get(round_id)
    if kept is not None and kept.beginning != _beginning(facts):
        kept = None
    if kept is not None and (kept.state.seq, kept.last_key) == (now.moves, now.last_key or ""):
        fold, repeated = kept, now.repeated
    else:
        rows = _moves(round_id, kept.state.seq if kept else 0, key)
        if kept is not None and kept.state.seq:
            last = kept.state.seq, kept.last_key
            if last not in {(row.seq, row.key) for row in rows}:  # the cached last move is gone
                kept, rows = None, _moves(round_id, 0, key)
        fold, repeated = _folded(facts, kept, rows), any(row.key == key for row in rows)
        keep(round_id, fold)
    if now.ended_at is not None and not fold.state.over:
        raise LeftOff(round_id)
    return Live(facts, fold, repeated)


def keep(round_id: int, fold: Fold) -> None:
    """Cache a fold. Call it only once its moves are committed."""
    _shelf().put(round_id, fold)


def folded_to(round_id: int, seq: int) -> tuple[Facts, State]:
    """The round after its first `seq` moves, or after all of them if there are fewer."""
    facts = facts_of(round_id)
    rows = [row for row in _moves(round_id, 0, None) if row.seq <= seq]
    return facts, _folded(facts, None, rows).state


@lru_cache(maxsize=256)
def read_rules(text: str) -> Rules:
    return Rules.from_json(json.loads(text))


@lru_cache(maxsize=DECKS)
def _deck(text: str) -> tuple[Card, ...]:
    return tuple(json.loads(text))


@contextmanager
def _by_earlier_rules(round_id: int) -> Iterator[None]:
    """Turn a ValueError into EarlierRules: the engine has refused the rules, the deck or a move."""
    try:
        yield
    except ValueError as error:
        raise EarlierRules(round_id) from error


def _beginning(facts: Facts) -> tuple[tuple[Card, ...], Rules, int, int]:
    return facts.deck, facts.rules, facts.dealer, len(facts.players)


def _moves(round_id: int, since: int, key: str | None) -> Rows:
    """The moves from number `since` on, and the move with `key` even if it is earlier."""
    return list(run(_MOVES, {"round": round_id, "since": since, "key": key}))


def _folded(facts: Facts, kept: Fold | None, rows: Rows) -> Fold:
    """Apply later moves to the cached fold or the deal. Raises MovesGone if the deck is deleted."""
    if not facts.deck:
        raise MovesGone(facts.round_id)
    with _by_earlier_rules(facts.round_id):
        fold = kept or Fold(
            state=deal(facts.rules, len(facts.players), facts.dealer, facts.deck).state,
            beginning=_beginning(facts), last_key="", times=(facts.started_at,), memories={},
        )  # fmt: skip
        later = [row for row in rows if row.seq > fold.state.seq]
        for seq, row in enumerate(later, fold.state.seq + 1):
            if row.seq != seq:
                raise RuntimeError(f"move {seq} is missing in the log")
        if not later:
            return fold
        state = replayed(fold.state, [(row.action, row.chance) for row in later])
        return fold.after(state, later[-1].key, *(row.at for row in later))


class Shelf:
    """A thread-safe cache of the most recently used folds, by round. `most`: the most moves."""

    def __init__(self, most: int) -> None:
        self._lock = threading.Lock()
        self._most = most
        self._moves = 0
        self._kept: OrderedDict[int, Fold] = OrderedDict()

    def get(self, round_id: int) -> Fold | None:
        with self._lock:
            if round_id in self._kept:
                self._kept.move_to_end(round_id)
            return self._kept.get(round_id)

    def put(self, round_id: int, fold: Fold) -> None:
        """Cache this fold, even if it alone has too many moves, and drop the folds that were used
        least recently."""
        with self._lock:
            before = self._kept.pop(round_id, None)
            self._kept[round_id] = fold
            self._moves += len(fold.times) - (len(before.times) if before else 0)
            while self._moves > self._most and len(self._kept) > 1:
                _, gone = self._kept.popitem(last=False)
                self._moves -= len(gone.times)


_shelves: WeakKeyDictionary[Any, Shelf] = WeakKeyDictionary()
_shelves_lock = threading.Lock()


def _shelf() -> Shelf:
    with _shelves_lock:
        return _shelves.setdefault(db.engine, Shelf(KEPT_MOVES))
