"""An administrator makes the classes of a school from one list."""

from __future__ import annotations

from html import unescape

from sqlalchemy import select

from classroom.database import db
from classroom.models import Child, SchoolClass
from tests.listed import oneroster
from tests.web.test_class_list import form_of, press, upload
from tests.world import World

HERE = "/school/lists"


def rooms(world: World) -> dict[str, list[str]]:
    with world.app.app_context():
        query = select(SchoolClass.name, Child.name).outerjoin(Child).order_by(Child.id)
        found: dict[str, list[str]] = {}
        for room, child in db.session.execute(query):
            found.setdefault(room, []).append(child)
        return found


def test_classes_of_a_zip_are_shown_ticked_and_made(world: World) -> None:
    admin = world.visitor("admin")
    page = upload(admin, HERE, oneroster())
    assert "2 classes in this list" in page.text
    assert "Not kept:" in page.text
    fields = form_of(page, "apply")
    assert fields.getlist("room") == ["1", "2"]
    assert "Smith" not in fields["bundle"]
    done = press(admin, HERE, fields)
    assert "2 classes and 3 children were added" in admin.get(done.headers["Location"]).text
    assert rooms(world)["Sunfish"] == ["Mia", "Ben"]
    assert rooms(world)["Perch"] == ["Zoë"]


def test_what_is_not_ticked_is_not_made(world: World) -> None:
    admin = world.visitor("admin")
    fields = form_of(upload(admin, HERE, oneroster()), "apply")
    fields.setlist("room", ["2"])
    press(admin, HERE, fields)
    assert "Sunfish" in rooms(world)
    assert "Perch" not in rooms(world)


def test_a_table_with_a_column_of_classes_will_do(world: World) -> None:
    admin = world.visitor("admin")
    table = b"Class,First name,Last name\n1A,Zora,Hill\n1B,Tom,Gray\n"
    press(admin, HERE, form_of(upload(admin, HERE, table), "apply"))
    assert (rooms(world)["1A"], rooms(world)["1B"]) == (["Zora"], ["Tom"])


def test_only_classes_for_the_whole_day_are_ticked_where_the_list_tells_them_apart(
    world: World,
) -> None:
    classes = [("c1", "Sunfish", "homeroom"), ("c2", "Art", "scheduled")]
    page = upload(world.visitor("admin"), HERE, oneroster(classes=classes))
    fields = form_of(page, "apply")
    assert fields.getlist("room") == ["2"]  # "Art" comes first
    assert "Art" in page.text


def test_a_file_that_cannot_be_read_is_refused_in_words(world: World) -> None:
    answer = upload(world.visitor("admin"), HERE, b"%PDF \0")
    assert answer.status_code == 400
    assert "not a class list that we can read" in unescape(answer.text)


def test_children_who_would_be_left_out_are_named(world: World) -> None:
    users = [("u1", "Mia", "Smith", "01"), ("u2", "Mia", "Smith", "01")]
    page = upload(
        world.visitor("admin"), HERE, oneroster(users=users, sits_in=[("u1", "c1"), ("u2", "c1")])
    )
    assert "“Mia S.” is also on line" in unescape(page.text)
