"""The plan of a new school year: which child goes to which class, with which face and name.

This module is pure: it works on values, without a database. In the form, the administrator says
where each class moves, and names only the children who are exceptions.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from classroom.learning.skills import AGE_BANDS
from classroom.services.base import names
from classroom.services.base.names import ChildFace

STAY, LEAVE, NEW = "stay", "leave", "new"
Where = Literal["moves", "repeats", "leaves", "stays"]


@dataclass(frozen=True, slots=True)
class MovingChild(ChildFace):
    """A child with a face and an age band, either before the new year or in it."""

    age_band: str

    @property
    def face(self) -> names.AnimalOnPad:
        return self.animal, self.pad


@dataclass(frozen=True, slots=True, kw_only=True)
class YearRoom:
    """A class before the new year. `left`: it has only children who have left the school.
    `deleted_at`: when the class will be deleted if it is archived, else None."""

    class_id: int
    name: str
    code_kept: bool
    archived: bool
    left: bool
    pupils: tuple[MovingChild, ...]
    deleted_at: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class YearWish:
    """Where the children in a class are to go. `to`: STAY, LEAVE, NEW (a new class named `new`) or
    the id of a class as text. `repeat`: STAY or the id of a class, for children who repeat."""

    to: str
    new: str = ""
    repeat: str = STAY


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """The whole form. `rooms`: a wish for each class, by id. `repeats`, `leaves`: ids of the
    children who repeat the year, and of those who leave the school. `called`: new names of
    children, by id. `older`: whether children who move on also move up an age band."""

    rooms: Mapping[int, YearWish]
    repeats: frozenset[int] = frozenset()
    leaves: frozenset[int] = frozenset()
    called: Mapping[int, str] = field(default_factory=dict)
    older: bool = True

    def of(self, room: YearRoom) -> YearWish:
        """The wish for this class; without a wish, its children stay."""
        return self.rooms.get(room.class_id, YearWish(to=STAY))


@dataclass(frozen=True, slots=True)
class Target:
    """A class to which children go. `class_id`: None if the class is still to be made. `left`: the
    class is for children who leave the school."""

    class_id: int | None
    name: str
    left: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Going:
    """One child's way into the new year. `was`: the child now, in the class `room`.
    `pupil`: the child then, in the class `target`."""

    was: MovingChild
    pupil: MovingChild
    room: YearRoom
    target: Target
    where: Where
    new_card: bool


@dataclass(frozen=True, slots=True)
class Conflict:
    """A problem to solve before the plan can be carried out. `code`: `name` (two names look alike
    in `room`), `odd_name` (a child's name cannot be used), `full` (too many children), `both` (a
    child is to repeat and to leave), `class_name` (a new class has no name, or a name that is
    taken) or `class_back` (the same for a class that would be restored from the archive).
    `child_id`: the child whose name can be changed."""

    code: str
    room: str
    name: str = ""
    other: str = ""
    child_id: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class YearPlan:
    """Everything that would happen, with classes by id. `archived`: classes to be archived, because
    all children who remain in them leave the school. `empty`: classes from which all children move
    to other classes. `restored`: archived classes that are used again."""

    going: tuple[Going, ...]
    conflicts: tuple[Conflict, ...]
    archived: tuple[int, ...]
    empty: tuple[int, ...]
    restored: tuple[int, ...]

    def count(self, where: Where) -> int:
        return sum(one.where == where for one in self.going)

    @property
    def changes(self) -> tuple[Going, ...]:
        """The children who move, repeat or leave, or who get another name, face or age band."""
        return tuple(one for one in self.going if one.where != "stays" or one.was != one.pupil)

    @property
    def new_cards(self) -> int:
        return sum(one.new_card for one in self.going)

    @property
    def made(self) -> tuple[str, ...]:
        """The names of the classes to be made, except classes for children who leave."""
        new = (one.target for one in self.going if one.target.class_id is None)
        return tuple(dict.fromkeys(target.name for target in new if not target.left))

    @property
    def seal(self) -> str:
        """A hash of this plan; it proves that the administrator saw the plan that is applied."""
        lines = [(one.pupil, one.target.class_id, one.target.name, one.where) for one in self.going]
        text = repr((lines, self.archived, self.restored))
        return hashlib.sha256(text.encode()).hexdigest()[:32]


_NUMBER: Final = re.compile(r"\d+")


def next_name(name: str) -> str | None:
    """The name of the class a year later, its first number raised by one; None without a number.

    >>> next_name("Sunfish 1B"), next_name("Reception")
    ('Sunfish 2B', None)
    """
    later, numbers = _NUMBER.subn(lambda found: str(int(found[0]) + 1), name, count=1)
    return later if numbers else None


def proposal(rooms: Sequence[YearRoom]) -> dict[int, YearWish]:
    """The wishes that the form proposes: each class moves to the class with the next number."""
    found = {}
    for room in rooms:
        later = next_name(room.name)
        other = next((r for r in rooms if r.name == later and not r.left), None)
        if room.left:
            to = LEAVE
        elif later is None or not room.pupils:
            to = STAY
        else:
            to = str(other.class_id) if other else NEW
        found[room.class_id] = YearWish(to=to, new=(later or "") if other is None else "")
    return found


def plan(rooms: Sequence[YearRoom], wishes: Wishes) -> YearPlan:
    """Work out where every child goes, and the conflicts that must be solved first."""
    by_id = {room.class_id: room for room in rooms}
    conflicts: list[Conflict] = []
    going = [
        _going(room, pupil, wishes, by_id, conflicts) for room in rooms for pupil in room.pupils
    ]
    used = {one.target.class_id for one in going if one.where in ("moves", "repeats")}
    used |= {room.class_id for room in rooms if room.pupils and wishes.of(room).to == STAY}
    restored = [room for room in rooms if room.archived and room.class_id in used]
    conflicts += _classes_apart(rooms, going, restored)
    left, empty = _emptied(rooms, going)
    open_ones = {room.class_id for room in rooms if not room.archived}
    by_target: dict[Target, list[Going]] = defaultdict(list)
    for one in going:
        if one.where == "leaves" and one.room.class_id in left:
            one = replace(one, target=Target(one.room.class_id, one.room.name, left=True))
        by_target[one.target].append(one)
    seated: list[Going] = []
    for target, some in by_target.items():
        seated += _seated(target, some, by_id, conflicts)
    return YearPlan(
        going=tuple(sorted(seated, key=lambda one: one.was.child_id)),
        conflicts=tuple(conflicts),
        archived=tuple(sorted(left & open_ones)),
        empty=tuple(sorted(empty & open_ones)),
        restored=tuple(room.class_id for room in restored),
    )


def _classes_apart(
    rooms: Sequence[YearRoom], going: Sequence[Going], restored: Sequence[YearRoom]
) -> list[Conflict]:
    """A conflict for each class to be made or restored whose name is empty or already taken."""
    new = {one.target.name for one in going if one.target.class_id is None and not one.target.left}
    wanted = [("class_back", r.name) for r in restored] + [("class_name", n) for n in sorted(new)]
    taken = [room.name for room in rooms if not room.archived]
    found = []
    for code, name in wanted:
        if not name or names.is_like_one_of(name, taken):
            found.append(Conflict(code, name))
        taken.append(name)
    return found


def _going(
    room: YearRoom,
    was: MovingChild,
    wishes: Wishes,
    rooms: Mapping[int, YearRoom],
    conflicts: list[Conflict],
) -> Going:
    wish = wishes.of(room)
    repeats, leaves = was.child_id in wishes.repeats, was.child_id in wishes.leaves
    if repeats and leaves:
        conflicts.append(Conflict("both", room.name, was.name))
    if leaves or (wish.to == LEAVE and not repeats):
        # Children who leave get a new class, because other children move into their old class.
        old = room.class_id if room.left else None
        target, where = Target(old, room.name, left=True), "leaves"
    else:
        target = _target(room, wish.repeat if repeats else wish.to, wish.new, rooms)
        stays = target.class_id == room.class_id
        where = "repeats" if repeats else "stays" if stays else "moves"
    band = AGE_BANDS.index(was.age_band)
    if wishes.older and where == "moves":
        band = min(band + 1, len(AGE_BANDS) - 1)
    pupil = replace(
        was, name=names.tidy(wishes.called.get(was.child_id, was.name)), age_band=AGE_BANDS[band]
    )
    return Going(was=was, pupil=pupil, room=room, target=target, where=where, new_card=False)  # type: ignore[arg-type]


def _target(room: YearRoom, wanted: str, new: str, rooms: Mapping[int, YearRoom]) -> Target:
    if wanted == NEW:
        return Target(None, names.tidy(new))
    found = rooms.get(int(wanted)) if wanted.isdecimal() else None
    return Target((found or room).class_id, (found or room).name)


def _emptied(rooms: Sequence[YearRoom], going: Sequence[Going]) -> tuple[set[int], set[int]]:
    """The ids of the classes that lose all their children, in two sets: classes from which some
    child leaves the school, and classes from which none does."""
    in_use = {one.target.class_id for one in going if not one.target.left}
    had = {room.class_id for room in rooms if room.pupils and not room.left} - in_use
    with_leavers = {one.room.class_id for one in going if one.where == "leaves"} & had
    return with_leavers, had - with_leavers


def _seated(
    target: Target, some: Sequence[Going], rooms: Mapping[int, YearRoom], conflicts: list[Conflict]
) -> list[Going]:
    """Give each child in a class a different face; children already in the class keep theirs."""
    here = sorted(some, key=lambda one: one.room.class_id != target.class_id)
    if not target.left:
        _names_apart(target, here, conflicts)
    if len(here) > len(names.ANIMALS) * len(names.PADS):
        conflicts.append(Conflict("full", target.name))
        return here
    taken: dict[names.AnimalOnPad, int] = {}
    for one in here:
        taken.setdefault(one.was.face, one.was.child_id)
    room = rooms.get(target.class_id or 0)
    return [_with_face(one, taken, room is not None and room.code_kept) for one in here]


def _with_face(one: Going, taken: dict[names.AnimalOnPad, int], kept_code: bool) -> Going:
    face = one.was.face
    if taken[face] != one.was.child_id:
        face = names.nearest_face(taken, face) or face
        taken[face] = one.was.child_id
    pupil = replace(one.pupil, animal=face[0], pad=face[1])
    moved = one.room.class_id != one.target.class_id
    other = (face, pupil.name) != (one.was.face, one.was.name)
    new_card = other or (moved and (kept_code or one.room.code_kept))
    return replace(one, pupil=pupil, new_card=new_card and one.where != "leaves")


def _names_apart(target: Target, here: Sequence[Going], conflicts: list[Conflict]) -> None:
    seen: dict[str, Going] = {}
    for one in here:
        looks, comes = names.looks(one.pupil.name), one.room.class_id != target.class_id
        other = next((seen[look] for look in sorted(looks) if look in seen), None)
        typed = one.pupil.name != one.was.name  # no name of an earlier version stops the year
        if comes and typed and names.trouble(one.pupil.name, names.CHILD_NAME):
            conflicts.append(Conflict("odd_name", target.name, one.was.name, "", one.was.child_id))
        elif comes and other is not None:
            told = one.pupil.name, f"{other.was.name} ({other.room.name})", one.was.child_id
            conflicts.append(Conflict("name", target.name, *told))
        for look in looks:
            seen.setdefault(look, one)
