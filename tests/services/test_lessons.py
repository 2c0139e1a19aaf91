"""Stand-ins, "eyes on me", the end of a lesson, minutes a day, raised hands and the teacher's plan
of seats, with a simulated clock."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import select

from classroom.database import db, write_unit
from classroom.hub import ANY, Topic, hub_of, live_topic
from classroom.models import Adult, Child, ChildRound, EvidenceRow, Move, Session
from classroom.services.access import sessions, sign_in
from classroom.services.base import clock
from classroom.services.base.errors import NotFound, NotNow, OutOfDate, Refused
from classroom.services.lesson import gatherings, lessons, live_class, open_tables, seating
from classroom.services.lesson.lessons import Times
from classroom.services.operation import background
from classroom.services.quiz import posing, question_settings
from classroom.services.school import classes, objections
from classroom.services.table import evidence_log, matches, rounds, stand_ins, states
from tests import questioning
from tests.conftest import Rooms, finish
from tests.learning.rows import rows
from tests.playing import Classroom, settings

NOON = 1_790_000_000.0


@dataclass
class Clock:
    """A clock for a test, which moves only when the test says so."""

    at: float = NOON

    def __call__(self) -> float:
        return self.at


@pytest.fixture
def time() -> Iterator[Clock]:
    found = Clock()
    with clock.clock_at(found):
        yield found


@pytest.fixture
def room(tmp_path: Path, rooms: Rooms, time: Clock) -> Iterator[Classroom]:
    room = rooms.copy(tmp_path / "instance", 7)
    with room.app.app_context():
        for name in ("Mia", "Ben", "Ada", "Noor", "Theo"):
            come(room, name)
        yield room
        db.session.rollback()
    finish(room.app)


def come(room: Classroom, name: str, device: str = "") -> str:
    device = device or secrets.token_hex(16)
    with write_unit():
        return sessions.start(device, class_id=room.class_id, child_id=room.children[name])


def shared(room: Classroom, *names: str) -> int:
    """Start a round of these children, in this order. Returns its id."""
    first, *others = (room.children[name] for name in names)
    gatherings.make(first, "classic")
    for child_id in others:
        mine = open_tables.friends(first).mine
        assert mine is not None
        gatherings.sit(child_id, mine.gathering_id)
    found = [gatherings.ready(child_id) for child_id in (first, *others)]
    assert found[-1] is not None
    return found[-1]


def turn(round_id: int) -> int:
    seat = rounds.table(round_id, rounds.WATCHER).observation.turn
    assert seat is not None
    return seat


def move(round_id: int, seat: int | None = None) -> None:
    """Make the first legal move for this seat, by default the one whose turn it is."""
    seat = turn(round_id) if seat is None else seat
    table = rounds.table(round_id, seat)
    rounds.play(round_id, seat, table.observation.legal[0], secrets.token_hex(8), table.seq)


def players(round_id: int) -> list[str]:
    wanted = select(Move.played_by).where(Move.round_id == round_id).order_by(Move.seq)
    return list(db.session.scalars(wanted))


# ---- no child blocks a table


def test_a_round_of_friends_is_announced_once(room: Classroom) -> None:
    told: list[tuple[Topic, int]] = []
    leave = hub_of(db.engine).subscribe(ANY, lambda topic, seq: told.append((topic, seq)))
    round_id = shared(room, "Mia", "Ben")
    leave()
    assert told.count((round_id, 0)) == 1


def test_the_teachers_page_hears_of_each_table_of_friends(room: Classroom) -> None:
    told: list[Topic] = []
    leave = hub_of(db.engine).subscribe(ANY, lambda topic, _seq: told.append(topic))
    gatherings.make(room.children["Mia"], "classic")
    assert live_topic(room.class_id) in told
    told.clear()
    gatherings.tap_game(room.children["Ben"], "classic")
    leave()
    assert live_topic(room.class_id) in told


def test_a_computer_friend_plays_after_a_minute_and_hands_the_seat_back(
    room: Classroom, time: Clock
) -> None:
    round_id = shared(room, "Mia", "Ben")
    seat = turn(round_id)
    time.at += 59
    assert background.play_now(round_id) == 0
    time.at += 1
    assert background.play_one(round_id)
    assert players(round_id) == ["stand_in"]
    mine, theirs = rounds.table(round_id, seat), rounds.table(round_id, 1 - seat)
    assert (mine.around.asleep, theirs.around.asleep) == (True, False)
    assert [player.away for player in theirs.players] == [s == seat for s in (0, 1)]
    stand_ins.back(round_id, seat)
    assert not rounds.table(round_id, seat).around.asleep
    assert background.play_now(round_id) == 0, "the minute begins anew"


def test_a_child_that_plays_by_switch_is_given_three_minutes(room: Classroom, time: Clock) -> None:
    round_id = shared(room, "Mia", "Ben")
    settings(room.children[("Mia", "Ben")[turn(round_id)]], switch="slow")
    time.at += 179
    assert background.play_now(round_id) == 0
    time.at += 1
    assert background.play_one(round_id)
    assert players(round_id) == ["stand_in"]


def test_a_child_who_answers_a_question_on_its_turn_is_not_away(
    room: Classroom, time: Clock
) -> None:
    round_id = shared(room, "Mia", "Ben")
    on_turn = ("Mia", "Ben")[turn(round_id)]
    for seconds, name in ((50, on_turn), (50, "Mia" if on_turn == "Ben" else "Ben")):
        time.at += seconds
        child_id = room.children[name]
        questioning.put_question(child_id, round_id, 0)
        posing.hint(round_id, child_id, 0)
        assert background.play_now(round_id) == 0
    time.at += 10
    assert background.play_now(round_id) > 0, "what others do while they wait counts for nobody"
    assert players(round_id)[0] == "stand_in"


def test_pages_are_told_of_an_answer_once_the_wait_has_begun_again(
    room: Classroom, time: Clock
) -> None:
    round_id = shared(room, "Mia", "Ben")
    child_id = room.children[("Mia", "Ben")[turn(round_id)]]
    questioning.put_question(child_id, round_id, 0)
    waits: list[float] = []

    def hear(_topic: Topic, _seq: int) -> None:
        waits.append(stand_ins.silent_since(states.read(round_id)))

    time.at += 50
    leave = hub_of(db.engine).subscribe(live_topic(room.class_id), hear)
    posing.answer(round_id, child_id, 0, 1, "k")
    leave()
    assert waits[-1] == time.at


def test_an_answer_hands_the_seat_back_and_no_question_comes_before(
    room: Classroom, time: Clock
) -> None:
    question_settings.write(
        None, "class", room.class_id, question_settings.QuestionChoice("every_turn")
    )
    round_id = shared(room, "Mia", "Ben")
    seat = turn(round_id)
    child_id = room.children[("Mia", "Ben")[seat]]
    questioning.put_question(child_id, round_id, 0)
    time.at += 60
    background.play_now(round_id)
    assert posing.put(round_id, child_id, seat, rounds.seq(round_id)) is None
    assert rounds.table(round_id, seat).around.asleep
    posing.answer(round_id, child_id, 0, 1, "k")
    assert not rounds.table(round_id, seat).around.asleep


def test_a_child_who_moves_to_another_device_is_back(room: Classroom, time: Clock) -> None:
    round_id = shared(room, "Mia", "Ben")
    seat = turn(round_id)
    child = db.session.get_one(Child, room.children[("Mia", "Ben")[seat]])
    time.at += 60
    background.play_now(round_id)
    classes.open_class(room.class_id)
    device = secrets.token_hex(16)
    who = sessions.find(sign_in.open_device(child.school_class.code, device))
    sign_in.pictures(who, child.id, list(sign_in.pictures_of(child)))
    assert not rounds.table(round_id, seat).around.asleep


def test_it_keeps_playing_for_absent_children_but_never_for_all(
    room: Classroom, time: Clock
) -> None:
    round_id = shared(room, "Mia", "Ben")
    first = turn(round_id)
    time.at += 60
    background.play_now(round_id)
    assert turn(round_id) == 1 - first, "its whole turn was played"
    time.at += 3600
    assert background.play_now(round_id) == 0, "no child waits any more"
    move(round_id)
    moves = len(players(round_id))
    if turn(round_id) == first:
        assert background.play_one(round_id), "no second minute for who is away"
        assert players(round_id)[moves:] == ["stand_in"]


def test_its_moves_never_count_as_the_childs(room: Classroom, time: Clock) -> None:
    round_id = shared(room, "Mia", "Ben")
    asks = {0: 0, 1: 0}
    for _ in range(400):
        if rounds.table(round_id, rounds.WATCHER).over:
            break
        seat = turn(round_id)
        if seat == 0:
            time.at += 61
            background.play_one(round_id)
        else:
            asks[1] += 1
            move(round_id)
    db.session.rollback()
    mia = select(ChildRound).where(ChildRound.child_id == room.children["Mia"])
    row = db.session.scalars(mia).one()
    assert (row.asks, row.catches, row.seconds, row.over) == (0, 0, 0.0, True)
    theirs = select(EvidenceRow).where(EvidenceRow.child_id == room.children["Mia"])
    assert db.session.scalars(theirs).all() == []
    ben = select(ChildRound).where(ChildRound.child_id == room.children["Ben"])
    assert db.session.scalars(ben).one().asks == asks[1] > 0
    laid = len(rounds.table(round_id, 0).observation.books[0])
    assert laid == 0 or row.books < laid


def test_a_child_alone_with_computer_players_can_take_any_time(
    room: Classroom, time: Clock
) -> None:
    round_id = matches.start_match(room.children["Mia"])
    background.play_now(round_id)
    time.at += 3600
    assert background.play_now(round_id) == 0


def test_every_worker_decides_the_same_and_a_late_one_changes_nothing(
    room: Classroom, time: Clock
) -> None:
    round_id = shared(room, "Mia", "Ben")
    time.at += 60
    gate, made = threading.Barrier(4), list[bool]()

    def work() -> None:
        with room.app.app_context(), clock.clock_at(time):
            gate.wait()
            made.append(background.play_one(round_id))
            db.session.remove()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    db.session.rollback()
    seqs = list(db.session.scalars(select(Move.seq).where(Move.round_id == round_id)))
    assert seqs == list(range(1, len(seqs) + 1))
    assert len(made) == 4
    assert seqs


def test_the_childs_own_move_takes_the_seat_back(room: Classroom, time: Clock) -> None:
    round_id = shared(room, "Mia", "Ben")
    seat = turn(round_id)
    time.at += 60
    background.play_one(round_id)
    if turn(round_id) == seat:
        move(round_id)
        assert not rounds.table(round_id, seat).around.asleep
    with pytest.raises(OutOfDate):  # a stand-in that decided before the child was back
        table = rounds.table(round_id, turn(round_id))
        action = table.observation.legal[0]
        rounds.play(round_id, turn(round_id), action, "c", table.seq, stand_ins.STAND_IN)


def test_the_teacher_sets_how_long_a_child_can_be_silent(room: Classroom, time: Clock) -> None:
    lessons.set_times(room.class_id, Times(10, 20, None), by=a_teacher())
    round_id = shared(room, "Mia", "Ben")
    assert rounds.table(round_id, 0).around.nudge_after == 10
    time.at += 20
    assert background.play_one(round_id)
    with pytest.raises(Refused):
        lessons.set_times(room.class_id, Times(60, 20, None), by=1)


# ---- eyes on me, the end of the lesson, time for today


def test_eyes_on_me_refuses_moves_and_loses_nothing(room: Classroom, time: Clock) -> None:
    round_id = shared(room, "Mia", "Ben")
    lessons.pause(room.class_id)
    assert rounds.table(round_id, 0).around.paused == "paused"
    with pytest.raises(NotNow, match="paused"):
        move(round_id)
    time.at += 600
    assert background.due_in(states.read(round_id)) is None
    assert background.play_now(round_id) == 0
    lessons.go_on(room.class_id)
    assert rounds.table(round_id, 0).around.paused is None
    assert background.play_now(round_id) == 0, "nobody was slow while all looked at the teacher"
    move(round_id)
    assert players(round_id) == ["child"]


def test_a_pause_and_the_end_of_a_lesson_are_news_for_open_pages(room: Classroom) -> None:
    round_id = shared(room, "Mia", "Ben")
    for act in (lessons.pause, lessons.go_on, lessons.end):
        before = rounds.version(round_id)
        act(room.class_id)
        assert rounds.version(round_id) != before


def test_the_lesson_ends_after_the_open_ask(room: Classroom, time: Clock) -> None:
    round_id = shared(room, "Mia", "Ben")
    time.at += 5
    lessons.end(room.class_id)
    assert rounds.table(round_id, 0).around.paused is None
    time.at += 5
    move(round_id)
    assert rounds.table(round_id, 0).around.paused == "lesson_over"
    with pytest.raises(NotNow, match="lesson_over"):
        move(round_id)
    classes.close_class(room.class_id)
    time.at += 86_400
    classes.open_class(room.class_id)
    assert matches.current_round(room.children["Mia"]) == round_id
    assert rounds.table(round_id, 0).around.paused is None
    move(round_id)


def test_computer_players_begin_nothing_new_when_the_lesson_ends(room: Classroom) -> None:
    while True:
        round_id = matches.start_match(room.children["Theo"])
        if rounds.table(round_id, 0).thoughts:
            break
    lessons.end(room.class_id)
    assert background.play_now(round_id) == 0


def test_computer_players_finish_an_open_ask_when_the_lesson_ends(room: Classroom) -> None:
    while True:
        round_id = matches.start_match(room.children["Theo"], "guru_how_many")
        background.play_one(round_id)
        if states.read(round_id).state.phase == "name":
            break
    lessons.end(room.class_id)
    assert background.play_one(round_id)


def test_a_stand_in_begins_nothing_new_when_the_lesson_ends(room: Classroom, time: Clock) -> None:
    round_id = shared(room, "Mia", "Ben")
    slow = turn(round_id)
    time.at += 61
    assert background.play_one(round_id)
    while turn(round_id) != slow:
        move(round_id)
    time.at += 1
    lessons.end(room.class_id)
    time.at += 61
    assert background.play_now(round_id) == 0


def test_a_round_that_is_over_is_not_paused(room: Classroom) -> None:
    *_, last = questioning.one_round(room.children["Theo"], "classic", Random(1))
    lessons.pause(room.class_id)
    assert rounds.table(last.round_id, 0).around.paused is None


def test_a_childs_time_ends_after_an_ask_and_a_friend_plays_on(
    room: Classroom, time: Clock
) -> None:
    settings(room.children["Mia"], minutes_a_day=5)
    round_id = shared(room, "Mia", "Ben")
    mine = select(ChildRound).where(ChildRound.child_id == room.children["Mia"])
    with write_unit():
        db.session.scalars(mine).one().seconds = 299.0
    assert rounds.table(round_id, 0).around.paused is None
    with write_unit():
        db.session.scalars(mine).one().seconds = 300.0
    assert rounds.table(round_id, 0).around.paused == "time_over"
    assert rounds.table(round_id, 1).around.paused is None
    while turn(round_id) != 0:
        move(round_id)
    with pytest.raises(NotNow, match="time_over"):
        move(round_id, 0)
    assert background.play_one(round_id), "Ben does not wait for tomorrow"
    kid = next(kid for kid in live_class.live_class(room.class_id).kids if kid.name == "Mia")
    assert (kid.state, kid.reason) == ("away", "time_over")
    assert open_tables.friends(room.children["Mia"]).paused == "time_over"
    time.at += 86_400
    assert rounds.table(round_id, 0).around.paused is None


# ---- another device, hands


def test_a_childs_older_device_says_that_it_plays_elsewhere(room: Classroom) -> None:
    old = come(room, "Lina")
    with write_unit():
        token = sessions.start("b" * 32, class_id=room.class_id)
    new = sessions.find(token)
    pictures = sign_in.pictures_of(db.session.get_one(Child, room.children["Lina"]))
    found = sessions.find(sign_in.pictures(new, room.children["Lina"], list(pictures)))
    assert (found.kind, found.child_id) == ("child", room.children["Lina"])
    before = sessions.find(old)
    assert (before.kind, before.child_id, before.moved_id) == (
        "device", None, room.children["Lina"],
    )  # fmt: skip


def test_a_hand_goes_up_and_down(room: Classroom, time: Clock) -> None:
    round_id, mia = shared(room, "Mia", "Ben"), room.children["Mia"]
    live_class.hand(mia, True)
    time.at += 60
    live_class.hand(mia, True)
    assert live_class.here(room.class_id)[mia] == NOON
    assert rounds.table(round_id, 0).around.hand
    assert live_class.live_class(room.class_id).needs[0].reason == "hand", "hands come first"
    live_class.hand(mia, False)
    assert not rounds.table(round_id, 0).around.hand


# ---- the teacher's seats


def names(room: Classroom) -> list[list[str | None]]:
    return [
        [None if friend is None else friend.name for friend in table.seats]
        for table in seating.plan(room.class_id).tables
    ]


def test_everyone_here_is_seated_and_started_in_two_taps(room: Classroom) -> None:
    solo = matches.start_match(room.children["Mia"])
    assert seating.seat_class(room.class_id, "classic", 2, seating.SIMILAR, by=a_teacher()) == 3
    assert names(room) == [["Mia", "Ben"], ["Ada", "Noor"], ["Theo", "Computer"]]
    assert gatherings.ready(room.children["Mia"]) is None, "the teacher starts"
    with pytest.raises(NotNow):
        gatherings.sit(room.children["Theo"], seating.plan(room.class_id).tables[0].gathering_id)
    shown = rounds.version(solo)
    begun = seating.start_all(room.class_id)
    assert len(begun) == 3
    assert rounds.version(solo) != shown, "the page that is open hears of it"
    assert rounds.table(solo, 0).around.called == begun[0], "who played elsewhere is called"
    assert rounds.table(begun[2], 0).players[1].level is not None
    assert seating.start_all(room.class_id) == ()


def test_children_are_grouped_by_level_not_by_the_share_right(room: Classroom) -> None:
    """Items are chosen to suit the child, so one who can do more gets harder ones, and answers just
    as many of them wrong."""
    day = clock.day()
    for name, right, difficulty in (("Mia", 9, 2.0), ("Ben", 13, -2.0), ("Ada", 11, 0.0)):
        with write_unit():
            answers = rows(right, 15, day=day, difficulty=difficulty, round_id=None)
            evidence_log.append(room.children[name], answers)
    known = [room.children[name] for name in ("Mia", "Ben", "Ada")]
    assert seating.by_level(room.class_id, known) == [
        room.children[n] for n in ("Ben", "Ada", "Mia")
    ]
    everybody = seating.by_level(room.class_id, list(room.children.values()))
    noor = room.children["Noor"]
    assert everybody.index(known[1]) < everybody.index(noor) < everybody.index(known[0])


def test_a_child_changes_seats_with_another(room: Classroom) -> None:
    seating.seat_class(room.class_id, "classic", 3, seating.SIMILAR, by=a_teacher())
    assert names(room) == [["Mia", "Ben", "Ada"], ["Noor", "Theo", "Computer"]]
    second = seating.plan(room.class_id).tables[1].gathering_id
    seating.move(room.class_id, room.children["Mia"], second, 0)
    assert names(room) == [["Noor", "Ben", "Ada"], ["Mia", "Theo", "Computer"]]
    seating.move(room.class_id, room.children["Ben"], None, 0)
    assert [friend.name for friend in seating.plan(room.class_id).loose] == ["Ben"]
    seating.friend(room.class_id, second, 2)
    assert names(room)[1] == ["Mia", "Theo", None]
    with pytest.raises(NotFound):
        seating.move(room.class_id, room.children["Ben"], second, 5)
    with pytest.raises(NotFound):
        seating.move(room.class_id + 1, room.children["Ben"], second, 0)
    with pytest.raises(NotFound):
        seating.move(room.class_id + 1, room.children["Ben"], None, 0)


def test_no_child_is_put_at_a_table_where_others_play(room: Classroom) -> None:
    """A child who was playing elsewhere gets the seat of another child, who is then left without
    one."""
    seating.seat_class(room.class_id, "classic", 3, seating.SIMILAR, by=a_teacher())
    for name in ("Mia", "Ben"):
        seating.move(room.class_id, room.children[name], None, 0)
    shared(room, "Mia", "Ben")
    first = seating.plan(room.class_id).tables[0].gathering_id
    seating.move(room.class_id, room.children["Mia"], first, 2)
    assert names(room)[0] == [None, None, "Mia"]
    assert open_tables.round_of(room.children["Ada"]) is None


def test_a_child_who_went_home_before_the_start_is_left_out(room: Classroom) -> None:
    seating.seat_class(room.class_id, "classic", 5, seating.MIXED, by=a_teacher())
    with write_unit():
        sessions.end_all(child_id=room.children["Ada"])
    (round_id,) = seating.start_all(room.class_id)
    seated = {player.child_id for player in rounds.table(round_id, 0).players}
    assert room.children["Ada"] not in seated
    assert len(seated) == 4


def test_an_empty_class_cannot_be_seated(room: Classroom) -> None:
    with write_unit():
        sessions.end_all(class_id=room.class_id)
    with pytest.raises(Refused, match="nobody_here"):
        seating.seat_class(room.class_id, "classic", 4, seating.MIXED, by=a_teacher())


def together(room: Classroom, *names: str, game: str = "make_ten") -> None:
    children = [room.children[name] for name in names]
    seating.seat_together(room.class_id, game, children, by=a_teacher())


def test_a_table_for_some_children_leaves_the_other_tables_as_they_are(room: Classroom) -> None:
    seating.seat_class(room.class_id, "classic", 3, seating.SIMILAR, by=a_teacher())
    before = names(room)
    together(room, "Mia", "Theo")
    after = names(room)
    assert after[-1] == ["Mia", "Theo"]
    left = [[None if name in ("Mia", "Theo") else name for name in table] for table in before]
    assert after[:-1] == [table for table in left if any(table)]
    assert seating.plan(room.class_id).tables[-1].offer.key == "make_ten"


def test_a_table_may_be_set_before_its_children_are_here(room: Classroom) -> None:
    with write_unit():
        sessions.end_all(class_id=room.class_id)
    together(room, "Mia", "Ben")
    assert names(room) == [["Mia", "Ben"]]
    assert seating.start_all(room.class_id) == ()  # nobody has come, so the table is cleared


def test_children_seated_together_play_with_as_many_computer_friends_as_the_game_needs(
    room: Classroom,
) -> None:
    together(room, "Mia", "Ben", game="fours")
    (round_id,) = seating.start_all(room.class_id)
    players = rounds.table(round_id, 0).players
    assert [player.child_id for player in players] == [
        room.children["Mia"],
        room.children["Ben"],
        None,
    ]


@pytest.mark.parametrize(("band", "seats"), [("5-6", 4), ("6-7", 3)])
def test_three_small_children_play_low_tide_with_a_computer_friend(
    room: Classroom, band: str, seats: int
) -> None:
    for name in ("Mia", "Ben", "Ada"):
        with write_unit():
            db.session.get_one(Child, room.children[name]).age_band = (
                "7-9" if name == "Ada" else band
            )
    together(room, "Mia", "Ben", "Ada", game="low_tide")
    (round_id,) = seating.start_all(room.class_id)
    assert len(rounds.table(round_id, 0).players) == seats


def test_a_child_is_called_from_where_it_plays_and_whose_table_it_was_keeps_playing(
    room: Classroom,
) -> None:
    shared(room, "Mia", "Ben")
    together(room, "Mia", "Ada")
    assert names(room)[-1] == ["Mia", "Ada"]
    assert open_tables.round_of(room.children["Ben"]) is not None


@pytest.mark.parametrize(
    ("some", "game", "code"),
    [
        ((), "make_ten", "too_few"),
        (("Mia",), "make_ten", "too_few"),
        (("Mia", "Mia"), "make_ten", "too_few"),
        (("Mia", "Ben", "Ada", "Noor", "Theo"), "make_five", "too_many"),
    ],
)
def test_a_group_that_no_table_can_hold_is_not_seated(
    room: Classroom, some: tuple[str, ...], game: str, code: str
) -> None:
    seating.seat_class(room.class_id, "classic", 3, seating.SIMILAR, by=a_teacher())
    before = names(room)
    with pytest.raises(Refused, match=code):
        together(room, *some, game=game)
    assert names(room) == before


def a_teacher() -> int:
    with write_unit():
        row = Adult(
            school_id=1, role="teacher", login=secrets.token_hex(4), name="Ms Lake",
            password_hash="x", created_at=clock.now(),
        )  # fmt: skip
        db.session.add(row)
        db.session.flush()
        return row.id


# ---- the class now


def test_the_live_class_distinguishes_idle_struggling_and_away(
    room: Classroom, time: Clock
) -> None:
    round_id = shared(room, "Mia", "Ben")
    on_turn = ("Mia", "Ben")[turn(round_id)]

    def states() -> dict[str, tuple[str, str]]:
        return {
            kid.name: (kid.state, kid.reason) for kid in live_class.live_class(room.class_id).kids
        }

    assert states()[on_turn] == ("playing", "turn")
    assert states()["Ada"] == ("here", "here")
    assert states()["Sam"] == ("out", "out")
    time.at += 31
    assert states()[on_turn] == ("stuck", "idle")
    time.at += 30
    background.play_one(round_id)
    assert states()[on_turn] == ("away", "stand_in")
    other = "Ben" if on_turn == "Mia" else "Mia"
    for seq in range(4):
        _wrong_ask(room.children[other], round_id, seq)
    assert states()[other] == ("stuck", "struggling")
    objections.begin(room.children[other], "family", "object")
    assert states()[other][0] != "stuck", "nothing is worked out about the child any more"
    with write_unit():
        sessions.end_all(child_id=room.children[other])
    assert states()[other] == ("away", "signed_out")


def test_nobody_is_here_by_a_session_of_an_earlier_day(room: Classroom, time: Clock) -> None:
    assert live_class.here(room.class_id)
    time.at += sessions.LONGEST + 1
    assert not live_class.here(room.class_id)


def _wrong_ask(child_id: int, round_id: int, seq: int) -> None:
    with write_unit():
        db.session.add(
            EvidenceRow(
                child_id=child_id, round_id=round_id, seq=seq, source="play", skill="recall_ask",
                item={}, options=[], first_answer=1, later_answers=[], right=False, aided=False,
                guess_rate=0.5, day=clock.day(), at=clock.now(),
            )
        )  # fmt: skip


# ---- the class is closed during a move


def test_the_class_can_be_closed_and_paused_during_a_move(room: Classroom, time: Clock) -> None:
    round_id = shared(room, "Mia", "Ben")
    for wreck in (lessons.pause, classes.close_class):
        lessons.go_on(room.class_id)
        before, gate, found = rounds.seq(round_id), threading.Barrier(2), list[object]()

        def at_once(work: Callable[[], object], gate: threading.Barrier = gate) -> None:
            with room.app.app_context(), clock.clock_at(time):
                gate.wait()
                try:
                    found.append(work())  # noqa: B023 looked at in this very turn of the loop
                except (NotNow, OutOfDate) as error:
                    found.append(error)  # noqa: B023
                db.session.remove()

        db.session.rollback()
        works = (lambda: move(round_id), lambda w=wreck: w(room.class_id))  # type: ignore[misc]
        threads = [threading.Thread(target=at_once, args=(work,)) for work in works]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        db.session.rollback()
        made = rounds.seq(round_id) - before
        assert made == (0 if any(isinstance(one, NotNow) for one in found) else 1)
    assert db.session.scalars(select(Session)).all() == []


def test_two_devices_on_one_seat_move_once(room: Classroom, time: Clock) -> None:
    round_id = shared(room, "Mia", "Ben")
    seat = turn(round_id)
    table = rounds.table(round_id, seat)
    asks = table.observation.legal[0], table.observation.legal[-1]
    gate, found = threading.Barrier(2), list[str]()

    def tap(number: int) -> None:
        with room.app.app_context(), clock.clock_at(time):
            gate.wait()
            try:
                rounds.play(round_id, seat, asks[number], f"device{number}", table.seq)
                found.append("moved")
            except OutOfDate:
                found.append("out of date")
            db.session.remove()

    db.session.rollback()
    threads = [threading.Thread(target=tap, args=(number,)) for number in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    db.session.rollback()
    assert sorted(found) == ["moved", "out of date"]
    assert rounds.seq(round_id) == table.seq + 1


def test_a_child_who_leaves_during_its_turn_comes_back_to_the_same_hand(
    room: Classroom, time: Clock
) -> None:
    round_id = shared(room, "Mia", "Ben")
    seat = turn(round_id)
    child_id, hand = room.children[("Mia", "Ben")[seat]], rounds.table(round_id, seat)
    with write_unit():
        gatherings.stand_up_from_open(child_id)
        sessions.end_all(child_id=child_id)
    come(room, ("Mia", "Ben")[seat])
    assert matches.current_round(child_id) == round_id
    assert rounds.seat_of(round_id, child_id) == seat
    assert rounds.table(round_id, seat).observation == hand.observation
