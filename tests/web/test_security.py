"""Protection of every route: no action from another site, no change by GET, headers, cookies."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from flask.testing import FlaskClient

from classroom.web.http.permissions import PERMISSIONS
from classroom.web.http.security import LONG
from tests import sample
from tests.web.routes import HIDDEN, Address, addresses, is_own, rules
from tests.world import KIND, PEOPLE, World

UNSAFE = ("unsafe-inline", "unsafe-eval", "unsafe-hashes", "wasm-unsafe", "data:", "blob:", "*")


def posts(world: World) -> Iterator[tuple[str, Address]]:
    """For each route that changes something, a person who may use it and an address of theirs."""
    for rule in rules(world.app):
        line = PERMISSIONS[rule.endpoint]
        if "POST" in (rule.methods or ()):
            who = (
                next(who for who in PEOPLE if KIND[who] in line.who and who != "device")
                if line.who != {"device"}
                else "device"
            )
            yield who, next(a for a in addresses(world, rule) if is_own(line.owns, who, a.thing))


FOREIGN = (
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": "none"},
    {"Origin": "https://elsewhere.example"},
    {"Origin": "null"},
    {"Origin": "http://localhost:81"},
    {"Origin": "https://localhost"},
)


def test_no_form_is_accepted_without_its_token_or_from_another_site(
    world: World, whole: bool
) -> None:
    people = {who: world.visitor(who) for who in PEOPLE}
    strange = world.visitor("brook").token()
    before = world.rows()
    tried = set()
    tokens = {who: people[who].token() for who in PEOPLE}
    for number, (who, address) in enumerate(posts(world)):
        forged: list[tuple[dict[str, str], dict[str, str]]] = [
            ({}, {}),
            ({"token": ""}, {}),
            ({"token": "00" * 64}, {}),
            ({"token": "no token"}, {}),
            ({"token": strange}, {}),
            ({}, {"X-Token": strange}),
            *(({"token": tokens[who]}, headers) for headers in FOREIGN),
        ]
        if not whole:  # each form all in turn, one without and one with a right token
            forged = [forged[number % 6], forged[6 + number % len(FOREIGN)]]
        for fields, headers in forged:
            answer = people[who].client.post(address.path, data=fields, headers=headers)
            refused = 404 if address.endpoint in HIDDEN else 403
            assert answer.status_code == refused, (who, address.path, fields, headers)
        tried.add(address.endpoint)
    assert tried == {name for name, line in PERMISSIONS.items() if "POST" in line.methods}
    assert world.rows() == before


def test_a_form_of_our_own_page_is_accepted(world: World) -> None:
    visitor = world.visitor("lake")
    headers = {"Sec-Fetch-Site": "same-origin", "Origin": "http://localhost"}
    assert visitor.post("/out", headers=headers).status_code == 303


def test_a_form_token_differs_each_time_and_stays_valid(world: World) -> None:
    visitor = world.visitor("nobody")
    tokens = {visitor.token() for _ in range(5)}
    assert len(tokens) == 5
    for token in tokens:
        answer = visitor.client.post("/in", data={"token": token, "login": "x", "password": "y"})
        assert answer.status_code == 401


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_another_site_can_link_to_a_page_but_not_embed_it(world: World, site: str) -> None:
    visitor = world.visitor("lake")
    link = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate"}
    assert visitor.get("/teach/", headers=link | {"Sec-Fetch-Dest": "document"}).status_code == 200
    for mode, dest in (("navigate", "iframe"), ("no-cors", "image"), ("cors", "empty")):
        headers = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": dest}
        assert visitor.get("/teach/", headers=headers).status_code == 403


# ---- headers


def everything(world: World, whole: bool) -> Iterator[tuple[str, object]]:
    """Answers to five visitors: one address of each page, and requests with all sorts of faults."""
    for who in ("nobody", "device", "Miaqua", "lake", "reed"):
        visitor = world.visitor(who)
        for rule in sample.part(rules(world.app), 3, whole):
            if "GET" in (rule.methods or ()):
                for address in list(addresses(world, rule))[:1]:
                    yield f"{who} {address.path}", visitor.get(address.path)
        yield f"{who} missing", visitor.get("/nothing/here")
        yield f"{who} broken", visitor.get("/%ff")
        yield f"{who} method", visitor.client.put("/in")
        yield f"{who} forged", visitor.client.post("/out")
        yield f"{who} large", visitor.client.post("/out", data=b"x" * 70_000)
        yield f"{who} static missing", visitor.get("/static/none.css")
        yield f"{who} posted", visitor.post("/in", {"login": "a", "password": "b"})


def test_every_answer_tells_the_browser_what_to_refuse_and_what_to_keep(
    world: World, whole: bool
) -> None:
    for where, answer in everything(world, whole):
        headers = answer.headers
        kept = headers["Cache-Control"]
        if answer.status_code == 200 and where.endswith(("/yes.mp3", "/pieces.json")):
            assert kept.startswith("private"), where  # a voice, by the version in its address
        elif answer.status_code == 200 and "/static/css" in where:
            assert kept.startswith("public"), where
        else:
            assert kept == "no-store", where
        csp = headers["Content-Security-Policy"]
        assert csp.startswith("default-src 'self';"), where
        for part in ("object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"):
            assert part in csp, where
        assert "form-action 'self'" in csp, where
        assert not any(word in csp for word in UNSAFE), where
        assert headers["X-Content-Type-Options"] == "nosniff", where
        assert headers["Referrer-Policy"] == "same-origin", where
        assert headers["Cross-Origin-Opener-Policy"] == "same-origin", where
        assert "Server" not in headers, where
        assert "X-Powered-By" not in headers, where


def test_a_static_file_with_a_mark_in_its_address_is_cached_for_ever(client: FlaskClient) -> None:
    page = client.get("/")
    address = re.search(r'href="(/static/css/look\.css\?v=[0-9a-f]+)"', page.text)
    assert address
    with client.get(address[1]) as answer:
        assert "immutable" in answer.headers["Cache-Control"]


def test_cookies_are_locked_to_this_host_over_https(world: World) -> None:
    client = world.app.test_client()
    https = {"base_url": "https://localhost"}
    page = client.get("/in", **https)
    assert page.headers["Strict-Transport-Security"] == "max-age=31536000"
    token = re.search(r'name="token" value="([0-9a-f]+)"', page.text)
    assert token
    fields = {"token": token[1], "login": "lake", "password": "seven quiet herons wade"}
    answer = client.post("/in", data=fields, **https)
    cookies = page.headers.getlist("Set-Cookie") + answer.headers.getlist("Set-Cookie")
    assert {cookie.split("=")[0] for cookie in cookies} == {
        "__Host-school",
        "__Host-school-device",
    }
    for cookie in cookies:
        for part in ("Secure", "HttpOnly", "SameSite=Lax", "Path=/"):
            assert part in cookie
        assert "Domain" not in cookie
    assert client.get("/teach/", **https).status_code == 200


def test_scripts_cannot_read_cookies_without_https_either(world: World) -> None:
    visitor = world.visitor("nobody")
    answer = visitor.post("/in", {"login": "lake", "password": "seven quiet herons wade"})
    (cookie,) = answer.headers.getlist("Set-Cookie")
    assert cookie.startswith("school=")
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "Strict-Transport-Security" not in answer.headers


def test_a_client_cannot_say_that_it_came_by_https(world: World) -> None:
    visitor = world.visitor("nobody")
    answer = visitor.get("/in", headers={"X-Forwarded-Proto": "https", "X-Forwarded-Host": "evil"})
    assert "Strict-Transport-Security" not in answer.headers
    assert "evil" not in answer.text


# ---- odd requests


@pytest.mark.parametrize("who", ["nobody", "device", "Miaqua", "lake", "reed"])
def test_bytes_that_are_not_text_are_refused_kindly(world: World, who: str) -> None:
    visitor = world.visitor(who)
    token = visitor.token()
    before = world.rows()
    form = {"content_type": "application/x-www-form-urlencoded"}
    for field in (b"code=%FF%FE", b"%C0%AF=1", b"code=%00", b"login=\xff\xfe"):
        answer = visitor.client.post(
            "/join", data=b"token=" + token.encode() + b"&" + field, **form
        )
        assert answer.status_code == 400, field
    for path in ("/%ff", "/c/%C3%28", "/?x=%ED%A0%80", "/in?%ff", "/%00"):
        assert visitor.get(path).status_code == 400, path
    assert world.rows() == before


@pytest.mark.walk(12)
@pytest.mark.parametrize("who", PEOPLE)
def test_a_body_that_is_too_large_is_refused_before_it_is_read(world: World, who: str) -> None:
    visitor = world.visitor(who)
    for rule in rules(world.app):
        for address in list(addresses(world, rule))[:1] if "POST" in (rule.methods or ()) else ():
            long = LONG.get(rule.endpoint, 60_000) + 10_000
            answer = visitor.client.post(address.path, data=b"token=" + b"x" * long)
            assert answer.status_code == 413, address.path


def test_odd_cookies_are_ignored(world: World) -> None:
    for value in ("", "x" * 4_000, "\x7f", "ü", "../../etc", "' OR 1=1", "0" * 43):
        client = world.app.test_client()
        client.set_cookie("school", value)
        client.set_cookie("school-device", value)
        assert client.get("/play/").status_code == 303
        assert client.get("/").status_code == 200


def test_uploaded_files_are_refused(world: World) -> None:
    visitor = world.visitor("nobody")
    data = {"token": visitor.token(), "code": (__file__, "code.txt")}
    assert visitor.client.post("/join", data=data).status_code == 400
