"""Voices that adults record: who reads for whom, the pieces of a pack, and which voice is heard.

A pack belongs to its reader. A class hears its own packs first, then those of the whole school,
then the voice that comes with the program; the newest pack of a class comes first. What a pack
lacks is never mixed into a sentence: scripts/child/packs.js takes the first voice that has all of
it. A voice says who somebody is, and is used for nothing but being heard.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import func, or_, select

from classroom.database import db, empty_log, write_unit
from classroom.models import (
    Adult,
    Child,
    FamilyLink,
    SchoolClass,
    VoicePack,
    VoicePiece,
)
from classroom.services.base import audit, clock, tombstones
from classroom.services.base.errors import NotFound, Refused
from classroom.services.base.names import order
from classroom.services.base.rows import existing, held
from classroom.services.school import voice_sound
from classroom.services.school.lists.reading import DAMAGED
from classroom.services.school.voice_sound import Prepared

LANGUAGES: Final = ("en", "es")
LICENCES: Final = ("school", "free")  # to be heard at this school only, or CC BY 4.0
ROLES: Final = ("teacher", "admin", "parent", "imported")
MOST_PACKS: Final = 6  # of a class, or of the school
MOST_PIECES: Final = 2_000  # of a pack
LARGEST_FILE: Final = 30_000_000  # bytes of a pack's file, and of all that is in it
MANIFEST: Final = "manifest.json"
_NAME: Final = re.compile(r"[\w+&-]{1,80}")
_LONGEST: Final = 200  # letters of a piece's words


@dataclass(frozen=True, slots=True, kw_only=True)
class Pack:
    """A pack as adults see it. `room`: the name of its class; None: the whole school."""

    pack_id: int
    class_id: int | None
    room: str | None
    adult_id: int
    reader: str
    language: str
    role: str
    licence: str
    created_at: float
    agreed_at: float | None
    pieces: int


# ---- whose packs there are


def of_class(class_id: int) -> tuple[Pack, ...]:
    """The packs that the class hears or was promised, first those that come first."""
    school_id = existing(SchoolClass, class_id).school_id
    own = VoicePack.class_id == class_id
    of_all = (VoicePack.class_id.is_(None)) & (VoicePack.school_id == school_id)
    return _packs(or_(own, of_all))


def of_reader(adult_id: int) -> tuple[Pack, ...]:
    return _packs(VoicePack.adult_id == adult_id)


def pack(pack_id: int) -> Pack:
    """One pack. Raises NotFound."""
    found = _packs(VoicePack.id == pack_id)
    if not found:
        raise NotFound("voice")
    return found[0]


def _packs(which: Any) -> tuple[Pack, ...]:
    many = select(func.count()).where(VoicePiece.pack_id == VoicePack.id).scalar_subquery()
    rows = db.session.execute(
        select(VoicePack, Adult.name, SchoolClass.name, many)
        .join(Adult, Adult.id == VoicePack.adult_id)
        .outerjoin(SchoolClass, SchoolClass.id == VoicePack.class_id)
        .where(which)
        .order_by(VoicePack.class_id.is_(None), VoicePack.created_at.desc(), VoicePack.id.desc())
    )
    return tuple(
        Pack(
            pack_id=row.id, class_id=row.class_id, room=room, adult_id=row.adult_id, reader=reader,
            language=row.language, role=row.role, licence=row.licence, created_at=row.created_at,
            agreed_at=row.agreed_at, pieces=pieces,
        )
        for row, reader, room, pieces in rows
    )  # fmt: skip


def heard(class_id: int, language: str) -> tuple[tuple[int, int], ...]:
    """The packs that speak to this class in this language, first the one that comes first: the id
    and the version of each."""
    rooms = select(SchoolClass.school_id).where(SchoolClass.id == class_id).scalar_subquery()
    rows = db.session.execute(
        select(VoicePack.id, VoicePack.changes)
        .where(
            or_(
                VoicePack.class_id == class_id,
                VoicePack.class_id.is_(None) & (VoicePack.school_id == rooms),
            ),
            VoicePack.language == language,
            VoicePack.agreed_at.is_not(None),
            VoicePack.changes > 0,
        )
        .order_by(VoicePack.class_id.is_(None), VoicePack.created_at.desc(), VoicePack.id.desc())
    )
    return tuple((row.id, row.changes) for row in rows)


# ---- a reader begins, and may withdraw at any time


def begin(adult_id: int, class_id: int | None, language: str, licence: str, *, agrees: bool) -> int:
    """Begin a pack of this adult; returns its id. Raises Refused: "voice_agree" without the tick,
    "voice_known" if the adult has such a pack, "voices_full"."""
    if not agrees:
        raise Refused("voice_agree")
    reader = existing(Adult, adult_id)
    with write_unit():
        row = _add(reader, class_id, language, licence, reader.role)
        row.agreed_at = row.created_at
        audit.record(adult_id, "voice_begun", "adult", adult_id)
        return row.id


def ask(class_id: int, parent_id: int, language: str, by: int) -> int:
    """Ask a parent of the class to read for it; nothing is heard before the parent agrees. Raises
    NotFound for anybody else, and Refused as `begin` does."""
    if parent_id not in parents_of(class_id):
        raise NotFound("adult")
    with write_unit():
        row = _add(existing(Adult, parent_id), class_id, language, "school", "parent")
        audit.record(by, "voice_asked", "adult", parent_id)
        return row.id


def parents_of(class_id: int) -> dict[int, str]:
    """The parents of the class's children: id and name, in the order of their names."""
    rows = db.session.execute(
        select(Adult.id, Adult.name)
        .join(FamilyLink, FamilyLink.adult_id == Adult.id)
        .join(Child, Child.id == FamilyLink.child_id)
        .where(Child.class_id == class_id, Adult.role == "parent")
        .distinct()
    )
    return {row.id: row.name for row in sorted(rows, key=lambda row: order(row.name, row.id))}


def agree(pack_id: int, licence: str, *, agrees: bool) -> None:
    """The reader agrees to be heard. Raises Refused("voice_agree"), NotFound."""
    if not agrees:
        raise Refused("voice_agree")
    with write_unit():
        row = held(VoicePack, pack_id)
        row.agreed_at, row.licence = clock.now(), licence
        audit.record(row.adult_id, "voice_begun", "adult", row.adult_id)


def withdraw(pack_id: int, by: int) -> None:
    """Delete a pack with all its pieces, for good: no backup brings it back. From now on the next
    voice is heard. Raises NotFound."""
    with write_unit():
        _take_out(held(VoicePack, pack_id), by)
    empty_log()


def forget_reader(adult_id: int, child_id: int, by: int | None) -> None:
    """Delete what a parent read for the class of this child, to whom the parent is linked no more,
    unless another child of theirs is in it. Call it in the write unit, after the link was
    deleted."""
    class_id = existing(Child, child_id).class_id
    mine = select(FamilyLink.child_id).join(Child, Child.id == FamilyLink.child_id)
    here = mine.where(FamilyLink.adult_id == adult_id, Child.class_id == class_id)
    if db.session.scalar(here.limit(1)) is None:
        own = VoicePack.adult_id == adult_id, VoicePack.class_id == class_id
        for row in db.session.scalars(select(VoicePack).where(*own)):
            _take_out(row, by)


def _take_out(row: VoicePack, by: int | None) -> None:
    tombstones.note_gone(row)
    audit.record(by, "voice_withdrawn", "adult", row.adult_id)
    db.session.delete(row)


def _add(reader: Adult, class_id: int | None, language: str, licence: str, role: str) -> VoicePack:
    same = VoicePack.class_id == class_id if class_id else VoicePack.class_id.is_(None)
    there = db.session.scalars(
        select(VoicePack).where(VoicePack.school_id == reader.school_id, same)
    ).all()
    read = [one for one in there if one.adult_id == reader.id and one.role != "imported"]
    if role != "imported" and any(one.language == language for one in read):
        raise Refused("voice_known")
    if len(there) >= MOST_PACKS:
        raise Refused("voices_full", most=MOST_PACKS)
    row = VoicePack(
        school_id=reader.school_id, class_id=class_id, adult_id=reader.id, language=language,
        role=role, licence=licence, created_at=clock.now(), changes=0,
    )  # fmt: skip
    db.session.add(row)
    db.session.flush()
    return row


# ---- pieces


def version(pack_id: int) -> int:
    """A number that changes with each piece. Raises NotFound."""
    return existing(VoicePack, pack_id).changes


def names(pack_id: int) -> dict[str, int]:
    """The names of the pieces, and how many words each has."""
    return {one.name: len(one.words.split()) for one in pieces(pack_id)}


def pieces(pack_id: int) -> tuple[VoicePiece, ...]:
    """The pieces that were read, oldest first, without their sound until it is asked for."""
    rows = select(VoicePiece).where(VoicePiece.pack_id == pack_id)
    return tuple(db.session.scalars(rows.order_by(VoicePiece.at)))


def sound(pack_id: int, name: str) -> bytes:
    """A piece as an mp3. Raises NotFound."""
    which = VoicePiece.pack_id == pack_id, VoicePiece.name == name
    found = db.session.scalar(select(VoicePiece.sound).where(*which))
    if found is None:
        raise NotFound("voice")
    return found


def put(pack_id: int, name: str, words: str, recorded: bytes, example: int | None) -> Prepared:
    """Keep a piece as it was read, in place of an earlier one. `recorded`: see
    voice_sound.prepared; `example`: how long the same words take in another voice, in ms.

    Raises Refused as `prepared` does, "voice_short" or "voice_long" beside the example, and
    "voice_agree" before the reader has agreed.
    """
    made = voice_sound.prepared(recorded)
    usual = example or 250 + 60 * len(words)
    if not usual / 3 <= made.ms <= 3 * usual + 600:
        raise Refused("voice_short" if made.ms < usual else "voice_long")
    with write_unit():
        row = held(VoicePack, pack_id)
        if row.agreed_at is None:
            raise Refused("voice_agree")
        db.session.merge(_row(pack_id, name, words, made))
        row.changes += 1
    return made


def _row(pack_id: int, name: str, words: str, made: Prepared) -> VoicePiece:
    return VoicePiece(pack_id=pack_id, name=name, words=words, at=clock.now(), **asdict(made))


# ---- a pack as a file


def exported(pack_id: int) -> bytes:
    """A pack as a zip: its manifest, and an mp3 for each piece. Raises NotFound."""
    row = existing(VoicePack, pack_id)
    found = db.session.execute(
        select(
            VoicePiece.name, VoicePiece.words, VoicePiece.loudness, VoicePiece.ms, VoicePiece.sound
        )
        .where(VoicePiece.pack_id == pack_id)
        .order_by(VoicePiece.at)
    ).all()
    manifest = {
        "language": row.language,
        "role": row.role,
        "licence": row.licence,
        "date": datetime.fromtimestamp(row.agreed_at or row.created_at, UTC).date().isoformat(),
        "pieces": {
            one.name: {"words": one.words, "loudness": one.loudness, "ms": one.ms} for one in found
        },
    }
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as zipped:
        zipped.writestr(MANIFEST, json.dumps(manifest, ensure_ascii=False, indent=1))
        for one in found:
            zipped.writestr(f"{one.name}.mp3", one.sound)
    return file.getvalue()


def imported(adult_id: int, class_id: int | None, file: bytes) -> int:
    """Take in a pack from a file that `exported` made, also at another school; returns its id.

    Raises Refused: "voice_file" for anything else, "voice_licence" for a pack that is for another
    school only, and as `begin` does. Then nothing of it is kept.
    """
    manifest, sounds = _unzipped(file)
    language, licence = manifest.get("language"), manifest.get("licence")
    if language not in LANGUAGES:
        raise Refused("voice_file")
    if licence != "free":
        raise Refused("voice_licence")
    made = {name: voice_sound.checked(sound) for name, (_words, sound) in sounds.items()}
    with write_unit():
        row = _add(existing(Adult, adult_id), class_id, language, licence, "imported")
        row.agreed_at, row.changes = row.created_at, 1
        db.session.add_all(
            _row(row.id, name, words, made[name]) for name, (words, _sound) in sounds.items()
        )
        audit.record(adult_id, "voice_begun", "adult", adult_id)
        return row.id


def _unzipped(file: bytes) -> tuple[Mapping[str, Any], dict[str, tuple[str, bytes]]]:
    """The manifest, and words and sound of each piece by name. Reads no more than it allows."""
    try:
        with zipfile.ZipFile(io.BytesIO(file)) as zipped:
            inside = zipped.infolist()
            if len(inside) > MOST_PIECES or sum(one.file_size for one in inside) > LARGEST_FILE:
                raise Refused("voice_file")
            read = {one.filename: zipped.read(one) for one in inside}
        manifest = json.loads(read[MANIFEST])
        found = {}
        for name, piece in manifest["pieces"].items():
            words = piece["words"]
            if not _NAME.fullmatch(name) or not 0 < len(words) <= _LONGEST:
                raise Refused("voice_file")
            found[name] = words, read[f"{name}.mp3"]
    except (*DAMAGED, LookupError, TypeError, AttributeError, RuntimeError) as error:
        raise Refused("voice_file") from error
    if not found:
        raise Refused("voice_file")
    return manifest, found
