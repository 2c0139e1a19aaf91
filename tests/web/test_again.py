"""The password is asked for again, after ten minutes, before what is about data or access."""

from __future__ import annotations

import pytest

from classroom.services.base import clock
from classroom.web.http.permissions import ASK_AGAIN, PERMISSIONS, PROOF
from tests.web.people import whose
from tests.web.routes import addresses, is_own, rules
from tests.world import PASSWORD, World

START = 1_790_000_000.0
LATER = START + PROOF + 1
WHO = {"auth": "lake", "teach": "lake", "family": "reed", "school": "admin"}


def test_every_such_route_is_there() -> None:
    assert set(PERMISSIONS) >= ASK_AGAIN


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
