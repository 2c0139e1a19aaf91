"""Adults and children. A child has at most seven personal fields (PRIVACY.md)."""

from __future__ import annotations

from sqlalchemy import BigInteger, ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from classroom.database import db
from classroom.models.school_rows import SchoolClass


class Adult(db.Model):  # type: ignore[name-defined,misc]
    """A teacher, substitute, parent or administrator (`role`). `login`: the name they sign in with.

    `ends_at`: when a substitute's account ends; from then on it is treated as deleted. None for
    everyone else. `role_since`: when an administrator gave the role; 0 for the first role.
    """

    __tablename__ = "adults"
    id: Mapped[int] = mapped_column(primary_key=True)
    school_id: Mapped[int] = mapped_column(ForeignKey("schools.id", ondelete="CASCADE"), index=True)
    role: Mapped[str] = mapped_column(String(10))
    login: Mapped[str] = mapped_column(String(80), unique=True)
    name: Mapped[str] = mapped_column(String(60))
    password_hash: Mapped[str] = mapped_column(String(200))
    created_at: Mapped[float]
    ends_at: Mapped[float | None]
    role_since: Mapped[float] = mapped_column(default=0.0, server_default="0")


class Invitation(db.Model):  # type: ignore[name-defined,misc]
    """A code on paper with which one adult gets an account, or one more class.

    `class_id`: the class they then teach, None for no class. `account_ends_at`: when a substitute's
    account will end. An account that ends takes its invitations with it, so that a code which a
    former administrator has kept opens nothing.
    """

    __tablename__ = "invitations"
    id: Mapped[int] = mapped_column(primary_key=True)
    school_id: Mapped[int] = mapped_column(ForeignKey("schools.id", ondelete="CASCADE"), index=True)
    role: Mapped[str] = mapped_column(String(10))
    class_id: Mapped[int | None] = mapped_column(
        ForeignKey("classes.id", ondelete="CASCADE"), index=True
    )
    code_hash: Mapped[str] = mapped_column(String(64), unique=True)
    made_by: Mapped[int] = mapped_column(ForeignKey("adults.id", ondelete="CASCADE"), index=True)
    created_at: Mapped[float]
    ends_at: Mapped[float]
    account_ends_at: Mapped[float | None]
    used_at: Mapped[float | None]
    used_by: Mapped[int | None] = mapped_column(
        ForeignKey("adults.id", ondelete="SET NULL"), index=True
    )


class SecondFactor(db.Model):  # type: ignore[name-defined,misc]
    """An app or a passkey that an adult signs in with besides the password.

    An app (`kind` "app"): its secret follows from the installation's key and `word`; `last_step` is
    the step of the last code that was accepted. A passkey ("key"): `credential` and `public_key` in
    base64url; `last_step` is its count of signatures.
    """

    __tablename__ = "second_factors"
    id: Mapped[int] = mapped_column(primary_key=True)
    adult_id: Mapped[int] = mapped_column(ForeignKey("adults.id", ondelete="CASCADE"), index=True)
    kind: Mapped[str] = mapped_column(String(4))
    name: Mapped[str] = mapped_column(String(40))
    word: Mapped[str] = mapped_column(String(32), default="")
    credential: Mapped[str] = mapped_column(String(1400), default="")
    public_key: Mapped[str] = mapped_column(String(2000), default="")
    last_step: Mapped[int] = mapped_column(BigInteger, default=0)
    created_at: Mapped[float]
    last_at: Mapped[float | None]


class Child(db.Model):  # type: ignore[name-defined,misc]
    """A child of a class. `animal` and `pad` together are the child's face, unique in the class.

    The four sign-in pictures are not stored. They are derived from the installation's key, the
    child and `pictures_version`, so they can be printed again and changed, and a stolen database
    does not reveal them. `sourced_id`: the id of the child in the school's own system, if a list
    gave one.
    """

    __tablename__ = "children"
    __table_args__ = (UniqueConstraint("class_id", "animal", "pad"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    class_id: Mapped[int] = mapped_column(ForeignKey("classes.id", ondelete="CASCADE"), index=True)
    name: Mapped[str] = mapped_column(String(30))
    animal: Mapped[str] = mapped_column(String(12))
    pad: Mapped[int]
    age_band: Mapped[str] = mapped_column(String(4), default="4-5")
    pictures_version: Mapped[int] = mapped_column(default=1)
    created_at: Mapped[float]
    sourced_id: Mapped[str | None] = mapped_column(String(255), index=True)

    school_class: Mapped[SchoolClass] = relationship()


class Restriction(db.Model):  # type: ignore[name-defined,misc]
    """Says that nothing may be worked out about this child. `whose`: who wants that, "family" or
    "school". `reason`: one of services.school.objections.REASONS. `by`, `since`: the adult who
    began it, and when."""

    __tablename__ = "restrictions"
    child_id: Mapped[int] = mapped_column(
        ForeignKey("children.id", ondelete="CASCADE"), primary_key=True
    )
    whose: Mapped[str] = mapped_column(String(8), primary_key=True)
    reason: Mapped[str] = mapped_column(String(12))
    by: Mapped[int | None] = mapped_column(ForeignKey("adults.id", ondelete="SET NULL"))
    since: Mapped[float]


class FamilyCode(db.Model):  # type: ignore[name-defined,misc]
    """A code from the teacher that links one adult to one child, once."""

    __tablename__ = "family_codes"
    id: Mapped[int] = mapped_column(primary_key=True)
    child_id: Mapped[int] = mapped_column(ForeignKey("children.id", ondelete="CASCADE"), index=True)
    code_hash: Mapped[str] = mapped_column(String(64), unique=True)
    created_at: Mapped[float]
    ends_at: Mapped[float]
    used_at: Mapped[float | None]


class PasswordReset(db.Model):  # type: ignore[name-defined,misc]
    """A code on paper with which one adult sets a new password, once."""

    __tablename__ = "password_resets"
    id: Mapped[int] = mapped_column(primary_key=True)
    adult_id: Mapped[int] = mapped_column(ForeignKey("adults.id", ondelete="CASCADE"), index=True)
    code_hash: Mapped[str] = mapped_column(String(64), unique=True)
    created_at: Mapped[float]
    ends_at: Mapped[float]
    used_at: Mapped[float | None]


class FamilyLink(db.Model):  # type: ignore[name-defined,misc]
    """Says that this adult is a parent of this child."""

    __tablename__ = "family_links"
    adult_id: Mapped[int] = mapped_column(
        ForeignKey("adults.id", ondelete="CASCADE"), primary_key=True
    )
    child_id: Mapped[int] = mapped_column(
        ForeignKey("children.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    created_at: Mapped[float]
