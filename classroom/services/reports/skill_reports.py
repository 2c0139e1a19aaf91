"""What children's answers show: the values behind page and CSV, made by learning.report alone.

A class is one small row for each child and skill; a child's picture is made of tallies. Raw
evidence is read for three things only: what is not counted yet, items that were missed, and the CSV
of every answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final

from sqlalchemy import Row, Select, and_, func, literal, select

from classroom.database import at_one_moment, db
from classroom.learning.estimates import Estimate, estimate
from classroom.learning.evidence import Evidence
from classroom.learning.recall_span import RECENT_ITEMS, Prior, recall, shared_prior
from classroom.learning.report import Report, need, of_windows
from classroom.learning.signals import Signal, signals
from classroom.learning.skills import RECALL, SKILLS
from classroom.learning.tallies import Tally, merged
from classroom.learning.windows import RECENT_DAYS, recent_from
from classroom.models import (
    Child,
    ChildRound,
    EvidenceRow,
    Round,
    SchoolClass,
    TallyRow,
)
from classroom.services.base import clock
from classroom.services.base.errors import EarlierRules, NotFound
from classroom.services.reports import idling
from classroom.services.table import evidence_log, rounds
from classroom.services.table.evidence_log import Known
from classroom.services.table.tables import ViewedTable

PAGE: Final = 12  # missed items on a page
LAST_ID: Final = 2**31 - 1

_of = TallyRow.__table__.c
_SAT = and_(
    ChildRound.round_id == EvidenceRow.round_id, ChildRound.child_id == EvidenceRow.child_id
)
_SUMS = tuple(func.sum(_of[name]).label(name) for name in evidence_log.COUNTS)


@dataclass(frozen=True, slots=True)
class ChildSkills:
    """One child in the table of a class: an estimate for every skill, and reasons to look."""

    child_id: int
    name: str
    animal: str
    pad: int
    estimates: Mapping[str, Estimate]
    signals: tuple[Signal, ...]


@dataclass(frozen=True, slots=True)
class ClassSkills:
    """`skills`: those that any child has met, in the order of the catalogue. `children`: those
    who may need their teacher first, then by name."""

    class_id: int
    name: str
    day: int
    skills: tuple[str, ...]
    children: tuple[ChildSkills, ...]


@dataclass(frozen=True, slots=True)
class Missed:
    """One item that was not got right at the first try. `id`: of its row; `table`: as the child
    saw it when it was asked; `round_over`: whether the round can be stepped through."""

    id: int
    row: Evidence
    table: ViewedTable
    round_over: bool


# ---- a class


def of_class(class_id: int) -> ClassSkills:
    """The class by child and skill, in a few queries. Raises NotFound."""
    at_one_moment()
    school_class = db.session.get(SchoolClass, class_id)
    if school_class is None:
        raise NotFound("class")
    today = clock.day()
    known = evidence_log.known(select(Child.id).where(Child.class_id == class_id))
    children = db.session.execute(
        select(Child.id, Child.name, Child.animal, Child.pad)
        .where(Child.class_id == class_id)
        .order_by(Child.name, Child.id)
    )
    idle = idling.idle(class_id, today)
    lines = [_skills(child, known[child.id], idle.get(child.id), today) for child in children]
    met = {skill for one in known.values() for skill in one.windows}
    return ClassSkills(
        class_id,
        school_class.name,
        today,
        tuple(key for key in SKILLS if key in met),
        tuple(sorted(lines, key=_calm)),
    )


def _skills(child: Row[Any], known: Known, idle: Signal | None, today: int) -> ChildSkills:
    windows = known.windows.values()
    found = {one.skill: estimate(one, today) for one in windows}
    reasons = (*signals(windows, today), *([idle] if idle else ()))
    return ChildSkills(child.id, child.name, child.animal, child.pad, found, reasons)


def _calm(child: ChildSkills) -> tuple[int, ...]:
    return tuple(-one for one in need(child.estimates.values(), child.signals))


# ---- a child


def of_child(child_id: int) -> Report:
    """Everything about one child. Raises NotFound."""
    at_one_moment()
    child = db.session.get(Child, child_id)
    if child is None:
        raise NotFound("child")
    known = evidence_log.known([child_id])[child_id]
    today = clock.day()
    report = of_windows(
        known.windows.values(),
        _remembered(child_id, known.new),
        (*_weekly(child_id), *known.new),
        today,
        _prior(child),
    )
    idle = idling.idle(child.class_id, today, child_id)
    return replace(report, signals=(*report.signals, *idle.values()))


def of_children(child_ids: Iterable[int]) -> dict[int, Report]:
    """What `of_child` tells of each; a child who was removed meanwhile is left out."""
    found = {}
    for child_id in child_ids:
        with suppress(NotFound):
            found[child_id] = of_child(child_id)
    return found


def _remembered(child_id: int, new: Sequence[Tally]) -> tuple[Tally, ...]:
    """The tallies of remembering that its picture is made of, and no older ones."""
    mine = (_of.child_id == child_id, _of.skill.in_(RECALL))
    new = [one for one in new if one.skill in RECALL]
    days = select(_of.day, func.sum(_of.n)).where(*mine).group_by(_of.day)
    alone = [
        *db.session.execute(days.where(_of.how == "alone")).tuples(),
        *((one.day, one.n) for one in new if one.how == "alone"),
    ]
    every = alone or [*db.session.execute(days).tuples(), *((one.day, one.n) for one in new)]
    since = recent_from(every, RECENT_ITEMS)
    if since is None:
        return ()
    kept = select(TallyRow.__table__).where(*mine, _of.day >= since)
    return _tallies(kept, [one for one in new if one.day >= since])


def _weekly(child_id: int) -> tuple[Tally, ...]:
    """All tallies put together by skill, week and sort, as far as a trend needs them."""
    sort = (_of.skill, _of.how, _of.weak)
    plain = (
        literal("question").label("source"),
        literal("").label("trial"),
        literal(-1).label("lag_bin"),
        literal(False).label("overlap"),
        literal(0).label("check"),
    )
    return _tallies(
        select(*sort, func.max(_of.day).label("day"), *plain, *_SUMS)
        .where(_of.child_id == child_id)
        .group_by(*sort, (_of.day + 3) // 7)
    )


def _prior(child: Child) -> Prior:
    """What the spans of the classmates suggest, from their questions of the last four weeks, as far
    as they are counted."""
    today = clock.day()
    sort = (_of.skill, _of.source, _of.how, _of.weak, _of.trial, _of.lag_bin, _of.overlap)
    rows = db.session.execute(
        select(_of.child_id, *sort, literal(today).label("day"), literal(0).label("check"), *_SUMS)
        .join(Child.__table__, Child.id == _of.child_id)
        .where(
            Child.class_id == child.class_id,
            Child.id != child.id,
            _of.skill.in_(RECALL),
            _of.source == "question",
            _of.how == "alone",
            _of.day > today - RECENT_DAYS,
        )
        .group_by(_of.child_id, *sort)
    )
    mates: dict[int, list[Tally]] = {}
    for row in rows:
        mates.setdefault(row.child_id, []).append(evidence_log.tally_of(row))
    return shared_prior(recall(tallies).questions for tallies in mates.values())


def _tallies(wanted: Select[Any], new: Sequence[Tally] = ()) -> tuple[Tally, ...]:
    """In the order in which rows would be counted: sums of fractions come out the same to a bit."""
    return merged([*map(evidence_log.tally_of, db.session.execute(wanted)), *new])


# ---- items


def missed(child_id: int, skill: str | None = None, before: int | None = None) -> list[Missed]:
    """First tries without help that were not right, the newest first: a page and one more.

    Only from rounds that are over or of an earlier day: what is shown holds the child's cards.
    What was played by earlier rules cannot be drawn, and is in the table of all answers alone.
    """
    wanted = (
        select(EvidenceRow.__table__, ChildRound.seat, Round.ended_at)
        .join(Round.__table__, Round.id == EvidenceRow.round_id)
        .join(ChildRound.__table__, _SAT)
        .where(
            EvidenceRow.child_id == child_id,
            EvidenceRow.skill.in_([skill] if skill else list(SKILLS)),
            EvidenceRow.id < (before or LAST_ID),
            EvidenceRow.right.is_(False),
            EvidenceRow.aided.is_(False),
            Round.ended_at.is_not(None) | (EvidenceRow.day < clock.day()),
        )
        .order_by(EvidenceRow.id.desc())
    )
    found = []
    for row in db.session.execute(wanted):
        one = evidence_log.evidence_of(row)
        if one.how == "alone":
            seen = row.seq - (one.source == "play")  # an ask is itself a move
            with suppress(EarlierRules):
                table = rounds.then(row.round_id, row.seat, seen)
                found.append(Missed(row.id, one, table, row.ended_at is not None))
        if len(found) > PAGE:
            break
    return found


def answers(children: Iterable[int]) -> Iterator[tuple[int, Evidence]]:
    """Every answer and ask of these children, as it was written: child and row.

    Nothing of today's rounds that go on: what was asked there holds cards of the child's hand.
    """
    going_on = select(Round.id).where(Round.ended_at.is_(None))
    shown = (
        EvidenceRow.round_id.is_(None)
        | EvidenceRow.round_id.not_in(going_on)
        | (EvidenceRow.day < clock.day())
    )
    for child_id in children:
        yield from evidence_log.rows_of(EvidenceRow.child_id == child_id, shown)
