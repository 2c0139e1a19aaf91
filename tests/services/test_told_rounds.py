"""Nothing that a child's page told counts as remembered, in whole rounds with all kinds of help.

The ledger below does not use the program's own list of what was told. It looks at what the child's
page shows, as a bystander would, and writes down each ask that it sees there again.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random

import pytest

from classroom.database import write_unit
from classroom.engine import observe
from classroom.learning.evidence import Evidence
from classroom.learning.questions import Question
from classroom.learning.recall_questions import BOTH
from classroom.learning.skills import RECALL
from classroom.minds.board import SUPPORTS
from classroom.minds.hints import EVIDENCE
from classroom.models import EvidenceRow
from classroom.services.base import clock
from classroom.services.base.errors import NotNow, OutOfDate
from classroom.services.quiz import posing, question_settings
from classroom.services.table import evidence_log, help, matches, rounds, stand_ins, states
from classroom.web.child.helping import Tag, help_view
from classroom.web.child.table_view import TableView, table_view
from tests.learning.size import many
from tests.playing import Classroom, settings
from tests.randomness import drawn_from

CHUNKS = 2
GAMES = ("classic", "classic", "make_ten", "rank_pairs", "guru")


@dataclass
class Ledger:
    """What was told: (after how many moves, the number of the ask or None, who asked, for what).

    `missed`: the moves that happened while the child was away.
    """

    lines: list[tuple[int, int | None, int, str]] = field(default_factory=list)
    missed: set[int] = field(default_factory=set)

    def note(self, at: int, seat: int, class_: str, seq: int | None = None) -> None:
        self.lines.append((at, seq, seat, class_))

    def told(self, before: int, since: int, target: int, class_: str, lines: int = -1) -> bool:
        """Whether this ask was told after fewer than `before` moves. Only the first `lines` lines
        are read, all if negative."""
        return any(
            at < before and (seq == since or (seat, of) == (target, class_))
            for at, seq, seat, of in self.lines[: lines if lines >= 0 else None]
        )


class Player:
    """A child at its page, which looks at everything and takes help at random."""

    def __init__(self, round_id: int, child_id: int, seat: int, rng: Random) -> None:
        self.round_id, self.child_id, self.seat, self.rng = round_id, child_id, seat, rng
        self.ledger, self.shown, self.now = Ledger(), 0, 1_800_000_000.0
        self.asked: list[tuple[Question, int, frozenset[int]]] = []
        self.away, self.last = False, 0

    # ---- what the page shows

    def look(self) -> TableView:
        table = rounds.table(self.round_id, self.seat)
        page = table_view(table, self.shown)
        for tag in page.line:
            if tag.seq < page.table.seq:  # the line still shows it after the next move
                self._tag(tag, page.table.seq)
        for step in page.steps:
            if step.kind == "thought" and step.asks and step.other is not None:
                self.ledger.note(step.seq - 1, step.other, step.asks.key)
        for seat in page.seats:
            if seat.thought:
                animal, asks = seat.thought
                who = next(one.seat for one in page.seats if one.animal == animal)
                self.ledger.note(page.table.seq, who, asks.key)
        self.shown = page.table.seq
        return page

    def _tag(self, tag: Tag, at: int) -> None:
        self.ledger.note(at, tag.asker, tag.asks.key, tag.seq)

    def open_board(self) -> None:
        with suppress(NotNow):
            help.opened_board(self.round_id, self.seat)
            page = table_view(rounds.table(self.round_id, self.seat), opened=True)
            for row in page.board:
                for turn in row.turns:
                    for sign in turn.signs:
                        if sign.kind in ("asked", "got") and sign.asks:
                            self.ledger.note(page.table.seq, row.seat, sign.asks.key, turn.seq)

    def take_hints(self) -> None:
        for _ in range(self.rng.randint(1, 5)):
            self.now += 5
            with suppress(NotNow):
                hint = help.hint(self.round_id, self.seat)
                table = rounds.table(self.round_id, self.seat)
                shown = help_view(hint, table.observation, table.look)
                for tag in shown.tags:
                    self._tag(tag, table.seq)
                named = hint.step >= EVIDENCE and hint.certain and shown.who is not None
                if named and shown.asks and shown.who is not None:
                    self.ledger.note(table.seq, shown.who, shown.asks.key)

    def question(self) -> None:
        put = posing.put(self.round_id, self.child_id, self.seat, self.shown)
        if put is None or put.tried or put.seq != self.shown:
            return
        question = posing.in_full(self.round_id, self.child_id, put.seq)
        self.asked.append((question, len(self.ledger.lines), frozenset(self.ledger.missed)))
        here = self.round_id, self.child_id, put.seq
        for number in range(self.rng.randint(0, 3)):
            self.now += 5
            put = posing.answer(*here, self.rng.choice(put.offered), f"k{number}")
            if put.found:
                break
        if put.right is not None and question.skill in RECALL:
            self._answered(question, put.seq)
        if not put.found:
            posing.leave(*here)

    def _answered(self, question: Question, at: int) -> None:
        """Note that the right answer was found or shown."""
        stem, right = question.stem, question.answer
        if question.kind == "what_asked":
            self.ledger.note(at, stem.seats[0], right, question.fact_seq)
        elif stem.class_ is not None and right is not None:
            others = [seat for seat in range(4) if seat != self.seat]
            for seat in others if right == BOTH else [right]:
                self.ledger.note(at, seat, stem.class_)


def round_of(room: Classroom, number: int) -> tuple[Player, list[Evidence]]:
    """Play one round with random help and questions. Returns the child and its evidence."""
    rng = Random(f"told {number}")
    mia, game = room.children["Mia"], rng.choice(GAMES)
    board = rng.choice((*SUPPORTS, "peek", "off"))
    settings(mia, board=board, hints=True, deck="small", level=rng.choice(("perch", "pike")))
    sitters = [mia, room.children["Ben"], *[None] * rng.randint(0, 2)]
    rng.shuffle(sitters)
    now = [1_800_000_000.0]
    with drawn_from(rng), clock.clock_at(lambda: now[0]):
        with write_unit():
            round_id = matches.together(room.class_id, game, sitters)
        seat = rounds.seat_of(round_id, mia)
        assert seat is not None
        child = Player(round_id, mia, seat, rng)
        while (turn := states.read(round_id).state.turn) is not None:
            child.look()
            now[0] = child.now = max(child.now, now[0]) + rng.choice((1.0, 4.0, 20.0))
            _act(child, turn, sitters[turn] is not None, now)
        child.look()
        child.question()
    rows = evidence_log.rows_of(EvidenceRow.round_id == round_id, EvidenceRow.child_id == mia)
    return child, [evidence for _, evidence in rows]


def _act(child: Player, turn: int, is_child: bool, now: list[float]) -> None:
    """Make one move. Before it the child may look at things, and sometimes a stand-in moves for
    it."""
    rng, round_id = child.rng, child.round_id
    if rng.random() < 0.08:
        child.open_board()
    if rng.random() < 0.5:
        child.question()
    if turn == child.seat and rng.random() < 0.12:
        child.take_hints()
    now[0] = max(now[0], child.now)
    state = states.read(round_id).state
    seen = observe(state, turn)
    by = "child" if is_child else "computer"
    if turn == child.seat and rng.random() < 0.05:
        now[0] += 500.0
        by = stand_ins.STAND_IN
    with suppress(OutOfDate):
        rounds.play(round_id, turn, rng.choice(seen.legal), f"m{seen.seq}", seen.seq, played_by=by)
        if turn == child.seat:
            _note_absence(child, seen.seq + 1, by)


def _note_absence(child: Player, seq: int, by: str) -> None:
    """Note that a child for whom a stand-in played has missed what happened between its own
    moves."""
    if by == stand_ins.STAND_IN:
        child.away = True
        return
    if child.away:
        child.ledger.missed |= set(range(child.last + 1, seq))
    child.away, child.last = False, seq


@pytest.mark.walk(2)
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_nothing_that_was_told_counts_as_remembered(
    room: Classroom, chunk: int, whole: bool
) -> None:
    telling = question_settings.ALL & {*RECALL, "how_many", "add_books"}  # mostly about memory
    question_settings.write(
        None, "class", room.class_id, question_settings.QuestionChoice("every_turn", telling)
    )
    found: Counter[str] = Counter()
    some = range(60, 80, CHUNKS)  # of these some are told by each door
    for number in range(chunk, many(100, 10_000), CHUNKS) if whole else some:
        child, rows = round_of(room, number)
        _check(child, rows, found)
    for door in ("alone", "asked", "peek", "open", "fading", "question"):
        assert found[door], f"no fact was told by {door}"


def _check(child: Player, rows: list[Evidence], found: Counter[str]) -> None:
    facts = set()
    for row in (row for row in rows if row.source == "play"):
        ((target, class_, _),) = row.item["known"]
        fact = target, class_, row.item["since"]
        assert fact not in facts, "a fact counts once"
        facts.add(fact)
        assert row.seq is not None
        told = child.ledger.told(row.seq, row.item["since"], target, class_)
        assert row.aided or not told, (row, child.ledger.lines)
        assert row.item["since"] not in child.ledger.missed
        found[row.how if row.how == "alone" else row.board] += 1
    for question, lines, missed in child.asked:
        if question.fact_seq is None:
            continue
        assert question.fact_seq not in missed
        for seat, class_ in _asks_of(child, question):
            here = question.seq + 1, question.fact_seq, seat, class_
            assert not child.ledger.told(*here, lines=lines), (question, child.ledger.lines)
        found["asked"] += 1


def _asks_of(child: Player, question: Question) -> list[tuple[int, str]]:
    """The asks that the right answer is about."""
    state = states.read(child.round_id).state
    return [
        (item.event.seat, item.event.class_)  # type: ignore[attr-defined]
        for item in observe(state, child.seat).history
        if item.seq == question.fact_seq and type(item.event).__name__ == "Asked"
    ]
