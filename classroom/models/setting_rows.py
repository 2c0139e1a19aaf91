"""What adults set: a parent for one child, a teacher for a class."""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from classroom.database import db


class ChildSettings(db.Model):  # type: ignore[name-defined,misc]
    """How the next round of this child is set up; a running round never changes.

    `opponents` 1 to 3; `level` one of services.families.LEVELS; `deck` a key of the game's short
    forms; `board` one of minds.board.SUPPORTS; `hints` on or off. Questions in play, None: as the
    class has it, and these change at once: `questions` how often, `question_skills` which, numbers
    from low to high. `minutes_a_day`: how long the child may play; it ends after an ask. None: as
    the class has it.
    """

    __tablename__ = "child_settings"
    child_id: Mapped[int] = mapped_column(
        ForeignKey("children.id", ondelete="CASCADE"), primary_key=True
    )
    opponents: Mapped[int] = mapped_column(default=2)
    level: Mapped[str] = mapped_column(String(20), default="minnow")
    deck: Mapped[str] = mapped_column(String(20), default="short")
    board: Mapped[str] = mapped_column(String(8), default="open")
    hints: Mapped[bool] = mapped_column(default=True)
    questions: Mapped[str | None] = mapped_column(String(12))
    question_skills: Mapped[list[Any] | None] = mapped_column(JSON(none_as_null=True))
    number_low: Mapped[int | None]
    number_high: Mapped[int | None]
    minutes_a_day: Mapped[int | None]
    set_by: Mapped[int | None] = mapped_column(ForeignKey("adults.id", ondelete="SET NULL"))
    set_at: Mapped[float]


class ClassSettings(db.Model):  # type: ignore[name-defined,misc]
    """What a teacher set for a class: the usual, and the bounds within which families choose.

    `questions`: how often at most, off or a key of learning.schedule.PACE. `question_skills`: keys
    of the skills that may be asked about; None: all. Numbers from `number_low` to `number_high`;
    a skill's own range at the child's age holds as well. `nudge_after`, `stand_in_after`: seconds
    on a child's turn until its device says so, and until a computer friend plays. `minutes_a_day`:
    how long each child may play; None: as long as the lesson.
    """

    __tablename__ = "class_settings"
    class_id: Mapped[int] = mapped_column(
        ForeignKey("classes.id", ondelete="CASCADE"), primary_key=True
    )
    questions: Mapped[str] = mapped_column(String(12), default="sometimes")
    question_skills: Mapped[list[Any] | None] = mapped_column(JSON(none_as_null=True))
    number_low: Mapped[int] = mapped_column(default=0)
    number_high: Mapped[int] = mapped_column(default=52)
    nudge_after: Mapped[int] = mapped_column(default=30)
    stand_in_after: Mapped[int] = mapped_column(default=60)
    minutes_a_day: Mapped[int | None]
    set_by: Mapped[int | None] = mapped_column(ForeignKey("adults.id", ondelete="SET NULL"))
    set_at: Mapped[float]
