"""A form that came too late is kept for the adult who typed it, and signing in leads to the page
that was wanted."""

from __future__ import annotations

import base64
import io
import zlib
from collections.abc import Iterator
from itertools import chain

import pytest
from sqlalchemy import delete, update
from werkzeug.test import TestResponse

from classroom.database import db, write_unit
from classroom.games import GAMES
from classroom.models import Child, Session
from classroom.services.access import sessions
from classroom.services.base import clock, secrets_
from classroom.services.lesson import own_games
from classroom.web.http import kept
from classroom.web.http.permissions import ADULT_FORMS, NOBODY, PERMISSIONS
from tests.web.page_forms import Form, form_to, forms_of
from tests.web.people import METHODS_OF, kinds, whose
from tests.web.routes import addresses, is_own, rules
from tests.world import KIND, PASSWORD, Visitor, World

ROSTER = "Ottoline\nBarnaby, 6\nZoë \N{FISH} & B"
HTMX = {"HX-Request": "true"}


def class_at(world: World) -> str:
    return f"/teach/classes/{world.classes['sunfish']}"


def typed(world: World, visitor: Visitor) -> tuple[str, dict[str, list[str]]]:
    """The address and fields of a class list that is typed but not sent."""
    path = f"{class_at(world)}/list"
    form = form_to(visitor.get(f"{class_at(world)}/children").text, path)
    return path, form.sent(list=ROSTER)


KEPT = [name for name, form in ADULT_FORMS.items() if form.does and form.kept]


def end_sessions(world: World) -> None:
    """Let four idle hours go by."""
    with world.app.app_context(), write_unit():
        db.session.execute(update(Session).values(seen_at=clock.now() - 4 * 3600))


def sign_in(
    visitor: Visitor, page: str, login: str = "lake", password: str = PASSWORD
) -> TestResponse:
    form = form_to(page, "/in")
    return visitor.client.post("/in", data=form.sent(login=login, password=password))


def children(world: World) -> set[str]:
    with world.app.app_context():
        return set(db.session.scalars(db.select(Child.name)))


# ---- kept


def test_what_was_typed_before_the_session_ended_is_sent_after_signing_in(world: World) -> None:
    visitor = world.visitor("lake")
    path, fields = typed(world, visitor)
    end_sessions(world)
    late = visitor.client.post(path, data=fields)
    assert late.status_code == 401
    assert "Ottoline" not in children(world)
    shown = sign_in(visitor, late.text)
    assert shown.status_code == 200
    assert "Ottoline\nBarnaby, 6\nZoë \N{FISH} &amp; B" in shown.text.replace("\r\n", "\n")
    assert "Sunfishqroom" in shown.text
    assert "Ottoline" not in children(world), "nothing is sent without a tap"
    read = visitor.client.post(path, data=form_to(shown.text, path).sent())
    end_sessions(world)
    ticked = form_to(read.text, path, "rest").sent(band=["4-5", "6-7", "4-5"])
    late = visitor.client.post(path, data=ticked)
    form = form_to(sign_in(visitor, late.text).text, path)
    assert visitor.client.post(path, data=form.sent()).status_code == 303
    assert {"Ottoline", "Barnaby"} <= children(world)


def test_a_wrong_password_keeps_it_too(world: World) -> None:
    visitor = world.visitor("lake")
    path, fields = typed(world, visitor)
    end_sessions(world)
    late = visitor.client.post(path, data=fields)
    wrong = sign_in(visitor, late.text, password="wrong wrong wrong")
    assert wrong.status_code == 401
    assert form_to(sign_in(visitor, wrong.text).text, path).sent()["list"] == [ROSTER]


def test_it_is_kept_when_the_browser_has_lost_the_session(world: World) -> None:
    visitor = world.visitor("lake")
    path, fields = typed(world, visitor)
    visitor.client.delete_cookie("school")
    late = visitor.client.post(path, data=fields)
    assert late.status_code == 403
    assert form_to(sign_in(visitor, late.text).text, path).sent()["list"] == [ROSTER]


def test_it_is_kept_when_the_adult_has_signed_in_again_in_another_tab(world: World) -> None:
    visitor = world.visitor("lake")
    path, fields = typed(world, visitor)
    end_sessions(world)
    sign_in(visitor, visitor.get("/in").text)
    late = visitor.client.post(path, data=fields)
    assert late.status_code == 403
    assert "Ottoline" not in children(world)
    form = form_to(late.text, path)
    done = visitor.client.post(path, data=form.sent(list="Ottoline"))
    assert "Add 1 child" in done.text


def test_what_one_adult_typed_is_never_sent_as_another(world: World) -> None:
    visitor = world.visitor("lake")
    path, fields = typed(world, visitor)
    end_sessions(world)
    late = visitor.client.post(path, data=fields)
    with world.app.app_context(), write_unit():
        teaches = db.metadata.tables["class_teachers"]
        row = {"class_id": world.classes["sunfish"], "adult_id": world.adults["brook"]}
        db.session.execute(teaches.insert().values(row))
    shown = sign_in(visitor, late.text, login="brook")
    assert "What was typed here earlier came from somebody else" in shown.text
    assert "Ottoline" not in shown.text
    assert visitor.get("/teach/").status_code == 200, "brook is signed in"
    again = visitor.client.post(path, data=fields)
    assert (again.status_code, "Ottoline" in again.text) == (403, False)


def test_a_form_for_a_class_that_is_no_longer_theirs_is_not_shown(world: World) -> None:
    visitor = world.visitor("lake")
    path, fields = typed(world, visitor)
    end_sessions(world)
    late = visitor.client.post(path, data=fields)
    with world.app.app_context(), write_unit():
        db.session.execute(delete(db.metadata.tables["class_teachers"]))
    assert "Ottoline" not in sign_in(visitor, late.text).text


def test_a_sealed_form_is_refused_if_it_was_changed_is_of_another_browser_or_too_old(
    world: World,
) -> None:
    visitor = world.visitor("lake")
    path, fields = typed(world, visitor)
    end_sessions(world)
    sealed = form_to(visitor.client.post(path, data=fields).text, "/in").sent()["kept"][0]
    body, seal = sealed.split(".")
    changed = zlib.decompress(base64.urlsafe_b64decode(body)).replace(b"Ottoline", b"Otterine")
    forged = base64.urlsafe_b64encode(zlib.compress(changed)).decode()
    for bad in (f"{forged}.{seal}", body, f".{seal}", f"{body}.{'0' * 64}", "x" * 9000, "é.é"):
        answer = visitor.post("/in", {"login": "lake", "password": PASSWORD, "kept": bad})
        assert (answer.status_code, answer.headers["Location"]) == (303, "/"), bad[:50]
    other = world.visitor("nobody")
    answer = other.post("/in", {"login": "lake", "password": PASSWORD, "kept": sealed})
    assert answer.status_code == 303
    with clock.clock_at(clock.now() + kept.LASTS + 60):
        answer = visitor.post("/in", {"login": "lake", "password": PASSWORD, "kept": sealed})
        assert answer.status_code == 303


def test_a_form_sent_by_another_site_is_never_kept(world: World) -> None:
    visitor = world.visitor("lake")
    path, fields = typed(world, visitor)
    bare = {name: value for name, value in fields.items() if name != "by"}
    end_sessions(world)
    for sent, headers in (
        (fields, {"Sec-Fetch-Site": "cross-site"}),
        (fields, {"Origin": "https://elsewhere.example"}),
        (bare, {}),
    ):
        answer = visitor.client.post(path, data=sent, headers=headers)
        assert answer.status_code in (401, 403)
        assert 'name="kept"' not in answer.text
    strange = world.visitor("nobody")  # what a site could send without knowing this browser's mark
    late = strange.client.post(path, data={**fields, "token": "00" * 64, "by": "0" * 64})
    shown = sign_in(strange, late.text)
    assert "What was typed here earlier came from somebody else" in shown.text
    assert "Ottoline" not in shown.text


def test_a_form_that_is_too_long_is_not_promised(world: World) -> None:
    visitor = world.visitor("lake")
    path, fields = typed(world, visitor)
    end_sessions(world)
    with world.app.app_context():
        noise = "".join(secrets_.token() for _ in range(1200))
    answer = visitor.client.post(path, data={**fields, "list": noise})
    assert answer.status_code == 401
    assert "still here" not in answer.text


def test_passwords_codes_and_single_taps_are_never_kept(world: World) -> None:
    visitor, class_ = world.visitor("lake"), class_at(world)
    account = form_to(visitor.get("/account").text, "/account")
    close = form_to(visitor.get(class_).text, f"{class_}/close")
    remove = f"/teach/children/{world.children['Miaqua']}/remove"
    removal = form_to(visitor.get(remove).text, remove)
    parent = world.visitor("reed")
    link = form_to(parent.get("/family/").text, "/family/link")
    end_sessions(world)
    for who, path, fields in (
        (visitor, "/account", account.sent(old=PASSWORD, new="nine small otters dive")),
        (visitor, f"{class_}/close", close.sent()),
        (visitor, remove, removal.sent()),
        (parent, "/family/link", link.sent(code="ABCD-EFGH-JKLM")),
    ):
        answer = who.client.post(path, data=fields)
        assert answer.status_code == 401
        assert 'name="kept"' not in answer.text, path


@pytest.mark.walk(8)
@pytest.mark.parametrize("endpoint", KEPT)
def test_every_form_with_something_typed_is_kept(world: World, endpoint: str) -> None:
    who, path, form = shown(world, endpoint)
    fields = form.sent(**dict.fromkeys(ADULT_FORMS[endpoint].typed, "Typed 12"))
    if endpoint == "teach.mix":
        fields["save"] = ["1"]
    visitor = who[1]
    end_sessions(world)
    before = world.rows()
    late = visitor.client.post(path, data=fields)
    assert late.status_code == 401
    after = sign_in(visitor, late.text, login=who[0])
    sent = {name: value for name, value in fields.items() if name not in kept.NEVER}
    again = form_to(after.text, path).sent()
    assert {name: again[name] for name in sent} == sent
    rows = world.rows(frozenset({"sessions", "known_devices", "wrong_tries", "audit"}))
    assert rows == {name: before[name] for name in rows}


def shown(world: World, endpoint: str) -> tuple[tuple[str, Visitor], str, Form]:
    """Somebody who may send this form, its address, and the form on the page where it stands."""
    logins = {"teacher": "lake", "parent": "reed", "admin": "admin"}
    kind = next(kind for kind in logins if kind in kinds(endpoint))
    login = logins[kind]
    visitor = world.visitor(login)
    if endpoint == "teach.change_game":
        give_own_game(world)
    (action,) = (
        found.path
        for rule in rules(world.app)
        if rule.endpoint == endpoint and "POST" in (rule.methods or ())
        for found in addresses(world, rule)
        if is_own(whose(endpoint), login, found.thing) and found.thing not in ("Benquill",)
    )
    earlier = [_page_of[kind, action]] if (kind, action) in _page_of else []
    for path in chain(earlier, pages_of(world, login)):  # where an earlier test saw this form
        forms = [form for form in forms_of(visitor.get(path).text) if form.method == "post"]
        for form in forms:
            _page_of.setdefault((kind, form.action), path)
            if form.action == action:
                return (login, visitor), action, form
    raise AssertionError(f"no page shows the form of {endpoint}")


_page_of: dict[tuple[str, str], str] = {}  # by kind of person and action; each world is the same


def pages_of(world: World, login: str) -> Iterator[str]:
    """The address of each page of this adult."""
    for rule in rules(world.app):
        if "GET" in METHODS_OF.get(rule.endpoint, ()) and KIND[login] in kinds(rule.endpoint):
            for found in addresses(world, rule):
                is_page = not found.path.endswith(("/events", ".csv", ".json"))
                if is_page and is_own(whose(rule.endpoint), login, found.thing):
                    yield found.path


def give_own_game(world: World) -> None:
    with world.app.app_context():
        rules_ = GAMES["classic"].rules
        own_games.save(world.classes["sunfish"], "classic", "Ours", rules_, "both", by=None)


def test_each_form_of_adults_has_a_line() -> None:
    theirs = {
        name
        for name, line in PERMISSIONS.items()
        if "POST" in line.methods and line.who & {"teacher", "parent", "admin", "substitute"}
        if NOBODY not in line.who
    }
    assert set(ADULT_FORMS) == theirs


# ---- the page that was wanted


@pytest.mark.parametrize("path", ["", "/skills", "/games/own?game=make_ten&look=dots"])
def test_signing_in_leads_to_the_page_that_was_wanted(world: World, path: str) -> None:
    visitor = world.visitor("nobody")
    wanted = class_at(world) + path
    page = visitor.get(wanted, follow_redirects=True).text
    answer = sign_in(visitor, sign_in(visitor, page, password="wrong wrong wrong").text)
    assert (answer.status_code, answer.headers["Location"]) == (303, wanted)
    assert visitor.get(wanted).status_code == 200
    signed_in = visitor.get("/in", query_string={"wanted": wanted})
    assert signed_in.headers["Location"] == wanted


def test_after_a_tap_that_came_too_late_signing_in_leads_back_to_its_page(world: World) -> None:
    visitor, class_ = world.visitor("lake"), class_at(world)
    token = visitor.token()
    end_sessions(world)
    at = {"Referer": f"http://localhost{class_}"}
    late = visitor.client.post(f"{class_}/close", data={"token": token}, headers=at)
    assert late.status_code == 401
    assert f'href="/in?wanted={class_}"' in late.text
    part = visitor.get(
        f"{class_}/now", headers={**HTMX, "HX-Current-URL": f"http://localhost{class_}?done=added"}
    )
    assert part.headers["HX-Redirect"] == f"/in?wanted={class_}?done%3Dadded"


NOT_WANTED = (
    "https://elsewhere.example/teach/classes/1",
    "//elsewhere.example/teach/classes/1",
    "///elsewhere.example",
    "/\\elsewhere.example",
    "\\\\elsewhere.example",
    "/teach/classes/1@elsewhere.example",
    "https:elsewhere.example",
    "https:///teach/classes/1",
    "javascript:alert(1)",
    "data:text/html,x",
    "/teach/../../elsewhere",
    "/%2f%2felsewhere.example",
    "/\t/elsewhere.example",
    "http://[",
    "/teach/classes/1\r\nSet-Cookie: x=1",
    "teach/classes",
    "/teach/classes/1/close",  # a form, not a page
    "/teach/classes/1/live/events",
    "/teach/classes/1/now",
    "/teach/classes/1/skills.csv",
    "/teach/classes/2",  # of another teacher
    "/teach/classes/987654",
    "/family/",  # for another kind of person
    "/school/",
    "/play/",
    "/static/css/tokens.css",
    "/in",
    "/out",
    "/" + "a" * 5000,
    "?",
    "",
)


@pytest.mark.walk(4)
@pytest.mark.parametrize("wanted", NOT_WANTED)
def test_signing_in_leads_nowhere_else(world: World, wanted: str) -> None:
    visitor = world.visitor("nobody")
    answer = visitor.post("/in", {"login": "lake", "password": PASSWORD, "wanted": wanted})
    assert (answer.status_code, answer.headers["Location"]) == (303, "/")
    assert "Set-Cookie: x=1" not in str(answer.headers)


def test_a_wanted_address_is_put_together_anew(world: World) -> None:
    visitor, class_ = world.visitor("nobody"), class_at(world)
    fields = {"login": "lake", "password": PASSWORD}
    wanted = f"{class_}?_external=1&_scheme=ftp&x=%0d%0ay#//elsewhere.example"
    answer = visitor.post("/in", {**fields, "wanted": wanted})
    assert answer.headers["Location"] == f"{class_}?_external=1&_scheme=ftp&x=%0D%0Ay"


def test_every_page_that_signing_in_leads_to_is_a_whole_page(world: World, whole: bool) -> None:
    led = set()
    for login, kind in (("lake", "teacher"), ("reed", "parent"), ("admin", "admin")):
        visitor = world.visitor(login)
        for rule in rules(world.app):
            if kind not in kinds(rule.endpoint) or "GET" not in (rule.methods or ()):
                continue
            every = [*addresses(world, rule)]
            for found in {every[0], every[-1 if whole else 0]}:
                answer = visitor.get("/in", query_string={"wanted": found.path})
                to = answer.headers["Location"]
                if to != "/":
                    page = visitor.get(to)
                    assert "<html" in page.text or page.status_code == 404, to
                    led.add(rule.endpoint)
    assert {"teach.school_class", "teach.child", "family.child", "auth.account"} <= led


def test_a_session_that_has_ended_is_not_begun_again_by_asking(world: World) -> None:
    visitor = world.visitor("lake")
    path, fields = typed(world, visitor)
    end_sessions(world)
    visitor.client.post(path, data=fields)
    cookie = visitor.client.get_cookie("school")
    assert cookie is not None
    with world.app.app_context():
        assert sessions.find(cookie.value) is sessions.NOBODY


def test_a_file_is_not_promised_to_wait(world: World) -> None:
    visitor = world.visitor("lake")
    path = f"{class_at(world)}/list"
    form = form_to(visitor.get(path).text, path, "list")
    end_sessions(world)
    pasted = visitor.client.post(path, data=form.sent(list=ROSTER))
    assert 'name="kept"' in pasted.text
    sent = {**form.sent(list=ROSTER), "file": (io.BytesIO(b"name\nOttoline"), "list.csv")}
    assert 'name="kept"' not in visitor.client.post(path, data=sent).text
