"""Sessions, and the permissions of the people behind them. A session is a row on the server that
can be ended at once; its cookie is only a random token.

An adult's session ends after three idle hours, after twelve hours in all, or when the account is
closed. Sessions on class devices last as long as the class is open, and a little longer so that a
turn can be finished. Sessions at home end just after the class's hours for playing at home, or when
the parent who opened the device is no longer linked to the child. Reading a page does not count as
use: idle time is counted from the last change that the adult made.
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Select, and_, bindparam, delete, func, select, update
from sqlalchemy.exc import DBAPIError

from classroom.condition import Unavailable
from classroom.database import AnyRow, db, run, write_unit
from classroom.models import (
    Adult,
    AuditEntry,
    Child,
    ChildGroup,
    ClassTeacher,
    DoorKnock,
    FamilyCode,
    FamilyLink,
    Gathering,
    Invitation,
    KnownDevice,
    Match,
    Moment,
    PasswordReset,
    Player,
    Round,
    SchoolClass,
    Session,
    VoicePack,
    WrongTry,
)
from classroom.services.base import clock, limits, secrets_, security_log
from classroom.services.base.rows import is_there
from classroom.services.table.choices import hours_of

ADULT_IDLE: Final = 3 * 3600.0
LONGEST: Final = 12 * 3600.0
CLASS_GRACE: Final = 15 * 60.0
TOUCH_EVERY: Final = 300.0


@dataclass(frozen=True, slots=True)
class Who:
    """The person or device that sends a request. `kind`: nobody, device, child, tablet,
    home_device, home_child, teacher, substitute, parent or admin. `since`: when an adult last typed
    the password. `moved_id`: the child who was signed in on this device and has moved to another
    device. `home_id`: the child for whom a parent, `home_by`, opened this device at home.
    `match_id`: the match whose children sit at this tablet. `language`: the language that an adult
    chose for the child or for themselves. Fields that do not apply keep their defaults."""

    kind: str = "nobody"
    session_id: int | None = None
    adult_id: int | None = None
    child_id: int | None = None
    class_id: int | None = None
    device: str = ""
    school_id: int | None = None
    name: str = ""
    seen_at: float = 0.0
    since: float = 0.0
    moved_id: int | None = None
    home_id: int | None = None
    home_by: int | None = None
    match_id: int | None = None
    language: str | None = None

    @property
    def at_home(self) -> bool:
        return self.home_id is not None


NOBODY: Final = Who()


@dataclass(frozen=True, slots=True)
class AtTable:
    """The sender of a request about a round. `seat`: the signed-in child's seat in the round, or
    None. A child at home has no seat in a lesson's round, and a child in a lesson has none in a
    round at home. `numbers`: as from rounds.version; None for a sender without a seat."""

    who: Who = NOBODY
    seat: int | None = None
    numbers: tuple[int, int] | None = None


NOT_THERE: Final = AtTable()

# These queries run on every request, so they are built only once, and without the ORM.
_sessions, _adults = Session.__table__.c, Adult.__table__.c
_classes, _children = SchoolClass.__table__.c, Child.__table__.c
_of_home, _links = Child.__table__.alias("of_home"), FamilyLink.__table__.c
_PEOPLE = (
    select(
        *(_sessions.id, _sessions.adult_id, _sessions.class_id, _sessions.child_id),
        *(_sessions.device, _sessions.seen_at, _sessions.ends_at, _sessions.moved_id),
        *(_sessions.created_at, _sessions.match_id),
        *(_adults.role, _adults.school_id.label("adults_school"), _adults.name.label("adult")),
        *(_adults.ends_at.label("account_ends"), _adults.language.label("adults_language")),
        *(_classes.opened_until, _classes.school_id, _children.name.label("child")),
        _children.language,
        *(_sessions.home_id, _sessions.home_by, _of_home.c.class_id.label("home_class")),
        *(_classes.home_on, _classes.home_from, _classes.home_until, _classes.archived_at),
        *(_classes.home_weekend, _classes.home_weekend_from, _classes.home_weekend_until),
        _links.created_at.label("linked_at"),
    )
    .select_from(Session.__table__)
    .outerjoin(Adult.__table__, _sessions.adult_id == _adults.id)
    .outerjoin(_of_home, _sessions.home_id == _of_home.c.id)
    .outerjoin(
        SchoolClass.__table__, _classes.id == func.coalesce(_sessions.class_id, _of_home.c.class_id)
    )
    .outerjoin(
        FamilyLink.__table__,
        and_(_links.adult_id == _sessions.home_by, _links.child_id == _sessions.home_id),
    )
    .outerjoin(Child.__table__, _sessions.child_id == _children.id)
)
_FOUND = _PEOPLE.where(_sessions.token_hash == bindparam("token"))
# The same query, with the child's seat in a round and the round's counts of moves and changes.
_rounds, _matches, _players = Round.__table__.c, Match.__table__.c, Player.__table__.c
_of_match = SchoolClass.__table__.alias("of_match")
_AT_TABLE = (
    _PEOPLE.add_columns(
        *(_sessions.token_hash, _players.seat, _rounds.moves),
        (_rounds.changes + _of_match.c.changes).label("changes"),
    )
    .outerjoin(Round.__table__, _rounds.id == bindparam("round"))
    .outerjoin(
        Match.__table__,
        and_(
            _matches.id == _rounds.match_id,
            _matches.at_home == _sessions.home_id.is_not(None),
            _matches.shared.is_(False),
        ),
    )
    .outerjoin(_of_match, _of_match.c.id == _matches.class_id)
    .outerjoin(
        Player.__table__,
        and_(_players.match_id == _matches.id, _players.child_id == _sessions.child_id),
    )
    .where(_sessions.token_hash.in_(bindparam("tokens", expanding=True)))
)


def find(token: str | None) -> Who:
    """The person or device with this token; NOBODY if its session is unknown, ended or too old."""
    row = run(_FOUND, {"token": secrets_.hashed(token)}).first() if token else None
    return NOBODY if row is None else _who(row)


def at_table(round_id: int, tokens: Collection[str]) -> dict[str, AtTable]:
    """The person or device with each of these tokens, as in `find`, and their seat in this round,
    read in one query. Tokens without a session are left out."""
    hashes = {secrets_.hashed(token): token for token in tokens if token}
    if not hashes:
        return {}
    found = {}
    for row in run(_AT_TABLE, {"round": round_id, "tokens": list(hashes)}):
        who = _who(row)
        sits = who.child_id is not None and row.seat is not None
        at = AtTable(who, row.seat, (row.moves, row.changes)) if sits else AtTable(who)
        found[hashes[row.token_hash]] = at
    return found


def _who(row: AnyRow) -> Who:
    """The person or device of a session; NOBODY if the session has ended. A device at home is
    NOBODY once the parent is no longer linked, play at home is off, the class is archived, or the
    class's hours ended more than CLASS_GRACE ago. This grace is long enough to finish a turn."""
    now = clock.now()
    if now >= row.ends_at:
        return NOBODY
    known: dict[str, Any] = {"session_id": row.id, "device": row.device, "seen_at": row.seen_at}
    if row.adult_id is not None:
        ended = row.account_ends is not None and now >= row.account_ends
        if ended or now >= row.seen_at + ADULT_IDLE:
            return NOBODY
        return Who(
            **known,
            kind=row.role,
            adult_id=row.adult_id,
            school_id=row.adults_school,
            name=row.adult,
            since=row.created_at,
            language=row.adults_language,
        )
    known |= {"child_id": row.child_id, "school_id": row.school_id, "name": row.child or ""}
    if row.home_id is not None:
        if row.linked_at is None or not hours_of(row).are_now(late=CLASS_GRACE):
            return NOBODY
        return Who(
            **known,
            kind="home_child" if row.child_id else "home_device",
            class_id=row.home_class,
            home_id=row.home_id,
            home_by=row.home_by,
            language=row.language,
        )
    if row.opened_until is None or now >= row.opened_until + CLASS_GRACE:
        return NOBODY
    return Who(
        **known,
        kind="child" if row.child_id else "tablet" if row.match_id else "device",
        class_id=row.class_id,
        moved_id=row.moved_id,
        match_id=row.match_id,
        language=row.language,
    )


# ---- within a write unit


def start(device: str, *, until: float | None = None, **whose: int | None) -> str:
    """Start a session, within a write unit; returns the cookie's token. `until`: when the session
    ends, if not LONGEST from now. `whose`: ids for Session's columns, such as adult_id."""
    token, now = secrets_.token(), clock.now()
    times = {"created_at": now, "seen_at": now, "ends_at": until or now + LONGEST}
    db.session.add(Session(token_hash=secrets_.hashed(token), device=device, **times, **whose))
    db.session.flush()
    return token


def rotate(session_id: int | None, device: str, **whose: Any) -> str:
    """Start a new session and return its token; the previous session and its token end."""
    end(session_id)
    security_log.came_in(**whose)
    return start(device, **whose)


def end(session_id: int | None) -> None:
    if session_id is not None:
        db.session.execute(delete(Session).where(Session.id == session_id))


def move_to_here(child_id: int, session_id: int | None) -> None:
    """Sign the child out on all other devices; the sessions there record that the child moved."""
    others = update(Session).where(Session.child_id == child_id, Session.id != (session_id or 0))
    db.session.execute(others.values(child_id=None, hand_at=None, moved_id=child_id))


def end_all(**whose: int) -> None:
    """End all sessions with this id. With `class_id`, these are the sessions on every device in
    the class, including those of signed-in children."""
    db.session.execute(delete(Session).filter_by(**whose))


# ---- each in a write unit of its own


def touch(who: Who) -> None:
    """Record that the session is in use, at most once every five minutes."""
    if who.session_id is None or clock.now() < who.seen_at + TOUCH_EVERY:
        return
    mine = update(Session).where(Session.id == who.session_id)
    with write_unit():
        db.session.execute(mine.values(seen_at=clock.now()))


def sweep() -> None:
    """Delete expired rows, as the privacy register promises."""
    now, a_day = clock.now(), clock.SECONDS_A_DAY
    idle = Session.adult_id.is_not(None) & (Session.seen_at < now - ADULT_IDLE)
    ending = (FamilyCode, PasswordReset, Invitation, Adult)
    over = (
        delete(Session).where((Session.ends_at < now) | idle),
        delete(WrongTry).where(WrongTry.at < now - 2 * a_day),
        delete(DoorKnock).where(DoorKnock.knocked_at < now - a_day),
        delete(KnownDevice).where(KnownDevice.last_at < now - 400 * a_day),
        delete(Gathering).where(Gathering.created_at < now - a_day),
        *(delete(row).where(row.ends_at < now - 30 * a_day) for row in ending),
        delete(AuditEntry).where(AuditEntry.at < limits.kept_since("keep_audit")),
    )
    with write_unit():
        for statement in over:
            db.session.execute(statement)
    security_log.forget_old()


# ---- browsers that the school knows: none while the database cannot be queried

# The largest number of our tokens that one browser can hold: one for the school and one for the
# demo school, each over http and over https.
KNOWN_MOST: Final = 4
STAFF: Final = ("teacher", "admin")


def signed_in_or_seen(tokens: Collection[str], devices: Collection[str]) -> frozenset[str]:
    """The tokens with a session. If there are none, the devices on which anyone was signed in
    before."""
    with suppress(DBAPIError, Unavailable):
        found = frozenset(one for one in _few(tokens) if find(one) is not NOBODY)
        if found or not _few(devices):
            return found
        seen = select(KnownDevice.device).where(KnownDevice.device.in_(devices)).distinct()
        return frozenset(db.session.scalars(seen))
    return frozenset()


def of_kinds(tokens: Collection[str], kinds: Collection[str]) -> frozenset[str]:
    """The tokens that belong to a session of one of these kinds (Who.kind)."""
    with suppress(DBAPIError, Unavailable):
        return frozenset(one for one in _few(tokens) if find(one).kind in kinds)
    return frozenset()


def _few(names: Collection[str]) -> Collection[str]:
    """These names; none of them if there are more than KNOWN_MOST."""
    return names if len(names) <= KNOWN_MOST else ()


# ---- permissions: the classes, children, rounds, accounts and voices that a person may open


def teaches_class(adult_id: int, class_id: int) -> bool:
    return is_there(select(ClassTeacher.class_id).filter_by(class_id=class_id, adult_id=adult_id))


def teaches_child(adult_id: int, child_id: int) -> bool:
    return _teaches_one_of(adult_id, select(Child.class_id).where(Child.id == child_id))


def teaches_group(adult_id: int, group_id: int) -> bool:
    return _teaches_one_of(adult_id, select(ChildGroup.class_id).where(ChildGroup.id == group_id))


def teaches_round(adult_id: int, round_id: int) -> bool:
    """Whether a child who sat in the round is now in a class that this adult teaches: new teachers
    may open a child's earlier rounds too."""
    sat = select(Child.class_id).join(Player, Player.child_id == Child.id)
    here = sat.join(Round, Round.match_id == Player.match_id).where(Round.id == round_id)
    return _teaches_one_of(adult_id, here)


def _teaches_one_of(adult_id: int, classes: Select[int]) -> bool:
    mine = select(ClassTeacher.class_id).where(ClassTeacher.adult_id == adult_id)
    return is_there(mine.where(ClassTeacher.class_id.in_(classes)))


def class_of_moment(moment_id: int) -> int | None:
    """The class that keeps this moment; None if there is no such moment."""
    return db.session.scalar(select(Moment.class_id).where(Moment.id == moment_id))


def is_parent_of(adult_id: int, child_id: int) -> bool:
    return is_there(select(FamilyLink.child_id).filter_by(child_id=child_id, adult_id=adult_id))


def is_in_class(child_id: int, class_id: int) -> bool:
    return is_there(select(Child.id).filter_by(id=child_id, class_id=class_id))


def name_of(what: str, thing_id: int) -> str:
    """The name of a class, group or child; else "". `what`: the kind of id, such as class_id."""
    models: dict[str, Any] = {"class_id": SchoolClass, "group_id": ChildGroup, "child_id": Child}
    found = db.session.get(models[what], thing_id) if what in models else None
    return str(found.name) if found else ""


def is_class_of(class_id: int, school_id: int) -> bool:
    return is_there(select(SchoolClass.id).filter_by(id=class_id, school_id=school_id))


def works_at(adult_id: int, school_id: int) -> bool:
    """Whether this adult works at the school, and is not just a parent."""
    mine = select(Adult.id).filter_by(id=adult_id, school_id=school_id)
    return is_there(mine.where(Adult.role != "parent"))


def reads_pack(adult_id: int, pack_id: int) -> bool:
    """Whether the voice pack is this adult's own voice."""
    return is_there(select(VoicePack.id).filter_by(id=pack_id, adult_id=adult_id))


def keeps_pack(adult_id: int, pack_id: int) -> bool:
    """Whether the adult may withdraw a voice: as its reader, as a teacher of the class that hears
    it (not a substitute) or, if the whole school hears it, as an administrator."""
    row = db.session.get(VoicePack, pack_id)
    if row is None or row.adult_id == adult_id:
        return row is not None
    if row.class_id is not None:
        substitute = select(Adult.id).filter_by(id=adult_id, role="substitute")
        return teaches_class(adult_id, row.class_id) and not is_there(substitute)
    return is_there(select(Adult.id).filter_by(id=adult_id, school_id=row.school_id, role="admin"))


def hears_pack(pack_id: int, adult_id: int | None, class_id: int | None) -> bool:
    """Whether this adult's pages use the voice; if `adult_id` is None, whether the class's do."""
    row = db.session.get(VoicePack, pack_id)
    if row is None or row.adult_id == adult_id:
        return row is not None
    if adult_id is None:
        here = select(SchoolClass.id).filter_by(id=class_id, school_id=row.school_id)
        return row.class_id in (class_id, None) and is_there(here)
    if row.class_id is None:
        return is_there(select(Adult.id).filter_by(id=adult_id, school_id=row.school_id))
    linked = select(FamilyLink.child_id).join(Child, Child.id == FamilyLink.child_id)
    mine = FamilyLink.adult_id == adult_id, Child.class_id == row.class_id
    return teaches_class(adult_id, row.class_id) or is_there(linked.where(*mine))
