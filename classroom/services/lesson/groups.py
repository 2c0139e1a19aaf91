"""Groups inside a class: a child is in one of them, or in none."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import delete, select

from classroom.database import db, write_unit
from classroom.models import Child, ChildGroup, GroupMember, SchoolClass
from classroom.services.base import audit, clock, names, versions
from classroom.services.base.errors import Refused
from classroom.services.base.rows import existing, held
from classroom.services.lesson.open_tables import Friend, face_of

MOST: Final = 12  # groups of one class
LONGEST: Final = 30  # most letters in a group's name
NEW: Final = -1  # stands for the group that is being added


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """A group. `children`: the ids of its members."""

    group_id: int
    class_id: int
    name: str
    children: tuple[int, ...]


def of_class(class_id: int) -> tuple[Group, ...]:
    """The groups of a class, oldest first."""
    rows = db.session.scalars(
        select(ChildGroup).where(ChildGroup.class_id == class_id).order_by(ChildGroup.id)
    ).all()
    members = _members([row.id for row in rows])
    return tuple(_group(row, members) for row in rows)


def find(group_id: int) -> Group:
    """A group. Raises NotFound."""
    return _group(existing(ChildGroup, group_id), _members([group_id]))


def friends_of(group: Group) -> tuple[Friend, ...]:
    """The children of a group by name."""
    rows = db.session.scalars(select(Child).where(Child.id.in_(group.children)))
    return tuple(map(face_of, sorted(rows, key=lambda row: names.order(row.name, row.id))))


def change(
    class_id: int,
    places: Mapping[int, int | None],
    new: str = "",
    gone: Collection[int] = (),
    by: int | None = None,
    version: str = "",
) -> None:
    """Add a group called `new` if it is not "", put children into groups, and remove groups.

    `places`: for each child the group, NEW, or None for no group. Children and groups of other
    classes are left out. Raises Refused: group_name, group_name_known, groups_full; Changed.
    """
    with write_unit():
        held(SchoolClass, class_id)
        versions.check(version, of_class(class_id))
        added = _add(class_id, new) if new else None
        ours = set(db.session.scalars(select(Child.id).where(Child.class_id == class_id)))
        known = {one.group_id for one in of_class(class_id)}
        moved = {child: group for child, group in places.items() if child in ours}
        db.session.execute(delete(GroupMember).where(GroupMember.child_id.in_(moved)))
        for child, group in moved.items():
            group = added if group == NEW else group
            if group in known:
                db.session.add(GroupMember(child_id=child, group_id=group))
        db.session.flush()
        db.session.execute(delete(ChildGroup).where(ChildGroup.id.in_(known & set(gone))))
        audit.record(by, "groups", "class", class_id)


def together(class_id: int, children: Sequence[int]) -> list[list[int]]:
    """Split these children by group; those in none come last, together."""
    found = [[c for c in children if c in one.children] for one in of_class(class_id)]
    grouped = {child for group in found for child in group}
    return [group for group in (*found, [c for c in children if c not in grouped]) if group]


def _group(row: ChildGroup, members: Mapping[int, Sequence[int]]) -> Group:
    children = tuple(members.get(row.id, ()))
    return Group(group_id=row.id, class_id=row.class_id, name=row.name, children=children)


def _members(groups: Sequence[int]) -> dict[int, list[int]]:
    rows = db.session.execute(
        select(GroupMember.group_id, GroupMember.child_id)
        .join(ChildGroup, ChildGroup.id == GroupMember.group_id)
        .join(Child, Child.id == GroupMember.child_id)
        .where(
            GroupMember.group_id.in_(groups),
            Child.class_id == ChildGroup.class_id,  # the child may be in another class by now
        )
        .order_by(GroupMember.child_id)
    )
    found: dict[int, list[int]] = {}
    for group, child in rows:
        found.setdefault(group, []).append(child)
    return found


def _add(class_id: int, name: str) -> int:
    name, groups = names.tidy(name), of_class(class_id)
    if names.trouble(name, LONGEST, digits=True):
        raise Refused("group_name")
    if names.is_like_one_of(name, (one.name for one in groups)):
        raise Refused("group_name_known", name=name)
    if len(groups) >= MOST:
        raise Refused("groups_full", most=MOST)
    row = ChildGroup(class_id=class_id, name=name, created_at=clock.now())
    db.session.add(row)
    db.session.flush()
    return row.id
