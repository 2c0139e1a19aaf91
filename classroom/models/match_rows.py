"""Matches, their players, rounds, and the move log: the single source of what was played.

A round is its deck and its moves; everything else about it is folded from them.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, String, UniqueConstraint, false
from sqlalchemy.orm import Mapped, mapped_column, relationship

from classroom.database import db


class Match(db.Model):  # type: ignore[name-defined,misc]
    """One or more rounds of the same players. `rules`: every dimension (docs/record.md).

    `game`: a key of the menu. `own_id`: the class's own game; None for a game of the menu, or once
    it is deleted. `look`: how its numbers are drawn. `practice`: for trying the game out,
    with open hands; nothing in it counts. `at_home`: played at home, outside of the lesson.
    """

    __tablename__ = "matches"
    id: Mapped[int] = mapped_column(primary_key=True)
    class_id: Mapped[int] = mapped_column(ForeignKey("classes.id", ondelete="CASCADE"), index=True)
    game: Mapped[str] = mapped_column(String(40))
    own_id: Mapped[int | None] = mapped_column(ForeignKey("own_games.id", ondelete="SET NULL"))
    rules: Mapped[dict[str, Any]] = mapped_column(JSON)
    look: Mapped[str] = mapped_column(String(12), default="both")
    practice: Mapped[bool] = mapped_column(default=False)
    at_home: Mapped[bool] = mapped_column(default=False, server_default=false())
    created_at: Mapped[float]

    players: Mapped[list[Player]] = relationship(
        order_by="Player.seat", cascade="all, delete-orphan", passive_deletes=True
    )


class Player(db.Model):  # type: ignore[name-defined,misc]
    """A player at a seat: a child (`child_id`) or a computer player (`level`), never both.

    `name`, `animal`, `pad`: the face at the table. `board`, `hints`, `pace`: the child's settings
    when the match began; they do not change during a match. `seed`: decides what a computer
    player forgets. `gone`: the child has closed the page of the table.
    """

    __tablename__ = "players"
    __table_args__ = (
        UniqueConstraint("match_id", "seat"),
        Index("ix_players_child_id", "child_id"),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id", ondelete="CASCADE"))
    seat: Mapped[int]
    child_id: Mapped[int | None] = mapped_column(ForeignKey("children.id", ondelete="SET NULL"))
    level: Mapped[str | None] = mapped_column(String(20))
    name: Mapped[str] = mapped_column(String(30))
    animal: Mapped[str] = mapped_column(String(12))
    pad: Mapped[int]
    board: Mapped[str] = mapped_column(String(8), default="open")
    hints: Mapped[bool] = mapped_column(default=True)
    pace: Mapped[str] = mapped_column(String(8), default="usual", server_default="usual")
    seed: Mapped[int] = mapped_column(default=0)
    gone: Mapped[bool] = mapped_column(default=False, server_default=false())


class Round(db.Model):  # type: ignore[name-defined,misc]
    """One round. `deck`: card codes, top first. `moves`: how many moves so far.

    `ended_by`, `scores`, `winners` are written with the last move, for lists and reports.
    `away`: seats of children for whom a stand-in plays; `returned_at`: when a child last came back
    to its seat, or last did something other than a move on its turn. `changes`: counts what
    happened besides moves, so that pages can tell whether they are up to date.
    """

    __tablename__ = "rounds"
    __table_args__ = (
        UniqueConstraint("match_id", "number"),
        Index("ix_rounds_ended_at", "ended_at"),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id", ondelete="CASCADE"))
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


class Move(db.Model):  # type: ignore[name-defined,misc]
    """One move of the log. UNIQUE(round, seq) lets in only one of two moves made at once;
    UNIQUE(round, key) makes a double tap a single move. `played_by`: child, computer, or stand_in.
    `chance`: random results other than the top card."""

    __tablename__ = "moves"
    __table_args__ = (UniqueConstraint("round_id", "seq"), UniqueConstraint("round_id", "key"))
    id: Mapped[int] = mapped_column(primary_key=True)
    round_id: Mapped[int] = mapped_column(ForeignKey("rounds.id", ondelete="CASCADE"))
    seq: Mapped[int]
    seat: Mapped[int]
    action: Mapped[dict[str, Any]] = mapped_column(JSON)
    chance: Mapped[list[Any]] = mapped_column(JSON)
    key: Mapped[str] = mapped_column(String(40))
    played_by: Mapped[str] = mapped_column(String(10))
    at: Mapped[float]
