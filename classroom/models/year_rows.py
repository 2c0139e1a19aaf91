"""A school year that was moved on, or another change of who is in a class, kept for as long as that
can be undone."""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from classroom.database import db


class YearChange(db.Model):  # type: ignore[name-defined,misc]
    """One move of the school's classes into a new year; or one child who left, was removed or was
    merged, or a list of children who were added (`what`, services/school/departures.py). `by`: the
    adult who made it.

    `made`: ids of the classes made for it; `archived`: ids of those archived; `ends`: the
    `ends_day` that each class had before, by its id as text; `given`: what the merged child gave to
    the other one (services/school/merges.py).
    """

    __tablename__ = "year_changes"
    id: Mapped[int] = mapped_column(primary_key=True)
    school_id: Mapped[int] = mapped_column(ForeignKey("schools.id", ondelete="CASCADE"), index=True)
    by: Mapped[int | None] = mapped_column(ForeignKey("adults.id", ondelete="SET NULL"))
    at: Mapped[float]
    made: Mapped[list[int]] = mapped_column(JSON)
    archived: Mapped[list[int]] = mapped_column(JSON)
    ends: Mapped[dict[str, Any]] = mapped_column(JSON)
    what: Mapped[str] = mapped_column(String(8), default="year", server_default="year")
    given: Mapped[dict[str, Any] | None] = mapped_column(JSON)


class YearMove(db.Model):  # type: ignore[name-defined,misc]
    """What one child had before the change: class (none if a list added it), name, face and age
    band.

    `new_card`: whether it needs a new sign-in card, because something on the old one has changed.
    """

    __tablename__ = "year_moves"
    id: Mapped[int] = mapped_column(primary_key=True)
    change_id: Mapped[int] = mapped_column(
        ForeignKey("year_changes.id", ondelete="CASCADE"), index=True
    )
    child_id: Mapped[int] = mapped_column(ForeignKey("children.id", ondelete="CASCADE"), index=True)
    from_class: Mapped[int | None] = mapped_column(ForeignKey("classes.id", ondelete="SET NULL"))
    to_class: Mapped[int | None] = mapped_column(ForeignKey("classes.id", ondelete="SET NULL"))
    name: Mapped[str] = mapped_column(String(30))
    animal: Mapped[str] = mapped_column(String(12))
    pad: Mapped[int]
    age_band: Mapped[str] = mapped_column(String(4))
    new_card: Mapped[bool]
