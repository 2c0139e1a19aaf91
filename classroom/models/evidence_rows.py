"""What children did, as evidence of practice and skill."""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, String, UniqueConstraint, false, text
from sqlalchemy.orm import Mapped, mapped_column

from classroom.database import db


class EvidenceRow(db.Model):  # type: ignore[name-defined,misc]
    """One answer or one ask in full, so that it can be shown again (`item`, `options`).

    `source`: question or play. `aided`: a hint beyond the first step was taken or, in recall, the
    child had been told the fact again. `lag_asks`, `lag_seconds`: how long ago the fact was heard.
    `day`: number of the local day. `at_home`: shown at home. `counted`: the tallies, windows and
    tracks include it, or leave it out because it is from home. The other columns are written once,
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


class TallyRow(db.Model):  # type: ignore[name-defined,misc]
    """A child's evidence of one day and sort, added up (learning.tallies.Tally).

    Made from evidence rows that are `counted`, so that pages need not read those. `trial`: "" means
    none. `form`: always no; 0.2, which may run beside this version, has it in its key.
    """

    __tablename__ = "tallies"
    __table_args__ = ({"sqlite_with_rowid": False},)  # rows are stored by child, skill, day
    child_id: Mapped[int] = mapped_column(
        ForeignKey("children.id", ondelete="CASCADE"), primary_key=True
    )
    skill: Mapped[str] = mapped_column(String(30), primary_key=True)
    day: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    source: Mapped[str] = mapped_column(String(8), primary_key=True)
    how: Mapped[str] = mapped_column(String(8), primary_key=True)
    form: Mapped[bool] = mapped_column(primary_key=True)
    weak: Mapped[bool] = mapped_column(primary_key=True)
    trial: Mapped[str] = mapped_column(String(3), primary_key=True)
    lag_bin: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    overlap: Mapped[bool] = mapped_column(primary_key=True)
    check: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    n: Mapped[int]
    right: Mapped[int]
    mixed_up: Mapped[int]
    guess_sum: Mapped[float]
    lag_sum: Mapped[int]
    days: Mapped[int]
    sessions: Mapped[int]


class SkillWindow(db.Model):  # type: ignore[name-defined,misc]
    """A child's recent evidence of one skill: the learning.windows.Window of the counted rows.

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
