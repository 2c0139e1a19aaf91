"""What children did, as evidence of practice and skill, and the questions that they were asked."""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    JSON,
    ColumnElement,
    ForeignKey,
    Index,
    ScalarSelect,
    String,
    UniqueConstraint,
    false,
    func,
    select,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from classroom.database import db


class EvidenceRow(db.Model):  # type: ignore[name-defined,misc]
    """One answer or one ask in full, so that it can be shown again (`item`, `options`).

    `source`: question or play. `aided`: a hint beyond the first step was taken or, in recall, the
    child had been told the fact again. `lag_asks`, `lag_seconds`: how long ago the fact was heard.
    `day`: number of the local day. `at_home`: shown at home. `counted`: the windows and tracks
    include it, or leave it out because it is from home. The other columns are written once,
    except that later answers are added.
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
    id: Mapped[int] = mapped_column(primary_key=True)
    child_id: Mapped[int] = mapped_column(ForeignKey("children.id", ondelete="CASCADE"))
    round_id: Mapped[int | None] = mapped_column(
        ForeignKey("rounds.id", ondelete="CASCADE"), index=True
    )
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
    """A child's recent evidence of one skill: the learning.estimates.Window of the counted rows.

    With it, a class page reads only one small row for each child and skill.
    """

    __tablename__ = "skill_windows"
    child_id: Mapped[int] = mapped_column(
        ForeignKey("children.id", ondelete="CASCADE"), primary_key=True
    )
    skill: Mapped[str] = mapped_column(String(30), primary_key=True)
    window: Mapped[dict[str, Any]] = mapped_column(JSON)


class Recount(db.Model):  # type: ignore[name-defined,misc]
    """A child whose evidence must be counted from the start, since what counts has changed."""

    __tablename__ = "recounts"
    child_id: Mapped[int] = mapped_column(
        ForeignKey("children.id", ondelete="CASCADE"), primary_key=True
    )


class StrandTrack(db.Model):  # type: ignore[name-defined,misc]
    """What a child's answers say about its level in one strand: learning.tracks.Track of the
    counted rows."""

    __tablename__ = "strand_tracks"
    child_id: Mapped[int] = mapped_column(
        ForeignKey("children.id", ondelete="CASCADE"), primary_key=True
    )
    strand: Mapped[str] = mapped_column(String(10), primary_key=True)
    track: Mapped[dict[str, Any]] = mapped_column(JSON)


class ChildRound(db.Model):  # type: ignore[name-defined,misc]
    """One child's round in numbers, updated with each move, so that class pages need not fold it.

    Only the child's own moves count. `seconds`: time at the table, with long pauses capped. `made`:
    the books that it laid (services.table.collection); None in rows of earlier versions. `at_home`:
    as in Match.
    """

    __tablename__ = "child_rounds"
    __table_args__ = (
        UniqueConstraint("child_id", "round_id"),
        Index("ix_child_rounds_child_day", "child_id", "day"),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    child_id: Mapped[int] = mapped_column(ForeignKey("children.id", ondelete="CASCADE"))
    round_id: Mapped[int] = mapped_column(ForeignKey("rounds.id", ondelete="CASCADE"), index=True)
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


class HelpTaken(db.Model):  # type: ignore[name-defined,misc]
    """A hint step or a look at the board. `seq`: how many moves the round had then.

    `about`: the fact behind the hint (minds.hints.shown_fact), empty if nothing was certain; None
    for a look at the board.
    """

    __tablename__ = "help_taken"
    __table_args__ = (Index("ix_help_taken_round_child_seq", "round_id", "child_id", "seq"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    round_id: Mapped[int] = mapped_column(ForeignKey("rounds.id", ondelete="CASCADE"))
    child_id: Mapped[int] = mapped_column(ForeignKey("children.id", ondelete="CASCADE"), index=True)
    seq: Mapped[int]
    kind: Mapped[str] = mapped_column(String(6))
    step: Mapped[int] = mapped_column(default=0)
    at: Mapped[float]
    about: Mapped[list[Any] | None] = mapped_column(JSON(none_as_null=True))


# ---- Questions asked in play, and what is needed to choose the next one


class QuestionRow(db.Model):  # type: ignore[name-defined,misc]
    """One question put to one child, once: UNIQUE(child, round, seq).

    `item`: learning.questions.Question in full, with the place of the right answer, which does not
    leave the server before the child answers. `seq`: moves in the round when it was made; `turn`:
    the child's turns up to then. `board`: "closed" if a memory question covers the child's board,
    otherwise "off". `hint_step`, `hint_at`: the last step of help, and when. `answers`: places
    tapped, in order; `keys`: those of the taps already counted, so that a double tap is one answer.
    `closed_at`: when it was answered right, or left alone. Its evidence has the same child, round
    and seq.
    """

    __tablename__ = "questions"
    __table_args__ = (
        UniqueConstraint("child_id", "round_id", "seq"),
        Index("ix_questions_child_closed", "child_id", "closed_at"),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    child_id: Mapped[int] = mapped_column(ForeignKey("children.id", ondelete="CASCADE"))
    round_id: Mapped[int] = mapped_column(ForeignKey("rounds.id", ondelete="CASCADE"), index=True)
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
    """A child's learning.history.History, updated with each answer.

    With it the next question can be chosen without reading evidence. Its ratings are never shown.
    """

    __tablename__ = "child_histories"
    child_id: Mapped[int] = mapped_column(
        ForeignKey("children.id", ondelete="CASCADE"), primary_key=True
    )
    history: Mapped[dict[str, Any]] = mapped_column(JSON)


def open_since(
    child_id: ColumnElement[int], round_id: ColumnElement[int]
) -> ScalarSelect[float | None]:
    """Return an SQL expression for the time at which a child's open question in a round was made;
    it is NULL if none is open."""
    asked = QuestionRow.__table__.c
    these = asked.child_id == child_id, asked.round_id == round_id, asked.closed_at.is_(None)
    return select(func.max(asked.made_at)).where(*these).scalar_subquery()
