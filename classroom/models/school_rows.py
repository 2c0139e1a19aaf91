"""A school, its classes, and its signed-in browsers. All times are POSIX seconds (UTC)."""

from __future__ import annotations

from sqlalchemy import JSON, ForeignKey, Index, String, UniqueConstraint, false
from sqlalchemy.orm import Mapped, mapped_column, relationship

from classroom.database import db


class School(db.Model):  # type: ignore[name-defined,misc]
    """A school.

    `time_zone`: an IANA name; None: the zone of the server's computer. `dates`: a key of
    services.base.places.DATES. `words`: a language of services.base.places.WORDS. `standards`: the
    ones for classes that have not chosen. `paper`: a key of services.base.places.PAPERS.
    `year_end`: month and day on which its school year ends, as "07-31". `keep_...`: how many days
    something is kept (privacy.PERIODS).
    """

    __tablename__ = "schools"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(80))
    created_at: Mapped[float]
    time_zone: Mapped[str | None] = mapped_column(String(64))
    dates: Mapped[str] = mapped_column(String(12), default="day_first", server_default="day_first")
    words: Mapped[str] = mapped_column(String(12), default="en_GB", server_default="en_GB")
    standards: Mapped[str] = mapped_column(
        String(12), default="common_core", server_default="common_core"
    )
    paper: Mapped[str] = mapped_column(String(8), default="a4", server_default="a4")
    year_end: Mapped[str] = mapped_column(String(5), default="07-31", server_default="07-31")
    keep_moves: Mapped[int] = mapped_column(default=90, server_default="90")
    keep_archived: Mapped[int] = mapped_column(default=60, server_default="60")
    keep_audit: Mapped[int] = mapped_column(default=365, server_default="365")
    keep_copies: Mapped[int] = mapped_column(default=35, server_default="35")


class Installation(db.Model):  # type: ignore[name-defined,misc]
    """The files that belong to this database: row 1 is the key, and row 2 the list of what must not
    come back with a backup, since it was begun.

    `key_print`: a fingerprint of the key that its pictures and codes follow from.
    """

    __tablename__ = "installations"
    id: Mapped[int] = mapped_column(primary_key=True)
    key_print: Mapped[str] = mapped_column(String(64))


class SchoolClass(db.Model):  # type: ignore[name-defined,misc]
    """A class of children. `opened_until`: sign-in is open until then; None or past: closed.

    `shelf`: keys of the menu's games on the shelf; None: the default ones. `paused_at`: when all
    tables were paused ("eyes on me"). `ending_at`: when the teacher ended the lesson; asks and
    children's turns that had begun by then are still finished. `resumed_at`: when play last went on
    after a pause; turns are timed from then at the earliest. `changes`: counts what happened to all
    tables at once, so that pages can tell whether they are up to date. `code_kept`: the code stays
    the same each time the class opens; otherwise it is new each time. `code_made_at`: when a code
    that is kept was made. `ends_day`: the local day after which the class is archived; None: not
    set yet. `archived_at`: when it was archived; nobody can play in it or change it since.
    `sourced_id`: the id of the class in the school's own system, if a list gave one. `home_on`:
    children may play at home, from `home_from` to `home_until` (minutes of the local day).
    `home_weekend`: one of services.table.home.WEEKENDS; the two after it: the hours of "other".
    `home_counts`: what they do at home counts in the class's numbers.
    """

    __tablename__ = "classes"
    id: Mapped[int] = mapped_column(primary_key=True)
    school_id: Mapped[int] = mapped_column(ForeignKey("schools.id", ondelete="CASCADE"), index=True)
    name: Mapped[str] = mapped_column(String(60))
    code: Mapped[str] = mapped_column(String(12), unique=True)
    opened_until: Mapped[float | None]
    shelf: Mapped[list[str] | None] = mapped_column(JSON)
    paused_at: Mapped[float | None]
    ending_at: Mapped[float | None]
    resumed_at: Mapped[float] = mapped_column(default=0.0)
    changes: Mapped[int] = mapped_column(default=0)
    created_at: Mapped[float]
    code_kept: Mapped[bool] = mapped_column(default=False, server_default=false())
    sourced_id: Mapped[str | None] = mapped_column(String(255))
    code_made_at: Mapped[float | None]
    ends_day: Mapped[int | None]
    archived_at: Mapped[float | None]
    home_on: Mapped[bool] = mapped_column(default=False, server_default=false())
    home_from: Mapped[int] = mapped_column(default=900, server_default="900")
    home_until: Mapped[int] = mapped_column(default=1140, server_default="1140")
    home_weekend: Mapped[str] = mapped_column(String(8), default="same", server_default="same")
    home_weekend_from: Mapped[int] = mapped_column(default=600, server_default="600")
    home_weekend_until: Mapped[int] = mapped_column(default=1140, server_default="1140")
    home_counts: Mapped[bool] = mapped_column(default=False, server_default=false())

    school: Mapped[School] = relationship()


class ClassTeacher(db.Model):  # type: ignore[name-defined,misc]
    """Says that this adult teaches this class. `since`: 0 for rows of earlier versions."""

    __tablename__ = "class_teachers"
    class_id: Mapped[int] = mapped_column(
        ForeignKey("classes.id", ondelete="CASCADE"), primary_key=True
    )
    adult_id: Mapped[int] = mapped_column(
        ForeignKey("adults.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    since: Mapped[float] = mapped_column(server_default="0")


class Session(db.Model):  # type: ignore[name-defined,misc]
    """One browser that is signed in. The cookie holds a random token, the row its SHA-256.

    Set for an adult: `adult_id`; for a class device: `class_id`; for a device at home: `home_id`,
    the child for whom it was opened, and `home_by`, the parent who opened it; with a child on it:
    also `child_id`. `device`: a random name of the browser, which stays the same when children sign
    in and out. `hand_at`: when the child's hand went up. `moved_id`: the child who was on this
    device and has moved to another device.
    """

    __tablename__ = "sessions"
    id: Mapped[int] = mapped_column(primary_key=True)
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    adult_id: Mapped[int | None] = mapped_column(
        ForeignKey("adults.id", ondelete="CASCADE"), index=True
    )
    class_id: Mapped[int | None] = mapped_column(
        ForeignKey("classes.id", ondelete="CASCADE"), index=True
    )
    child_id: Mapped[int | None] = mapped_column(
        ForeignKey("children.id", ondelete="CASCADE"), index=True
    )
    device: Mapped[str] = mapped_column(String(32))
    created_at: Mapped[float]
    seen_at: Mapped[float]
    ends_at: Mapped[float]
    hand_at: Mapped[float | None]
    moved_id: Mapped[int | None] = mapped_column(ForeignKey("children.id", ondelete="CASCADE"))
    home_id: Mapped[int | None] = mapped_column(ForeignKey("children.id", ondelete="CASCADE"))
    home_by: Mapped[int | None] = mapped_column(ForeignKey("adults.id", ondelete="CASCADE"))


class DoorKnock(db.Model):  # type: ignore[name-defined,misc]
    """A device at a child's sign-in pictures: wrong tries there, and the teacher's "let in".

    Counted per child and device, so that classmates cannot lock each other out. `sign`: what the
    device shows (services/access/signs.py); `since`: when it was given. Both are None while the
    device is not at the door.
    """

    __tablename__ = "door_knocks"
    __table_args__ = (UniqueConstraint("child_id", "device"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    child_id: Mapped[int] = mapped_column(ForeignKey("children.id", ondelete="CASCADE"), index=True)
    device: Mapped[str] = mapped_column(String(32))
    tries: Mapped[int] = mapped_column(default=0)
    wait_until: Mapped[float] = mapped_column(default=0.0)
    knocked_at: Mapped[float]
    let_in_at: Mapped[float | None]
    sign: Mapped[str | None] = mapped_column(String(20))
    since: Mapped[float | None]


class KnownDevice(db.Model):  # type: ignore[name-defined,misc]
    """A browser on which this adult, or this child, has been signed in before.

    Wrong tries on other devices are counted separately, so that no one can lock the owner out.
    """

    __tablename__ = "known_devices"
    __table_args__ = (
        UniqueConstraint("adult_id", "device"),
        UniqueConstraint("child_id", "device"),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    adult_id: Mapped[int | None] = mapped_column(ForeignKey("adults.id", ondelete="CASCADE"))
    child_id: Mapped[int | None] = mapped_column(ForeignKey("children.id", ondelete="CASCADE"))
    device: Mapped[str] = mapped_column(String(32))
    last_at: Mapped[float]


class WrongTry(db.Model):  # type: ignore[name-defined,misc]
    """One wrong secret, counted against a budget.

    `what`: class:<id>, child:<id>, home:<id of a child> or login:<signed name>.

    Tries at codes, and strangers' tries at logins, are not stored (services/base/strangers.py).
    """

    __tablename__ = "wrong_tries"
    __table_args__ = (Index("ix_wrong_tries_what_at", "what", "at"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    what: Mapped[str] = mapped_column(String(80))
    device: Mapped[str] = mapped_column(String(32), default="")
    at: Mapped[float]
