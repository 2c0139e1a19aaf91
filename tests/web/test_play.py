"""The child's table over HTTP: the answer to each tap, with and without scripts."""

from __future__ import annotations

import re
import secrets
from pathlib import Path

import pytest
from werkzeug.test import TestResponse

from classroom.database import db, write_unit
from classroom.engine.actions import Ask
from classroom.models import Round
from classroom.services.operation import background
from classroom.services.table import matches, offers, rounds, states
from classroom.services.table.rounds import ViewedTable
from tests.conftest import finish, make_app
from tests.playing import Browser, Classroom, browser, settings, without_random_parts
from tests.statements import sent_to


def table_of(room: Classroom, round_id: int) -> ViewedTable:
    with room.app.app_context():
        found = rounds.table(round_id, 0)
        db.session.rollback()
        return found


def my_turn(room: Classroom, child: str = "Mia", **set_up: object) -> ViewedTable:
    with room.app.app_context():
        if set_up:
            settings(room.children[child], **set_up)
        round_id = matches.start_match(room.children[child])
        background.play_now(round_id)
    return table_of(room, round_id)


def others_turn(room: Classroom) -> ViewedTable:
    while True:
        with room.app.app_context():
            round_id = matches.start_match(room.children["Mia"])
        table = table_of(room, round_id)
        if not table.my_turn:
            return table


def play_out(room: Classroom, round_id: int) -> ViewedTable:
    with room.app.app_context():
        while True:
            background.play_now(round_id)
            table = rounds.table(round_id, 0)
            if table.over:
                return table
            rounds.play(round_id, 0, table.observation.legal[0], f"k{table.seq}", table.seq)


def legal(table: ViewedTable) -> Ask:
    found = table.observation.legal[0]
    assert isinstance(found, Ask)
    return found


def ask(mia: Browser, table: ViewedTable, key: str = "") -> TestResponse:
    action = legal(table)
    return mia.ask(table.round_id, action.target, action.class_, table.seq, key)


def v(answer: TestResponse) -> int:
    """The number of the move that a page shows."""
    return int(re.findall(r'<main [^>]*data-v="(\d+)"', answer.text)[0])


def is_part(answer: TestResponse) -> bool:
    return answer.text.lstrip().startswith("<main") and 'id="table"' in answer.text


# ---- how much a tap asks of the database

# The most database statements that each may take, so that one server can serve 500 children.
MOST = {"ask": 9, "part": 2, "nothing new": 1}


def test_a_tap_and_a_part_of_a_stream_ask_little_of_the_database(
    room: Classroom, mia: Browser
) -> None:
    table = my_turn(room)
    while not table.over:
        with sent_to(room.engine) as sent:
            assert ask(mia, table).status_code == 200
        assert len(sent) <= MOST["ask"], sent
        with room.app.app_context():
            background.play_now(table.round_id)
        table = table_of(room, table.round_id)
    events = f"/play/rounds/{table.round_id}/events"
    with sent_to(room.engine) as sent:
        part = mia.get(events)
    assert len(sent) <= MOST["part"], sent
    mark = part.text.partition("\n")[0].removeprefix("id: ")
    with sent_to(room.engine) as sent:
        mia.client.get(events, headers={"Last-Event-ID": mark})
    assert len(sent) <= MOST["nothing new"], sent


# ---- moves


def test_a_tap_is_answered_with_the_table_after_it(room: Classroom, mia: Browser) -> None:
    table = my_turn(room)
    answer = ask(mia, table)
    assert answer.status_code == 200
    assert is_part(answer)
    assert v(answer) == table.seq + 1
    assert "steps" in answer.text


def test_a_tap_without_scripts_leads_to_the_page_of_the_table(
    room: Classroom, mia: Browser
) -> None:
    table = my_turn(room)
    action = legal(table)
    answer = mia.post(
        f"/play/rounds/{table.round_id}/asks", htmx=False,
        target=action.target, class_=action.class_, seen=table.seq, key="k1",
    )  # fmt: skip
    assert answer.status_code == 303
    page = mia.get(answer.location)
    assert page.status_code == 200
    assert v(page) == table.seq + 1
    assert page.text.lstrip().startswith("<!doctype html>")


def test_a_turn_without_scripts_is_two_choices_and_one_form(room: Classroom, mia: Browser) -> None:
    table = my_turn(room)
    action = legal(table)
    here = f"/play/rounds/{table.round_id}"
    page = mia.get(f"{here}?class={action.class_}").text
    assert f'name="class" value="{action.class_}"' in page
    page = mia.get(f"{here}?class={action.class_}&target={action.target}").text
    form = page[page.index('id="ask"') :]
    fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form[: form.index("</form>")]))
    answer = mia.client.post(f"{here}/asks", data=fields)
    assert answer.status_code == 303
    assert table_of(room, table.round_id).seq == table.seq + 1


def test_two_taps_are_one_move(room: Classroom, mia: Browser) -> None:
    table = my_turn(room)
    first, second = (ask(mia, table, "tap") for _ in range(2))
    assert (first.status_code, second.status_code) == (200, 200)
    assert without_random_parts(first.text) == without_random_parts(second.text)
    assert table_of(room, table.round_id).seq == table.seq + 1


def test_an_older_tab_is_told_kindly_and_shown_the_present_table(
    room: Classroom, mia: Browser
) -> None:
    table = my_turn(room)
    ask(mia, table)
    with room.app.app_context():
        background.play_now(table.round_id)
    now = table_of(room, table.round_id)
    answer = ask(mia, table)
    assert answer.status_code == 409
    assert is_part(answer)
    assert v(answer) == now.seq
    assert "The game has moved on." in answer.text
    assert table_of(room, table.round_id) == now


def test_an_older_tab_without_scripts_gets_the_whole_page(room: Classroom, mia: Browser) -> None:
    table = my_turn(room)
    ask(mia, table)
    answer = mia.post(
        f"/play/rounds/{table.round_id}/asks", htmx=False,
        target=1, class_="A", seen=table.seq, key="k2",
    )  # fmt: skip
    assert answer.status_code == 409
    assert "<!doctype html>" in answer.text
    assert "The game has moved on." in answer.text


def not_held(table: ViewedTable) -> str:
    held = {card[:-1] for card in table.observation.hand}
    return next(rank for rank in "A23456789TJQK" if rank not in held)


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("class_", "not held", "Tap a card that you have."),
        ("class_", "Z", ""),
        ("class_", "7H", ""),
        ("target", 0, "Ask a friend."),
        ("target", 7, ""),
        ("target", "all", ""),
    ],
)
def test_an_illegal_ask_is_answered_with_a_picture(
    room: Classroom, mia: Browser, field: str, value: object, words: str
) -> None:
    table = my_turn(room)
    value = not_held(table) if value == "not held" else value
    fields = {"target": legal(table).target, "class_": legal(table).class_, field: value}
    answer = mia.post(f"/play/rounds/{table.round_id}/asks", seen=table.seq, key="k", **fields)
    assert answer.status_code == 422
    assert is_part(answer)
    assert 'id="notice"' in answer.text
    assert words in answer.text
    assert table_of(room, table.round_id) == table


@pytest.mark.parametrize(
    ("off", "words", "sign"),
    [
        ({"hints": False}, "find it by yourself", "i-ask"),
        ({"board": "off"}, "remember it by yourself", "i-eye"),
    ],
)
def test_help_that_an_adult_turned_off_has_its_own_picture(
    room: Classroom, mia: Browser, off: dict[str, object], words: str, sign: str
) -> None:
    table = my_turn(room, **off)
    asked = "hint" if "hints" in off else "board"
    answer = mia.post(f"/play/rounds/{table.round_id}/{asked}", seen=table.seq)
    assert answer.status_code == 409
    notice = answer.text.split('id="notice"')[1].split("</div>")[0]
    assert words in notice
    assert sign in notice
    assert "i-x" in notice


def test_asking_out_of_turn_is_told_to_wait(room: Classroom, mia: Browser) -> None:
    table = others_turn(room)
    answer = mia.ask(table.round_id, 1, "A", table.seq)
    assert answer.status_code == 422
    assert "Wait for your turn." in answer.text
    assert table_of(room, table.round_id) == table


def test_asking_in_a_round_that_is_over_shows_its_end(room: Classroom, mia: Browser) -> None:
    table = play_out(room, my_turn(room).round_id)
    answer = mia.ask(table.round_id, 1, "A", table.seq)
    assert answer.status_code == 422
    assert "The round is over." in answer.text
    assert 'id="again"' in answer.text


@pytest.mark.walk(4)
@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"class_": "", "target": ""},
        {"class_": "A"},
        {"target": "1"},
        {"class_": "A", "target": "1", "seen": "x"},
        {"class_": "A", "target": "1", "seen": "-1"},
        {"class_": "A", "target": "1", "seen": "9" * 30},
        {"class_": "A", "target": "-1"},
        {"class_": "A", "target": "1", "key": ""},
        {"class_": "A", "target": "1", "key": "x" * 37},
        {"class_": "A", "target": "1", "key": "a b"},
        {"class_": "A", "target": "1", "key": "<b>"},
        {"class_": "A" * 5000, "target": "one"},
    ],
)
def test_a_request_that_no_page_would_send_changes_nothing(
    room: Classroom, mia: Browser, fields: dict[str, object]
) -> None:
    table = my_turn(room)
    sent = {"seen": table.seq, "key": "k"} | fields
    answer = mia.post(f"/play/rounds/{table.round_id}/asks", **sent)
    assert answer.status_code == 400
    assert is_part(answer)
    assert "Tap a card. Then tap a friend." in answer.text
    assert table_of(room, table.round_id) == table


@pytest.mark.walk(3)
@pytest.mark.parametrize(
    "fields",
    [
        {"type": "lay", "cards": "7H 7C 7D 7S"},
        {"type": "layoff", "card": "7H"},
        {"type": "show", "show": "yes"},
        {"type": "name", "number": "2"},
        {"type": "answer", "answer": "give"},
        {"type": "declare"},
        {"type": "pass"},
        {"type": "claim", "cards": "7H 7C 7D 7S"},
    ],
)
def test_actions_of_other_games_are_refused_in_this_one(
    room: Classroom, mia: Browser, fields: dict[str, object]
) -> None:
    table = my_turn(room)
    path = f"/play/rounds/{table.round_id}/actions"
    answer = mia.post(path, seen=table.seq, key="k", **fields)
    assert answer.status_code == 422
    assert table_of(room, table.round_id) == table
    assert mia.post(path, seen=table.seq, key="k", type="cheat").status_code == 400


def test_broken_and_overlong_text_is_refused_kindly(room: Classroom, mia: Browser) -> None:
    table = my_turn(room)
    path = f"/play/rounds/{table.round_id}/asks"
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    token = f"token={mia.token}&".encode()
    broken = mia.client.post(path, data=token + b"class=%ff%fe&target=1", headers=form)
    assert broken.status_code == 400
    large = mia.client.post(path, data=token + b"class=" + b"a" * 10**6, headers=form)
    assert large.status_code == 413
    assert table_of(room, table.round_id) == table


def test_a_form_without_its_token_changes_nothing(room: Classroom, mia: Browser) -> None:
    table = my_turn(room)
    mia.token = ""
    assert ask(mia, table).status_code == 403
    assert table_of(room, table.round_id) == table


@pytest.mark.parametrize("path", ["", "/table", "/events"])
def test_another_childs_round_is_not_found(room: Classroom, mia: Browser, path: str) -> None:
    round_id = my_turn(room, "Ben").round_id
    theirs = mia.get(f"/play/rounds/{round_id}{path}")
    nowhere = mia.get(f"/play/rounds/999{path}")
    assert (theirs.status_code, nowhere.status_code) == (404, 404)
    assert without_random_parts(theirs.text) == without_random_parts(nowhere.text)


@pytest.mark.parametrize("path", ["asks", "actions", "hint", "board", "again"])
def test_a_child_can_do_nothing_in_another_childs_round(
    room: Classroom, mia: Browser, path: str
) -> None:
    table = my_turn(room, "Ben")
    action = legal(table)
    fields = {"target": action.target, "class_": action.class_, "seen": table.seq, "key": "k"}
    assert mia.post(f"/play/rounds/{table.round_id}/{path}", **fields).status_code == 404
    assert table_of(room, table.round_id) == table


def test_no_form_can_name_a_seat(room: Classroom, mia: Browser) -> None:
    table = others_turn(room)
    turn = table.observation.turn
    answer = mia.post(
        f"/play/rounds/{table.round_id}/asks", seat=turn, played_by="computer", viewer="teacher",
        target=0, class_="A", seen=table.seq, key="k",
    )  # fmt: skip
    assert answer.status_code == 422
    assert table_of(room, table.round_id) == table


# ---- looking


def test_a_table_that_did_not_change_is_not_sent_again(room: Classroom, mia: Browser) -> None:
    table = my_turn(room)
    path = f"/play/rounds/{table.round_id}/table"
    first = mia.get(path)
    assert first.status_code == 200
    assert is_part(first)
    tag = first.headers["ETag"]
    same = mia.get(path, **{"If-None-Match": tag})
    assert (same.status_code, same.data, same.headers["ETag"]) == (304, b"", tag)
    assert mia.get(path, **{"If-None-Match": "W/" + tag}).status_code == 304
    ask(mia, table)
    assert mia.get(path, **{"If-None-Match": tag}).status_code == 200


def test_an_event_holds_the_whole_table_and_its_number(room: Classroom, mia: Browser) -> None:
    table = my_turn(room)
    part = without_random_parts(mia.get(f"/play/rounds/{table.round_id}/table").text)
    event = mia.get(f"/play/rounds/{table.round_id}/events")
    assert event.mimetype == "text/event-stream"
    number, *lines = event.text.removesuffix("\n\n").split("\n")
    assert number == f"id: {table.seq}-0"
    assert all(line.startswith("data: ") for line in lines)
    assert without_random_parts("\n".join(line[6:] for line in lines)) == part.removesuffix("\n")


def test_an_event_for_a_page_that_is_up_to_date_is_empty(room: Classroom, mia: Browser) -> None:
    first = my_turn(room)
    ask(mia, first)
    table = table_of(room, first.round_id)
    path = f"/play/rounds/{table.round_id}/events"
    assert mia.get(path, **{"Last-Event-ID": f"{table.seq}-0"}).text == ": nothing new\n\n"
    for other in (f"{table.seq}-1", "0-0", "x"):
        answer = mia.get(path, **{"Last-Event-ID": other})
        assert answer.text.startswith(f"id: {table.seq}-0\n")


def test_looking_changes_nothing(room: Classroom, mia: Browser) -> None:
    round_id = others_turn(room).round_id
    before = rows(room)
    for path in ("", "?seen=0", "?class=A&target=1", "/table", "/events"):
        assert mia.get(f"/play/rounds/{round_id}{path}").status_code == 200
    assert mia.get("/play/").status_code == 200
    assert rows(room) == before


def rows(room: Classroom) -> dict[str, list[str]]:
    with room.app.app_context():
        tables = db.metadata.sorted_tables
        found = {t.name: [str(row) for row in db.session.execute(t.select())] for t in tables}
        db.session.rollback()
        return found


@pytest.mark.parametrize("seen", ["0", "-5", "99999999999999999999", "x", "1.5"])
def test_any_number_of_moves_seen_is_accepted(room: Classroom, mia: Browser, seen: str) -> None:
    round_id = my_turn(room).round_id
    for path in ("", "/table", "/events"):
        assert mia.get(f"/play/rounds/{round_id}{path}?seen={seen}").status_code == 200


def test_two_tabs_and_two_devices_show_the_same_table(room: Classroom, mia: Browser) -> None:
    table = my_turn(room)
    other = browser(room)
    for _ in range(3):
        shown = [each.get(f"/play/rounds/{table.round_id}") for each in (mia, other, mia)]
        assert len({without_random_parts(page.text) for page in shown}) == 1
        now = table_of(room, table.round_id)
        if now.my_turn:
            ask(other, now)
        with room.app.app_context():
            background.play_now(table.round_id)


def test_after_a_restart_of_the_server_the_table_is_at_the_same_move(
    room: Classroom, mia: Browser, tmp_path: Path
) -> None:
    table = my_turn(room)
    ask(mia, table)
    before = mia.get(f"/play/rounds/{table.round_id}")
    finish(room.app)
    again = make_app(tmp_path / "again", tmp_path / "instance")
    client = again.test_client()
    for name in ("school", "school-device"):
        cookie = mia.client.get_cookie(name)
        assert cookie is not None
        client.set_cookie(name, cookie.value)
    after = client.get(f"/play/rounds/{table.round_id}")
    assert without_random_parts(after.text) == without_random_parts(before.text)
    finish(again)


# ---- home, new rounds, help


def test_home_has_links_to_play_and_to_go_back(room: Classroom, mia: Browser) -> None:
    empty = mia.get("/play/")
    assert empty.status_code == 200
    started = mia.post("/play/rounds", htmx=False, game="classic")
    assert started.status_code == 303
    assert started.location in mia.get("/play/").text


@pytest.mark.walk(3)
@pytest.mark.parametrize("game", offers.DEFAULT)
def test_every_game_on_home_can_be_begun_and_is_shown(
    room: Classroom, mia: Browser, game: str
) -> None:
    started = mia.post("/play/rounds", htmx=False, game=game)
    page = mia.get(started.location)
    assert page.status_code == 200
    assert 'id="table"' in page.text


def test_two_taps_on_a_game_lead_to_one_table(room: Classroom, mia: Browser) -> None:
    ways = {mia.post("/play/rounds", htmx=False, game="classic").location for _ in range(3)}
    assert len(ways) == 1
    ways |= {mia.post("/play/rounds", htmx=False, game="classic", new="1").location}
    assert len(ways) == 1  # dealt a moment ago, without a move so far


def test_a_tap_on_an_old_picture_gives_the_child_its_seat_back(
    room: Classroom, mia: Browser
) -> None:
    table = my_turn(room)
    with room.app.app_context():
        with write_unit():
            db.session.get_one(Round, table.round_id).away = [0]
        action = legal(table)
        old = mia.ask(table.round_id, action.target, action.class_, table.seq + 1)
        assert old.status_code == 409
        assert not states.facts_of(table.round_id).away


def test_an_unknown_game_is_refused(room: Classroom, mia: Browser) -> None:
    assert mia.post("/play/rounds", htmx=False, game="poker").status_code == 400


def test_again_leads_to_the_next_round_once(room: Classroom, mia: Browser) -> None:
    table = play_out(room, my_turn(room).round_id)
    path = f"/play/rounds/{table.round_id}/again"
    ways = {mia.post(path, htmx=False).location for _ in range(3)}
    assert len(ways) == 1
    (way,) = ways
    assert not way.endswith(f"/{table.round_id}")
    assert mia.get(way).status_code == 200


def test_the_board_opens_as_a_part_and_as_a_page(room: Classroom, mia: Browser) -> None:
    table = my_turn(room)
    path = f"/play/rounds/{table.round_id}/board"
    part = mia.post(path, seen=table.seq)
    assert part.status_code == 200
    assert part.text.lstrip().startswith('<div class="veil" id="board"')
    page = mia.post(path, htmx=False, seen=table.seq)
    assert "<!doctype html>" in page.text
    assert 'id="board"' in page.text
    assert mia.get(path).status_code in (404, 405)


TAG = re.compile(r'id="tag-(\d+)"')


@pytest.mark.parametrize(("support", "most"), [("open", 6), ("peek", 0), ("fading", 3), ("off", 0)])
def test_a_page_shows_no_more_of_the_past_than_allowed(
    room: Classroom, mia: Browser, support: str, most: int
) -> None:
    table = my_turn(room, board=support, opponents=2)
    while table.seq < 8:
        with room.app.app_context():
            rounds.play(table.round_id, 0, table.observation.legal[0], f"k{table.seq}", table.seq)
            background.play_now(table.round_id)
            table = rounds.table(table.round_id, 0)
            db.session.rollback()
    here = f"/play/rounds/{table.round_id}"
    for path in (here, here + "/table"):
        page = mia.get(path).text
        assert len(TAG.findall(page)) == most
        assert "mark--asked" not in page
    page = mia.post(here + "/board", htmx=False, seen=table.seq).text
    assert page.count("mark--asked") <= (3 if support == "fading" else table.seq)
    assert ('http-equiv="refresh" content="5;url=' + here in page) == (support == "peek")
    assert ("mark--asked" in page) == (support != "off")


def test_a_hint_comes_as_a_part_and_within_the_page(room: Classroom, mia: Browser) -> None:
    table = my_turn(room)
    path = f"/play/rounds/{table.round_id}/hint"
    part = mia.post(path, seen=table.seq)
    assert part.status_code == 200
    assert 'id="hint"' in part.text
    page = mia.post(path, htmx=False, seen=table.seq)
    assert page.status_code == 200
    assert "<!doctype html>" in page.text


@pytest.mark.parametrize(
    ("path", "switch"), [("hint", {"hints": False}), ("board", {"board": "off"})]
)
def test_help_that_an_adult_turned_off_is_refused(
    room: Classroom, mia: Browser, path: str, switch: dict[str, object]
) -> None:
    table = my_turn(room, **switch)
    assert f"/{path}" not in mia.get(f"/play/rounds/{table.round_id}").text
    answer = mia.post(f"/play/rounds/{table.round_id}/{path}", seen=table.seq)
    assert answer.status_code == 409
    assert answer.headers["HX-Retarget"] == "#table"
    assert is_part(answer)


def test_a_key_is_fresh_on_every_page(room: Classroom, mia: Browser) -> None:
    round_id = my_turn(room).round_id
    keys = {
        re.findall(r'name="key" value="([^"]+)"', mia.get(f"/play/rounds/{round_id}").text)[0]
        for _ in range(20)
    }
    assert len(keys) == 20
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{16}", key) for key in keys)


def test_a_key_made_up_by_a_browser_works_too(room: Classroom, mia: Browser) -> None:
    table = my_turn(room)
    assert ask(mia, table, secrets.token_urlsafe(27)).status_code == 200
