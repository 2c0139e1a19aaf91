"""No answer contains a card that its reader may not know, in whole rounds over HTTP."""

from __future__ import annotations

import logging
import random
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest

from classroom.database import db, write_unit
from classroom.engine.actions import Ask
from classroom.games import GAMES as GAMES_OF_THE_HOUSE
from classroom.models import Adult, ClassTeacher, FamilyLink, SchoolClass
from classroom.services.access import sessions
from classroom.services.base import clock
from classroom.services.operation import background
from classroom.services.quiz import question_settings
from classroom.services.table import matches, rounds, states
from classroom.services.table.rounds import ViewedTable
from tests.faults.tainted import Marks, history, knowable, marked_cards
from tests.playing import Browser, Classroom, browser, settings

# Where exact cards are asked for, pages also draw cards to choose from: see test_twins.py.
GAMES = [key for key, game in GAMES_OF_THE_HOUSE.items() if game.rules.ask_what == "class"]
CLASSIC = ("classic", "classic_face_down", "colour_pairs", "rank_pairs")
ROUNDS, MANY = 16, 2_000  # rounds in an ordinary run, and with --long
_ASKED = re.compile(r"/questions/(\d+)/")


class Log(logging.Handler):
    """Everything that is logged."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.text: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.text.append(self.format(record))


def test_the_marks_show_what_is_on_a_page(room: Classroom) -> None:
    """A test of the detector: it finds a hidden card, however a page names it."""
    with marked_cards() as marks, room.app.app_context():
        round_id = matches.start_match(room.children["Mia"])
        background.play_now(round_id)
        table = rounds.table(round_id, 0)
        db.session.rollback()
        page = browser(room).get(f"/play/rounds/{round_id}").text
        rules = table.observation.rules
        assert set(table.observation.hand) <= marks.shown(page, rules)
        hidden = next(iter(history(round_id)[-1].hands[1]))
        assert hidden not in marks.shown(page, rules)
        for leak in (marks.mark(hidden), f"data-x='{hidden}'", f"[{hidden}]", f"/{hidden}.svg"):
            assert hidden in marks.shown(page + leak, rules)


def play_and_read(room: Classroom, mia: Browser, game: str, lots: random.Random) -> int:
    """Play a whole round, doing at random what a child may do. Returns its id."""
    with room.app.app_context():
        settings(
            room.children["Mia"],
            opponents=lots.randint(1, 3),
            deck=lots.choice(("small", "small", "short", "full")),
            level=lots.choice(("minnow", "perch", "pike")),
        )
        round_id = matches.start_match(room.children["Mia"], game)
    here = f"/play/rounds/{round_id}"
    mia.keeps = lots.random() < 0.7
    while True:
        table = _table(room, round_id)
        hear(mia, round_id, table, lots)
        if lots.random() < 0.3:
            mia.get(here + lots.choice(("", "?seen=0", "/table?seen=0", "/events?seen=0")))
        _be_asked(mia, here, table, lots)
        if table.over:
            return round_id
        if not table.my_turn:
            with room.app.app_context():
                background.play_now(round_id)
            continue
        _do_something(mia, here, table, lots)


def hear(reader: Browser, round_id: int, table: ViewedTable, lots: random.Random) -> None:
    """Get the next message for a page whose picture is some moves old."""
    before = max(0, table.seq - lots.randint(1, 14))
    mark = {"Last-Event-ID": f"{before}-{table.around.changes}"}
    reader.get(f"/play/rounds/{round_id}/events?told=1", **mark)


def _be_asked(mia: Browser, here: str, table: ViewedTable, lots: random.Random) -> None:
    """If a question comes, take some help, and give some answers or none."""
    asked = mia.post(here + "/questions", seen=table.seq)
    found = _ASKED.search(asked.text)
    if found is None:
        return
    for tap in range(lots.randrange(5)):
        what = lots.choice(("hint", "answers", "answers", "leave"))
        mia.post(f"{here}/questions/{found[1]}/{what}", place=lots.randrange(4), key=f"k{tap}")
    mia.get(here)


def _do_something(mia: Browser, here: str, table: ViewedTable, lots: random.Random) -> None:
    other = lots.random()
    if other < 0.1:
        mia.post(here + "/hint", htmx=lots.random() < 0.5, seen=table.seq)
    elif other < 0.2:
        mia.post(here + "/board", htmx=lots.random() < 0.5, seen=table.seq)
    elif other < 0.3:
        wrong = Ask(lots.randrange(5), lots.choice("A23456789TJQK"))
        mia.move(table.round_id, wrong, table.seq)
    elif other < 0.35:
        mia.move(table.round_id, table.observation.legal[0], table.seq - 1)
    mia.move(table.round_id, lots.choice(table.observation.legal), table.seq)
    mia.get(f"{here}/table?seen={max(0, table.seq - lots.randrange(4))}")


def _table(room: Classroom, round_id: int) -> ViewedTable:
    with room.app.app_context():
        found = rounds.table(round_id, 0)
        db.session.rollback()
        return found


def scan(room: Classroom, mia: Browser, marks: Marks, round_id: int) -> int:
    """Check every answer of a round against what its reader could know then. Returns how many.
    A page says how many moves it shows, and may hold only what was known by then.
    """
    with room.app.app_context():
        past = history(round_id)
        db.session.rollback()
    known = [knowable(past[: seq + 1], 0) for seq in range(len(past))]
    seen = 0
    for answer in mia.answers:
        text = f"{answer.headers}\n{answer.text}"
        at = text.find('data-v="')
        asked = None if at >= 0 else _ASKED.search(text)
        if at >= 0:
            seen = int(text[at + 8 : text.index('"', at + 8)])
        elif asked:  # a question alone: it is about what had been shown when it came
            seen = int(asked[1])
        found, state = marks.shown(text, past[0].rules), past[min(seen, len(past) - 1)]
        extra = found - known[state.seq]
        assert not extra, f"move {seen} of round {round_id} shows {extra}"
        if at >= 0 and not state.over and 'id="told"' not in text:
            assert state.hands[0] <= found  # visible cards are found, so the marks work
    return len(mia.answers)


def rounds_of_marked_cards(room: Classroom, games: Sequence[str], number: int) -> int:
    """Play this many rounds and scan them. Returns the number of answers."""
    mia, told = browser(room), 0
    mia.get("/play/")
    with room.app.app_context():
        question_settings.write(
            None, "class", room.class_id, question_settings.QuestionChoice("every_turn")
        )
    answers = 0
    with written_down() as log, marked_cards() as marks:
        for played in range(number):
            mia.answers.clear()
            game = games[played % len(games)]
            round_id = play_and_read(room, mia, game, random.Random(played))
            answers += scan(room, mia, marks, round_id)
            told += sum('id="told"' in answer.text for answer in mia.answers)
            assert not marks.shown("\n".join(log), GAMES_OF_THE_HOUSE[game].rules)
    assert told > number
    return answers


@contextmanager
def written_down() -> Iterator[list[str]]:
    """Everything that is logged within the block."""
    log = Log()
    logging.getLogger().addHandler(log)
    try:
        yield log.text
    finally:
        logging.getLogger().removeHandler(log)


def test_no_answer_of_a_classic_round_shows_a_card_that_its_child_may_not_know(
    room: Classroom,
) -> None:
    assert rounds_of_marked_cards(room, CLASSIC, ROUNDS) > 10 * ROUNDS


def test_no_answer_of_any_game_shows_a_card_that_its_child_may_not_know(room: Classroom) -> None:
    assert rounds_of_marked_cards(room, GAMES, len(GAMES)) > 10 * len(GAMES)


@pytest.mark.long
def test_no_answer_of_thousands_of_rounds_shows_a_hidden_card(room: Classroom) -> None:
    assert rounds_of_marked_cards(room, GAMES, MANY) > 10 * MANY


# ---- other readers


def adult(room: Classroom, role: str) -> Browser:
    """Make a teacher of the class or a parent of Mia. Returns their browser."""
    with room.app.app_context(), write_unit():
        school_class = db.session.get_one(SchoolClass, room.class_id)
        row = Adult(
            school_id=school_class.school_id, role=role, login=role, name=role.title(),
            password_hash="-", created_at=clock.now(),
        )  # fmt: skip
        db.session.add(row)
        db.session.flush()
        if role == "teacher":
            db.session.add(ClassTeacher(class_id=room.class_id, adult_id=row.id))
        else:
            link = {"adult_id": row.id, "child_id": room.children["Mia"]}
            db.session.add(FamilyLink(**link, created_at=clock.now()))
        token = sessions.start("a" * 32, adult_id=row.id)
    client = room.app.test_client()
    client.set_cookie("school", token)
    client.set_cookie("school-device", "a" * 32)
    return Browser(client)


def test_other_people_see_no_card_of_an_unfinished_round(room: Classroom) -> None:
    with room.app.app_context():
        round_id = matches.start_match(room.children["Mia"])
        background.play_now(round_id)
    readers = {
        "classmate": browser(room, "Ben"),
        "signed out": Browser(room.app.test_client()),
        "teacher": adult(room, "teacher"),
        "parent": adult(room, "parent"),
    }
    paths = [f"/play/rounds/{round_id}{part}" for part in ("", "/table", "/events")]
    paths += ["/play/", "/teach/", f"/teach/classes/{room.class_id}", f"/teach/rounds/{round_id}"]
    paths += [f"/teach/children/{room.children['Mia']}", "/family/"]
    paths += [f"/family/children/{room.children['Mia']}", f"/teach/rounds/{round_id}?view=all"]
    with marked_cards() as marks:
        for reader in readers.values():
            for path in paths:
                answer = reader.get(path)
                assert answer.status_code < 500
                assert not marks.shown(answer.text, GAMES_OF_THE_HOUSE["classic"].rules)


def replays(room: Classroom, games: Sequence[str], step: int) -> None:
    """Look at a round of each game from each seat, at every `step`th move."""
    mia, lots = browser(room), random.Random(5)
    mia.get("/play/")
    teacher = adult(room, "teacher")
    for game in games:
        round_id = play_and_read(room, mia, game, lots)
        with room.app.app_context():
            past = history(round_id)
            seats = len(states.facts_of(round_id).players)
            db.session.rollback()
        with marked_cards() as marks:
            for seat in range(seats):
                for move in range(seat, len(past), step):
                    page = teacher.get(f"/teach/rounds/{round_id}?move={move}&view={seat}")
                    assert page.status_code == 200
                    found = marks.shown(page.text, past[0].rules)
                    extra = found - knowable(past[: move + 1], seat)
                    assert not extra, f"{game}, seat {seat}, move {move} shows {extra}"


def test_a_replay_from_a_seat_shows_what_that_seat_could_know_by_then(room: Classroom) -> None:
    replays(room, (*CLASSIC, "old_fish", "fours", "make_ten"), step=20)


@pytest.mark.long
def test_no_move_of_a_replay_shows_more_than_its_seat_could_know(room: Classroom) -> None:
    replays(room, GAMES, step=1)
