"""After ten minutes the password is asked for again before anything that concerns data or
access."""

from __future__ import annotations

import pytest

from classroom.services.base import clock
from classroom.services.school import family_links
from classroom.web.http.permissions import ADULT_FORMS, ASK_AGAIN, PERMISSIONS, PROOF
from tests.web.page_forms import form_to
from tests.web.people import whose
from tests.web.routes import addresses, is_own, rules
from tests.world import PASSWORD, World

START = 1_790_000_000.0
LATER = START + PROOF + 1
WHO = {"auth": "lake", "teach": "lake", "family": "reed", "school": "admin"}


# Written a second time, so that no route can leave the list unnoticed.
EXPECTED = {
    *(f"auth.{name}" for name in ("own_record", "add_second", "remove_second")),
    *(
        f"teach.{name}"
        for name in (
            "skills_csv answers_csv child_csv child_answers_csv record remove delete_class merge "
            "erase_answers cards family_code family_sheets unlink reset_code invite share leave"
        ).split()
    ),
    *(
        f"family.{name}"
        for name in "child_csv child_answers_csv record card link leave leave_child".split()
    ),
    *(f"school.{name}" for name in "invite role end teachers reset_code".split()),
}


def test_these_routes_ask_and_no_others() -> None:
    assert ASK_AGAIN == EXPECTED
    assert set(PERMISSIONS) >= EXPECTED


@pytest.mark.walk(4)
@pytest.mark.parametrize("endpoint", sorted(ASK_AGAIN))
def test_after_ten_minutes_nothing_happens_before_the_password(world: World, endpoint: str) -> None:
    who = WHO[endpoint.split(".")[0]]
    rule = next(rule for rule in rules(world.app) if rule.endpoint == endpoint)
    owned = whose(endpoint)
    path = next(a.path for a in addresses(world, rule) if is_own(owned, who, a.thing))
    with clock.clock_at(START):
        visitor = world.visitor(who)
        token = visitor.token()
    before = world.rows(frozenset({"sessions"}))
    with clock.clock_at(LATER):
        if "GET" in (rule.methods or ()):
            answer = visitor.get(path)
        else:
            answer = visitor.client.post(path, data={"token": token})
    assert (answer.status_code, answer.headers["Location"].split("?")[0]) == (303, "/in/again")
    assert world.rows(frozenset({"sessions"})) == before


def test_the_right_password_leads_back_and_holds_for_ten_minutes(world: World) -> None:
    path = f"/teach/children/{world.children['Miaqua']}/remove"
    with clock.clock_at(START):
        visitor = world.visitor("lake")
        assert visitor.get(path).status_code == 200
    with clock.clock_at(LATER):
        asked = visitor.get(path).headers["Location"]
        fields = {"wanted": path}
        wrong = visitor.post("/in/again", {**fields, "password": "not my password"})
        assert wrong.status_code == 422
        assert path in wrong.text
        assert visitor.get(asked).status_code == 200
        right = visitor.post("/in/again", {**fields, "password": PASSWORD})
        assert (right.status_code, right.headers["Location"]) == (303, path)
        assert visitor.get(path).status_code == 200
    with clock.clock_at(LATER + PROOF - 5):
        assert visitor.get(path).status_code == 200


def test_a_file_leads_back_to_the_page_where_it_was_offered(world: World) -> None:
    child = world.children["Miaqua"]
    with clock.clock_at(START):
        visitor = world.visitor("lake")
    with clock.clock_at(LATER):
        page = f"http://localhost/teach/children/{child}"
        answer = visitor.get(f"/teach/children/{child}/record.json", headers={"Referer": page})
    assert answer.headers["Location"] == f"/in/again?wanted=/teach/children/{child}"


# ---- what was typed


FORMS_THAT_WAIT = {name for name in ASK_AGAIN if "POST" in PERMISSIONS[name].methods} - {
    "auth.add_second"  # holds a secret
}


def test_every_such_form_waits_for_the_password() -> None:
    for name in FORMS_THAT_WAIT:
        assert ADULT_FORMS[name].does, name


def test_what_was_typed_is_sent_after_the_password(world: World) -> None:
    with world.app.app_context():
        code = family_links.make_code(world.children["Benquill"])
    with clock.clock_at(START):
        visitor = world.visitor("reed")
        fields = form_to(visitor.get("/family/").text, "/family/link").sent(code=code)
    with clock.clock_at(LATER):
        asked = visitor.client.post("/family/link", data=fields)
        assert asked.status_code == 401
        assert code not in asked.text, "it is sealed"
        again = form_to(asked.text, "/in/again")
        wrong = visitor.client.post("/in/again", data=again.sent(password="not my password"))
        assert wrong.status_code == 422
        again = form_to(wrong.text, "/in/again")
        shown = visitor.client.post("/in/again", data=again.sent(password=PASSWORD))
        assert shown.status_code == 200
        assert "Benquill" not in visitor.get("/family/").text, "nothing is sent without a tap"
        form = form_to(shown.text, "/family/link")
        assert form.sent()["code"] == [code]
        assert visitor.client.post("/family/link", data=form.sent()).status_code == 303
        assert "Benquill" in visitor.get("/family/").text


def test_a_tap_waits_too_and_leads_back_if_it_is_not_wanted(world: World) -> None:
    page = f"/teach/classes/{world.classes['sunfish']}/colleagues"
    with clock.clock_at(START):
        visitor = world.visitor("lake")
        fields = form_to(visitor.get(page).text, f"{page}/invite").sent(role="teacher")
    with clock.clock_at(LATER):
        sent = visitor.client.post(
            f"{page}/invite", data=fields, headers={"Referer": f"http://localhost{page}"}
        )
        again = form_to(sent.text, "/in/again")
        shown = visitor.client.post("/in/again", data=again.sent(password=PASSWORD)).text
        assert "Invite a colleague" in shown
        assert "Nothing has been done yet." in shown
        assert f'href="{page}"' in shown
        form = form_to(shown, f"{page}/invite")
        assert form.sent()["role"] == ["teacher"]
        assert "slip__c" in visitor.client.post(f"{page}/invite", data=form.sent()).text


def test_a_form_made_for_another_adult_does_not_wait(world: World) -> None:
    page = f"/teach/classes/{world.classes['sunfish']}/colleagues"
    with clock.clock_at(START):
        mere = world.visitor("mere")
        fields = form_to(mere.get(page).text, f"{page}/invite").sent(role="teacher")
        lake = world.visitor("lake")
    with clock.clock_at(LATER):
        sent = lake.client.post(f"{page}/invite", data=fields | {"token": lake.token()})
        assert sent.status_code in (303, 403)
        assert "kept" not in sent.text
