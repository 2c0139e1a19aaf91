"""Questions asked in play: each as it was put, and what the choice of the next one goes by."""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from classroom.database import db


class QuestionRow(db.Model):  # type: ignore[name-defined,misc]
    """One question put to one child, once: UNIQUE(child, round, seq).

    `item`: learning.questions.Question in full, with the place of the right answer; it never
    leaves the server before the answer. `seq`: moves at the table when it was made; `turn`: the
    child's own turns until then. `board`: could the answer be looked up when it was made.
    `hint_step`, `hint_at`: the last step of help. `answers`: places tapped, the first one first;
    `keys`: the taps that were counted, so that one tap is one answer. `closed_at`: answered right,
    or left alone. What it showed is the evidence of the same child, round and seq.
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
    """learning.schedule.History of a child, kept with each answer so that no evidence is read to
    choose the next question. It follows from the evidence; ratings in it are shown to nobody."""

    __tablename__ = "child_histories"
    child_id: Mapped[int] = mapped_column(
        ForeignKey("children.id", ondelete="CASCADE"), primary_key=True
    )
    history: Mapped[dict[str, Any]] = mapped_column(JSON)
