"""A round that an earlier version played under other rules blocks no one, and nothing of it is
lost."""

from __future__ import annotations

import json
import time

import pytest
from sqlalchemy import insert, update

from classroom.database import db, write_unit
from classroom.models import Move, Round
from classroom.services.base import clock
from classroom.services.base.errors import EarlierRules
from classroom.services.operation import background
from classroom.services.school import classes
from classroom.services.table import evidence_log, matches, rounds, stand_ins, states
from tests.services.test_exports import play_together
from tests.world import World, count_all

WORDS = "This round used the rules of an earlier version of Fish School"


def play_by_earlier_rules(round_id: int, *, over: bool) -> None:
    """Add a move to the log that today's rules refuse, because another seat has the turn."""
    live = states.read(round_id)
    turn, seq = live.state.turn or 0, live.seq + 1
    action = {"type": "ask", "target": turn, "class": "F"}
    made = {"round_id": round_id, "seq": seq, "seat": turn, "action": action, "chance": []}
    with write_unit():
        db.session.execute(insert(Move).values(**made, key="e", played_by="child", at=clock.now()))
        values = {"moves": seq}
        if over:
            values |= {"ended_at": clock.now(), "ended_by": "books", "scores": [1, 0, 0]}
            values |= {"winners": [0]}
        db.session.execute(update(Round).where(Round.id == round_id).values(**values))


@pytest.fixture
def running(world: World) -> int:
    """Miaqua's table of Old Fish, where an earlier version made the last move."""
    with world.app.app_context():
        round_id = matches.sit_down(mia(world), "old_fish")
        background.play_now(round_id)
        play_by_earlier_rules(round_id, over=False)
    return round_id


def kept(world: World, round_id: int) -> Round:
    with world.app.app_context():
        row = db.session.get_one(Round, round_id)
        db.session.expunge(row)
        db.session.rollback()
    return row


def test_a_child_at_such_a_table_gets_a_new_one(world: World, running: int) -> None:
    child = world.visitor("Miaqua")
    assert child.get(f"/play/rounds/{running}/table").status_code == 404  # the page loads again
    answer = child.get(f"/play/rounds/{running}")
    assert (answer.status_code, answer.headers["Location"]) == (303, "/play/")
    assert f"/play/rounds/{running}" not in child.get("/play/").text
    table = child.post("/play/rounds", {"game": "old_fish"}).headers["Location"]
    assert table != f"/play/rounds/{running}"
    assert child.get(table).status_code == 200
    row = kept(world, running)
    assert row.ended_at is not None
    assert (row.ended_by, row.scores, row.winners) == ("earlier_rules", [0] * len(row.scores), [])
    assert row.moves > 0


@pytest.mark.parametrize("what", ["asks", "hint", "board", "again"])
@pytest.mark.parametrize("htmx", [False, True])
def test_every_tap_of_the_child_there_leads_to_its_games(
    world: World, running: int, what: str, htmx: bool
) -> None:
    child = world.visitor("Miaqua")
    fields = {"seen": "1", "key": "k", "class": "F", "target": "1"}
    headers = {"HX-Request": "true"} if htmx else {}
    answer = child.post(f"/play/rounds/{running}/{what}", fields, headers=headers)
    assert answer.headers["HX-Redirect" if htmx else "Location"] == "/play/"
    assert kept(world, running).ended_by == "earlier_rules"


def test_the_computer_players_end_it_and_play_on_elsewhere(
    world: World, running: int, caplog: pytest.LogCaptureFixture
) -> None:
    worker = background.start(world.app.app_context, 0.0)
    latest = time.monotonic() + 20
    while kept(world, running).ended_at is None:
        assert time.monotonic() < latest
        time.sleep(0.05)
    worker.stop()
    assert "background thread failed" not in caplog.text
    assert running not in worker._failed


def test_the_class_works_with_such_a_table(world: World, running: int) -> None:
    teacher, room = world.visitor("lake"), world.classes["sunfish"]
    for page in ("", "/now", "/live", "/skills", "/seats"):
        assert teacher.get(f"/teach/classes/{room}{page}").status_code == 200, page
    watched = teacher.get(f"/teach/rounds/{running}/live")
    assert watched.status_code in (404, 409)
    with world.app.app_context():
        stand_ins.touched(running, mia(world))  # Miaqua signs in on another device


@pytest.fixture
def ended(world: World) -> int:
    """A round of Miaqua and Benquill that ended under earlier rules."""
    with world.app.app_context():
        round_id = play_together(world)
        play_by_earlier_rules(round_id, over=True)
        with pytest.raises(EarlierRules):
            states.read(round_id)
    return round_id


def test_a_page_says_why_it_cannot_be_stepped_through(world: World, ended: int) -> None:
    teacher = world.visitor("lake")
    page = teacher.get(f"/teach/rounds/{ended}")
    assert page.status_code == 409
    assert WORDS in page.text
    assert f"/teach/rounds/{ended}" in teacher.get(f"/teach/children/{mia(world)}").text


def test_all_other_reports_about_the_child_work(world: World, ended: int) -> None:
    for who, room in (("lake", "teach"), ("reed", "family")):
        visitor = world.visitor(who)
        for page in ("", "/missed", "/skills.csv", "/answers.csv"):
            answer = visitor.get(f"/{room}/children/{mia(world)}{page}")
            assert answer.status_code == 200, (room, page)


def test_the_childs_record_holds_the_round_without_what_was_seen(world: World, ended: int) -> None:
    answer = world.visitor("reed").get(f"/family/children/{mia(world)}/record.json")
    tables = json.loads(answer.text)["tables"]
    assert {"round_id": ended, "events": None} in tables["seen"]
    assert ended in {row["id"] for row in tables["rounds"]}
    assert ended in {row["round_id"] for row in tables["evidence"]}


def test_counting_again_changes_nothing(world: World, ended: int) -> None:
    with world.app.app_context():
        count_all()
        assert not any(changed for _, changed in evidence_log.recount())


def test_the_next_round_at_its_table_is_dealt(world: World, ended: int) -> None:
    with world.app.app_context():
        match_id = db.session.get_one(Round, ended).match_id
        later = matches.next_round(match_id, mia(world))
        assert rounds.table(later, 0).seq == 0


@pytest.mark.parametrize("kind", ["running", "ended"])
def test_its_child_can_be_removed(world: World, kind: str, request: pytest.FixtureRequest) -> None:
    round_id = request.getfixturevalue(kind)
    with world.app.app_context():
        classes.remove_child(mia(world))
        left = db.session.get(Round, round_id)
        assert (left is None) == (kind == "running")  # the ended round is Benquill's too


def mia(world: World) -> int:
    return world.children["Miaqua"]
