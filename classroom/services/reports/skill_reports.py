"""The skill pages and their CSV files: what children's answers show.

A class page reads one small row for each child and skill, and one for each child and strand. What
it works out from these rows is cached (`Glances`). Raw evidence is read only for answers that are
not counted yet, for missed items, and for the CSV with all answers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain
from typing import Final, Literal, NamedTuple

from sqlalchemy import and_, case, select

from classroom.database import AnyRow, at_one_moment, db, write_unit
from classroom.learning.estimates import Estimate, estimate
from classroom.learning.evidence import Evidence
from classroom.learning.levels import Growth, Level, growth, level_of
from classroom.learning.outlines import Next, Sequence as Lessons, next_outline, sequence_of
from classroom.learning.report import Report, Signal, leaning, of_stored, signals
from classroom.learning.skills import AGE_BANDS, SKILLS, STRANDS, Strand
from classroom.learning.tomorrow import (
    ON_PAPER,
    WEEK,
    ChildTomorrow,
    Suggestion,
    Worksheet,
    focus_skills,
    sheet_numbers,
    small_group,
    tomorrow,
    worksheet,
)
from classroom.learning.tracks import SCALES, FreshAnswer, Track, hasty
from classroom.models import (
    Child,
    ChildRound,
    ClassSettings,
    EvidenceRow,
    Round,
    School,
    SchoolClass,
    SmallGroup,
)
from classroom.services.base import audit, clock, names
from classroom.services.base.errors import EarlierRules, NotFound, Refused
from classroom.services.base.names import ChildFace
from classroom.services.base.rows import check_version, existing, settings_to_change
from classroom.services.quiz import question_settings
from classroom.services.reports import figures
from classroom.services.table import evidence_log, rounds
from classroom.services.table.choices import in_class_numbers
from classroom.services.table.evidence_log import Progress, Stored, parsed_track, parsed_window
from classroom.services.table.rounds import ViewedTable

# ---- A cache of what a class page says about each child
#
# A key contains the stored text from which a result was made, the child's age band and the day;
# together they determine the result. The cache is emptied on the first look in a new day, and when
# a child's data is deleted (`forget`).


GROWTH_DAYS: Final = 7  # days for which growth counts as recent
KEPT_RESULTS: Final = 20_000  # the cache size for each kind; a class of thirty needs up to 700


@dataclass(frozen=True, slots=True)
class Glance:
    """What a child's evidence shows on `day`. `levels`: the child's level in each strand with
    evidence. `grown`: growth that we are sure of, in strands with answers in the last GROWTH_DAYS
    days. `stored`: the evidence. `changed`: progress in the skills and strands that have gained new
    rows."""

    day: int
    levels: dict[Strand, Level] = field(default_factory=dict)
    signals: tuple[Signal, ...] = ()
    grown: tuple[Growth, ...] = ()
    stored: Stored = field(default_factory=Stored)
    changed: Progress = field(default_factory=Progress)

    @property
    def skills(self) -> tuple[str, ...]:
        """The skills for which the child has evidence."""
        return tuple({**self.stored.windows, **self.changed.windows})


class Glances:
    """Makes one day's glances, and caches parts of them."""

    def __init__(self, day: int) -> None:
        self.day = day
        self._seen = lru_cache(KEPT_RESULTS)(_seen)
        self._helped = lru_cache(KEPT_RESULTS)(
            lambda key, kept: leaning(parsed_window(key, kept), day)
        )

    def of(self, stored: Stored, band: str) -> Glance:
        """A child's glance. Skills and strands without new rows come from the cache."""
        changed = stored.changed()
        met = [key for key in STRANDS if key in changed.tracks or key in stored.tracks]
        seen = {key: self._of_track(changed, stored, key, band, True) for key in met}
        fresh = tuple(chain.from_iterable(one.fresh for one in seen.values()))
        if hasty(fresh) is not None:
            seen = {key: self._of_track(changed, stored, key, band, False) for key in met}
        helped = [
            leaning(changed.windows[key], self.day)
            if key in changed.windows
            else self._helped(key, stored.windows[key])
            for key in SKILLS
            if key in changed.windows or key in stored.windows
        ]
        levels = {key: one.level for key, one in seen.items()}
        grown = [one.growth for one in seen.values()]
        told = signals(levels.values(), grown, helped, fresh)
        week = self.day - GROWTH_DAYS
        lately = [
            one for one in grown if one and one.seen and (levels[one.strand].last_day or 0) > week
        ]
        return Glance(self.day, levels, told, tuple(lately), stored, changed)

    def _of_track(
        self, changed: Progress, stored: Stored, key: Strand, band: str, kept: bool
    ) -> _Seen:
        if key in changed.tracks:
            return _glimpse(changed.tracks[key], band, self.day, kept)
        return self._seen(key, stored.tracks[key], band, self.day, kept)


class _Seen(NamedTuple):
    """What a track shows. `fresh`: the answers from its newest day, even if they do not count."""

    level: Level
    growth: Growth | None
    fresh: tuple[FreshAnswer, ...]


def _glimpse(track: Track, band: str, day: int, kept: bool) -> _Seen:
    one = track.settled(kept)
    return _Seen(level_of(one, band, day), growth(one), track.fresh)


def _seen(strand: Strand, stored: str, band: str, day: int, kept: bool) -> _Seen:
    return _glimpse(parsed_track(strand, stored), band, day, kept)


_now = Glances(0)


def glances_today() -> Glances:
    """The glances for today. Call this before you read the stored evidence: then, if `forget` runs
    in between, results from deleted data do not get into the cache that others use."""
    global _now
    found, day = _now, clock.day()
    if found.day != day:
        found = _now = Glances(day)
    return found


def forget() -> None:
    """Empty the cache. Call this after the commit that deletes a child's data."""
    global _now
    _now = Glances(0)


# ---- the values that the skill pages and their CSV files show

PAGE: Final = 12  # missed items on a page
LAST_ID: Final = 2**31 - 1

_child = EvidenceRow.__table__.c.child_id
_RESTRICTED = Child.id.in_(evidence_log.RESTRICTED).label("restricted")
_CHOSEN = and_(SmallGroup.child_id == Child.id, SmallGroup.class_id == Child.class_id)
_SAT = and_(
    ChildRound.round_id == EvidenceRow.round_id, ChildRound.child_id == EvidenceRow.child_id
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChildSkills(ChildFace):
    """One child in a class's table. `signals`: those in `glance`, and one more if the child often
    idled. `restricted`: nothing may be worked out about the child. `chosen`: see ChildTomorrow."""

    age_band: str
    glance: Glance
    signals: tuple[Signal, ...]
    restricted: bool
    chosen: tuple[Strand, int] | None

    @property
    def levels(self) -> Mapping[Strand, Level]:
        """The child's level in each strand with evidence."""
        return self.glance.levels

    def estimates(self, skills: Iterable[str] = SKILLS) -> dict[str, Estimate]:
        """Compute the estimates of these skills; skills without evidence are left out."""
        mine, wanted = self.glance, set(skills)
        old, new = mine.stored.windows, mine.changed.windows
        return {
            key: estimate(new.get(key) or parsed_window(key, old[key]), mine.day)
            for key in mine.skills
            if key in wanted
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassSkills:
    """The skills in a class. `skills`: the skills for which at least one child has evidence."""

    class_id: int
    name: str
    day: int
    skills: tuple[str, ...]
    children: tuple[ChildSkills, ...]


@dataclass(frozen=True, slots=True)
class Missed:
    """An item whose first answer was wrong. `id`: the evidence row's id. `table`: the table as the
    child saw it then. `round_over`: whether the round is over, so that it can be replayed."""

    id: int
    row: Evidence
    table: ViewedTable
    round_over: bool


# ---- a class


def of_class(class_id: int) -> ClassSkills:
    """What the children of a class have shown in each skill, read in a few queries. Raises
    NotFound."""
    glance = glances_today()
    at_one_moment()
    school_class = existing(SchoolClass, class_id)
    stored = evidence_log.stored_of(select(Child.id).where(Child.class_id == class_id))
    columns = Child.id, Child.name, Child.animal, Child.pad, Child.age_band, _RESTRICTED
    wanted = select(*columns, SmallGroup.strand, SmallGroup.day).outerjoin(SmallGroup, _CHOSEN)
    children = db.session.execute(wanted.where(Child.class_id == class_id))
    idle = figures.idle_children(class_id, glance.day)
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
        children=tuple(sorted(lines, key=lambda one: names.order(one.name, one.child_id))),
    )


def _skills(child: AnyRow, glance: Glance, idle: Signal | None) -> ChildSkills:
    return ChildSkills(
        *names.face(child),
        age_band=child.age_band,
        glance=glance,
        signals=(*glance.signals, *([idle] if idle else ())),
        restricted=bool(child.restricted),
        chosen=(child.strand, child.day) if (child.day or 0) > glance.day - WEEK else None,
    )


# ---- a child


def of_child(child_id: int) -> Report:
    """The report on this child; empty if no conclusions may be drawn. Raises NotFound."""
    found = of_children([child_id])
    if not found:
        raise NotFound("child")
    return found[child_id]


def of_children(child_ids: Sequence[int]) -> dict[int, Report]:
    """The reports on these children in one class, by id, as from `of_child`, read in a few queries.
    Children who have been removed meanwhile are left out."""
    at_one_moment()
    wanted = select(Child.id, Child.age_band, Child.class_id, _RESTRICTED)
    rows = db.session.execute(wanted.where(Child.id.in_(child_ids))).all()
    children = {row.id: row for row in rows}
    open_ones = [row.id for row in rows if not row.restricted]
    today, progress = clock.day(), evidence_log.progress_of(open_ones)
    only = child_ids[0] if len(child_ids) == 1 else None
    idle = figures.idle_children(rows[0].class_id, today, only) if rows else {}
    found = {}
    for child_id in filter(children.get, child_ids):
        mine, band = progress[child_id], children[child_id].age_band
        report = of_stored(mine.tracks.values(), mine.windows.values(), today, band)
        signals = [idle[child_id]] if child_id in idle else []
        found[child_id] = replace(report, signals=(*report.signals, *signals))
    return found


def levels_of(child_ids: Sequence[int]) -> dict[int, dict[Strand, Level]]:
    """These children's levels, by id, without strands for which a child has no evidence."""
    glance = glances_today()
    at_one_moment()
    stored = evidence_log.stored_of(child_ids)
    bands = db.session.execute(select(Child.id, Child.age_band).where(Child.id.in_(child_ids)))
    return {child_id: glance.of(stored[child_id], band).levels for child_id, band in bands}


# ---- wrong answers, and all answers


def missed(
    child_id: int, skills: Iterable[str] = SKILLS, before: int | None = None, page: int = PAGE
) -> list[Missed]:
    """A page of the child's wrong first answers without help, newest first, and one more if any are
    older. Answers in a round in progress are left out until the next day, because they show the
    child's cards. Rounds played under earlier rules cannot be drawn, so answers in them are only in
    the CSV with all answers. Empty if nothing may be worked out about the child."""
    wanted = (
        select(EvidenceRow.__table__, ChildRound.seat, Round.ended_at)
        .join(Round.__table__, Round.id == EvidenceRow.round_id)
        .join(ChildRound.__table__, _SAT)
        .where(
            EvidenceRow.child_id == child_id,
            EvidenceRow.child_id.not_in(evidence_log.RESTRICTED),
            EvidenceRow.skill.in_(list(skills)),
            EvidenceRow.id < (before or LAST_ID),
            EvidenceRow.right.is_(False),
            EvidenceRow.aided.is_(False),
            in_class_numbers(EvidenceRow),
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
        if len(found) > page:
            break
    return found


def answers(children: Sequence[int]) -> Iterator[tuple[int, Evidence]]:
    """Yield the child's id and the evidence for every answer and ask by these children, child by
    child. Today's unfinished rounds are left out, because the questions in them show cards."""
    going_on = select(Round.id).where(Round.ended_at.is_(None))
    shown = (
        EvidenceRow.round_id.is_(None)
        | EvidenceRow.round_id.not_in(going_on)
        | (EvidenceRow.day < clock.day())
    )
    places = {child_id: place for place, child_id in enumerate(children)}
    order = [case(places, value=_child)] if places else []
    yield from evidence_log.rows_of(_child.in_(children), shown, order=order)


# ---- The standards that a class's pages name for each skill: the Common Core's or England's

System = Literal["common_core", "england"]

SYSTEMS: Final[tuple[System, ...]] = ("common_core", "england")


def standards_of(class_id: int) -> System:
    """The standards that this class's pages show: the class's own choice, else the school's."""
    room, own = db.session.get(SchoolClass, class_id), own_standards(class_id)
    return own or (_known(room.school.standards) if room else None) or SYSTEMS[0]


def own_standards(class_id: int) -> System | None:
    """The standards chosen for this class; None if it uses the school's standards."""
    row = db.session.get(ClassSettings, class_id)
    return _known(row.standards) if row else None


def school_standards(school_id: int) -> System:
    """The standards for classes in this school that have not chosen any. Raises NotFound."""
    return _known(existing(School, school_id).standards) or SYSTEMS[0]


def choose_standards(
    class_id: int, system: str | None, by: int | None = None, version: str = ""
) -> None:
    """Set the standards that this class's pages show; None stands for the school's standards.
    Raises Refused("standards"), NotFound, or Changed if someone else has saved since."""
    if system not in (None, *SYSTEMS):
        raise Refused("standards")
    with write_unit():
        row = settings_to_change(by, class_id)
        check_version(version, own_standards(class_id))
        row.standards = system
        audit.record(by, "settings", "class", class_id)


def _known(key: str | None) -> System | None:
    return next((one for one in SYSTEMS if one == key), None)


# ---- Suggestions for tomorrow from a class's evidence, and worksheets


def suggested(page: ClassSkills) -> tuple[Suggestion, ...]:
    """Suggest what to do with this class tomorrow; the small group comes first."""
    chosen = question_settings.of("class", page.class_id)
    pupils = [_pupil(one) for one in page.children if not one.restricted]
    group = small_group(pupils, chosen.skills)
    lines = tomorrow(pupils, chosen.focus, chosen.skills, group.children if group else ())
    return (group, *lines) if group else lines


def next_lesson(page: ClassSkills) -> tuple[Lessons, Next]:
    """The sequence of ready-made lessons for this class, and the lesson that comes next in it."""
    place = existing(SchoolClass, page.class_id).outline
    pupils = [one for one in page.children if not one.restricted]
    known: dict[Strand, tuple[Level, ...]] = {}
    for strand in STRANDS:
        levels = [one.levels[strand] for one in pupils if strand in one.levels]
        known[strand] = tuple(one for one in levels if one.standing != "none" and not one.stale)
    sequence = sequence_of([one.age_band for one in page.children], place)
    return sequence, next_outline(sequence, place, known)


def set_focus(class_id: int, strand: Strand, by: int | None = None, version: str = "") -> None:
    """Focus the class's questions on the skills in this strand that have the fewest answers. Raises
    Refused("no_focus") if no skill in the strand may be asked about, NotFound, Changed."""
    page = of_class(class_id)
    chosen = question_settings.of("class", class_id)
    pupils = [
        _pupil(one, {key: mine.counts.n for key, mine in one.estimates().items()})
        for one in page.children
        if not one.restricted
    ]
    bands = {one.band for one in pupils} or set(AGE_BANDS)
    skills = focus_skills(strand, pupils, bands, chosen.skills)
    if not skills:
        raise Refused("no_focus")
    choice = replace(chosen, focus=frozenset(skills))
    question_settings.write(by, "class", class_id, choice, version)


def worksheets(
    class_id: int, strand: Strand, children: Collection[int] | None = None
) -> tuple[tuple[ChildSkills, Worksheet], ...]:
    """A worksheet on this strand for each of these children in the class, sorted by name. The
    numbers suit the child's level; while it is unknown, they go from 1 to what children of this age
    work towards, at most 10. `children`: None for all. Raises NotFound."""
    if strand not in ON_PAPER:
        raise NotFound("sheet")
    found = []
    for child in of_class(class_id).children:
        if children is None or child.child_id in children:
            level = child.levels.get(strand)
            if level is not None and level.standing != "none":
                numbers = sheet_numbers(level.about)
            else:
                numbers = 1, min(SCALES[strand].expected[AGE_BANDS.index(child.age_band)], 10)
            found.append((child, worksheet(strand, numbers, child.child_id)))
    return tuple(found)


def _pupil(child: ChildSkills, answers: Mapping[str, int] | None = None) -> ChildTomorrow:
    return ChildTomorrow(
        child=child.child_id,
        band=child.age_band,
        levels=child.levels,
        answers=answers or {},
        signals=child.signals,
        chosen=child.chosen,
    )
