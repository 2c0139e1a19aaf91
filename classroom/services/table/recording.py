"""Records what a move shows about each child at the table, in the transaction of the move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sqlalchemy import Float, bindparam, case, insert, update

from classroom.database import run
from classroom.engine import events as ev
from classroom.engine.actions import Action, Ask
from classroom.engine.observation import Observation, observe
from classroom.engine.state import Step
from classroom.learning.evidence import Evidence, Known, from_ask
from classroom.minds import judge
from classroom.minds.judge import Judgement, lag_asks
from classroom.models import ChildRound
from classroom.services.base import clock
from classroom.services.table import collection, evidence_log, tellings
from classroom.services.table.states import Live
from classroom.services.table.tellings import LONGEST_THOUGHT

LONGEST_PAUSE: Final = 60.0  # most seconds between a child's moves that count as time at the table

_sums = ChildRound.__table__.c
_THIS = (_sums.child_id == bindparam("child"), _sums.round_id == bindparam("round"))
_PAUSE = bindparam("now", type_=Float) - _sums.last_at
_MOVED = (
    update(ChildRound.__table__)
    .where(*_THIS)
    .values(
        asks=_sums.asks + bindparam("ask"),
        catches=_sums.catches + bindparam("caught"),
        books=_sums.books + bindparam("laid"),
        seconds=_sums.seconds
        + case((_PAUSE > LONGEST_PAUSE, LONGEST_PAUSE), (_PAUSE < 0, 0.0), else_=_PAUSE),
        last_at=bindparam("now", type_=Float),
        over=bindparam("ended"),
    )
)
_COUNTED = (
    update(ChildRound.__table__)
    .where(*_THIS)
    .values(books=_sums.books + bindparam("laid"), over=bindparam("ended"))
)
_BEGIN = insert(ChildRound.__table__)


def begin(round_id: int, seat: int, child_id: int, at: float, at_home: bool) -> None:
    """Create the row of a child's counts in this round. Call it in the unit that deals the
    round."""
    row = {
        "child_id": child_id, "round_id": round_id, "seat": seat, "day": clock.day(at), "asks": 0,
        "catches": 0, "books": 0, "hints": 0, "peeks": 0, "seconds": 0.0, "last_at": at,
        "over": False,
        "at_home": at_home, "made": [],
    }  # fmt: skip
    run(_BEGIN, row)


def after_move(
    live: Live, step: Step, seat: int, action: Action, played_by: str, at: float
) -> None:
    """Record what this move changes for the children at the table. Call it in the move's unit."""
    for other, child_id in live.facts.learners.items():
        if other == seat and played_by == "child":
            _count_move(live, step, seat, child_id, action, at)
            if isinstance(action, Ask):
                _remembered(live, seat, action, at)
        else:
            _count_around(live, step, other, child_id, own=other == seat)


# ---- counts of the round


def _count_move(
    live: Live, step: Step, seat: int, child_id: int, action: Action, at: float
) -> None:
    """Count the child's own move."""
    caught = any(isinstance(event, ev.Gave) and event.taker == seat for event in step.events)
    row = _so_far(live, step, child_id) | {
        "laid": _laid(live, step, seat),
        "ask": int(isinstance(action, Ask)),
        "caught": int(caught),
        "now": at,
    }
    run(_MOVED, row)
    collection.keep(live, step, seat, child_id)


def _count_around(live: Live, step: Step, seat: int, child_id: int, *, own: bool) -> None:
    """Count what another player's move did for the child. `own`: the move was a stand-in's at the
    child's seat, and the books that it laid are not the child's."""
    laid = 0 if own else _laid(live, step, seat)
    if laid or step.state.over:
        run(_COUNTED, _so_far(live, step, child_id) | {"laid": laid})
    if laid:
        collection.keep(live, step, seat, child_id)


def _laid(live: Live, step: Step, seat: int) -> int:
    return len(step.state.books[seat]) - len(live.state.books[seat])


def _so_far(live: Live, step: Step, child_id: int) -> dict[str, object]:
    return {"child": child_id, "round": live.facts.round_id, "ended": step.state.over}


# ---- remembering


def _remembered(live: Live, seat: int, ask: Ask, at: float) -> None:
    """Record what this ask shows about the child's memory."""
    if ask.target == "all":  # an ask to everyone shows no single fact
        return
    observation = observe(live.state, seat)
    judgement = judge.judge(observation, live.fold.remembered(observation))
    if judgement.tells:
        rows = _shown(live, seat, observation, judgement, ask, at)
        evidence_log.write(live.facts.learners[seat], rows, at_home=live.facts.at_home)


def _shown(
    live: Live, seat: int, observation: Observation, judgement: Judgement, ask: Ask, at: float
) -> Sequence[Evidence]:
    """The evidence in this ask about each fact that the child could use for the first time, with
    the door at which it was told again, if any; none about a child about whom nothing may be worked
    out."""
    facts = live.facts
    noted = tellings.noted(facts.round_id, facts.learners[seat], seat, live.fold.times, at)
    new = [f for f in judgement.heard if (f.target, f.class_, f.since) not in noted.met]
    if noted.held or not new:
        return ()
    told = tellings.what_was_told(facts, observation, noted, min(fact.first for fact in new))
    untold = "off" if tellings.support_of(facts, observation) == "off" else "closed"
    known = [
        Known(
            fact.target,
            fact.class_,
            fact.since,
            lag_asks(observation, fact),
            max(0.0, at - live.fold.times[fact.since]),
            door or untold,
        )
        for fact in new
        if (door := told.door(fact.moves, fact.held)) != "away"
    ]
    return from_ask(
        int(ask.target),
        ask.class_,
        facts=known,
        certain=judgement.certain,
        legal=judgement.asks,
        at=at,
        day=clock.day(at),
        round_id=facts.round_id,
        seq=live.seq + 1,
        latency_ms=_latency(live, at),
        hint_step=noted.hint_step(live.seq),
    )


def _latency(live: Live, at: float) -> int | None:
    """Milliseconds since the last move, including the time that the page took to show it; None if
    it is so long that the child must have been away."""
    seconds = at - live.fold.last_at
    return round(1000 * seconds) if 0 <= seconds <= LONGEST_THOUGHT else None
