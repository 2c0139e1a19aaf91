"""What a child was told in a round, read from the rows of help, questions and its seat's moves.

`minds.already_known` decides which facts count as told; this module reads the rows, all in one
statement.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Row, Text, bindparam, cast, literal, null, select, union_all

from classroom.database import db, run
from classroom.engine.observation import Observation
from classroom.learning.recall_questions import named_classes
from classroom.learning.skills import RECALL
from classroom.minds.already_known import AlreadyKnown, Telling, already_known
from classroom.minds.board import Support
from classroom.minds.hints import LOOK
from classroom.models import EvidenceRow, HelpTaken, Move, QuestionRow, Restriction, Round
from classroom.services.table import tables
from classroom.services.table.states import Facts

LONGEST_THOUGHT: Final = 600.0  # seconds; after a longer pause the child counts as away

_helps, _questions = HelpTaken.__table__.c, QuestionRow.__table__.c
_moves, _shown = Move.__table__.c, EvidenceRow.__table__.c
_held = Restriction.__table__.c
_NOTED = union_all(
    select(_helps.kind.label("what"), _helps.seq, _helps.step, cast(_helps.about, Text)).where(
        _helps.round_id == bindparam("round"), _helps.child_id == bindparam("child")
    ),
    select(literal("question"), _questions.seq, literal(0), cast(_questions.item, Text)).where(
        _questions.round_id == bindparam("round"), _questions.child_id == bindparam("child")
    ),
    select(_moves.played_by, _moves.seq, literal(0), cast(null(), Text)).where(
        _moves.round_id == bindparam("round"), _moves.seat == bindparam("seat")
    ),
    select(literal("fact"), _shown.seq, literal(0), cast(_shown.item, Text)).where(
        _shown.round_id == bindparam("round"),
        _shown.child_id == bindparam("child"),
        _shown.source == "play",
    ),
    select(literal("held"), literal(0), literal(0), cast(null(), Text)).where(
        _held.child_id == bindparam("child")
    ),
)


@dataclass(frozen=True, slots=True)
class Noted:
    """What the database says about one child in a round.

    `tellings`: what the child was told, and when it was away. `met`: (target, class, since) of each
    fact with a row of evidence. `hints`: (move, step) of each step of help. `held`: nothing may be
    worked out about the child.
    """

    tellings: tuple[Telling, ...]
    met: frozenset[tuple[int, str, int]]
    hints: tuple[tuple[int, int], ...]
    held: bool = False

    def hint_step(self, seq: int) -> int:
        """The highest step of help that was taken for the move after `seq`."""
        return max((step for at, step in self.hints if at == seq), default=0)


def noted(round_id: int, child_id: int, seat: int, times: Sequence[float], now: float) -> Noted:
    """Read what the child at this seat was told. `times`: when each move was made, the deal
    first."""
    rows = run(_NOTED, {"round": round_id, "child": child_id, "seat": seat}).all()
    facts = (json.loads(row[3]) for row in rows if row[0] == "fact")
    by = ("child", "stand_in")  # the move that is being made now is no part of the past
    moves = sorted((row[1], row[0]) for row in rows if row[0] in by and row[1] < len(times))
    return Noted(
        (*_told_by(rows), *absences(moves, times, now)),
        frozenset((*item["known"][0][:2], item["since"]) for item in facts if "since" in item),
        tuple((row[1], row[2]) for row in rows if row[0] == "hint"),
        any(row[0] == "held" for row in rows),
    )


def what_was_told(
    facts: Facts, observation: Observation, rows: Noted, since: int = 0
) -> AlreadyKnown:
    """What this viewer was told, by door. `since`: as in minds.already_known."""
    minds = tables.minds_heard(facts, observation.viewer)
    return already_known(observation, support_of(facts, observation), minds, rows.tellings, since)


def support_of(facts: Facts, observation: Observation) -> Support:
    """How much of the board this viewer may see."""
    return next(p.board for p in facts.players if p.seat == observation.viewer)


def last_round(facts: Facts) -> tuple[tuple[int, str], ...]:
    """The asks of the previous round of the match, which a child may confuse with this one."""
    rows = db.session.execute(
        select(Move.seat, Move.action)
        .join(Round, Round.id == Move.round_id)
        .where(Round.match_id == facts.match_id, Round.number == facts.number - 1)
        .order_by(Move.seq)
    )
    return tuple((seat, action["class"]) for seat, action in rows if action["type"] == "ask")


def absences(
    own: Iterable[tuple[int, str]], times: Sequence[float], now: float
) -> Iterator[Telling]:
    """Yield the stretches of the round for which the child was away. `own`: its seat's moves as
    (number, player).

    The child was away if a stand-in played for it, or if nobody did for longer than
    LONGEST_THOUGHT. Since it is not known when it left, each stretch reaches from its last move to
    its next one.
    """
    last, away = 0, False
    for seq, by in own:
        away = away or by != "child" or times[seq] - times[seq - 1] > LONGEST_THOUGHT
        if by != "child":
            continue
        if away:
            yield Telling(door="away", since=last, upto=seq - 1)
        last, away = seq, False
    if away or now - times[-1] > LONGEST_THOUGHT:
        yield Telling(door="away", since=last, upto=len(times) - 1)


def _told_by(rows: Iterable[Row[Any]]) -> Iterator[Telling]:
    for what, seq, step, text in rows:
        if what == "board":
            yield Telling(door="peek", upto=seq)
        elif what == "hint" and step >= LOOK:
            yield _hinted(seq, None if text is None else json.loads(text))
        elif what == "question":
            item = json.loads(text)
            if item["skill"] in RECALL:
                yield Telling(door="question", upto=seq, classes=named_classes(item))


def _hinted(seq: int, about: list[Any] | None) -> Telling:
    """What a step of help told: nothing if nothing was certain. A row from an earlier version of
    the program does not say what was told, so it counts as having told everything."""
    if about is None:
        return Telling(door="hint", upto=seq, moves=frozenset(range(1, seq + 1)))
    if not about:
        return Telling(door="hint", upto=seq)
    target, class_, moves = about
    return Telling(
        door="hint", upto=seq, moves=frozenset(moves), asks=frozenset({(target, class_)})
    )
