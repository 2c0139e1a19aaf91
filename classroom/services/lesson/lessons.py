"""The lesson as a whole: its plan, its pauses ("eyes on me") and its end; also, play at home."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from sqlalchemy import delete, select, update
from sqlalchemy.orm import selectinload

from classroom.database import db, write_unit
from classroom.learning.outlines import OUTLINES
from classroom.models import (
    Child,
    ClassSettings,
    Gathering,
    Match,
    Moment,
    PlannedSeat,
    PlannedTable,
    SchoolClass,
)
from classroom.models.school_rows import NUDGE_AFTER, STAND_IN_AFTER
from classroom.services.base import audit, clock, names, notices
from classroom.services.base.errors import NotFound, Refused
from classroom.services.base.rows import (
    check_version,
    existing,
    held,
    hold_children,
    is_there,
    settings_to_change,
)
from classroom.services.lesson import gatherings, live_class, seating, shared_tables
from classroom.services.lesson.open_tables import Friend, face_of
from classroom.services.quiz.question_settings import RANGES
from classroom.services.table import evidence_log, offers, rounds
from classroom.services.table.choices import CLOCK_TIMES, WEEKENDS, Hours, hours_of

# ---- changing the running lesson

SILENCE = (10, 600)  # the fewest and the most seconds of silence that a teacher can set
MINUTES = (5, 240)  # the fewest and the most minutes a day; families choose from choices.MINUTES


@dataclass(frozen=True, slots=True)
class Times:
    """The times set for a class: seconds until a silent child is reminded, and until a computer
    friend plays instead; minutes a day that each child may play (None: no limit)."""

    nudge_after: int = NUDGE_AFTER
    stand_in_after: int = STAND_IN_AFTER
    minutes_a_day: int | None = None


def times(class_id: int) -> Times:
    """The times that the teacher has set, or the defaults."""
    row = db.session.get(ClassSettings, class_id)
    return Times(row.nudge_after, row.stand_in_after, row.minutes_a_day) if row else Times()


def set_times(class_id: int, chosen: Times, by: int, version: str = "") -> None:
    """Set the times, from now on. Raises Changed, and Refused("times") if they are out of range."""
    low, high = SILENCE
    least, most = MINUTES
    sensible = low <= chosen.nudge_after <= chosen.stand_in_after <= high
    if not sensible or not least <= (chosen.minutes_a_day or least) <= most:
        raise Refused("times")
    with write_unit():
        row = settings_to_change(by, class_id)
        check_version(version, times(class_id))
        row.nudge_after, row.stand_in_after = chosen.nudge_after, chosen.stand_in_after
        row.minutes_a_day = chosen.minutes_a_day
        notices.changed(class_id)
        audit.record(by, "change", "class", class_id)
    notices.tables(class_id)


def pause(class_id: int, by: int | None = None) -> None:
    """Pause the lesson ("eyes on me"): no child can move, and nothing is lost."""
    _set(class_id, "pause", by, paused_at=clock.now())


def go_on(class_id: int, by: int | None = None) -> None:
    """Resume the lesson: all tables go on as they were. A lesson that was ending stays open."""
    _set(class_id, "go_on", by, paused_at=None, ending_at=None, resumed_at=clock.now())


def end(class_id: int, by: int | None = None) -> None:
    """End the lesson as soon as open asks are finished; all rounds are kept."""
    _set(class_id, "end", by, paused_at=None, ending_at=clock.now())


def _set(class_id: int, action: str, by: int | None, **values: float | None) -> None:
    with write_unit():
        row = existing(SchoolClass, class_id)
        for name, value in values.items():
            setattr(row, name, value)
        row.changes += 1
        audit.record(by, action, "class", class_id)
    notices.tables(class_id)


# ---- functions to call within a write unit


def begin(room: SchoolClass) -> None:
    """Begin a lesson: delete the last lesson's tables. Silence is measured from now on."""
    room.paused_at = room.ending_at = None
    room.outline_on = False
    room.resumed_at = clock.now()
    room.changes += 1
    put_away(room.id)


def put_away(class_id: int) -> None:
    """Delete all tables in the class, take back its moment if one is dealt, and end the rounds that
    children continued from a moment. Other rounds in progress are kept as they are."""
    db.session.execute(delete(Gathering).where(Gathering.class_id == class_id))
    db.session.execute(update(Moment).where(Moment.class_id == class_id).values(open=False))
    rounds.leave_off(Match.class_id == class_id, Match.moment.is_(True))


# ---- The plan for a class's next lesson: who sits with whom, at which game, with which numbers

MOST_TABLES: Final = 12  # the most tables that a plan may have


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePlan:
    """A planned table. `game`: the key of an offer; `numbers`: one of question_settings.RANGES (the
    first stands for each child's own range); `children`: the ids of its children; `shared`:
    whether they share one tablet."""

    game: str
    numbers: tuple[int, int] = RANGES[0]
    children: tuple[int, ...]
    shared: bool = False


def plan_of(class_id: int) -> tuple[TablePlan, ...]:
    """The plan of a class; empty if there is none."""
    rows = select(PlannedTable).where(PlannedTable.class_id == class_id).order_by(PlannedTable.id)
    return tuple(
        TablePlan(
            game=row.game,
            numbers=_numbers(row.number_low, row.number_high),
            children=tuple(seat.child_id for seat in row.seats),
            shared=row.shared,
        )
        for row in db.session.scalars(rows.options(selectinload(PlannedTable.seats)))
    )


def proposed_plan(class_id: int, size: int, how: str) -> tuple[TablePlan, ...]:
    """A plan for all children in a class, in groups made by `seating.split`, with one game."""
    game = offers.shelf(class_id)[0].key
    every = list(db.session.scalars(select(Child.id).where(Child.class_id == class_id)))
    groups = seating.split(class_id, seating.by_level(class_id, every), size, how)
    return tuple(TablePlan(game=game, children=tuple(group)) for group in groups)


def save_plan(
    class_id: int, tables: Sequence[TablePlan], by: int | None = None, version: str = ""
) -> None:
    """Replace the plan. Tables without children and children of other classes are left out; a child
    who is named twice sits at the first table. Raises Changed, NotFound for a game that is not on
    the shelf, and Refused: `too_many` if a table has more children than its game allows,
    `tables_full`, `numbers`, `one_tablet`."""
    with write_unit():
        held(SchoolClass, class_id)
        check_version(version, plan_of(class_id))
        ours = set(db.session.scalars(select(Child.id).where(Child.class_id == class_id)))
        kept = []
        for one in tables:
            children = tuple(dict.fromkeys(child for child in one.children if child in ours))
            ours -= set(children)
            if children:
                kept.append(replace(one, children=children))
        if len(kept) > MOST_TABLES:
            raise Refused("tables_full", most=MOST_TABLES)
        db.session.execute(delete(PlannedTable).where(PlannedTable.class_id == class_id))
        for one in kept:
            if one.game not in offers.offered(class_id):
                raise NotFound("game")
            if one.numbers not in RANGES:
                raise Refused("numbers")
            offer = offers.find(class_id, one.game)
            if len(one.children) > min(offer.seats[1], gatherings.LARGEST):
                raise Refused("too_many")
            if one.shared and not shared_tables.fits(offer, len(one.children)):
                raise Refused("one_tablet")
            row = PlannedTable(class_id=class_id, game=one.game, **_columns(one))
            row.seats = [PlannedSeat(child_id=child) for child in one.children]
            db.session.add(row)
        audit.record(by, "plan", "class", class_id)


def begin_planned(class_id: int, by: int | None = None) -> tuple[int, ...]:
    """Replace all tables with the planned tables, and start those with a child who is signed in;
    returns their rounds. The others wait for the teacher. Raises Refused: no_plan, plan_game."""
    tables = plan_of(class_id)
    if not tables:
        raise Refused("no_plan")
    with write_unit():
        hold_children(Child.class_id == class_id)
        seating.clear_all(class_id)
        for one in tables:
            try:
                fewest, most = offers.find(class_id, one.game).seats
            except NotFound:
                raise Refused("plan_game") from None
            size = min(max(fewest, len(one.children)), most)
            seating.set_up(class_id, one.game, size, one.children, by, **_columns(one))
        audit.record(by, "seat", "class", class_id)
    notices.friends(class_id)
    return seating.start_all(class_id, by, keep_empty=True)


def seat_and_start(class_id: int, by: int | None = None) -> tuple[int, ...]:
    """Seat every child who is here and whom no teacher has seated yet, and start all tables;
    returns the rounds. If the teacher has set up no tables, the plan is used; but if a ready-made
    lesson was begun before the children came, only its game is used. Raises Refused("nobody_here" |
    "plan_game")."""
    if not live_class.here(class_id):
        raise Refused("nobody_here")
    room = existing(SchoolClass, class_id)
    ready_made = OUTLINES.get(room.outline or "") if room.outline_on else None
    set_up = (Gathering.class_id == class_id) & Gathering.set_by.is_not(None)
    begun: tuple[int, ...] = ()
    if not ready_made and plan_of(class_id) and not is_there(select(Gathering.id).where(set_up)):
        begun = begin_planned(class_id, by)
    usual = ready_made.game if ready_made else offers.shelf(class_id)[0].key
    seating.seat_rest(class_id, usual, by)
    return (*begun, *seating.start_all(class_id, by, keep_empty=True))


def last_outline_of(class_id: int) -> str | None:
    """The key of the ready-made lesson that the class began last. Raises NotFound."""
    return existing(SchoolClass, class_id).outline


def begin_outline(class_id: int, key: str, by: int | None = None) -> tuple[int, ...]:
    """Begin a ready-made lesson in an open class: seat all children who are here at new tables for
    its game, and start them; returns the rounds. If nobody is here, only record which lesson was
    begun. Raises NotFound."""
    if key not in OUTLINES:
        raise NotFound("outline")
    with write_unit():
        room = held(SchoolClass, class_id)
        room.outline, room.outline_on = key, True
        if live_class.here(class_id):
            hold_children(Child.class_id == class_id)
            seating.clear_all(class_id)
        audit.record(by, "outline", "class", class_id)
    return seat_and_start(class_id, by) if live_class.here(class_id) else ()


def _columns(one: TablePlan) -> dict[str, Any]:
    """The columns that PlannedTable and Gathering share."""
    low, high = (None, None) if one.numbers == RANGES[0] else one.numbers
    return {"number_low": low, "number_high": high, "shared": one.shared}


def _numbers(low: int | None, high: int | None) -> tuple[int, int]:
    return RANGES[0] if low is None or high is None else (low, high)


def children_of_plan(class_id: int) -> tuple[Friend, ...]:
    """The children in a class with their faces, sorted by name."""
    return tuple(map(face_of, names.children_of(class_id)))


def places_of_plan(tables: Sequence[TablePlan]) -> Mapping[int, int]:
    """The number of each child's table in the plan, counted from 1."""
    return {child: number for number, one in enumerate(tables, 1) for child in one.children}


# ---- whether and when the children of a class may play at home, and whether such play counts


@dataclass(frozen=True, slots=True)
class HomePlay:
    """Settings for play at home. `counts`: whether play at home is part of the class's results."""

    hours: Hours
    counts: bool


def home_play_of(class_id: int) -> HomePlay:
    """The class's settings for play at home. Raises NotFound."""
    room = existing(SchoolClass, class_id)
    return HomePlay(hours_of(room), room.home_counts)


def set_home_play(by: int | None, class_id: int, chosen: HomePlay, version: str = "") -> None:
    """Set whether and when the children of a class may play at home, and whether such play counts.
    When play at home is switched off, devices at home are signed out at their next request. If
    `counts` changes, the evidence is counted again in the background. Raises Refused("hours" |
    "weekend_hours"), NotFound, Changed."""
    hours = chosen.hours
    if not _in_order(hours.first, hours.last):
        raise Refused("hours")
    other = hours.weekend == "other"
    if hours.weekend not in WEEKENDS or (
        other and not _in_order(hours.weekend_first, hours.weekend_last)
    ):
        raise Refused("weekend_hours")
    with write_unit():
        room = held(SchoolClass, class_id)
        check_version(version, home_play_of(class_id))
        if room.home_counts != chosen.counts:
            evidence_log.count_later(select(Child.id).where(Child.class_id == class_id))
        room.home_on, room.home_from, room.home_until = hours.on, hours.first, hours.last
        room.home_weekend = hours.weekend
        room.home_weekend_from, room.home_weekend_until = hours.weekend_first, hours.weekend_last
        room.home_counts = chosen.counts
        audit.record(by, "home", "class", class_id)


def _in_order(first: int, last: int) -> bool:
    return {first, last} <= set(CLOCK_TIMES) and first < last
