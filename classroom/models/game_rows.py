"""Own games: games of the menu that a teacher has changed for a class."""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from classroom.database import db


class OwnGame(db.Model):  # type: ignore[name-defined,misc]
    """A class's own version of a game. `game`: key of the menu's game, whose picture it keeps.

    `rules`: every dimension, by the keys of docs/record.md. `look`: how the numbers of Make Ten are
    drawn. `shown`: whether it is on the class's shelf.
    """

    __tablename__ = "own_games"
    __table_args__ = (UniqueConstraint("class_id", "name"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    class_id: Mapped[int] = mapped_column(ForeignKey("classes.id", ondelete="CASCADE"))
    name: Mapped[str] = mapped_column(String(30))
    game: Mapped[str] = mapped_column(String(40))
    rules: Mapped[dict[str, Any]] = mapped_column(JSON)
    look: Mapped[str] = mapped_column(String(12))
    shown: Mapped[bool] = mapped_column(default=True)
    made_at: Mapped[float]
