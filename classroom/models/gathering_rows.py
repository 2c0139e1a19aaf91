"""Children who sit together at a table: who sits where, and who is ready."""

from __future__ import annotations

from sqlalchemy import ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from classroom.database import db


class Gathering(db.Model):  # type: ignore[name-defined,misc]
    """Children who fill a table, play, and play again, within one lesson.

    `game`: the key of its offer; `seats`: how many the table has. `set_by`: the teacher who seated
    them and starts their first round; None if they came by themselves. `match_id`: their current or
    last match. `since`: when the first of them was ready for the next round; None while none is.
    `until`: for a child who tapped a game on the shelf, until when the table waits for a friend who
    taps it too; None at all other tables.
    Questions have numbers from `number_low` to `number_high`; None: each child's own.
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
    until: Mapped[float | None]
    created_at: Mapped[float]
    number_low: Mapped[int | None]
    number_high: Mapped[int | None]

    places: Mapped[list[Place]] = relationship(
        order_by="Place.seat", cascade="all, delete-orphan", passive_deletes=True
    )


class Place(db.Model):  # type: ignore[name-defined,misc]
    """A seat taken by a child or, if `child_id` is None, by a computer player.

    UNIQUE(gathering, seat): no seat is taken twice. UNIQUE(child): no child sits at two tables.
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
