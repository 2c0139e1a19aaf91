"""No answer depends on a card that its reader has not seen. Two schools are identical except for
two hidden cards of one round, and every answer must be identical too."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from flask import url_for
from sqlalchemy import delete, insert, update
from werkzeug.test import TestResponse

from classroom.database import db, write_unit
from classroom.engine import apply, legal_actions
from classroom.engine.actions import Ask, ChanceError, Lots, Script
from classroom.engine.record import action_to_json, chance_to_json
from classroom.engine.rules import Rules
from classroom.engine.state import State
from classroom.games import GAMES
from classroom.models import Move as MoveRow, Round
from classroom.services.base import clock
from classroom.services.table import matches, rounds, states
from classroom.web.http.permissions import PERMISSIONS
from tests.conftest import finish, make_app
from tests.engine.twins import Move, knowledge, other_round, random_round, swapped
from tests.playing import Browser, Classroom, browser, fill, settings, without_random_parts

PAIRS, MANY = 70, 20_000  # pairs in an ordinary run, and with --long
MIA = 0  # her seat
AT = 1_800_000_000.0  # a fixed time, so that the clock reveals nothing
TRIES = 40


@dataclass(frozen=True)
class Pair:
    """Two versions of a round up to some move, which Mia cannot tell apart."""

    number: int
    decks: tuple[list[str], list[str]]
    states: tuple[State, State]
    moves: tuple[list[Move], list[Move]]
    cards: tuple[str, str]  # the two swapped cards


def pair_of(rules: Rules, seats: int, number: int, lots: random.Random) -> Pair | None:
    """A random round of these rules and seats, stopped at a random move, and the same with two
    hidden cards swapped. None if no swap that was tried stays hidden."""
    deck, past, moves = random_round(rules, seats, lots.randrange(2**30))
    cut = lots.randrange(len(past))
    hidden = [card for card in deck if card not in past[0].hands[MIA]]
    for _ in range(TRIES):
        one, other = lots.sample(hidden, 2)
        others, other_moves = other_round(past[0], deck, moves[:cut], (one, other))
        if len(others) <= cut:
            continue
        mine, theirs = (past[: cut + 1], moves[:cut]), (others, other_moves)
        if list(knowledge(*mine, MIA)) == list(knowledge(*theirs, MIA)):
            decks = deck, swapped(deck, (one, other))
            both = mine[0][-1], theirs[0][-1]
            return Pair(number, decks, both, (mine[1], theirs[1]), (one, other))
    return None


def lay(room: Classroom, round_id: int, pair: Pair, which: int) -> None:
    """Write one version of the round into the database."""
    state, moves = pair.states[which], pair.moves[which]
    rows = [
        {
            "round_id": round_id, "seq": seq, "seat": 0, "action": action_to_json(action),
            "chance": [chance_to_json(outcome) for outcome in outcomes],
            "key": f"{pair.number}:{seq}", "played_by": "computer", "at": AT,
        }
        for seq, (action, outcomes) in enumerate(moves, 1)
    ]  # fmt: skip
    values = {"deck": pair.decks[which], "dealer": state.dealer, "moves": len(rows)}
    with room.app.app_context(), write_unit():
        db.session.execute(delete(MoveRow).where(MoveRow.round_id == round_id))
        db.session.execute(update(Round).where(Round.id == round_id).values(**values))
        if rows:
            db.session.execute(insert(MoveRow), rows)


@dataclass(frozen=True)
class Twins:
    """Two schools with the same rows, key and cookies, each with its own browser."""

    rooms: tuple[Classroom, Classroom]
    readers: tuple[Browser, Browser]
    rounds: dict[str, int]
    lots: random.Random

    def lay(self, round_id: int, pair: Pair) -> None:
        for which, room in enumerate(self.rooms):
            lay(room, round_id, pair, which)

    def same(self, send: Callable[[Browser], TestResponse]) -> None:
        """Send the same request to both, and check that status, headers and bytes are equal, except
        for random parts."""
        one, other = (send(reader) for reader in self.readers)
        assert one.status == other.status
        assert list(one.headers) == list(other.headers)
        assert without_random_parts(one.text) == without_random_parts(other.text)

    def anything(self, round_id: int, pair: Pair) -> Callable[[Browser], TestResponse]:
        """A request to one of the routes of Mia's seat that makes no legal move."""
        lots, state = self.lots, pair.states[0]
        path, method = lots.choice(self.routes(round_id))
        seen = lots.choice([n for n in (state.seq - 3, state.seq + 1) if n >= 0])
        htmx = lots.random() < 0.5
        if method == "GET":
            class_ = lots.choice(state.setup.deck.classes)
            return lambda reader: reader.get(f"{path}?seen={seen}&class={class_}&target=1")
        legal = legal_actions(state) if state.turn == MIA else ()
        kept = {action.class_ for action in legal if isinstance(action, Ask)}
        wrong = [class_ for class_ in state.setup.deck.classes if class_ not in kept]
        fields = {"type": "ask", "target": 1, "key": f"a{lots.randrange(10**9)}", "seen": seen}
        fields["class_"] = lots.choice(state.setup.deck.classes)
        if wrong and lots.random() < 0.7:
            fields |= {"seen": state.seq, "class_": lots.choice(wrong)}
        return lambda reader: reader.post(path, htmx=htmx, **fields)

    def routes(self, round_id: int) -> list[tuple[str, str]]:
        """Each address of a seat's own round, with each method that it takes."""
        app = self.rooms[0].app
        with app.test_request_context():
            return [
                (url_for(rule.endpoint, round_id=round_id), method)
                for rule in app.url_map.iter_rules()
                if rule.arguments == {"round_id"} and PERMISSIONS[rule.endpoint].owns == "own_round"
                for method in ("GET", "POST")
                if method in (rule.methods or ())
            ]

    def move(self, round_id: int, pair: Pair) -> bool:
        """Make a legal move of Mia, if it is her turn and the result does not tell the versions
        apart. Returns whether it was made."""
        one, other = pair.states
        if one.turn != MIA:
            return False
        action = self.lots.choice(legal_actions(one))
        step = apply(one, action, Lots(self.lots))
        chance = step.chance, swapped(step.chance, pair.cards)
        try:
            after = apply(other, action, Script(chance[1])).state
        except ChanceError:
            return False
        learned = [
            list(knowledge([before, then], [(action, outcomes)], MIA))
            for before, then, outcomes in zip(pair.states, (step.state, after), chance, strict=True)
        ]
        if learned[0] != learned[1]:
            return False
        scripts = map(Script, chance)

        def send(reader: Browser) -> TestResponse:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(rounds, "_chance", next(scripts))
                return reader.move(round_id, action, one.seq, f"m{pair.number}")

        self.same(send)
        return True


@pytest.fixture
def twins(folder: Path, migrated: Path) -> Iterator[Twins]:
    with clock.clock_at(AT):
        first = make_app(folder / "one", migrated)
        room, lots, laid = fill(first), random.Random(2), {}
        with first.app_context():
            for game in GAMES:
                settings(room.children["Mia"], opponents=lots.randint(1, 3), deck="full")
                laid[game] = matches.start_match(room.children["Mia"], game)
        mia = browser(room)
        finish(first)
        second = make_app(folder / "other", folder / "one")
        other = Browser(second.test_client())
        for name in ("school", "school-device"):
            cookie = mia.client.get_cookie(name)
            assert cookie is not None
            other.client.set_cookie(name, cookie.value)
        rooms = room, Classroom(second, room.class_id, room.children)
        for reader in (mia, other):
            reader.get("/play/")
        yield Twins(rooms, (mia, other), laid, lots)
        finish(first)
        finish(second)


def compare(twins: Twins, pairs: int) -> int:
    """Compare answers for this many pairs, game by game. Returns the number of moves made."""
    games, done, moves = list(GAMES), 0, 0
    while done < pairs:
        round_id = twins.rounds[games[done % len(games)]]
        with twins.rooms[0].app.app_context():
            facts = states.facts_of(round_id)
            db.session.rollback()
        pair = pair_of(facts.rules, len(facts.players), done, twins.lots)
        if pair is None:
            continue
        twins.lay(round_id, pair)
        for reader in twins.readers:
            reader.keeps = done % 2 == 0
        twins.same(lambda reader, path=f"/play/rounds/{round_id}?seen=0": reader.get(path))
        mark = {"Last-Event-ID": f"{max(0, pair.states[0].seq - 2)}-{facts.changes}"}
        news = f"/play/rounds/{round_id}/events?told=1"
        twins.same(lambda reader, path=news, mark=mark: reader.get(path, **mark))
        for _ in range(4):
            twins.same(twins.anything(round_id, pair))
        moves += twins.move(round_id, pair)
        done += 1
    return moves


def test_pairs_that_differ_in_hidden_cards_get_the_same_answers(twins: Twins, whole: bool) -> None:
    pairs = PAIRS if whole else PAIRS // 3
    assert compare(twins, pairs) > pairs / 20


def test_a_difference_that_the_child_can_see_changes_the_page(twins: Twins) -> None:
    """A test of the comparison: with another hand the page differs."""
    round_id = twins.rounds["classic"]
    with twins.rooms[1].app.app_context(), write_unit():
        row = db.session.get_one(Round, round_id)
        row.deck = row.deck[::-1]
    with pytest.raises(AssertionError):
        twins.same(lambda reader: reader.get(f"/play/rounds/{round_id}"))


@pytest.mark.long
def test_twenty_thousand_pairs_get_the_same_answers(twins: Twins) -> None:
    assert compare(twins, MANY) > MANY / 20
