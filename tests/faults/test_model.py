"""B2: the web app is the engine. Whatever is sent, in whatever order, a pure model says before
what will be answered, and the page shows the model's table."""

from __future__ import annotations

import random
import secrets
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import TestResponse

from classroom.database import db
from classroom.engine.actions import Action, Ask
from classroom.engine.cards import deck_of
from classroom.engine.observation import observe
from classroom.engine.round import apply, deal, legal_actions, refusal
from classroom.engine.state import State
from classroom.services import classes, companions, matches, states
from tests.conftest import finish, make_app
from tests.faults.tainted import history
from tests.playing import Browser, Classroom, browser, fill, settings, shown

REQUESTS = 10_000
GAMES = ("classic", "classic_face_down", "colour_pairs", "rank_pairs")


@dataclass
class Model:
    """One round as the engine alone plays it, and the taps that were accepted."""

    id: int
    facts: states.Facts
    state: State
    keys: set[str] = field(default_factory=set)
    taps: list[dict[str, Any]] = field(default_factory=list)

    @classmethod
    def of(cls, round_id: int) -> Model:
        facts = states.facts_of(round_id)
        db.session.rollback()
        state = deal(facts.rules, len(facts.players), facts.dealer, facts.deck).state
        return cls(round_id, facts, state)

    @property
    def mine(self) -> bool:
        return self.state.turn == 0

    def computers(self) -> int:
        """Let the model's computer players move until it is the child's turn."""
        moves = 0
        while player := companions.waiting(self.facts, self.state.turn):
            seen = observe(self.state, player.seat)
            self.state = apply(self.state, companions.decide(seen, player, self.facts.number)).state
            moves += 1
        return moves

    def expect(self, tap: dict[str, Any]) -> int:
        """The status that this tap will have; the model makes the move if it is one."""
        if tap["key"] in self.keys:
            return 200
        if tap["seen"] != self.state.seq:
            return 409
        action = Ask(tap["target"], tap["class_"])
        if refusal(self.state, action, 0) is not None:
            return 422
        self.state = apply(self.state, action).state
        self.keys.add(tap["key"])
        self.taps.append(tap)
        return 200


class School:
    """Children, their browsers and a model of each of their rounds; a step is a few requests."""

    def __init__(self, room: Classroom, seed: int) -> None:
        self.room = room
        self.lots = random.Random(seed)
        self.requests = 0
        self.statuses: Counter[int] = Counter()
        self.rounds: list[Model] = []
        self.sign_in()
        self.new_round()

    def sign_in(self) -> None:
        """Two devices of Mia, one of Ben."""
        self.mia = [browser(self.room), browser(self.room)]
        self.ben = browser(self.room, "Ben")
        for each in (*self.mia, self.ben):
            each.get("/play/")

    # ---- what is sent

    def ask(self, reader: Browser, model: Model, tap: dict[str, Any], expected: int) -> None:
        answer = reader.post(f"/play/rounds/{model.id}/asks", htmx=self.lots.random() < 0.8, **tap)
        if expected == 200 and answer.status_code == 303:
            self.count(answer, 303)
            answer = reader.get(answer.location)
        self.count(answer, expected)
        if expected in (200, 409, 422):
            same_table(answer, model)

    def count(self, answer: TestResponse, expected: int) -> None:
        self.requests += 1
        self.statuses[answer.status_code] += 1
        assert answer.status_code == expected

    def tap(self, model: Model, **values: Any) -> dict[str, Any]:
        """A tap on something legal, if there is such a thing; `values` make it something else."""
        legal = legal_actions(model.state) if model.mine else ()
        action: Action = self.lots.choice(legal or (Ask(1, "A"),))
        assert isinstance(action, Ask)
        tap = {"target": action.target, "class_": action.class_, "seen": model.state.seq}
        return {**tap, "key": secrets.token_hex(6), **values}

    # ---- steps

    def good(self, reader: Browser, model: Model) -> None:
        model.computers()
        with self.room.app.app_context():
            companions.play_now(model.id)
        tap = self.tap(model)
        self.ask(reader, model, tap, model.expect(tap))

    def double(self, reader: Browser, model: Model) -> None:
        tap = self.tap(model)
        for each in (reader, reader, *self.mia):
            self.ask(each, model, tap, model.expect(tap))

    def illegal(self, reader: Browser, model: Model) -> None:
        classes = list(deck_of(model.facts.rules).members)
        wrong = self.lots.choice((*classes, "Z", "7H", "A"))
        tap = self.tap(model, target=self.lots.randrange(6), class_=wrong)
        self.ask(reader, model, tap, model.expect(tap))

    def stale(self, reader: Browser, model: Model) -> None:
        off = self.lots.choice((-1, -2, 1, 50))
        tap = self.tap(model, seen=max(0, model.state.seq + off))
        self.ask(reader, model, tap, model.expect(tap))

    def replayed(self, reader: Browser, model: Model) -> None:
        if model.taps:
            tap = self.lots.choice(model.taps)
            self.ask(reader, model, tap, model.expect(tap))

    def out_of_turn(self, reader: Browser, model: Model) -> None:
        """Computer players have not moved yet."""
        tap = self.tap(model)
        self.ask(reader, model, tap, model.expect(tap))

    def foreign(self, _reader: Browser, model: Model) -> None:
        self.ask(self.ben, model, self.tap(model), 404)
        self.count(self.ben.get(f"/play/rounds/{model.id}"), 404)

    def forged(self, reader: Browser, model: Model) -> None:
        own = reader.token
        reader.token = self.lots.choice(("", "00" * 64, self.ben.token))
        self.ask(reader, model, self.tap(model), 403)
        reader.token = own

    def nonsense(self, reader: Browser, model: Model) -> None:
        wrong = self.lots.choice(({"key": ""}, {"seen": "x"}, {"target": ""}, {"class_": ""}))
        answer = reader.post(f"/play/rounds/{model.id}/asks", **{**self.tap(model), **wrong})
        self.count(answer, 400)
        same_table(answer, model)

    def look(self, reader: Browser, model: Model) -> None:
        """Also the back button: an old address, with choices that are no choices any more."""
        seen, part = self.lots.randrange(60), self.lots.choice(("", "/table", "/events"))
        chosen = self.lots.choice(("", "&class=A&target=1", "&class=Q&target=9"))
        answer = reader.get(f"/play/rounds/{model.id}{part}?seen={seen}{chosen}")
        self.count(answer, 200)
        same_table(answer, model)

    def nothing_new(self, reader: Browser, model: Model) -> None:
        first = reader.get(f"/play/rounds/{model.id}/table")
        self.count(first, 200)
        tag = {"If-None-Match": first.headers["ETag"]}
        self.count(reader.get(f"/play/rounds/{model.id}/table", **tag), 304)

    def helped(self, reader: Browser, model: Model) -> None:
        self.count(reader.post(f"/play/rounds/{model.id}/board", seen=0), 200)
        answer = reader.post(f"/play/rounds/{model.id}/hint", seen=0)
        self.count(answer, 200 if model.mine else 409)

    def closed(self, reader: Browser, model: Model) -> None:
        """The teacher closes the class in mid move, and opens it again."""
        with self.room.app.app_context():
            classes.close_class(self.room.class_id)
        self.count(reader.post(f"/play/rounds/{model.id}/asks", **self.tap(model)), 401)
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
            mia = self.room.children["Mia"]
            settings(
                mia, opponents=self.lots.randint(1, 3), deck=self.lots.choice(("small", "full"))
            )
            round_id = matches.start_match(mia, self.lots.choice(GAMES))
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
            (self.closed, 1), (self.new_round, 1),
        ]  # fmt: skip
        names, weights = zip(*steps, strict=True)
        done = 0
        while self.requests < requests:
            model = self.rounds[-1] if self.lots.random() < 0.7 else self.lots.choice(self.rounds)
            step = self.again if model.state.over and self.lots.random() < 0.3 else None
            (step or self.lots.choices(names, weights)[0])(self.lots.choice(self.mia), model)
            done += 1
            if done % 40 == 0:
                self.compare()

    def compare(self) -> None:
        """The logs, folded anew, are the model's states, hidden cards and all."""
        with self.room.app.app_context():
            for model in self.rounds:
                assert history(model.id)[-1] == model.state
            db.session.rollback()


def same_table(answer: TestResponse, model: Model) -> None:
    """The page shows the model's table, as the child may see it."""
    page = answer.text
    if page.startswith("id: "):
        page = "\n".join(line.removeprefix("data: ") for line in page.split("\n"))
    found, seen = shown(page), observe(model.state, 0)
    assert (found.v, found.over) == (seen.seq, seen.over)
    if seen.over:
        return
    deck = deck_of(seen.rules)
    assert found.fans == Counter(deck.class_of(card) for card in seen.hand)
    assert found.pond == seen.stock_size
    assert found.sizes == {s: n for s, n in enumerate(seen.hand_sizes) if s != 0}
    legal = [action for action in seen.legal if isinstance(action, Ask)]
    assert set(found.classes) == {action.class_ for action in legal}
    assert set(found.targets) == {action.target for action in legal}


@pytest.fixture
def big_room(folder: Path, migrated: Path) -> Iterator[Classroom]:
    app = make_app(folder, migrated)
    yield fill(app)
    finish(app)


def test_ten_thousand_requests_of_every_kind_find_the_model_in_the_app(big_room: Classroom) -> None:
    school = School(big_room, seed=1)
    school.run(REQUESTS)
    school.compare()
    assert school.requests >= REQUESTS
    assert set(school.statuses) == {200, 303, 304, 400, 401, 403, 404, 409, 422}


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 22))
def test_many_more_requests_find_the_model_in_the_app(big_room: Classroom, seed: int) -> None:
    school = School(big_room, seed)
    school.run(50_000)
    school.compare()
