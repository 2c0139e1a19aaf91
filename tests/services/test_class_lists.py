"""A class compared with a list: each difference is proposed, and only what is ticked is done."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from sqlalchemy import select

from classroom.database import db, write_unit
from classroom.models import AuditEntry, Child, ClassTeacher, SchoolClass
from classroom.services.base import names
from classroom.services.base.errors import Refused
from classroom.services.school import class_life, class_lists, classes
from classroom.services.school.class_lists import Comparison, Ticked
from classroom.services.school.lists import columns, list_children, reading
from classroom.services.school.lists.tabular import Bundle, ListedChild, ListTable
from tests.listed import SITS_IN, TODAY, USERS, delta, oneroster
from tests.statements import sent_to
from tests.world import World

ALL = range(10_000)
KIDS = [f"Kid{one}{other}" for one in "ABCDEFG" for other in "hijklmn"]


def bundle(data: bytes | str) -> Bundle:
    found = reading.read_text(data) if isinstance(data, str) else reading.read_file(data)
    if isinstance(found, ListTable):
        return list_children.of_table(found, columns.guess(found), TODAY)
    return list_children.of_zip(found, TODAY)


def lines(data: bytes | str, room: int, at: int | None = 0) -> tuple[ListedChild, ...]:
    found = bundle(data)
    listed = found.classes[at] if at is not None and found.classes else None
    return class_lists.lines_of(room, found, listed, "4-5")


def proposed(found: Comparison) -> list[tuple[str, str]]:
    return [(one.line.name, one.what) for one in found.lines]


def children(room: int) -> list[tuple[str, str, str | None]]:
    rows = db.session.scalars(select(Child).where(Child.class_id == room).order_by(Child.id))
    return [(child.name, child.age_band, child.sourced_id) for child in rows]


@pytest.fixture
def room(world: World) -> Iterator[int]:
    """An empty class of Ms Lake."""
    with world.app.app_context():
        yield classes.make_class(world.adults["lake"], 1, "Sunfish")


LIST = "First name,Last name,Age\nMia,Smith,6\nMia,Brown,7\nBen,Gray,5\n"
SUNFISH = 1  # its place in the bundle of tests/listed.py; the classes are in order of their names


def put(data: bytes | str, room: int, at: int = 0, **ticked: object) -> int:
    found = lines(data, room, at)
    more = {"add": [line.number for line in found], "ids": True, **ticked}
    return class_lists.apply(room, found, Ticked(**more), None, class_sourced_id="c1")  # type: ignore[arg-type]


def test_a_list_fills_an_empty_class(room: int) -> None:
    assert put(LIST, room) == 4  # three children, and the id of the class
    assert children(room) == [
        ("Mia S.", "6-7", None),
        ("Mia B.", "7-9", None),
        ("Ben", "5-6", None),
    ]


@pytest.mark.parametrize(("data", "at"), [(LIST, 0), (oneroster(), SUNFISH)], ids=["csv", "zip"])
def test_an_unchanged_list_changes_no_row_even_with_everything_ticked(
    world: World, room: int, data: bytes | str, at: int
) -> None:
    put(data, room, at)
    before = world.rows()
    found = lines(data, room, at)
    compared = class_lists.compare(room, found)
    assert {one.what for one in compared.lines} == {"same"}
    assert not compared.missing
    assert not compared.shows_others
    assert put(data, room, at, rename=ALL, band=ALL) == 0
    assert world.rows() == before


def test_what_is_not_ticked_is_not_done(world: World, room: int) -> None:
    put(oneroster(), room, SUNFISH)
    before = world.rows()
    users = [("u1", "Mila", "Smith", "03"), *USERS[1:], ("u4", "Ann", "", "")]
    other = oneroster(users=users, sits_in=[("u1", "c1"), ("u4", "c1")])
    found = lines(other, room, SUNFISH)
    assert class_lists.apply(room, found, Ticked(), None) == 0
    assert world.rows() == before


def test_the_same_id_under_another_name_is_proposed_as_a_new_name(room: int) -> None:
    put(oneroster(), room, SUNFISH)
    renamed = oneroster(users=[("u1", "Mila", "Smith", "01"), *USERS[1:]])
    found = class_lists.compare(room, lines(renamed, room, SUNFISH))
    assert proposed(found) == [("Mila", "renamed"), ("Ben", "same")]
    child = found.lines[0].child
    assert child
    assert child.name == "Mia"
    assert put(renamed, room, SUNFISH, rename=[child.child_id]) == 1
    assert children(room)[0] == ("Mila", "6-7", "u1")


@pytest.mark.parametrize("typed", ["Zo{ra", "Z" * 31, "Teacher: Ms Ortiz"])
def test_one_rule_of_names_holds_for_a_child_who_is_added_listed_or_renamed(
    room: int, typed: str
) -> None:
    put(oneroster(), room, SUNFISH)
    before = children(room)
    renamed = oneroster(users=[("u1", typed, "Smith", "01"), *USERS[1:]])
    found = class_lists.compare(room, lines(renamed, room, SUNFISH))
    child = found.lines[0].child
    assert child
    calls: list[Callable[[], object]] = [
        lambda: put(renamed, room, SUNFISH, rename=[child.child_id]),
        lambda: put(f"Name\n{typed}\n", room),
        lambda: put(f"Name\nMia\n{typed}\n", room, add=(), rename=ALL),  # Ben, under a new name
        lambda: classes.add_child(room, typed),
        lambda: classes.rename_child(child.child_id, typed),
    ]
    for call in calls:
        with pytest.raises(Refused):
            call()
        assert children(room) == before


def test_one_missing_and_one_new_name_may_be_the_same_child(room: int) -> None:
    put("Jonathan\nMia\n", room)
    changed = "Jon\nMia\n"
    (new, same) = class_lists.compare(room, lines(changed, room)).lines
    assert (new.what, same.what) == ("new", "same")
    assert new.was
    assert new.was.name == "Jonathan"
    put(changed, room, rename=[new.was.child_id])
    assert [name for name, _, _ in children(room)] == ["Jon", "Mia"]


def test_two_missing_and_one_new_name_are_not_taken_for_the_same(room: int) -> None:
    put("Jonathan\nMia\nBen\n", room)
    found = class_lists.compare(room, lines("Jon\nMia\n", room))
    assert [one.was for one in found.lines] == [None, None]
    assert [child.name for child in found.missing] == ["Ben", "Jonathan"]


def test_a_missing_child_is_named_and_stays(room: int) -> None:
    put("Mia\nBen\n", room)
    assert put("Mia\nZoe\nTom\n", room) == 2
    assert [name for name, _, _ in children(room)] == ["Mia", "Ben", "Zoe", "Tom"]


def test_a_child_of_another_class_is_proposed_and_not_added(world: World, room: int) -> None:
    put(oneroster(), room, SUNFISH)
    other = classes.make_class(world.adults["lake"], 1, "Perch")
    moved = oneroster(sits_in=[("u1", "c2"), ("u3", "c2")])
    found = class_lists.compare(other, lines(moved, other, 0), world.adults["lake"])
    assert proposed(found) == [("Mia", "elsewhere"), ("Zoë", "new")]
    assert found.lines[0].child
    assert (found.lines[0].child.room, found.lines[0].child.class_id in found.taught) == (
        "Sunfish",
        True,
    )
    put(moved, other, 0)
    assert children(other) == [("Zoë", "6-7", "u3")]


def test_an_age_that_the_teacher_set_is_only_proposed_to_be_changed(room: int) -> None:
    put(LIST, room)
    with write_unit():
        ben = db.session.scalars(select(Child).where(Child.name == "Ben")).one()
        ben.age_band, ben_id = "6-7", ben.id
    found = class_lists.compare(room, lines(LIST, room))
    assert [one.has_new_band for one in found.lines] == [False, False, True]
    assert put(LIST, room) == 0
    assert put(LIST, room, band=[ben_id]) == 1
    assert children(room)[2] == ("Ben", "5-6", None)


def test_a_list_without_ages_leaves_ages_alone(room: int) -> None:
    put(LIST, room)
    found = class_lists.compare(room, lines("Mia S.\nMia B.\nBen\n", room))
    assert not any(one.has_new_band for one in found.lines)


def test_children_found_by_name_get_the_ids_of_the_list(room: int) -> None:
    put("Mia\nBen\n", room, ids=False)
    found = class_lists.compare(room, lines(oneroster(), room, SUNFISH))
    assert [one.has_new_id for one in found.lines] == [True, True]
    assert put(oneroster(), room, SUNFISH) == 2
    assert [key for _, _, key in children(room)] == ["u1", "u2"]


def test_a_child_with_another_id_is_not_taken_for_one_of_the_same_name(room: int) -> None:
    first, second = (ListedChild(1, "Mia", "", "6-7", key) for key in ("u1", "u2"))
    class_lists.apply(room, [first], Ticked(add=[1]), None)
    (other,) = class_lists.compare(room, [second]).lines
    assert (other.what, other.trouble) == ("new", "known")


def test_a_child_with_an_initial_keeps_it_when_the_other_has_left(room: int) -> None:
    put(LIST, room)
    found = class_lists.compare(room, lines("First name,Last name\nMia,Smith\n", room))
    assert proposed(found) == [("Mia S.", "same")]
    assert [child.name for child in found.missing] == ["Ben", "Mia B."]


def test_a_delta_changes_what_it_names_and_nobody_else_is_missing(room: int) -> None:
    put(oneroster(), room, SUNFISH)
    changes = delta(
        users=[("u1", "active", "Mila"), ("u9", "active", "Ann")],
        enrollments=[("active", "c1", "u9"), ("tobedeleted", "c1", "u2")],
    )
    classes.add_child(room, "Zoe")
    found = class_lists.compare(room, lines(changes, room), delta=True)
    assert proposed(found) == [("Ann", "new"), ("Mila", "renamed")]
    assert [child.name for child in found.missing] == ["Ben"]


@pytest.mark.parametrize(
    ("data", "troubles"),
    [
        ("First name,Last name\nMia,Smith\nMia,Smith\n", [None, "twice"]),
        ("Name\nBen\n" + "x" * 31, [None, "long"]),
        ("Name,Age\nBen,5\n123,6\n", [None, "odd"]),
        ("Name\n" + "\n".join(KIDS), [None] * 48 + ["full"]),
    ],
)
def test_a_line_that_cannot_be_added_says_why_and_nothing_is_added(
    world: World, room: int, data: str, troubles: list[str | None]
) -> None:
    before = world.rows()
    found = lines(data, room)
    compared = class_lists.compare(room, found)
    assert [one.trouble for one in compared.lines] == troubles
    with pytest.raises(Refused) as refused:
        class_lists.apply(room, found, Ticked(add=ALL), None)
    assert refused.value.facts["compared"] == compared
    assert world.rows() == before


@pytest.mark.parametrize(
    "typed",
    [
        "mia@home.example",
        "42",
        "!!!",
        "Teacher: Ms Ortiz",
        "<script>alert(1)</script>",
        '=HYPERLINK("x")',
        "Mia\ufffd",
    ],
)
def test_odd_lines_are_named_and_never_added(room: int, typed: str) -> None:
    found = class_lists.compare(room, lines(f"Ben\nMary Lou\nZoe\n{typed}\n", room))
    assert [one.trouble for one in found.lines] == [None, None, None, "odd"]


@pytest.mark.parametrize(
    "name", ["Zoë", "D’Angelo", "Anne-Marie", "Łucja", "محمد", "美", "Q", "Mia 2"]
)
def test_no_real_name_is_called_wrong(room: int, name: str) -> None:
    (one,) = class_lists.compare(room, lines(name, room)).lines
    assert (one.line.name, one.trouble) == (names.tidy(name), None)


def test_a_name_that_only_looks_like_another_is_the_same_name(room: int) -> None:
    put("Anna\nMia\n", room)
    typed = "Ben\n\u0410nna\nBen\u200b\n"  # the A is a Cyrillic letter
    found = class_lists.compare(room, lines(typed, room)).lines
    assert [(one.what, one.trouble, one.twin) for one in found] == [
        ("new", None, None),
        ("same", None, None),
        ("new", "twice", 1),
    ]


def test_each_child_of_a_list_costs_one_statement(room: int) -> None:
    def statements(text: str) -> int:
        with sent_to(db.engine) as found:
            put(text, room)
        return len(found)

    one = statements("Zora\n")
    assert statements("\n".join(KIDS[:40])) <= one + 39


def test_the_list_of_a_class_is_compared_quickly(room: int) -> None:
    found = lines("\n".join(f"Maximilian {at}" for at in range(10, 58)), room)
    begun = time.perf_counter()
    class_lists.compare(room, found)
    assert time.perf_counter() - begun < 0.5


def test_each_change_is_on_record_once(room: int) -> None:
    put(oneroster(), room, SUNFISH)
    count = len(db.session.scalars(select(AuditEntry)).all())
    renamed = oneroster(users=[("u1", "Mila", "Smith", "03"), *USERS[1:]])
    child = class_lists.compare(room, lines(renamed, room, SUNFISH)).lines[0].child
    assert child
    put(renamed, room, SUNFISH, rename=[child.child_id], band=[child.child_id])
    rows = db.session.scalars(select(AuditEntry).order_by(AuditEntry.id)).all()[count:]
    assert [(row.action, row.thing, row.thing_id) for row in rows] == [
        ("change", "child", child.child_id)
    ]


def test_the_class_of_a_bundle_is_found_by_its_id_then_by_its_name(room: int) -> None:
    found = bundle(oneroster())
    assert class_lists.fitting(found, room) == SUNFISH
    put(oneroster(), room, SUNFISH)
    with write_unit():
        (another,) = (one.name for at, one in enumerate(found.classes) if at != SUNFISH)
        db.session.get_one(SchoolClass, room).name = another
    assert class_lists.fitting(found, room) == SUNFISH
    other = classes.make_class(1, 1, "Carp")
    assert class_lists.fitting(found, other) is None


# ---- a whole school


def test_a_school_gets_its_classes_and_children_from_one_list(world: World, room: int) -> None:
    found = bundle(oneroster())
    admin = world.adults["admin"]
    seen = class_lists.compare_school(found, 1, "4-5")
    assert [(one.listed.name, one.class_id, one.new) for one in seen] == [
        ("Perch", None, 1),
        ("Sunfish", room, 2),
    ]
    assert class_lists.apply_school(found, (0, 1), 1, "4-5", admin) == (1, 3)
    perch = db.session.scalars(select(SchoolClass).where(SchoolClass.sourced_id == "c2")).one()
    assert (perch.name, perch.school_id) == ("Perch", 1)
    assert children(perch.id) == [("Zoë", "6-7", "u3")]
    assert db.session.get(ClassTeacher, (perch.id, admin))


def test_the_same_school_list_again_changes_no_row(world: World, room: int) -> None:
    found = bundle(oneroster())
    class_lists.apply_school(found, (0, 1), 1, "4-5", 1)
    before = world.rows()
    assert [one.same for one in class_lists.compare_school(found, 1, "4-5")] == [1, 2]
    assert class_lists.apply_school(found, (0, 1), 1, "4-5", 1) == (0, 0)
    assert world.rows() == before


def test_a_child_in_two_classes_of_a_list_is_added_to_the_first_one(room: int) -> None:
    found = bundle(oneroster(sits_in=[*SITS_IN, ("u1", "c2")]))
    assert class_lists.apply_school(found, (0, 1), 1, "4-5", 1) == (1, 3)


def test_classes_that_are_not_chosen_are_not_made(room: int) -> None:
    assert class_lists.apply_school(bundle(oneroster()), (SUNFISH,), 1, "4-5", 1) == (0, 2)


def test_a_class_that_has_ended_is_not_made(room: int) -> None:
    found = bundle(oneroster())
    ended = replace(found, classes=[replace(one, gone=True) for one in found.classes])
    assert class_lists.apply_school(ended, (0, 1), 1, "4-5", 1)[0] == 0


def test_a_list_of_the_school_puts_nobody_into_an_archived_class(room: int) -> None:
    class_life.archive(room)
    assert class_lists.apply_school(bundle(oneroster()), (SUNFISH,), 1, "4-5", 1) == (1, 2)
    assert not children(room)


def test_a_class_of_another_school_is_not_taken_for_this_one(world: World, room: int) -> None:
    found = bundle(oneroster())
    assert class_lists.apply_school(found, (SUNFISH,), 2, "4-5", world.adults["marsh"]) == (1, 2)
    assert not children(room)
