"""What the app says about privacy is true, and everyone can read it."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape
from pathlib import Path

import pytest
from werkzeug.test import TestResponse

from classroom import privacy
from classroom.web.http.guards import DEVICE_SECONDS
from tests.world import PASSWORD, PEOPLE, World

ROOT = Path(__file__).resolve().parents[2]
STORES = re.compile(r"localStorage|sessionStorage|indexedDB|\bcaches\b|serviceWorker|cookieStore")
SETS_COOKIE = re.compile(r"document\.cookie\s*=\s*[`'\"]([\w-]+)=")


def text_of(answer: TestResponse) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", answer.text)).split())


@pytest.mark.walk(4)
@pytest.mark.parametrize("who", PEOPLE)
def test_the_page_shows_everything_in_the_register(world: World, who: str) -> None:
    answer = world.visitor(who).get("/privacy")
    assert answer.status_code == 200
    said = text_of(answer)
    for name, table in privacy.REGISTER.items():
        assert " ".join(table.what.split()) in said, name
        for column, line in table.columns.items():
            assert f"{column} {line.purpose}" in said, f"{name}.{column}"
    for texts in (privacy.SHORT, privacy.QUESTIONS, privacy.FOR_CHILDREN):
        assert not [text for _, text in texts if text not in said]
    for one in privacy.WORKED_OUT:
        assert f"{one.what} {one.used_for} Seen by {one.seen_by}." in said
    for cookie in privacy.COOKIES:
        assert f"{cookie.name} {cookie.purpose}" in said


def test_the_page_names_whom_to_ask(world: World) -> None:
    assert "Ask the school." in text_of(world.visitor("nobody").get("/privacy"))
    world.app.config["CONTACT"] = "Ms Lake, room 7"
    assert "Ask Ms Lake, room 7." in text_of(world.visitor("nobody").get("/privacy"))


@pytest.mark.parametrize(
    ("who", "path"),
    [
        ("nobody", "/in"),
        ("nobody", "/family/join"),
        ("lake", "/teach/"),
        ("reed", "/family/"),
        ("admin", "/account"),
    ],
)
def test_every_page_for_adults_links_to_it(world: World, who: str, path: str) -> None:
    assert 'href="/privacy"' in world.visitor(who).get(path).text


def test_set_up_and_the_first_visit_link_to_it(client: object) -> None:
    for path in ("/", "/setup"):
        assert 'href="/privacy"' in client.get(path).text  # type: ignore[attr-defined]


# ---- cookies


def cookies_of_the_app(world: World) -> dict[str, str]:
    """Every cookie that visiting, signing in and joining a class put into a browser."""
    client = world.app.test_client()
    answers = [client.get("/")]
    token = re.search(r'name="token" value="([0-9a-f]+)"', client.get("/in").text)
    assert token
    fields = {"token": token[1], "login": "lake", "password": PASSWORD}
    answers.append(client.post("/in", data=fields))
    device = world.app.test_client()
    token = re.search(r'name="token" value="([0-9a-f]+)"', device.get("/in").text)
    assert token
    answers.append(device.post("/language", data={"token": token[1], "language": "es"}))
    answers.append(device.post("/join", data={"token": token[1], "code": "100000"}))
    found: dict[str, str] = {}
    for answer in answers:
        for line in answer.headers.getlist("Set-Cookie"):
            name, rest = line.split("=", 1)
            found[name] = rest
    return found


SCRIPTS = [
    path for room in ("child", "adult", "vendor") for path in (ROOT / "scripts" / room).glob("*.js")
]


def cookies_of_the_scripts() -> set[str]:
    text = "".join(path.read_text(encoding="utf-8") for path in SCRIPTS)
    assert text.count("document.cookie =") == len(SETS_COOKIE.findall(text)) > 0
    return set(SETS_COOKIE.findall(text))


def test_the_list_of_cookies_is_complete_and_true(world: World) -> None:
    listed = {cookie.name: cookie for cookie in privacy.COOKIES}
    set_by_app = cookies_of_the_app(world)
    assert set(listed) == set(set_by_app) | cookies_of_the_scripts()
    for name, line in set_by_app.items():
        lasts = re.search(r"Max-Age=(\d+)", line)
        days = timedelta(seconds=int(lasts[1])).days if lasts else None
        assert listed[name].days == days, name
    assert listed["school-device"].days == DEVICE_SECONDS // 86_400


def test_scripts_keep_nothing_else_in_a_browser() -> None:
    for path in SCRIPTS:
        assert not STORES.search(path.read_text(encoding="utf-8")), path
    sets = [
        path
        for path in (ROOT / "classroom").rglob("*.py")
        if "set_cookie(" in path.read_text(encoding="utf-8")
    ]
    assert [path.name for path in sets] == ["guards.py"]
