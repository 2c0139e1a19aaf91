"""Evidence in the database: its rows, the windows and tracks counted from them, and the children
who must not be assessed."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Any, Final

from sqlalchemy import Select, Text, bindparam, delete, func, insert, select

from classroom.database import AnyRow, db, hold, in_portions, run, write_unit
from classroom.learning.estimates import Window
from classroom.learning.evidence import Evidence
from classroom.learning.skills import Strand
from classroom.learning.tracks import Track, followed
from classroom.models import Child, EvidenceRow, Recount, Restriction, SkillWindow, StrandTrack
from classroom.services.base.errors import guard, skipped
from classroom.services.table.choices import by_switch, counts_at_home, in_class_numbers

# ---- children who must not be assessed
#
# These children play, and their rounds are counted as usual, but no evidence about them is written,
# and older evidence is not used. services/school/objections.py begins and ends a restriction. Code
# that reads evidence uses RESTRICTED to leave these children out.

_restrictions = Restriction.__table__.c
RESTRICTED: Final[Select[int]] = select(_restrictions.child_id)
_ONE: Final = (
    select(_restrictions.child_id).where(_restrictions.child_id == bindparam("child")).limit(1)
)


def is_restricted(child_id: int) -> bool:
    """Whether this child must not be assessed."""
    return run(_ONE, {"child": child_id}).first() is not None


def restriction_of(child_id: int) -> tuple[Restriction, ...]:
    """The restrictions that forbid assessing this child, if any."""
    return restrictions_among([child_id]).get(child_id, ())


def restrictions_among(children: Collection[int]) -> dict[int, tuple[Restriction, ...]]:
    """These children's restrictions, by child. Children without restrictions are left out."""
    rows = select(Restriction).where(Restriction.child_id.in_(children))
    found: dict[int, tuple[Restriction, ...]] = {}
    for row in db.session.scalars(rows.order_by(Restriction.since)):
        found[row.child_id] = (*found.get(row.child_id, ()), row)
    return found


# ---- Evidence in the database: its rows, and the windows and tracks counted from them
#
# A move or an answer only writes rows. Once a child has a few new rows, the worker counts them into
# windows and tracks (`count_new`). A page that needs new rows sooner includes them without writing
# (`progress_of`). Everything can be counted again at any time (`recount`). Counting locks the
# child's row, so each evidence row is counted exactly once. Evidence from home is left out unless
# the teacher of the class includes it. When the teacher changes this, the worker counts again
# (`count_waiting`).

_ROWS = EvidenceRow.__table__
_WINDOWS, _TRACKS = SkillWindow.__table__, StrandTrack.__table__
FIELDS: Final = tuple(field.name for field in fields(Evidence))

_rows, _windows, _tracks = _ROWS.c, _WINDOWS.c, _TRACKS.c
_NEW = _rows.counted.is_(False)
_APPEND = insert(_ROWS)
_HOLD = hold(select(Child.id).where(Child.id == bindparam("child")))
MANY: Final = 5  # new rows that a child must have before the worker counts them
COUNT, COUNT_AGAIN = "count", "count again"  # what `guard` and the log call this work
AT_ONCE: Final = 40  # the most children in one batch, because computer players have to wait for it
_TAKE = (
    _ROWS.update()
    .where(_rows.child_id == bindparam("child"), _NEW)
    .values(counted=True)
    .returning(_ROWS)
)


def append(child_id: int, rows: Sequence[Evidence], *, at_home: bool = False) -> bool:
    """Write a child's new evidence, unless the child must not be assessed; returns whether it was
    written. Call it in the write unit of the move or the answer."""
    if not rows or is_restricted(child_id):
        return False
    write(child_id, rows, at_home=at_home)
    return True


def write(child_id: int, rows: Sequence[Evidence], *, at_home: bool = False) -> None:
    """Write a child's new evidence, without response times if the child plays by one switch. Call
    it only for a child who may be assessed."""
    if rows:
        values: dict[str, Any] = {"at_home": at_home}
        timed = any(row.latency_ms is not None for row in rows)
        if timed and by_switch(child_id, at_home=at_home):
            values["latency_ms"] = None
        run(_APPEND, [_row(child_id, row) | values for row in rows])


def _row(child_id: int, row: Evidence) -> dict[str, Any]:
    lists = {"options": list(row.options), "later_answers": list(row.later_answers)}
    values = {name: getattr(row, name) for name in FIELDS}
    return values | lists | {"child_id": child_id, "counted": False}


# ---- counting


@dataclass(frozen=True, slots=True)
class Progress:
    """One child's progress: a window for each skill and a track for each strand with evidence."""

    windows: dict[str, Window] = field(default_factory=dict)
    tracks: dict[Strand, Track] = field(default_factory=dict)

    def add(self, row: Evidence) -> None:
        """Count one more row, which must be newer than all earlier ones."""
        window = self.windows.get(row.skill) or Window(row.skill)
        self.windows[row.skill] = window.after(row)
        self.tracks.update(followed(self.tracks, row))


def behind(many: int = MANY) -> list[int]:
    """The ids of up to AT_ONCE children with at least `many` new rows, oldest rows first; children
    for whom counting has failed come last. Children who must not be assessed are left out."""
    waiting = select(_rows.child_id).where(_NEW, _rows.child_id.not_in(RESTRICTED))
    waiting = waiting.group_by(_rows.child_id).having(func.count() >= many)
    waiting = waiting.order_by(_rows.child_id.in_(skipped(COUNT)), func.min(_rows.id))
    return list(db.session.scalars(waiting.limit(AT_ONCE)))


def count_new(child_id: int) -> None:
    """Count a child's new rows into the windows and tracks. Another process that counts the same
    child waits, and then finds nothing new."""
    with write_unit():
        db.session.execute(_HOLD, {"child": child_id})
        taken = sorted(run(_TAKE, {"child": child_id}), key=attrgetter("id"))
        with_home = counts_at_home(child_id)
        new = [evidence_of(row) for row in taken if with_home or not row.at_home]
        skills = {row.skill for row in new}
        windows = select(_WINDOWS).where(_windows.child_id == child_id, _windows.skill.in_(skills))
        tracks = select(_TRACKS).where(_tracks.child_id == child_id)  # a new day can change each
        progress = Progress(
            {r.skill: Window.from_json(r.skill, r.window) for r in db.session.execute(windows)},
            {r.strand: Track.from_json(r.strand, r.track) for r in db.session.execute(tracks)},
        )
        for row in new:
            progress.add(row)
        _keep(child_id, progress)


def _keep(child_id: int, progress: Progress) -> None:
    """Replace the stored windows and tracks with these. Without windows, nothing is stored."""
    if progress.windows:
        this = {"child_id": child_id}
        windows = [this | {"skill": k, "window": w.to_json()} for k, w in progress.windows.items()]
        tracks = [this | {"strand": k, "track": t.to_json()} for k, t in progress.tracks.items()]
        before = _windows.child_id == child_id, _windows.skill.in_(progress.windows)
        db.session.execute(delete(_WINDOWS).where(*before))
        db.session.execute(delete(_TRACKS).where(_tracks.child_id == child_id))
        run(insert(_WINDOWS), windows)
        run(insert(_TRACKS), tracks)


# ---- counting again


def recount() -> Iterator[tuple[int, bool]]:
    """Count every child's evidence again, child by child; the server may keep running. Yields the
    child's id and whether the stored windows or tracks differed."""
    for child_id in db.session.scalars(select(Child.id).order_by(Child.id)).all():
        with write_unit():
            db.session.execute(_HOLD, {"child": child_id})
            before = _kept(child_id)
            _count_all(child_id)
            differed = before != _kept(child_id)
        yield child_id, differed


def count_later(children: Select[int]) -> None:
    """Have the worker recount these children's evidence if any of it comes from play at home. Call
    it in the write unit that changes whether play at home counts."""
    known = select(Recount.child_id)
    played = select(_rows.child_id).where(_rows.at_home, _rows.child_id.in_(children)).distinct()
    wanted = played.where(_rows.child_id.not_in(known))
    db.session.execute(insert(Recount).from_select(["child_id"], wanted))


def count_waiting() -> None:
    """Recount up to AT_ONCE of the children noted by `count_later`, each in a separate write unit.
    Those for whom this has failed come last."""
    failed = Recount.child_id.in_(skipped(COUNT_AGAIN))
    waiting = select(Recount.child_id).order_by(failed, Recount.child_id).limit(AT_ONCE)
    for child_id in db.session.scalars(waiting).all():
        with guard(COUNT_AGAIN, child_id), write_unit():
            db.session.execute(_HOLD, {"child": child_id})
            count_again(child_id)
            db.session.execute(delete(Recount).where(Recount.child_id == child_id))


def count_again(child_id: int) -> None:
    """Recount all of a child's evidence, including new rows. Call it in a write unit."""
    run(_TAKE, {"child": child_id}).all()
    _count_all(child_id)


def _count_all(child_id: int) -> None:
    """Recount a child's rows that are marked as counted; `count_new` counts the others later."""
    db.session.execute(delete(SkillWindow).where(SkillWindow.child_id == child_id))
    db.session.execute(delete(StrandTrack).where(StrandTrack.child_id == child_id))
    progress = Progress()
    for _, row in rows_of(_rows.child_id == child_id, ~_NEW, in_class_numbers(_rows)):
        progress.add(row)
    _keep(child_id, progress)


def _kept(child_id: int) -> list[list[tuple[Any, ...]]]:
    """A child's stored windows and tracks, sorted by key so that they can be compared."""
    found = []
    for table in (_WINDOWS, _TRACKS):
        rows = select(table).where(table.c.child_id == child_id).order_by(*table.primary_key)
        found.append([tuple(row) for row in db.session.execute(rows)])
    return found


# ---- reading


@dataclass(frozen=True, slots=True)
class Stored:
    """One child's evidence as it is stored: the windows and tracks as JSON, by skill and by strand,
    and the rows that are not counted yet, oldest first."""

    windows: dict[str, str] = field(default_factory=dict)
    tracks: dict[Strand, str] = field(default_factory=dict)
    new: list[Evidence] = field(default_factory=list)

    def progress(self) -> Progress:
        """The child's progress, including the new rows."""
        return self._with_new(self.windows, self.tracks)

    def changed(self) -> Progress:
        """The child's progress in all skills that have new rows and, if any do, in all strands."""
        skills = {row.skill for row in self.new} & self.windows.keys()
        return self._with_new(skills, self.tracks if self.new else ())

    def _with_new(self, skills: Iterable[str], strands: Iterable[Strand]) -> Progress:
        progress = Progress(
            {key: parsed_window(key, self.windows[key]) for key in skills},
            {key: parsed_track(key, self.tracks[key]) for key in strands},
        )
        for row in self.new:
            progress.add(row)
        return progress


def stored_of(children: Select[int] | Sequence[int]) -> defaultdict[int, Stored]:
    """The stored evidence of each of these children (ids, or a SELECT of ids). It is empty for a
    child without evidence, and for a child who must not be assessed."""
    found: defaultdict[int, Stored] = defaultdict(Stored)
    windows = select(_windows.child_id, _windows.skill, _windows.window.cast(Text))
    for child_id, skill, kept in db.session.execute(windows.where(*_theirs(_windows, children))):
        found[child_id].windows[skill] = kept
    tracks = select(_tracks.child_id, _tracks.strand, _tracks.track.cast(Text))
    for child_id, strand, kept in db.session.execute(tracks.where(*_theirs(_tracks, children))):
        found[child_id].tracks[strand] = kept
    for child_id, new in rows_of(_NEW, *_theirs(_rows, children), in_class_numbers(_rows)):
        found[child_id].new.append(new)
    return found


def progress_of(children: Select[int] | Sequence[int]) -> defaultdict[int, Progress]:
    """The progress of each of these children, without writing anything. It is empty for a child
    without evidence, and for a child who must not be assessed."""
    stored = stored_of(children)
    return defaultdict(Progress, {child_id: one.progress() for child_id, one in stored.items()})


def parsed_window(skill: str, kept: str) -> Window:
    return Window.from_json(skill, json.loads(kept))


def parsed_track(strand: Strand, kept: str) -> Track:
    return Track.from_json(strand, json.loads(kept))


def _theirs(columns: Any, children: Select[int] | Sequence[int]) -> tuple[Any, Any]:
    return columns.child_id.in_(children), columns.child_id.not_in(RESTRICTED)


def rows_of(*where: Any, order: Sequence[Any] = ()) -> Iterator[tuple[int, Evidence]]:
    """Yield each row's child id and evidence, sorted by `order`, then oldest first."""
    wanted = select(_ROWS).where(*where).order_by(*order, _rows.id)
    for row in in_portions(wanted):
        yield row.child_id, evidence_of(row)


def evidence_of(row: AnyRow) -> Evidence:
    """Turn a row of the table back into the Evidence from which it was written."""
    values = {name: getattr(row, name) for name in FIELDS}
    lists = {"options": tuple(row.options), "later_answers": tuple(row.later_answers)}
    return Evidence(**values | lists)
