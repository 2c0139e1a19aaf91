"""Records the evidence in each move and the books that children make, and reads what a child was
told in a round."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Float, Text, bindparam, case, literal, null, select, union_all, update

from classroom.database import AnyRow, db, run
from classroom.engine import events as ev, observe
from classroom.engine.actions import Action, Ask
from classroom.engine.cards import Book, common_traits, deck_of, title_of, value_of
from classroom.engine.observation import Observation
from classroom.engine.rules import Rules
from classroom.engine.state import Step
from classroom.learning.evidence import Evidence, KnownFact, from_ask
from classroom.learning.recall_questions import named_classes
from classroom.learning.skills import RECALL
from classroom.minds.board import AlreadyKnown, Support, Telling, already_known
from classroom.minds.hints import LOOK
from classroom.minds.memory.perfect_memory import Judgement, judge, lag_asks
from classroom.models import (
    ChildRound,
    EvidenceRow,
    HelpTaken,
    Move,
    QuestionRow,
    Restriction,
    Round,
)
from classroom.services.base import clock
from classroom.services.table import evidence_log
from classroom.services.table.states import Facts, Live

# ---- A child's collection: every book that the child has made, in any game
#
# A book is stored under its class (docs/record.md), so that a book of sevens has the same name in
# every game. A book of Make Ten is stored under its two numbers ("3+7"). Books that an earlier
# version only counted appear as "". A book that was dealt complete is left out: no child made it.

UNKNOWN: Final = ""  # a book that an earlier version only counted
_rows = ChildRound.__table__.c
_THIS_CHILD = (_rows.child_id == bindparam("child"), _rows.round_id == bindparam("round"))
_MADE = select(_rows.made).where(*_THIS_CHILD)
_CHANGE = update(ChildRound.__table__).where(*_THIS_CHILD)
_KEEP = _CHANGE.values(made=bindparam("kept"))
_ALL = select(_rows.made, _rows.books).where(_rows.child_id == bindparam("child"), _rows.books > 0)


def name_of_book(rules: Rules, book: Book) -> str:
    """The name under which the book is stored: its class, its numbers or its common traits."""
    if rules.book_kind == "sum":
        return "+".join(map(str, sorted(map(value_of, book))))
    if rules.book_kind == "four":
        return common_traits(book)
    return title_of(deck_of(rules), book) or UNKNOWN


def books_made_by(child_id: int) -> Mapping[str, int]:
    """How many books of each kind the child has made in all rounds."""
    found: Counter[str] = Counter()
    for made, books in run(_ALL, {"child": child_id}):
        names = made or []
        found.update(names)
        found[UNKNOWN] += max(0, books - len(names))
    return +found


# ---- What a child was told in a round, read from the help, the questions and the seat's moves
#
# `already_known` in minds/board.py decides which facts count as told. This module reads the rows.

LONGEST_THOUGHT: Final = 600.0  # seconds; after a longer pause the child counts as away

_helps, _questions = HelpTaken.__table__.c, QuestionRow.__table__.c
_moves, _shown_to = Move.__table__.c, EvidenceRow.__table__.c
_restrictions = Restriction.__table__.c
_NOTED = union_all(
    select(_helps.kind.label("what"), _helps.seq, _helps.step, _helps.about.cast(Text)).where(
        _helps.round_id == bindparam("round"), _helps.child_id == bindparam("child")
    ),
    select(literal("question"), _questions.seq, literal(0), _questions.item.cast(Text)).where(
        _questions.round_id == bindparam("round"), _questions.child_id == bindparam("child")
    ),
    select(_moves.played_by, _moves.seq, literal(0), null().cast(Text)).where(
        _moves.round_id == bindparam("round"), _moves.seat == bindparam("seat")
    ),
    select(literal("fact"), _shown_to.seq, literal(0), _shown_to.item.cast(Text)).where(
        _shown_to.round_id == bindparam("round"),
        _shown_to.child_id == bindparam("child"),
        _shown_to.source == "play",
    ),
    select(literal("restricted"), literal(0), literal(0), null().cast(Text)).where(
        _restrictions.child_id == bindparam("child")
    ),
)


@dataclass(frozen=True, slots=True)
class Noted:
    """What the database says about one child in a round. `tellings`: what the child was told, and
    when it was away. `met`: (target, class, since) of each fact that already has an evidence row.
    `hints`: (move, step) of each step of help. `restricted`: the child must not be assessed."""

    tellings: tuple[Telling, ...]
    met: frozenset[tuple[int, str, int]]
    hints: tuple[tuple[int, int], ...]
    restricted: bool = False

    def hint_step(self, seq: int) -> int:
        """The highest step of help taken for the move after `seq`; 0 if none was taken."""
        return max((step for at, step in self.hints if at == seq), default=0)


def noted_of(round_id: int, child_id: int, seat: int, times: Sequence[float], now: float) -> Noted:
    """Read what the child at this seat was told. `times`: when the deal and each move were made."""
    rows = run(_NOTED, {"round": round_id, "child": child_id, "seat": seat}).all()
    facts = (json.loads(row[3]) for row in rows if row[0] == "fact")
    by = ("child", "stand_in")  # the move that is being made now (seq == len(times)) is left out
    moves = sorted((row[1], row[0]) for row in rows if row[0] in by and row[1] < len(times))
    return Noted(
        (*_told_by(rows), *absences(moves, times, now)),
        frozenset((*item["known"][0][:2], item["since"]) for item in facts if "since" in item),
        tuple((row[1], row[2]) for row in rows if row[0] == "hint"),
        any(row[0] == "restricted" for row in rows),
    )


def what_was_told(
    facts: Facts, observation: Observation, rows: Noted, since: int = 0
) -> AlreadyKnown:
    """What this viewer was told, grouped by door (minds/board.py). `since`: see `already_known`."""
    minds = facts.minds_heard(observation.viewer)
    return already_known(observation, support_of(facts, observation), minds, rows.tellings, since)


def support_of(facts: Facts, observation: Observation) -> Support:
    """How much of the board this viewer may see."""
    return next(p.board for p in facts.players if p.seat == observation.viewer)


def last_round(facts: Facts) -> tuple[tuple[int, str], ...]:
    """The asks (seat, class) of the previous round, which a child may confuse with this round's."""
    moves = select(Move.seat, Move.action).join(Round, Round.id == Move.round_id)
    last = (Round.match_id == facts.match_id) & (Round.number == facts.number - 1)
    rows = db.session.execute(moves.where(last).order_by(Move.seq))
    return tuple((seat, action["class"]) for seat, action in rows if action["type"] == "ask")


def absences(
    own: Iterable[tuple[int, str]], times: Sequence[float], now: float
) -> Iterator[Telling]:
    """Yield the parts of the round during which the child was away. `own`: the seat's moves as
    (number, played_by). The child was away if a stand-in played instead, if the table waited longer
    than LONGEST_THOUGHT for a move, or if the last move is longer ago than LONGEST_THOUGHT. It is
    not known when the child left, so each part lasts from one move of the child to the next."""
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


def _told_by(rows: Iterable[AnyRow]) -> Iterator[Telling]:
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
    """What a step of help told the child: nothing if no fact was certain. A row from an earlier
    version of the program does not say what was told, so it counts as having told everything."""
    if about is None:
        return Telling(door="hint", upto=seq, moves=frozenset(range(1, seq + 1)))
    if not about:
        return Telling(door="hint", upto=seq)
    target, class_, moves = about
    return Telling(
        door="hint", upto=seq, moves=frozenset(moves), asks=frozenset({(target, class_)})
    )


# ---- Recording what each move shows about the children at the table, in the move's transaction

LONGEST_PAUSE: Final = 60.0  # the most seconds between two of a child's moves that count as play

_PAUSE = bindparam("now", type_=Float) - _rows.last_at
_COUNTED = _CHANGE.values(books=_rows.books + bindparam("laid"), over=bindparam("ended"))
_MOVED = _COUNTED.values(
    asks=_rows.asks + bindparam("ask"),
    catches=_rows.catches + bindparam("caught"),
    seconds=_rows.seconds
    + case((_PAUSE > LONGEST_PAUSE, LONGEST_PAUSE), (_PAUSE < 0, 0.0), else_=_PAUSE),
    last_at=bindparam("now", type_=Float),
)
_BEGIN = ChildRound.__table__.insert()


def begin_recording(round_id: int, seat: int, child_id: int, at: float, at_home: bool) -> None:
    """Start counting for a child in this round. Call it in the write unit that deals the round."""
    who = {"child_id": child_id, "round_id": round_id, "seat": seat}
    run(_BEGIN, who | {"day": clock.day(at), "last_at": at, "at_home": at_home, "made": []})


def after_move(
    live: Live, step: Step, seat: int, action: Action, played_by: str, at: float
) -> None:
    """Record what a move shows about the children. Call it in the move's write unit."""
    for other, child_id in live.facts.learners.items():
        this: dict[str, object] = {"child": child_id, "round": live.facts.round_id}
        own = other == seat and played_by == "child"
        laid = step.state.books[other][len(live.state.books[other]) :]
        if other == seat and not own:
            laid = ()  # the books that a stand-in laid here are not the child's
        counts = this | {"laid": len(laid), "ended": step.state.over}
        if own:
            caught = any(isinstance(one, ev.Gave) and one.taker == seat for one in step.events)
            ask = isinstance(action, Ask)
            run(_MOVED, counts | {"ask": int(ask), "caught": int(caught), "now": at})
        elif laid or step.state.over:
            run(_COUNTED, counts)
        if laid:
            made = run(_MADE, this).scalar() or []
            names = [name_of_book(step.state.rules, book) for book in laid]
            run(_KEEP, this | {"kept": [*made, *names]})
        # At a shared tablet a neighbour may have whispered. A child who plays on from a moment has
        # not heard the moves before that moment.
        if own and isinstance(action, Ask) and not (live.facts.shared or live.facts.begun):
            _remembered(live, seat, action, at)


# ---- evidence of memory


def _remembered(live: Live, seat: int, ask: Ask, at: float) -> None:
    """Record what this ask shows about the child's memory."""
    if ask.target == "all":  # only an ask to one player shows what the child remembers
        return
    observation = observe(live.state, seat)
    judgement = judge(observation, live.fold.remembered(observation))
    if judgement.tells:
        rows = _shown(live, seat, observation, judgement, ask, at)
        evidence_log.write(live.facts.learners[seat], rows, at_home=live.facts.at_home)


def _shown(
    live: Live, seat: int, observation: Observation, judgement: Judgement, ask: Ask, at: float
) -> Sequence[Evidence]:
    """The evidence in this ask about each fact that the child could use for the first time, with
    the door at which the child was told the fact again, if any. Returns nothing if the child must
    not be assessed."""
    facts = live.facts
    noted = noted_of(facts.round_id, facts.learners[seat], seat, live.fold.times, at)
    new = [f for f in judgement.heard if (f.target, f.class_, f.since) not in noted.met]
    if noted.restricted or not new:
        return ()
    told = what_was_told(facts, observation, noted, min(fact.first for fact in new))
    untold = "off" if support_of(facts, observation) == "off" else "closed"
    known = [
        KnownFact(
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
    thought = at - live.fold.last_at  # includes the time that the page took to show the last move
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
        latency_ms=round(1000 * thought) if 0 <= thought <= LONGEST_THOUGHT else None,
        hint_step=noted.hint_step(live.seq),
    )
