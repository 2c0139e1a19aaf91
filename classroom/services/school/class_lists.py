"""Compares a class with a list of its children, and makes the changes that the teacher ticked.

Comparing changes nothing; `apply` makes all ticked changes in one write unit. A child who is not
on the list stays until the teacher removes it. A list of a whole school only adds missing classes
and children; the teacher of each class sees the other differences.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from sqlalchemy import ColumnElement, func, select

from classroom.database import db, write_unit
from classroom.learning.skills import AGE_BANDS
from classroom.models import Child, ClassTeacher, SchoolClass
from classroom.services.base import audit, names
from classroom.services.base.errors import Refused
from classroom.services.base.rows import existing
from classroom.services.school import child_moves, class_life, classes
from classroom.services.school.lists.tabular import Bundle, ListedChild, ListedClass, told_apart

LONGEST_ID: Final = 255


@dataclass(frozen=True, slots=True)
class ChildBefore:
    """A child in the school before any change. `sourced_id`: the child's id in the school's own
    system, "" if there is none. `room`: the name of the child's class."""

    child_id: int
    name: str
    band: str
    sourced_id: str
    class_id: int
    room: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """A line of a list, compared with the class.

    `what`: `new`, `same`, `renamed` (the same id with another name) or `elsewhere` (the id of a
    child in another class). `child`: the known child that the line is about. `was`: a child in the
    class who may be the new child under another name. `trouble`: why a new child cannot be added,
    or a known one renamed: `long` (the name) or `odd` (the name or, for a new child, the age band);
    for a new child also `twice` (line `twin` has the same name), `known` (a child in the class has
    the same name) or `full` (the class is full)."""

    line: ListedChild
    what: str
    child: ChildBefore | None = None
    was: ChildBefore | None = None
    trouble: str | None = None
    twin: int | None = None

    @property
    def renames(self) -> int | None:
        """The id of the child who may get the name on this line."""
        child = self.child if self.what == "renamed" else self.was
        return child.child_id if child else None

    @property
    def has_new_id(self) -> bool:
        return bool(self.child and self.line.sourced_id and not self.child.sourced_id)

    @property
    def has_new_band(self) -> bool:
        return bool(self.child and self.line.band and self.line.band != self.child.band)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Every line of a list, and the children in the class who are missing from the list. `taught`:
    the ids of the classes that the adult teaches."""

    lines: tuple[Compared, ...]
    missing: tuple[ChildBefore, ...]
    taught: frozenset[int] = frozenset()

    @property
    def shows_others(self) -> bool:
        """Whether this comparison shows names of children who are not on the list."""
        return bool(self.missing) or any(line.what == "renamed" for line in self.lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedClass:
    """A class in a bundle, compared with the school's classes. `at`: its index in the bundle.
    `class_id`: None if the school does not have the class yet. `new`: how many children would be
    added. `same`: how many are in the class already. `troubles`: the new children who cannot be
    added. `others`: how many of our children are not on the list, or differ in name or class."""

    at: int
    listed: ListedClass
    class_id: int | None
    new: int
    same: int
    troubles: tuple[Compared, ...]
    others: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Ticked:
    """What the teacher ticked. `add`: the line numbers of the children to add. `rename`, `band`:
    the ids of children who get the name or the age band from the list. `ids`: whether children
    without a `sourced_id` get the one from the list."""

    add: Collection[int] = ()
    rename: Collection[int] = ()
    band: Collection[int] = ()
    ids: bool = False


def lines_of(
    class_id: int, bundle: Bundle, listed: ListedClass | None, band: str
) -> tuple[ListedChild, ...]:
    """The children in one class of a bundle, and the children in our class whom the bundle lists
    without a class. `band`: the age band for new children if the list does not give their age."""
    there = _known(Child.class_id == class_id)
    ids = {child.sourced_id: child for child in there if child.sourced_id}
    by_name = {child.name: child for child in there}
    loose = [one for one in bundle.loose if one.sourced_id in ids]
    lines = []
    for one in told_apart([*(listed.people if listed else ()), *loose], by_name):
        child = ids.get(one.sourced_id) or by_name.get(one.name)
        own = one.band or (child.band if child else band)
        lines.append(replace(one, band=own, sourced_id=one.sourced_id[:LONGEST_ID]))
    return tuple(lines)


def compare(
    class_id: int,
    lines: Sequence[ListedChild],
    adult_id: int | None = None,
    delta: bool = False,
    school_id: int | None = None,
) -> Comparison:
    """Compare the class with a list. `delta`: the list has only changes, so only children whom it
    marks as gone count as missing. `school_id`: needed only for a class that does not exist yet."""
    there = _known(Child.class_id == class_id)
    found = _matched(lines, there, _elsewhere(class_id, lines, school_id))
    found = _with_troubles(found, there)
    gone = {one.child.child_id: one.line.gone for one in found if one.child}
    missing = [child for child in there if gone.get(child.child_id, not delta)]
    found = [one for one in found if not one.line.gone]
    new = [one for one in found if one.what == "new"]
    if len(new) == len(missing) == 1:
        found[found.index(new[0])] = replace(new[0], was=missing[0])
    theirs = select(ClassTeacher.class_id).where(ClassTeacher.adult_id == adult_id)
    taught = frozenset(db.session.scalars(theirs)) if adult_id is not None else frozenset[int]()
    return Comparison(tuple(found), tuple(missing), taught)


def apply(
    class_id: int,
    lines: Sequence[ListedChild],
    ticked: Ticked,
    by: int | None,
    delta: bool = False,
    class_sourced_id: str = "",
) -> int:
    """Make the ticked changes, all or none; returns how many were made. Raises Refused("roster",
    compared=...) if any child cannot be added or renamed as ticked."""
    with write_unit():
        room = existing(SchoolClass, class_id)
        class_life.must_be_open_to_change(room)
        done, added = _do_ticked(room, lines, ticked, by, delta, class_sourced_id)
        _note_added(room.school_id, {class_id: added}, by)
    return done + len(added)


def fitting(bundle: Bundle, class_id: int) -> int | None:
    """The index of the bundle's class that matches ours: the class with the same `sourced_id`, else
    the one with the same name, else the bundle's only class. None if there is no such class."""
    room, rooms = existing(SchoolClass, class_id), list(enumerate(bundle.classes))
    same_id = [at for at, one in rooms if one.sourced_id and one.sourced_id == room.sourced_id]
    same_name = [at for at, one in rooms if names.is_like_one_of(one.name, [room.name])]
    return next(iter(same_id + same_name), 0 if len(rooms) == 1 else None)


# ---- a whole school


def compare_school(bundle: Bundle, school_id: int, band: str) -> tuple[ComparedClass, ...]:
    """Compare all classes in a bundle with the school's classes. Changes nothing."""
    there, found = _rooms(school_id), []
    for at, listed in enumerate(bundle.classes):
        class_id = _room_of(listed, there)
        lines = lines_of(class_id or 0, bundle, listed, band)
        compared = compare(class_id or 0, lines, delta=bundle.delta, school_id=school_id)
        of_kind = Counter(one.what for one in compared.lines)
        troubles = tuple(one for one in compared.lines if one.trouble and one.what == "new")
        found.append(
            ComparedClass(
                at=at,
                listed=listed,
                class_id=class_id,
                new=of_kind["new"] - len(troubles),
                same=of_kind["same"],
                troubles=troubles,
                others=of_kind["renamed"] + of_kind["elsewhere"] + len(compared.missing),
            )
        )
    return tuple(found)


def apply_school(
    bundle: Bundle, chosen: Collection[int], school_id: int, band: str, by: int
) -> tuple[int, int]:
    """Add the chosen classes and their children, all or none; returns how many classes and how many
    children were added. Children who are in the school already get only the ids from the list. New
    classes without a readable name are left out."""
    made: list[int] = []
    added: dict[int, list[int]] = {}
    with write_unit():
        there = _rooms(school_id)
        for listed in (one for at, one in enumerate(bundle.classes) if at in chosen):
            class_id = _room_of(listed, there)
            if class_id is None:
                name = names.tidy(listed.name)[: names.CLASS_NAME].strip()
                if names.trouble(name, names.CLASS_NAME, digits=True) or listed.gone:
                    continue
                class_id = classes.put_class(by, school_id, name, listed.sourced_id or None)
                made.append(class_id)
            room = existing(SchoolClass, class_id)
            lines = lines_of(class_id, bundle, listed, band)
            fine = compare(class_id, lines, delta=bundle.delta).lines
            add = [one.line.number for one in fine if one.what == "new" and not one.trouble]
            ticked = Ticked(add=add, ids=True)
            new = _do_ticked(room, lines, ticked, by, bundle.delta, listed.sourced_id)[1]
            added.setdefault(class_id, []).extend(new)
        _note_added(school_id, added, by, made)
    return len(made), sum(map(len, added.values()))


def _rooms(school_id: int) -> Sequence[SchoolClass]:
    """The classes that a list can change."""
    return db.session.scalars(class_life.in_use(school_id).order_by(SchoolClass.id)).all()


def _room_of(listed: ListedClass, there: Sequence[SchoolClass]) -> int | None:
    """The id of our class with the same `sourced_id`, else of our class with the same name, else
    None. Two classes with different `sourced_id` values never match by name."""
    key, name = listed.sourced_id, names.tidy(listed.name).casefold()
    same_id = [room.id for room in there if key and room.sourced_id == key]
    no_id = [room for room in there if not (key and room.sourced_id)]
    same_name = [room.id for room in no_id if room.name.casefold() == name]
    return next(iter(same_id + same_name), None)


# ---- comparing


def _matched(
    lines: Sequence[ListedChild], there: Sequence[ChildBefore], elsewhere: dict[str, ChildBefore]
) -> list[Compared]:
    """Match lines and children, one to one: by `sourced_id` or, unless both have an id, by name."""
    ids = {child.sourced_id: child for child in there if child.sourced_id}
    free = {child.child_id: child for child in there}
    found: dict[int, Compared] = {}
    for at, line in enumerate(lines):
        child = ids.get(line.sourced_id)
        if child and free.pop(child.child_id, None):
            same = names.is_like_one_of(line.name, [child.name]) or not line.name
            found[at] = Compared(line=line, what="same" if same else "renamed", child=child)
    for at, line in enumerate(lines):
        if at not in found and line.sourced_id in elsewhere:
            found[at] = Compared(line=line, what="elsewhere", child=elsewhere[line.sourced_id])
        elif at not in found:
            looks = names.looks(line.name)
            others = (one for one in free.values() if not (line.sourced_id and one.sourced_id))
            child = next((one for one in others if names.looks(one.name) & looks), None)
            if child:
                del free[child.child_id]
            found[at] = Compared(line=line, what="same" if child else "new", child=child)
    return [found[at] for at in range(len(lines))]


def _with_troubles(found: list[Compared], there: Sequence[ChildBefore]) -> list[Compared]:
    """The same lines, with a `trouble` where a child cannot be added or renamed."""
    taken = {look: 0 for child in there for look in names.looks(child.name)}
    room, checked = classes.MOST_CHILDREN - len(there), []
    for one in found:
        if one.what == "renamed":
            one = replace(one, trouble=_name_trouble(one.line))
        elif one.what == "new" and not one.line.gone:
            one = _checked(one, taken, room)
            room -= 1
            for look in names.looks(one.line.name):
                taken.setdefault(look, one.line.number)
        checked.append(one)
    return checked


def _checked(one: Compared, taken: dict[str, int], room: int) -> Compared:
    problem = _name_trouble(one.line) or (None if one.line.band in AGE_BANDS else "odd")
    if problem:
        return replace(one, trouble=problem)
    twin = min((taken[look] for look in names.looks(one.line.name) if look in taken), default=None)
    if twin is not None:
        return replace(one, trouble="twice" if twin else "known", twin=twin or None)
    return one if room > 0 else replace(one, trouble="full")


def _name_trouble(line: ListedChild) -> str | None:
    problem = names.trouble(line.name, names.CHILD_NAME)
    return "odd" if problem == "empty" else problem


# ---- applying, within a write unit


def _do_ticked(
    room: SchoolClass,
    lines: Sequence[ListedChild],
    ticked: Ticked,
    by: int | None,
    delta: bool,
    class_sourced_id: str,
) -> tuple[int, list[int]]:
    """Make the ticked changes; returns two values: how many changes there were besides new
    children, and the ids of the new children."""
    compared = compare(room.id, lines, by, delta)
    new = [one for one in compared.lines if one.what == "new" and one.line.number in ticked.add]
    renamed = [one for one in compared.lines if one.renames in ticked.rename]
    add = [one for one in new if one not in renamed]
    if any(one.trouble for one in add) or any(one.trouble in ("long", "odd") for one in renamed):
        raise Refused("roster", compared=compared)
    rows = {child.id: child for child in names.children_of(room.id)}
    changes = sum([_change(one, ticked, rows, by) for one in compared.lines])
    children = [
        (classes.checked_name(one.line.name), one.line.band or "", one.line.sourced_id or None)
        for one in add
    ]
    added = classes.put_in(room.id, children, by) if children else []
    if (ticked.ids or add) and class_sourced_id and not room.sourced_id:
        room.sourced_id = class_sourced_id[:LONGEST_ID]
        changes += 1
        audit.record(by, "change", "class", room.id)
    return changes, added


def _note_added(
    school_id: int, added: Mapping[int, Sequence[int]], by: int | None, made: Sequence[int] = ()
) -> None:
    """Record which children a list added to each class, so that this can be undone. `made`: the
    classes that were made for the list."""
    ways = {child_id: (None, room) for room, children in added.items() for child_id in children}
    if ways or made:
        child_moves.note_change(school_id, child_moves.LISTED, by, ways, made)


def _change(one: Compared, ticked: Ticked, rows: Mapping[int, Child], by: int | None) -> bool:
    """Make the ticked changes to the child on this line; returns whether there were any."""
    known = one.child if one.what in ("same", "renamed") else one.was
    if known is None:
        return False
    child, renamed = rows[known.child_id], one.renames in ticked.rename
    if renamed:
        name = classes.checked_name(one.line.name)
        classes.not_twice(child.class_id, name, but=child.id)
        child.name = name
        classes.show_at_tables(child)
    if known.child_id in ticked.band and one.line.band in AGE_BANDS:
        child.age_band = one.line.band or ""
    mine = one.what != "new" or renamed
    if ticked.ids and mine and one.line.sourced_id and not child.sourced_id:
        child.sourced_id = one.line.sourced_id
    before = known.name, known.band, known.sourced_id
    changed = (child.name, child.age_band, child.sourced_id or "") != before
    if changed:
        audit.record(by, "change", "child", child.id)
    return changed


# ---- reading children from the database


def _elsewhere(
    class_id: int, lines: Sequence[ListedChild], school_id: int | None
) -> dict[str, ChildBefore]:
    """The children of the school's other classes whose `sourced_id` is on this list, by that id."""
    ids = {line.sourced_id for line in lines if line.sourced_id}
    if not ids:
        return {}
    if school_id is None:
        school_id = existing(SchoolClass, class_id).school_id
    found = _known(
        Child.sourced_id.in_(ids), Child.class_id != class_id, SchoolClass.school_id == school_id
    )
    return {child.sourced_id: child for child in found}


def _known(*where: ColumnElement[bool]) -> list[ChildBefore]:
    """The children who meet these SQL conditions, sorted by name."""
    rows = db.session.execute(
        select(
            *(Child.id, Child.name, Child.age_band, func.coalesce(Child.sourced_id, "")),
            *(Child.class_id, SchoolClass.name.label("room")),
        )
        .join(SchoolClass, SchoolClass.id == Child.class_id)
        .where(*where)
    )
    return [ChildBefore(*row) for row in names.by_name(rows)]
