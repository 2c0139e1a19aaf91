"""Tables of friends: how children find each other, sit down, get ready and start a round.

A table that friends fill is a Gathering, and a taken seat is a Place. The two UNIQUE constraints of
Place make race conditions harmless. Once all signed-in children at a table are ready, a match
begins or continues with its next round. A child who is not ready in time loses the seat.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final

from sqlalchemy import ColumnElement, delete, or_, select, update
from sqlalchemy.exc import IntegrityError

from classroom.database import db, hold, write_unit
from classroom.models import Child, Gathering, Match, Move, Place, Player, Round, SchoolClass
from classroom.services.base import clock, notices
from classroom.services.base.errors import NotFound, NotNow, guard
from classroom.services.base.rows import existing, hold_children
from classroom.services.lesson import live_class
from classroom.services.lesson.open_tables import pause_of, round_of
from classroom.services.table import matches, offers, stand_ins
from classroom.services.table.matches import settings_for

WAIT: Final = 20.0  # seconds that ready children wait for the others
LARGEST: Final = 6  # the most seats that a table may have

FULL: Final = "table_full"  # the refusal code if others were faster or the table is not open


# ---- actions of a child


def make(child_id: int, game: str) -> None:
    """Open a table for this game with at most LARGEST seats; the child takes the first one."""
    with write_unit():
        child = _may(child_id)
        if game not in offers.offered(child.class_id):
            raise NotFound("game")
        stand_up(child_id)
        seats = min(offers.find(child.class_id, game).seats[1], LARGEST)
        add_table(child.class_id, game, seats, [(child_id, False)])
    notices.friends(child.class_id)


def sit(child_id: int, gathering_id: int) -> None:
    """Give the child the first free seat at a table. Raises NotNow("table_full") if there is none:
    if two children tap the last seat at the same time, only one of them gets it. A child whose own
    table a friend has just joined stays there. Otherwise two children who tap each other's tables
    at the same time would change places, and both would sit alone again."""
    try:
        with write_unit():
            child = _may(child_id)
            hold_tables(Gathering.id == gathering_id, where_sits(child_id))
            row = held(gathering_id)
            mine = gathering_of(child_id)
            if mine and mine.match_id is None and set(mine.children) - {child_id}:
                return
            if row is None or row.class_id != child.class_id or row.set_by or row.match_id:
                raise NotNow(FULL)
            if child_id in row.children:
                return
            if not row.free:
                raise NotNow(FULL)
            stand_up(child_id)
            found = row.until is not None  # a table that waits for a friend starts without a tap
            place = Place(gathering_id=row.id, seat=row.free[0], child_id=child_id, ready=found)
            db.session.add(place)
    except IntegrityError:  # another process was faster
        raise NotNow(FULL) from None
    notices.friends(child.class_id)


def leave(child_id: int) -> None:
    """Remove the child from an open table, unless the table waits for the teacher to start it."""
    with write_unit():
        class_id = existing(Child, child_id).class_id
        stand_up_from_open(child_id)
    notices.friends(class_id)


def computer_friend(child_id: int, seat: int, there: bool) -> None:
    """Put a computer friend on a free seat at the child's table or, if not `there`, remove it."""
    try:
        with write_unit():
            class_id = _may(child_id).class_id
            row = _open_of(child_id)
            if row is None or row.set_by or row.match_id or not 0 <= seat < row.seats:
                raise NotNow(FULL)
            at = {place.seat: place for place in row.places}.get(seat)
            if there and at is None:
                db.session.add(Place(gathering_id=row.id, seat=seat, ready=True))
            elif not there and at is not None and at.child_id is None:
                db.session.delete(at)
    except IntegrityError:
        raise NotNow(FULL) from None
    notices.friends(class_id)


def ready(child_id: int, yes: bool = True) -> int | None:
    """Mark the child as ready, or as not ready; returns the round that this starts, if any."""
    with write_unit():
        class_id = _may(child_id).class_id
        row = _open_of(child_id)
        if row is None:
            begun = round_of(child_id) or matches.current_round(child_id, new=True)
            if begun is None:
                raise NotNow(FULL)
            return begun  # a second tap
        round_id = None if row.by_teacher else _ready(row, child_id, yes)
    tell(class_id, round_id)
    return round_id


def again(round_id: int, child_id: int) -> int | None:
    """Record that the child wants to play again after this round; once all children do, start the
    next round. Returns the next round, or None while the others are not ready. If the next round
    has already begun, returns the round now being played. Raises NotFound for a child who was not
    in the match."""
    try:
        with write_unit():
            class_id = _may(child_id).class_id
            match = db.session.get_one(Round, round_id).match
            match_id, here = match.id, match.class_id == class_id
            if not here or child_id not in matches.children_of(match_id):
                raise NotFound("match")
            latest, goes_on = matches.latest(match_id), round_of(child_id)
            if latest.id > round_id or latest.ended_at is None:
                return latest.id
            if goes_on is not None:
                return goes_on
            row = _sat_again(match_id, class_id, child_id)
            next_id = _ready(row, child_id, True)
    except IntegrityError:  # another process was faster
        return matches.latest(match_id).id
    tell(class_id, next_id)
    return next_id


# ---- actions of the worker


def start_overdue() -> None:
    """Start each table where a child has been ready for WAIT seconds, with the ready children."""
    late = select(Gathering.id, Gathering.class_id).where(Gathering.since < clock.now() - WAIT)
    for gathering_id, class_id in db.session.execute(late).all():
        with guard("start a table", gathering_id):
            _start_overdue(gathering_id, class_id)


def _start_overdue(gathering_id: int, class_id: int) -> None:
    with write_unit():
        row = held(gathering_id)
        if row is None or cleared_away(row):
            return
        waits = any(p.ready and p.child_id for p in row.places)
        room = db.session.get_one(SchoolClass, class_id)
        begin = waits and room.paused_at is None and room.ending_at is None
        round_id = start(row) if begin else None
    if round_id is not None:
        tell(class_id, round_id)


def tell(class_id: int, round_id: int | None) -> None:
    """Tell open pages that the tables of friends have changed, and that this round, if any, has
    begun or continues. Call this after the commit."""
    notices.friends(class_id)
    if round_id is not None:
        notices.table(round_id, 0, class_id)


# ---- functions to call within a write unit


def _may(child_id: int) -> Child:
    """The child, locked so that a second tap waits. Raises NotNow if `pause_of` gives a reason."""
    hold_children(Child.id == child_id)
    if why := pause_of(child_id):
        raise NotNow(why)
    return existing(Child, child_id)


def hold_tables(*which: ColumnElement[bool]) -> None:
    """Lock all tables that meet any of these SQL conditions, in one statement: if two children who
    swap tables locked them one by one, each could wait for the other for ever."""
    db.session.execute(hold(select(Gathering.id).where(or_(*which)).order_by(Gathering.id)))


def where_sits(child_id: int) -> ColumnElement[bool]:
    """The SQL condition that selects the table at which this child is sitting."""
    return Gathering.id.in_(select(Place.gathering_id).where(Place.child_id == child_id))


def held(gathering_id: int) -> Gathering | None:
    """The table, locked until the commit; None if it does not exist."""
    return db.session.scalar(hold(select(Gathering).where(Gathering.id == gathering_id)))


def gathering_of(child_id: int) -> Gathering | None:
    """The child's table, locked until the commit; None if there is none."""
    return db.session.scalar(hold(select(Gathering).where(where_sits(child_id))))


def _open_of(child_id: int) -> Gathering | None:
    """The child's table; None while a round is in progress there."""
    return None if round_of(child_id) is not None else gathering_of(child_id)


def stand_up_from_open(child_id: int) -> None:
    """Remove the child from a table, unless it waits for the teacher or a round is in progress."""
    row = _open_of(child_id)
    if row is not None and not row.by_teacher:
        stand_up(child_id)


def stand_up(child_id: int) -> None:
    """Remove the child from the table, if any; a table without children is deleted."""
    row = gathering_of(child_id)
    if row is None:
        return
    db.session.execute(delete(Place).where(Place.child_id == child_id))
    db.session.expire(row)
    if not row.children:
        db.session.delete(row)
    elif not any(place.ready and place.child_id for place in row.places):
        row.since = None  # the child who was ready has left
    db.session.flush()


def _sat_again(match_id: int, class_id: int, child_id: int) -> Gathering:
    """Put the child back in the old seat after a round; returns the table, made again if needed."""
    hold_tables(Gathering.match_id == match_id, where_sits(child_id))
    elsewhere = gathering_of(child_id)
    if elsewhere is not None and elsewhere.match_id != match_id:
        stand_up(child_id)
    row = db.session.scalar(select(Gathering).where(Gathering.match_id == match_id))
    sat = matches.children_of(match_id)
    if row is None:  # computer friends take the seats of children who now sit elsewhere
        gone = set(db.session.scalars(select(Place.child_id).where(Place.child_id.in_(sat))))
        sitters = [(None, True) if one in (None, *gone) else (one, False) for one in sat]
        game = matches.game_of(match_id)
        row = add_table(class_id, game, len(sat), sitters, match_id=match_id)
    seat = sat.index(child_id)
    place = next((place for place in row.places if place.seat == seat), None)
    if place is None:
        db.session.add(Place(gathering_id=row.id, seat=seat, child_id=child_id))
    else:
        place.child_id = child_id
    db.session.flush()
    return row


def add_table(
    class_id: int, game: str, seats: int, sitters: Sequence[tuple[int | None, bool]], **more: Any
) -> Gathering:
    """Add a table and seat these sitters from the first seat on. A sitter is a pair: the id of a
    child, or None for a computer friend, and whether it is ready. `more`: other columns."""
    row = Gathering(class_id=class_id, game=game, seats=seats, created_at=clock.now(), **more)
    for seat, (child_id, is_ready) in enumerate(sitters):
        row.places.append(Place(seat=seat, child_id=child_id, ready=is_ready))
    db.session.add(row)
    db.session.flush()
    return row


def _ready(row: Gathering, child_id: int, yes: bool) -> int | None:
    """Record whether the child is ready. If every signed-in child at the table is ready and there
    are enough players, start a round. Returns the round, or None if none was started."""
    db.session.execute(update(Place).where(Place.child_id == child_id).values(ready=yes))
    db.session.expire(row)
    is_ready = any(place.ready and place.child_id for place in row.places)
    row.since = (row.since or clock.now()) if is_ready else None
    there = live_class.here(row.class_id)
    waits = any(not place.ready and place.child_id in there for place in row.places)
    fewest = offers.find(row.class_id, row.game).seats[0]
    enough = row.match_id or row.until is not None or len(row.places) >= fewest
    return start(row) if yes and enough and not waits else None


def cleared_away(row: Gathering) -> bool:
    """Delete the table if its game no longer exists; returns whether the table was deleted."""
    try:
        offers.find(row.class_id, row.game)
    except NotFound:
        db.session.delete(row)
        return True
    return False


def start(row: Gathering) -> int:
    """Deal to the children who are ready; returns the round. Before the first round, the seats of
    the other children are removed; before later rounds, computer friends take these seats."""
    for place in row.places:
        if place.child_id is not None and not place.ready:
            if row.match_id is None:
                db.session.delete(place)
            else:
                place.child_id = None
    db.session.flush()
    db.session.expire(row)
    _fill_up(row)
    sitters = [place.child_id for place in row.places]
    alone = row.until is not None and len(sitters) - sitters.count(None) == 1
    if row.match_id is None:
        round_id = matches.together(row.class_id, row.game, sitters)
    else:
        round_id = matches.one_more(row.match_id, row.game, sitters)
    if alone:  # no friend came, so the child needs no table of friends
        db.session.delete(row)
        return round_id
    row.match_id = db.session.get_one(Round, round_id).match_id
    row.since, row.until, row.seats = None, None, len(sitters)
    for seat, place in enumerate(row.places):
        place.seat, place.ready = seat, place.child_id is None
        db.session.flush()  # one by one, lowest first, so that two places never have the same seat
    return round_id


def _fill_up(row: Gathering) -> None:
    """Seat as many computer friends as the game needs. After the first round, and at tables that
    began with a tap on the shelf, put a computer friend on every free seat."""
    taken = {place.seat for place in row.places}
    fewest = offers.find(row.class_id, row.game).fewest(matches.youngest(row.children))
    full = row.match_id or row.until is not None
    wanted = max(row.seats, fewest) if full else fewest
    free = [seat for seat in range(max(row.seats, wanted)) if seat not in taken]
    for seat in free[: max(0, wanted - len(taken))]:
        db.session.add(Place(gathering_id=row.id, seat=seat, ready=True))
    db.session.flush()
    db.session.expire(row)


# ---- Friends who tap the same game on the shelf within a few seconds find each other
#
# The first tap opens a table that waits for WAIT_FOR_FRIEND seconds, if any classmate is free to
# join it. A round starts when the table is full, when no other classmate is free, or when the page
# of one of its children reports that the time is over (`ready`). If no friend comes, the child
# plays with computer players, as usual.

WAIT_FOR_FRIEND: Final = 3.0  # seconds that a table waits for a friend
LATE: Final = 2.0  # further seconds in which a friend can join, in case the page's report is late
AT_PLAY: Final = 600.0  # seconds for which a round counts as being played after its last move


def tap_game(child_id: int, game: str, *, new: bool = False) -> int | None:
    """Find or begin a round for a child who tapped this game on the shelf. Returns the round, or
    None while the child waits at a table for a friend. `new`: do not return to an unfinished round.
    Raises NotFound, and NotNow if the child cannot begin a round now."""
    with write_unit():
        class_id = existing(Child, child_id).class_id
        hold_children(Child.class_id == class_id)  # taps are handled one by one
        if why := pause_of(child_id):
            raise NotNow(why)
        round_id, changed = _tapped(child_id, class_id, game, new)
    if changed:
        notices.friends(class_id)
    if round_id is not None:
        notices.table(round_id, 0, class_id)
    return round_id


# ---- functions to call within a write unit


def _tapped(child_id: int, class_id: int, game: str, new: bool) -> tuple[int | None, bool]:
    """Handle the tap; returns the round, if any, and whether a table of friends has changed."""
    mine = gathering_of(child_id)
    if mine is not None and mine.until is not None and mine.game == game:
        return None, False  # a second tap
    # Whether a teacher has seated the child for a round that is about to begin or is in progress.
    bound = (
        mine is not None
        and mine.set_by is not None
        and (mine.match_id is None or matches.latest(mine.match_id).ended_at is None)
    )
    row = None if bound else _waiting(child_id, class_id, game)
    if row is not None:
        stand_up(child_id)
        row.places.append(Place(seat=row.free[0], child_id=child_id, ready=True))
        db.session.flush()
        starts = not row.free or not anybody_free(row.class_id, row.children)
        return (start(row) if starts else None), True
    running = matches.current_round(child_id, game, new=new)
    if running is None and not bound and anybody_free(class_id, {child_id}):
        stand_up(child_id)
        seats, now = _seats(child_id, class_id, game), clock.now()
        until = now + WAIT_FOR_FRIEND
        add_table(class_id, game, seats, [(child_id, True)], since=now, until=until)
        return None, True
    return running or matches.alone(child_id, game), False


def _waiting(child_id: int, class_id: int, game: str) -> Gathering | None:
    """The table where a friend waits for somebody to tap this game, if it has room for the child.
    If the child's settings allow fewer seats than the table has, the other seats are removed."""
    seats = _seats(child_id, class_id, game)
    rows = select(Gathering).where(Gathering.class_id == class_id, Gathering.game == game)
    rows = rows.where(Gathering.until > clock.now() - LATE, Gathering.match_id.is_(None))
    for row in db.session.scalars(hold(rows.order_by(Gathering.id))):
        taken = {place.seat for place in row.places}
        if max(taken, default=0) < seats and len(taken) < min(row.seats, seats):
            row.seats = min(row.seats, seats)
            return row
    return None


def _seats(child_id: int, class_id: int, game: str) -> int:
    """The number of seats at a table that this child opens."""
    offer, band = offers.find(class_id, game), matches.youngest([child_id])
    return matches.seats(offer, settings_for(child_id), band)


# ---- classmates who could join a table


def anybody_free(class_id: int, besides: Collection[int]) -> bool:
    """Whether any other signed-in child is free: not waiting, with time left, and not playing. A
    child who has closed the table's page is not playing."""
    there = live_class.here(class_id).keys() - set(besides)
    if not there:
        return False
    to_begin = select(Place.child_id).join(Gathering, Gathering.id == Place.gathering_id)
    waiting = to_begin.where(Gathering.class_id == class_id, Gathering.match_id.is_(None))
    since = clock.now() - AT_PLAY
    moved = select(Move.id).where(Move.round_id == Round.id, Move.at > since).exists()
    playing = select(Player.child_id).join(Match).join(Round, Round.match_id == Match.id)
    playing = playing.where(Match.class_id == class_id, Player.child_id.is_not(None))
    playing = playing.where(Player.gone.is_(False), Round.ended_at.is_(None))
    playing = playing.where(or_(Round.started_at > since, moved))
    there -= {*db.session.scalars(waiting), *db.session.scalars(playing)}
    return bool(there and there - stand_ins.without_time(there))
