"""The pages of the second factor."""

from __future__ import annotations

import re
from html import unescape

import pyotp
import pytest

from classroom.services.access import second_factors
from classroom.services.base import clock
from tests.web.page_forms import form_to
from tests.world import PASSWORD, World

NOW = 1_790_000_000.0


def of_page(text: str, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]*)"', text)
    assert found
    return unescape(found[1])


def test_an_app_is_added_on_the_page_and_then_asked_for(world: World) -> None:
    with clock.clock_at(NOW):
        visitor = world.visitor("lake")
        page = visitor.get("/account/second").text
        found = re.search(r"<code>([A-Z2-7]+)</code>", page)
        assert found
        app = pyotp.TOTP(found[1])
        fields = {"kind": "app", "word": of_page(page, "word"), "name": "Phone"}
        wrong = visitor.post("/account/second", {**fields, "code": "000000"})
        assert wrong.status_code == 422
        assert found[1] in wrong.text, "the same secret, so that nothing has to be scanned again"
        added = visitor.post("/account/second", {**fields, "code": app.at(int(NOW))})
        assert added.status_code == 303
        assert "Phone" in visitor.get("/account/second").text
        visitor.post("/out")
        asked = visitor.post("/in", {"login": "lake", "password": PASSWORD})
        assert visitor.get("/teach/").status_code == 303, "not signed in yet"
        ticket = of_page(asked.text, "ticket")
        tried = visitor.post("/in/second", {"ticket": ticket, "code": "123456"})
        assert (tried.status_code, of_page(tried.text, "ticket")) == (422, ticket)
        visitor.post("/in/second", {"ticket": ticket, "code": app.at(int(NOW) + 30)})
        assert visitor.get("/teach/").status_code == 200


def test_a_late_answer_leads_back_to_the_password(world: World) -> None:
    visitor = world.visitor("nobody")
    answer = visitor.post("/in/second", {"ticket": "gone", "code": "123456"})
    assert answer.status_code in (401, 422)
    assert "sign in again" in answer.text
    assert 'action="/in"' in answer.text


@pytest.mark.parametrize("path", ["/school/", "/school/folder"])
def test_over_https_an_administrator_adds_one_first(world: World, path: str) -> None:
    visitor, safe = world.visitor("admin"), {"base_url": "https://localhost"}
    assert visitor.get(path).status_code == 200, "without https it is up to them"
    token = next(c.value for c in [visitor.client.get_cookie("school")] if c)
    for name, value in (("__Host-school", token), ("__Host-school-device", "a" * 32)):
        visitor.client.set_cookie(name, value, secure=True)
    answer = visitor.get(path, **safe)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/account/second?needed=1")
    assert visitor.get("/account", **safe).status_code == 200
    with world.app.app_context(), clock.clock_at(NOW):
        mine, word = world.adults["admin"], "ab" * 16
        secret = second_factors.begin_app(mine, word).secret
        second_factors.add_app(mine, word, "Phone", pyotp.TOTP(secret).at(int(NOW)))
    assert visitor.get(path, **safe).status_code == 200


def test_the_second_step_leads_on_to_the_page_and_the_form_as_well(world: World) -> None:
    with world.app.app_context(), clock.clock_at(NOW):
        mine, word = world.adults["lake"], "ab" * 16
        secret = second_factors.begin_app(mine, word).secret
        second_factors.add_app(mine, word, "Phone", pyotp.TOTP(secret).at(int(NOW)))
    class_ = f"/teach/classes/{world.classes['sunfish']}"
    with clock.clock_at(NOW + 60):
        visitor = world.visitor("nobody")
        asked = visitor.post("/in", {"login": "lake", "password": PASSWORD, "wanted": class_})
        form = form_to(asked.text, "/in/second", "ticket")
        answer = visitor.client.post(
            "/in/second", data=form.sent(code=pyotp.TOTP(secret).at(int(NOW) + 60))
        )
        assert (answer.status_code, answer.headers["Location"]) == (303, class_)
        page = form_to(visitor.get(f"{class_}/list").text, f"{class_}/list")
        visitor.client.delete_cookie("school")
        late = visitor.client.post(f"{class_}/list", data=page.sent(list="Ottoline"))
    with clock.clock_at(NOW + 120):
        sent = form_to(late.text, "/in").sent(login="lake", password=PASSWORD)
        form = form_to(visitor.client.post("/in", data=sent).text, "/in/second", "ticket")
        answer = visitor.client.post(
            "/in/second", data=form.sent(code=pyotp.TOTP(secret).at(int(NOW) + 120))
        )
    assert form_to(answer.text, f"{class_}/list").sent()["list"] == ["Ottoline"]
