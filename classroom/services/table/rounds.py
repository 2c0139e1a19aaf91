"""A table as one viewer may see it, and what can be done at a table: making a move, ending a round
early, replaying a round. The pages of a table show the values that this module returns."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from secrets import SystemRandom
from typing import Final

from sqlalchemy import ColumnElement, Select, Text, bindparam, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from classroom import measures
from classroom.database import db, hold, run, write_unit
from classroom.engine import apply, events as ev, observe, scores, winners
from classroom.engine.actions import Action, Lots
from classroom.engine.cards import Card
from classroom.engine.observation import WATCHER as WATCHER, Observation, Viewer
from classroom.engine.record import action_to_json, chance_to_json
from classroom.engine.scoring import MatchScore, after_round
from classroom.engine.state import State
from classroom.minds.board import Support
from classroom.minds.playing.forgetting import Thought, thoughts
from classroom.models import Match, Move, Player, Round, SchoolClass
from classroom.models.school_rows import NUDGE_AFTER
from classroom.services.base import clock, notices
from classroom.services.base.errors import EarlierRules, NotFound, NotNow, OutOfDate, guard
from classroom.services.table import choices, recording, stand_ins, states
from classroom.services.table.choices import Often
from classroom.services.table.states import Facts, Live, Sitter

# ---- the table as one viewer may see it: its players, and what is going on around it

LONGEST_WONDER: Final = 90.0  # seconds for which a child counts as thinking about a question
INVITATION: Final = 60.0  # seconds for which an invitation to a shared tablet lasts
LATEST: Final = 12
"""The most moves that a page replays. After a longer absence the page shows only the result."""


@dataclass(frozen=True, slots=True)
class Seated:
    """A player at a seat: a child (`child_id`), a computer player (`level`) or, with neither, a
    child who has been removed. `me`: this player is the viewer. `away`: a stand-in plays for the
    child, or the child has closed the table's page."""

    seat: int
    name: str
    animal: str
    pad: int
    child_id: int | None
    level: str | None
    me: bool
    away: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """What is going on around one child's table. `changes`: the number of changes other than moves.
    `paused`: why the viewer may not move, as a code of services.table.stand_ins, or None. `asleep`:
    a stand-in plays for the viewer. `shared`: other children sit at the table too. `pondering`: the
    seats of other children who are thinking about a question. `hand`: the viewer's hand is up.
    `at_home`: the round is played at home, without a teacher. `called`: another round in which the
    viewer now has a seat. `moment`: the class's open moment, if the viewer has not answered it.
    `invited`: a classmate has invited the viewer to a shared tablet. `nudge_after`: seconds until
    the device reminds the viewer of the turn. `talk`: how often the voice asks how the viewer knew.
    """

    changes: int = 0
    paused: str | None = None
    asleep: bool = False
    shared: bool = False
    pondering: frozenset[int] = frozenset()
    hand: bool = False
    at_home: bool = False
    called: int | None = None
    moment: int | None = None
    invited: bool = False
    nudge_after: int = NUDGE_AFTER
    talk: Often = "never"


NOTHING_AROUND = Around()


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewedTable:
    """A table after one of its moves, as one viewer may see it. `board`: how much of the board of
    asks the viewer may see; `hints`: whether hints are allowed. `pace`: how fast the viewer's
    page shows what happens, one of choices.PACES. `thoughts`: the seat of the computer player whose
    turn it is, if any; `aloud`: what computer players say before their latest and their next asks.
    `points`: each seat's points in a match that is played to a target; `champion`: the seat that
    has won such a match. `practice`: a practice round, in which `open_hands` has the cards of
    the computer players, seat by seat. `begun`: the round begins with the moves of a moment.
    `name`: the name of a class's own game; `look`: how numbers are drawn."""

    round_id: int
    match_id: int
    number: int
    game: str
    observation: Observation
    players: tuple[Seated, ...]
    board: Support
    hints: bool
    pace: str = "usual"
    thoughts: tuple[int, ...]
    points: tuple[int, ...] = ()
    champion: int | None = None
    name: str | None = None
    look: str = "both"
    aloud: tuple[Thought, ...] = ()
    practice: bool = False
    begun: bool = False
    open_hands: tuple[tuple[Card, ...] | None, ...] = ()
    around: Around = NOTHING_AROUND

    @property
    def seq(self) -> int:
        """The number of moves made, which a page sends back as `seen`."""
        return self.observation.seq

    @property
    def over(self) -> bool:
        return self.observation.over

    @property
    def seat(self) -> int | None:
        """The viewer's seat; None for a watcher or the teacher."""
        viewer = self.observation.viewer
        return None if isinstance(viewer, Viewer) else viewer

    def thinks(self, player: Seated) -> bool:
        """Whether this player is choosing a move. Never true for the viewer or a child who is
        away."""
        friend = player.child_id is not None and not (player.me or player.away)
        return player.seat in self.thoughts or (friend and player.seat == self.observation.turn)

    @property
    def my_turn(self) -> bool:
        return self.seat is not None and self.observation.turn == self.seat


# ---- a table in play

EARLIER_RULES: Final = "earlier_rules"  # the `ended_by` of a round that today's rules refuse
LEFT_OFF: Final = "left_off"  # the `ended_by` of a round that was ended before it was finished
LONGEST_KEY: Final = 36  # the most characters that a tap's key can have

_rounds, _players = Round.__table__.c, Player.__table__.c
_matches, _classes = Match.__table__.c, SchoolClass.__table__.c
_THIS = _rounds.id == bindparam("round")
_APPEND = insert(Move.__table__)
_ADVANCE = update(Round.__table__).where(_THIS)
_SEAT = (
    select(_players.seat)
    .join(Round.__table__, _rounds.match_id == _players.match_id)
    .join(Match.__table__, _matches.id == _players.match_id)
    .where(_THIS, _players.child_id == bindparam("child"))
    .where(_matches.at_home == bindparam("home"), _matches.shared.is_(False))
)
_SEATS = select(func.count()).where(_players.match_id == _rounds.match_id, _THIS)
_NUMBERS = (
    select(_rounds.moves, _rounds.changes + _classes.changes)
    .join(Match.__table__, _rounds.match_id == _matches.id)
    .join(SchoolClass.__table__, _matches.class_id == _classes.id)
    .where(_THIS)
)
_CLASS = hold(  # finds a round's class, and locks the round until the commit
    select(_matches.class_id).where(_matches.id == _rounds.match_id, _THIS), of=Round.__table__
)

_chance = Lots(SystemRandom())  # for the few games with random results besides the shuffled deck


# ---- views


def table(round_id: int, viewer: int | Viewer) -> ViewedTable:
    """The table as `viewer` may see it now. Raises NotFound."""
    return _now(states.read(round_id), viewer)


def seen_from(round_id: int, seats: Collection[int]) -> dict[int, ViewedTable]:
    """The table as each seat may see it now, from a single read of the round. Raises NotFound."""
    live = states.read(round_id)
    return {seat: _now(live, seat) for seat in seats}


def seq(round_id: int) -> int:
    """How many moves the round has."""
    return version(round_id)[0]


def version(round_id: int) -> tuple[int, int]:
    """The numbers of moves and of other changes, read without replaying the moves. While both stay
    the same, nothing has changed. Raises NotFound."""
    row = run(_NUMBERS, {"round": round_id}).first()
    if row is None:
        raise NotFound("round")
    return int(row[0]), int(row[1])


def seat_of(round_id: int, child_id: int, *, at_home: bool = False) -> int | None:
    """The child's seat in this round. None if the child has no seat, if `at_home` does not match
    the round, or if the round is at a shared tablet, because only that tablet may show it."""
    who = {"round": round_id, "child": child_id, "home": at_home}
    seat: int | None = run(_SEAT, who).scalar()
    return seat


def friends_of(round_id: int, child_id: int) -> tuple[Seated, ...]:
    """The other players at the child's table."""
    players = states.facts_of(round_id).players
    return tuple(_seated(p, me=False) for p in players if p.child_id != child_id)


def replay(round_id: int, viewer: int | Viewer, seq: int) -> ViewedTable:
    """The table as it was after `seq` moves. Raises NotFound unless the round is over, and
    EarlierRules (or a subclass) if it can no longer be replayed."""
    if not states.read(round_id).state.over:
        raise EarlierRules(round_id) if is_over(round_id) else NotFound("round")
    return _table(*states.folded_to(round_id, seq), viewer)


def is_over(round_id: int) -> bool:
    """Whether the round has ended, even if it was left unfinished or today's rules refuse it."""
    return db.session.scalar(select(_rounds.ended_at).where(_rounds.id == round_id)) is not None


def _now(live: Live, viewer: int | Viewer) -> ViewedTable:
    return _table(live.facts, live.state, viewer, _around(live, viewer))


def _around(live: Live, viewer: int | Viewer) -> Around:
    """What this viewer's page shows besides the table. The pages of watchers and teachers show only
    changes and pauses."""
    facts = live.facts
    public = Around(changes=facts.changes, paused=stand_ins.pause_of_table(live))
    if isinstance(viewer, Viewer) or viewer not in facts.children:
        return public
    me = facts.players[viewer]
    # A child who left a table to play on from a moment is not called back to that table.
    stays = facts.at_home or (facts.begun and (me.called or 0) < facts.round_id)
    return replace(
        public,
        paused=stand_ins.pause_of_seat(live, viewer),
        asleep=viewer in facts.away,
        shared=len(facts.children) > 1,
        pondering=_pondering(live, viewer),
        hand=me.hand_at is not None,
        called=None if stays or me.called == facts.round_id else me.called,
        moment=None if facts.at_home else me.moment,
        invited=not facts.at_home and (me.invited_at or 0.0) > clock.now() - INVITATION,
        at_home=facts.at_home,
        nudge_after=stand_ins.times(facts.lesson)[0],
        talk=choices.known_often(facts.lesson.talk),
    )


def _pondering(live: Live, viewer: int) -> frozenset[int]:
    """The seats of other children who may be thinking: they have an open question that came less
    than LONGEST_WONDER seconds ago, and they have made no ask in the game since."""
    now = clock.now()
    asked = {
        player.seat: player.asked_at
        for player in live.facts.players
        if player.seat != viewer and player.asked_at and now - player.asked_at < LONGEST_WONDER
    }
    if not asked:  # the usual case
        return frozenset()
    moved = {
        item.event.seat
        for item in observe(live.state, viewer).history
        if isinstance(item.event, ev.Asked)
        and live.fold.times[item.seq] > asked.get(item.event.seat, now)
    }
    return frozenset(asked) - moved


def then(round_id: int, seat: int, seq: int) -> ViewedTable:
    """The table as this seat saw it after `seq` moves. It shows the seat's cards, so the caller
    must make sure that the reader may see them."""
    return _table(*states.folded_to(round_id, seq), seat)


def _table(
    facts: Facts, state: State, viewer: int | Viewer, around: Around = NOTHING_AROUND
) -> ViewedTable:
    mine = next((p for p in facts.players if p.seat == viewer), None)
    points, champion = _standing(facts, state)
    observation, minds = observe(state, viewer), facts.minds_heard(viewer)
    players = (_seated(p, me=p is mine, away=p.gone or p.seat in facts.away) for p in facts.players)
    return ViewedTable(
        round_id=facts.round_id,
        match_id=facts.match_id,
        number=facts.number,
        game=facts.game,
        observation=observation,
        players=tuple(players),
        board=mine.board if mine else "off",
        hints=mine is not None and mine.hints,
        pace=mine.pace if mine else "usual",
        thoughts=tuple(seat for seat in sorted(facts.computers) if seat == state.turn),
        aloud=thoughts(observation, minds, state.seq - LATEST) if minds else (),
        points=points,
        champion=champion,
        name=facts.name,
        look=facts.look,
        around=around,
        practice=facts.practice,
        begun=facts.begun,
        open_hands=_open_hands(facts, state) if facts.practice and mine and mine.child_id else (),
    )


def _open_hands(facts: Facts, state: State) -> tuple[tuple[Card, ...] | None, ...]:
    """The computer players' hands, by seat; None for a child. A practice round shows them."""
    return tuple(
        observe(state, p.seat).hand if p.seat in facts.computers else None for p in facts.players
    )


def _standing(facts: Facts, state: State) -> tuple[tuple[int, ...], int | None]:
    """Each seat's points in the match, and the seat that has won it (None: nobody yet). This
    round's points are included once it is over."""
    if facts.rules.match_target is None or not state.over:
        return facts.points, None
    before = MatchScore(facts.rules, facts.dealer, facts.points, facts.number - 1)
    match = after_round(before, scores(state), winners(state))
    return match.totals, match.winners[0] if match.over else None


def _seated(p: Sitter, *, me: bool, away: bool = False) -> Seated:
    return Seated(p.seat, p.name, p.animal, p.pad, p.child_id, p.level, me=me, away=away)


# ---- playing


def play(
    round_id: int, seat: int, action: Action, key: str, seen: int, played_by: str = "child"
) -> ViewedTable:
    """Make a move for `seat`, exactly once; returns the table after the move as that seat sees it.
    `key` names the tap: using the key again changes nothing and returns the table as it is now.
    `seen`: how many moves the player had been shown. `played_by`: as in Move. Raises OutOfDate if
    the round has a different number of moves, IllegalAction if the rules refuse the action, NotNow
    during a pause (with a code of `stand_ins`), NotFound."""
    key = f"{seat}:{key}"
    try:
        live = _commit(round_id, seat, action, key, seen, played_by)
    except IntegrityError:  # another process was first: UNIQUE(round, seq) or UNIQUE(round, key)
        db.session.rollback()
        live = states.read(round_id, key)
        if not live.repeated:
            raise OutOfDate(round_id, live.seq) from None
    if not live.repeated:
        measures.MOVES.labels(played_by).inc()
        states.keep(round_id, live.fold)
        notices.table(round_id, live.seq, live.facts.lesson.class_id)
    return _now(live, seat)


def end_earlier(round_id: int) -> None:
    """End a round that today's rules cannot continue, without a winner or points. Its records stay,
    and its children can begin a new round."""
    with write_unit():
        class_id = db.session.scalar(_CLASS, {"round": round_id})
        if class_id is None or is_over(round_id):
            return
        _end_without_winner(round_id, EARLIER_RULES)
    notices.friends(class_id)


def leave_off(*which: ColumnElement[bool]) -> None:
    """End the open rounds of these players or matches without a winner. Call it in a write unit."""
    open_ones = select(Round.id).distinct().join(Match).join(Player)
    open_ones = open_ones.where(*which, Round.ended_at.is_(None))
    for round_id in db.session.scalars(open_ones.order_by(Round.id)).all():
        _end_without_winner(round_id, LEFT_OFF)


def _end_without_winner(round_id: int, why: str) -> None:
    """End a round without reading its rules, which this version of the program may refuse."""
    ended = {"ended_at": clock.now(), "ended_by": why, "winners": []}
    scores = [0] * (db.session.scalar(_SEATS, {"round": round_id}) or 0)
    run(_ADVANCE, {"round": round_id, **ended, "scores": scores})


def _commit(round_id: int, seat: int, action: Action, key: str, seen: int, played_by: str) -> Live:
    """Write the move and all its effects in one transaction, unless the log already has its key."""
    with write_unit():
        live = states.read(round_id, key, lock=True)
        if live.repeated:
            return live
        at = clock.now()
        _may_move(live, seat, seen, played_by, at)
        step = apply(live.state, action, _chance, seat=seat)
        run(
            _APPEND,
            {
                "round_id": round_id, "seq": step.state.seq, "seat": seat, "key": key,
                "action": action_to_json(action), "chance": list(map(chance_to_json, step.chance)),
                "played_by": played_by, "at": at,
            },
        )  # fmt: skip
        changed: dict[str, object] = {"round": live.facts.round_id, "moves": step.state.seq}
        if step.state.over:
            changed |= {
                "ended_at": at,
                "ended_by": step.state.ended_by,
                "scores": list(scores(step.state)),
                "winners": list(winners(step.state)),
            }
        run(_ADVANCE, changed)
        facts = stand_ins.note(live.facts, seat, played_by, at)
        recording.after_move(live, step, seat, action, played_by, at)
    return Live(facts, live.fold.after(step.state, key, at), repeated=False)


def _may_move(live: Live, seat: int, seen: int, played_by: str, at: float) -> None:
    """Refuse a move that is out of date or made during a pause, and a stand-in's needless move."""
    if seen != live.seq:
        raise OutOfDate(live.facts.round_id, live.seq)
    if played_by == stand_ins.STAND_IN:
        if stand_ins.pause_of_table(live) or stand_ins.wait_for(live, seat, at) != 0:
            raise OutOfDate(live.facts.round_id, live.seq)
    elif why := stand_ins.pause_of_seat(live, seat):
        raise NotNow(why)


# ---- Old rounds: their moves and cards are deleted, but their results are kept
#
# Evidence and each child's results (`child_rounds`) are written with each move, and are kept. Once
# a round is over, its moves are needed only to replay it.

AT_ONCE: Final = 50  # the most rounds in one batch, so that no child has to wait long
_EMPTY: Final = "[]"


def give_up(school_id: int, before: float) -> Iterator[None]:
    """End the unfinished rounds in which nobody has moved since `before`; yields after every
    AT_ONCE rounds. From then on their moves are kept as long as the moves of finished rounds."""
    moved = select(Move.id).where(Move.round_id == Round.id, Move.at >= before).exists()
    left = _of(school_id).where(Round.ended_at.is_(None), Round.started_at < before, ~moved)
    for number, round_id in enumerate(db.session.scalars(left.order_by(Round.id)).all(), 1):
        with guard("give up a round", round_id), write_unit():
            if db.session.scalar(_CLASS, {"round": round_id}) and not is_over(round_id):
                _end_without_winner(round_id, LEFT_OFF)
        if number % AT_ONCE == 0:
            yield


def forget_moves(school_id: int, before: float) -> Iterator[None]:
    """Delete the moves and decks of rounds that ended before `before`; yields as `give_up` does."""
    has_moves = select(Move.id).where(Move.round_id == Round.id).exists()
    old = _of(school_id).where(has_moves | (Round.deck.cast(Text) != _EMPTY))
    found = db.session.scalars(old.where(Round.ended_at < before).order_by(Round.id)).all()
    for start in range(0, len(found), AT_ONCE):
        some = found[start : start + AT_ONCE]
        with guard("forget the moves of rounds from", some[0]), write_unit():
            db.session.execute(delete(Move).where(Move.round_id.in_(some)))
            db.session.execute(update(Round).where(Round.id.in_(some)).values(deck=[]))
        yield


def _of(school_id: int) -> Select[int]:
    return (
        select(Round.id)
        .join(Match, Match.id == Round.match_id)
        .join(SchoolClass, SchoolClass.id == Match.class_id)
        .where(SchoolClass.school_id == school_id)
    )
