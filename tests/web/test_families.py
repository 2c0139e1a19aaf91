"""The pages for families of a class: who is linked, ending a link, and a new password by a code
on paper."""

from __future__ import annotations

import re
from html import unescape

import pytest
from sqlalchemy import select

from classroom.database import db
from classroom.models import AuditEntry
from classroom.services.base import audit, limits
from classroom.services.base.audit import Checked
from classroom.services.school import family_links
from tests.web.test_family import joined
from tests.world import PASSWORD, Visitor, World

NEW = "nine small otters dive"
CODE = re.compile(r'class="slip__c">([A-Z2-9]{4}(?:-[A-Z2-9]{4}){2})<')


@pytest.fixture
def lake(world: World) -> Visitor:
    return world.visitor("lake")


def child(world: World, name: str = "Miaqua") -> str:
    return f"/teach/children/{world.children[name]}"


def parent(world: World, child_name: str, login: str) -> str:
    return f"{child(world, child_name)}/parents/{world.adults[login]}"


def family_of(page: str) -> str:
    """The part of a child's page about its family."""
    found = re.search(r'<section class="panel" id="family">.*?</section>', page, re.DOTALL)
    assert found
    return found[0]


# ---- a teacher


def test_a_childs_page_says_who_is_linked_and_which_codes_are_unused(
    world: World, lake: Visitor
) -> None:
    assert "Reedqadult" in family_of(lake.get(child(world)).text)
    assert "not used yet" not in family_of(lake.get(child(world)).text)
    lake.post(child(world) + "/family-code")
    assert "not used yet" in family_of(lake.get(child(world)).text)


def test_a_code_is_cancelled_with_its_button(world: World, lake: Visitor) -> None:
    typed = CODE.findall(lake.post(child(world) + "/family-code").text)[0]
    found = re.search(r'name="code" value="(\d+)"', lake.get(child(world)).text)
    assert found
    answer = lake.post(child(world) + "/family-code/cancel", {"code": found[1]})
    assert "not used yet" not in family_of(lake.get(answer.headers["Location"]).text)
    wrong = world.visitor("nobody").post("/family/join", joined(world, code=typed))
    assert "This code no longer works" in wrong.text


def test_a_code_of_another_child_cannot_be_cancelled(world: World, lake: Visitor) -> None:
    with world.app.app_context():
        family_links.make_code(world.children["Adaquist"])
    for number in ("1", "99"):
        assert lake.post(child(world) + "/family-code/cancel", {"code": number}).status_code == 404


def test_unlinking_says_first_what_it_does_and_ends_all_access(world: World, lake: Visitor) -> None:
    reed = world.visitor("reed")
    page = lake.get(parent(world, "Miaqua", "reed") + "/unlink").text
    assert "Reedqadult will no longer be able to see Miaqua" in page
    assert "has no other child here" in page
    assert reed.get(f"/family/children/{world.children['Miaqua']}").status_code == 200
    answer = lake.post(parent(world, "Miaqua", "reed") + "/unlink")
    assert "their account has been closed" in lake.get(answer.headers["Location"]).text
    assert reed.get(f"/family/children/{world.children['Miaqua']}").status_code == 303
    tried = world.visitor("nobody").post("/in", {"login": "reed", "password": PASSWORD})
    assert tried.status_code == 401


@pytest.mark.parametrize(("sent", "left"), [({}, 1), ({"codes": "1"}, 0)])
def test_unlinking_ends_the_childs_other_codes_if_the_teacher_says_so(
    world: World, lake: Visitor, sent: dict[str, str], left: int
) -> None:
    with world.app.app_context():
        family_links.make_code(world.children["Miaqua"])
    lake.post(parent(world, "Miaqua", "reed") + "/unlink", sent)
    with world.app.app_context():
        assert len(family_links.links_of_child(world.children["Miaqua"]).codes) == left


@pytest.mark.parametrize("what", ["unlink", "new-password"])
def test_only_a_parent_of_that_child_is_found(world: World, lake: Visitor, what: str) -> None:
    for login in ("rush", "sedge", "lake", "admin"):
        address = f"{parent(world, 'Miaqua', login)}/{what}"
        assert lake.post(address).status_code == 404


def test_the_page_of_all_families_shows_each_child(world: World, lake: Visitor) -> None:
    page = lake.get(f"/teach/classes/{world.classes['sunfish']}/families").text
    for name in ("Miaqua", "Benquill", "Reedqadult", "Rushqadult"):
        assert name in page
    assert "Adaquist" not in page
    with world.app.app_context():
        looks = select(AuditEntry.thing).where(AuditEntry.action == "read")
        assert db.session.scalars(looks).all() == ["class"], "the look is on record"


def test_sheets_hold_a_code_for_each_child_that_works(world: World, lake: Visitor) -> None:
    room = f"/teach/classes/{world.classes['sunfish']}/families"
    answer = lake.post(room + "/sheets", {"which": "all"})
    assert answer.headers["Cache-Control"] == "no-store"
    codes = CODE.findall(answer.text)
    assert len(codes) == 2
    assert not any(code in lake.get(room).text for code in codes)
    made = world.visitor("nobody").post("/family/join", joined(world, code=codes[1]))
    assert made.status_code == 303


def test_the_missing_sheets_of_a_class_that_misses_none_say_so(world: World, lake: Visitor) -> None:
    room = f"/teach/classes/{world.classes['sunfish']}/families/sheets"
    page = lake.post(room, {"which": "missing"}).text
    assert not CODE.findall(page)
    assert "so no code was made" in page


# ---- a parent


def test_a_parent_ends_a_link_and_goes_on_with_the_other_child(world: World) -> None:
    with world.app.app_context():
        family_links.link(world.adults["reed"], family_links.make_code(world.children["Benquill"]))
    reed, leave = world.visitor("reed"), f"/family/children/{world.children['Miaqua']}/leave"
    assert leave in reed.get("/account").text
    assert "your account will be closed too" not in reed.get(leave).text
    answer = reed.post(leave)
    told = unescape(reed.get(answer.headers["Location"]).text)
    assert "Unlinked. You can no longer see this child's pages here." in told
    assert "Miaqua" not in reed.get("/family/").text
    assert "Benquill" in reed.get("/family/").text


@pytest.mark.parametrize("how", ["/family/leave", "/family/children/{}/leave"])
def test_a_parent_ends_the_account_and_is_told_so(world: World, how: str) -> None:
    reed, leave = world.visitor("reed"), how.format(world.children["Miaqua"])
    assert "deleted" in reed.get(leave).text
    answer = reed.post(leave)
    assert "Your account has been closed" in reed.get(answer.headers["Location"]).text
    assert reed.get("/family/").status_code == 303
    tried = world.visitor("nobody").post("/in", {"login": "reed", "password": PASSWORD})
    assert tried.status_code == 401


def test_teachers_do_not_see_links_of_their_own(world: World, lake: Visitor) -> None:
    assert "Your children here" not in lake.get("/account").text


# ---- a forgotten password


def test_a_code_from_the_teacher_gives_a_parent_a_new_password(world: World, lake: Visitor) -> None:
    page = lake.post(parent(world, "Miaqua", "reed") + "/new-password").text
    (code,) = CODE.findall(page)
    assert "/reset" in page
    assert "A code for a new password works until" in lake.get(child(world)).text
    visitor = world.visitor("nobody")
    assert "/reset" in visitor.get("/in").text
    answer = visitor.post("/reset", {"code": code, "new": NEW})
    start = visitor.get(answer.headers["Location"])
    assert visitor.get(start.headers["Location"]).text.count("Miaqua")
    again = world.visitor("nobody").post("/in", {"login": "reed", "password": NEW})
    assert again.status_code == 303


@pytest.mark.parametrize(
    ("fields", "field", "status"),
    [
        ({"code": "AAAA-BBBB-CCCC", "new": NEW}, "code", 422),
        ({"code": "", "new": ""}, "code", 422),
        ({"code": "right", "new": "short"}, "new", 422),
    ],
)
def test_what_is_wrong_is_said_beside_its_field(
    world: World, lake: Visitor, fields: dict[str, str], field: str, status: int
) -> None:
    (code,) = CODE.findall(lake.post(parent(world, "Miaqua", "reed") + "/new-password").text)
    sent = fields | ({"code": code} if fields["code"] == "right" else {})
    answer = world.visitor("nobody").post("/reset", sent)
    assert answer.status_code == status
    assert re.findall(r'class="field__n" id="n-(\w+)"', answer.text) == [field]
    assert sent["new"] not in answer.text or not sent["new"]


def test_a_wrong_code_is_answered_alike_whoever_exists(world: World) -> None:
    texts = set()
    for code in ("AAAA-BBBB-CCCC", "reed"):
        answer = world.visitor("nobody").post("/reset", {"code": code, "new": NEW})
        texts.add(re.sub(r'value="[^"]*"', "", answer.text))
    assert len(texts) == 1


# ---- who looked


def test_a_teacher_and_a_parent_read_who_looked_at_the_child(world: World, lake: Visitor) -> None:
    lake.get(child(world) + "/answers.csv")
    page = lake.get(child(world) + "/looks").text
    assert "You downloaded the answers of Miaqua" in page
    mine = world.visitor("reed").get(f"/family/children/{world.children['Miaqua']}/looks").text
    assert "Lakeqadult downloaded the answers of Miaqua" in mine
    assert "You looked at the pages of Miaqua" in mine


@pytest.mark.parametrize("before", ["0", "-5", "999999999999", "x"])
def test_an_impossible_day_begins_with_the_newest(world: World, lake: Visitor, before: str) -> None:
    page = lake.get(f"{child(world)}/looks?before={before}")
    assert page.status_code == 200
    assert "You looked at" in page.text


def test_an_administrator_reads_the_record_and_sifts_it(world: World, lake: Visitor) -> None:
    lake.get(child(world) + "/answers.csv")
    lake.get(child(world))
    admin = world.visitor("admin")
    whole = admin.get("/school/record").text
    assert "Lakeqadult downloaded the answers of a child of Sunfishqroom" in whole
    assert "Lakeqadult looked at the pages of a child of Sunfishqroom" in whole
    assert "Miaqua" not in whole
    world.visitor("reed").get("/family/")
    told = admin.get("/school/record").text
    assert "A parent looked at the pages of a child of Sunfishqroom" in told
    assert "Reedqadult" not in told
    some = admin.get("/school/record?kind=export.child&day=").text
    assert "downloaded the answers of a child of Sunfishqroom" in some
    assert "Lakeqadult looked at the pages" not in some
    assert "Nothing has been recorded" in admin.get("/school/record?day=1999-01-01").text
    for odd in ("day=x", "day=9999-12-31", "kind=a.b", "kind=.", "before=x", "day=0001-01-01"):
        assert "Lakeqadult looked" in admin.get(f"/school/record?{odd}").text


def test_the_pages_say_how_long_the_school_really_keeps_the_record(
    world: World, lake: Visitor
) -> None:
    looks = f"/family/children/{world.children['Miaqua']}/looks"
    pages = [
        (lake, f"{child(world)}/looks"),
        (world.visitor("reed"), looks),
        (world.visitor("admin"), "/school/record"),
    ]
    for days in (180, 200, 730):
        with world.app.app_context():
            limits.choose_days(1, {**limits.days_kept(), "keep_audit": days})
        for who, page in pages:
            told = " ".join(who.get(page).text.split())
            assert f"The school keeps this record for {days} days." in told
            assert "for a year" not in told


def test_the_administrator_is_told_of_a_wrong_seal(world: World) -> None:
    admin = world.visitor("admin")
    assert "The check for changes takes a few minutes" in admin.get("/school/record").text
    with world.app.app_context():
        audit._found[db.engine] = Checked(whole=4, wrong=5)
    assert "Entry 5 of this record was changed" in admin.get("/school/record").text
    assert "was changed" in admin.get("/school/").text
    with world.app.app_context():
        audit._found[db.engine] = Checked(whole=1_000)
    assert "1000 entries are sealed and unchanged" in admin.get("/school/record").text
    assert "was changed" not in admin.get("/school/").text
