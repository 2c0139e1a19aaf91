"""Questions during play: when to ask a child, what help to give, and evidence from the answers."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from random import Random
from secrets import SystemRandom
from typing import Any, Literal, cast

from sqlalchemy import bindparam, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from classroom.database import db, hold, write_unit
from classroom.engine import events as ev, observe
from classroom.engine.observation import Observation
from classroom.learning import schedule
from classroom.learning.drafts import Face, Scene, Stem
from classroom.learning.evidence import UNTOLD, from_answer
from classroom.learning.history import History
from classroom.learning.questions import Question
from classroom.learning.recall_questions import Past
from classroom.learning.schedule import BOOK_PACE, NATURAL, NATURAL_PACE, Asking, Frequency
from classroom.learning.skills import RECALL
from classroom.minds.hints import LOOK as LOOK_AT_CARDS
from classroom.models import ChildHistory, EvidenceRow, HelpTaken, Move, Player, QuestionRow, Round
from classroom.services.base import clock, notices, secrets_
from classroom.services.base.errors import NotFound, NotNow, OutOfDate
from classroom.services.quiz import question_settings
from classroom.services.table import evidence_log, recording, stand_ins, states
from classroom.services.table.choices import is_at_home
from classroom.services.table.help import PAUSE
from classroom.services.table.recording import LONGEST_THOUGHT
from classroom.services.table.stand_ins import touched
from classroom.services.table.states import Live

# ---- When a child may get a question, and how other pages learn that a child is thinking

Due = Literal["chosen", "natural", "book"]
"""Where a question comes from: the schedule ("chosen") or the game itself ("natural" or, in a round
against the pond, "book")."""

_rounds, _players = Round.__table__.c, Player.__table__.c
_CHILDREN = (_players.match_id == _rounds.match_id) & _players.child_id.is_not(None)
_CHANGED = (
    update(Round.__table__)
    .where(_rounds.id == bindparam("round"))
    .where(select(func.count()).where(_CHILDREN).scalar_subquery() > 1)
    .values(changes=_rounds.changes + 1)
    .returning(_rounds.id)
)


def own_turns(table: Observation) -> int:
    """How many turns the viewer has begun."""
    passed = [item.event for item in table.history if isinstance(item.event, ev.TurnPassed)]
    first = passed[0].seat if passed else table.turn
    return sum(event.to == table.viewer for event in passed) + (first == table.viewer)


def moment_of(table: Observation) -> schedule.Moment:
    """The kind of moment: the viewer's turn, just after a catch, a wait, or the round's end."""
    if table.over or table.turn != table.viewer:
        return "end" if table.over else "waiting"
    newest = (item.event for item in reversed(table.history) if item.seq == table.seq)
    caught = any(isinstance(event, ev.Gave) and event.taker == table.viewer for event in newest)
    return "caught" if caught else "turn"


def suits(moment: schedule.Moment, table: Observation, *, shared: bool) -> bool:
    """Whether a question may come at this moment at all. No question comes before the first ask in
    the round. At a table with other children, questions come only while others move or after the
    round, so that no one waits for an answer."""
    began = any(isinstance(item.event, ev.Asked) for item in table.history)
    return began and (not shared or moment in ("waiting", "end"))


def is_next_after_book(
    table: Observation, children: Collection[int], before: Sequence[QuestionRow]
) -> bool:
    """Whether a book has just been laid in a round against the pond, the viewer is the next child
    clockwise from the book's owner, and the viewer has had no question since."""
    book = Scene(table).new_book
    if book is None or any(row.seq >= book.seq for row in before):
        return False
    laid = cast(ev.LaidBook, book.event).seat
    after = ((laid + step) % table.seats for step in range(1, table.seats + 1))
    return next((seat for seat in after if seat in children), None) == table.viewer


def due_question(
    moment: schedule.Moment,
    table: Observation,
    wish: Asking,
    before: Sequence[QuestionRow],
    lot: Random,
    *,
    shared: bool,
    book: bool = False,
) -> Due | None:
    """Say which kind of question is due now, if any. `lot` makes the random choices, including
    whether a question comes before the child's move or while others move. It has a new seed in each
    turn and after each catch. `book`: the result of is_next_after_book. A question that the game
    itself asks rules out another question in the same turn, but does not delay questions in later
    turns. Against the pond, the game asks only after a book, and chosen questions leave some turns
    free for that."""
    turn, often = own_turns(table), wish.frequency
    put_off = (row.turn for row in before if row.turn == turn or row.item["kind"] not in NATURAL)
    since = turn - max(put_off, default=0)
    if moment == "end":
        return "chosen" if schedule.is_due(often, max(1, since), lot, moment) else None
    if since < 1:
        return None
    place, natural = lot.choice(("turn", "waiting")), lot.random()
    if book and natural < BOOK_PACE[often]:
        return "book"
    chosen = moment != "caught" and (shared or place == moment)
    against = table.tide is not None
    pace: Frequency = "sometimes" if against and often == "every_turn" else often
    if chosen and schedule.is_due(pace, since, lot, moment):
        return "chosen"
    at_turn = moment == "turn"  # the game itself asks only after the child has moved
    return "natural" if not (at_turn or against) and natural < NATURAL_PACE[often] else None


def count_change(round_id: int) -> bool:
    """At a table with other children, count a change, because their pages show who is thinking
    about a question. If this returns True, call `tell_change` after the commit."""
    return db.session.execute(_CHANGED, {"round": round_id}).first() is not None


def tell_change(round_id: int) -> None:
    """Tell the pages that show this table that a change was counted."""
    live = states.read(round_id)
    notices.table(round_id, live.seq, live.facts.lesson.class_id)


# ---- Putting a question to a child, helping with it, and recording the answer
#
# A page sends the number of moves that it has shown. The question is made from these moves, so it
# does not reveal or ask about anything that was not yet on the screen. Nobody has to wait for the
# question. It changes nothing in the round, and can be left unanswered.

AGAIN, LOOK, COUNT, NARROW, SHOW = range(1, 6)  # the steps of help

_lots = SystemRandom()  # chooses a question and the place of its right answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Put:
    """A question as the child may see it, without the answer. `offered`: the places of the options
    that can still be tapped. `tried`: the places tapped so far, in order. `step`: the latest step
    of help, 0 to 5. `right`: the place of the right option, None until it is found or shown.
    `found`: whether the right option was tapped, which ends the question."""

    round_id: int
    seq: int
    kind: str
    stem: Stem
    face: Face
    options: tuple[Any, ...]
    covers: frozenset[str]
    offered: tuple[int, ...]
    tried: tuple[int, ...]
    step: int
    right: int | None
    found: bool


# ---- put a question


def put(round_id: int, child_id: int, seat: int, seen: int) -> Put | None:
    """The question for this child after `seen` moves: the open question or, if one is due, a new
    question. None if no question is due. In practice rounds, and in rounds begun from a moment, no
    question is ever due. Two simultaneous requests get the same question. Raises NotFound."""
    going_on = open_now(round_id, child_id, seat)
    if going_on is not None:
        return going_on
    wish = question_settings.asking(child_id, at_home=is_at_home(round_id))
    if wish.frequency == "off":
        return None
    live = states.read(round_id)
    if stand_ins.pause_of_seat(live, seat) or seat in live.facts.away:
        return None  # play is paused or the child is away
    facts = live.facts
    state = live.state if live.seq == seen else states.folded_to(round_id, seen)[1]
    table = observe(state, seat)
    mine = select(QuestionRow).filter_by(child_id=child_id, round_id=round_id)
    before = db.session.scalars(mine).all()
    if facts.practice or facts.begun or any(row.seq >= table.seq for row in before):
        return None
    moment, shared = moment_of(table), len(facts.children) > 1
    if not suits(moment, table, shared=shared):
        return None
    # The seed stays the same during a turn, except right after a catch. No child can predict it.
    drawn = secrets_.sign("question", round_id, child_id, own_turns(table), moment == "caught")
    lot = Random(drawn)
    book = is_next_after_book(table, facts.children.keys() - facts.away, before)
    due = due_question(moment, table, wish, before, lot, shared=shared, book=book)
    if due is None:
        return None
    return _put(live, child_id, seat, table, due, wish)


def open_now(round_id: int, child_id: int, seat: int) -> Put | None:
    """The child's last question, unless it is closed or the child's seat has moved since."""
    mine = select(QuestionRow).filter_by(child_id=child_id, round_id=round_id)
    row = db.session.scalars(mine.order_by(QuestionRow.seq.desc()).limit(1)).first()
    if row is None or row.closed_at is not None:
        return None
    moved = select(Move.id).where(Move.round_id == round_id, Move.seq > row.seq, Move.seat == seat)
    return None if db.session.scalar(moved.limit(1)) else _as_put(row)


def found(round_id: int, child_id: int, seq: int) -> Put | None:
    """The question put after `seq` moves, if it was answered right. For pages without scripts."""
    with suppress(NotFound):
        shown = _as_put(_existing(round_id, child_id, seq))
        return shown if shown.found else None
    return None


def in_full(round_id: int, child_id: int, seq: int) -> Question:
    """The question with the right answer, for simulated children and tests. Raises NotFound."""
    return Question.from_json(_existing(round_id, child_id, seq).item)


def _put(
    live: Live, child_id: int, seat: int, table: Observation, due: Due, wish: Asking
) -> Put | None:
    _leave_the_others(child_id)
    facts, times, at = live.facts, live.fold.times, clock.now()
    kept = db.session.get(ChildHistory, child_id)
    history = History.from_json(kept.history if kept else {})
    if due == "chosen":
        noted = recording.noted_of(facts.round_id, child_id, seat, times, at)
        told = recording.what_was_told(facts, table, noted)
        ages = {seq: at - made for seq, made in enumerate(times) if seq}
        past, day = Past(recording.last_round(facts), told, ages), clock.day(at)
        moment = moment_of(table)
        question = schedule.next_question(
            table, history, wish, day, _lots, moment=moment, past=past
        )
    else:
        question = schedule.natural_question(table, history, wish, _lots, after_book=due == "book")
    if question is None:
        return None
    support = recording.support_of(facts, table)
    row = {
        "child_id": child_id, "round_id": facts.round_id, "seq": table.seq,
        "turn": own_turns(table), "item": question.to_json(), "made_at": at,
        "board": "off" if question.skill not in RECALL or support == "off" else "closed",
    }  # fmt: skip
    try:
        with write_unit():
            db.session.execute(insert(QuestionRow), row)
            changed = count_change(facts.round_id)
        if changed:
            tell_change(facts.round_id)
    except IntegrityError:  # another device was first: UNIQUE(child, round, seq)
        db.session.rollback()
    return _as_put(_existing(facts.round_id, child_id, table.seq))


# ---- answers and help


def answer(
    round_id: int, child_id: int, seq: int, place: int, key: str, took: int | None = None
) -> Put:
    """Answer with the option at `place`; returns the question with this answer. A second answer
    with the same `key` changes nothing. `took`: milliseconds from showing the question to the tap,
    as the page measured it. The first answer is written as evidence in the same transaction; later
    answers are added to that row of evidence. Raises NotFound, OutOfDate if the question is closed,
    NotNow("place") for a place that is not offered."""
    with _held(round_id, child_id, seq) as row:
        now = _as_put(row)
        if key in row.keys:
            return now
        if row.closed_at is not None:
            raise OutOfDate(round_id, seq)
        if place not in now.offered:
            raise NotNow("place")
        at = clock.now()
        row.answers, row.keys = [*row.answers, place], [*row.keys, key]
        if len(row.answers) == 1:
            _record(row, at, took)
        else:  # add it to the evidence row, and change nothing else
            this = {"round_id": round_id, "child_id": child_id, "seq": seq, "source": "question"}
            mine = update(EvidenceRow).filter_by(**this).values(later_answers=row.answers[1:])
            db.session.execute(mine.execution_options(synchronize_session=False))
        if place == row.item["right"]:
            row.closed_at = at
        else:
            row.hint_step, row.hint_at = min(SHOW, max(LOOK, row.hint_step + 1)), at
        return _as_put(row)


def hint(round_id: int, child_id: int, seq: int) -> Put:
    """Give one more step of help; two taps within PAUSE count as one. The right answer is shown
    only after the child has tried. Raises NotFound, NotNow("over")."""
    with _held(round_id, child_id, seq) as row:
        if row.closed_at is not None:
            raise NotNow("over")
        at = clock.now()
        if row.hint_at is None or at - row.hint_at >= PAUSE:
            row.hint_step = min(row.hint_step + 1, SHOW if row.answers else NARROW)
            row.hint_at = at
        return _as_put(row)


def leave(round_id: int, child_id: int, seq: int) -> None:
    """Close the question, recording that the child left it unanswered. Raises NotFound."""
    with _held(round_id, child_id, seq) as row:
        if row.closed_at is None:
            _close(row, clock.now())


def _leave_the_others(child_id: int) -> None:
    """Close the questions that the child left open on another device or in another round."""
    still = select(QuestionRow).filter_by(child_id=child_id, closed_at=None)
    if db.session.scalars(still.limit(1)).first() is None:
        return
    with write_unit():
        for row in db.session.scalars(still):
            _close(row, clock.now())


def _close(row: QuestionRow, at: float) -> None:
    if not row.answers:
        _record(row, at, None)
    row.closed_at = at


def _record(row: QuestionRow, at: float, took: int | None) -> None:
    """Record as evidence the first answer, or that none was given; update the child's history. The
    time is as the page measured it, but at most the server's; above LONGEST_THOUGHT, it is None."""
    passed, latency = at - row.made_at, None
    if row.answers and 0 <= passed <= LONGEST_THOUGHT:
        latency = round(1000 * passed) if took is None else min(took, round(1000 * passed))
    shown = from_answer(
        Question.from_json(row.item),
        row.answers,
        at=at,
        day=clock.day(at),
        round_id=row.round_id,
        latency_ms=latency,
        board=_board_until_now(row),
        hint_step=row.hint_step,
    )
    if not evidence_log.append(row.child_id, [shown], at_home=is_at_home(row.round_id)):
        return
    kept = db.session.get(ChildHistory, row.child_id) or ChildHistory(child_id=row.child_id)
    kept.history = History.from_json(kept.history or {}).after(shown).to_json()
    db.session.add(kept)


def _board_until_now(row: QuestionRow) -> str:
    """The state of the board when the question was made; but if the child could have learnt the
    answer since then, "peek" (from the board) or "hint" (from a hint about a move)."""
    if row.board not in UNTOLD or row.item["skill"] not in RECALL:
        return row.board
    told = or_(HelpTaken.kind == "board", HelpTaken.step >= LOOK_AT_CARDS)
    helps = select(HelpTaken.kind).filter_by(round_id=row.round_id, child_id=row.child_id)
    kind = db.session.scalar(helps.where(HelpTaken.at >= row.made_at, told).limit(1))
    return row.board if kind is None else "peek" if kind == "board" else "hint"


# ---- rows


def _as_put(row: QuestionRow) -> Put:
    question = Question.from_json(row.item)
    tried = tuple(row.answers)
    is_found = question.right in tried
    offered = () if is_found else _offered(question, tried, row.hint_step, row.id)
    shown = is_found or row.hint_step >= SHOW or (bool(tried) and len(offered) == 1)
    return Put(
        round_id=row.round_id,
        seq=row.seq,
        kind=question.kind,
        stem=question.stem,
        face=question.face,
        options=question.options,
        covers=question.covers,
        offered=offered,
        tried=tried,
        step=row.hint_step,
        right=question.right if shown else None,
        found=is_found,
    )


def _offered(question: Question, tried: tuple[int, ...], step: int, seed: int) -> tuple[int, ...]:
    """The places that can still be tapped. Later steps of help leave fewer places, unless the
    options are cards to tap."""
    if question.face == "tapped":
        return tuple(range(len(question.options)))
    wrong = [place for place in range(len(question.options)) if place != question.right]
    Random(seed).shuffle(wrong)  # in the same order at each step, so that no option comes back
    if step >= SHOW:
        wrong = []
    elif step >= NARROW:
        wrong = wrong[:1]
    elif step >= COUNT and question.skill in RECALL:  # nothing to count, so drop one option instead
        wrong = wrong[: max(1, len(wrong) - 1)]
    return tuple(sorted({question.right, *wrong} - set(tried)))


@contextmanager
def _held(round_id: int, child_id: int, seq: int) -> Iterator[QuestionRow]:
    """Lock the question until the commit. Afterwards the child counts as present. If the block
    closed the question, the other children's pages stop showing that the child is thinking."""
    changed = False
    with write_unit():
        row = _existing(round_id, child_id, seq, lock=True)
        was_open = row.closed_at is None
        yield row
        if was_open and row.closed_at is not None:
            changed = count_change(round_id)
    touched(round_id, child_id)
    if changed:  # last, because the pages read what `touched` writes
        tell_change(round_id)


def _existing(round_id: int, child_id: int, seq: int, *, lock: bool = False) -> QuestionRow:
    wanted = select(QuestionRow).filter_by(child_id=child_id, round_id=round_id, seq=seq)
    row = db.session.scalars(hold(wanted) if lock else wanted).first()
    if row is None:
        raise NotFound("question")
    return row
