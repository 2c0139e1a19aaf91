"""Friends who sit together at a table: who, where, and who is ready."""

from __future__ import annotations

from sqlalchemy import ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from classroom.database import db


class Gathering(db.Model):  # type: ignore[name-defined,misc]
    """Friends who fill a table, play, and play again; of this lesson only.

    `game`: what they play; `seats`: how many may sit. `set_by`: the teacher who seated them and
    who starts them; None where they came by themselves. `match_id`: what they play, or played
    last. `since`: when the first was ready for the next round; None while nobody is.
    """

    __tablename__ = "gatherings"
    id: Mapped[int] = mapped_column(primary_key=True)
    class_id: Mapped[int] = mapped_column(ForeignKey("classes.id", ondelete="CASCADE"), index=True)
    game: Mapped[str] = mapped_column(String(40))
    seats: Mapped[int]
    set_by: Mapped[int | None] = mapped_column(ForeignKey("adults.id", ondelete="SET NULL"))
    match_id: Mapped[int | None] = mapped_column(
        ForeignKey("matches.id", ondelete="SET NULL"), unique=True
    )
    since: Mapped[float | None]
    created_at: Mapped[float]

    places: Mapped[list[Place]] = relationship(
        order_by="Place.seat", cascade="all, delete-orphan", passive_deletes=True
    )


class Place(db.Model):  # type: ignore[name-defined,misc]
    """A seat that is taken, by a child or, without one, by a computer friend.

    UNIQUE(gathering, seat): nobody takes a seat twice. UNIQUE(child): nobody sits at two tables.
    """

    __tablename__ = "places"
    __table_args__ = (UniqueConstraint("gathering_id", "seat"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    gathering_id: Mapped[int] = mapped_column(ForeignKey("gatherings.id", ondelete="CASCADE"))
    seat: Mapped[int]
    child_id: Mapped[int | None] = mapped_column(
        ForeignKey("children.id", ondelete="CASCADE"), unique=True
    )
    ready: Mapped[bool] = mapped_column(default=False)
