"""At a table of several children, no page shows a child or adult a card that they may not know."""

from __future__ import annotations

import random
import re
import secrets

import pytest

from classroom.database import db
from classroom.engine.state import State
from classroom.games import GAMES
from classroom.models import AuditEntry
from classroom.services.lesson import gatherings, lessons, open_tables
from classroom.services.operation import background
from classroom.services.table import rounds, stand_ins
from tests.faults.tainted import Marks, history, knowable, marked_cards
from tests.faults.test_hidden_cards import adult, hear
from tests.playing import Browser, Classroom, browser

NAMES = ("Mia", "Ben", "Ada", "Noor")
SECRET_HANDS = ("classic", "rank_pairs", "make_ten", "old_fish")


def seated(room: Classroom, game: str) -> int:
    """Seat all four children at one table, and begin. Returns the round's id."""
    first, *others = (room.children[name] for name in NAMES)
    gatherings.make(first, game)
    for child_id in others:
        mine = open_tables.friends(first).mine
        assert mine is not None
        gatherings.sit(child_id, mine.gathering_id)
    round_id = None
    for child_id in (first, *others):
        round_id = gatherings.ready(child_id)
    assert round_id is not None
    return round_id


def past_of(room: Classroom, round_id: int) -> list[State]:
    with room.app.app_context():
        found = history(round_id)
        db.session.rollback()
        return found


def check(reader: Browser, marks: Marks, past: list[State], seat: int | None) -> int:
    """Check every answer to a reader against what that seat could know then. Returns the number of
    cards that were shown."""
    known = [knowable(past[: seq + 1], seat) for seq in range(len(past))]
    shown = 0
    for answer in reader.answers:
        text = f"{answer.headers}\n{answer.text}"
        at = re.search(r'data-v="(\d+)"|data-move="(\d+)"', text)
        seen = int(next(filter(None, at.groups()))) if at else len(past) - 1
        found = marks.shown(text, past[0].rules)
        assert not found - known[min(seen, len(past) - 1)], (seat, seen)
        shown += len(found)
    return shown


@pytest.mark.walk(4)
@pytest.mark.parametrize(("number", "game"), [*enumerate(SECRET_HANDS)])
def test_each_child_at_a_table_reads_only_its_own_cards(
    room: Classroom, number: int, game: str, whole: bool
) -> None:
    with marked_cards() as marks:
        _one_round(room, marks, game, random.Random(number), 40 if whole else 20)


def _one_round(room: Classroom, marks: Marks, game: str, lots: random.Random, turns: int) -> None:
    children = [browser(room, name) for name in NAMES]
    told = 0
    for child in children:
        child.get("/play/")
        child.keeps = True
    with room.app.app_context():
        round_id = seated(room, game)
    for turn in range(turns):
        with room.app.app_context():
            seen = rounds.table(round_id, rounds.WATCHER)
            seat = seen.observation.turn
            own = rounds.table(round_id, seat or 0)
            db.session.rollback()
        if seat is None:
            break
        for reader in lots.sample(children, 2):
            part = lots.choice(("", "?seen=0", "/table?seen=0", "/events?seen=0"))
            reader.get(f"/play/rounds/{round_id}{part}")
            reader.get(lots.choice(("/play/", "/play/friends")))
        for place, child in enumerate(children):
            if place != seat:
                hear(child, round_id, seen, lots)
                told += 'id="told"' in child.answers[-1].text
        if turn % 7 == 3:  # a computer friend plays for an absent child
            with room.app.app_context():
                _stand_in(round_id, seat)
        else:
            children[seat].move(round_id, lots.choice(own.observation.legal), own.seq)
    assert told > turns
    past = past_of(room, round_id)
    for seat, child in enumerate(children):
        assert check(child, marks, past, seat) > 0


def _stand_in(round_id: int, seat: int) -> None:
    """Let a stand-in play once for this seat, as if its child had been away for a minute."""
    with_time, stand_ins.times = stand_ins.times, lambda _lesson: (0, 0)
    try:
        background.play_one(round_id)
    finally:
        stand_ins.times = with_time
    stand_ins.back(round_id, seat)


def test_the_teachers_pages_of_a_running_table_show_no_card_before_the_switch(
    room: Classroom,
) -> None:
    for name in NAMES:
        browser(room, name)
    with room.app.app_context():
        round_id = seated(room, "classic")
        for _ in range(8):
            seat = rounds.table(round_id, rounds.WATCHER).observation.turn
            assert seat is not None
            own = rounds.table(round_id, seat)
            action = own.observation.legal[0]
            rounds.play(round_id, seat, action, secrets.token_hex(8), own.seq)
        lessons.pause(room.class_id)
        db.session.rollback()
    past = past_of(room, round_id)
    teacher, rules = adult(room, "teacher"), GAMES["classic"].rules
    here, watch = f"/teach/classes/{room.class_id}", f"/teach/rounds/{round_id}/watch"
    pages = [f"{here}/live", f"{here}/live/events", f"{here}/board", f"{here}/board/events"]
    pages += [f"{here}/seats", watch, f"{watch}/events", f"{watch}?view=all"]
    public = knowable(past, None)
    hidden = {card for hand in past[-1].hands for card in hand} - public
    with marked_cards() as marks:
        for path in pages:
            answer = teacher.get(path)
            assert answer.status_code in (200, 303), path
            assert not marks.shown(answer.text, rules) - public, path
        assert teacher.get(f"{watch}/events?view=all").status_code == 404
        assert teacher.post(watch, htmx=False).status_code == 303
        assert hidden <= marks.shown(teacher.get(f"{watch}?view=all").text, rules)
        for path in pages[:5]:
            assert not marks.shown(teacher.get(path).text, rules) - public, path
    with room.app.app_context():
        acts = [row.action for row in db.session.query(AuditEntry)]
        assert acts.count("live_hands") == 1
        db.session.rollback()
