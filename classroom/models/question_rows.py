"""Questions asked in play, and what is needed to choose the next one."""

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
    func,
    select,
)
from sqlalchemy.orm import Mapped, mapped_column

from classroom.database import db


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
