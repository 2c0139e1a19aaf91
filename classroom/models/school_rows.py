"""Database tables for schools: classes, people, sessions, settings, the audit log and voices. All
times are POSIX seconds (UTC)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import (
    JSON,
    BigInteger,
    ForeignKey,
    Index,
    LargeBinary,
    String,
    UniqueConstraint,
    false,
)
from sqlalchemy.orm import Mapped, MappedColumn, mapped_column, relationship

from classroom.database import db


def refers_to(table: str, ondelete: str = "CASCADE", **column: Any) -> MappedColumn[Any]:
    """Make a foreign key to the id of this table. By default, deleting the row in this table also
    deletes the rows that refer to it."""
    return mapped_column(ForeignKey(f"{table}.id", ondelete=ondelete), **column)


class HasId:
    """A base class for tables with an integer primary key."""

    id: Mapped[int] = mapped_column(primary_key=True, sort_order=-1)


# ---- A school, its classes, and its signed-in browsers


class School(HasId, db.Model):  # type: ignore[name-defined,misc]
    """A school and its settings.

    `time_zone`: an IANA name; None: the zone of the server's computer. `dates`: a key of
    services.base.clock.DATES. `words`: a language of services.base.clock.WORDS. `standards`: the
    standards for classes that have not chosen any. `paper`: a key of services.base.clock.PAPERS.
    `year_end`: the month and day on which the school year ends, such as "07-31". `keep_...`: for
    how many days some data is kept (privacy.PERIODS).
    """

    __tablename__ = "schools"
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


class Installation(HasId, db.Model):  # type: ignore[name-defined,misc]
    """The files that belong to this database. Row 1 stands for the key file. Row 2 exists once the
    list of removed data has been begun (a backup must not bring such data back). `key_print`: a
    fingerprint of the key from which pictures and codes are derived."""

    __tablename__ = "installations"
    key_print: Mapped[str] = mapped_column(String(64))


class SchoolClass(HasId, db.Model):  # type: ignore[name-defined,misc]
    """A class of children. `opened_until`: when sign-in closes; None or past: it is closed.

    `shelf`: keys of the menu's games on the shelf; None for the default games. `paused_at`: when
    all tables were paused ("eyes on me"). `ending_at`: when the teacher ended the lesson; asks and
    children's turns that had begun by then are still finished. `resumed_at`: when play last began
    or resumed; the time before does not count towards a turn. `changes`: a counter of changes to
    all tables at once, from which pages know whether they are up to date. `code_kept`: whether the
    code stays the same each time the class opens. `code_made_at`: when a code that is kept was
    made. `ends_day`: the local day after which the class is archived; None if not set yet.
    `archived_at`: the time from which nobody can play in the class or change it. `sourced_id`: the
    id of the class in the school's own system, if it was imported. `home_on`: whether children can
    play at home, from `home_from` to `home_until` (minutes of the local day). `home_weekend`: one
    of services.table.choices.WEEKENDS; the next two columns have the hours for "other".
    `home_counts`: whether evidence from home counts in the class's numbers. `outline`: the key of
    the ready-made lesson that was begun last; `outline_on`: whether it was begun in this lesson.
    """

    __tablename__ = "classes"
    school_id: Mapped[int] = refers_to("schools", index=True)
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
    outline: Mapped[str | None] = mapped_column(String(20))
    outline_on: Mapped[bool] = mapped_column(default=False, server_default=false())

    school: Mapped[School] = relationship()


class ClassTeacher(db.Model):  # type: ignore[name-defined,misc]
    """An adult who teaches a class. `since`: 0 for rows from earlier versions."""

    __tablename__ = "class_teachers"
    class_id: Mapped[int] = refers_to("classes", primary_key=True)
    adult_id: Mapped[int] = refers_to("adults", primary_key=True, index=True)
    since: Mapped[float] = mapped_column(server_default="0")


class Session(HasId, db.Model):  # type: ignore[name-defined,misc]
    """One browser that is signed in. The cookie holds a random token; the row holds its SHA-256.

    An adult's session has `adult_id`. A class device has `class_id`. A device at home has
    `home_id`, the child for whom it was opened, and `home_by`, the parent who opened it. While a
    child is signed in on a device, `child_id` is set too. `device`: a random name of the browser,
    which stays the same when children sign in and out. `hand_at`: when the child raised a hand.
    `moved_id`: the child who was on this device and has moved to another device. `match_id`: the
    match whose children all sit at this class device; UNIQUE allows only one device. `shown`: the
    seat whose cards the device showed last. `invited_by`: the classmate who asks the child to come
    to a shared tablet; None after the child said no. `invited_at`: when the child was last asked.
    """

    __tablename__ = "sessions"
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    adult_id: Mapped[int | None] = refers_to("adults", index=True)
    class_id: Mapped[int | None] = refers_to("classes", index=True)
    child_id: Mapped[int | None] = refers_to("children", index=True)
    device: Mapped[str] = mapped_column(String(32))
    created_at: Mapped[float]
    seen_at: Mapped[float]
    ends_at: Mapped[float]
    hand_at: Mapped[float | None]
    moved_id: Mapped[int | None] = refers_to("children")
    home_id: Mapped[int | None] = refers_to("children")
    home_by: Mapped[int | None] = refers_to("adults")
    match_id: Mapped[int | None] = refers_to("matches", "SET NULL", unique=True)
    shown: Mapped[int | None]
    invited_by: Mapped[int | None] = refers_to("children", "SET NULL")
    invited_at: Mapped[float | None]


class DoorKnock(HasId, db.Model):  # type: ignore[name-defined,misc]
    """A device that shows a child's sign-in pictures, with the wrong tries on it.

    Tries are counted per child and device, so that classmates cannot lock each other out.
    `let_in_at`: when the teacher let the device in. `sign`: the coloured shape that the device
    shows (services/access/knocks.py). `since`: when it got the sign. Both are None while the device
    is not at the door.
    """

    __tablename__ = "door_knocks"
    __table_args__ = (UniqueConstraint("child_id", "device"),)
    child_id: Mapped[int] = refers_to("children", index=True)
    device: Mapped[str] = mapped_column(String(32))
    tries: Mapped[int] = mapped_column(default=0)
    wait_until: Mapped[float] = mapped_column(default=0.0)
    knocked_at: Mapped[float]
    let_in_at: Mapped[float | None]
    sign: Mapped[str | None] = mapped_column(String(20))
    since: Mapped[float | None]


class KnownDevice(HasId, db.Model):  # type: ignore[name-defined,misc]
    """A browser on which an adult or a child was signed in before. Wrong tries on other devices are
    counted separately, so that other people cannot lock the owner out."""

    __tablename__ = "known_devices"
    __table_args__ = (
        UniqueConstraint("adult_id", "device"),
        UniqueConstraint("child_id", "device"),
    )
    adult_id: Mapped[int | None] = refers_to("adults")
    child_id: Mapped[int | None] = refers_to("children")
    device: Mapped[str] = mapped_column(String(32))
    last_at: Mapped[float]


class WrongTry(HasId, db.Model):  # type: ignore[name-defined,misc]
    """One wrong try at a secret, which counts against a budget. `what`: class:<id>, child:<id>,
    home:<id of a child> or login:<signed name>. Tries at codes, and tries by strangers at logins,
    are not stored (services/base/budgets.py)."""

    __tablename__ = "wrong_tries"
    __table_args__ = (Index("ix_wrong_tries_what_at", "what", "at"),)
    what: Mapped[str] = mapped_column(String(80))
    device: Mapped[str] = mapped_column(String(32), default="")
    at: Mapped[float]


# ---- Adults and children. A child has at most seven personal fields (PRIVACY.md)


class Adult(HasId, db.Model):  # type: ignore[name-defined,misc]
    """A teacher, substitute, parent or administrator (`role`). `login`: the name for signing in.

    `ends_at`: when a substitute's account closes; from then on it is treated as deleted. None for
    everyone else. `role_since`: when an administrator gave the role; 0 for the first role.
    `language`: "en" or "es", or None until the adult chooses one for their pages.
    """

    __tablename__ = "adults"
    school_id: Mapped[int] = refers_to("schools", index=True)
    role: Mapped[str] = mapped_column(String(10))
    login: Mapped[str] = mapped_column(String(80), unique=True)
    name: Mapped[str] = mapped_column(String(60))
    password_hash: Mapped[str] = mapped_column(String(200))
    created_at: Mapped[float]
    ends_at: Mapped[float | None]
    role_since: Mapped[float] = mapped_column(default=0.0, server_default="0")
    language: Mapped[str | None] = mapped_column(String(2))


class Invitation(HasId, db.Model):  # type: ignore[name-defined,misc]
    """A code on paper with which one adult gets an account or access to one more class.

    `class_id`: the class that the adult will teach; None for no class. `account_ends_at`: when a
    substitute's account will close. If the account that made an invitation is deleted, the
    invitation is deleted too, so a former administrator cannot use a code that they kept.
    """

    __tablename__ = "invitations"
    school_id: Mapped[int] = refers_to("schools", index=True)
    role: Mapped[str] = mapped_column(String(10))
    class_id: Mapped[int | None] = refers_to("classes", index=True)
    code_hash: Mapped[str] = mapped_column(String(64), unique=True)
    made_by: Mapped[int] = refers_to("adults", index=True)
    created_at: Mapped[float]
    ends_at: Mapped[float]
    account_ends_at: Mapped[float | None]
    used_at: Mapped[float | None]
    used_by: Mapped[int | None] = refers_to("adults", "SET NULL", index=True)


class SecondFactor(HasId, db.Model):  # type: ignore[name-defined,misc]
    """An authenticator app or a passkey that an adult uses in addition to the password.

    For an app (`kind` "app"), the secret is derived from the installation's key and `word`, and
    `last_step` is the step of the last code that was accepted. For a passkey ("key"), `credential`
    and `public_key` are in base64url, and `last_step` is its count of signatures.
    """

    __tablename__ = "second_factors"
    adult_id: Mapped[int] = refers_to("adults", index=True)
    kind: Mapped[str] = mapped_column(String(4))
    name: Mapped[str] = mapped_column(String(40))
    word: Mapped[str] = mapped_column(String(32), default="")
    credential: Mapped[str] = mapped_column(String(1400), default="")
    public_key: Mapped[str] = mapped_column(String(2000), default="")
    last_step: Mapped[int] = mapped_column(BigInteger, default=0)
    created_at: Mapped[float]
    last_at: Mapped[float | None]


class Child(HasId, db.Model):  # type: ignore[name-defined,misc]
    """A child in a class. `animal` and `pad` together are the child's face, unique in the class.

    The four sign-in pictures are not stored. They are derived from the installation's key, the
    child and `pictures_version`, so they can be printed again and changed, and a stolen database
    does not reveal them. `sourced_id`: the id of the child in the school's own system, if it was
    imported. `language`: the language of the child's pages now, "en" or "es"; None if no adult has
    given the child a second language.
    """

    __tablename__ = "children"
    __table_args__ = (UniqueConstraint("class_id", "animal", "pad"),)
    class_id: Mapped[int] = refers_to("classes", index=True)
    name: Mapped[str] = mapped_column(String(30))
    animal: Mapped[str] = mapped_column(String(12))
    pad: Mapped[int]
    age_band: Mapped[str] = mapped_column(String(4), default="4-5")
    pictures_version: Mapped[int] = mapped_column(default=1)
    created_at: Mapped[float]
    sourced_id: Mapped[str | None] = mapped_column(String(255), index=True)
    language: Mapped[str | None] = mapped_column(String(2))

    school_class: Mapped[SchoolClass] = relationship()


class Restriction(db.Model):  # type: ignore[name-defined,misc]
    """A restriction: no conclusions about this child are drawn from play. `whose`: "family" or
    "school", whichever began it. `reason`: one of services.school.objections.REASONS. `by`,
    `since`: the adult who began it, and when."""

    __tablename__ = "restrictions"
    child_id: Mapped[int] = refers_to("children", primary_key=True)
    whose: Mapped[str] = mapped_column(String(8), primary_key=True)
    reason: Mapped[str] = mapped_column(String(12))
    by: Mapped[int | None] = refers_to("adults", "SET NULL")
    since: Mapped[float]


class ChildNote(HasId, db.Model):  # type: ignore[name-defined,misc]
    """A teacher's note about a child. `by`: its author; None if the author's account is deleted."""

    __tablename__ = "child_notes"
    child_id: Mapped[int] = refers_to("children", index=True)
    by: Mapped[int | None] = refers_to("adults", "SET NULL")
    created_at: Mapped[float]
    text: Mapped[str] = mapped_column(String(500))


class FamilyCode(HasId, db.Model):  # type: ignore[name-defined,misc]
    """A code from the teacher that links one adult to one child; it can be used only once."""

    __tablename__ = "family_codes"
    child_id: Mapped[int] = refers_to("children", index=True)
    code_hash: Mapped[str] = mapped_column(String(64), unique=True)
    created_at: Mapped[float]
    ends_at: Mapped[float]
    used_at: Mapped[float | None]


class PasswordReset(HasId, db.Model):  # type: ignore[name-defined,misc]
    """A code on paper with which one adult can set a new password; it can be used only once."""

    __tablename__ = "password_resets"
    adult_id: Mapped[int] = refers_to("adults", index=True)
    code_hash: Mapped[str] = mapped_column(String(64), unique=True)
    created_at: Mapped[float]
    ends_at: Mapped[float]
    used_at: Mapped[float | None]


class FamilyLink(db.Model):  # type: ignore[name-defined,misc]
    """A link between a parent and their child."""

    __tablename__ = "family_links"
    adult_id: Mapped[int] = refers_to("adults", primary_key=True)
    child_id: Mapped[int] = refers_to("children", primary_key=True, index=True)
    created_at: Mapped[float]


# ---- Choices of adults about play and questions, and a teacher's settings for lessons


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaySettings:
    """How a child plays; the defaults apply until an adult chooses.

    `opponents`: 1 to 3. `deck`: a key of games.variants.DECKS. `pace`: one of
    services.table.choices.PACES. For these three, the value in services.table.choices.BY_AGE means
    that the child's age decides. `level`: one of services.table.choices.LEVELS. `board`: one of
    minds.board.SUPPORTS. `hints`: whether the child may ask for hints. `voice`: whether the pages
    speak by themselves, and not only when the ear is tapped. `lit`: whether each word of a caption
    is highlighted while it is spoken. `switch`: one of services.table.choices.SWITCHES, the speed
    of the moving light for a child who plays with one switch.
    """

    opponents: int = 0
    level: str = "minnow"
    deck: str = "age"
    board: str = "peek"
    hints: bool = True
    pace: str = "age"
    voice: bool = True
    lit: bool = True
    switch: str = "off"


class ChoicesRow(HasId, db.Model):  # type: ignore[name-defined,misc]
    """The choices made at one level (`whose`: services.table.choices.Whose), for the school, class,
    group or child whose id is set. Where a choice is None, the other levels decide
    (services/table/choices.py).

    Choices about play are as in PlaySettings. `questions`: how often questions come, "off" or a key
    of learning.schedule.PACE; None: this level chooses nothing about questions. `question_skills`:
    keys of the skills that may be asked about; None: all skills. Questions have numbers from
    `number_low` to `number_high`, within the skill's own range at the child's age. `focus`: for a
    class, keys of up to three skills that come more often; None: the program chooses.
    `minutes_a_day`: a family's daily time limit, or None; if the class has a limit too, the smaller
    applies. `play_by`, `play_at`: the adult who last changed the choices about play or the minutes,
    and when. `questions_by`, `questions_at`: the same for the choices about questions.
    """

    __tablename__ = "choices"
    __table_args__ = (UniqueConstraint("child_id", "whose"),)
    whose: Mapped[str] = mapped_column(String(8))
    school_id: Mapped[int | None] = refers_to("schools", unique=True)
    class_id: Mapped[int | None] = refers_to("classes", unique=True)
    group_id: Mapped[int | None] = refers_to("child_groups", unique=True)
    child_id: Mapped[int | None] = refers_to("children")
    opponents: Mapped[int | None]
    level: Mapped[str | None] = mapped_column(String(20))
    deck: Mapped[str | None] = mapped_column(String(20))
    board: Mapped[str | None] = mapped_column(String(8))
    hints: Mapped[bool | None]
    pace: Mapped[str | None] = mapped_column(String(8))
    voice: Mapped[bool | None]
    lit: Mapped[bool | None]
    switch: Mapped[str | None] = mapped_column(String(8))
    questions: Mapped[str | None] = mapped_column(String(12))
    question_skills: Mapped[list[Any] | None] = mapped_column(JSON(none_as_null=True))
    number_low: Mapped[int | None]
    number_high: Mapped[int | None]
    focus: Mapped[list[Any] | None] = mapped_column(JSON(none_as_null=True))
    minutes_a_day: Mapped[int | None]
    play_by: Mapped[int | None] = refers_to("adults", "SET NULL")
    play_at: Mapped[float | None]
    questions_by: Mapped[int | None] = refers_to("adults", "SET NULL")
    questions_at: Mapped[float | None]


NUDGE_AFTER: Final = 30  # seconds into a child's turn when the device reminds the child
STAND_IN_AFTER: Final = 60  # seconds into a child's turn when a stand-in plays


class ClassSettings(db.Model):  # type: ignore[name-defined,misc]
    """A teacher's settings for the lessons of a class.

    `nudge_after`, `stand_in_after`: see NUDGE_AFTER and STAND_IN_AFTER. `minutes_a_day`: the daily
    time limit of each child; None: no limit. `standards`: the standards that the class's pages
    show, a key of services.reports.skill_reports.SYSTEMS; None: the school's choice. `talk`: how
    often the voice asks children to explain how they knew, one of services.table.choices.OFTEN;
    None: now and then. `set_by`, `set_at`: the adult who last changed a setting, and when.
    """

    __tablename__ = "class_settings"
    class_id: Mapped[int] = refers_to("classes", primary_key=True)
    nudge_after: Mapped[int] = mapped_column(default=NUDGE_AFTER)
    stand_in_after: Mapped[int] = mapped_column(default=STAND_IN_AFTER)
    minutes_a_day: Mapped[int | None]
    set_by: Mapped[int | None] = refers_to("adults", "SET NULL")
    set_at: Mapped[float]
    standards: Mapped[str | None] = mapped_column(String(12))
    talk: Mapped[str | None] = mapped_column(String(8))


# ---- The audit log: which adult looked at or changed a child's data


class AuditEntry(HasId, db.Model):  # type: ignore[name-defined,misc]
    """One line of the log. It contains only ids: no names, codes or cards. There are no foreign
    keys, because log lines are kept when the rows they mention are deleted. Lines are never
    changed, only appended and, when old, deleted. `seal` signs the previous seal and this row with
    the installation's key."""

    __tablename__ = "audit"
    __table_args__ = (Index("ix_audit_thing", "thing", "thing_id"),)
    at: Mapped[float]
    adult_id: Mapped[int | None]
    action: Mapped[str] = mapped_column(String(40))
    thing: Mapped[str] = mapped_column(String(20))
    thing_id: Mapped[int | None]
    seal: Mapped[str] = mapped_column(String(64), unique=True)


# ---- Changes to which children are in which class, kept for as long as they can be undone


class YearChange(HasId, db.Model):  # type: ignore[name-defined,misc]
    """One change (`what`, services/school/child_moves.py): the school's classes moved into a new
    year, a child left, was removed or was merged, or a list added children. `by`: the adult who
    made the change.

    `made`: ids of the classes made for the change. `archived`: ids of the archived classes. `ends`:
    the `ends_day` that each class had before, by its id as text. `given`: the data that a merged
    child passed on to the child's other entry (services/school/child_moves.py).
    """

    __tablename__ = "year_changes"
    school_id: Mapped[int] = refers_to("schools", index=True)
    by: Mapped[int | None] = refers_to("adults", "SET NULL")
    at: Mapped[float]
    made: Mapped[list[int]] = mapped_column(JSON)
    archived: Mapped[list[int]] = mapped_column(JSON)
    ends: Mapped[dict[str, Any]] = mapped_column(JSON)
    what: Mapped[str] = mapped_column(String(8), default="year", server_default="year")
    given: Mapped[dict[str, Any] | None] = mapped_column(JSON)


class YearMove(HasId, db.Model):  # type: ignore[name-defined,misc]
    """A child's class (None if a list added the child), name, face and age band before a change.
    `new_card`: whether the child needs a new sign-in card, because something on the old card has
    changed."""

    __tablename__ = "year_moves"
    change_id: Mapped[int] = refers_to("year_changes", index=True)
    child_id: Mapped[int] = refers_to("children", index=True)
    from_class: Mapped[int | None] = refers_to("classes", "SET NULL")
    to_class: Mapped[int | None] = refers_to("classes", "SET NULL")
    name: Mapped[str] = mapped_column(String(30))
    animal: Mapped[str] = mapped_column(String(12))
    pad: Mapped[int]
    age_band: Mapped[str] = mapped_column(String(4))
    new_card: Mapped[bool]


# ---- Voices that adults record for a class, or for the whole school


class VoicePack(HasId, db.Model):  # type: ignore[name-defined,misc]
    """The recordings of one adult in one language; each recording is a piece of a few words.

    `class_id`: the class whose pages speak with this voice; None: the whole school. `role`: the
    reader's role when the pack was begun, or "imported". `licence`: one of
    services.school.voice_packs.LICENCES. `agreed_at`: when the reader agreed to be heard; None if
    the reader was asked but has not agreed yet. `changes`: a counter of changes to the pieces, so
    that browsers can cache each version.
    """

    __tablename__ = "voice_packs"
    school_id: Mapped[int] = refers_to("schools")
    class_id: Mapped[int | None] = refers_to("classes", index=True)
    adult_id: Mapped[int] = refers_to("adults")
    language: Mapped[str] = mapped_column(String(8))
    role: Mapped[str] = mapped_column(String(10))
    licence: Mapped[str] = mapped_column(String(10))
    created_at: Mapped[float]
    agreed_at: Mapped[float | None]
    changes: Mapped[int] = mapped_column(default=0)


class VoicePiece(db.Model):  # type: ignore[name-defined,misc]
    """A few recorded words of a pack. `sound`: an mp3. `loudness`: in LUFS. `ms`: milliseconds."""

    __tablename__ = "voice_pieces"
    pack_id: Mapped[int] = refers_to("voice_packs", primary_key=True)
    name: Mapped[str] = mapped_column(String(80), primary_key=True)
    words: Mapped[str] = mapped_column(String(200))
    sound: Mapped[bytes] = mapped_column(LargeBinary, deferred=True)
    loudness: Mapped[float]
    ms: Mapped[int]
    at: Mapped[float]
