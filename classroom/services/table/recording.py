"""What a child's move adds to what is known of the child, written in the move's own transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Float, bindparam, case, func, insert, select, update

from classroom.database import run
from classroom.engine import events as ev
from classroom.engine.actions import Action, Ask
from classroom.engine.observation import Observation, Seen, observe
from classroom.engine.state import Step
from classroom.learning.evidence import Evidence, Known, from_ask
from classroom.minds.board import ON_THE_LINE
from classroom.minds.memory.perfect_memory import (
    Memory,
    certain_catches,
    plain_asks,
    remember,
    targets,
)
from classroom.models import ChildRound, HelpTaken
from classroom.services.base import clock
from classroom.services.table import evidence_log, tables
from classroom.services.table.states import Facts, Live

LONGEST_PAUSE: Final = 60.0  # seconds between two moves that still count as time at the table
LONGEST_THOUGHT: Final = 600.0  # seconds; an answer after more than that says nothing of speed
NO_HELP: Final = (0, -1)  # as of help_before

_sums, _helps = ChildRound.__table__.c, HelpTaken.__table__.c
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
    .returning(_sums.hints + _sums.peeks)
)
_COUNTED = (
    update(ChildRound.__table__)
    .where(*_THIS)
    .values(books=_sums.books + bindparam("laid"), over=bindparam("ended"))
)
_BEGIN = insert(ChildRound.__table__)
_HELP = select(
    func.max(
        case(((_helps.kind == "hint") & (_helps.seq == bindparam("seq")), _helps.step), else_=0)
    ),
    func.max(case((_helps.kind == "board", _helps.seq), else_=-1)),
).where(_helps.round_id == bindparam("round"), _helps.child_id == bindparam("child"))


def begin(round_id: int, seat: int, child_id: int, at: float) -> None:
    """The child sits down to this round. Call it in the unit that deals it."""
    row = {
        "child_id": child_id, "round_id": round_id, "seat": seat, "day": clock.day(at), "asks": 0,
        "catches": 0, "books": 0, "hints": 0, "peeks": 0, "seconds": 0.0, "last_at": at,
        "over": False,
    }  # fmt: skip
    run(_BEGIN, row)


def after_move(
    live: Live, step: Step, seat: int, action: Action, played_by: str, at: float
) -> dict[int, Memory]:
    """Write what this move changes for the children at the table. Call it in the move's unit.

    Returns what the seat could know before the move, to be carried on from at its next one.
    """
    helped = None
    for other, child_id in live.facts.learners.items():
        if other == seat and played_by == "child":
            helped = _count_move(live, step, seat, child_id, action, at)
        else:
            _count_around(live, step, other, child_id, own=other == seat)
    if helped is not None and isinstance(action, Ask):
        return _remembered(live, seat, action, at, helped)
    return {}


# ---- the round in numbers


def _count_move(
    live: Live, step: Step, seat: int, child_id: int, action: Action, at: float
) -> bool:
    """Count the child's own move; whether it took any help in this round before."""
    caught = any(isinstance(event, ev.Gave) and event.taker == seat for event in step.events)
    row = _so_far(live, step, child_id) | {
        "laid": _laid(live, step, seat),
        "ask": int(isinstance(action, Ask)),
        "caught": int(caught),
        "now": at,
    }
    return bool(run(_MOVED, row).scalar_one())


def _count_around(live: Live, step: Step, seat: int, child_id: int, *, own: bool) -> None:
    """Count what somebody else's move did for the child; what a stand-in lays is not its own."""
    laid = 0 if own else _laid(live, step, seat)
    if laid or step.state.over:
        run(_COUNTED, _so_far(live, step, child_id) | {"laid": laid})


def _laid(live: Live, step: Step, seat: int) -> int:
    return len(step.state.books[seat]) - len(live.state.books[seat])


def _so_far(live: Live, step: Step, child_id: int) -> dict[str, object]:
    return {"child": child_id, "round": live.facts.round_id, "ended": step.state.over}


# ---- remembering


@dataclass(frozen=True, slots=True)
class Fact:
    """An ask whose outcome could be known, and the number of the move that made it known."""

    target: int
    class_: str
    since: int


def _remembered(live: Live, seat: int, ask: Ask, at: float, helped: bool) -> dict[int, Memory]:
    """Keep what this ask shows of remembering; what the seat could know before it."""
    seen = observe(live.state, seat)
    memory = remember(seen, live.fold.memories.get(seat))
    if isinstance(ask.target, int):  # an ask to all shows no single fact
        child_id = live.facts.learners[seat]
        rows = _shown(live, child_id, seen, memory, ask, at, helped)
        evidence_log.append(child_id, rows)
    return {seat: memory}


def _shown(
    live: Live,
    child_id: int,
    seen: Observation,
    memory: Memory,
    ask: Ask,
    at: float,
    helped: bool,
) -> list[Evidence]:
    """Certain catches and hopeless asks are judged apart: each by the help that touched it."""
    asks = plain_asks(seen)
    sure, none = _sure(seen, memory), _hopeless(seen, memory, asks)
    telling = [facts for facts in (sure, none) if 0 < len(facts) < len(asks)]
    if not telling:
        return []
    of = live.facts.round_id, child_id, live.seq
    hint_step, looked = help_before(*of) if helped else NO_HELP
    rows: list[Evidence] = []
    for facts in telling:
        dated = _dated(live, facts, seen, at)
        rows += from_ask(
            int(ask.target),
            ask.class_,
            certain=dated if facts is sure else [],
            hopeless=dated if facts is none else [],
            legal=len(asks),
            at=at,
            day=clock.day(at),
            round_id=live.facts.round_id,
            seq=live.seq + 1,
            latency_ms=_latency(live, at),
            board=board_for(live.facts, [fact.since for fact in facts], seen, looked),
            hint_step=hint_step,
        )
    return rows


def _sure(seen: Observation, memory: Memory) -> list[Fact]:
    """The asks that cannot miss, the easiest to prove first."""
    return [Fact(c.target, c.class_, c.since) for c in certain_catches(seen, memory)]


def _hopeless(seen: Observation, memory: Memory, asks: Sequence[Ask]) -> list[Fact]:
    """The asks that cannot catch."""
    return [
        Fact(target, ask.class_, _since(memory.proof(target, ask.class_, high=True)))
        for ask in asks
        for target in targets(seen, ask)
        if memory.bounds(target, ask.class_)[1] == 0
    ]


def _since(proof: Sequence[Seen]) -> int:
    return max((seen.seq for seen in proof), default=0)


def _dated(live: Live, facts: list[Fact], seen: Observation, at: float) -> list[Known]:
    """The facts with their age in asks; a single one with its age in seconds too."""
    asks = _asks(seen)
    seconds = _seconds(live, facts[0].since, at) if len(facts) == 1 else None
    return [
        Known(fact.target, fact.class_, 1 + sum(seq > fact.since for seq in asks), seconds)
        for fact in facts
    ]


def _asks(seen: Observation) -> list[int]:
    """The numbers of the moves that were asks."""
    return [item.seq for item in seen.history if isinstance(item.event, ev.Asked)]


def _seconds(live: Live, since: int, at: float) -> float | None:
    return max(0.0, at - live.fold.times[since]) if since else None


def _latency(live: Live, at: float) -> int | None:
    """Milliseconds since the turn came, with the showing of what went before."""
    seconds = at - live.fold.last_at
    return round(1000 * seconds) if 0 <= seconds <= LONGEST_THOUGHT else None


def help_before(round_id: int, child_id: int, seq: int) -> tuple[int, int]:
    """The highest hint step taken for the move after `seq`; the number of moves at the last look
    at the board, -1 for none."""
    these = {"round": round_id, "child": child_id, "seq": seq}
    step, looked = run(_HELP, these).one()
    return step or 0, -1 if looked is None else looked


def board_for(facts: Facts, since: Sequence[int], seen: Observation, looked: int) -> str:
    """What the viewer could look up of facts known since these moves: a fact on the line is there
    to see; one only on the board is, if the board was opened after it became known. Where asks
    fade no board has more than the line. To hear somebody think of it is as good as a look."""
    support = next(p.board for p in facts.players if p.seat == seen.viewer)
    if not since or support == "off":
        return "off"
    shown = ON_THE_LINE[support]
    line = _asks(seen)[-shown:] if shown else []
    if line and max(since) >= line[0]:
        return support
    if _retold(facts, since, seen):
        return "peek"
    return "closed" if support == "fading" or looked < min(since) else "peek"


def _retold(facts: Facts, since: Sequence[int], seen: Observation) -> bool:
    """Whether a computer player has thought aloud, since one of these moves, of what it showed."""
    asked = {
        (item.event.seat, item.event.class_)
        for item in seen.history
        if item.seq in since and isinstance(item.event, ev.Asked)
    }
    told = tables.heard_aloud(facts, seen, min(since))
    return any(one.about in since or (one.asker, one.class_) in asked for one in told)
