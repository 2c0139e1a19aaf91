"""Tables that several children share at one tablet, which lies between them.

Such a table is an ordinary match. The session of the device holds the seats of all its children,
and no other session sees their cards. A child who signs in elsewhere gets no seat in the match. Two
devices never have the same seat: UNIQUE(match_id) of sessions prevents it, and a child who is at
another device (`live_class.here`) cannot be seated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import ColumnElement, and_, or_, select, update
from sqlalchemy.exc import IntegrityError

from classroom.database import db, write_unit
from classroom.engine.actions import Ask
from classroom.engine.cards import deck_of
from classroom.models import Child, Gathering, Match, Place, Player, Round, Session
from classroom.services.base import clock, names, notices
from classroom.services.base.errors import NotFound, NotNow
from classroom.services.base.rows import existing, hold_children
from classroom.services.lesson import gatherings, live_class, open_tables
from classroom.services.lesson.open_tables import Friend
from classroom.services.table import choices, matches, offers, rounds, stand_ins, states
from classroom.services.table.offers import Offer, only_asks
from classroom.services.table.rounds import INVITATION, ViewedTable

MOST_AT_TABLET: Final = 4  # the most children at a tablet, one at each edge
MOST_CARDS: Final = 24  # the most cards in a deck with books larger than pairs; more would not fit
ELSEWHERE: Final = "elsewhere"  # the refusal code if a child is at another device
DOWN: Final = "hand_down"  # the refusal code if another hand has been raised meanwhile


@dataclass(frozen=True, slots=True, kw_only=True)
class Together:
    """The choices for a child who wants to share a tablet. `mates`: the classmates (`ready`:
    whether the classmate is free). `askable`, `asked` and `came`: the ids of the classmates who can
    be asked to come, who have been asked, and who have said yes. `resting`: for each unfinished
    table, the id of its round, and its children in seat order."""

    me: Friend
    mates: tuple[Friend, ...]
    askable: frozenset[int]
    asked: frozenset[int]
    came: frozenset[int]
    games: tuple[Offer, ...]
    resting: tuple[tuple[int, tuple[Friend, ...]], ...]


# ---- the choices for a child who wants to share a tablet


def together(child_id: int) -> Together:
    """The classmates, games and unfinished tables that this child can choose from."""
    me = existing(Child, child_id)
    elsewhere = _elsewhere(me.class_id, child_id)
    mates = [mate for mate in names.children_of(me.class_id) if mate.id != child_id]
    asked = Session.invited_by == child_id, Session.invited_at > clock.now() - INVITATION
    sizes = range(2, MOST_AT_TABLET + 1)
    mine = select(Player.match_id).where(Player.child_id == child_id)
    resting = select(Round.id, Round.match_id).join(Match, Match.id == Round.match_id)
    resting = resting.where(Match.shared, Match.class_id == me.class_id, Match.id.in_(mine))
    resting = resting.where(Round.ended_at.is_(None)).order_by(Round.id.desc())
    came = select(Session.moved_id).where(asked[0], Session.child_id.is_(None), _lives())
    games = (one for one in offers.shelf(me.class_id) if any(fits(one, n) for n in sizes))
    return Together(
        me=open_tables.face_of(me, me=True),
        mates=tuple(open_tables.face_of(mate, ready=mate.id not in elsewhere) for mate in mates),
        askable=_askable(me.class_id),
        asked=frozenset(filter(None, db.session.scalars(select(Session.child_id).where(*asked)))),
        came=frozenset(db.session.scalars(came)),
        games=tuple(games),
        resting=tuple((one.id, _faces(one.match_id)) for one in db.session.execute(resting)),
    )


def fits(offer: Offer, seats: int) -> bool:
    """Whether this many hands of the game fit around a tablet, and the only action in the game is
    to ask one player for the class of a card in one's hand."""
    fewest, most = offer.seats
    if not fewest <= seats <= min(most, MOST_AT_TABLET):
        return False
    rules = offer.rules_for(seats, matches.SMALLEST)
    deck = deck_of(rules)
    lays = rules.book_layoff != "choice" and rules.catch_to == "hand"
    small = rules.book_size == 2 or len(deck.cards) <= MOST_CARDS
    return only_asks(rules) and lays and small and not (deck.overlaps or rules.deck_lost)


def has_voice(match_id: int) -> bool:
    """Whether the tablet speaks. It is silent if the voice is off for all its children."""
    children = [one for one in matches.children_of(match_id) if one is not None]
    return not children or any(choices.settings_of(one).voice for one in children)


def _faces(match_id: int) -> tuple[Friend, ...]:
    rows = select(Child).join(Player, Player.child_id == Child.id).order_by(Player.seat)
    found = db.session.scalars(rows.where(Player.match_id == match_id))
    return tuple(map(open_tables.face_of, found))


# ---- asking a classmate to come


def invite(child_id: int, mate_id: int) -> None:
    """Ask a classmate at another device to come to this child's device. The other device shows the
    request for a minute. Raises NotNow (code ELSEWHERE: this classmate cannot be asked)."""
    with write_unit():
        class_id = _may_sit(child_id, [child_id])
        if mate_id not in _askable(class_id):
            raise NotNow(ELSEWHERE)
        asked = update(Session).where(Session.child_id == mate_id)
        db.session.execute(asked.values(invited_by=child_id, invited_at=clock.now()))
        told = notices.changed_for([mate_id])
    notices.tables(class_id, told)


def answer(child_id: int, yes: bool) -> bool:
    """Accept or decline a classmate's invitation to share a tablet; returns whether the child came.
    A child who came is signed out of the old device; a round in progress there waits."""
    with write_unit():
        hold_children(Child.id == child_id)
        comes = yes and open_tables.host_of(child_id) is not None
        stays: dict[str, int | None] = {"invited_by": None}
        leaves = {"child_id": None, "hand_at": None, "moved_id": child_id}
        told = notices.changed_for([child_id])
        if comes:
            gatherings.stand_up_from_open(child_id)
        own = update(Session).where(Session.child_id == child_id)
        db.session.execute(own.values(leaves if comes else stays))
        class_id = existing(Child, child_id).class_id
    notices.tables(class_id, told)
    return comes


# ---- sitting down, continuing and leaving


def begin(session_id: int, child_id: int, game: str, others: Sequence[int]) -> int:
    """Seat the child and these classmates at this device, which plays for all of them from now on;
    returns the round. Raises NotNow (code ELSEWHERE: a child is at another device)."""
    sitters = list(dict.fromkeys((child_id, *others)))
    with write_unit():
        class_id = _may_sit(child_id, sitters)
        offer = offers.find(class_id, game)
        if game not in offers.offered(class_id) or not fits(offer, len(sitters)):
            raise NotNow(gatherings.FULL)
        _let_go(_holds(sitters), ~_in_use())
        for one in sitters:
            gatherings.stand_up_from_open(one)
        asked = update(Session).where(Session.invited_by == child_id)
        db.session.execute(asked.values(invited_by=None))
        round_id = matches.together(class_id, game, sitters, shared=True)
        _hold(session_id, db.session.get_one(Round, round_id).match_id)
    gatherings.tell(class_id, round_id)
    return round_id


def go_on(session_id: int, child_id: int, round_id: int) -> int:
    """Move the seats of an unfinished shared table to this device, even if another device still has
    them, because the child may have left that device, or it may be broken. Returns the round.
    Raises NotFound if the child does not sit at the table, and NotNow if the round is over or, with
    the code ELSEWHERE, if another child at the table is at another device."""
    try:
        with write_unit():
            row = existing(Round, round_id)
            sitters = [one for one in matches.children_of(row.match_id) if one is not None]
            if not row.match.shared or child_id not in sitters:
                raise NotFound("round")
            if row.ended_at is not None:
                raise NotNow("over")
            _let_go(Session.match_id == row.match_id, moved_id=child_id)
            class_id = _may_sit(child_id, sitters)
            _hold(session_id, row.match_id)
    except IntegrityError:  # UNIQUE: another device was faster
        raise NotNow(ELSEWHERE) from None
    gatherings.tell(class_id, round_id)
    return round_id


def again(match_id: int, session_id: int, after: int) -> int:
    """Deal the next round to the same children; returns the new round. If the round `after` is not
    over, or another round has followed it already, returns the latest round."""
    with write_unit():
        last = matches.latest(match_id)
        if last.ended_at is None or last.id != after:
            return last.id  # a second tap
        sitters = matches.children_of(match_id)
        round_id = matches.one_more(match_id, matches.game_of(match_id), sitters)
        class_id = last.match.class_id
        _hold(session_id, db.session.get_one(Round, round_id).match_id)
    gatherings.tell(class_id, round_id)
    return round_id


def let_in(child_id: int) -> None:
    """If the teacher has started a table for one tablet with this child, give the seats to the
    device on which the child has just signed in."""
    with write_unit():
        hold_children(Child.id == child_id)
        row = gatherings.gathering_of(child_id)
        if row is None or not is_placed(row) or not any(p.ready and p.child_id for p in row.places):
            return
        class_id, round_id = row.class_id, begin_placed(row)
    if round_id is not None:
        gatherings.tell(class_id, round_id)


def leave(session_id: int, class_id: int) -> None:
    """Release the table; play can continue on another day at any device in the class."""
    with write_unit():
        _hold(session_id, None)
    notices.friends(class_id)


# ---- showing a hand, and asking from it


def raise_hand(session_id: int, round_id: int, seat: int) -> ViewedTable:
    """Show the table as this seat sees it. This is the only way a seat's cards ever leave the
    server. From now on the device may ask for this seat, and for no other. Raises NotNow if no
    child is in this seat, the round is over or the table is paused."""
    live = states.read(round_id)
    if seat not in live.facts.children:
        raise NotNow("own_seat")
    if live.state.over:
        raise NotNow("over")
    if why := stand_ins.pause_of_seat(live, seat):
        raise NotNow(why)
    with write_unit():
        db.session.execute(update(Session).where(Session.id == session_id).values(shown=seat))
    return rounds.table(round_id, seat)


def ask(session_id: int, round_id: int, seat: int, action: Ask, key: str, seen: int) -> None:
    """Play an ask for the seat whose hand is shown. Raises NotNow(DOWN) if it is another seat's."""
    if db.session.scalar(select(Session.shown).where(Session.id == session_id)) != seat:
        raise NotNow(DOWN)
    rounds.play(round_id, seat, action, key, seen)


# ---- functions to call within a write unit


def is_placed(row: Gathering) -> bool:
    """Whether the teacher has set up this table for one tablet, and its children fit around it."""
    wanted = row.shared and row.by_teacher
    return wanted and fits(offers.find(row.class_id, row.game), len(row.children))


def begin_placed(row: Gathering) -> int | None:
    """Deal to the children at a table for one tablet; returns the round. The first device with one
    of the children gets the seats, and the children are signed out at all other devices. If no
    child is at a device, returns None: the table then waits for the first child to sign in."""
    sitters = row.children
    mine = Session.child_id.in_(sitters), Session.class_id == row.class_id
    here = _lives(), or_(and_(*mine), and_(_holds(sitters), _in_use()))
    session_id = db.session.scalar(select(Session.id).where(*here).order_by(Session.id))
    if session_id is None:
        for place in row.places:
            place.ready = True
        return None
    class_id, game = row.class_id, row.game
    db.session.delete(row)
    db.session.flush()
    round_id = matches.together(class_id, game, sitters, shared=True)
    moved = {"moved_id": Session.child_id, "child_id": None, "hand_at": None}
    db.session.execute(update(Session).where(*mine, Session.id != session_id).values(moved))
    _let_go(_holds(sitters))
    _hold(session_id, db.session.get_one(Round, round_id).match_id)
    return round_id


def _may_sit(child_id: int, sitters: Sequence[int]) -> int:
    """Lock these children; returns their class's id. Raises NotNow if they may not sit together."""
    hold_children(Child.id.in_(sitters))
    class_id = existing(Child, child_id).class_id
    if any(existing(Child, one).class_id != class_id for one in sitters):
        raise NotFound("child")
    if why := next(filter(None, map(open_tables.pause_of, sitters)), None):
        raise NotNow(why)
    if not _elsewhere(class_id, child_id).isdisjoint(sitters):
        raise NotNow(ELSEWHERE)
    return class_id


def _elsewhere(class_id: int, child_id: int) -> set[int]:
    """The children in the class who are at a different device from this child's, or to whom the
    teacher has given a seat. This child cannot seat them at the tablet."""
    return {*live_class.here(class_id)} - {child_id} | _seated(class_id)


def _seated(class_id: int) -> set[int]:
    """The children to whom the teacher has given a seat at a table that has not begun yet."""
    seated = select(Place.child_id).join(Gathering, Gathering.id == Place.gathering_id)
    seated = seated.where(Gathering.class_id == class_id, Gathering.set_by.is_not(None))
    return {*filter(None, db.session.scalars(seated.where(Gathering.match_id.is_(None))))}


def _askable(class_id: int) -> frozenset[int]:
    """The children in the class at their own devices, except those to whom the teacher has given a
    seat and those who were asked in the last minute."""
    own = select(Session.child_id).where(Session.class_id == class_id, _lives())
    asked = own.where(Session.invited_at > clock.now() - INVITATION)
    found = {*db.session.scalars(own)} - {*db.session.scalars(asked)} - _seated(class_id)
    return frozenset(filter(None, found))


def _hold(session_id: int, match_id: int | None) -> None:
    """Let this device play for this match, or for no match; its child, if any, is signed out."""
    held = {"match_id": match_id, "child_id": None, "hand_at": None, "shown": None}
    now = {"seen_at": clock.now()}  # the device counts as in use from now on
    db.session.execute(update(Session).where(Session.id == session_id).values(held | now))
    db.session.flush()


def _let_go(*which: ColumnElement[bool], **values: int) -> None:
    """Take the seats from these tablets. `values`: other columns to set in their sessions."""
    held = update(Session).where(*which)
    db.session.execute(held.values({"match_id": None, "shown": None} | values))


def _holds(children: Sequence[int]) -> ColumnElement[bool]:
    """The SQL condition for tablets at which one of these children sits."""
    return Session.match_id.in_(select(Player.match_id).where(Player.child_id.in_(children)))


def _in_use() -> ColumnElement[bool]:
    """The SQL condition for devices on which somebody has tapped in the last ten minutes."""
    return Session.seen_at > clock.now() - live_class.SILENT


def _lives() -> ColumnElement[bool]:
    """The SQL condition for sessions that have not ended."""
    return Session.ends_at > clock.now()
