"""The pages of the school year, of keeping and of a class's life, as browsers use them."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from sqlalchemy import select

from classroom.database import db, write_unit
from classroom.models import Child, ClassTeacher, School, SchoolClass
from classroom.services.base import clock
from classroom.services.operation import retention
from classroom.services.school import class_life, classes
from tests.listed import add_list
from tests.world import Visitor, World, same

NOON = 1_790_000_000.0


@pytest.fixture
def admin(world: World) -> Iterator[Visitor]:
    with clock.clock_at(NOON):
        yield world.visitor("admin")


def form(world: World, **more: str | list[str]) -> dict[str, str | list[str]]:
    """The fields of the form: the children of Sunfish move to Perch, and those of Perch stay."""
    sunfish, perch = world.classes["sunfish"], world.classes["perch"]
    return {"what": "look", f"to_{sunfish}": str(perch), f"to_{perch}": "stay", **more}


def sealed(text: str) -> str:
    found = re.search(r'name="seal" value="([0-9a-f]{32})"', text)
    assert found
    return found[1]


def class_of(world: World, name: str) -> int:
    with world.app.app_context():
        found = db.session.scalar(select(Child.class_id).where(Child.name == name))
        db.session.rollback()
    assert found is not None
    return found


def test_the_form_is_looked_at_carried_out_and_undone(world: World, admin: Visitor) -> None:
    page = admin.get("/school/year").text
    assert "Miaqua" in page
    assert "Zedquorn" not in page, "a child of another school"
    looked = admin.post("/school/year", form(world))
    assert looked.status_code == 200
    assert class_of(world, "Miaqua") == world.classes["sunfish"], "only looked at"
    done = admin.post("/school/year", form(world, what="apply", seal=sealed(looked.text)))
    assert done.headers["Location"].endswith("/school/year?done=applied")
    assert class_of(world, "Miaqua") == world.classes["perch"]
    change = re.search(r'name="change" value="(\d+)"', admin.get("/school/year").text)
    assert change
    assert admin.post("/school/year/undo", {"change": change[1]}).status_code == 303
    assert class_of(world, "Miaqua") == world.classes["sunfish"]
    assert admin.post("/school/year/undo", {"change": change[1]}).status_code == 404


def moved_with(world: World, admin: Visitor, before: int, after: int) -> str:
    """Let a class of `before` children move to a class to be made, and `after` others come; returns
    the number of the change."""
    sunfish, perch = world.classes["sunfish"], world.classes["perch"]
    with world.app.app_context():
        here = len(db.session.scalars(select(Child.id).where(Child.class_id == sunfish)).all())
        add_list(sunfish, named("Old", before - here))
    on = {f"to_{sunfish}": "new", f"new_{sunfish}": "Herons", f"to_{perch}": "stay"}
    looked = admin.post("/school/year", form(world, **on))
    admin.post("/school/year", form(world, **on, what="apply", seal=sealed(looked.text)))
    with world.app.app_context():
        add_list(sunfish, named("New", after))
    change = re.search(r'name="change" value="(\d+)"', admin.get("/school/year").text)
    assert change
    return change[1]


def named(first: str, many: int) -> str:
    return "\n".join(f"{first} {chr(65 + at // 26)}{chr(97 + at % 26)}" for at in range(many))


def test_an_undoing_without_room_is_refused_in_one_sentence(world: World, admin: Visitor) -> None:
    change = moved_with(world, admin, 24, 25)
    refused = admin.post("/school/year/undo", {"change": change})
    assert refused.status_code == 409
    assert "This cannot be undone: there is not enough room in Sunfishqroom" in refused.text
    assert f'name="change" value="{change}"' in refused.text, "it can be tried again"
    assert class_of(world, "Miaqua") not in world.classes.values()


def test_cards_that_an_undoing_made_wrong_are_offered(world: World, admin: Visitor) -> None:
    change = moved_with(world, admin, 20, 20)
    undone = admin.post("/school/year/undo", {"change": change}, follow_redirects=True)
    assert "Some need new sign-in cards" in undone.text
    lake, sunfish = world.visitor("lake"), world.classes["sunfish"]
    page = lake.get(f"/teach/classes/{sunfish}").text
    found = re.search(r"(\d+) children need new sign-in cards", page)
    assert found
    printed = lake.get(f"/teach/classes/{sunfish}/cards?which=new").text
    assert printed.count('class="scard"') == int(found[1]) > 0
    assert "Undo it" not in admin.get("/school/year").text


def test_only_exceptions_are_ticked(world: World, admin: Visitor) -> None:
    mia, ben = (str(world.children[name]) for name in ("Miaqua", "Benquill"))
    ticked = form(world, repeats=mia, leaves=ben)
    looked = admin.post("/school/year", ticked)
    admin.post("/school/year", {**ticked, "what": "apply", "seal": sealed(looked.text)})
    assert class_of(world, "Miaqua") == world.classes["sunfish"]
    left = class_of(world, "Benquill")
    assert left not in world.classes.values()
    assert "Miaqua" in admin.get("/school/year").text
    assert "Benquill" not in admin.get("/school/year").text, "has left"


def test_the_preview_names_the_classes_that_lose_their_children(
    world: World, admin: Visitor
) -> None:
    sunfish, perch = world.classes["sunfish"], world.classes["perch"]
    leave = {f"to_{sunfish}": "leave", f"to_{perch}": "leave"}
    for sent, said in (
        ({}, "Empty afterwards, ready for new children: <b>Sunfishqroom</b>"),
        (leave, "These will be archived: <b>Sunfishqroom, Perchqroom</b>"),
    ):
        looked = admin.post("/school/year", form(world, **sent)).text
        assert said in " ".join(looked.split())


def test_a_conflict_is_named_and_settled_in_the_form(world: World, admin: Visitor) -> None:
    with world.app.app_context():
        classes.add_child(world.classes["perch"], "Miaqua")
    mia = world.children["Miaqua"]
    looked = admin.post("/school/year", form(world)).text
    assert "would be in the same class" in looked
    assert f'name="called_{mia}"' in looked
    assert "Begin the new school year" not in looked
    named: dict[str, str | list[str]] = {f"called_{mia}": "Miaqua B."}
    again = admin.post("/school/year", {**form(world), **named})
    kept = re.search(rf'type="hidden" name="called_{mia}" value="([^"]*)"', again.text)
    assert kept
    assert kept[1] == "Miaqua B."
    apply = {**form(world, what="apply", seal=sealed(again.text)), **named}
    assert admin.post("/school/year", apply).status_code == 303
    assert class_of(world, "Miaqua B.") == world.classes["perch"]


def test_a_class_whose_name_was_taken_stays_in_the_archive(world: World, admin: Visitor) -> None:
    sunfish, lake = world.classes["sunfish"], world.adults["lake"]
    with world.app.app_context():
        class_life.archive(sunfish)
        classes.make_class(lake, 1, "Sunfishqroom")
    looked = admin.post("/school/year", form(world, **{f"to_{sunfish}": "stay"}))
    assert "Sunfishqroom would come back from the archive" in looked.text
    assert "Begin the new school year" not in looked.text


def test_a_school_that_changed_since_is_shown_again(world: World, admin: Visitor) -> None:
    looked = admin.post("/school/year", form(world))
    with world.app.app_context():
        classes.add_child(world.classes["sunfish"], "Nia")
    answer = admin.post("/school/year", form(world, what="apply", seal=sealed(looked.text)))
    assert answer.status_code == 409
    assert "Something has changed since you opened this page" in answer.text
    assert "Nia" in answer.text
    assert class_of(world, "Miaqua") == world.classes["sunfish"]


def test_the_end_of_the_school_year_is_set(world: World, admin: Visitor) -> None:
    sent = {"what": "end", "month": "6", "day": "30"}
    assert admin.post("/school/year", sent).status_code == 303
    refused = admin.post("/school/year", {**sent, "day": "31"})
    assert refused.status_code == 400
    assert "There is no such date. Please choose another one." in refused.text
    with world.app.app_context():
        assert db.session.get_one(School, 1).year_end == "06-30"


def test_periods_out_of_bounds_are_answered_beside_their_field(
    world: World, admin: Visitor
) -> None:
    good = {"keep_moves": "45", "keep_archived": "90", "keep_audit": "400", "keep_copies": "30"}
    refused = admin.post("/school/keeping", {**good, "keep_archived": "3650"})
    assert refused.status_code == 400
    assert "Please type a whole number from 30 to 365." in refused.text
    assert 'value="3650"' in refused.text
    assert admin.post("/school/keeping", good).status_code == 303
    for page in ("/school/keeping", "/privacy"):
        assert "45" in admin.get(page).text
    assert "45 days. A school can choose any number from 30 to 400." in admin.get("/privacy").text


def test_an_administrator_moves_a_child_of_the_school_only(world: World, admin: Visitor) -> None:
    sunfish, perch = world.classes["sunfish"], world.classes["perch"]
    page = admin.get(f"/school/class?from={sunfish}").text
    assert "Miaqua" in page
    assert "Zedquorn" not in admin.get(f"/school/class?from={world.classes['carp']}").text
    sent = {"from": sunfish, "child": world.children["Zedquorn"], "to": perch}
    admin.post("/school/class", sent)
    assert class_of(world, "Zedquorn") == world.classes["carp"]
    assert admin.post("/school/class", {**sent, "child": world.children["Miaqua"]})
    assert class_of(world, "Miaqua") == perch


# ---- a teacher


def test_an_archived_class_is_read_only(world: World) -> None:
    lake, sunfish = world.visitor("lake"), world.classes["sunfish"]
    assert lake.post(f"/teach/classes/{sunfish}/archive").status_code == 303
    for path in ("", "/skills", "/about", "/delete", "/skills.csv"):
        assert lake.get(f"/teach/classes/{sunfish}{path}").status_code == 200, path
    mia = world.children["Miaqua"]
    changes = [f"classes/{sunfish}/{what}" for what in ("open", "code", "children", "rename")]
    group = world.groups["sunfish"]
    for path in [
        *changes,
        f"children/{mia}/pictures",
        f"children/{mia}/family-code",
        f"classes/{sunfish}/groups",
        f"groups/{group}/play",
        f"groups/{group}/questions",
    ]:
        refused = lake.post(f"/teach/{path}", {"keep": "1", "name": "Nia"})
        assert refused.status_code == 409, path
        assert "This class is in the archive" in refused.text
    home = lake.get("/teach/").text
    assert "1 class in the archive" in home
    assert lake.post(f"/teach/classes/{sunfish}/restore").status_code == 303
    assert lake.post(f"/teach/children/{mia}/pictures").status_code == 303


def test_a_deleted_class_is_gone_with_its_children(world: World) -> None:
    lake, sunfish = world.visitor("lake"), world.classes["sunfish"]
    assert lake.post(f"/teach/classes/{sunfish}/delete").status_code == 409
    lake.post(f"/teach/classes/{sunfish}/archive")
    page = lake.get(f"/teach/classes/{sunfish}/delete").text
    for words in ("2 children", "3 rounds", "2 parent accounts"):
        assert words in page, words
    assert lake.post(f"/teach/classes/{sunfish}/delete").status_code == 303
    assert lake.get(f"/teach/classes/{sunfish}").status_code == 404
    assert lake.get(f"/teach/children/{world.children['Miaqua']}").status_code == 404
    with world.app.app_context():
        assert db.session.get(SchoolClass, sunfish) is None


def test_a_class_says_when_it_ends(world: World) -> None:
    lake, sunfish = world.visitor("lake"), world.classes["sunfish"]
    for days, words in ((40, None), (20, "in 20 days"), (1, "in 1 day.")):
        with world.app.app_context():
            class_life.set_end(sunfish, clock.day() + days)
        page = lake.get(f"/teach/classes/{sunfish}").text
        assert ("This class ends on" in page) is (words is not None)
        assert (words or "") in page
    refused = lake.post(f"/teach/classes/{sunfish}/end", {"ends": "31.7.2027"})
    assert refused.status_code == 400
    assert "Please choose a day from today" in refused.text


def test_a_taken_name_is_answered_beside_the_field(world: World) -> None:
    lake, sunfish = world.visitor("lake"), world.classes["sunfish"]
    for path in ("classes", f"classes/{sunfish}/rename"):
        refused = lake.post(f"/teach/{path}", {"name": "PERCHQROOM"})
        assert refused.status_code == 400
        assert "There is already a class called PERCHQROOM" in refused.text


def test_a_move_says_whether_a_new_card_is_needed(world: World) -> None:
    lake, perch = world.visitor("lake"), world.classes["perch"]
    mia = world.children["Miaqua"]
    assert "You teach no other class" in lake.get(f"/teach/children/{mia}/class").text
    with world.app.app_context():
        with write_unit():
            db.session.add(ClassTeacher(class_id=perch, adult_id=world.adults["lake"]))
        classes.new_code(perch, keep=True)
    moved = lake.post(f"/teach/children/{mia}/class", {"to": perch}, follow_redirects=True)
    assert "print a new one" in moved.text
    assert "Perchqroom" in moved.text


def test_merging_shows_both_before_it_merges(world: World) -> None:
    lake = world.visitor("lake")
    mia, ben = world.children["Miaqua"], world.children["Benquill"]
    page = lake.get(f"/teach/children/{mia}/merge?other={ben}").text
    assert "Merge them" in page
    assert page.index("Miaqua") < page.index("Benquill")
    foreign = lake.get(f"/teach/children/{mia}/merge?other={world.children['Zedquorn']}")
    missing = lake.get(f"/teach/children/{mia}/merge?other=987")
    assert same(foreign) == same(missing), "what is not yours is as what is not there"


def test_the_replay_of_an_old_round_says_that_its_moves_are_gone(world: World) -> None:
    lake, played = world.visitor("lake"), world.rounds["Benquill"]
    assert lake.get(f"/teach/rounds/{played}").status_code == 200
    with clock.clock_at(clock.now() + 91 * clock.SECONDS_A_DAY), world.app.app_context():
        list(retention.end_what_is_due())
    gone = lake.get(f"/teach/rounds/{played}")
    assert gone.status_code == 409
    assert "its moves and cards are not" in gone.text
    assert lake.get(f"/teach/children/{world.children['Benquill']}").status_code == 200
    ben = world.visitor("Benquill")
    home = ben.get(f"/play/rounds/{played}")
    assert home.headers["Location"].endswith("/play/")


def test_cards_and_the_childs_page_show_the_same_number(world: World) -> None:
    lake, mia = world.visitor("lake"), world.children["Miaqua"]
    assert "Card 1," in lake.get(f"/teach/children/{mia}/card").text
    lake.post(f"/teach/children/{mia}/pictures")
    assert "Card 2," in lake.get(f"/teach/children/{mia}/card").text
    assert "says “Card 2”" in lake.get(f"/teach/children/{mia}").text
