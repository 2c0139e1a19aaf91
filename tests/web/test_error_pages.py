"""Error pages: a picture and a way on for a child, a sentence for an adult."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from flask import abort
from sqlalchemy import text

from classroom.database import db
from classroom.services.base.errors import NotFound, NotNow, OutOfDate, Refused
from classroom.web.http.error_pages import ADULT_WORDS
from classroom.web.words.sentences import ANYTHING_ELSE, SENTENCES, sentence, status
from tests.world import World

HTMX = {"HX-Request": "true"}
SECRET = "a word that neither page nor log may hold"


def is_childs(page: str) -> bool:
    return 'class="child"' in page and "data-status=" in page


def is_adults(page: str) -> bool:
    return 'class="adult' in page and any(words in page for words in ADULT_WORDS.values())


CALLS: list[tuple[int, Callable[[World, str], object]]] = [
    (404, lambda world, who: world.visitor(who).get("/nothing")),
    (404, lambda world, who: world.visitor(who).get("/play/rounds/987654")),
    (404, lambda world, who: world.visitor(who).get("/teach/classes/987654")),
    (405, lambda world, who: world.visitor(who).client.put("/in")),
    (403, lambda world, who: world.visitor(who).client.post("/out")),
    (400, lambda world, who: world.visitor(who).get("/%ff")),
    (413, lambda world, who: world.visitor(who).client.post("/out", data=b"x" * 70_000)),
]


@pytest.mark.walk(3)
@pytest.mark.parametrize(("code", "call"), CALLS)
@pytest.mark.parametrize("who", ["device", "Miaqua", "lake", "reed"])
def test_a_refusal_suits_its_reader(
    world: World, who: str, code: int, call: Callable[[World, str], object]
) -> None:
    answer = call(world, who)
    if who == "device" and code == 404 and answer.status_code == 303:  # sent to the door
        return
    assert answer.status_code == code
    assert is_childs(answer.text) if who in ("device", "Miaqua") else is_adults(answer.text)
    assert 'href="/' in answer.text


def test_a_child_whose_session_ended_is_shown_the_way_in(world: World) -> None:
    visitor = world.visitor("ended child")
    path = f"/play/rounds/{world.rounds['Miaqua']}/asks"
    answer = visitor.post(path, {"key": "k", "seen": "0"})
    assert answer.status_code == 401
    assert is_childs(answer.text)
    assert re.search(r'href="/"', answer.text)
    by_script = visitor.post(path, {"key": "k", "seen": "0"}, headers=HTMX)
    assert (by_script.status_code, by_script.headers["HX-Redirect"]) == (401, "/")


def test_an_adult_whose_session_ended_is_shown_the_way_in(world: World) -> None:
    visitor = world.visitor("ended teacher")
    assert visitor.get("/teach/").headers["Location"] == "/in"
    path = f"/teach/classes/{world.classes['sunfish']}/close"
    answer = visitor.post(path)
    assert answer.status_code == 401
    assert ADULT_WORDS[401] in answer.text
    assert visitor.post(path, headers=HTMX).headers["HX-Redirect"] == "/in"


def test_an_error_in_a_part_of_a_page_replaces_the_whole_page(world: World) -> None:
    answer = world.visitor("Miaqua").get("/play/rounds/987654/table", headers=HTMX)
    assert answer.status_code == 404
    assert answer.headers["HX-Retarget"] == "body"


# ---- the last resort


def fails() -> None:
    raise KeyError(SECRET)


@pytest.mark.parametrize("who", ["nobody", "Miaqua", "lake"])
def test_an_unexpected_error_is_a_friendly_page_and_a_line_in_the_log(
    world: World, who: str, caplog: pytest.LogCaptureFixture
) -> None:
    world.app.view_functions["auth.privacy_page"] = fails
    visitor = world.visitor(who)
    answer = visitor.get("/privacy")
    assert answer.status_code == 500
    assert is_childs(answer.text) if who == "Miaqua" else is_adults(answer.text)
    assert SECRET not in answer.text
    assert "Traceback" not in answer.text
    assert SECRET not in caplog.text
    assert "KeyError" in caplog.text
    assert "in fails" in caplog.text
    assert "Content-Security-Policy" in answer.headers
    assert visitor.get("/in" if who == "nobody" else "/").status_code < 500


def test_there_is_an_answer_even_if_the_error_page_fails(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("classroom.web.http.error_pages.render", lambda *_, **__: fails())
    answer = world.visitor("lake").get("/nothing")
    assert answer.status_code == 404
    assert ADULT_WORDS[404] in answer.text
    assert SECRET not in answer.text
    assert "the page of an error failed" in caplog.text


def test_an_error_of_the_web_server_itself_is_a_friendly_page_too(world: World) -> None:
    world.app.view_functions["auth.health"] = lambda: abort(418)
    answer = world.visitor("lake").get("/health")
    assert answer.status_code == 418
    assert is_adults(answer.text)


@pytest.mark.sqlite
def test_a_database_held_by_another_program_is_a_friendly_page_and_does_no_damage(
    world: World,
) -> None:
    teacher = world.visitor("lake")
    path = f"/teach/classes/{world.classes['sunfish']}/open"
    token = teacher.token()
    with world.app.app_context():
        db.engine.dispose()
        with db.engine.connect() as connection:
            connection.execute(text("PRAGMA busy_timeout=50"))
    holder = sqlite3.connect(Path(world.app.instance_path) / "school.db", isolation_level=None)
    try:
        holder.execute("BEGIN IMMEDIATE")
        answer = teacher.client.post(path, data={"token": token, "minutes": "45"})
    finally:
        holder.close()
    assert answer.status_code == 503
    assert answer.headers["Retry-After"] == "5"
    assert ADULT_WORDS[503] in answer.text
    assert teacher.post(path, {"minutes": "45"}).status_code == 303


@pytest.mark.sqlite
def test_a_lost_database_is_a_friendly_page(world: World, caplog: pytest.LogCaptureFixture) -> None:
    visitor = world.visitor("lake")
    with world.app.app_context():
        db.engine.dispose()
    file = Path(world.app.instance_path) / "school.db"
    kept = file.read_bytes()
    for suffix in ("", "-wal", "-shm"):
        file.with_name(file.name + suffix).unlink(missing_ok=True)
    file.mkdir()
    assert visitor.get("/teach/").status_code == 503
    with world.app.app_context():
        db.engine.dispose()
    file.rmdir()
    file.write_bytes(kept)


# ---- words


@pytest.mark.parametrize("code", sorted(SENTENCES))
def test_every_sentence_is_a_whole_sentence(code: str) -> None:
    said = sentence(Refused(code, wait=75, shortest=15, longest=256, name="Mia"))
    assert said.endswith((".", "?"))
    assert "{" not in said
    assert said[0].isupper()


def test_waiting_times_are_said_in_everyday_words() -> None:
    for seconds, words in ((0.2, "1 second,"), (29.1, "30 seconds,"), (100, "2 minutes,")):
        assert words in sentence(Refused("login_wait", wait=seconds))


def test_a_refusal_without_a_sentence_says_that_nothing_changed() -> None:
    assert sentence(Refused("unheard_of")) == ANYTHING_ELSE


def test_each_kind_of_refusal_has_its_status() -> None:
    refusals = [
        NotFound(),
        NotNow("class_not_open"),
        OutOfDate(1, 2),
        Refused("login_wait"),
        Refused("login"),
    ]
    assert [status(refused) for refused in refusals] == [404, 409, 409, 429, 422]
