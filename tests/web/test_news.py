"""The messages of all streams of a table, made in one job."""

from __future__ import annotations

import random
import re
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import EnvironBuilder

from classroom.database import db, write_unit
from classroom.games import GAMES
from classroom.live.answers import fetch
from classroom.models import SchoolClass
from classroom.services.access import sessions
from classroom.services.lesson import lessons, live_class
from classroom.services.table import matches, rounds
from classroom.web.child import play
from tests.conftest import Rooms, finish, make_app
from tests.playing import Classroom, client_with, fill, signed_in, without_random_parts
from tests.statements import sent_to

NOTHING_NEW = b": nothing new\n\n"


@dataclass
class Stream:
    """A stream of one child's page: its cookies, and what its first request has left."""

    room: Classroom
    cookies: dict[str, str]
    environ: dict[str, Any]

    def open(self) -> None:
        """Get the first message, from the page's own route."""
        answer = self.route()
        assert answer.status == 200
        self.environ["HTTP_LAST_EVENT_ID"] = mark_in(answer.body)

    def route(self) -> Any:
        """What the page's own route answers to this stream now."""
        return fetch(self.room.app, self.environ)


def stream(room: Classroom, round_id: int, cookies: dict[str, str], **headers: str) -> Stream:
    path = f"/play/rounds/{round_id}/events"
    sent = "; ".join(f"{name}={value}" for name, value in cookies.items())
    environ = dict(EnvironBuilder(path).get_environ()) | headers | {"HTTP_COOKIE": sent}
    return Stream(room, cookies, environ | {"fishschool.stream": True, play.KEPT_NEWS: {}})


def mark_in(body: bytes) -> str:
    return body.partition(b"\n")[0].removeprefix(b"id: ").decode()


@dataclass
class Table:
    """A table of children, each with an open stream."""

    room: Classroom
    round_id: int
    streams: list[Stream]
    seats: int

    def messages(self) -> list[bytes | None]:
        make: Callable[..., list[bytes | None]] = self.room.app.extensions["news"]
        return make(self.round_id, [one.environ for one in self.streams])

    def move(self, lots: random.Random) -> bool:
        """Make any move, if there is one."""
        with self.room.app.app_context():
            for seat in range(self.seats):
                table = rounds.table(self.round_id, seat)
                if table.observation.legal:
                    action = lots.choice(table.observation.legal)
                    rounds.play(self.round_id, seat, action, secrets.token_hex(4), table.seq)
                    return True
        return False


def table_of(room: Classroom, game: str = "classic", children: int = 3, query: str = "") -> Table:
    """`query`: the query of the streams' addresses."""
    names = list(room.children)[:children]
    with room.app.app_context():
        with write_unit():
            seated = [room.children[name] for name in names]
            round_id = matches.together(room.class_id, game, seated)
        kept = [signed_in(class_id=room.class_id, child_id=room.children[name]) for name in names]
    opened = [stream(room, round_id, cookies, QUERY_STRING=query) for cookies in kept]
    made = Table(room, round_id, opened, children)
    for one in made.streams:
        one.open()
    return made


@pytest.fixture
def room(tmp_path: Path, rooms: Rooms) -> Iterator[Classroom]:
    made = rooms.copy(tmp_path / "instance", 4)
    yield made
    finish(made.app)


def same(made: bytes | None, answered: bytes) -> bool:
    assert made is not None
    return without_random_parts(made.decode()) == without_random_parts(answered.decode())


# ---- the same messages


@pytest.mark.walk(7)
@pytest.mark.parametrize("query", ["", "told=1"])
@pytest.mark.parametrize("game", sorted(GAMES))
def test_each_seat_gets_what_the_pages_own_route_answers_it(
    room: Classroom, game: str, query: str
) -> None:
    lots, table = random.Random(game), table_of(room, game, GAMES[game].seats, query)
    parts = 0  # messages with only the parts that changed; the first moves are sent whole
    for _ in range(table.seats + 3):
        if not table.move(lots):
            break
        for made, one in zip(table.messages(), table.streams, strict=True):
            answered = one.route()
            assert answered.status == 200
            assert mark_in(answered.body) != one.environ["HTTP_LAST_EVENT_ID"]
            assert same(made, answered.body)
            parts += b'id="told"' in answered.body
            one.environ["HTTP_LAST_EVENT_ID"] = mark_in(answered.body)
        assert table.messages() == [NOTHING_NEW] * len(table.streams)
    assert bool(parts) == bool(query)


def test_whoever_is_next_is_told_what_a_turn_needs_and_nothing_else(room: Classroom) -> None:
    lots, table = random.Random(7), table_of(room, query="told=1")
    for made in range(table.seats + 4):
        table.move(lots)
        messages = [one.route().body for one in table.streams]
        for one, body in zip(table.streams, messages, strict=True):
            one.environ["HTTP_LAST_EVENT_ID"] = mark_in(body)
        if made < table.seats:
            continue  # the first moves are sent whole
        assert all(b'id="told"' in body and b"table__top" not in body for body in messages)
        assert sum(b'id="go"' in body and b'id="fan-' in body for body in messages) == 1


def test_what_happens_beside_the_moves_is_in_the_messages_too(room: Classroom) -> None:
    table = table_of(room)
    with room.app.app_context():
        live_class.hand(room.children["Mia"], up=True)
        lessons.pause(room.class_id, None)
    for one, made in zip(table.streams, table.messages(), strict=True):
        assert made != NOTHING_NEW
        assert same(made, one.route().body)


def test_a_page_behind_by_some_moves_is_told_all_of_them(room: Classroom) -> None:
    table, lots = table_of(room), random.Random(5)
    for _ in range(3):
        table.move(lots)
    table.streams[1].environ["HTTP_LAST_EVENT_ID"] = "2-0"
    table.streams[2].environ["HTTP_LAST_EVENT_ID"] = "x"
    for made, one in zip(table.messages(), table.streams, strict=True):
        assert same(made, one.route().body)


def test_a_form_in_a_message_is_valid_in_its_own_browser_only(room: Classroom) -> None:
    table = table_of(room)
    table.move(random.Random(1))
    tokens = [_token(made) for made in table.messages()]
    path = f"/play/rounds/{table.round_id}/hand"
    for seat, one in enumerate(table.streams):
        client = client_with(room.app, one.cookies)
        for whose, token in enumerate(tokens):
            answer = client.post(path, data={"token": token, "up": "1"})
            assert (answer.status_code == 403) == (whose != seat)


def _token(made: bytes | None) -> str:
    assert made is not None
    return re.findall(r'name="token" value="([0-9a-f]+)"', made.decode())[0]


# ---- the same guard


def test_a_session_that_has_ended_gets_no_message_and_the_others_do(room: Classroom) -> None:
    table = table_of(room)
    table.move(random.Random(2))
    with room.app.app_context(), write_unit():
        sessions.end_all(child_id=room.children["Ben"])
    made = table.messages()
    assert [one is None for one in made] == [False, True, False]
    assert table.streams[1].route().status != 200


def test_a_child_that_has_moved_to_another_device_gets_no_message_here(room: Classroom) -> None:
    table = table_of(room)
    with room.app.app_context(), write_unit():
        sessions.move_to_here(room.children["Ada"], None)
    assert table.messages() == [NOTHING_NEW, NOTHING_NEW, None]
    assert table.streams[2].route().status != 200


def test_once_the_class_is_closed_nobody_gets_a_message(room: Classroom) -> None:
    table = table_of(room)
    with room.app.app_context(), write_unit():
        db.session.get_one(SchoolClass, room.class_id).opened_until = 0.0
    assert table.messages() == [None] * 3
    assert all(one.route().status != 200 for one in table.streams)


def test_a_stream_gets_no_message_of_a_round_in_which_its_child_does_not_sit(
    room: Classroom,
) -> None:
    ours, theirs = table_of(room, children=2), table_of(room, children=3)
    ours.move(random.Random(3))
    strangers = Table(room, ours.round_id, theirs.streams[2:], 2)
    assert strangers.messages() == [None]


def test_a_stream_whose_first_request_left_nothing_asks_the_route(room: Classroom) -> None:
    table = table_of(room)
    table.streams[0].environ[play.KEPT_NEWS] = {}
    assert table.messages() == [None, NOTHING_NEW, NOTHING_NEW]


def test_nothing_is_kept_for_a_browser_without_a_device_name(room: Classroom) -> None:
    table = table_of(room)
    cookies = {"school": table.streams[0].cookies["school"]}
    nameless = stream(room, table.round_id, cookies)
    nameless.open()
    assert nameless.environ[play.KEPT_NEWS] == {}


def test_the_messages_are_made_behind_a_proxy_too(tmp_path: Path, migrated: Path) -> None:
    app = make_app(tmp_path / "behind", migrated, PROXIES=1)
    room = fill(app, 3)
    with app.app_context():
        with write_unit():
            round_id = matches.together(room.class_id, "classic", list(room.children.values()))
        kept = signed_in(class_id=room.class_id, child_id=room.children["Mia"])
    secure = {f"__Host-{name}": value for name, value in kept.items()}
    mine = stream(room, round_id, secure, HTTP_X_FORWARDED_PROTO="https")
    mine.open()
    table = Table(room, round_id, [mine], 3)
    assert table.messages() == [NOTHING_NEW]
    table.move(random.Random(4))
    assert same(table.messages()[0], mine.route().body)
    finish(app)


# ---- what they cost


def test_two_statements_serve_all_streams_of_a_table(room: Classroom) -> None:
    table = table_of(room, children=4)
    table.move(random.Random(6))
    with sent_to(room.engine) as sent:
        assert NOTHING_NEW not in table.messages()
    assert len(sent) == 2, sent


def test_one_statement_finds_that_nothing_is_new(room: Classroom) -> None:
    table = table_of(room, children=4)
    with sent_to(room.engine) as sent:
        assert table.messages() == [NOTHING_NEW] * 4
    assert len(sent) == 1, sent
