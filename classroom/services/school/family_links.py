"""Families: codes for parents, links between parents and children, and how both end."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Final, Literal

from sqlalchemy import ColumnElement, Select, func, select

from classroom.database import db, empty_log, hold, write_unit
from classroom.models import (
    Adult,
    Child,
    FamilyCode,
    FamilyLink,
    KnownDevice,
    PasswordReset,
    PlaySettings,
    SchoolClass,
)
from classroom.services.access import accounts, passwords, sessions
from classroom.services.base import (
    audit,
    clock,
    limits,
    names,
    secrets_,
    security_log,
    tombstones,
)
from classroom.services.base.errors import NotFound, Refused
from classroom.services.base.names import ChildFace
from classroom.services.base.rows import existing
from classroom.services.school import removals, voice_packs
from classroom.services.school.classes import SECOND
from classroom.services.table import choices
from classroom.services.table.choices import Hours, Levels, ToldChoice, hours_of

# ---- codes and accounts
#
# A code is shown once and stored only as a hash. It works once, within CODE_DAYS days.

CODE_DAYS: Final = 14
WHAT: Final = "family"  # names this kind of code in hashes and in counts of wrong codes


@dataclass(frozen=True, slots=True, kw_only=True)
class NextRound(PlaySettings):
    """The settings for a child's next round in a lesson. `fixed`: the settings that a teacher has
    decided. `told`: who chose each setting. `minutes_a_day`: the family's limit, if any."""

    fixed: frozenset[str]
    told: tuple[ToldChoice, ...]
    minutes_a_day: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnChild(ChildFace):
    """A child as shown to a parent. `home`: when the child may play at home. `home_now`: whether
    this is such a time. `second`: whether the child has a second language."""

    class_name: str
    home: Hours
    home_now: bool
    second: bool


def make_code(child_id: int, by: int | None = None) -> str:
    """Make one more code for this child; returns the code in groups of four letters."""
    with write_unit():
        existing(Child, child_id)
        limits.check("codes")
        code = add_code(child_id)
        audit.record(by, "family_code", "child", child_id)
    return code


def add_code(child_id: int) -> str:
    """Add a code for this child. Call this within a write unit that has checked the limit."""
    (code, code_hash), now = secrets_.paper_code(WHAT), clock.now()
    ends = now + CODE_DAYS * clock.SECONDS_A_DAY
    db.session.add(FamilyCode(child_id=child_id, code_hash=code_hash, created_at=now, ends_at=ends))
    security_log.note("family_code_made", child_id=child_id)
    return code


@security_log.refusals("account_made")
def register(code: str, name: str, login: str, password: str, device: str = "") -> int:
    """Make a parent's account, linked to this code's child; returns the adult's id. `device`:
    the parent's browser. The code is checked first, so that nobody without a code learns which
    logins exist. If the account cannot be made, the code stays valid. Raises Refused: code_unknown,
    code_used, code_ended, code_wait, slow_down, adult_name, login, login_taken, password_*."""
    with accounts.trying(WHAT, device):
        _good(code)
    name = names.tidy(name)
    accounts.check_account(name, login, password)
    hashed = passwords.hash_of(password)
    with write_unit():
        row = _take(code)
        school_id = _school_of(row.child_id)
        adult_id = accounts.add_adult(school_id, "parent", name, login, hashed)
        _link_parent(adult_id, row.child_id)
        return adult_id


@security_log.refusals("child_linked")
def link(adult_id: int, code: str, device: str = "") -> int:
    """Link this code's child to this parent; returns the child's id. `device`: the parent's
    browser. Raises Refused: code_unknown, code_used, code_ended, code_wait, already_linked."""
    with accounts.trying(WHAT, device):
        child_id = _good(code).child_id
        if _school_of(child_id) != existing(Adult, adult_id).school_id:
            raise Refused("code_unknown")
    with write_unit():
        if db.session.get(FamilyLink, (adult_id, child_id)) is not None:
            raise Refused("already_linked")
        _link_parent(adult_id, _take(code).child_id)
    return child_id


def children_of(adult_id: int) -> tuple[OwnChild, ...]:
    """A parent's children, sorted by name."""
    linked = select(Child).join(FamilyLink, FamilyLink.child_id == Child.id)
    rows = db.session.scalars(linked.where(FamilyLink.adult_id == adult_id))
    return tuple(
        OwnChild(
            *names.face(child),
            class_name=child.school_class.name,
            home=hours_of(child.school_class),
            home_now=hours_of(child.school_class).are_now(),
            second=bool(child.language),
        )
        for child in names.by_name(rows)
    )


# ---- a child's settings, for the family


def settings(child_id: int) -> NextRound:
    """The settings for the child's next round in a lesson. Raises NotFound."""
    return next_round(choices.of_child(child_id))


def next_round(levels: Levels) -> NextRound:
    """The settings for a child's next round in a lesson, from all choices made for the child."""
    return NextRound(
        **asdict(choices.for_age(choices.play(levels.made), levels.age_band)),
        fixed=choices.fixed(levels.made),
        told=choices.told(levels),
        minutes_a_day=levels.of("family").made.get("minutes_a_day"),
    )


# ---- checking and using codes


def _good(code: str) -> FamilyCode:
    wanted = select(FamilyCode).where(FamilyCode.code_hash == secrets_.code_hash(WHAT, code))
    return accounts.good_code(wanted, "code")


def _take(code: str) -> FamilyCode:
    row = _good(code)
    row.used_at = clock.now()
    return row


def _school_of(child_id: int) -> int:
    return existing(Child, child_id).school_class.school_id


def _link_parent(adult_id: int, child_id: int) -> None:
    """Link a parent to a child. If the parent has not chosen a language and the child has a second
    language, the parent's pages switch to that language."""
    adult = existing(Adult, adult_id)
    if adult.language is None and existing(Child, child_id).language:
        adult.language = SECOND
    db.session.add(FamilyLink(adult_id=adult_id, child_id=child_id, created_at=clock.now()))
    audit.record(adult_id, "link", "child", child_id)
    security_log.note("child_linked", adult_id=adult_id, child_id=child_id)


# ---- A child's linked adults and unused codes, and how both end

Which = Literal["all", "missing"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkedAdult:
    """A parent who is linked to a child. `last_day`: the local day of the last sign-in, None if it
    is not known. `reset`: the unused code for a new password, if any."""

    adult_id: int
    name: str
    since: float
    last_day: int | None
    reset: PasswordReset | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Family(ChildFace):
    """A child with the linked adults, sorted by name, and the codes that can still be used."""

    adults: tuple[LinkedAdult, ...]
    codes: tuple[FamilyCode, ...]

    @property
    def missing(self) -> bool:
        """Whether no adult is linked and no code can still be used."""
        return not self.adults and not self.codes


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """The consequences of unlinking a parent from a child. `last`: the parent has no other child
    here, so the account would be closed. `codes`: how many codes for this child can still be
    used."""

    child_id: int
    child: str
    adult_id: int
    adult: str
    last: bool
    codes: int


@dataclass(frozen=True, slots=True)
class CodeSheet:
    """A sheet to print: a code for the family of one child."""

    child_id: int
    name: str
    class_name: str
    code: str


def links_of_class(class_id: int) -> tuple[Family, ...]:
    """The families of a class, sorted by the children's names."""
    return _families(select(Child).where(Child.class_id == class_id))


def links_of_child(child_id: int) -> Family:
    """One child's family. Raises NotFound."""
    found = _families(select(Child).where(Child.id == child_id))
    if not found:
        raise NotFound("child")
    return found[0]


def _families(which: Select[Child]) -> tuple[Family, ...]:
    children = names.by_name(db.session.scalars(which))
    ids = [child.id for child in children]
    adults = _adults_of(ids)
    codes: dict[int, list[FamilyCode]] = defaultdict(list)
    for row in _usable(FamilyCode.child_id.in_(ids)):
        codes[row.child_id].append(row)
    return tuple(
        Family(*names.face(child), adults=tuple(adults[child.id]), codes=tuple(codes[child.id]))
        for child in children
    )


def _adults_of(children: Collection[int]) -> Mapping[int, list[LinkedAdult]]:
    last = func.max(KnownDevice.last_at)
    seen = select(last).where(KnownDevice.adult_id == Adult.id).scalar_subquery()
    linked = (
        select(FamilyLink.child_id, Adult.id, Adult.name, FamilyLink.created_at, seen)
        .join(Adult, Adult.id == FamilyLink.adult_id)
        .where(FamilyLink.child_id.in_(children))
    )
    rows = names.by_name(db.session.execute(linked))
    reset = accounts.open_resets({row[1] for row in rows})
    found: dict[int, list[LinkedAdult]] = defaultdict(list)
    for child_id, adult_id, name, since, last_at in rows:
        found[child_id].append(
            LinkedAdult(
                adult_id=adult_id,
                name=name,
                since=since,
                last_day=None if last_at is None else clock.day(last_at),
                reset=reset.get(adult_id),
            )
        )
    return found


def _usable(*where: ColumnElement[bool]) -> Sequence[FamilyCode]:
    """The codes that can still be used, oldest first."""
    rows = accounts.usable(FamilyCode).where(*where)
    return db.session.scalars(rows.order_by(FamilyCode.created_at, FamilyCode.id)).all()


def make_sheets(class_id: int, which: Which, by: int | None = None) -> tuple[CodeSheet, ...]:
    """Make a code for each child in the class or, with "missing", for each child who has neither a
    linked adult nor an unused code. Makes all codes or none. Earlier codes stay valid."""
    with write_unit():
        chosen = [one for one in links_of_class(class_id) if which == "all" or one.missing]
        room = existing(SchoolClass, class_id).name
        limits.check("codes", len(chosen))
        made = tuple(
            CodeSheet(one.child_id, one.name, room, add_code(one.child_id)) for one in chosen
        )
        if made:
            audit.record(by, "family_code", "class", class_id)
    return made


def cancel_code(child_id: int, code_id: int, by: int | None = None) -> None:
    """End an unused code. Raises NotFound if this child has no such code."""
    with write_unit():
        found = _usable(FamilyCode.id == code_id, FamilyCode.child_id == child_id)
        if not found:
            raise NotFound("code")
        _end_codes(found)
        audit.record(by, "cancel_code", "child", child_id)


def _end_codes(codes: Sequence[FamilyCode]) -> None:
    for code in codes:
        tombstones.note_code(code)
        code.ends_at = clock.now()
        security_log.note("family_code_cancelled", child_id=code.child_id)


def ending(child_id: int, adult_id: int) -> Ending:
    """The consequences of `unlink`, for the page that asks for confirmation. Raises NotFound."""
    if db.session.scalar(_link(child_id, adult_id)) is None:
        raise NotFound("parent")
    return Ending(
        child_id=child_id,
        child=db.session.get_one(Child, child_id).name,
        adult_id=adult_id,
        adult=db.session.get_one(Adult, adult_id).name,
        last=len(_links_of(adult_id)) == 1,
        codes=len(_usable(FamilyCode.child_id == child_id)),
    )


def unlink(child_id: int, adult_id: int, by: int | None = None, codes: bool = False) -> bool:
    """Unlink an adult from a child. If the adult has no other child here, the account is closed;
    returns whether it was closed. The adult's sessions end, unless `by` is the same adult. `codes`:
    end the child's unused codes too, because the adult may have one. Used codes get a tombstone, so
    that no backup makes them usable again. Raises NotFound."""
    with write_unit():
        link = db.session.scalar(hold(_link(child_id, adult_id)))
        if link is None:
            raise NotFound("parent")
        _end_link(link, by)
        if codes:
            _end_codes(_usable(FamilyCode.child_id == child_id))
        ended = not _links_of(adult_id)
        if ended:
            removals.take_out_adult(db.session.get_one(Adult, adult_id))
            audit.record(by, "remove", "adult", adult_id)
    if ended:
        empty_log()
    return ended


def end_account(adult_id: int) -> None:
    """Close a parent's account and end all links and sessions, at the parent's request. Raises
    NotFound."""
    with write_unit():
        adult = db.session.scalar(hold(select(Adult).where(Adult.id == adult_id)))
        if adult is None or adult.role != "parent":
            raise NotFound("parent")
        for link in _links_of(adult_id):
            _end_link(link, adult_id)
        removals.take_out_adult(adult)
        audit.record(adult_id, "remove", "adult", adult_id)
    empty_log()


def _end_link(link: FamilyLink, by: int | None) -> None:
    adult_id, child_id = link.adult_id, link.child_id
    tombstones.note_link(link)
    theirs = select(FamilyCode).where(FamilyCode.child_id == child_id)
    used = theirs.where(FamilyCode.used_at.is_not(None), FamilyCode.ends_at > clock.now())
    for code in db.session.scalars(used):
        tombstones.note_code(code)
    db.session.delete(link)
    db.session.flush()
    voice_packs.forget_reader(adult_id, child_id, by)
    if by != adult_id:
        sessions.end_all(adult_id=adult_id)
    audit.record(by, "unlink", "child", child_id)
    security_log.note("child_unlinked", adult_id=adult_id, child_id=child_id)


def _link(child_id: int, adult_id: int) -> Select[FamilyLink]:
    return select(FamilyLink).filter_by(child_id=child_id, adult_id=adult_id)


def _links_of(adult_id: int) -> Sequence[FamilyLink]:
    return db.session.scalars(select(FamilyLink).where(FamilyLink.adult_id == adult_id)).all()


# ---- a forgotten password


def make_reset_code(child_id: int, adult_id: int, by: int | None = None) -> tuple[str, str]:
    """Make a code with which this parent of the child can set a new password; returns the parent's
    name and the code. Raises NotFound."""
    return _parent(child_id, adult_id).name, accounts.make_reset_code(adult_id, by)


def cancel_reset_code(child_id: int, adult_id: int, by: int | None = None) -> None:
    """End this parent's unused code for a new password. Raises NotFound."""
    _parent(child_id, adult_id)
    accounts.cancel_reset(adult_id, by)


def _parent(child_id: int, adult_id: int) -> Adult:
    adult = db.session.get(Adult, adult_id)
    link = db.session.scalar(_link(child_id, adult_id))
    if adult is None or link is None or adult.role != "parent":
        raise NotFound("parent")
    return adult
