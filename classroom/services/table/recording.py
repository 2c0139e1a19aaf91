"""Records what a move shows about each child at the table, in the transaction of the move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sqlalchemy import Float, bindparam, case, func, insert, select, update

from classroom.database import run
from classroom.engine import events as ev
from classroom.engine.actions import Action, Ask
from classroom.engine.observation import Observation, observe
from classroom.engine.state import Step
from classroom.learning.evidence import Evidence, Known, from_ask
from classroom.minds import judge
from classroom.minds.judge import Fact, Judgement, lag_asks
from classroom.models import ChildRound, HelpTaken
from classroom.services.base import clock
from classroom.services.table import evidence_log, tables
from classroom.services.table.states import Facts, Live

LONGEST_PAUSE: Final = 60.0  # most seconds between two moves that count as time at the table
LONGEST_THOUGHT: Final = 600.0  # seconds; a longer pause before a move gives no latency
NO_HELP: Final = (0, -1)  # what help_before returns for a child who took no help

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
    """Create the row of a child's counts in this round. Call it in the unit that deals it."""
    row = {
        "child_id": child_id, "round_id": round_id, "seat": seat, "day": clock.day(at), "asks": 0,
        "catches": 0, "books": 0, "hints": 0, "peeks": 0, "seconds": 0.0, "last_at": at,
        "over": False,
    }  # fmt: skip
    run(_BEGIN, row)


def after_move(
    live: Live, step: Step, seat: int, action: Action, played_by: str, at: float
) -> None:
    """Record what this move changes for the children at the table. Call it in the move's unit."""
    for other, child_id in live.facts.learners.items():
        if other == seat and played_by == "child":
            helped = _count_move(live, step, seat, child_id, action, at)
            if isinstance(action, Ask):
                _remembered(live, seat, action, at, helped)
        else:
            _count_around(live, step, other, child_id, own=other == seat)


# ---- counts of the round


def _count_move(
    live: Live, step: Step, seat: int, child_id: int, action: Action, at: float
) -> bool:
    """Count the child's own move; returns whether it has taken any help in this round."""
    caught = any(isinstance(event, ev.Gave) and event.taker == seat for event in step.events)
    row = _so_far(live, step, child_id) | {
        "laid": _laid(live, step, seat),
        "ask": int(isinstance(action, Ask)),
        "caught": int(caught),
        "now": at,
    }
    return bool(run(_MOVED, row).scalar_one())


def _count_around(live: Live, step: Step, seat: int, child_id: int, *, own: bool) -> None:
    """Count what another player's move did for the child. `own`: a stand-in played its seat; the
    books that it laid are not the child's."""
    laid = 0 if own else _laid(live, step, seat)
    if laid or step.state.over:
        run(_COUNTED, _so_far(live, step, child_id) | {"laid": laid})


def _laid(live: Live, step: Step, seat: int) -> int:
    return len(step.state.books[seat]) - len(live.state.books[seat])


def _so_far(live: Live, step: Step, child_id: int) -> dict[str, object]:
    return {"child": child_id, "round": live.facts.round_id, "ended": step.state.over}


# ---- remembering


def _remembered(live: Live, seat: int, ask: Ask, at: float, helped: bool) -> None:
    """Record what this ask shows about the child's memory."""
    if ask.target == "all":  # such an ask shows no single fact
        return
    observation = observe(live.state, seat)
    child_id = live.facts.learners[seat]
    judgement = judge.judge(observation, live.fold.remembered(observation))
    rows = _shown(live, child_id, observation, judgement, ask, at, helped)
    evidence_log.append(child_id, rows)


def _shown(
    live: Live,
    child_id: int,
    observation: Observation,
    judgement: Judgement,
    ask: Ask,
    at: float,
    helped: bool,
) -> list[Evidence]:
    """The evidence in an ask. Certain catches and hopeless asks are judged separately, because help
    may have revealed only one of them."""
    telling = [facts for facts in (judgement.certain, judgement.hopeless) if judgement.tells(facts)]
    if not telling:
        return []
    of = live.facts.round_id, child_id, live.seq
    hint_step, looked = help_before(*of) if helped else NO_HELP
    rows: list[Evidence] = []
    for facts in telling:
        known = _known(live, facts, observation, at)
        rows += from_ask(
            int(ask.target),
            ask.class_,
            certain=known if facts is judgement.certain else [],
            hopeless=known if facts is judgement.hopeless else [],
            legal=judgement.asks,
            at=at,
            day=clock.day(at),
            round_id=live.facts.round_id,
            seq=live.seq + 1,
            latency_ms=_latency(live, at),
            board=board_for(live.facts, observation, [fact.since for fact in facts], looked),
            hint_step=hint_step,
        )
    return rows


def _known(live: Live, facts: Sequence[Fact], observation: Observation, at: float) -> list[Known]:
    """The facts with their age in asks; a single one with its age in seconds too."""
    seconds = _seconds(live, facts[0].since, at) if len(facts) == 1 else None
    return [Known(fact.target, fact.class_, lag_asks(observation, fact), seconds) for fact in facts]


def _seconds(live: Live, since: int, at: float) -> float | None:
    return max(0.0, at - live.fold.times[since]) if since else None


def _latency(live: Live, at: float) -> int | None:
    """Milliseconds since the turn began, including the time taken to show the last moves."""
    seconds = at - live.fold.last_at
    return round(1000 * seconds) if 0 <= seconds <= LONGEST_THOUGHT else None


def help_before(round_id: int, child_id: int, seq: int) -> tuple[int, int]:
    """The highest hint step taken for the move after `seq`, and how many moves the round had when
    the child last looked at the board (-1 if it never did)."""
    these = {"round": round_id, "child": child_id, "seq": seq}
    step, looked = run(_HELP, these).one()
    return step or 0, -1 if looked is None else looked


def board_for(facts: Facts, observation: Observation, since: Sequence[int], looked: int) -> str:
    """Where this viewer could look up facts that became known with the moves `since`."""
    support = next(p.board for p in facts.players if p.seat == observation.viewer)
    minds = tables.minds_heard(facts, observation.viewer)
    return judge.board_for(observation, since, support, looked, minds)
