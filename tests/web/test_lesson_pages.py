"""The pages of a lesson over HTTP: tables of friends, what a table shows besides cards, and the
teacher's pages."""

from __future__ import annotations

import re
from html import unescape

import pytest
from sqlalchemy import update

from classroom.database import db, write_unit
from classroom.models import ChildRound, Round
from classroom.services.access import sessions
from classroom.services.base import clock
from classroom.services.lesson import gatherings, lessons, open_tables, seating
from tests.playing import settings
from tests.world import Visitor, World

INLINE = re.compile(r"<script(?![^>]*\bsrc=)|\son[a-z]+=|\sstyle=")


@pytest.fixture
def lake(world: World) -> Visitor:
    return world.visitor("lake")


def pages(world: World) -> list[str]:
    at = f"/teach/classes/{world.classes['sunfish']}"
    watch = f"/teach/rounds/{world.rounds['Miaqua']}/watch"
    return [f"{at}/live", f"{at}/seats", f"{at}/board", watch]


def seat(world: World) -> None:
    """Seat Miaqua and Benquill, who are here, without starting."""
    with world.app.app_context():
        room = world.classes["sunfish"]
        for name in ("Miaqua", "Benquill"):
            with write_unit():
                sessions.start("e" * 32, class_id=room, child_id=world.children[name])
        seating.seat_class(room, "classic", 3, "mixed", world.adults["lake"])
        db.session.rollback()


def test_pages_of_a_lesson_have_nothing_inline_and_no_broken_link(
    world: World, lake: Visitor
) -> None:
    seat(world)
    for path in (*pages(world), pages(world)[1] + f"?child={world.children['Miaqua']}"):
        page = lake.get(path)
        assert page.status_code == 200, path
        assert not INLINE.search(page.text), path
        for link in re.findall(r'<a [^>]*href="([^"#]+)', page.text):
            assert lake.get(unescape(link)).status_code in (200, 303), (path, link)
        for form in re.findall(r'<form [^>]*action="([^"]+)"', page.text):
            assert lake.client.post(form).status_code == 403, (path, form)


def test_the_live_page_and_the_seats_mark_their_tab_as_the_current_one(
    world: World, lake: Visitor
) -> None:
    for path in pages(world)[:2]:
        assert 'aria-current="page">Live</a>' in lake.get(path).text, path


def test_a_stream_of_a_page_says_when_nothing_is_new(world: World, lake: Visitor) -> None:
    for path in pages(world)[::2]:
        with clock.clock_at(clock.now()):  # a stream also shows how long a child has been idle
            first = lake.get(path + "/events")
            mark = first.text.partition("\n")[0].removeprefix("id: ")
            again = lake.get(path + "/events", headers={"Last-Event-ID": mark})
        assert again.text == ": nothing new\n\n"
        with world.app.app_context():
            lessons.pause(world.classes["sunfish"])
            db.session.rollback()
        news = lake.get(path + "/events", headers={"Last-Event-ID": mark})
        assert news.text.startswith("id: ")
        with world.app.app_context():
            lessons.go_on(world.classes["sunfish"])
            db.session.rollback()


def test_the_board_for_the_projector_shows_no_results(world: World, lake: Visitor) -> None:
    text = lake.get(pages(world)[2]).text
    assert "Miaqua" in text
    assert "book" not in text.lower()


def test_the_last_seat_is_refused_kindly_and_other_tables_are_shown(world: World) -> None:
    with world.app.app_context():
        gatherings.make(world.children["Miaqua"], "classic")
        table = open_tables.open_tables(world.classes["sunfish"])[0].gathering_id
        for number in range(1, 6):
            gatherings.computer_friend(world.children["Miaqua"], number, there=True)
        db.session.rollback()
    answer = world.visitor("Benquill").post("/play/friends/sit", {"table": str(table)})
    assert answer.status_code == 409
    assert "This table is full" in answer.text
    assert 'id="new-classic"' in answer.text


def test_a_child_of_another_class_cannot_sit_down(world: World) -> None:
    with world.app.app_context():
        gatherings.make(world.children["Miaqua"], "classic")
        table = open_tables.open_tables(world.classes["sunfish"])[0].gathering_id
        db.session.rollback()
    answer = world.visitor("Adaquist").post("/play/friends/sit", {"table": str(table)})
    assert answer.status_code == 409
    with world.app.app_context():
        (found,) = open_tables.open_tables(world.classes["sunfish"])
        assert sum(friend is not None for friend in found.seats) == 1


def test_moves_are_refused_kindly_during_eyes_on_me(world: World) -> None:
    mia, here = world.visitor("Miaqua"), f"/play/rounds/{world.rounds['Miaqua']}"
    with world.app.app_context():
        lessons.pause(world.classes["sunfish"])
        db.session.rollback()
    fields = {"target": "1", "class": "7", "key": "k", "seen": "0"}
    with world.app.app_context():
        seen = db.session.get_one(Round, world.rounds["Miaqua"]).moves
        db.session.rollback()
    answer = mia.post(f"{here}/asks", fields | {"seen": str(seen)})
    assert answer.status_code == 409
    assert "Eyes on your teacher" in answer.text
    assert mia.post("/play/rounds", {"game": "classic", "new": "1"}).headers["Location"] == "/play/"


@pytest.mark.parametrize("path", ["/play/", "/play/friends"])
def test_a_child_who_cannot_begin_is_told_why_after_every_tap(world: World, path: str) -> None:
    mia = world.visitor("Miaqua")
    room, mias = world.classes["sunfish"], world.children["Miaqua"]

    def said(words: str, voice: str) -> None:
        db.session.rollback()
        page = mia.get(mia.get(path).headers["Location"]).text
        assert words in page
        assert f'data-greet data-say="{voice}"' in page

    with world.app.app_context():
        settings(mias, minutes_a_day=10)
        with write_unit():
            mine = ChildRound.child_id == mias
            db.session.execute(update(ChildRound).where(mine).values(seconds=601, day=clock.day()))
        said("That was your time for today.", "time-over")
        lessons.pause(room)
        said("Eyes on your teacher!", "eyes-on-me")
        lessons.go_on(room)
        lessons.end(room)
        said("Bye for now!", "bye-for-now")


def test_without_scripts_a_child_comes_back_by_a_button(world: World) -> None:
    with world.app.app_context(), write_unit():
        db.session.get_one(Round, world.rounds["Miaqua"]).away = [0]
    mia, here = world.visitor("Miaqua"), f"/play/rounds/{world.rounds['Miaqua']}"
    assert 'id="here"' in mia.get(here).text
    assert mia.post(f"{here}/back").status_code == 303
    assert 'id="here"' not in mia.get(here).text
