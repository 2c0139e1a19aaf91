"""A teacher's pages: what they show, and what each form does and refuses."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from sqlalchemy import select

from classroom.database import db, write_unit
from classroom.models import AuditEntry, Child, DoorKnock, SchoolClass
from classroom.services.access import knocks, sign_in
from classroom.services.access.sessions import Who
from classroom.services.reports import overview
from classroom.services.school import classes
from tests import sample
from tests.world import PASSWORD, Visitor, World

INLINE = re.compile(r"<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)|javascript:")


@pytest.fixture
def lake(world: World) -> Visitor:
    return world.visitor("lake")


def room(world: World) -> str:
    return f"/teach/classes/{world.classes['sunfish']}"


def ben(world: World) -> str:
    return f"/teach/children/{world.children['Benquill']}"


def pages(world: World) -> list[str]:
    at, child = room(world), ben(world)
    return [
        "/teach/",
        at,
        at + "/code",
        at + "/children",
        at + "/cards",
        at + "/skills",
        child,
        child + "/missed",
        child + "/card",
        child + "/remove",
        f"/teach/rounds/{world.rounds['Benquill']}",
    ]


def actions(world: World) -> list[tuple[int | None, str, str, int | None]]:
    with world.app.app_context():
        rows = db.session.scalars(select(AuditEntry).order_by(AuditEntry.id)).all()
        return [(row.adult_id, row.action, row.thing, row.thing_id) for row in rows]


def names(world: World) -> list[str]:
    with world.app.app_context():
        return list(db.session.scalars(select(Child.name).order_by(Child.id)))


def knock(world: World, name: str, wrong: int = 0) -> None:
    with world.app.app_context():
        who = Who(kind="device", class_id=world.classes["sunfish"], device="d" * 32)
        sign_in.knock(who, world.children[name])
        with write_unit():
            db.session.scalars(select(DoorKnock)).one().tries = wrong


def tap(world: World) -> dict[str, Any]:
    """The fields that the teacher's page sends for the only device at the door."""
    with world.app.app_context():
        row = db.session.scalars(select(DoorKnock)).one()
        return {"knock": row.id, "sign": row.sign}


# ---- every page


def test_no_page_has_an_inline_style_or_script(world: World, lake: Visitor) -> None:
    for path in pages(world):
        answer = lake.get(path)
        assert answer.status_code == 200, path
        assert not INLINE.search(answer.text), path


def test_every_link_and_form_of_every_page_leads_somewhere(
    world: World, lake: Visitor, whole: bool
) -> None:
    links, forms = set[str](), set[str]()
    for path in sample.part(pages(world), 3, whole):
        text = lake.get(path).text
        for link in {*re.findall(r'<a [^>]*href="([^"#]+)', text)} - links:
            assert lake.get(unescape(link)).status_code in (200, 303), (path, link)
            links.add(link)
        for form in {*re.findall(r'<form [^>]*action="([^"]+)"', text)} - forms:
            forms.add(form)
            assert lake.client.post(form).status_code == 403, (path, form)


def test_every_page_with_a_childs_data_is_on_record(
    world: World, lake: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(overview, "SITTING_SECONDS", 0)  # so each look is noted again
    for path in pages(world)[1:]:
        before = actions(world)
        lake.get(path)
        new = actions(world)[len(before) :]
        shows_nobody = path.endswith(("/code", "/children"))  # the class code; an empty form
        assert bool(new) != shows_nobody, path
        assert all(row[0] == world.adults["lake"] for row in new)


# ---- classes


def test_a_teacher_sees_only_their_own_classes(world: World, lake: Visitor) -> None:
    text = lake.get("/teach/").text
    assert "Sunfishqroom" in text
    assert "Perchqroom" not in text
    assert "Carpqroom" not in text


def test_a_new_class_leads_to_its_list_of_children(world: World, lake: Visitor) -> None:
    answer = lake.post("/teach/classes", {"name": "Herons"})
    assert answer.status_code == 303
    assert answer.headers["Location"].endswith("/children")
    assert "Add children to Herons" in lake.get(answer.headers["Location"]).text


def test_a_class_without_a_name_is_asked_for_again_with_the_typed_text(lake: Visitor) -> None:
    answer = lake.post("/teach/classes", {"name": "…"})
    assert answer.status_code == 400
    assert 'value="…"' in answer.text
    assert "does not look like a name" in answer.text


def test_one_tap_opens_the_class_and_one_closes_it(world: World, lake: Visitor) -> None:
    lake.post(room(world) + "/close")
    assert "Sign-in is closed" in lake.get(room(world)).text
    assert "data-hx-trigger" not in lake.get(room(world)).text
    answer = lake.post(room(world) + "/open")
    assert answer.headers["Location"].endswith("?done=opened")
    text = lake.get(answer.headers["Location"]).text
    with world.app.app_context():
        code = db.session.get_one(SchoolClass, world.classes["sunfish"]).code
    assert code != "100000"
    assert " ".join(code) in text
    assert 'data-hx-trigger="every' in text


@pytest.mark.parametrize("minutes", ["0", "9999", "soon", "-5"])
def test_a_lesson_with_a_senseless_length_is_refused(
    world: World, lake: Visitor, minutes: str
) -> None:
    assert lake.post(room(world) + "/open", {"minutes": minutes}).status_code == 400


def test_the_code_for_the_board_shows_code_and_picture_and_no_child(
    world: World, lake: Visitor
) -> None:
    text = lake.get(room(world) + "/code").text
    assert '<svg aria-hidden="true" viewBox="0 0' in text
    assert 'aria-label="Class code 1 0 0 0 0 0"' in text
    assert not any(name in text for name in names(world))
    lake.post(room(world) + "/close")
    closed = lake.get(room(world) + "/code").text
    assert "Sign-in is closed" in closed
    assert 'class="qr"' not in closed


def test_the_board_has_an_address_that_tablets_reach(world: World, lake: Visitor) -> None:
    assert "works on this computer only" in " ".join(lake.get(room(world) + "/code").text.split())
    world.app.extensions["number"] = lambda: "192.168.1.20"
    for page in ("/code", "/board"):
        text = " ".join(lake.get(room(world) + page).text.split())
        assert "192.168.1.20</p>" in text
        assert "works on this computer only" not in text


def test_a_child_at_the_door_is_let_in_with_one_tap(world: World, lake: Visitor) -> None:
    knock(world, "Miaqua")
    assert "At the door" in lake.get(room(world) + "/now").text
    knock(world, "Miaqua", wrong=2)
    text = lake.get(room(world) + "/now").text
    assert "Miaqua needs help" in text
    assert "2 wrong tries" in text
    answer = lake.post(f"/teach/children/{world.children['Miaqua']}/let-in", tap(world))
    assert answer.headers["Location"].endswith("?done=let_in")
    assert "needs help" not in lake.get(room(world) + "/now").text


def test_my_classes_show_who_is_at_the_door(world: World, lake: Visitor) -> None:
    knock(world, "Miaqua")
    assert "Tap the sign if you can see Miaqua" in lake.get("/teach/").text
    fields = tap(world) | {"back": "home"}
    answer = lake.post(f"/teach/children/{world.children['Miaqua']}/let-in", fields)
    assert answer.headers["Location"] == "/teach/?done=let_in"
    assert "The child has been let in." in lake.get(answer.headers["Location"]).text
    assert "At the door" not in lake.get("/teach/").text


def test_letting_in_an_absent_child_is_refused_kindly(world: World, lake: Visitor) -> None:
    knock(world, "Benquill")
    fields = tap(world)
    with world.app.app_context(), write_unit():
        knocks.leave(DoorKnock.id == fields["knock"])
    answer = lake.post(ben(world) + "/let-in", fields)
    assert answer.status_code == 303
    assert "is no longer at the door" in lake.get(answer.headers["Location"]).text


def test_a_made_up_word_in_the_address_is_not_shown(world: World, lake: Visitor) -> None:
    text = lake.get(room(world) + "?done=<b>hacked").text
    assert "hacked" not in text
    assert text.count('role="status"') == lake.get(room(world)).text.count('role="status"')


# ---- adding


def test_one_child_is_added_with_the_chosen_animal(world: World, lake: Visitor) -> None:
    fields = {"what": "one", "name": " Lin ", "age_band": "6-7", "animal": "duck"}
    answer = lake.post(room(world) + "/children", fields)
    assert answer.headers["Location"].endswith("?done=added")
    with world.app.app_context():
        row = db.session.scalars(select(Child).where(Child.name == "Lin")).one()
        assert (row.animal, row.pad, row.age_band) == ("duck", 1, "6-7")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("", "Please type a first name"),
        ("a@b", "does not look like a name"),
        ("n" * 31, "longer than 30 letters"),
        ("BENQUILL", "already in this class"),
    ],
)
def test_a_mistake_in_a_name_is_shown_beside_it_and_kept(
    world: World, lake: Visitor, name: str, words: str
) -> None:
    before = names(world)
    fields = {"what": "one", "name": name, "age_band": "7-9", "animal": "mouse"}
    answer = lake.post(room(world) + "/children", fields)
    assert answer.status_code == 400
    assert words in answer.text
    assert 'aria-invalid="true"' in answer.text
    assert f'name="name" type="text" value="{name}"' in answer.text
    assert re.search(r'value="mouse" checked', answer.text)
    assert re.search(r'value="7-9" selected', answer.text)
    assert names(world) == before


@pytest.mark.parametrize(
    "fields", [{}, {"name": "Nia", "age_band": "3"}, {"name": "Nia", "animal": "dragon"}]
)
def test_fields_that_no_page_sends_are_refused(
    world: World, lake: Visitor, fields: dict[str, str]
) -> None:
    before = names(world)
    assert lake.post(room(world) + "/children", fields).status_code == 400
    assert names(world) == before


# ---- one child


def test_a_childs_page_lists_each_round(world: World, lake: Visitor) -> None:
    text = lake.get(ben(world)).text
    assert "Step through" in text
    assert f"/teach/rounds/{world.rounds['Benquill']}" in text
    assert "1 round on 1 day" in text
    running = lake.get(f"/teach/children/{world.children['Miaqua']}").text
    assert "Not finished" in running


def test_a_child_is_renamed(world: World, lake: Visitor) -> None:
    fields = {"name": "Benny", "age_band": "7-9", "animal": "owl"}
    answer = lake.post(ben(world) + "/rename", fields)
    text = lake.get(answer.headers["Location"]).text
    assert "<h1>Benny</h1>" in text
    assert "Saved." in text


def test_a_mistake_in_a_new_name_keeps_the_form_open_with_the_typed_text(
    world: World, lake: Visitor
) -> None:
    fields = {"name": "Miaqua", "age_band": "6-7", "animal": "cat"}
    answer = lake.post(ben(world) + "/rename", fields)
    assert answer.status_code == 400
    assert '<details class="tool" open>' in answer.text
    assert 'value="Miaqua"' in answer.text
    assert "<h1>Benquill</h1>" in answer.text


def test_new_pictures_take_two_taps_and_change_the_card(world: World, lake: Visitor) -> None:
    def card() -> list[str]:
        text = lake.get(ben(world) + "/card").text.split('class="scard__pw"')[1]
        return re.findall(r"#(q-[a-z]+)", text)

    before = card()
    assert len(before) == 4
    answer = lake.post(ben(world) + "/pictures")
    assert "old card no longer works" in lake.get(answer.headers["Location"]).text
    assert card() != before


def test_ones_own_names_are_asked_for_again_with_the_typed_text(lake: Visitor) -> None:
    fields = {"name": "", "login": "other", "password": PASSWORD}
    answer = lake.post("/account/names", fields)
    assert answer.status_code == 422
    shown = dict(re.findall(r'name="(name|login)"[^>]*? value="([^"]*)"', answer.text))
    assert shown == {"name": "", "login": "other"}


def test_all_cards_of_a_class_are_printed_by_name(world: World, lake: Visitor) -> None:
    text = lake.get(room(world) + "/cards").text
    assert re.findall(r"<b>([A-Z][a-z]+)</b></div><ol", text) == ["Benquill", "Miaqua"]
    assert text.count('class="scard__qr"') == 2
    assert "Adaquist" not in text


def test_no_child_is_moved_to_a_class_that_its_teacher_does_not_have(
    world: World, lake: Visitor
) -> None:
    mia, sunfish = world.children["Miaqua"], world.classes["sunfish"]
    answer = lake.post(f"/teach/children/{mia}/class", {"to": str(world.classes["perch"])})
    assert answer.status_code == 400
    with world.app.app_context():
        assert db.session.get_one(Child, mia).class_id == sunfish


def test_removing_a_child_first_says_what_will_be_deleted(world: World, lake: Visitor) -> None:
    page = lake.get(ben(world) + "/remove").text
    assert "1 round played without other children" in page
    assert "1 parent account with no other child here" in page
    assert "Benquill" in names(world)
    answer = lake.post(ben(world) + "/remove", {"when": "now"})
    assert answer.status_code == 303
    assert "Benquill" not in names(world)
    assert "Benquill" not in lake.get(answer.headers["Location"]).text
    assert lake.get(ben(world)).status_code == 404
    assert world.visitor("Miaqua").get("/play/").status_code == 200


def test_a_family_code_is_in_one_answer_only_and_in_no_address(world: World, lake: Visitor) -> None:
    answer = lake.post(ben(world) + "/family-code")
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "no-store"
    found = re.search(r'class="slip__c">([A-Z2-9]{4}(?:-[A-Z2-9]{4}){2})<', answer.text)
    assert found
    assert found[1] not in lake.get(ben(world)).text
    parent = world.visitor("nobody")
    fields = {"code": found[1], "name": "Ms Rush", "login": "rush2", "password": "x" * 3}
    assert parent.post("/family/join", fields).status_code == 400
    good = {**fields, "password": "nine small otters dive"}
    assert parent.post("/family/join", good).status_code == 303


def test_a_class_without_children_says_what_to_do(world: World, lake: Visitor) -> None:
    with world.app.app_context():
        made = classes.make_class(world.adults["lake"], 1, "Empty Pond")
        db.session.get_one(SchoolClass, made)
        db.session.rollback()
    assert "No children yet" in lake.get(f"/teach/classes/{made}").text
    assert "There are no children" in lake.get(f"/teach/classes/{made}/cards").text
