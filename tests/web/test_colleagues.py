"""The pages of colleagues, substitutes and administrators."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

import pytest
from flask import Flask
from sqlalchemy import select

from classroom.database import db, write_unit
from classroom.models import Adult, Child, ClassTeacher
from classroom.services.access import accounts, invitations, sessions, sign_in
from classroom.services.access.sessions import Who
from classroom.services.base import budgets, clock
from classroom.services.school import classes, people
from classroom.web.http.permissions import PERMISSIONS
from classroom.web.words import filters
from tests.world import CHILDREN, PASSWORD, Visitor, World

CODE = re.compile(r'class="slip__c">([A-Z2-9-]{14})<')
LINK = re.compile(r'(?:href|data-hx-get|data-hx-sse-connect)="(/[^"#]*)')
FORM = re.compile(r'method="post" action="([^"]*)"')
NEW = {"name": "New Colleague", "login": "newcomer", "password": PASSWORD}


def here(world: World) -> str:
    return f"/teach/classes/{world.classes['sunfish']}/colleagues"


def code_in(text: str) -> str:
    found = CODE.search(text)
    assert found, "no page with a code"
    return found[1]


def alert(text: str) -> str:
    found = re.search(r'role="alert">.*?<span>(.*?)</span>', text, re.S)
    return unescape(found[1]) if found else ""


# ---- who begins where


@pytest.mark.parametrize(
    ("who", "begins"), [("admin", "/teach/"), ("head", "/school/"), ("eddy", "/teach/")]
)
def test_everyone_begins_where_their_work_is(world: World, who: str, begins: str) -> None:
    assert world.visitor(who).get("/").headers["Location"] == begins
    assert world.visitor(who).get("/in").headers["Location"] == "/"


def test_the_first_administrator_begins_at_the_first_class(app: Flask) -> None:
    with app.app_context():
        code = accounts.first_code()
    visitor = Visitor(app.test_client())
    visitor.post("/setup", {**NEW, "code": code, "school_name": "Pond School"})
    assert visitor.get("/").headers["Location"] == "/teach/"
    assert visitor.post("/teach/classes", {"name": "Sunfish"}).status_code == 303
    page = visitor.get("/teach/classes/1").text
    assert 'href="/school/"' in page
    assert 'href="/teach/"' in visitor.get("/school/").text


def test_only_administrators_see_the_tab_of_the_school(world: World) -> None:
    assert 'href="/school/"' in world.visitor("admin").get("/teach/").text
    for who in ("lake", "eddy"):
        assert 'href="/school/"' not in world.visitor(who).get("/teach/").text


# ---- inviting


def test_a_colleague_is_at_work_with_the_code_on_the_sheet(world: World) -> None:
    sheet = world.visitor("lake").post(f"{here(world)}/invite", {"role": "teacher"})
    assert "localhost/colleague" in sheet.text
    assert "<svg" in sheet.text
    newcomer = world.visitor("nobody")
    answer = newcomer.post("/colleague", {**NEW, "code": code_in(sheet.text)})
    assert answer.status_code == 303
    assert newcomer.get("/").headers["Location"] == "/teach/"
    assert "Sunfishqroom" in newcomer.get("/teach/").text
    assert newcomer.get(f"/teach/children/{world.children['Miaqua']}").status_code == 200


def test_an_administrator_invites_from_the_school_pages(world: World) -> None:
    chosen = {"role": "teacher", "class": world.classes["perch"]}
    sheet = world.visitor("head").post("/school/people/invite", chosen).text
    newcomer = world.visitor("nobody")
    newcomer.post("/colleague", {**NEW, "code": code_in(sheet)})
    assert "Perchqroom" in newcomer.get("/teach/").text


def test_an_administrator_lets_a_substitute_in_when_the_teacher_is_away(world: World) -> None:
    today = clock.local(clock.now()).date().isoformat()
    chosen = {"role": "substitute", "class": world.classes["perch"], "last": today}
    sheet = world.visitor("head").post("/school/people/invite", chosen).text
    newcomer = world.visitor("nobody")
    newcomer.post("/colleague", {**NEW, "code": code_in(sheet)})
    page = f"/teach/classes/{world.classes['perch']}"
    assert newcomer.get(page).status_code == 200
    assert newcomer.get(f"{page}/skills").status_code == 404


@pytest.mark.parametrize(
    ("wrong", "words"),
    [({"last": "2020-01-01"}, "within the next three months"), ({"class": ""}, "")],
)
def test_a_substitute_of_the_administrator_has_a_class_and_a_last_day(
    world: World, wrong: dict[str, str], words: str
) -> None:
    chosen = {"role": "substitute", "class": world.classes["perch"], "last": "2020-01-01"}
    answer = world.visitor("head").post("/school/people/invite", chosen | wrong)
    assert answer.status_code == 400
    assert words in unescape(answer.text)


def test_an_administrator_does_not_invite_to_a_class_of_another_school(world: World) -> None:
    head = world.visitor("head")
    for class_id in (world.classes["carp"], 987_654):
        answer = head.post("/school/people/invite", {"role": "teacher", "class": class_id})
        assert answer.status_code == 404
        assert "Carpqroom" not in answer.text


def test_a_teacher_invites_no_administrator(world: World) -> None:
    answer = world.visitor("lake").post(f"{here(world)}/invite", {"role": "admin"})
    assert answer.status_code == 400


def test_a_signed_in_colleague_takes_one_more_class(world: World) -> None:
    sheet = world.visitor("lake").post(f"{here(world)}/invite", {"role": "teacher"})
    brook = world.visitor("brook")
    assert 'name="password"' not in brook.get("/colleague").text
    answer = brook.post("/colleague", {"code": code_in(sheet.text)})
    assert answer.headers["Location"] == f"/teach/classes/{world.classes['sunfish']}"


def test_a_wrong_code_is_answered_beside_its_field_and_slowed_down(world: World) -> None:
    visitor = world.visitor("nobody")
    for number in range(budgets.CODE_TRIES + 1):
        answer = visitor.post("/colleague", {**NEW, "code": "AAAA-AAAA-AAAA"})
        assert answer.status_code == (422 if number < budgets.CODE_TRIES else 429)
        assert 'id="n-code"' in answer.text
        assert "New Colleague" in answer.text
        assert PASSWORD not in answer.text


@pytest.mark.parametrize("last", ["", "tomorrow", "0000-00-00", "9999-12-31", "2020-01-01"])
def test_an_impossible_last_day_is_answered_beside_its_field(world: World, last: str) -> None:
    answer = world.visitor("lake").post(
        f"{here(world)}/invite", {"role": "substitute", "last": last}
    )
    assert answer.status_code == 400
    assert "within the next three months" in unescape(answer.text)
    assert 'id="n-last"' in answer.text
    assert f'name="last" type="date" value="{last}"' in answer.text, "what was typed is kept"


def test_the_list_of_codes_says_what_became_of_each(world: World) -> None:
    lake = world.visitor("lake")
    used, unused = (
        code_in(lake.post(f"{here(world)}/invite", {"role": "teacher"}).text) for _ in range(2)
    )
    world.visitor("nobody").post("/colleague", {**NEW, "code": used})
    page = lake.get(here(world)).text
    assert "Used by New Colleague" in page
    assert page.count("Not used yet") == page.count("Cancel the code") == 1
    with world.app.test_request_context():
        ends = filters.date_of(clock.now() + invitations.DAYS * clock.SECONDS_A_DAY)
    assert f"valid until {ends}" in " ".join(page.split())
    assert used not in page
    assert unused not in page
    (number,) = re.findall(r'name="invitation" value="(\d+)"', page)
    assert lake.post(f"{here(world)}/revoke", {"invitation": number}).status_code == 303
    answer = world.visitor("nobody").post("/colleague", {**NEW, "login": "second", "code": unused})
    assert answer.status_code == 422


def test_a_code_of_another_class_is_not_cancelled_from_this_one(world: World) -> None:
    world.visitor("brook").post(
        f"/teach/classes/{world.classes['perch']}/colleagues/invite", {"role": "teacher"}
    )
    with world.app.app_context():
        number = invitations.of_class(world.classes["perch"])[0].row.id
    answers = [
        world.visitor("lake").post(f"{here(world)}/revoke", {"invitation": one})
        for one in (number, 987_654)
    ]
    assert [answer.status_code for answer in answers] == [404, 404]
    assert answers[0].text == answers[1].text


def test_my_classes_lead_to_the_skills_and_games_of_each(world: World) -> None:
    page, room = world.visitor("lake").get("/teach/").text, world.classes["sunfish"]
    assert all(f'href="/teach/classes/{room}/{to}"' in page for to in ("skills", "games"))


# ---- a substitute


def substitute(world: World) -> Visitor:
    """A browser of a substitute who has joined the class with a code for today."""
    with clock.clock_at(clock.midnight() + 3600):
        fields = {"role": "substitute", "last": clock.local(clock.now()).date().isoformat()}
        sheet = world.visitor("lake").post(f"{here(world)}/invite", fields)
        visitor = world.visitor("nobody")
        assert visitor.post("/colleague", {**NEW, "code": code_in(sheet.text)}).status_code == 303
        return visitor


def test_a_substitute_runs_a_lesson_until_midnight(world: World) -> None:
    visitor, room = substitute(world), world.classes["sunfish"]
    midnight = clock.end_of(clock.local(clock.now()).date())
    with clock.clock_at(midnight - 1.5 * 3600):
        assert visitor.post("/in", {"login": "newcomer", "password": PASSWORD}).status_code == 303
        assert visitor.post(f"/teach/classes/{room}/open", {"minutes": "45"}).status_code == 303
        assert visitor.get(f"/teach/classes/{room}/live").status_code == 200
        assert f"/teach/classes/{room}/skills" not in visitor.get("/teach/").text
        assert visitor.get(f"/teach/classes/{room}/skills").status_code == 404
    with clock.clock_at(midnight):
        assert visitor.get(f"/teach/classes/{room}").status_code == 303
        over = visitor.post("/in", {"login": "newcomer", "password": PASSWORD})
        assert over.status_code == 401
        assert "Your last day here is over" in over.text
        again = visitor.post("/in", {"login": "newcomer", "password": "not the password"})
        never = visitor.post("/in", {"login": "neverseen", "password": "not the password"})
        shown = [
            answer.text.replace(name, "*")
            for answer, name in ((again, "newcomer"), (never, "neverseen"))
        ]
        assert again.status_code == never.status_code == 401
        assert _bare(shown[0]) == _bare(shown[1])


def _bare(text: str) -> str:
    return re.sub(r'name="token" value="[^"]*"', "", text)


@pytest.fixture
def lesson(world: World) -> Iterator[World]:
    """The class is open, with a child at a table, one at none, and a device at a door."""
    room = world.classes["sunfish"]
    with world.app.app_context():
        classes.open_class(room)
        with write_unit():
            for child in ("Miaqua", "Benquill"):
                sessions.start("e" * 32, class_id=room, child_id=world.children[child])
        sign_in.knock(Who("device", class_id=room, device="d" * 32), world.children["Miaqua"])
    return world


@pytest.mark.walk(2)
@pytest.mark.parametrize("who", ["eddy", "lake", "admin", "head"])
def test_every_link_and_form_of_their_pages_is_open_to_them(lesson: World, who: str) -> None:
    visitor, seen, todo = lesson.visitor(who), set[str](), ["/", "/teach/"]
    adapter = lesson.app.url_map.bind("localhost")
    kind = {"eddy": "substitute", "lake": "teacher"}.get(who, "admin")
    while todo:
        path = todo.pop()
        if path in seen or path.startswith(("/static", "/demo")):
            continue
        seen.add(path)
        answer = visitor.get(path)
        assert answer.status_code in (200, 303), (path, answer.status_code)
        if answer.mimetype != "text/html":
            continue
        text = unescape(answer.text)
        for action in FORM.findall(text):
            endpoint, _ = adapter.match(action.split("?")[0], method="POST")
            assert kind in PERMISSIONS[endpoint].who, (path, action)
        links = [link.split("?")[0] for link in LINK.findall(text)]
        todo += [link for link in links if "replay" not in link and "/events" not in link]
        todo += [answer.headers["Location"]] if answer.status_code == 303 else []
    taught = f"/teach/classes/{lesson.classes['sunfish']}"
    assert (f"{taught}/live" in seen) is (who != "head")
    watched = f"/teach/rounds/{lesson.rounds['Miaqua']}/watch"
    assert (watched in seen) is (who != "head")
    assert (f"/teach/children/{lesson.children['Benquill']}" in seen) is (
        kind != "substitute" and who != "head"
    )


# ---- leaving


def test_the_last_teacher_is_told_kindly_whom_to_ask(world: World) -> None:
    room = world.classes["perch"]
    brook = world.visitor("brook")
    answer = brook.post(f"/teach/classes/{room}/colleagues/leave")
    assert answer.status_code == 409
    assert "ask the administrator" in alert(answer.text)
    assert brook.get(f"/teach/classes/{room}").status_code == 200


def test_a_class_is_handed_over_in_one_form(world: World) -> None:
    room, brook = world.classes["perch"], world.visitor("brook")
    to = {"adult": world.adults["mere"]}
    answer = brook.post(f"/teach/classes/{room}/colleagues/leave", to)
    assert answer.headers["Location"] == "/teach/?done=left"
    assert brook.get(f"/teach/classes/{room}").status_code == 404
    assert world.visitor("mere").get(f"/teach/classes/{room}").status_code == 200


# ---- the administrator


def test_the_pages_of_the_school_name_no_child_and_no_parent(world: World) -> None:
    head = world.visitor("head")
    for path in ("/school/", "/school/people", "/school/classes"):
        text = head.get(path).text
        assert not [name for name in (*CHILDREN, "Reedq", "Rushq") if name in text]


def test_an_administrator_takes_a_class_and_then_sees_it(world: World) -> None:
    head, room = world.visitor("head"), world.classes["perch"]
    assert head.get(f"/teach/classes/{room}").status_code == 404
    fields = {"do": "add", "adult": world.adults["head"]}
    assert head.post(f"/school/classes/{room}/teachers", fields).status_code == 303
    assert head.get(f"/teach/classes/{room}").status_code == 200


def test_a_class_without_a_teacher_stands_out(world: World) -> None:
    head = world.visitor("head")
    assert "No teacher" not in head.get("/school/classes").text
    fields = {"do": "remove", "adult": world.adults["brook"]}
    head.post(f"/school/classes/{world.classes['perch']}/teachers", fields)
    assert "No teacher" in head.get("/school/classes").text
    assert "Without a teacher: <b>Perchqroom</b>" in head.get("/school/").text


def test_the_page_before_an_end_says_which_class_would_be_alone(world: World) -> None:
    head = world.visitor("head")
    with world.app.app_context():
        people.share(world.classes["sunfish"], world.adults["brook"], world.adults["lake"])
    for who, alone in (("brook", True), ("lake", False)):
        text = head.get(f"/school/people/{world.adults[who]}/end").text
        said = text.partition("These classes would be left without")[2]
        assert ("Perchqroom" in said) is alone
        assert "Sunfishqroom" not in said, "it has another teacher"


def test_ending_an_account_ends_its_open_page_at_once(world: World) -> None:
    lake = world.visitor("lake")
    assert lake.get("/teach/").status_code == 200
    world.visitor("head").post(f"/school/people/{world.adults['lake']}/end")
    assert lake.get("/teach/").headers["Location"] == "/in"
    with world.app.app_context():
        taught = select(ClassTeacher.class_id).where(ClassTeacher.adult_id == world.adults["lake"])
        assert not db.session.scalars(taught).all()


@pytest.mark.parametrize("act", ["end", "role"])
def test_the_last_administrator_is_told_why_not(world: World, act: str) -> None:
    with world.app.app_context(), write_unit():
        db.session.delete(db.session.get_one(Adult, world.adults["admin"]))
    head = world.visitor("head")
    answer = head.post(f"/school/people/{world.adults['head']}/{act}", {"role": "teacher"})
    assert answer.status_code == 409
    assert "only administrator" in alert(answer.text)


def test_an_administrator_who_steps_down_is_led_on(world: World) -> None:
    admin = world.visitor("admin")
    answer = admin.post(f"/school/people/{world.adults['admin']}/role", {"role": "teacher"})
    assert answer.headers["Location"] == "/"
    assert admin.get("/").headers["Location"] == "/teach/"
    assert admin.get("/school/").status_code == 404


# ---- forgotten passwords


def test_an_administrator_gives_a_teacher_a_code_for_a_new_password(world: World) -> None:
    head, new = world.visitor("head"), "nine small otters dive"
    lake = f"/school/people/{world.adults['lake']}/new-password"
    assert f'action="{lake}"' in head.get("/school/people").text
    answer = head.post(lake)
    assert "Lakeqadult" in answer.text
    code = code_in(answer.text)
    assert code not in head.get("/school/people").text
    sent = world.visitor("nobody").post("/reset", {"code": code, "new": new})
    assert sent.status_code == 303
    again = world.visitor("nobody").post("/in", {"login": "lake", "password": new})
    assert again.status_code == 303


def test_the_code_can_be_taken_back(world: World) -> None:
    head = world.visitor("head")
    lake = f"/school/people/{world.adults['lake']}/new-password"
    code = code_in(head.post(lake).text)
    assert "A code for a new password works until" in head.get("/school/people").text
    assert "done=cancelled" in head.post(f"{lake}/cancel").location
    answer = world.visitor("nobody").post("/reset", {"code": code, "new": "nine small otters dive"})
    assert answer.status_code == 422


@pytest.mark.parametrize("who", ["admin", "head", "past"])
def test_there_is_no_code_for_an_administrator_or_an_account_that_has_ended(
    world: World, who: str
) -> None:
    head = world.visitor("head")
    path = f"/school/people/{world.adults[who]}/new-password"
    assert path not in head.get("/school/people").text
    assert head.post(path).status_code == 404


# ---- new pictures, once a substitute's time is over


def test_the_class_page_leads_to_new_pictures_once_a_substitutes_time_is_over(
    world: World,
) -> None:
    lake, room = world.visitor("lake"), f"/teach/classes/{world.classes['sunfish']}"
    known, other = world.visitor("Miaqua"), world.visitor("Adaquist")
    link = f'href="{room}/colleagues#pictures"'
    assert link in lake.get(room).text, "the time of “past” is over"
    assert link not in world.visitor("eddy").get(room).text
    assert 'id="pictures"' in lake.get(f"{room}/colleagues").text

    with world.app.app_context():
        before = {c.name: c.pictures_version for c in db.session.scalars(select(Child))}
    answer = lake.post(f"{room}/colleagues/pictures")
    assert (answer.status_code, answer.headers["Location"]) == (303, f"{room}/cards")
    with world.app.app_context():
        after = {c.name: c.pictures_version for c in db.session.scalars(select(Child))}
    changed = {name for name, number in after.items() if number != before[name]}
    assert changed == {name for name, where in CHILDREN.items() if where == "sunfish"}
    assert known.get("/play/").status_code != 200, "signed out"
    assert other.get("/play/").status_code == 200
    assert link not in lake.get(room).text
