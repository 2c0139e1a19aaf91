"""A class as it is now: who is here, the tables, and a tile for each child, which also shows
whether the child needs help.

The tiles are made from the public state of each table, and from each child's asks in the round. One
LiveClass is compared with the next to find out whether anything has changed. So it contains times,
not durations, which would always differ.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Float, bindparam, func, or_, select, update

from classroom.database import AnyRow, db, hold, run, write_unit
from classroom.engine import observe
from classroom.engine.observation import WATCHER
from classroom.models import Child, EvidenceRow, Match, Place, Player, Round, SchoolClass, Session
from classroom.services.base import clock, names, notices
from classroom.services.base.errors import NotFound
from classroom.services.base.names import ChildFace
from classroom.services.table import stand_ins, states
from classroom.services.table.evidence_log import RESTRICTED
from classroom.services.table.states import Live

TideNow = tuple[int, int]
"""For a table that plays against the pond: the steps left and the total number of steps."""

LATELY: Final = 12 * 3600.0  # seconds; a round that began longer ago belongs to an earlier lesson
LAST: Final = 4  # how many of a child's latest judged asks are looked at
WRONG: Final = 3  # if this many of these asks are wrong, the child is struggling

_rooms, _children, _rounds = SchoolClass.__table__.c, Child.__table__.c, Round.__table__.c
_shown, _places = EvidenceRow.__table__.c, Place.__table__.c
_ROOM = select(
    _rooms.name, _rooms.code, _rooms.opened_until, _rooms.paused_at, _rooms.ending_at
).where(_rooms.id == bindparam("class"))
_CHILDREN = (
    select(
        *(_children.id, _children.name, _children.animal, _children.pad),
        _places.id.is_not(None).label("seated"),
    )
    .outerjoin(Place.__table__, _places.child_id == _children.id)
    .where(_children.class_id == bindparam("class"))
)
_GOING_ON = (
    select(_rounds.id)
    .join(Match.__table__, Match.id == _rounds.match_id)
    .where(Match.class_id == bindparam("class"), Match.at_home.is_(False))
    .where(_rounds.ended_at.is_(None), _rounds.started_at > bindparam("since", type_=Float))
    .order_by(_rounds.id.desc())
)
_JUDGED = (
    select(_shown.round_id, _shown.child_id, _shown.seq, _shown.right)
    .where(_shown.round_id.in_(bindparam("rounds", expanding=True)), _shown.source == "play")
    .where(_shown.aided.is_(False), _shown.child_id.not_in(RESTRICTED))
    .order_by(_shown.id)
)


@dataclass(frozen=True, slots=True)
class Kid(ChildFace):
    """A child's tile. `state`: help, stuck, away, playing or waiting (see `_state`) or, if the
    child is not playing, help, choosing, here or out (see `_elsewhere`). `reason`: the key of the
    text on the tile, which can use `number` and `since`. `round_id` and `books`: None if the child
    is not playing."""

    state: str
    reason: str
    number: int
    since: float | None
    round_id: int | None
    books: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatNow:
    """A seat as anyone in the room may see it: its player's face, the number of its cards, whether
    it has the turn, and whether its player is away. It never contains a child's results."""

    name: str
    animal: str
    pad: int
    cards: int
    turn: bool
    away: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Busy:
    """A table with a round in progress. `pond`: how many cards are in the stock. `kids`: the tiles
    of its children. `tide`: None if the players play against each other."""

    round_id: int
    number: int
    game: str
    pond: int
    tide: TideNow | None
    seats: tuple[SeatNow, ...]
    kids: tuple[Kid, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveClass:
    """The whole class. `paused`: "paused", "lesson_over" or None. `code`, `opened_until`: "" and
    None while the class is closed. `others`: the children who are not playing."""

    class_id: int
    name: str
    code: str
    opened_until: float | None
    paused: str | None
    tables: tuple[Busy, ...]
    others: tuple[Kid, ...]

    @property
    def here(self) -> tuple[Kid, ...]:
        """The children who are signed in but not playing."""
        return tuple(kid for kid in self.others if kid.state != "out")

    @property
    def away(self) -> tuple[Kid, ...]:
        """The children who are neither signed in nor playing."""
        return tuple(kid for kid in self.others if kid.state == "out")

    @property
    def kids(self) -> tuple[Kid, ...]:
        """All children: first table by table, then the children who are not playing."""
        return (*(kid for table in self.tables for kid in table.kids), *self.others)

    @property
    def needs(self) -> tuple[Kid, ...]:
        """The children who need the teacher: raised hands (longest wait first), then children who
        struggle, then children who do not move on their turn (longest wait first)."""
        found = [kid for kid in self.kids if kid.state in ("help", "stuck")]
        return tuple(sorted(found, key=lambda kid: (kid.state, kid.since or 0.0)))


def live_class(class_id: int) -> LiveClass:
    """The class as it is now. Raises NotFound."""
    this = {"class": class_id}
    room = run(_ROOM, this).first()
    if room is None:
        raise NotFound("class")
    rows = sorted(run(_CHILDREN, this), key=lambda row: names.order(row.name, row.id))
    children = {child.id: child for child in rows}
    hands, lives = here(class_id), _lives(class_id, set(children))
    wrong = _wrong([live.facts.round_id for live in lives])
    spent = stand_ins.without_time(children)
    tables = tuple(
        _busy(number, live, children, hands, wrong, spent) for number, live in enumerate(lives, 1)
    )
    playing = {kid.child_id for table in tables for kid in table.kids}
    open_until = room.opened_until if (room.opened_until or 0) > clock.now() else None
    paused = None
    if room.paused_at:
        paused = stand_ins.PAUSED
    elif room.ending_at:
        paused = stand_ins.LESSON_OVER
    others = (child for child in children.values() if child.id not in playing)
    return LiveClass(
        class_id=class_id,
        name=room.name,
        code=room.code if open_until else "",
        opened_until=open_until,
        paused=paused,
        tables=tables,
        others=tuple(_elsewhere(child, hands) for child in others),
    )


def _lives(class_id: int, children: set[int]) -> list[Live]:
    """The rounds in progress, oldest first. Left out are rounds whose children are all in later
    rounds, and rounds that a child continued from a moment and has left."""
    rows = run(_GOING_ON, {"class": class_id, "since": clock.now() - LATELY}).scalars().all()
    found, counted = [], set[int]()
    for live in states.read_several(rows):  # rounds that cannot be read are ended by the worker
        new = (children & set(live.facts.children.values())) - counted
        if new and not (live.facts.begun and any(one.gone for one in live.facts.players)):
            found.append(live)
            counted |= new
    return found[::-1]


def _wrong(round_ids: Iterable[int]) -> dict[tuple[int, int], int]:
    """For each round and child, how many of the latest judged asks without help were wrong."""
    found: dict[tuple[int, int], dict[int, bool]] = defaultdict(dict)
    for round_id, child_id, seq, right in run(_JUDGED, {"rounds": list(round_ids)}):
        asks = found[round_id, child_id]  # an ask has one row for each fact it shows
        asks[seq] = asks.get(seq, False) or right
    return {key: [*asks.values()][-LAST:].count(False) for key, asks in found.items()}


def _busy(
    number: int,
    live: Live,
    children: Mapping[int, AnyRow],
    hands: Mapping[int, float | None],
    wrong: Mapping[tuple[int, int], int],
    spent: Collection[int],
) -> Busy:
    facts, laid, tide = live.facts, live.state.books, live.state.tide
    kids = []
    for seat, child_id in sorted(facts.children.items()):
        if child_id in children:
            missed = wrong.get((facts.round_id, child_id), 0)
            told = _state(live, seat, hands, missed, spent)
            books = len(laid[seat]) if tide is None else sum(map(len, laid))
            face = names.face(children[child_id])
            kids.append(Kid(*face, *told, facts.round_id, books))
    watched = observe(live.state, WATCHER)
    seats = tuple(
        SeatNow(
            name=player.name,
            animal=player.animal,
            pad=player.pad,
            cards=watched.hand_sizes[player.seat],
            turn=watched.turn == player.seat,
            away=player.seat in facts.away,
        )
        for player in facts.players
    )
    return Busy(
        round_id=facts.round_id,
        number=number,
        game=facts.name or facts.game,
        pond=len(live.state.stock),
        tide=None if tide is None else (tide, facts.rules.end_tide or 0),
        seats=seats,
        kids=tuple(kids),
    )


def _state(
    live: Live, seat: int, hands: Mapping[int, float | None], missed: int, spent: Collection[int]
) -> tuple[str, str, int, float | None]:
    """The `state`, `reason`, `number` and `since` of a child at a table, for a Kid. `spent`: the
    children without time left."""
    child_id, mine = live.facts.children[seat], live.state.turn == seat
    since = stand_ins.silent_since(live)
    if hands.get(child_id) is not None:
        return "help", "hand", 0, hands[child_id]
    if child_id not in hands:
        return "away", "signed_out", 0, None
    if stand_ins.pause_of_seat(live, seat, spent) == stand_ins.TIME_OVER:
        return "away", "time_over", 0, None
    if seat in live.facts.away:
        return "away", "stand_in", 0, None
    if stand_ins.pause_of_table(live):
        return "waiting", "resting", 0, None
    patience = stand_ins.times(live.facts.lesson)[0]
    if mine and clock.now() - since >= patience:
        return "stuck", "idle", 0, since
    if missed >= WRONG:
        return "stuck", "struggling", missed, None
    return ("playing", "turn", 0, None) if mine else ("waiting", "books", 0, None)


def _elsewhere(child: AnyRow, hands: Mapping[int, float | None]) -> Kid:
    """The tile of a child who is not playing."""
    state = "out" if child.id not in hands else "choosing" if child.seated else "here"
    reason, since = state, hands.get(child.id)
    if since is not None:
        state, reason = "help", "hand"
    return Kid(*names.face(child), state, reason, 0, since, None, None)


# ---- who is here, whose hand is up, and who has left a table's page


SILENT: Final = 600.0  # after this long without a tap, nobody at a shared tablet counts as here

_sessions = Session.__table__.c
_players = Player.__table__.c
_child = func.coalesce(_sessions.child_id, _players.child_id)
_now = bindparam("now", type_=Float)
_HERE = (
    select(_child, _sessions.hand_at)
    .select_from(Session.__table__)
    .outerjoin(Player.__table__, _players.match_id == _sessions.match_id)
    .where(_sessions.class_id == bindparam("class"), _child.is_not(None), _sessions.ends_at > _now)
    .where(or_(_sessions.match_id.is_(None), _sessions.seen_at > _now - SILENT))
    .order_by(_sessions.hand_at.is_not(None))  # so a raised hand wins if a child has two sessions
)


def here(class_id: int) -> dict[int, float | None]:
    """The children in the class who are signed in, or sit at a shared tablet that is in use. For
    each child, the time when the hand went up (None: it is down)."""
    return dict(run(_HERE, {"class": class_id, "now": clock.now()}).all())


def hand(child_id: int, up: bool) -> None:
    """Raise or lower the child's hand. If the hand is already up, its time does not change."""
    with write_unit():
        child = db.session.get_one(Child, child_id)
        mine = update(Session).where(Session.child_id == child_id)
        if up:
            mine = mine.where(Session.hand_at.is_(None))
        db.session.execute(mine.values(hand_at=clock.now() if up else None))
        rounds, class_id = notices.changed_for([child_id]), child.class_id
    notices.tables(class_id, rounds)


def at_page(round_id: int, seat: int, there: bool) -> None:
    """Record that a child has closed the table's page or opened it again, and show this to the
    others. Nothing happens if it is already recorded, or if the round is over."""
    if _is_known(round_id, seat, there):  # the usual case, which needs no lock
        return
    with write_unit():
        row = db.session.scalar(hold(select(Round).where(Round.id == round_id)))
        if row is None or row.ended_at is not None or _is_known(round_id, seat, there):
            return
        mine = update(Player).where(Player.match_id == row.match_id, Player.seat == seat)
        db.session.execute(mine.values(gone=not there))
        row.changes += 1
        moves, class_id = row.moves, row.match.class_id
    notices.table(round_id, moves, class_id)


def _is_known(round_id: int, seat: int, there: bool) -> bool:
    rows = select(Player.gone).join(Round, Round.match_id == Player.match_id)
    gone = db.session.scalar(rows.where(Round.id == round_id, Player.seat == seat))
    return gone is None or gone is not there
