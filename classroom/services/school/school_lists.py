"""Compares all classes of a school with a bundle of lists, and adds the classes and children that
are missing.

Other changes to classes and children are not made here: class_lists proposes them to the teacher of
each class.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import select

from classroom.database import db, write_unit
from classroom.models import SchoolClass
from classroom.services.base import names
from classroom.services.school import class_lists, classes
from classroom.services.school.class_lists import Compared, Ticked
from classroom.services.school.lists.tables import Bundle, ListedClass


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedClass:
    """A class of a bundle, compared with the school's classes. `class_id`: None if it would be
    made; `new`: how many children would be added; `troubles`: the new children who could not be
    added; `others`: how many of our children are not on the list, or have another name there, or
    are in another class."""

    at: int
    listed: ListedClass
    class_id: int | None
    new: int
    same: int
    troubles: tuple[Compared, ...]
    others: int


def compare_school(bundle: Bundle, school_id: int, band: str) -> tuple[ComparedClass, ...]:
    """Compare all classes of a bundle with those of the school. Changes nothing."""
    there = _rooms(school_id)
    found = []
    for at, listed in enumerate(bundle.classes):
        class_id = _room_of(listed, there)
        lines = class_lists.lines_of(
            class_id or 0, class_lists.of_class(bundle, listed, class_id or 0), band
        )
        compared = class_lists.compare(
            class_id or 0, lines, delta=bundle.delta, school_id=school_id
        )
        new = [one for one in compared.lines if one.what == "new"]
        other = sum(one.what in ("renamed", "elsewhere") for one in compared.lines)
        found.append(
            ComparedClass(
                at=at,
                listed=listed,
                class_id=class_id,
                new=sum(one.trouble is None for one in new),
                same=sum(one.what == "same" for one in compared.lines),
                troubles=tuple(one for one in new if one.trouble),
                others=other + len(compared.missing),
            )
        )
    return tuple(found)


def apply_school(
    bundle: Bundle, chosen: Collection[int], school_id: int, band: str, by: int
) -> tuple[int, int]:
    """Make those of the chosen classes that are missing, and add the children who are missing; all
    or nothing.

    Returns how many classes and children were added. Children who are there already only get the
    ids of the list. A class without a readable name is left out.
    """
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
            lines = class_lists.lines_of(
                class_id, class_lists.of_class(bundle, listed, class_id), band
            )
            fine = class_lists.compare(class_id, lines, delta=bundle.delta).lines
            add = [one.line.number for one in fine if one.what == "new" and not one.trouble]
            ticked = Ticked(add=add, ids=True)
            new = class_lists.do_ticked(
                class_id, lines, ticked, by, bundle.delta, listed.sourced_id
            )[1]
            added.setdefault(class_id, []).extend(new)
        class_lists.note_added(school_id, added, by, made)
    return len(made), sum(map(len, added.values()))


def _rooms(school_id: int) -> list[SchoolClass]:
    query = select(SchoolClass).where(SchoolClass.school_id == school_id).order_by(SchoolClass.id)
    return list(db.session.scalars(query))


def _room_of(listed: ListedClass, there: list[SchoolClass]) -> int | None:
    """The id of our class with the same sourced id, else of the one with the same name, unless both
    have a sourced id; None if there is none."""
    key, name = listed.sourced_id, names.tidy(listed.name).casefold()
    same_id = (room.id for room in there if key and room.sourced_id == key)
    same_name = (
        room.id for room in there if room.name.casefold() == name and not (key and room.sourced_id)
    )
    return next(same_id, None) or next(same_name, None)
