"""What can be done at a table: look at it, make a move, look at a finished round again."""

from __future__ import annotations

from secrets import SystemRandom
from typing import Final

from sqlalchemy import bindparam, insert, select, update
from sqlalchemy.exc import IntegrityError

from classroom.database import db, run, write_unit
from classroom.engine.actions import Action
from classroom.engine.cards import Card
from classroom.engine.chance import Lots
from classroom.engine.match import Match, after_round
from classroom.engine.observation import TEACHER, WATCHER, Viewer, observe
from classroom.engine.record import action_to_json, chance_to_json
from classroom.engine.round import apply
from classroom.engine.scoring import scores, winners
from classroom.engine.state import State, Step
from classroom.models import Move, Player, Round
from classroom.services.base import clock, notices
from classroom.services.base.errors import EarlierRules, NotFound, NotNow, OutOfDate
from classroom.services.table import aloud, recording, rests, stand_ins, states, surroundings
from classroom.services.table.states import Facts, Live, Sitter
from classroom.services.table.tables import LATEST, NOTHING_AROUND, Around, Seated, Table

__all__ = [
    "TEACHER",
    "WATCHER",
    "Seated",
    "Table",
    "play",
    "replay",
    "seat_of",
    "seq",
    "table",
    "version",
]

EARLIER_RULES: Final = "earlier_rules"  # what such a round was ended by
LONGEST_KEY: Final = 36  # characters; the seat is put before it

_rounds, _players = Round.__table__.c, Player.__table__.c
_APPEND = insert(Move.__table__)
_ADVANCE = update(Round.__table__).where(_rounds.id == bindparam("round"))
_SEAT = (
    select(_players.seat)
    .join(Round.__table__, _rounds.match_id == _players.match_id)
    .where(_rounds.id == bindparam("round"), _players.child_id == bindparam("child"))
)

_chance = Lots(SystemRandom())  # for the few games in which more than the deck is left to chance


# ---- looking


def table(round_id: int, viewer: int | Viewer) -> Table:
    """The table as `viewer` may see it now. Raises NotFound."""
    return _now(states.read(round_id), viewer)


def seq(round_id: int) -> int:
    """How many moves the round has."""
    return version(round_id)[0]


def version(round_id: int) -> tuple[int, int]:
    """Moves and other changes so far: all that is needed to say that nothing is new."""
    return states.numbers(round_id)


def seat_of(round_id: int, child_id: int) -> int | None:
    """Where the child sits in this round; None if it does not."""
    seat: int | None = run(_SEAT, {"round": round_id, "child": child_id}).scalar()
    return seat


def friends_of(round_id: int, child_id: int) -> tuple[Seated, ...]:
    """The others at the child's table."""
    players = states.facts_of(round_id).players
    return tuple(_seated(p, me=False) for p in players if p.child_id != child_id)


def replay(round_id: int, viewer: int | Viewer, seq: int) -> Table:
    """The table as it was after `seq` moves. Only of a round that is over: else NotFound."""
    if not states.read(round_id).state.over:
        raise EarlierRules(round_id) if _has_ended(round_id) else NotFound("round")
    return _table(*states.folded_to(round_id, seq), viewer)


def _has_ended(round_id: int) -> bool:
    return db.session.scalar(select(_rounds.ended_at).where(_rounds.id == round_id)) is not None


def _now(live: Live, viewer: int | Viewer) -> Table:
    """The table with what goes on around it."""
    return _table(live.facts, live.state, viewer, surroundings.of(live, viewer))


def then(round_id: int, seat: int, seq: int) -> Table:
    """The table as this seat saw it after `seq` moves: what was in sight when something was asked.

    Not of a round that goes on: who looks must have made sure of that.
    """
    return _table(*states.folded_to(round_id, seq), seat)


def _table(
    facts: Facts, state: State, viewer: int | Viewer, around: Around = NOTHING_AROUND
) -> Table:
    mine = next((p for p in facts.players if p.seat == viewer), None)
    points, champion = _standing(facts, state)
    seen = observe(state, viewer)
    return Table(
        round_id=facts.round_id,
        match_id=facts.match_id,
        number=facts.number,
        game=facts.game,
        observation=seen,
        players=tuple(_seated(p, me=p is mine, away=p.seat in facts.away) for p in facts.players),
        board=mine.board if mine else "off",
        hints=mine is not None and mine.hints,
        thoughts=tuple(seat for seat in sorted(facts.computers) if seat == state.turn),
        aloud=aloud.heard(facts, seen, state.seq - LATEST),
        points=points,
        champion=champion,
        name=facts.name,
        look=facts.look,
        around=around,
        practice=facts.practice,
        open_hands=_open_hands(facts, state) if facts.practice and mine and mine.child_id else (),
    )


def _open_hands(facts: Facts, state: State) -> tuple[tuple[Card, ...] | None, ...]:
    """In a practice round what the computer players hold lies open; nobody else's does."""
    return tuple(
        observe(state, p.seat).hand if p.seat in facts.computers else None for p in facts.players
    )


def _standing(facts: Facts, state: State) -> tuple[tuple[int, ...], int | None]:
    """The points of a match so far, with those of this round once it is over; who has won it."""
    if facts.rules.match_target is None or not state.over:
        return facts.points, None
    before = Match(facts.rules, facts.dealer, facts.points, facts.number - 1)
    match = after_round(before, scores(state), winners(state))
    return match.totals, match.winners[0] if match.over else None


def _seated(p: Sitter, *, me: bool, away: bool = False) -> Seated:
    return Seated(p.seat, p.name, p.animal, p.pad, p.child_id, p.level, me=me, away=away)


# ---- playing


def play(
    round_id: int, seat: int, action: Action, key: str, seen: int, played_by: str = "child"
) -> Table:
    """Make a move for `seat`, once, whatever happens; the table after it as that seat sees it.

    `key` names the tap: the same key again changes nothing and answers the table as it is now.
    `seen`: how many moves the player was looking at. Raises OutOfDate if it is not the number
    there is, IllegalAction if the rules do not allow the action, NotNow while the table rests (its
    code is one of `rests`), NotFound. `played_by`: as in Move.
    """
    key = f"{seat}:{key}"
    try:
        live = _commit(round_id, seat, action, key, seen, played_by)
    except IntegrityError:  # another process was first: UNIQUE(round, seq) or UNIQUE(round, key)
        db.session.rollback()
        live = states.read(round_id, key)
        if not live.known:
            raise OutOfDate(round_id, live.seq) from None
    if not live.known:
        states.keep(round_id, live.fold)
        notices.table(round_id, live.seq, live.facts.lesson.class_id)
    return _now(live, seat)


def end_earlier(round_id: int) -> None:
    """End a round that cannot go on by the rules of today: it has no winner, and gives no points.
    All that was kept of it stays; the children at it are free for a new one."""
    with write_unit():
        facts = states.facts_of(round_id, lock=True)
        if _has_ended(round_id):
            return
        ended = {"ended_at": clock.now(), "ended_by": EARLIER_RULES, "winners": []}
        run(_ADVANCE, {"round": round_id, **ended, "scores": [0] * len(facts.players)})
    notices.friends(facts.lesson.class_id)


def _commit(round_id: int, seat: int, action: Action, key: str, seen: int, played_by: str) -> Live:
    """One transaction: the move and all that it changes; nothing if the key is known already."""
    with write_unit():
        live = states.read(round_id, key, lock=True)
        if live.known:
            return live
        at = clock.now()
        _may_move(live, seat, seen, played_by, at)
        step = apply(live.state, action, _chance, seat=seat)
        _append(live, step, seat, action, key, played_by, at)
        _advance(live, step, at)
        facts = stand_ins.note(live.facts, seat, played_by, at)
        recording.after_move(live, step, seat, action, played_by, at)
    return Live(facts, states.next_fold(live, step.state, key, at), known=False)


def _may_move(live: Live, seat: int, seen: int, played_by: str, at: float) -> None:
    """Refuse what comes too late, while the table rests, or for a child who is back already."""
    if seen != live.seq:
        raise OutOfDate(live.facts.round_id, live.seq)
    if played_by == stand_ins.STAND_IN:
        if rests.of_table(live) or stand_ins.wait_for(live, seat, at) != 0:
            raise OutOfDate(live.facts.round_id, live.seq)
    elif why := rests.of_seat(live, seat):
        raise NotNow(why)


def _append(
    live: Live, step: Step, seat: int, action: Action, key: str, played_by: str, at: float
) -> None:
    row = {
        "round_id": live.facts.round_id,
        "seq": step.state.seq,
        "seat": seat,
        "action": action_to_json(action),
        "chance": [chance_to_json(outcome) for outcome in step.chance],
        "key": key,
        "played_by": played_by,
        "at": at,
    }
    run(_APPEND, row)


def _advance(live: Live, step: Step, at: float) -> None:
    """Write into the round's row how far it is; with the last move, how it ended."""
    values: dict[str, object] = {"round": live.facts.round_id, "moves": step.state.seq}
    if step.state.over:
        values |= {
            "ended_at": at,
            "ended_by": step.state.ended_by,
            "scores": list(scores(step.state)),
            "winners": list(winners(step.state)),
        }
    run(_ADVANCE, values)
