"""Days of play, added up from the rounds of children; and what a child did at home."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Final

from sqlalchemy import ColumnElement, case, func, select

from classroom.database import db
from classroom.learning.skills import SKILLS, STRANDS
from classroom.models import ChildRound, EvidenceRow
from classroom.services.base import clock
from classroom.services.reports.figures import AtHome, Day, Totals, total
from classroom.services.table.evidence_log import rows_of
from classroom.services.table.home import counts_for

HOME_DAYS: Final = 28  # days of play at home that are added up


def of(*where: ColumnElement[bool]) -> dict[int, list[Day]]:
    """Each child's days of play, newest first, in one query for any number of children."""
    rows = db.session.execute(
        select(
            ChildRound.child_id,
            ChildRound.day,
            func.count(ChildRound.id),
            func.sum(case((ChildRound.over.is_(True), 1), else_=0)),
            func.sum(ChildRound.asks),
            func.sum(ChildRound.catches),
            func.sum(ChildRound.books),
            func.sum(ChildRound.seconds),
            func.max(ChildRound.last_at),
        )
        .where(*where)
        .group_by(ChildRound.child_id, ChildRound.day)
        .order_by(ChildRound.day.desc())
    )
    days: dict[int, list[Day]] = defaultdict(list)
    for child_id, day, rounds, finished, asks, catches, books, seconds, last_at in rows:
        totals = Totals(
            rounds=rounds,
            finished=finished,
            asks=asks,
            catches=catches,
            books=books,
            seconds=seconds,
            days=1,
            last_at=last_at,
        )
        days[child_id].append(Day(day, totals))
    return days


def days_of(*where: ColumnElement[bool]) -> dict[int, set[int]]:
    """The days on which each child played, in one query."""
    found: dict[int, set[int]] = defaultdict(set)
    wanted = select(ChildRound.child_id, ChildRound.day).where(*where).distinct()
    for child_id, day in db.session.execute(wanted):
        found[child_id].add(day)
    return found


def at_home(child_id: int) -> AtHome | None:
    """What the child did at home in the last HOME_DAYS days; None if it played no round there."""
    since = clock.day() - HOME_DAYS
    played = (ChildRound.child_id == child_id) & ChildRound.at_home & (ChildRound.day > since)
    totals = total(of(played)[child_id])
    if not totals.rounds:
        return None
    shown = rows_of(
        EvidenceRow.child_id == child_id,
        EvidenceRow.at_home,
        EvidenceRow.day > since,
        EvidenceRow.source == "question",
    )
    alone = [row for _, row in shown if row.how == "alone"]
    answers = Counter(SKILLS[row.skill].strand for row in alone)
    right = Counter(SKILLS[row.skill].strand for row in alone if row.right)
    return AtHome(
        totals=totals,
        strands=tuple((key, answers[key], right[key]) for key in STRANDS if answers[key]),
        counts=counts_for(child_id),
    )
