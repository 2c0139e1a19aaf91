"""What a child's move adds to what is known of the child, written in the move's own transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Final

from sqlalchemy import case, func, insert, select, update

from classroom.database import db
from classroom.engine import events as ev
from classroom.engine.actions import Action, Ask
from classroom.engine.observation import Observation, Seen, observe
from classroom.engine.state import Step
from classroom.learning.evidence import Evidence, Known, from_ask
from classroom.minds.memory import certain_catches, plain_asks, remember, targets
from classroom.models import ChildRound, EvidenceRow, HelpTaken, Move
from classroom.services import clock
from classroom.services.states import Live

LONGEST_PAUSE: Final = 60.0  # seconds between two moves that still count as time at the table
LONGEST_THOUGHT: Final = 600.0  # seconds; an answer after more than that says nothing of speed
TAGS: Final = 6  # asks that hang on the line at the top of the table, where the board is on


def after_move(
    live: Live, step: Step, seat: int, action: Action, played_by: str, at: float
) -> None:
    """Write what this move changes for the children at the table. Call it in the move's unit."""
    children = live.facts.children
    for other, child_id in children.items():
        moved = other == seat and played_by == "child"
        books = len(step.state.books[other])
        if moved:
            _count_move(live, step, child_id, seat, action, at)
        elif step.state.over or books != len(live.state.books[other]):
            _count(live, child_id, books=books, over=step.state.over)
    if isinstance(action, Ask) and played_by == "child" and seat in children:
        _remember_ask(live, children[seat], seat, action, at)


# ---- the round in numbers


def _count_move(
    live: Live, step: Step, child_id: int, seat: int, action: Action, at: float
) -> None:
    caught = any(isinstance(event, ev.Gave) and event.taker == seat for event in step.events)
    pause = at - ChildRound.last_at
    _count(
        live,
        child_id,
        asks=ChildRound.asks + isinstance(action, Ask),
        catches=ChildRound.catches + caught,
        books=len(step.state.books[seat]),
        seconds=ChildRound.seconds
        + case((pause > LONGEST_PAUSE, LONGEST_PAUSE), (pause < 0, 0.0), else_=pause),
        last_at=at,
        over=step.state.over,
    )


def _count(live: Live, child_id: int, **values: object) -> None:
    db.session.execute(
        update(ChildRound)
        .where(ChildRound.child_id == child_id, ChildRound.round_id == live.facts.round_id)
        .values(values)
        .execution_options(synchronize_session=False)
    )


def begin(round_id: int, seat: int, child_id: int, at: float) -> None:
    """The child sits down to this round. Call it in the unit that deals it."""
    db.session.execute(
        insert(ChildRound).values(
            child_id=child_id, round_id=round_id, seat=seat, day=clock.day(at), asks=0, catches=0,
            books=0, hints=0, peeks=0, seconds=0.0, last_at=at, over=False,
        )
    )  # fmt: skip


# ---- remembering


def _remember_ask(live: Live, child_id: int, seat: int, ask: Ask, at: float) -> None:
    if not isinstance(ask.target, int):
        return  # an ask to all shows no single fact
    seen = observe(live.state, seat)
    rows = _evidence(live, child_id, seen, ask, at)
    if rows:
        db.session.execute(
            insert(EvidenceRow), [{**_row(row), "child_id": child_id} for row in rows]
        )


def _evidence(
    live: Live, child_id: int, seen: Observation, ask: Ask, at: float
) -> tuple[Evidence, ...]:
    """Certain catches and hopeless asks are judged apart: each by the help that touched it."""
    sure, none = _sure(seen), _hopeless(seen)
    legal = len(plain_asks(seen))
    kinds = [known for known in (sure, none) if 0 < len(known) < legal]
    if not kinds:
        return ()
    hint_step, peeked = _help(live, child_id)
    found: list[Evidence] = []
    for known in kinds:
        found += from_ask(
            ask.target if isinstance(ask.target, int) else -1,
            ask.class_,
            certain=_dated(live, known, seen, at) if known is sure else (),
            hopeless=_dated(live, known, seen, at) if known is none else (),
            legal=legal,
            at=at,
            day=clock.day(at),
            round_id=live.facts.round_id,
            seq=live.seq + 1,
            latency_ms=_latency(live, at),
            board=_board(live, known, seen, peeked),
            hint_step=hint_step,
        )
    return tuple(found)


_Fact = tuple[int, str, int]  # target, class, number of the move that made it known


def _sure(seen: Observation) -> list[_Fact]:
    memory = remember(seen)
    return [(c.target, c.class_, c.since) for c in certain_catches(seen, memory)]


def _hopeless(seen: Observation) -> list[_Fact]:
    memory = remember(seen)
    facts: list[_Fact] = []
    for ask in plain_asks(seen):
        for target in targets(seen, ask):
            if memory.bounds(target, ask.class_)[1] == 0:
                facts.append((target, ask.class_, _since(memory.proof(target, ask.class_, True))))
    return facts


def _since(proof: Sequence[Seen]) -> int:
    return max((seen.seq for seen in proof), default=0)


def _dated(live: Live, facts: list[_Fact], seen: Observation, at: float) -> list[Known]:
    """The facts with their age in asks; a single one with its age in seconds too."""
    asks = [item.seq for item in seen.history if isinstance(item.event, ev.Asked)]
    seconds = _seconds(live, facts[0][2], at) if len(facts) == 1 else None
    return [
        Known(target, class_, 1 + sum(seq > since for seq in asks), seconds)
        for target, class_, since in facts
    ]


def _seconds(live: Live, since: int, at: float) -> float | None:
    then = db.session.scalar(
        select(Move.at).where(Move.round_id == live.facts.round_id, Move.seq == since)
    )
    return None if then is None else max(0.0, at - then)


def _latency(live: Live, at: float) -> int | None:
    """Milliseconds since the turn came, with the showing of what went before."""
    seconds = at - live.fold.last_at
    return round(1000 * seconds) if 0 <= seconds <= LONGEST_THOUGHT else None


def _help(live: Live, child_id: int) -> tuple[int, int]:
    """The highest hint step taken for this move; the number of moves at the last look."""
    round_id, seq = live.facts.round_id, live.seq
    hints = func.max(case(((HelpTaken.kind == "hint") & (HelpTaken.seq == seq), HelpTaken.step)))
    looks = func.max(case((HelpTaken.kind == "board", HelpTaken.seq)))
    row = db.session.execute(
        select(hints, looks).where(HelpTaken.round_id == round_id, HelpTaken.child_id == child_id)
    ).one()
    return row[0] or 0, -1 if row[1] is None else row[1]


def _board(live: Live, facts: list[_Fact], seen: Observation, peeked: int) -> str:
    """What the child could look up: a fact on the line is open to see; one only on the board is,
    if the board was opened after it became known."""
    if not next(p.board for p in live.facts.players if p.seat == seen.viewer):
        return "off"
    asks = [item.seq for item in seen.history if isinstance(item.event, ev.Asked)]
    line = asks[-TAGS:]
    newest = max(since for _, _, since in facts)
    if line and newest >= line[0]:
        return "open"
    return "peek" if peeked >= min(since for _, _, since in facts) else "closed"


def _row(evidence: Evidence) -> dict[str, object]:
    row = asdict(evidence)
    row["options"] = list(evidence.options)
    row["later_answers"] = list(evidence.later_answers)
    return row
