"""Database tables of play: matches, rounds, the move log, gatherings, groups, plans, own games,
moments, evidence and questions."""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    JSON,
    ColumnElement,
    Index,
    ScalarSelect,
    String,
    UniqueConstraint,
    false,
    func,
    select,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column, relationship

from classroom.database import db
from classroom.models.school_rows import HasId, refers_to

# ---- Matches, their players, rounds, and the move log
#
# A round is its deck and its moves; everything else about it is computed from them.


class Match(HasId, db.Model):  # type: ignore[name-defined,misc]
    """One or more rounds of the same players. `rules`: every dimension (docs/record.md).

    `game`: a key of the menu. `own_id`: the class's own game; None for a game from the menu or a
    deleted game. `look`: how the numbers in Make Ten are drawn. `practice`: the match is for trying
    the game out, with open hands, and does not count. `at_home`: it is played at home. `shared`:
    all its children play at one tablet, so it is not known which of them answered. `moment`: a
    child plays on from a moment, so the round begins with the moves before the moment.
    """

    __tablename__ = "matches"
    class_id: Mapped[int] = refers_to("classes", index=True)
    game: Mapped[str] = mapped_column(String(40))
    own_id: Mapped[int | None] = refers_to("own_games", "SET NULL")
    rules: Mapped[dict[str, Any]] = mapped_column(JSON)
    look: Mapped[str] = mapped_column(String(12), default="both")
    practice: Mapped[bool] = mapped_column(default=False)
    at_home: Mapped[bool] = mapped_column(default=False, server_default=false())
    shared: Mapped[bool] = mapped_column(default=False, server_default=false())
    moment: Mapped[bool] = mapped_column(default=False, server_default=false())
    created_at: Mapped[float]

    players: Mapped[list[Player]] = relationship(
        order_by="Player.seat", cascade="all, delete-orphan", passive_deletes=True
    )


class Player(HasId, db.Model):  # type: ignore[name-defined,misc]
    """A player at a seat: a child (`child_id`) or a computer player (`level`), but not both.

    `name`, `animal`, `pad`: the face at the table. `board`, `hints`, `pace`: the child's settings
    when the match began; they do not change during a match. `seed`: decides which asks a computer
    player forgets. `gone`: the child has closed the page of the table.
    """

    __tablename__ = "players"
    __table_args__ = (
        UniqueConstraint("match_id", "seat"),
        Index("ix_players_child_id", "child_id"),
    )
    match_id: Mapped[int] = refers_to("matches")
    seat: Mapped[int]
    child_id: Mapped[int | None] = refers_to("children", "SET NULL")
    level: Mapped[str | None] = mapped_column(String(20))
    name: Mapped[str] = mapped_column(String(30))
    animal: Mapped[str] = mapped_column(String(12))
    pad: Mapped[int]
    board: Mapped[str] = mapped_column(String(8), default="open")
    hints: Mapped[bool] = mapped_column(default=True)
    pace: Mapped[str] = mapped_column(String(8), default="usual", server_default="usual")
    seed: Mapped[int] = mapped_column(default=0)
    gone: Mapped[bool] = mapped_column(default=False, server_default=false())


class Round(HasId, db.Model):  # type: ignore[name-defined,misc]
    """One round. `deck`: card codes, top first. `moves`: the number of moves so far.

    `ended_by`, `scores`, `winners` are written with the last move, for lists and reports.
    `away`: seats of children for whom a stand-in plays. `returned_at`: when a child last came back
    to its seat, or last did something other than a move on its turn. `changes`: a counter of
    changes other than moves, from which pages know whether they are up to date.
    """

    __tablename__ = "rounds"
    __table_args__ = (
        UniqueConstraint("match_id", "number"),
        Index("ix_rounds_ended_at", "ended_at"),
    )
    match_id: Mapped[int] = refers_to("matches")
    number: Mapped[int]
    dealer: Mapped[int]
    deck: Mapped[list[str]] = mapped_column(JSON)
    moves: Mapped[int] = mapped_column(default=0)
    away: Mapped[list[int]] = mapped_column(JSON, default=list)
    returned_at: Mapped[float] = mapped_column(default=0.0)
    changes: Mapped[int] = mapped_column(default=0)
    started_at: Mapped[float]
    ended_at: Mapped[float | None]
    ended_by: Mapped[str | None] = mapped_column(String(20))
    scores: Mapped[list[int] | None] = mapped_column(JSON)
    winners: Mapped[list[int] | None] = mapped_column(JSON)

    match: Mapped[Match] = relationship()


class Move(HasId, db.Model):  # type: ignore[name-defined,misc]
    """One move in the log. UNIQUE(round, seq) accepts only one of two simultaneous moves.
    UNIQUE(round, key) stores a double tap as one move. `played_by`: child, computer or stand_in; or
    moment, for the moves copied from a moment, which come before the child's own. `chance`: random
    results other than the top card of the stock."""

    __tablename__ = "moves"
    __table_args__ = (UniqueConstraint("round_id", "seq"), UniqueConstraint("round_id", "key"))
    round_id: Mapped[int] = refers_to("rounds")
    seq: Mapped[int]
    seat: Mapped[int]
    action: Mapped[dict[str, Any]] = mapped_column(JSON)
    chance: Mapped[list[Any]] = mapped_column(JSON)
    key: Mapped[str] = mapped_column(String(40))
    played_by: Mapped[str] = mapped_column(String(10))
    at: Mapped[float]


# ---- Children who share a table: their seats, and whether they are ready


class Gathering(HasId, db.Model):  # type: ignore[name-defined,misc]
    """Children who share a table for several matches in one lesson.

    `game`: the key of an Offer. `seats`: the number of seats. `set_by`: the teacher who seated the
    children and starts their first round; None if they came by themselves. `match_id`: their
    current or last match. `since`: when the first child was ready for the next round; None while no
    child is ready. `until`: if a child tapped a game on the shelf, the time until which the table
    waits for a friend to tap it too; None for all other tables. Questions have numbers from
    `number_low` to `number_high`; None: each child's own range. `shared`: the teacher seats the
    children at one tablet; when they are ready, the table waits until one of them is at a device.
    """

    __tablename__ = "gatherings"
    class_id: Mapped[int] = refers_to("classes", index=True)
    game: Mapped[str] = mapped_column(String(40))
    seats: Mapped[int]
    set_by: Mapped[int | None] = refers_to("adults", "SET NULL")
    match_id: Mapped[int | None] = refers_to("matches", "SET NULL", unique=True)
    since: Mapped[float | None]
    until: Mapped[float | None]
    created_at: Mapped[float]
    number_low: Mapped[int | None]
    number_high: Mapped[int | None]
    shared: Mapped[bool] = mapped_column(default=False, server_default=false())

    places: Mapped[list[Place]] = relationship(
        order_by="Place.seat", cascade="all, delete-orphan", passive_deletes=True
    )

    @property
    def by_teacher(self) -> bool:
        """Whether the table waits for its teacher to start the first round."""
        return self.set_by is not None and self.match_id is None

    @property
    def children(self) -> list[int]:
        """The ids of the children who sit here."""
        return [place.child_id for place in self.places if place.child_id is not None]

    @property
    def free(self) -> list[int]:
        """The free seats, lowest first."""
        return sorted(set(range(self.seats)) - {place.seat for place in self.places})


class Place(HasId, db.Model):  # type: ignore[name-defined,misc]
    """A seat taken by a child or, if `child_id` is None, by a computer player. UNIQUE(gathering,
    seat): no seat is taken twice. UNIQUE(child): no child sits at two tables."""

    __tablename__ = "places"
    __table_args__ = (UniqueConstraint("gathering_id", "seat"),)
    gathering_id: Mapped[int] = refers_to("gatherings")
    seat: Mapped[int]
    child_id: Mapped[int | None] = refers_to("children", unique=True)
    ready: Mapped[bool] = mapped_column(default=False)


# ---- Groups inside a class, and the plan for its next lesson


class ChildGroup(HasId, db.Model):  # type: ignore[name-defined,misc]
    """A group in a class, such as a reading group."""

    __tablename__ = "child_groups"
    class_id: Mapped[int] = refers_to("classes", index=True)
    name: Mapped[str] = mapped_column(String(30))
    created_at: Mapped[float]


class GroupMember(db.Model):  # type: ignore[name-defined,misc]
    """The group that a child is in. A child is in at most one group."""

    __tablename__ = "group_members"
    child_id: Mapped[int] = refers_to("children", primary_key=True)
    group_id: Mapped[int] = refers_to("child_groups", index=True)


class PlannedTable(HasId, db.Model):  # type: ignore[name-defined,misc]
    """A table in the plan for the next lesson. `game`: the key of an Offer. Questions at the table
    have numbers from `number_low` to `number_high`; None: each child's own range. `shared`: its
    children share one tablet."""

    __tablename__ = "planned_tables"
    class_id: Mapped[int] = refers_to("classes", index=True)
    game: Mapped[str] = mapped_column(String(40))
    number_low: Mapped[int | None]
    number_high: Mapped[int | None]
    shared: Mapped[bool] = mapped_column(default=False, server_default=false())

    seats: Mapped[list[PlannedSeat]] = relationship(
        order_by="PlannedSeat.child_id", cascade="all, delete-orphan", passive_deletes=True
    )


class PlannedSeat(db.Model):  # type: ignore[name-defined,misc]
    """The table at which the plan seats a child."""

    __tablename__ = "planned_seats"
    child_id: Mapped[int] = refers_to("children", primary_key=True)
    table_id: Mapped[int] = refers_to("planned_tables", index=True)


class SmallGroup(db.Model):  # type: ignore[name-defined,misc]
    """A teacher's choice of a child for the class's small group, with the strand and the day."""

    __tablename__ = "small_groups"
    child_id: Mapped[int] = refers_to("children", primary_key=True)
    class_id: Mapped[int] = refers_to("classes", index=True)
    strand: Mapped[str] = mapped_column(String(10))
    day: Mapped[int]


# ---- Own games: games from the menu that a teacher has changed for a class


class OwnGame(HasId, db.Model):  # type: ignore[name-defined,misc]
    """A class's own version of a game. `game`: the key of the menu's game that was changed; its
    picture is used. `rules`: every dimension, by the keys of docs/record.md. `look`: how the
    numbers in Make Ten are drawn. `shown`: whether the game is on the class's shelf."""

    __tablename__ = "own_games"
    __table_args__ = (UniqueConstraint("class_id", "name"),)
    class_id: Mapped[int] = refers_to("classes")
    name: Mapped[str] = mapped_column(String(30))
    game: Mapped[str] = mapped_column(String(40))
    rules: Mapped[dict[str, Any]] = mapped_column(JSON)
    look: Mapped[str] = mapped_column(String(12))
    shown: Mapped[bool] = mapped_column(default=True)
    made_at: Mapped[float]


# ---- Moments: positions from rounds that a teacher can deal to every child in a class at once


class Moment(HasId, db.Model):  # type: ignore[name-defined,misc]
    """A round up to just before a seat's ask, kept with a class. It names no child, and it stays
    when the round is deleted.

    `round_id`: the round, while it exists. `header`: the first line of the round's record
    (docs/record.md). `moves`: the action and the chance of each move. `look`: as in Match. `faces`:
    for each seat, the animal and pad of a computer player. `dealt_at`: when the moment was last
    dealt. `shown_at`: when the answers to that deal were shown to the class. `open`: whether
    children can answer now; a class has at most one open moment. `plays_on`: whether each child
    plays on from the moment after answering.
    """

    __tablename__ = "moments"
    class_id: Mapped[int] = refers_to("classes", index=True)
    round_id: Mapped[int | None] = refers_to("rounds", "SET NULL", index=True)
    header: Mapped[dict[str, Any]] = mapped_column(JSON)
    moves: Mapped[list[Any]] = mapped_column(JSON)
    look: Mapped[str] = mapped_column(String(12))
    faces: Mapped[list[Any]] = mapped_column(JSON)
    made_at: Mapped[float]
    dealt_at: Mapped[float | None]
    shown_at: Mapped[float | None]
    open: Mapped[bool] = mapped_column(default=False)
    plays_on: Mapped[bool] = mapped_column(default=False, server_default=false())


class MomentAnswer(db.Model):  # type: ignore[name-defined,misc]
    """The ask with which a child last answered a moment. A child answers each deal once: an answer
    from before the moment's `dealt_at` belongs to an earlier deal."""

    __tablename__ = "moment_answers"
    child_id: Mapped[int] = refers_to("children", primary_key=True)
    moment_id: Mapped[int] = refers_to("moments", primary_key=True, index=True)
    ask: Mapped[dict[str, Any]] = mapped_column(JSON)
    at: Mapped[float]


def waiting_moment(
    child_id: ColumnElement[int], class_id: ColumnElement[int]
) -> ScalarSelect[int | None]:
    """SQL for the id of a class's open moment that a child has not answered; NULL if none."""
    moments, answers = Moment.__table__.c, MomentAnswer.__table__.c
    answered = select(answers.child_id).where(
        answers.moment_id == moments.id,
        answers.child_id == child_id,
        answers.at >= moments.dealt_at,
    )
    these = moments.class_id == class_id, moments.open, ~answered.exists()
    return select(func.max(moments.id)).where(*these).scalar_subquery()


# ---- Evidence of practice and skill


class EvidenceRow(HasId, db.Model):  # type: ignore[name-defined,misc]
    """One answer or one ask in full, so that it can be shown again (`item`, `options`).

    `Evidence` (learning/evidence.py) explains most columns. `counted`: whether the row is
    already in the windows and tracks, or is left out of them because it is from home. The other
    columns are written once, except that later answers are added.
    """

    __tablename__ = "evidence"
    __table_args__ = (
        Index("ix_evidence_child_skill_day", "child_id", "skill", "day"),
        Index(
            "ix_evidence_not_counted", "child_id",
            sqlite_where=text("counted IS 0"), postgresql_where=text("counted IS false"),
        ),
        Index(
            "ix_evidence_at_home", "child_id",
            sqlite_where=text("at_home IS 1"), postgresql_where=text("at_home IS true"),
        ),
    )  # fmt: skip
    child_id: Mapped[int] = refers_to("children")
    round_id: Mapped[int | None] = refers_to("rounds", index=True)
    seq: Mapped[int | None]
    source: Mapped[str] = mapped_column(String(8))
    skill: Mapped[str] = mapped_column(String(30))
    item: Mapped[dict[str, Any]] = mapped_column(JSON)
    options: Mapped[list[Any]] = mapped_column(JSON)
    first_answer: Mapped[Any] = mapped_column(JSON)
    later_answers: Mapped[list[Any]] = mapped_column(JSON)
    right: Mapped[bool]
    latency_ms: Mapped[int | None]
    aided: Mapped[bool]
    board: Mapped[str] = mapped_column(String(8), default="off")
    hint_step: Mapped[int] = mapped_column(default=0)
    lag_asks: Mapped[int | None]
    lag_seconds: Mapped[float | None]
    overlap: Mapped[bool] = mapped_column(default=False)
    lure: Mapped[str | None] = mapped_column(String(15))
    guess_rate: Mapped[float]
    day: Mapped[int]
    at: Mapped[float]
    counted: Mapped[bool] = mapped_column(default=False)
    at_home: Mapped[bool] = mapped_column(default=False, server_default=false())


class SkillWindow(db.Model):  # type: ignore[name-defined,misc]
    """The counts from a child's recent evidence of one skill: a `Window` (learning/estimates.py).
    With it, a class page reads only one small row for each child and skill."""

    __tablename__ = "skill_windows"
    child_id: Mapped[int] = refers_to("children", primary_key=True)
    skill: Mapped[str] = mapped_column(String(30), primary_key=True)
    window: Mapped[dict[str, Any]] = mapped_column(JSON)


class Recount(db.Model):  # type: ignore[name-defined,misc]
    """A child whose evidence must be counted again, because the rows that count have changed."""

    __tablename__ = "recounts"
    child_id: Mapped[int] = refers_to("children", primary_key=True)


class StrandTrack(db.Model):  # type: ignore[name-defined,misc]
    """A child's level in one strand: a `Track` (learning/tracks.py)."""

    __tablename__ = "strand_tracks"
    child_id: Mapped[int] = refers_to("children", primary_key=True)
    strand: Mapped[str] = mapped_column(String(10), primary_key=True)
    track: Mapped[dict[str, Any]] = mapped_column(JSON)


class ChildRound(HasId, db.Model):  # type: ignore[name-defined,misc]
    """Counts about a child in one round, updated with each move, so class pages need no replay.

    Only the child's own moves count. `seconds`: time at the table, with long pauses capped. `made`:
    the books that the child laid (services.table.recording); None in rows from earlier versions.
    `at_home`: as in Match.
    """

    __tablename__ = "child_rounds"
    __table_args__ = (
        UniqueConstraint("child_id", "round_id"),
        Index("ix_child_rounds_child_day", "child_id", "day"),
    )
    child_id: Mapped[int] = refers_to("children")
    round_id: Mapped[int] = refers_to("rounds", index=True)
    seat: Mapped[int]
    day: Mapped[int]
    asks: Mapped[int] = mapped_column(default=0)
    catches: Mapped[int] = mapped_column(default=0)
    books: Mapped[int] = mapped_column(default=0)
    hints: Mapped[int] = mapped_column(default=0)
    peeks: Mapped[int] = mapped_column(default=0)
    seconds: Mapped[float] = mapped_column(default=0.0)
    last_at: Mapped[float]
    over: Mapped[bool] = mapped_column(default=False)
    at_home: Mapped[bool] = mapped_column(default=False, server_default=false())
    made: Mapped[list[Any] | None] = mapped_column(JSON(none_as_null=True))


class HelpTaken(HasId, db.Model):  # type: ignore[name-defined,misc]
    """A hint step or a look at the board. `seq`: how many moves had been made by then. `about`: the
    fact behind the hint (minds.hints.shown_fact), empty if nothing was certain; None for a look at
    the board."""

    __tablename__ = "help_taken"
    __table_args__ = (Index("ix_help_taken_round_child_seq", "round_id", "child_id", "seq"),)
    round_id: Mapped[int] = refers_to("rounds")
    child_id: Mapped[int] = refers_to("children", index=True)
    seq: Mapped[int]
    kind: Mapped[str] = mapped_column(String(6))
    step: Mapped[int] = mapped_column(default=0)
    at: Mapped[float]
    about: Mapped[list[Any] | None] = mapped_column(JSON(none_as_null=True))


# ---- Questions asked in play, and the history from which the next question is chosen


class QuestionRow(HasId, db.Model):  # type: ignore[name-defined,misc]
    """One question to one child. UNIQUE(child, round, seq): at most one after each move.

    `item`: the full learning.questions.Question. Its index of the right answer is not sent to the
    browser before the child answers. `seq`: the number of moves in the round when the question was
    made. `turn`: the number of the child's turns so far. `board`: "closed" if a memory question
    covers the child's board, otherwise "off". `hint_step`, `hint_at`: the last step of help, and
    its time. `answers`: the indexes of the tapped options, in order. `keys`: the keys of the taps
    already counted, so that a double tap is one answer. `closed_at`: when the question was answered
    correctly or left without an answer. The question's evidence has the same child, round and seq.
    """

    __tablename__ = "questions"
    __table_args__ = (
        UniqueConstraint("child_id", "round_id", "seq"),
        Index("ix_questions_child_closed", "child_id", "closed_at"),
    )
    child_id: Mapped[int] = refers_to("children")
    round_id: Mapped[int] = refers_to("rounds", index=True)
    seq: Mapped[int]
    turn: Mapped[int]
    item: Mapped[dict[str, Any]] = mapped_column(JSON)
    made_at: Mapped[float]
    board: Mapped[str] = mapped_column(String(8))
    hint_step: Mapped[int] = mapped_column(default=0)
    hint_at: Mapped[float | None]
    answers: Mapped[list[int]] = mapped_column(JSON, default=list)
    keys: Mapped[list[str]] = mapped_column(JSON, default=list)
    closed_at: Mapped[float | None]


class ChildHistory(db.Model):  # type: ignore[name-defined,misc]
    """A child's learning.history.History, updated with each answer, so that the next question can
    be chosen without reading evidence. No page shows its ratings."""

    __tablename__ = "child_histories"
    child_id: Mapped[int] = refers_to("children", primary_key=True)
    history: Mapped[dict[str, Any]] = mapped_column(JSON)


def open_since(
    child_id: ColumnElement[int], round_id: ColumnElement[int]
) -> ScalarSelect[float | None]:
    """SQL for the time at which a child's open question in a round was made; NULL if none."""
    asked = QuestionRow.__table__.c
    these = asked.child_id == child_id, asked.round_id == round_id, asked.closed_at.is_(None)
    return select(func.max(asked.made_at)).where(*these).scalar_subquery()
