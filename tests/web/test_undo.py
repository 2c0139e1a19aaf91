"""The pages on which a child leaves, is removed or merged, and comes back; and the button that
undoes a list."""

from __future__ import annotations

from html import unescape

import pytest
from sqlalchemy import select

from classroom.database import db
from classroom.models import Child, YearChange
from classroom.services.school import class_life
from classroom.services.table import matches
from tests.listed import oneroster
from tests.web.page_forms import forms_of
from tests.web.test_class_list import form_of, press, upload
from tests.world import Visitor, World


@pytest.fixture
def lake(world: World) -> Visitor:
    return world.visitor("lake")


def room(world: World) -> str:
    return f"/teach/classes/{world.classes['sunfish']}"


def ben(world: World) -> str:
    return f"/teach/children/{world.children['Benquill']}"


def here(world: World) -> set[str]:
    with world.app.app_context():
        query = select(Child.name).where(Child.class_id == world.classes["sunfish"])
        return set(db.session.scalars(query))


def change(world: World) -> int:
    with world.app.app_context():
        return db.session.scalars(select(YearChange.id)).one()


@pytest.mark.parametrize(
    ("path", "fields", "said"),
    [
        ("/left", {}, "Benquill left the school on"),
        ("/remove", {"when": "later"}, "Benquill was removed on"),
    ],
)
def test_a_child_goes_and_comes_back_with_one_tap(
    world: World, lake: Visitor, path: str, fields: dict[str, str], said: str
) -> None:
    before = here(world)
    answer = lake.post(ben(world) + path, fields)
    page = lake.get(answer.headers["Location"])
    assert "undo this below for 30 days" in page.text
    assert said in unescape(page.text)
    assert "Benquill" not in here(world)
    answer = lake.post(room(world) + "/undo", {"change": change(world)})
    page = lake.get(answer.headers["Location"])
    assert "Undone: the child is back" in page.text
    assert here(world) == before
    assert lake.post(room(world) + "/undo", {"change": 1}).status_code == 404


def test_the_page_of_removal_offers_both_and_in_the_archive_only_one(
    world: World, lake: Visitor
) -> None:
    page = lake.get(ben(world) + "/remove").text
    assert [f'value="{when}"' in page for when in ("later", "now")] == [True, True]
    with world.app.app_context():
        class_life.archive(world.classes["sunfish"])
    page = lake.get(ben(world) + "/remove").text
    assert [f'value="{when}"' in page for when in ("later", "now")] == [False, True]
    assert lake.post(ben(world) + "/remove").status_code == 303
    assert "Benquill" not in here(world)


def test_why_a_child_cannot_come_back_is_said_on_the_page(world: World, lake: Visitor) -> None:
    lake.post(ben(world) + "/left")
    lake.post(room(world) + "/children", {"name": "Benquill", "age_band": "4-5"})
    answer = lake.post(room(world) + "/undo", {"change": change(world)})
    assert answer.status_code == 409
    assert "is called Benquill now" in unescape(answer.text)


def test_a_substitute_is_offered_no_undo(world: World, lake: Visitor) -> None:
    lake.post(ben(world) + "/left")
    assert "/undo" in lake.get(room(world)).text
    assert "/undo" not in world.visitor("eddy").get(room(world)).text


@pytest.mark.parametrize("way", ["paste", "file"])
def test_a_list_is_undone_and_who_has_played_stays(world: World, lake: Visitor, way: str) -> None:
    before = here(world)
    if way == "paste":
        sent = lake.post(room(world) + "/list", {"step": "read", "list": "Nia\nOle\nPia"})
    else:
        sent = upload(lake, room(world) + "/list", b"First name\nNia\nOle\nPia\n")
    answer = press(lake, room(world) + "/list", form_of(sent, "apply"))
    page = lake.get(answer.headers["Location"])
    assert "3 children were added from a list." in page.text
    assert "Print the cards" in page.text
    with world.app.app_context():
        ole = db.session.scalars(select(Child.id).where(Child.name == "Ole")).one()
        matches.start_match(ole)
    answer = lake.post(room(world) + "/undo", {"change": change(world)})
    page = unescape(lake.get(answer.headers["Location"]).text)
    assert (
        "2 children from the list were removed again. 1 child has played since then "
        "and stays in the class." in page
    )
    assert here(world) == {*before, "Ole"}


def test_an_administrator_undoes_the_classes_of_a_list(world: World) -> None:
    admin, path = world.visitor("admin"), "/school/lists"
    before = len(world.rows()["classes"])
    done = press(admin, path, form_of(upload(admin, path, oneroster()), "apply"))
    page = admin.get(done.headers["Location"])
    assert "3 children were added from a list." in page.text
    assert "print the sign-in cards" in page.text
    (form,) = (form for form in forms_of(page.text) if ("step", "undo") in form.fields)
    done = admin.client.post(path, data=form.sent())
    assert "3 children from the list were removed again" in admin.get(done.headers["Location"]).text
    assert len(world.rows()["classes"]) == before
