"""Groups inside a class, and the plan for its next lesson."""

from __future__ import annotations

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column, relationship

from classroom.database import db


class ChildGroup(db.Model):  # type: ignore[name-defined,misc]
    """A group of a class, such as a reading group."""

    __tablename__ = "child_groups"
    id: Mapped[int] = mapped_column(primary_key=True)
    class_id: Mapped[int] = mapped_column(ForeignKey("classes.id", ondelete="CASCADE"), index=True)
    name: Mapped[str] = mapped_column(String(30))
    created_at: Mapped[float]


class GroupMember(db.Model):  # type: ignore[name-defined,misc]
    """Says that this child is in this group. A child is in one group at most."""

    __tablename__ = "group_members"
    child_id: Mapped[int] = mapped_column(
        ForeignKey("children.id", ondelete="CASCADE"), primary_key=True
    )
    group_id: Mapped[int] = mapped_column(
        ForeignKey("child_groups.id", ondelete="CASCADE"), index=True
    )


class PlannedTable(db.Model):  # type: ignore[name-defined,misc]
    """A table of the plan for the next lesson. `game`: the key of its offer. Questions at it have
    numbers from `number_low` to `number_high`; None: each child's own."""

    __tablename__ = "planned_tables"
    id: Mapped[int] = mapped_column(primary_key=True)
    class_id: Mapped[int] = mapped_column(ForeignKey("classes.id", ondelete="CASCADE"), index=True)
    game: Mapped[str] = mapped_column(String(40))
    number_low: Mapped[int | None]
    number_high: Mapped[int | None]

    seats: Mapped[list[PlannedSeat]] = relationship(
        order_by="PlannedSeat.child_id", cascade="all, delete-orphan", passive_deletes=True
    )


class PlannedSeat(db.Model):  # type: ignore[name-defined,misc]
    """Says that the plan seats this child at this table."""

    __tablename__ = "planned_seats"
    child_id: Mapped[int] = mapped_column(
        ForeignKey("children.id", ondelete="CASCADE"), primary_key=True
    )
    table_id: Mapped[int] = mapped_column(
        ForeignKey("planned_tables.id", ondelete="CASCADE"), index=True
    )
