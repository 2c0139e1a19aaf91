"""The web app behaves as the engine does: a pure model predicts the answers to any requests in any
order, and the page shows the model's table."""

from __future__ import annotations

import json
import random
import secrets
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import TestResponse

from classroom.database import db, write_unit
from classroom.engine import deal, legal_actions, observe, refusal
from classroom.engine.actions import (
    Action,
    Answer,
    Ask,
    Claim,
    Declare,
    Lay,
    LayOff,
    Name,
    Pass,
    Show,
)
from classroom.engine.asks import is_lit
from classroom.engine.cards import deck_of
from classroom.engine.record import action_to_json, replayed
from classroom.engine.state import State
from classroom.games import GAMES as GAMES_OF_THE_HOUSE
from classroom.models import ClassSettings
from classroom.services.lesson import lessons
from classroom.services.operation import background
from classroom.services.school import classes
from classroom.services.table import matches, states
from tests.conftest import finish, make_app
from tests.faults.tainted import history
from tests.playing import Browser, Classroom, browser, fill, same_table, settings, shown

MANY = 50_000  # requests for each seed with --long
CLASSIC = ("classic", "classic_face_down", "colour_pairs", "rank_pairs")
GAMES = (*CLASSIC, *CLASSIC, *(key for key in GAMES_OF_THE_HOUSE if key not in CLASSIC))


@dataclass(frozen=True)
class Tap:
    """What the browser of the child at this seat sends for one move."""

    seat: int
    action: Action
    seen: int
    key: str


@dataclass
class Model:
    """One round as played by the engine alone, and the accepted taps. Mia sits at seat 0,
    and at a shared table Ben at seat 1."""

    id: int
    facts: states.Facts
    state: State
    keys: set[tuple[int, str]] = field(default_factory=set)
    taps: list[Tap] = field(default_factory=list)

    @classmethod
    def of(cls, round_id: int) -> Model:
        facts = states.facts_of(round_id)
        db.session.rollback()
        state = deal(facts.rules, len(facts.players), facts.dealer, facts.deck).state
        return cls(round_id, facts, state)

    @property
    def shared(self) -> bool:
        return len(self.facts.children) > 1

    def computers(self, made: list[Any]) -> None:
        """Apply the moves of computer players, and check that the model would make them too."""
        for row in made:
            player = background.waiting(self.facts, self.state.turn)
            assert player is not None
            seen = observe(self.state, player.seat)
            action = background.decide(seen, player, self.facts.number)
            assert as_stored(action) == row.action
            self.state = replayed(self.state, [(row.action, row.chance)])
        assert background.waiting(self.facts, self.state.turn) is None

    def expect(self, tap: Tap) -> int:
        """The status that this tap will get. This does not change the model; `accepted` does."""
        if (tap.seat, tap.key) in self.keys:
            return 200
        if tap.seen != self.state.seq:
            return 409
        return 200 if refusal(self.state, tap.action, tap.seat) is None else 422

    def accepted(self, tap: Tap, row: Any) -> None:
        """Make the logged move in the model, with the same results of chance."""
        assert as_stored(tap.action) == row.action
        self.state = replayed(self.state, [(row.action, row.chance)])
        self.keys.add((tap.seat, tap.key))
        self.taps.append(tap)


class School:
    """Children, their browsers and a model of each of their rounds. A step is a few requests."""

    def __init__(self, room: Classroom, seed: int) -> None:
        self.room = room
        self.lots = random.Random(seed)
        self.requests = 0
        self.statuses: Counter[int] = Counter()
        self.rounds: list[Model] = []
        self.sign_in()
        self.new_round()

    def sign_in(self) -> None:
        """Sign in on two devices of Mia, two of Ben, and one of Ada, who is at none of their
        tables."""
        names = ("Mia", "Mia", "Ben", "Ben", "Ada")
        *devices, self.ada = (browser(self.room, name) for name in names)
        self.devices = devices[:2], devices[2:]
        for each in (*devices, self.ada):
            each.get("/play/")

    def seat(self, reader: Browser) -> int:
        return int(reader in self.devices[1])

    # ---- sending

    def send(self, reader: Browser, model: Model, tap: Tap, expected: int | None = None) -> None:
        known = (tap.seat, tap.key) in model.keys
        expected = expected or model.expect(tap)
        reader.htmx = self.lots.random() < 0.8
        answer = reader.move(model.id, tap.action, tap.seen, tap.key)
        if expected == 200 and answer.status_code in (200, 303) and not known:
            model.accepted(tap, self.log(model)[0])
        if answer.status_code == 303 and expected == 200:
            self.count(answer, 303)
            answer = reader.get(answer.location)
        self.count(answer, expected)
        if expected in (200, 409, 422):
            same_page(answer, model, tap.seat)

    def log(self, model: Model) -> list[Any]:
        """The rows after the model's last move."""
        with self.room.app.app_context():
            rows = states._moves(model.id, model.state.seq + 1, None)
            db.session.rollback()
        return rows

    def count(self, answer: TestResponse, expected: int) -> None:
        self.requests += 1
        self.statuses[answer.status_code] += 1
        assert answer.status_code == expected

    def tap(self, reader: Browser, model: Model, **values: Any) -> Tap:
        """A legal tap, if there is one. `values` override its fields."""
        seat = self.seat(reader)
        legal = legal_actions(model.state) if model.state.turn == seat else ()
        action = self.lots.choice(legal or (Ask(1, "A"), Ask("all", "A"), Show(True), Pass()))
        return replace(Tap(seat, action, model.state.seq, secrets.token_hex(6)), **values)

    # ---- steps

    def good(self, reader: Browser, model: Model) -> None:
        with self.room.app.app_context():
            background.play_now(model.id)
        model.computers(self.log(model))
        self.send(reader, model, self.tap(reader, model))

    def double(self, reader: Browser, model: Model) -> None:
        tap = self.tap(reader, model)
        for each in (reader, reader, *self.devices[tap.seat]):
            self.send(each, model, tap)

    def illegal(self, reader: Browser, model: Model) -> None:
        classes = [*deck_of(model.facts.rules).members, "Z", "7H", "A", "7", "R"]
        wrong = Ask(self.lots.choice((0, 1, 2, 3, 4, 5, "all")), self.lots.choice(classes))
        actions = (wrong, wrong, Name(2), Show(True), Answer("give"), Declare(), Pass(), Lay(()))
        action = self.lots.choice((*actions, LayOff("7H"), Claim(("RS1", "RS2", "RS3", "RS4"))))
        self.send(reader, model, self.tap(reader, model, action=action))

    def stale(self, reader: Browser, model: Model) -> None:
        off = self.lots.choice((-1, -2, 1, 50))
        self.send(reader, model, self.tap(reader, model, seen=max(0, model.state.seq + off)))

    def replayed(self, reader: Browser, model: Model) -> None:
        taps = [tap for tap in model.taps if tap.seat == self.seat(reader)]
        if taps:
            self.send(reader, model, self.lots.choice(taps))

    def borrowed(self, reader: Browser, model: Model) -> None:
        """The same key from the other seat is another tap, and it comes too late."""
        taps = [tap for tap in model.taps if tap.seat != self.seat(reader)]
        if taps and model.shared:
            self.send(reader, model, replace(self.lots.choice(taps), seat=self.seat(reader)))

    def out_of_turn(self, reader: Browser, model: Model) -> None:
        """Tap at once, though it may be another seat's turn."""
        self.send(reader, model, self.tap(reader, model))

    def foreign(self, reader: Browser, model: Model) -> None:
        self.send(self.ada, model, self.tap(reader, model), 404)
        self.count(self.ada.get(f"/play/rounds/{model.id}"), 404)

    def forged(self, reader: Browser, model: Model) -> None:
        own = reader.token
        reader.token = self.lots.choice(("", "00" * 64, self.ada.token))
        self.send(reader, model, self.tap(reader, model), 403)
        reader.token = own

    def nonsense(self, reader: Browser, model: Model) -> None:
        wrong = self.lots.choice(({"key": ""}, {"seen": "x"}, {"target": ""}, {"class_": ""}))
        fields = {"target": 1, "class_": "A", "seen": model.state.seq, "key": "k", **wrong}
        answer = reader.post(f"/play/rounds/{model.id}/asks", **fields)
        self.count(answer, 400)
        same_page(answer, model, self.seat(reader))

    def look(self, reader: Browser, model: Model) -> None:
        """Read a page, sometimes at an old address with outdated choices, as the back button
        does."""
        seen, part = self.lots.randrange(60), self.lots.choice(("", "/table", "/events"))
        odd = ("", "&class=A&target=1", "&class=Q&target=9", "&card=7H", "&trait=R&take=RS1&take=x")
        answer = reader.get(f"/play/rounds/{model.id}{part}?seen={seen}{self.lots.choice(odd)}")
        self.count(answer, 200)
        same_page(answer, model, self.seat(reader))

    def nothing_new(self, reader: Browser, model: Model) -> None:
        first = reader.get(f"/play/rounds/{model.id}/table")
        self.count(first, 200)
        tag = {"If-None-Match": first.headers["ETag"]}
        self.count(reader.get(f"/play/rounds/{model.id}/table", **tag), 304)

    def helped(self, reader: Browser, model: Model) -> None:
        lit = model.state.tide is None or is_lit(model.state)  # low tide: while the lamp is lit
        self.count(reader.post(f"/play/rounds/{model.id}/board", seen=0), 200 if lit else 409)
        answer = reader.post(f"/play/rounds/{model.id}/hint", seen=0)
        self.count(answer, 200 if model.state.turn == self.seat(reader) else 409)

    def closed(self, reader: Browser, model: Model) -> None:
        """Let the teacher close the class during a move, and open it again."""
        with self.room.app.app_context():
            classes.close_class(self.room.class_id)
        reader.htmx = True
        self.send(reader, model, self.tap(reader, model), 401)
        self.count(reader.get(f"/play/rounds/{model.id}"), 303)
        with self.room.app.app_context():
            classes.open_class(self.room.class_id, 100_000)
        self.sign_in()

    def again(self, reader: Browser, model: Model) -> None:
        answer = reader.post(f"/play/rounds/{model.id}/again", htmx=False)
        self.count(answer, 303)
        self.enter(int(answer.location.rpartition("/")[2]))

    def new_round(self, *_: Any) -> None:
        with self.room.app.app_context():
            mia, lots = self.room.children["Mia"], self.lots
            settings(mia, opponents=lots.randint(1, 3), deck=lots.choice(("small", "full")))
            round_id = matches.start_match(mia, lots.choice(GAMES))
        self.enter(round_id)

    def new_shared_round(self, *_: Any) -> None:
        sitters = [self.room.children["Mia"], self.room.children["Ben"]]
        sitters += [None] * self.lots.randint(0, 1)
        with self.room.app.app_context(), write_unit():
            round_id = matches.together(self.room.class_id, self.lots.choice(CLASSIC), sitters)
        self.enter(round_id)

    def enter(self, round_id: int) -> None:
        if all(model.id != round_id for model in self.rounds):
            with self.room.app.app_context():
                self.rounds = [*self.rounds[-3:], Model.of(round_id)]

    # ---- a run

    def run(self, requests: int) -> None:
        steps: list[tuple[Callable[[Browser, Model], None], int]] = [
            (self.good, 30), (self.double, 3), (self.illegal, 10), (self.stale, 10),
            (self.replayed, 8), (self.out_of_turn, 8), (self.foreign, 3), (self.forged, 4),
            (self.nonsense, 4), (self.look, 20), (self.nothing_new, 4), (self.helped, 3),
            (self.closed, 1), (self.new_round, 1), (self.new_shared_round, 1), (self.borrowed, 2),
        ]  # fmt: skip
        names, weights = zip(*steps, strict=True)
        done = 0
        while self.requests < requests:
            model = self.rounds[-1] if self.lots.random() < 0.7 else self.lots.choice(self.rounds)
            ended = model.state.over and not model.shared and self.lots.random() < 0.3
            step = self.again if ended else self.lots.choices(names, weights)[0]
            step(self.lots.choice(self.devices[self.lots.randint(0, model.shared)]), model)
            done += 1
            if done % 40 == 0:
                self.compare()

    def compare(self) -> None:
        """Check that the logs fold to the model's states, hidden cards included."""
        with self.room.app.app_context():
            for model in self.rounds:
                assert history(model.id)[-1] == model.state
            db.session.rollback()


def as_stored(action: Action) -> Any:
    """The action as it is read from the log."""
    return json.loads(json.dumps(action_to_json(action)))


def same_page(answer: TestResponse, model: Model, seat: int) -> None:
    """Check that the page, or an event of a stream, shows the model's table as the child may see
    it."""
    page = answer.text
    if page.startswith("id: "):
        page = "\n".join(line.removeprefix("data: ") for line in page.split("\n"))
    same_table(shown(page), observe(model.state, seat))


@pytest.fixture
def big_room(folder: Path, migrated: Path) -> Iterator[Classroom]:
    app = make_app(folder, migrated)
    room = fill(app, 3)
    with app.app_context(), write_unit():  # no stand-in plays while other steps run
        db.session.get_one(ClassSettings, room.class_id).stand_in_after = lessons.SILENCE[1]
    yield room
    finish(app)


def test_the_app_answers_thousands_of_requests_as_the_model_predicts(
    big_room: Classroom, whole: bool
) -> None:
    school, requests = School(big_room, seed=1), 3_000 if whole else 300
    school.run(requests)
    school.compare()
    assert school.requests >= requests
    assert set(school.statuses) == {200, 303, 304, 400, 401, 403, 404, 409, 422}


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 22))
def test_the_app_answers_many_more_requests_as_the_model_predicts(
    big_room: Classroom, seed: int
) -> None:
    school = School(big_room, seed)
    school.run(MANY)
    school.compare()
