"""What children's answers show: the values behind the skill pages and their CSV files.

A class page reads one small row for each child and skill, and for each child and strand, and keeps
what it works out of them (`glances`); a child's page reads tallies. Raw evidence is read only where
it has not been counted yet, for missed items, and for the CSV of all answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final

from sqlalchemy import Row, Select, and_, func, literal, select

from classroom.database import at_one_moment, db
from classroom.learning.alerts import Signal
from classroom.learning.estimates import Estimate, Share
from classroom.learning.evidence import Evidence
from classroom.learning.levels import Level, together
from classroom.learning.recall_span import RECENT_ITEMS
from classroom.learning.report import Report, need, of_stored
from classroom.learning.skills import RECALL, SKILLS, Strand
from classroom.learning.tallies import Tally, merged
from classroom.learning.windows import recent_from
from classroom.models import (
    Child,
    ChildRound,
    EvidenceRow,
    Round,
    SchoolClass,
    TallyRow,
)
from classroom.services.base import clock, names
from classroom.services.base.errors import EarlierRules, NotFound
from classroom.services.reports import glances, idling
from classroom.services.reports.glances import Glance
from classroom.services.table import evidence_log, restrictions, rounds
from classroom.services.table.home import in_numbers
from classroom.services.table.tables import ViewedTable

PAGE: Final = 12  # missed items on a page
LAST_ID: Final = 2**31 - 1

_of = TallyRow.__table__.c
_SAT = and_(
    ChildRound.round_id == EvidenceRow.round_id, ChildRound.child_id == EvidenceRow.child_id
)
_SUMS = tuple(func.sum(_of[name]).label(name) for name in evidence_log.COUNTS)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChildSkills:
    """One child in a class's table. `glance`: what its answers show; `signals`: why to look at the
    child, as in `glance`, or because it idled. `held`: nothing is worked out about it."""

    child_id: int
    name: str
    animal: str
    pad: int
    age_band: str
    glance: Glance
    signals: tuple[Signal, ...]
    held: bool

    @property
    def levels(self) -> Mapping[Strand, Level]:
        """The levels in the strands that the child has met."""
        return self.glance.levels

    def estimates(self, skills: Iterable[str] = SKILLS) -> dict[str, Estimate]:
        """The estimates of those of these skills that the child has met, made now."""
        return self.glance.estimates(skills)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassSkills:
    """A class by child and skill. `skills`: those that any child has met, in the catalogue's order.
    `children`: sorted by how much they may need their teacher, most first, then by name."""

    class_id: int
    name: str
    day: int
    skills: tuple[str, ...]
    children: tuple[ChildSkills, ...]

    def together(self, strand: Strand) -> Share:
        """The recent answers of all children in a strand, added up."""
        return together(child.levels[strand] for child in self.children if strand in child.levels)

    @property
    def by_name(self) -> tuple[ChildSkills, ...]:
        """The children by name, as on paper."""
        return tuple(sorted(self.children, key=_by_name))


@dataclass(frozen=True, slots=True)
class Missed:
    """An item whose first answer was wrong. `id`: its row's id; `table`: the table as the child saw
    it then; `round_over`: whether the round is over, so that it can be replayed."""

    id: int
    row: Evidence
    table: ViewedTable
    round_over: bool


# ---- a class


def of_class(class_id: int) -> ClassSkills:
    """The class by child, skill and strand, in a few queries. Raises NotFound."""
    glance = glances.today()
    at_one_moment()
    school_class = db.session.get(SchoolClass, class_id)
    if school_class is None:
        raise NotFound("class")
    stored = evidence_log.stored_of(select(Child.id).where(Child.class_id == class_id))
    children = db.session.execute(
        select(
            *(Child.id, Child.name, Child.animal, Child.pad, Child.age_band),
            Child.id.in_(restrictions.HELD).label("held"),
        ).where(Child.class_id == class_id)
    )
    idle = idling.idle(class_id, glance.day)
    lines = [
        _skills(child, glance.of(stored[child.id], child.age_band), idle.get(child.id))
        for child in children
    ]
    met = {skill for one in lines for skill in one.glance.skills}
    return ClassSkills(
        class_id=class_id,
        name=school_class.name,
        day=glance.day,
        skills=tuple(key for key in SKILLS if key in met),
        children=tuple(sorted(lines, key=lambda line: (_untroubled(line), _by_name(line)))),
    )


def _skills(child: Row[Any], glance: Glance, idle: Signal | None) -> ChildSkills:
    return ChildSkills(
        child_id=child.id,
        name=child.name,
        animal=child.animal,
        pad=child.pad,
        age_band=child.age_band,
        glance=glance,
        signals=(*glance.signals, *([idle] if idle else ())),
        held=bool(child.held),
    )


def _by_name(child: ChildSkills) -> tuple[object, ...]:
    return names.order(child.name, child.child_id)


def _untroubled(child: ChildSkills) -> tuple[int, ...]:
    return tuple(-one for one in need(child.levels.values(), child.signals))


# ---- a child


def of_child(child_id: int) -> Report:
    """Everything that one child's answers show; an empty report while nothing may be worked out
    about it. Raises NotFound."""
    at_one_moment()
    child = db.session.get(Child, child_id)
    if child is None:
        raise NotFound("child")
    progress = evidence_log.progress_of([child_id])[child_id]
    today = clock.day()
    if restrictions.is_held(child_id):
        return of_stored((), (), (), (), today, child.age_band)
    report = of_stored(
        progress.tracks.values(),
        progress.windows.values(),
        _remembered(child_id, progress.new),
        (*_weekly(child_id), *progress.new),
        today,
        child.age_band,
    )
    idle = idling.idle(child.class_id, today, child_id)
    return replace(report, signals=(*report.signals, *idle.values()))


def levels_of(child_ids: Sequence[int]) -> dict[int, dict[Strand, Level]]:
    """The levels of these children by id, in the strands that each has met, and nothing more."""
    glance = glances.today()
    at_one_moment()
    stored = evidence_log.stored_of(child_ids)
    bands = db.session.execute(select(Child.id, Child.age_band).where(Child.id.in_(child_ids)))
    return {child_id: glance.of(stored[child_id], band).levels for child_id, band in bands.tuples()}


def of_children(child_ids: Iterable[int]) -> dict[int, Report]:
    """The reports of these children by id, leaving out any who have been removed meanwhile."""
    found = {}
    for child_id in child_ids:
        with suppress(NotFound):
            found[child_id] = of_child(child_id)
    return found


def _remembered(child_id: int, new: Sequence[Tally]) -> tuple[Tally, ...]:
    """The child's tallies of remembering that are recent enough to count."""
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
    """All the child's tallies, added up by skill, week and sort: all that a trend needs."""
    sort = (_of.skill, _of.how, _of.form, _of.weak)
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


def _tallies(wanted: Select[Any], new: Sequence[Tally] = ()) -> tuple[Tally, ...]:
    """Merge tallies in the order in which rows are counted, so that float sums match exactly."""
    return merged([*map(evidence_log.tally_of, db.session.execute(wanted)), *new])


# ---- items


def missed(child_id: int, skill: str | None = None, before: int | None = None) -> list[Missed]:
    """Wrong first answers without help, newest first: a page of them, and one more if there are
    older ones.

    Only from rounds that are over or from an earlier day, since the child's cards are shown. Rounds
    played by earlier rules cannot be drawn; their answers are only in the CSV of all answers. There
    are none for a child about whom nothing may be worked out.
    """
    wanted = (
        select(EvidenceRow.__table__, ChildRound.seat, Round.ended_at)
        .join(Round.__table__, Round.id == EvidenceRow.round_id)
        .join(ChildRound.__table__, _SAT)
        .where(
            EvidenceRow.child_id == child_id,
            EvidenceRow.child_id.not_in(restrictions.HELD),
            EvidenceRow.skill.in_([skill] if skill else list(SKILLS)),
            EvidenceRow.id < (before or LAST_ID),
            EvidenceRow.right.is_(False),
            EvidenceRow.aided.is_(False),
            in_numbers(EvidenceRow),
            Round.ended_at.is_not(None) | (EvidenceRow.day < clock.day()),
        )
        .order_by(EvidenceRow.id.desc())
    )
    found = []
    for row in db.session.execute(wanted):
        one = evidence_log.evidence_of(row)
        if one.how == "alone":
            moves = row.seq - (one.source == "play")  # an ask is a move: show the table before it
            with suppress(EarlierRules):
                table = rounds.then(row.round_id, row.seat, moves)
                found.append(Missed(row.id, one, table, row.ended_at is not None))
        if len(found) > PAGE:
            break
    return found


def answers(children: Iterable[int]) -> Iterator[tuple[int, Evidence]]:
    """Yield every answer and ask of these children, as written: the child's id and the row.

    Today's unfinished rounds are left out, since their questions show cards in the child's hand.
    """
    going_on = select(Round.id).where(Round.ended_at.is_(None))
    shown = (
        EvidenceRow.round_id.is_(None)
        | EvidenceRow.round_id.not_in(going_on)
        | (EvidenceRow.day < clock.day())
    )
    for child_id in children:
        yield from evidence_log.rows_of(EvidenceRow.child_id == child_id, shown)
