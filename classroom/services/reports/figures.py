"""Figures for the adults' pages: classes, children, days of play, play at home, and idle turns."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import ColumnElement, Subquery, and_, func, select, union_all

from classroom.database import AnyRow, db
from classroom.learning.report import IDLE_FROM, Signal, Turn, idling
from classroom.learning.skills import SKILLS, STRANDS, Strand
from classroom.models import (
    AuditEntry,
    Child,
    ChildRound,
    ClassSettings,
    EvidenceRow,
    HelpTaken,
    Move,
    Player,
    QuestionRow,
    Round,
)
from classroom.models.school_rows import NUDGE_AFTER
from classroom.services.base import clock
from classroom.services.base.names import ChildFace, ShownChild
from classroom.services.table.choices import counts_at_home
from classroom.services.table.evidence_log import RESTRICTED, rows_of

# ---- The values that adults' pages show; overview.py makes most of them


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """Sums over the rounds of one or more days. `seconds`: time at the table, with long pauses
    capped. `last_at`: when a child last moved or was dealt cards; None if there are no rounds."""

    rounds: int = 0
    asks: int = 0
    catches: int = 0
    books: int = 0
    seconds: float = 0.0
    days: int = 0
    last_at: float | None = None

    @property
    def minutes(self) -> int:
        """The seconds in whole minutes; at least one if any round was played."""
        return max(1, round(self.seconds / 60)) if self.rounds else 0


@dataclass(frozen=True, slots=True)
class ClassLine:
    """One class in a teacher's list. `opened_until`: when sign-in ends; None while it is closed.
    `rounds_today`: a round counts once for each child in the class who plays in it."""

    class_id: int
    name: str
    children: int
    opened_until: float | None
    rounds_today: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChildLine(ChildFace):
    """One child in a class. `days`: the days in the last three weeks on which the child played.
    `last_day`: the child's last day of play; None if the child has never played."""

    age_band: str
    days: frozenset[int]
    last_day: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassPage:
    """A class and its children. `opened_until`: when sign-in ends; None while it is closed. `day`:
    today. `new_devices_off`: whether new devices need the teacher's tap after many wrong tries."""

    class_id: int
    name: str
    code: str
    code_kept: bool
    opened_until: float | None
    archived: bool
    new_devices_off: bool
    day: int
    children: tuple[ChildLine, ...]

    @property
    def played_today(self) -> int:
        """How many children have played today."""
        return sum(self.day in child.days for child in self.children)

    @property
    def played_lately(self) -> int:
        """How many children have played in the last seven days."""
        return sum(any(day > self.day - 7 for day in child.days) for child in self.children)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundLine:
    """A round that one child played. `help`: hints taken plus looks at the board. `over`: it was
    played to the end. `earlier`: it was ended because the present rules refuse one of its moves.
    `begun`: it began from a moment (models.Moment) instead of a fresh deal."""

    round_id: int
    game: str
    started_at: float
    opponents: tuple[Player, ...]
    asks: int
    catches: int
    books: int
    help: int
    minutes: int
    over: bool
    earlier: bool
    at_home: bool
    begun: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeDays:
    """A child's play at home in the last HOME_DAYS days. `strands`: for each strand, how many
    questions were answered without help, and how many of these first answers were right. `counts`:
    whether the child's other numbers include play at home."""

    totals: Totals
    strands: tuple[tuple[Strand, int, int], ...]
    counts: bool

    @property
    def answers(self) -> int:
        return sum(given for _, given, _ in self.strands)

    @property
    def right(self) -> int:
        return sum(right for _, _, right in self.strands)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundPage:
    """A round without its cards. `children`: the seat, id and name of each child whom the reader
    teaches now."""

    round_id: int
    class_id: int
    class_name: str
    started_at: float
    seats: int
    children: tuple[tuple[int, int, str], ...]


@dataclass(frozen=True, slots=True)
class SureAsk:
    """An ask in which the child could be sure of a catch. `known`: for each sure catch, its target,
    its class, and how many asks before this one the table last showed it. `taken`: whether the
    child made a sure catch. `aided`: whether the child had help."""

    taken: bool
    aided: bool
    known: tuple[tuple[int, str, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChildPage(ShownChild):
    """The page about one child. `days`: the last days on which the child played. `rounds`: one page
    of the child's rounds, newest first; `more`: the `before` for the next page, if any. `parents`:
    how many parents are linked. `card`: the number on the valid sign-in card. `home`: recent play
    at home, None if there was none; the totals include play at home only if the class counts it."""

    card: int
    day: int
    today: Totals
    week: Totals
    ever: Totals
    days: tuple[int, ...]
    rounds: tuple[RoundLine, ...]
    more: int | None
    parents: int
    home: HomeDays | None


_SUMS: Final = ("rounds", "asks", "catches", "books", "seconds")


def total(days: Mapping[int, Totals]) -> Totals:
    """The sums over a child's days of play."""
    parts = days.values()
    return Totals(
        **{name: sum(getattr(part, name) for part in parts) for name in _SUMS},
        days=len(days),
        last_at=max((part.last_at for part in parts if part.last_at), default=None),
    )


# ---- Days of play, added up from the children's rounds, and a child's play at home

HOME_DAYS: Final = 28  # days; older play at home is not added up


def play_days_of(*where: ColumnElement[bool]) -> dict[int, dict[int, Totals]]:
    """The totals of each child's days of play, newest day first, in one query."""
    by = ChildRound.child_id, ChildRound.day
    sums = [func.sum(getattr(ChildRound, name)) for name in _SUMS[1:]]
    wanted = select(*by, func.max(ChildRound.last_at), func.count(ChildRound.id), *sums)
    rows = db.session.execute(wanted.where(*where).group_by(*by).order_by(ChildRound.day.desc()))
    days: dict[int, dict[int, Totals]] = defaultdict(dict)
    for child_id, day, last_at, *counts in rows:
        added_up = dict(zip(_SUMS, counts, strict=True))
        days[child_id][day] = Totals(**added_up, days=1, last_at=last_at)
    return days


def days_of(*where: ColumnElement[bool]) -> dict[int, set[int]]:
    """The days on which each child played, in one query."""
    found: dict[int, set[int]] = defaultdict(set)
    wanted = select(ChildRound.child_id, ChildRound.day).where(*where).distinct()
    for child_id, day in db.session.execute(wanted):
        found[child_id].add(day)
    return found


def at_home(child_id: int) -> HomeDays | None:
    """What the child did at home in the last HOME_DAYS days; None if no round was played there."""
    since = clock.day() - HOME_DAYS
    played = (ChildRound.child_id == child_id) & ChildRound.at_home & (ChildRound.day > since)
    totals = total(play_days_of(played)[child_id])
    if not totals.rounds:
        return None
    mine = EvidenceRow.child_id == child_id, EvidenceRow.at_home, EvidenceRow.day > since
    shown = rows_of(*mine, EvidenceRow.source == "question")
    alone = [row for _, row in shown if row.how == "alone"]
    answers = Counter(SKILLS[row.skill].strand for row in alone)
    right = Counter(SKILLS[row.skill].strand for row in alone if row.right)
    return HomeDays(
        totals=totals,
        strands=tuple((key, answers[key], right[key]) for key in STRANDS if answers[key]),
        counts=counts_at_home(child_id),
    )


# ---- Children who were often idle during their turns on their last day of play
#
# A turn ends with the child's move. It begins with the move before it, or when the child came back,
# took help or closed a question, or when the teacher ended a pause, whichever was last.

LATELY: Final = 7  # days; older play is ignored

Touches = Mapping[tuple[int, int, int], float]
"""When a child last took help or closed a question, by child, round and number of moves then."""


def idle_children(class_id: int, today: int, child_id: int | None = None) -> dict[int, Signal]:
    """The "idle" signals in a class, by child, each about the child's last day of play at school.
    Children about whom nothing may be worked out have none. `child_id`: check only this child."""
    which = Child.class_id == class_id if child_id is None else Child.id == child_id
    slow = _slow(_played(which, today), class_id)
    if not slow:
        return {}
    played = _played(Child.id.in_(slow), today)
    rows, touches = _moves(played), _touches(played)
    settings = db.session.get(ClassSettings, class_id)
    patience = NUDGE_AFTER if settings is None else settings.nudge_after  # as on the live page
    since = min((row.started_at for row in rows), default=0.0)
    resumed = select(AuditEntry.at).filter_by(action="go_on", thing="class", thing_id=class_id)
    resumed = resumed.where(AuditEntry.at >= since).order_by(AuditEntry.at)
    went_on = db.session.scalars(resumed).all()
    days: dict[int, int] = {}
    turns: dict[int, list[Turn]] = {}
    for child, day, round_id, seq, at, played_by, before, started_at, returned_at in rows:
        began = started_at if before is None else before
        moments = [began, returned_at, touches.get((child, round_id, seq - 1), began)]
        moments += went_on[: bisect_right(went_on, at)][-1:]
        since = max([one for one in moments if one <= at], default=at)
        days[child] = day
        turns.setdefault(child, []).append(Turn(at - since, played_by == "child"))
    found = ((child, idling(some, days[child], patience)) for child, some in turns.items())
    return {child: signal for child, signal in found if signal is not None}


def _played(which: ColumnElement[bool], today: int) -> Subquery:
    """The rounds of each child's last day of play at school, with the child's seat, if that day is
    one of the last LATELY days. Children about whom nothing may be worked out are left out."""
    at_school = ChildRound.at_home.is_(False)
    last = (
        select(ChildRound.child_id, func.max(ChildRound.day).label("day"))
        .join(Child, Child.id == ChildRound.child_id)
        .where(
            which,
            at_school,
            ChildRound.day > today - LATELY,
            ChildRound.child_id.not_in(RESTRICTED),
        )
        .group_by(ChildRound.child_id)
        .subquery()
    )
    return (
        select(ChildRound.child_id, ChildRound.round_id, ChildRound.seat, ChildRound.day)
        .join(last, and_(ChildRound.child_id == last.c.child_id, ChildRound.day == last.c.day))
        .where(at_school)
        .subquery()
    )


def _slow(played: Subquery, class_id: int) -> Sequence[int]:
    """The children who may have been idle; usually there are none. This is a quick first check: a
    turn counts as slow if the move before it was made much earlier, or if the turn seems to end
    before it begins, because somebody changed the clock during the turn."""
    own, before = Move.__table__.alias("own"), Move.__table__.alias("before")
    chosen = select(ClassSettings.nudge_after).where(ClassSettings.class_id == class_id)
    patience = func.coalesce(chosen.scalar_subquery(), NUDGE_AFTER)
    began = func.coalesce(before.c.at, Round.started_at)
    earlier = and_(before.c.round_id == own.c.round_id, before.c.seq == own.c.seq - 1)
    wanted = (
        select(played.c.child_id)
        .join(own, and_(own.c.round_id == played.c.round_id, own.c.seat == played.c.seat))
        .join(Round, Round.id == played.c.round_id)
        .outerjoin(before, earlier)
        .where((own.c.at - began >= patience) | (own.c.at < began))
        .group_by(played.c.child_id)
        .having(func.count() >= IDLE_FROM)
    )
    return db.session.scalars(wanted).all()


def _moves(played: Subquery) -> Sequence[AnyRow]:
    """The moves at the children's seats, with the times at which each turn may have begun."""
    before = func.lag(Move.at).over(
        partition_by=(played.c.child_id, Move.round_id), order_by=Move.seq
    )
    every = (
        select(played, Move.seat.label("by"), Move.seq, Move.at, Move.played_by)
        .add_columns(before.label("before"))
        .join(Move, Move.round_id == played.c.round_id)
        .subquery()
    )
    shown = ("child_id", "day", "round_id", "seq", "at", "played_by", "before")
    wanted = select(*(every.c[name] for name in shown), Round.started_at, Round.returned_at)
    mine = wanted.join(Round, Round.id == every.c.round_id).where(every.c.by == every.c.seat)
    return db.session.execute(mine).all()


def _touches(played: Subquery) -> Touches:
    touches = union_all(
        *(
            select(table.child_id, table.round_id, table.seq, at.label("at")).join(
                played,
                and_(table.child_id == played.c.child_id, table.round_id == played.c.round_id),
            )
            for table, at in ((QuestionRow, QuestionRow.closed_at), (HelpTaken, HelpTaken.at))
        )
    ).subquery()
    place = (touches.c.child_id, touches.c.round_id, touches.c.seq)
    rows = db.session.execute(
        select(*place, func.max(touches.c.at)).where(touches.c.at.is_not(None)).group_by(*place)
    )
    return {(child, round_id, seq): at for child, round_id, seq, at in rows}
