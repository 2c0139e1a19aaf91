"""What adults set: a parent for one child, a teacher for a class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import JSON, ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from classroom.database import db


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaySettings:
    """How a child plays; the defaults apply until an adult chooses.

    `opponents` 1 to 3; `level` one of services.school.families.LEVELS; `deck` a key of
    games.decks.DECKS; `board` one of minds.board.SUPPORTS; `hints`: whether the child may ask for
    them.
    """

    opponents: int = 2
    level: str = "minnow"
    deck: str = "short"
    board: str = "peek"
    hints: bool = True


_DEFAULT: Final = PlaySettings()


class ChildSettings(db.Model):  # type: ignore[name-defined,misc]
    """A child's settings. PlaySettings apply from its next match, the others at once.

    Questions in play (None: the class's setting): `questions` how often, `question_skills` which
    skills, `number_low` to `number_high` which numbers. `minutes_a_day`: the family's daily time
    limit, or None; if the class has one too, the smaller applies. `set_by`, `set_at`: the adult who
    last chose, and when.
    """

    __tablename__ = "child_settings"
    child_id: Mapped[int] = mapped_column(
        ForeignKey("children.id", ondelete="CASCADE"), primary_key=True
    )
    opponents: Mapped[int] = mapped_column(default=_DEFAULT.opponents)
    level: Mapped[str] = mapped_column(String(20), default=_DEFAULT.level)
    deck: Mapped[str] = mapped_column(String(20), default=_DEFAULT.deck)
    board: Mapped[str] = mapped_column(String(8), default=_DEFAULT.board)
    hints: Mapped[bool] = mapped_column(default=_DEFAULT.hints)
    questions: Mapped[str | None] = mapped_column(String(12))
    question_skills: Mapped[list[Any] | None] = mapped_column(JSON(none_as_null=True))
    number_low: Mapped[int | None]
    number_high: Mapped[int | None]
    minutes_a_day: Mapped[int | None]
    set_by: Mapped[int | None] = mapped_column(ForeignKey("adults.id", ondelete="SET NULL"))
    set_at: Mapped[float]

    @property
    def play(self) -> PlaySettings:
        return PlaySettings(
            opponents=self.opponents,
            level=self.level,
            deck=self.deck,
            board=self.board,
            hints=self.hints,
        )


class ClassSettings(db.Model):  # type: ignore[name-defined,misc]
    """A teacher's settings for a class: its defaults, and the bounds within which families choose.

    `questions`: how often at most, "off" or a key of learning.schedule.PACE. `question_skills`:
    keys of the skills that may be asked about; None: all. `focus`: keys of up to three skills that
    come more often; None: the program chooses. Numbers from `number_low` to `number_high`, within
    the skill's own range at the child's age. `nudge_after`, `stand_in_after`: seconds into a
    child's turn before its device reminds it, and before a stand-in plays. `minutes_a_day`: the
    daily time limit of each child; None: no limit. `standards`: which ones its pages name, a key of
    services.reports.standards.SYSTEMS.
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
    focus: Mapped[list[Any] | None] = mapped_column(JSON(none_as_null=True))
    standards: Mapped[str] = mapped_column(
        String(12), default="common_core", server_default="common_core"
    )
