"""Tables of friends: sitting down, being ready, playing again, and races between children."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import func, select

from classroom.database import db, write_unit
from classroom.models import Gathering, Match, Place, Player, Round
from classroom.services.access import sessions
from classroom.services.base import clock
from classroom.services.base.errors import NotFound, NotNow
from classroom.services.lesson import gatherings, lessons, open_tables, seating
from classroom.services.operation import background
from classroom.services.school import removals
from classroom.services.table import matches, rounds
from tests.conftest import Rooms, finish
from tests.playing import Classroom, settings, teacher_of

Kids = dict[str, int]


@pytest.fixture
def room(tmp_path: Path, rooms: Rooms) -> Iterator[Classroom]:
    room = rooms.copy(tmp_path / "instance", 8)
    with room.app.app_context():
        for name in room.children:
            come(room, name)
        yield room
        db.session.rollback()
    finish(room.app)


@pytest.fixture
def kids(room: Classroom) -> Kids:
    return room.children


def come(room: Classroom, name: str) -> None:
    """Sign the child in on some device."""
    with write_unit():
        sessions.start(secrets.token_hex(16), class_id=room.class_id, child_id=room.children[name])


def go(child_id: int) -> None:
    """Sign the child out. It leaves its table if no round is going on there."""
    with write_unit():
        gatherings.stand_up_from_open(child_id)
        sessions.end_all(child_id=child_id)


def table_of(child_id: int) -> open_tables.OpenTable:
    mine = open_tables.friends(child_id).mine
    assert mine is not None
    return mine


def sitting(child_id: int) -> list[str | None]:
    return [None if friend is None else friend.name for friend in table_of(child_id).seats]


def at_one_table(kids: Kids, *names: str, game: str = "classic") -> None:
    first, *others = names
    gatherings.make(kids[first], game)
    for name in others:
        gatherings.sit(kids[name], table_of(kids[first]).gathering_id)


def playing(kids: Kids, *names: str) -> int:
    """Start a round of these children. Returns its id."""
    at_one_table(kids, *names)
    begun = [gatherings.ready(kids[name]) for name in names]
    assert begun[:-1] == [None] * (len(names) - 1)
    assert begun[-1] is not None
    return begun[-1]


def names_at(round_id: int) -> list[str]:
    return [player.name for player in rounds.table(round_id, rounds.WATCHER).players]


def play_out(round_id: int) -> None:
    """Play the round to its end; children always make the first of their legal moves."""
    while True:
        background.play_now(round_id)
        table = rounds.table(round_id, rounds.WATCHER)
        if table.over:
            return
        seat = table.observation.turn
        assert seat is not None
        own = rounds.table(round_id, seat)
        rounds.play(round_id, seat, own.observation.legal[0], secrets.token_hex(8), own.seq)


# ---- sitting down


def test_friends_see_who_is_here_and_which_tables_have_room(kids: Kids) -> None:
    go(kids["Ruby"])
    gatherings.make(kids["Mia"], "classic")
    seen = open_tables.friends(kids["Ben"])
    assert [friend.name for friend in seen.here] == ["Ada", "Lina", "Mia", "Noor", "Sam", "Theo"]
    assert [table.offer.key for table in seen.tables] == ["classic"]
    gatherings.sit(kids["Ben"], seen.tables[0].gathering_id)
    assert sitting(kids["Mia"]) == ["Mia", "Ben", None, None, None, None]
    assert open_tables.friends(kids["Ben"]).tables == ()


def test_a_child_sits_at_one_table_only_and_empty_tables_disappear(kids: Kids) -> None:
    gatherings.make(kids["Mia"], "classic")
    gatherings.make(kids["Ben"], "rank_pairs")
    gatherings.sit(kids["Mia"], table_of(kids["Ben"]).gathering_id)
    assert sitting(kids["Mia"])[:2] == ["Ben", "Mia"]
    assert db.session.scalar(select(func.count(Gathering.id))) == 1
    gatherings.leave(kids["Mia"])
    gatherings.leave(kids["Ben"])
    assert db.session.scalar(select(func.count(Gathering.id))) == 0


def test_a_full_table_and_a_game_that_is_not_on_the_shelf_are_refused(
    kids: Kids,
) -> None:
    at_one_table(kids, "Mia", "Ben", "Ada", "Noor", "Theo", "Lina")
    with pytest.raises(NotNow, match="table_full"):
        gatherings.sit(kids["Sam"], table_of(kids["Mia"]).gathering_id)
    with pytest.raises(NotFound):
        gatherings.make(kids["Sam"], "guru")


def test_computer_friends_take_free_seats_and_leave_them(kids: Kids) -> None:
    gatherings.make(kids["Mia"], "classic")
    assert not table_of(kids["Mia"]).enough
    gatherings.computer_friend(kids["Mia"], 2, there=True)
    assert sitting(kids["Mia"])[:3] == ["Mia", None, "Computer"]
    assert table_of(kids["Mia"]).enough
    gatherings.computer_friend(kids["Mia"], 0, there=False)  # nothing happens: Mia sits there
    gatherings.computer_friend(kids["Mia"], 2, there=False)
    assert sitting(kids["Mia"])[:3] == ["Mia", None, None]


# ---- friends find each other


def beside(child_id: int) -> list[list[str]]:
    """The children at each other table that this child is shown."""
    tables = open_tables.friends(child_id).beside
    return [[friend.name for friend in table.seats if friend] for table in tables]


def go_beside(child_id: int) -> None:
    gatherings.sit(child_id, open_tables.friends(child_id).beside[0].gathering_id)


def test_two_who_open_tables_for_the_same_game_see_each_others_table(kids: Kids) -> None:
    gatherings.make(kids["Mia"], "classic")
    gatherings.make(kids["Ben"], "classic")
    gatherings.make(kids["Ada"], "rank_pairs")
    assert beside(kids["Mia"]) == [["Ben"]]
    assert beside(kids["Ben"]) == [["Mia"]]
    assert beside(kids["Ada"]) == []
    assert beside(kids["Noor"]) == [], "she has no table yet, and sees all of them to choose from"
    go_beside(kids["Ben"])
    assert sitting(kids["Mia"])[:2] == ["Mia", "Ben"]
    assert beside(kids["Mia"]) == beside(kids["Ben"]) == []


def test_a_child_with_company_is_shown_no_other_table(room: Classroom, kids: Kids) -> None:
    at_one_table(kids, "Mia", "Ben")
    gatherings.make(kids["Ada"], "classic")
    gatherings.computer_friend(kids["Ada"], 1, there=True)
    assert beside(kids["Mia"]) == []
    assert beside(kids["Ada"]) == [["Mia", "Ben"]], "a computer friend is no company"
    at_one_table(kids, "Noor", "Theo", game="wish_pairs")
    gatherings.make(kids["Sam"], "wish_pairs")
    assert beside(kids["Sam"]) == [], "there is no seat left with Noor and Theo"
    seating.seat_class(room.class_id, "classic", 2, "mixed", by=teacher_of(room.class_id))
    assert beside(kids["Ruby"]) == [], "a teacher seated her"


def test_a_child_who_got_company_stays_with_it(kids: Kids) -> None:
    gatherings.make(kids["Mia"], "classic")
    gatherings.make(kids["Ben"], "classic")
    left = table_of(kids["Mia"]).gathering_id
    go_beside(kids["Mia"])
    gatherings.sit(kids["Ben"], left)  # he had tapped before his page showed that Mia came
    assert sitting(kids["Ben"])[:2] == ["Ben", "Mia"]


def test_friends_of_an_earlier_round_do_not_keep_a_child(kids: Kids) -> None:
    play_out(playing(kids, "Mia", "Ben"))
    gatherings.make(kids["Ada"], "classic")
    gatherings.sit(kids["Mia"], table_of(kids["Ada"]).gathering_id)
    assert sitting(kids["Ada"])[:2] == ["Ada", "Mia"]


# ---- ready


def test_the_round_begins_when_everyone_here_is_ready(kids: Kids) -> None:
    at_one_table(kids, "Mia", "Ben", "Ada")
    assert gatherings.ready(kids["Mia"]) is None
    assert gatherings.ready(kids["Ada"]) is None
    round_id = gatherings.ready(kids["Ben"])
    assert round_id is not None
    assert names_at(round_id) == ["Mia", "Ben", "Ada"]
    assert {open_tables.friends(kids[name]).round_id for name in ("Mia", "Ben", "Ada")} == {
        round_id
    }
    assert matches.current_round(kids["Ada"]) == round_id


def test_a_child_cannot_begin_alone(kids: Kids) -> None:
    gatherings.make(kids["Mia"], "classic")
    assert gatherings.ready(kids["Mia"]) is None
    gatherings.computer_friend(kids["Mia"], 3, there=True)
    round_id = gatherings.ready(kids["Mia"])
    assert round_id is not None
    assert len(names_at(round_id)) == 2


def test_a_child_who_is_not_ready_for_long_does_not_stop_the_others(kids: Kids) -> None:
    at_one_table(kids, "Mia", "Ben", "Ada")
    gatherings.ready(kids["Mia"])
    gatherings.ready(kids["Ben"])
    gatherings.start_overdue()
    assert open_tables.friends(kids["Mia"]).round_id is None
    with clock.clock_at(clock.now() + gatherings.WAIT + 1):
        gatherings.start_overdue()
    round_id = open_tables.friends(kids["Mia"]).round_id
    assert round_id is not None
    assert names_at(round_id) == ["Mia", "Ben"]
    assert open_tables.friends(kids["Ada"]).mine is None


def test_nothing_begins_when_the_only_ready_child_leaves(kids: Kids) -> None:
    at_one_table(kids, "Mia", "Ben", "Ada")
    gatherings.ready(kids["Mia"])
    gatherings.leave(kids["Mia"])
    with clock.clock_at(clock.now() + gatherings.WAIT + 1):
        gatherings.start_overdue()
    assert table_of(kids["Ben"]).me is not None
    gatherings.ready(kids["Ben"])
    removals.remove_child(kids["Ben"])
    with clock.clock_at(clock.now() + gatherings.WAIT + 1):
        gatherings.start_overdue()
    assert table_of(kids["Ada"]).me is not None
    removals.remove_child(kids["Ada"])
    assert db.session.scalar(select(func.count()).select_from(Gathering)) == 0
    assert db.session.scalar(select(func.count()).select_from(Match)) == 0


def test_a_child_can_take_back_being_ready(kids: Kids) -> None:
    at_one_table(kids, "Mia", "Ben")
    gatherings.ready(kids["Mia"])
    gatherings.ready(kids["Mia"], yes=False)
    with clock.clock_at(clock.now() + gatherings.WAIT + 1):
        gatherings.start_overdue()
    assert gatherings.ready(kids["Ben"]) is None


def test_each_childs_settings_hold_at_a_mixed_table(kids: Kids) -> None:
    settings(kids["Mia"], board="off", hints=True, level="pike", deck="full", pace="quick")
    settings(kids["Ben"], board="open", hints=False, level="perch", deck="small", pace="calm")
    at_one_table(kids, "Mia", "Ben")
    gatherings.computer_friend(kids["Mia"], 2, there=True)
    gatherings.ready(kids["Mia"])
    round_id = gatherings.ready(kids["Ben"])
    assert round_id is not None
    mia, ben = rounds.table(round_id, 0), rounds.table(round_id, 1)
    assert (mia.board, mia.hints, mia.pace) == ("off", True, "quick")
    assert (ben.board, ben.hints, ben.pace) == ("open", False, "calm")
    assert [player.level for player in mia.players] == [None, None, "perch"]
    assert len(mia.observation.rules.deck_ranks or ()) == 7


# ---- again


def test_play_again_keeps_the_table_together(kids: Kids) -> None:
    round_id = playing(kids, "Mia", "Ben")
    play_out(round_id)
    assert gatherings.again(round_id, kids["Ben"]) is None
    assert gatherings.again(round_id, kids["Ben"]) is None
    second = gatherings.again(round_id, kids["Mia"])
    assert second is not None
    rows = db.session.execute(select(Round.match_id, Round.number).order_by(Round.id)).all()
    assert [tuple(row) for row in rows] == [(1, 1), (1, 2)]
    assert gatherings.again(round_id, kids["Ben"]) == second


def test_a_late_tap_on_play_again_leads_to_the_newest_round_even_if_that_is_over(
    kids: Kids,
) -> None:
    first = playing(kids, "Mia", "Ben")
    play_out(first)
    assert gatherings.again(first, kids["Ben"]) is None
    second = gatherings.again(first, kids["Mia"])
    assert second is not None
    play_out(second)
    assert gatherings.again(first, kids["Ben"]) == second
    assert gatherings.again(second, kids["Mia"]) is None, "Ben is not ready for a third"


def test_the_deal_moves_on_by_one_seat_when_friends_play_again(kids: Kids) -> None:
    first = playing(kids, "Mia", "Ben", "Ada")
    play_out(first)
    begun = [gatherings.again(first, kids[name]) for name in ("Mia", "Ben", "Ada")]
    dealers = db.session.scalars(select(Round.dealer).order_by(Round.id)).all()
    assert begun[-1] is not None
    assert dealers == [dealers[0], (dealers[0] + 1) % 3]


def test_a_child_who_leaves_is_replaced_by_a_computer_friend(kids: Kids) -> None:
    round_id = playing(kids, "Mia", "Ben", "Ada")
    play_out(round_id)
    assert gatherings.again(round_id, kids["Mia"]) is None
    gatherings.make(kids["Ada"], "classic")  # Ada sits at another table
    second = gatherings.again(round_id, kids["Ben"])
    assert second is not None
    players = rounds.table(second, 0).players
    assert [player.child_id for player in players] == [kids["Mia"], kids["Ben"], None]


def test_a_child_who_does_not_answer_is_replaced_after_a_while(kids: Kids) -> None:
    round_id = playing(kids, "Mia", "Ben", "Ada")
    play_out(round_id)
    gatherings.again(round_id, kids["Mia"])
    gatherings.again(round_id, kids["Ben"])
    with clock.clock_at(clock.now() + gatherings.WAIT + 1):
        gatherings.start_overdue()
    second = open_tables.friends(kids["Mia"]).round_id
    assert second is not None
    players = rounds.table(second, 0).players
    assert [player.child_id for player in players] == [kids["Mia"], kids["Ben"], None]
    assert players[2].level is not None
    # a child who comes back late plays with computer friends
    third = gatherings.again(round_id, kids["Ada"])
    assert third not in (None, second)


def test_a_table_does_not_wait_for_a_child_who_was_signed_out(kids: Kids) -> None:
    round_id = playing(kids, "Mia", "Ben")
    play_out(round_id)
    go(kids["Ben"])
    assert gatherings.again(round_id, kids["Mia"]) is not None


# ---- the lesson


def test_nothing_begins_while_the_class_is_paused_or_ending(room: Classroom, kids: Kids) -> None:
    at_one_table(kids, "Mia", "Ben")
    gatherings.ready(kids["Mia"])
    lessons.pause(room.class_id)
    with pytest.raises(NotNow, match="paused"):
        gatherings.ready(kids["Ben"])
    with clock.clock_at(clock.now() + gatherings.WAIT + 1):
        gatherings.start_overdue()
    assert db.session.scalar(select(func.count(Match.id))) == 0
    lessons.end(room.class_id)
    with pytest.raises(NotNow, match="lesson_over"):
        gatherings.make(kids["Ada"], "classic")
    with clock.clock_at(clock.now() + gatherings.WAIT + 1):
        gatherings.start_overdue()
    assert db.session.scalar(select(func.count(Match.id))) == 0
    lessons.go_on(room.class_id)
    assert gatherings.ready(kids["Ben"]) is not None


# ---- races


def at_once(room: Classroom, *works: Callable[[], object]) -> list[object]:
    """Run all functions in threads at once. Returns what each returned or raised."""
    gate, found = threading.Barrier(len(works)), [None] * len(works)

    def run(number: int, work: Callable[[], object]) -> None:
        with room.app.app_context():
            gate.wait()
            try:
                found[number] = work()  # type: ignore[call-overload]
            except Exception as error:
                found[number] = error  # type: ignore[call-overload]
            db.session.remove()

    db.session.rollback()
    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(works)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def test_only_one_child_gets_the_last_seat(room: Classroom, kids: Kids) -> None:
    at_one_table(kids, "Mia", "Ben", "Ada", "Noor", "Theo")
    table = table_of(kids["Mia"]).gathering_id
    three = [kids[name] for name in ("Lina", "Sam", "Ruby")]
    found = at_once(room, *(lambda c=c: gatherings.sit(c, table) for c in three))  # type: ignore[misc]
    assert [type(one) for one in found if one] == [NotNow, NotNow]
    assert None not in sitting(kids["Mia"])


def test_all_can_sit_down_and_be_ready_at_once(room: Classroom, kids: Kids) -> None:
    gatherings.make(kids["Mia"], "classic")
    table = table_of(kids["Mia"]).gathering_id
    others = [child for child in kids.values() if child != kids["Mia"]][:5]
    assert at_once(room, *(lambda c=c: gatherings.sit(c, table) for c in others)) == [None] * 5  # type: ignore[misc]
    six = [kids["Mia"], *others]
    begun = at_once(room, *(lambda c=c: gatherings.ready(c) for c in six))  # type: ignore[misc]
    assert sum(isinstance(one, int) for one in begun) == 1
    assert db.session.scalar(select(func.count(Round.id))) == 1
    assert db.session.scalar(select(func.count(Player.id))) == 6


def test_a_child_who_taps_two_tables_at_once_sits_at_one(room: Classroom, kids: Kids) -> None:
    gatherings.make(kids["Mia"], "classic")
    gatherings.make(kids["Ben"], "classic")
    tables = [table_of(kids[name]).gathering_id for name in ("Mia", "Ben")]
    at_once(room, *(lambda t=t: gatherings.sit(kids["Ada"], t) for t in tables))  # type: ignore[misc]
    mine = select(func.count(Place.id)).where(Place.child_id == kids["Ada"])
    assert db.session.scalar(mine) == 1


@pytest.mark.parametrize("names", [("Mia", "Ben"), ("Mia", "Ben", "Ada")])
def test_friends_who_tap_at_the_same_time_find_each_other(
    room: Classroom, kids: Kids, names: tuple[str, ...]
) -> None:
    """All open a table for the same game at once, then all go to another child's table at once, as
    their pages offer it. A child who is left alone is still offered a table, and after one more tap
    all sit at one."""
    made = at_once(room, *(lambda c=kids[n]: gatherings.make(c, "classic") for n in names))  # type: ignore[misc]
    assert made == [None] * len(names)
    ways = [open_tables.friends(kids[name]).beside for name in names]
    assert [len(tables) for tables in ways] == [len(names) - 1] * len(names)
    goes = [
        (kids[name], tables[at % len(tables)].gathering_id)
        for at, (name, tables) in enumerate(zip(names, ways, strict=True))
    ]
    gone = at_once(room, *(lambda g=g: gatherings.sit(*g) for g in goes))  # type: ignore[misc]
    assert all(one is None or isinstance(one, NotNow) for one in gone), gone
    for name in names:
        if len([friend for friend in sitting(kids[name]) if friend]) == 1:
            go_beside(kids[name])
    assert sorted(friend for friend in sitting(kids["Mia"]) if friend) == sorted(names)
    assert db.session.scalar(select(func.count(Gathering.id))) == 1


def test_one_round_begins_when_all_tap_again_at_once(room: Classroom, kids: Kids) -> None:
    round_id = playing(kids, "Mia", "Ben", "Ada")
    play_out(round_id)
    three = [kids[name] for name in ("Mia", "Ben", "Ada")] * 2
    found = at_once(room, *(lambda c=c: gatherings.again(round_id, c) for c in three))  # type: ignore[misc]
    assert {one for one in found if one is not None} == {2}
    assert db.session.scalar(select(func.count(Round.id))) == 2


def test_the_worker_and_the_last_child_begin_one_round(room: Classroom, kids: Kids) -> None:
    at_one_table(kids, "Mia", "Ben")
    gatherings.ready(kids["Mia"])
    with write_unit():
        db.session.scalars(select(Gathering)).one().since = 1.0
    found = at_once(room, gatherings.start_overdue, lambda: gatherings.ready(kids["Ben"]))
    assert all(one is None or isinstance(one, int | NotNow) for one in found)
    assert db.session.scalar(select(func.count(Round.id))) == 1
