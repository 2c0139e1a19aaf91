"""Classes: making, opening and closing them, and their children's names, faces and pictures.

`by` is the adult who makes a change, for the audit log; None for the program itself.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import delete, func, select, update

from classroom.database import db, write_unit
from classroom.learning.skills import AGE_BANDS
from classroom.models import (
    Adult,
    AuditEntry,
    Child,
    ClassTeacher,
    DoorKnock,
    Player,
    School,
    SchoolClass,
)
from classroom.services.access import sessions, sign_in
from classroom.services.base import (
    audit,
    budgets,
    clock,
    limits,
    names,
    notices,
    secrets_,
    security_log,
    tombstones,
)
from classroom.services.base.errors import Refused
from classroom.services.base.names import ChildFace
from classroom.services.base.rows import check_version, existing, held, is_there
from classroom.services.lesson import lessons
from classroom.services.school import class_life

FIRST: Final = "en"
SECOND: Final = "es"  # the other language that a child may be given

# ---- Printed sign-in cards: a child's face, name and pictures, and the class code if it is kept


@dataclass(frozen=True, slots=True, kw_only=True)
class SignInCard(ChildFace):
    """The content of one printed card. Guard it like a key: it opens the child's account. `code`:
    the class code if the class keeps one, else "", because other codes last for one lesson only.
    `number`: goes up by one each time the child gets new pictures. `printed`: when the card was
    printed. `language`: the language of the child's family."""

    pictures: tuple[str, ...]
    class_name: str
    code: str
    number: int
    printed: float
    language: str


def sign_in_cards(
    class_id: int, by: int | None = None, only: Collection[int] | None = None
) -> tuple[SignInCard, ...]:
    """The sign-in cards of the children in the class, sorted by name. `only`: make cards for these
    children only. Adds to the audit log."""
    with write_unit():
        audit.record(by, "cards", "class", class_id)
    children = names.children_of(class_id)
    return tuple(_card(child) for child in children if only is None or child.id in only)


def sign_in_card(child_id: int, by: int | None = None) -> SignInCard:
    """The sign-in card of one child. Adds to the audit log. Raises NotFound."""
    with write_unit():
        audit.record(by, "cards", "child", child_id)
    return _card(existing(Child, child_id))


def _card(child: Child) -> SignInCard:
    room = child.school_class
    return SignInCard(
        *names.face(child),
        pictures=sign_in.pictures_of(child),
        class_name=room.name,
        code=room.code if room.code_kept else "",
        number=child.pictures_version,
        printed=clock.now(),
        language=SECOND if child.language else FIRST,
    )


# ---- making a class

LESSON_MINUTES: Final = 60
LONGEST_LESSON: Final = 240
MOST_CHILDREN: Final = len(names.ANIMALS) * len(names.PADS)


def make_class(adult_id: int, school_id: int, name: str) -> int:
    """Make a class that is closed at first and taught by this adult; returns its id."""
    with write_unit():
        return put_class(adult_id, school_id, class_life.checked_name(name, school_id))


def put_class(adult_id: int, school_id: int, name: str, sourced_id: str | None = None) -> int:
    """Make a class with a checked name, taught by this adult, in a write unit; returns its id."""
    row = add_class(school_id, name, (adult_id,), sourced_id)
    audit.record(adult_id, "make", "class", row.id)
    security_log.note("class_made", class_id=row.id)
    return row.id


def add_class(
    school_id: int, name: str, teachers: Iterable[int], sourced_id: str | None = None
) -> SchoolClass:
    """Add a class that ends with the school's year. Call this within a write unit."""
    limits.check("classes")
    end = class_life.year_end(db.session.get_one(School, school_id).year_end)
    row = SchoolClass(
        school_id=school_id,
        name=name,
        code=_free_code(),
        created_at=clock.now(),
        ends_day=end,
        sourced_id=sourced_id,
    )
    db.session.add(row)
    db.session.flush()
    db.session.add_all(
        ClassTeacher(class_id=row.id, adult_id=one, since=clock.now()) for one in teachers
    )
    db.session.flush()
    return row


# ---- opening and closing


def open_class(class_id: int, minutes: int = LESSON_MINUTES, by: int | None = None) -> float:
    """Let children sign in for this many minutes from now, at most LONGEST_LESSON; returns the time
    at which sign-in ends. A closed class gets a new code, unless it keeps its code. In an open
    class the time starts again. In both cases, wrong pictures that were tapped on devices in this
    class are forgiven. Raises NotFound, NotNow("class_archived")."""
    until = clock.now() + 60 * max(1, min(minutes, LONGEST_LESSON))
    with write_unit():
        room = existing(SchoolClass, class_id)
        class_life.must_be_open_to_change(room)
        if not sign_in.is_open(room):
            lessons.begin(room)
            if not room.code_kept:
                room.code = _free_code()
            # Sign out the devices of the last lesson, unless that lesson has only just ended.
            if (room.opened_until or 0.0) + sessions.CLASS_GRACE <= clock.now():
                sessions.end_all(class_id=room.id)
        room.opened_until = until
        budgets.forgive_class(class_id)
        audit.record(by, "open", "class", class_id)
        security_log.note("class_opened", class_id=class_id)
    notices.friends(class_id)
    return until


def begin_outline(class_id: int, key: str, by: int | None = None) -> tuple[int, ...]:
    """Open the class if it is closed, then call `lessons.begin_outline`. Raises NotFound."""
    if not sign_in.is_open(existing(SchoolClass, class_id)):
        open_class(class_id, by=by)
    return lessons.begin_outline(class_id, key, by)


def new_code(class_id: int, keep: bool, by: int | None = None) -> None:
    """Replace the class code at once. The new code has eight digits if the class keeps it, or six
    if it is for this lesson only. Devices that are signed in to the class stay signed in."""
    with write_unit():
        room = existing(SchoolClass, class_id)
        room.code, room.code_kept = _free_code(keep), keep
        room.code_made_at = clock.now() if keep else None
        audit.record(by, "code", "class", class_id)
        security_log.note("class_code_made", class_id=class_id)
    notices.friends(class_id)


def trust_new_devices(class_id: int, by: int | None = None) -> None:
    """Forgive wrong pictures tapped on new devices, so that pictures work there again today."""
    with write_unit():
        existing(SchoolClass, class_id)
        budgets.forgive_class(class_id, new_devices=True)
        audit.record(by, "new_devices", "class", class_id)
        security_log.note("new_devices_forgiven", class_id=class_id)


def close_class(class_id: int, by: int | None = None) -> None:
    """Close the class at once, and sign out all of its devices and the children on them."""
    with write_unit():
        class_life.close(existing(SchoolClass, class_id))
        audit.record(by, "close", "class", class_id)
        security_log.note("class_closed", class_id=class_id)
    notices.tables(class_id)


# ---- children, their names, languages, faces and pictures


def add_child(
    class_id: int,
    name: str,
    animal: str | None = None,
    age_band: str = AGE_BANDS[0],
    by: int | None = None,
) -> int:
    """Add a child with a face that is free in the class; returns the child's id. `animal`: the
    animal of the face, on any free pad. Raises NotFound, NotNow("class_archived") and Refused, for
    instance `animal_full` if the animal is taken on all four pads."""
    name = checked_name(name)
    if age_band not in AGE_BANDS:
        raise Refused("age_band")
    with write_unit():
        class_life.must_be_open_to_change(existing(SchoolClass, class_id))
        not_twice(class_id, name)
        return put_in(class_id, [(name, age_band, None)], by, animal)[0]


def rename_child(
    child_id: int,
    name: str,
    age_band: str | None = None,
    animal: str | None = None,
    by: int | None = None,
    version: str = "",
    second: str | None = None,
) -> None:
    """Change the child's name and, if given, the age band, animal or second language. The child's
    tables show the change too. Raises Refused, NotFound, Changed."""
    name = checked_name(name)
    if age_band is not None and age_band not in AGE_BANDS:
        raise Refused("age_band")
    with write_unit():
        child = held(Child, child_id)
        check_version(version, details(child_id))
        if not names.is_like_one_of(name, [child.name]):
            not_twice(child.class_id, name)
        child.name = name
        child.age_band = age_band or child.age_band
        if animal not in (None, "", child.animal):
            child.animal, child.pad = _free_face(faces(child.class_id), animal)
        if second is not None:
            _give_language(child, second)
        show_at_tables(child)
        audit.record(by, "change", "child", child_id)


def details(child_id: int) -> tuple[str, str, str, str]:
    """The child's name, age band, animal and second language, if any. Raises NotFound."""
    child = existing(Child, child_id)
    return child.name, child.age_band, child.animal, SECOND if child.language else ""


def give_language(child_id: int, second: str, by: int | None = None) -> None:
    """Give the child a second language; "" takes it away. Raises NotFound."""
    with write_unit():
        _give_language(held(Child, child_id), second)
        audit.record(by, "change", "child", child_id)


def _give_language(child: Child, second: str) -> None:
    if bool(second) != bool(child.language):
        child.language = second or None


def home_languages(class_id: int) -> dict[int, str]:
    """For each child in the class, the language of printed pages for the child and the family: the
    child's second language if there is one, else the first."""
    rows = db.session.execute(select(Child.id, Child.language).where(Child.class_id == class_id))
    return {row.id: SECOND if row.language else FIRST for row in rows}


def speak(child_id: int, language: str) -> None:
    """Switch the child's pages to this language. Does nothing for a child without a second language
    or for an unknown language. Raises NotFound."""
    with write_unit():
        child = held(Child, child_id)
        if child.language and language in (FIRST, SECOND):
            child.language = language


def offered_faces(class_id: int) -> tuple[names.AnimalOnPad, ...]:
    """Every animal with its next free pad (0 if there is none). The first face is the default."""
    taken = faces(class_id)
    found = [names.free_face(taken, animal) or (animal, 0) for animal in names.ANIMALS]
    first = names.free_face(taken)
    return tuple(sorted(found, key=lambda face: face != first))


def reset_pictures(child_id: int, by: int | None = None) -> None:
    """Replace the child's four pictures, and sign the child out. Raises NotFound."""
    with write_unit():
        _give_pictures(existing(Child, child_id), by)


def reset_all_pictures(class_id: int, by: int | None = None) -> None:
    """Replace the four pictures of every child in the class, and sign these children out."""
    with write_unit():
        audit.record(by, "pictures", "class", class_id)
        for child in names.children_of(class_id):
            _give_pictures(child, by)


def know_old_pictures(class_id: int) -> bool:
    """Whether a substitute could still know the pictures of this class: the substitute's account
    has ended, and the pictures of the whole class have not been replaced since."""
    ended = db.session.scalar(
        select(func.max(Adult.ends_at))
        .join(ClassTeacher, ClassTeacher.adult_id == Adult.id)
        .where(ClassTeacher.class_id == class_id, Adult.ends_at <= clock.now())
    )
    if ended is None:
        return False
    changed = select(AuditEntry.id).where(
        AuditEntry.thing == "class",
        AuditEntry.thing_id == class_id,
        AuditEntry.action == "pictures",
        AuditEntry.at >= ended,
    )
    return not is_there(changed)


# ---- functions to call within a write unit


def _give_pictures(child: Child, by: int | None) -> None:
    child.pictures_version += 1
    tombstones.note_child("pictures", child, child.pictures_version)
    sessions.end_all(child_id=child.id)
    budgets.forgive_child(child.id)
    db.session.execute(delete(DoorKnock).where(DoorKnock.child_id == child.id))
    audit.record(by, "pictures", "child", child.id)
    security_log.note("pictures_reset", child_id=child.id)


def _free_code(kept: bool = False) -> str:
    while True:
        code = secrets_.class_code(kept)
        if db.session.scalar(select(SchoolClass.id).where(SchoolClass.code == code)) is None:
            return code


def checked_name(name: str) -> str:
    """Tidy the name of a child. Raises Refused if the name is empty, too long or unreadable."""
    name = names.tidy(name)
    if problem := names.trouble(name, names.CHILD_NAME):
        raise Refused("child_name_" + problem)
    return name


def not_twice(class_id: int, name: str, but: int = 0) -> None:
    """Raise Refused("child_name_known") if a child in the class, other than `but`, has a name that
    looks like `name`."""
    others = select(Child.name).where(Child.class_id == class_id, Child.id != but)
    if names.is_like_one_of(name, db.session.scalars(others)):
        raise Refused("child_name_known", name=name)


def faces(class_id: int) -> set[names.AnimalOnPad]:
    rows = select(Child.animal, Child.pad).where(Child.class_id == class_id)
    return {(animal, pad) for animal, pad in db.session.execute(rows)}


def _free_face(taken: set[names.AnimalOnPad], animal: str | None) -> names.AnimalOnPad:
    face = names.free_face(taken, animal or None)
    if face is None:
        raise Refused("animal_full" if animal else "class_full", most=MOST_CHILDREN)
    return face


def put_in(
    class_id: int,
    children: Sequence[tuple[str, str, str | None]],
    by: int | None,
    animal: str | None = None,
) -> list[int]:
    """Add children whose names have been checked; returns their ids. `children`: each child's name,
    age band and id in the school's own system. Call this within a write unit."""
    limits.check("children", len(children))
    taken, rows = faces(class_id), []
    for name, age_band, sourced_id in children:
        face = _free_face(taken, animal)
        taken.add(face)
        rows.append(
            Child(
                class_id=class_id,
                name=name,
                animal=face[0],
                pad=face[1],
                age_band=age_band,
                created_at=clock.now(),
                sourced_id=sourced_id,
            )
        )
    db.session.add_all(rows)
    db.session.flush()
    added = [row.id for row in rows]
    audit.record(by, "add", "child", *added)
    return added


def show_at_tables(child: Child) -> None:
    """Show the child's current name and face at all the child's tables; call it in a write unit."""
    db.session.execute(
        update(Player)
        .where(Player.child_id == child.id)
        .values(name=child.name, animal=child.animal, pad=child.pad)
    )
