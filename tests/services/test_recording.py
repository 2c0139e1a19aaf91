"""Evidence of remembering: the rows that whole rounds of every game leave."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest

from classroom.database import db, write_unit
from classroom.engine import observe
from classroom.games import GAMES
from classroom.learning.evidence import Evidence
from classroom.minds.board import SUPPORTS
from classroom.models import EvidenceRow
from classroom.services.base import clock
from classroom.services.base.errors import NotNow
from classroom.services.table import evidence_log, help, matches, rounds, states
from tests.playing import Classroom, settings
from tests.randomness import drawn_from

FIXED = Path(__file__).with_name("recorded.json")
SEEDS = {"guru_pairs": 4}  # its first round leaves no rows
UNTOLD = {"day", "round_id", "at_home"}
BEGIN = 1_800_000_000.0  # seconds; the time at which every round is dealt


def recorded(room: Classroom, game: str, seed: int) -> list[Evidence]:
    """The rows of one round of random legal play by two children, often with computer players."""
    rng, now = Random(f"{game} {seed}"), [BEGIN]
    boards = {name: rng.choice(SUPPORTS) for name in ("Mia", "Ben")}
    for name, board in boards.items():
        settings(room.children[name], board=board, hints=True, deck="small", level="perch")
    seats = GAMES[game].rules.seats
    sitters = [room.children["Mia"], room.children["Ben"], *[None] * min(seats[1] - 2, seed % 3)]
    sitters += [None] * (seats[0] - len(sitters))
    with drawn_from(rng), clock.clock_at(lambda: now[0]):
        with write_unit():
            round_id = matches.together(room.class_id, game, sitters)
        while (turn := states.read(round_id).state.turn) is not None:
            now[0] += rng.choice((0.5, 2.0, 7.0, 20.0, 700.0))
            _move(round_id, turn, sitters[turn] is not None, rng)
    rows = evidence_log.rows_of(EvidenceRow.round_id == round_id)
    return [evidence for _, evidence in rows]


def _move(round_id: int, seat: int, child: bool, rng: Random) -> None:
    seen = observe(states.read(round_id).state, seat)
    if child:
        for take in (help.hint, help.opened_board):
            if rng.random() < 0.1:
                _help(take, round_id, seat)
    by = "child" if child else "computer"
    rounds.play(round_id, seat, rng.choice(seen.legal), f"m{seen.seq}", seen.seq, played_by=by)


def _help(take: Callable[[int, int], object], round_id: int, seat: int) -> None:
    with suppress(NotNow):
        take(round_id, seat)


def text_of(rows: list[Evidence]) -> str:
    """All fields of all rows, except the round, where the child was, and the day, which depends on
    the time zone."""
    names = [one.name for one in fields(Evidence) if one.name not in UNTOLD]
    told = [[getattr(row, name) for name in names] for row in rows]
    return json.dumps(told, sort_keys=True)


def digest_of(rows: list[Evidence]) -> str:
    return sha256(text_of(rows).encode()).hexdigest()[:16]


@pytest.mark.walk(4)
@pytest.mark.parametrize("game", GAMES)
def test_the_evidence_of_a_round_is_unchanged(room: Classroom, game: str) -> None:
    """After a deliberate change, write the new numbers of rows and digests into recorded.json."""
    rows = recorded(room, game, seed=SEEDS.get(game, 1))
    assert [len(rows), digest_of(rows)] == json.loads(FIXED.read_text(encoding="utf-8"))[game]
    db.session.remove()
