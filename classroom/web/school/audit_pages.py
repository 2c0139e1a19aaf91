"""The audit log for an administrator: who did what, without any child's name."""

from __future__ import annotations

from datetime import date
from typing import Final

from flask import g, request

from classroom.services.base import audit, clock
from classroom.services.reports import looks
from classroom.web.http.pages import render
from classroom.web.words import record_words
from classroom.web.words.language import N_
from classroom.web.words.language import gettext as _

OTHERS: Final = {looks.PARENTS: N_("Parents"), looks.BY_PROGRAM: N_("The program")}
_EPOCH: Final = date(1970, 1, 1)


# When something was done, in a sentence, and the children, class by class, if they are of several.
LogLine = tuple[float, str, tuple[str, ...]]


def record() -> str:
    """A page of the log, limited to one action, day, person or class if that is chosen."""
    kind, day = request.args.get("kind", ""), _day(request.args.get("day", ""))
    action, _dot, thing = kind.partition(".")
    chosen = (action, thing) if (action, thing) in record_words.WORDS else None
    person, room = request.args.get("person", ""), request.args.get("room", "")
    wanted = looks.ChosenLooks(
        kind=chosen,
        day=day,
        person=_number(person) if person not in OTHERS else person,
        room=_number(room),
        before=request.args.get("before", type=int),
    )
    found = looks.of_school(g.who.school_id, g.who.adult_id, wanted)
    kinds = [
        (f"{action}.{thing}", record_words.kind(action, thing)) for action, thing in found.kinds
    ]
    return render(
        "pages/school/record.html",
        here="record",
        days=_days(found.entries),
        kinds=tuple(sorted(kinds, key=lambda one: one[1])),
        people=(
            *((str(key), name) for key, name in found.people),
            *((key, _(words)) for key, words in OTHERS.items()),
        ),
        rooms=tuple((str(key), name) for key, name in found.rooms),
        kind=kind if chosen else "",
        person="" if wanted.person is None else str(wanted.person),
        room="" if wanted.room is None else str(wanted.room),
        on="" if day is None else _date(day).isoformat(),
        today=_date(clock.day()).isoformat(),
        checked=audit.broken_seals(),
        more=found.more,
    )


def _days(entries: tuple[looks.Entry, ...]) -> tuple[tuple[int, list[LogLine]], ...]:
    days: dict[int, list[LogLine]] = {}
    for one in entries:
        days.setdefault(clock.day(one.at), []).append(
            (one.at, record_words.entry(one), record_words.parts(one))
        )
    return tuple(days.items())


def _number(typed: str) -> int | None:
    """The id in a field; None if there is none."""
    return int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 10 else None


def _day(typed: str) -> int | None:
    """The day number of a date as a browser sends it; None if it is no date, or out of range."""
    try:
        found = (date.fromisoformat(typed) - _EPOCH).days
    except ValueError:
        return None
    return found if 0 < found <= clock.day() + 1 else None


def _date(day: int) -> date:
    return date.fromordinal(_EPOCH.toordinal() + day)
