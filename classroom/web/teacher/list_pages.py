"""The values of the pages on which a class list is read and compared with the class."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from flask import url_for

from classroom.services.school.class_lists import Compared, Comparison, Known, Ticked
from classroom.services.school.lists import columns, tables
from classroom.services.school.lists.columns import Guess
from classroom.services.school.lists.tables import Bundle, LeftOut, Table
from classroom.web.http.pages import Tab, TeacherPage
from classroom.web.words import list_words
from classroom.web.words.language import gettext as _
from classroom.web.words.language import ngettext

SAMPLES = 5  # how many rows of a table are shown


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: its heading, what it is taken for, and why. `fixed`: whether the teacher
    cannot change that."""

    heading: str
    kind: str
    why: str
    fixed: bool


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a table above its first rows. `asks`: whether somebody has to say which of
    them holds the names. `table`: the table as text, for the form to carry."""

    columns: tuple[Column, ...]
    kinds: tuple[tuple[str, str], ...]
    samples: tuple[tuple[str, ...], ...]
    asks: bool
    table: str


@dataclass(frozen=True, slots=True)
class Rooms:
    """The classes of a list to choose from, as (place, words). `chosen`: a place, "" for none.
    `bundle`: the list as text, carried by the form; "" if the form carries the table."""

    rooms: tuple[tuple[str, str], ...]
    chosen: str
    bundle: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NewChild:
    """A child of the list who is not in the class. `was`: a child of the class who could be meant:
    its id, the words beside the box, and whether the box is ticked."""

    number: int
    name: str
    band: str
    sourced_id: str
    ticked: bool
    trouble: str
    was: tuple[int, str, bool] | None


@dataclass(frozen=True, slots=True)
class Tick:
    """A change that can be ticked."""

    field: str
    value: str
    words: str
    ticked: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What differs between a list and a class. `rest`: the children of the list who are not new, as
    text, carried by the form. `elsewhere` and `missing`: words about a child, and a link or ""."""

    new: tuple[NewChild, ...]
    changes: tuple[Tick, ...]
    elsewhere: tuple[tuple[str, str], ...]
    missing: tuple[tuple[str, str], ...]
    same: str
    rest: str
    delta: bool
    class_sourced_id: str
    is_empty: bool


@dataclass(frozen=True, kw_only=True)
class ClassListPage(TeacherPage):
    """`columns`, `rooms` and `plan`: None until a list has been read, or where there is nothing to
    choose. `notes`: what was not taken from the list."""

    template = "pages/teach/list.html"
    here: Tab = "class"
    title: str
    kept: str
    values: Mapping[str, str]
    errors: Mapping[str, str]
    age_bands: tuple[str, ...]
    columns: Columns | None
    rooms: Rooms | None
    plan: Plan | None
    dropped: str
    notes: tuple[str, ...]


# ---- making them


def columns_of(table: Table, guess: Guess) -> Columns:
    """The columns and first rows of a table."""
    shown = tuple(
        Column(
            guess.headings[at] if at < len(guess.headings) and guess.headings[at] else "",
            kind,
            list_words.why(guess.why[at]) if kind != "none" else "",
            kind in columns.READ_ONLY,
        )
        for at, kind in enumerate(guess.kinds)
    )
    rows = table.rows[guess.begins : guess.begins + SAMPLES]
    width = range(len(shown))
    return Columns(
        shown,
        list_words.kinds(),
        tuple(tuple(row.cell(at) for at in width) for row in rows),
        guess.asks,
        tables.pack_table(table),
    )


def rooms_of(bundle: Bundle, chosen: int | None, by_table: bool) -> Rooms | None:
    """The classes of a list, if there are several."""
    if len(bundle.classes) < 2:
        return None
    shown = tuple(
        (str(at), list_words.room(one.name, len(one.people)))
        for at, one in enumerate(bundle.classes)
    )
    packed = "" if by_table else tables.pack_bundle(bundle)
    return Rooms(shown, "" if chosen is None else str(chosen), packed)


def plan_of(found: Comparison, ticked: Ticked | None, delta: bool, class_sourced_id: str) -> Plan:
    """What differs, with the ticks that were sent. With `ticked` None, only new children and ids
    are ticked."""
    chosen = ticked or Ticked(add=[one.line.number for one in found.lines], ids=True)
    new = [one for one in found.lines if one.what == "new"]
    same = [one for one in found.lines if one.what == "same"]
    changes = tuple(_changes(found, chosen))
    return Plan(
        new=tuple(_new(one, chosen) for one in new),
        changes=changes,
        elsewhere=tuple(
            _elsewhere(one.child, found.taught)
            for one in found.lines
            if one.what == "elsewhere" and one.child
        ),
        missing=tuple(
            (child.name, url_for("teach.remove", child_id=child.child_id))
            for child in found.missing
        ),
        same=ngettext(
            "%(num)s child of the list is in the class already.",
            "%(num)s children of the list are in the class already.",
            len(same),
        )
        if same
        else "",
        rest=tables.pack_people([one.line for one in found.lines if one.what != "new"]),
        delta=delta,
        class_sourced_id=class_sourced_id,
        is_empty=not new and not changes,
    )


def notes_of(left_out: tuple[LeftOut, ...]) -> tuple[str, ...]:
    return tuple(list_words.left_out(line) for line in left_out[: list_words.MOST_NOTES])


def _new(one: Compared, ticked: Ticked) -> NewChild:
    was = None
    if one.was is not None:
        words = _("This is %(name)s under a new name", name=one.was.name)
        was = one.was.child_id, words, one.was.child_id in ticked.rename
    return NewChild(
        number=one.line.number,
        name=one.line.name.replace("\ufffd", "?"),
        band=one.line.band or "",
        sourced_id=one.line.sourced_id,
        ticked=one.line.number in ticked.add,
        trouble=list_words.trouble(one) if one.trouble else "",
        was=was,
    )


def _changes(found: Comparison, ticked: Ticked) -> list[Tick]:
    changes = []
    for one in found.lines:
        child = one.child
        if child is None or one.what == "elsewhere":
            continue
        key = child.child_id
        if one.what == "renamed":
            words = _("Rename %(old)s to %(new)s", old=child.name, new=one.line.name)
            changes.append(Tick("rename", str(key), words, key in ticked.rename))
        if one.has_new_band:
            words = list_words.new_band(child.name, child.band, one.line.band or "")
            changes.append(Tick("band_of", str(key), words, key in ticked.band))
    ids = sum(one.has_new_id for one in found.lines if one.what == "same")
    if ids:
        changes.append(Tick("ids", "1", list_words.ids(ids), ticked.ids))
    return changes


def _elsewhere(child: Known, taught: frozenset[int]) -> tuple[str, str]:
    words = _("%(name)s is in %(room)s", name=child.name, room=child.room)
    mine = child.class_id in taught
    return words, url_for("teach.child", child_id=child.child_id) if mine else ""
