"""What an adult set for one child."""

from __future__ import annotations

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from classroom.database import db


class ChildSettings(db.Model):  # type: ignore[name-defined,misc]
    """How the next round of this child is set up; a running round never changes.

    `opponents` 1 to 3; `level` a key of minds.players.LEVELS; `deck` a key of the game's short
    forms; `board`, `hints` on or off.
    """

    __tablename__ = "child_settings"
    child_id: Mapped[int] = mapped_column(
        ForeignKey("children.id", ondelete="CASCADE"), primary_key=True
    )
    opponents: Mapped[int] = mapped_column(default=2)
    level: Mapped[str] = mapped_column(String(20), default="minnow")
    deck: Mapped[str] = mapped_column(String(20), default="short")
    board: Mapped[bool] = mapped_column(default=True)
    hints: Mapped[bool] = mapped_column(default=True)
    set_by: Mapped[int | None] = mapped_column(ForeignKey("adults.id", ondelete="SET NULL"))
    set_at: Mapped[float]
