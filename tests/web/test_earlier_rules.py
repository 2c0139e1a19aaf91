"""A round that an earlier version played under other rules blocks no one, and nothing of it is
lost."""

from __future__ import annotations

import json
import time
from typing import Any, Final

import pytest
from sqlalchemy import func, insert, select, update

from classroom.database import db, write_unit
from classroom.games import GAMES
from classroom.models import Gathering, Match, Move, OwnGame, Round, SchoolClass
from classroom.services.base import clock
from classroom.services.base.errors import EarlierRules
from classroom.services.lesson import gatherings, lessons, own_games, seating
from classroom.services.operation import background, retention
from classroom.services.school import child_moves, removals
from classroom.services.table import evidence_log, matches, offers, rounds, stand_ins, states
from tests import sample
from tests.services.test_exports import play_together
from tests.web.page_forms import form_to
from tests.web.people import may, whose
from tests.web.routes import addresses, is_own, rules
from tests.world import KIND, World, count_all

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
    worker = background.Worker(world.app.app_context, 0.0).start()
    latest = time.monotonic() + 20
    while kept(world, running).ended_at is None:
        assert time.monotonic() < latest
        time.sleep(0.05)
    worker.stop()
    assert "skipped" not in caplog.text
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
        removals.remove_child(mia(world))
        left = db.session.get(Round, round_id)
        assert (left is None) == (kind == "running")  # the ended round is Benquill's too


# ---- rules that this version of the program refuses


SPOILT: Final[dict[str, dict[str, Any]]] = {
    "a check became stricter": {"book.size": 60},
    "a dimension is gone": {"weather": "sunny"},
    "a value is gone": {"tie": "playoff"},
    "a game is gone": {},
}
GONE: Final = "a_game_of_long_ago"
PLAYERS: Final = ("Miaqua", "Benquill", "Miaqua at home", "lake", "eddy", "admin", "head", "reed")


@pytest.fixture(params=SPOILT)
def spoilt(world: World, request: pytest.FixtureRequest) -> World:
    """The world, in which an earlier version made everything that has rules: rounds that go on or
    have ended, tables that wait, and a game of the class, which is on its shelf."""
    room = world.classes["sunfish"]
    with world.app.app_context():
        own = own_games.save(room, "classic", "Longago", GAMES["classic"].rules, "both", None)
        gatherings.make(world.children["Benquill"], offers.own_key(own))
        lessons.save_plan(room, [planned(mia(world), offers.own_key(own))])
        with write_unit():
            seating.set_up(room, offers.own_key(own), 2, [mia(world)], None)
            db.session.execute(update(Gathering).values(since=1.0, set_by=world.adults["lake"]))
            for row in (*db.session.scalars(select(Match)), *db.session.scalars(select(OwnGame))):
                row.rules = {**row.rules, **SPOILT[request.param]}
                row.game = GONE if "game" in request.param else row.game
            menu = [GONE] if "game" in request.param else ["classic"]
            db.session.get_one(SchoolClass, room).shelf = menu
    return world


def planned(child_id: int, game: str) -> lessons.TablePlan:
    return lessons.TablePlan(game=game, children=(child_id,))


def read_everything(world: World, whole: bool) -> int:
    """Open every page that these people may open; returns how many were there."""
    there = 0
    for who in sample.part(PLAYERS, 3, whole):
        visitor = world.visitor(who)
        for rule in rules(world.app):
            for found in addresses(world, rule) if may(KIND[who], "GET", rule.endpoint) else ():
                if not is_own(whose(rule.endpoint), who, found.thing):
                    continue
                status = visitor.get(found.path).status_code
                assert status < 500, (who, found.path, status)
                there += status == 200
    return there


@pytest.mark.walk(4)
def test_every_page_opens_beside_such_rules(spoilt: World, whole: bool) -> None:
    assert read_everything(spoilt, whole) > (150 if whole else 60)
    room = spoilt.classes["sunfish"]
    for who, pages in {
        "Miaqua": ("/play/", "/play/friends"),
        "lake": [f"/teach/classes/{room}{page}" for page in ("", "/live", "/seats", "/games")],
    }.items():
        for page in pages:
            assert spoilt.visitor(who).get(page).status_code == 200, page


def test_a_teacher_removes_an_own_game_that_is_refused(spoilt: World) -> None:
    teacher, path = spoilt.visitor("lake"), f"/teach/classes/{spoilt.classes['sunfish']}/games"
    page = teacher.get(path).text
    assert "this version cannot play it" in page
    form = form_to(page, f"{path}/change", "own")
    assert form.sent()["do"] == ["remove"]
    assert teacher.post(f"{path}/change", form.sent()).status_code == 303
    assert "Longago" not in teacher.get(path).text


def test_children_are_not_offered_what_is_refused(spoilt: World) -> None:
    child = spoilt.visitor("Miaqua")
    home = child.get("/play/").text
    assert "Longago" not in home
    assert GONE not in home
    assert "Longago" not in child.get("/play/friends").text
    child.get(f"/play/rounds/{spoilt.rounds['Miaqua']}")
    table = child.post("/play/rounds", {"game": "classic"})
    assert child.get(table.headers["Location"]).status_code == 200


def test_a_child_goes_on_from_a_round_that_is_refused(spoilt: World) -> None:
    going_on, ended = spoilt.rounds["Miaqua"], spoilt.rounds["Benquill"]
    for name, round_id in (("Miaqua", going_on), ("Benquill", ended)):
        child = spoilt.visitor(name)
        answer = child.get(f"/play/rounds/{round_id}")
        assert (answer.status_code, answer.headers["Location"]) == (303, "/play/")
        again = child.post(f"/play/rounds/{round_id}/again")
        assert again.status_code == 303
        assert child.get(again.headers["Location"]).status_code == 200
    row = kept(spoilt, going_on)
    assert (row.ended_by, row.winners, set(row.scores)) == ("earlier_rules", [], {0})
    assert kept(spoilt, ended).ended_by != "earlier_rules", "its results stay"


def test_adults_see_which_rounds_ended_so(spoilt: World) -> None:
    spoilt.visitor("Miaqua").get(f"/play/rounds/{spoilt.rounds['Miaqua']}")
    for who, path in (("lake", "/teach/children/{}"), ("reed", "/family/children/{}/progress")):
        page = spoilt.visitor(who).get(path.format(mia(spoilt))).text
        assert "Earlier rules" in page
        assert GONE not in page


def test_adults_read_why_such_a_round_is_not_shown(spoilt: World) -> None:
    teacher, ended = spoilt.visitor("lake"), spoilt.rounds["Benquill"]
    page = teacher.get(f"/teach/rounds/{ended}")
    assert page.status_code == 409
    assert WORDS in page.text


def test_the_worker_ends_such_rounds_and_clears_their_tables_away(
    spoilt: World, caplog: pytest.LogCaptureFixture
) -> None:
    worker = background.Worker(spoilt.app.app_context, 0.0).start()
    latest = time.monotonic() + 30
    while time.monotonic() < latest:
        with spoilt.app.app_context():
            open_ones = select(Round.id).join(Match).where(Round.ended_at.is_(None))
            rest = db.session.scalars(open_ones.where(~Match.practice)).all()
            tables = db.session.scalars(select(Gathering.id)).all()
        if not rest and not tables:
            break
        time.sleep(0.05)
    worker.stop()
    assert not rest
    assert not tables
    assert "skipped" not in caplog.text


def test_what_is_due_ends_and_goes_beside_such_rules(spoilt: World) -> None:
    with clock.clock_at(clock.now() + 100 * clock.SECONDS_A_DAY), spoilt.app.app_context():
        list(retention.tidy())
        assert set(db.session.scalars(select(Round.ended_by).distinct())) >= {"left_off"}
    with clock.clock_at(clock.now() + 300 * clock.SECONDS_A_DAY), spoilt.app.app_context():
        list(retention.tidy())
        list(retention.tidy())
        assert db.session.scalar(select(Move.id).limit(1)) is None


def test_a_child_of_such_rounds_moves_and_is_removed(spoilt: World) -> None:
    with spoilt.app.app_context():
        matches_open = select(func.count()).where(Round.ended_at.is_(None))
        before = db.session.scalar(matches_open)
        child_moves.move(mia(spoilt), spoilt.classes["perch"])
        assert (db.session.scalar(matches_open) or 0) < (before or 0)
        db.session.rollback()
        removals.remove_child(mia(spoilt))


def mia(world: World) -> int:
    return world.children["Miaqua"]
