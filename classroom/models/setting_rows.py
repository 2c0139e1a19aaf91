"""The choices that adults make: the school's, a teacher's (for a class, a group or a child) and a
family's; and what a teacher sets for the lessons of a class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import JSON, ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from classroom.database import db


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaySettings:
    """How a child plays; the defaults apply until an adult chooses.

    `opponents` 1 to 3; `level` one of services.table.choices.LEVELS; `deck` a key of
    games.decks.DECKS; `board` one of minds.board.SUPPORTS; `hints`: whether the child may ask for
    them. `pace`: one of services.table.paces.PACES, or "age" for what suits the child's age.
    `voice`: whether its pages speak by themselves, and not only when the ear is tapped.
    """

    opponents: int = 2
    level: str = "minnow"
    deck: str = "short"
    board: str = "peek"
    hints: bool = True
    pace: str = "age"
    voice: bool = True


class ChoicesRow(db.Model):  # type: ignore[name-defined,misc]
    """What was chosen at one level (`whose`: services.table.in_force.Whose), for the school, class,
    group or child of which the id is set. A choice that is None is left to the other levels
    (services/table/in_force.py).

    How to play is chosen as in PlaySettings. `questions`: how often they come, "off" or a key of
    learning.schedule.PACE; where it is None, nothing is chosen about them here. `question_skills`:
    keys of the skills that may be asked about; None: all. Numbers from `number_low` to
    `number_high`, within the skill's own range at the child's age. `focus`: of a class, keys of up
    to three skills that come more often; None: the program chooses. `minutes_a_day`: of a family,
    its daily time limit, or None; if the class has one too, the smaller applies. `play_by`,
    `play_at`: the adult who last chose how to play or the minutes, and when; `questions_by` and
    `questions_at` likewise.
    """

    __tablename__ = "choices"
    __table_args__ = (UniqueConstraint("child_id", "whose"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    whose: Mapped[str] = mapped_column(String(8))
    school_id: Mapped[int | None] = mapped_column(
        ForeignKey("schools.id", ondelete="CASCADE"), unique=True
    )
    class_id: Mapped[int | None] = mapped_column(
        ForeignKey("classes.id", ondelete="CASCADE"), unique=True
    )
    group_id: Mapped[int | None] = mapped_column(
        ForeignKey("child_groups.id", ondelete="CASCADE"), unique=True
    )
    child_id: Mapped[int | None] = mapped_column(ForeignKey("children.id", ondelete="CASCADE"))
    opponents: Mapped[int | None]
    level: Mapped[str | None] = mapped_column(String(20))
    deck: Mapped[str | None] = mapped_column(String(20))
    board: Mapped[str | None] = mapped_column(String(8))
    hints: Mapped[bool | None]
    pace: Mapped[str | None] = mapped_column(String(8))
    voice: Mapped[bool | None]
    questions: Mapped[str | None] = mapped_column(String(12))
    question_skills: Mapped[list[Any] | None] = mapped_column(JSON(none_as_null=True))
    number_low: Mapped[int | None]
    number_high: Mapped[int | None]
    focus: Mapped[list[Any] | None] = mapped_column(JSON(none_as_null=True))
    minutes_a_day: Mapped[int | None]
    play_by: Mapped[int | None] = mapped_column(ForeignKey("adults.id", ondelete="SET NULL"))
    play_at: Mapped[float | None]
    questions_by: Mapped[int | None] = mapped_column(ForeignKey("adults.id", ondelete="SET NULL"))
    questions_at: Mapped[float | None]


class ClassSettings(db.Model):  # type: ignore[name-defined,misc]
    """What a teacher set for the lessons of a class.

    `nudge_after`, `stand_in_after`: seconds into a child's turn before its device reminds it, and
    before a stand-in plays. `minutes_a_day`: the daily time limit of each child; None: no limit.
    `standards`: which ones its pages name, a key of services.reports.standards.SYSTEMS; None: the
    school's. `talk`: how often the voice asks a child to tell how it knew, one of
    services.table.talk.OFTEN; None: now and then. `set_by`, `set_at`: the adult who last changed
    any of it, and when.
    """

    __tablename__ = "class_settings"
    class_id: Mapped[int] = mapped_column(
        ForeignKey("classes.id", ondelete="CASCADE"), primary_key=True
    )
    nudge_after: Mapped[int] = mapped_column(default=30)
    stand_in_after: Mapped[int] = mapped_column(default=60)
    minutes_a_day: Mapped[int | None]
    set_by: Mapped[int | None] = mapped_column(ForeignKey("adults.id", ondelete="SET NULL"))
    set_at: Mapped[float]
    standards: Mapped[str | None] = mapped_column(String(12))
    talk: Mapped[str | None] = mapped_column(String(8))
