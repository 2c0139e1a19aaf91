"""Voice packs: adults' recordings, which pages play to children instead of the built-in voice.

A pack belongs to the adult who reads it. Pages try the class's packs first, then those for the
whole school, newest first, and then the voice that comes with the program. A sentence never mixes
voices: scripts/child/packs.js takes the first voice that has all pieces of the sentence. A voice
identifies a person, so recordings are only played and never used for anything else.
"""

from __future__ import annotations

import io
import json
import re
import wave
import zipfile
from array import array
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import cache
from itertools import groupby
from math import log10, sqrt
from pathlib import Path
from typing import Any, Final

from sqlalchemy import ColumnElement, func, or_, select
from sqlalchemy.orm import undefer

from classroom.database import AnyRow, db, empty_log, write_unit
from classroom.models import Adult, Child, FamilyLink, SchoolClass, VoicePack, VoicePiece
from classroom.services.base import audit, clock, tombstones
from classroom.services.base.errors import NotFound, Refused
from classroom.services.base.names import by_name
from classroom.services.base.rows import existing, held, is_there
from classroom.services.school.lists.reading import DAMAGED

LANGUAGES: Final = ("en", "es")
LICENCES: Final = ("school", "free")  # for use at this school only, or CC BY 4.0
MOST_PACKS: Final = 6  # the most packs for one class, or for the whole school
MOST_PIECES: Final = 2_000  # the most pieces in a pack
LARGEST_FILE: Final = 30_000_000  # maximum size in bytes of a pack's file, packed or unpacked
MANIFEST: Final = "manifest.json"
_NAME: Final = re.compile(r"[\w+&-]{1,80}")
_LONGEST: Final = 200  # the most characters in a piece's words


# ---- the packs of a class or a reader

_packs = VoicePack.__table__.c
_AS_TRIED: Final = (_packs.class_id.is_(None), _packs.created_at.desc(), _packs.id.desc())


def of_class(class_id: int) -> Sequence[AnyRow]:
    """The packs for the class, in the order in which pages try them. Includes packs for which the
    reader's agreement is still missing."""
    return _shown(_for(class_id))


def of_reader(adult_id: int) -> Sequence[AnyRow]:
    """The packs that this adult reads."""
    return _shown(_packs.adult_id == adult_id)


def pack(pack_id: int) -> AnyRow:
    """One pack. Raises NotFound."""
    found = _shown(_packs.id == pack_id)
    if not found:
        raise NotFound("voice")
    return found[0]


def _shown(which: ColumnElement[bool]) -> Sequence[AnyRow]:
    """Packs for the adults' pages. Besides the pack's own columns, a row has `pack_id`, `reader`
    (a name), `room` (the class's name; None for the whole school) and `pieces` (their number)."""
    many = select(func.count()).where(VoicePiece.pack_id == _packs.id).scalar_subquery()
    named = Adult.name.label("reader"), SchoolClass.name.label("room"), many.label("pieces")
    return db.session.execute(
        select(*_packs, _packs.id.label("pack_id"), *named)
        .join(Adult, Adult.id == _packs.adult_id)
        .outerjoin(SchoolClass, SchoolClass.id == _packs.class_id)
        .where(which)
        .order_by(*_AS_TRIED)
    ).all()


def heard(class_id: int, language: str) -> tuple[tuple[int, int], ...]:
    """The id and version of each pack heard in this language, in the order used by `of_class`."""
    agreed = _packs.language == language, _packs.agreed_at.is_not(None), _packs.changes > 0
    rows = select(_packs.id, _packs.changes).where(_for(class_id), *agreed)
    return tuple((row.id, row.changes) for row in db.session.execute(rows.order_by(*_AS_TRIED)))


def _for(class_id: int) -> ColumnElement[bool]:
    """The SQL condition for the packs for this class and for its whole school."""
    school = select(SchoolClass.school_id).where(SchoolClass.id == class_id).scalar_subquery()
    return or_(
        _packs.class_id == class_id, _packs.class_id.is_(None) & (_packs.school_id == school)
    )


# ---- beginning a pack, agreeing to be heard, and withdrawing a pack at any time


def begin(adult_id: int, class_id: int | None, language: str, licence: str, *, agrees: bool) -> int:
    """Begin a pack that this adult reads for a class or, with None, for the whole school; returns
    the pack's id. Raises NotFound, and Refused: "voice_agree" unless the adult agrees to be heard,
    "voice_known" if the adult already has such a pack in this language, "voices_full"."""
    if not agrees:
        raise Refused("voice_agree")
    reader = existing(Adult, adult_id)
    with write_unit():
        row = _add(reader, class_id, language, licence, reader.role)
        row.agreed_at = row.created_at
        audit.record(adult_id, "voice_begun", "adult", adult_id)
        return row.id


def ask(class_id: int, parent_id: int, language: str, by: int) -> int:
    """Ask a parent of a child in the class to read for it; returns the pack's id. Nothing is heard
    before the parent agrees. Raises NotFound for any other adult, and Refused as `begin` does."""
    if parent_id not in parents_of(class_id):
        raise NotFound("adult")
    with write_unit():
        row = _add(existing(Adult, parent_id), class_id, language, "school", "parent")
        audit.record(by, "voice_asked", "adult", parent_id)
        return row.id


def parents_of(class_id: int) -> dict[int, str]:
    """The parents of the children in the class: their names by id, sorted by name."""
    rows = db.session.execute(
        select(Adult.id, Adult.name)
        .join(FamilyLink, FamilyLink.adult_id == Adult.id)
        .join(Child, Child.id == FamilyLink.child_id)
        .where(Child.class_id == class_id, Adult.role == "parent")
        .distinct()
    )
    return {row.id: row.name for row in by_name(rows)}


def agree(pack_id: int, licence: str, *, agrees: bool) -> None:
    """Record that the reader agrees to be heard. Raises Refused("voice_agree"), NotFound."""
    if not agrees:
        raise Refused("voice_agree")
    with write_unit():
        row = held(VoicePack, pack_id)
        row.agreed_at, row.licence = clock.now(), licence
        audit.record(row.adult_id, "voice_begun", "adult", row.adult_id)


def withdraw(pack_id: int, by: int) -> None:
    """Delete a pack with all its pieces for good: no backup brings it back. From now on, children
    hear the next voice. Raises NotFound."""
    with write_unit():
        _take_out(held(VoicePack, pack_id), by)
    empty_log()


def forget_reader(adult_id: int, child_id: int, by: int | None) -> None:
    """Delete the packs that a parent read for this child's class, unless the parent has another
    child in that class. Call this after deleting the link to the child, in the same write unit."""
    class_id = existing(Child, child_id).class_id
    mine = select(Child.id).join(FamilyLink, FamilyLink.child_id == Child.id)
    if not is_there(mine.where(FamilyLink.adult_id == adult_id, Child.class_id == class_id)):
        own = VoicePack.adult_id == adult_id, VoicePack.class_id == class_id
        for row in db.session.scalars(select(VoicePack).where(*own)):
            _take_out(row, by)


def _take_out(row: VoicePack, by: int | None) -> None:
    tombstones.note_gone(row)
    audit.record(by, "voice_withdrawn", "adult", row.adult_id)
    db.session.delete(row)


def _add(reader: Adult, class_id: int | None, language: str, licence: str, role: str) -> VoicePack:
    same = VoicePack.class_id == class_id if class_id else VoicePack.class_id.is_(None)
    of_all = select(VoicePack).where(VoicePack.school_id == reader.school_id)
    there = db.session.scalars(of_all.where(same)).all()
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


def names(pack_id: int) -> dict[str, int]:
    """The number of words in each piece of a pack, by the piece's name."""
    return {one.name: len(one.words.split()) for one in pieces(pack_id)}


def pieces(pack_id: int) -> tuple[VoicePiece, ...]:
    """The pieces of a pack, oldest first. A piece's sound is loaded only when it is used."""
    rows = select(VoicePiece).where(VoicePiece.pack_id == pack_id)
    return tuple(db.session.scalars(rows.order_by(VoicePiece.at)))


def sound(pack_id: int, name: str) -> bytes:
    """The sound of a piece as an mp3. Raises NotFound."""
    which = VoicePiece.pack_id == pack_id, VoicePiece.name == name
    found = db.session.scalar(select(VoicePiece.sound).where(*which))
    if found is None:
        raise NotFound("voice")
    return found


def put(pack_id: int, name: str, words: str, recorded: bytes, example: int | None) -> Prepared:
    """Store a recorded piece, in place of an earlier recording of it. `recorded`: see `prepared`.
    `example`: how long the same words take in another voice, in ms. Raises NotFound, and Refused:
    as `prepared` does, "voice_short" or "voice_long" if the piece is far shorter or longer than the
    example, and "voice_agree" if the reader has not agreed to be heard yet."""
    made = prepared(recorded)
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
    """A pack as the bytes of a zip: a manifest, and an mp3 for each piece. Raises NotFound."""
    row = existing(VoicePack, pack_id)
    with_sound = select(VoicePiece).options(undefer(VoicePiece.sound))
    wanted = with_sound.where(VoicePiece.pack_id == pack_id).order_by(VoicePiece.at)
    found = db.session.scalars(wanted).all()
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
    """Store a pack from a file that `exported` made, even at another school; returns the pack's id.
    Raises Refused, and then stores nothing: "voice_file" for any other file, "voice_licence" for a
    pack that only its own school may use, "voice_no_sound", "voices_full"."""
    manifest, sounds = _unzipped(file)
    language, licence = manifest.get("language"), manifest.get("licence")
    if language not in LANGUAGES:
        raise Refused("voice_file")
    if licence != "free":
        raise Refused("voice_licence")
    made = {name: checked(sound) for name, (_words, sound) in sounds.items()}
    with write_unit():
        row = _add(existing(Adult, adult_id), class_id, language, licence, "imported")
        row.agreed_at, row.changes = row.created_at, 1
        db.session.add_all(
            _row(row.id, name, words, made[name]) for name, (words, _sound) in sounds.items()
        )
        audit.record(adult_id, "voice_begun", "adult", adult_id)
        return row.id


def _unzipped(file: bytes) -> tuple[Mapping[str, Any], dict[str, tuple[str, bytes]]]:
    """The manifest, and the words and sound of each piece by name. Never unpacks more than
    LARGEST_FILE. Raises Refused("voice_file")."""
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


# ---- Preparing a recorded piece: it is checked, trimmed, and made as loud as the others
#
# PyAV (FFmpeg) does this. It is imported when it is first needed, not when the program starts.

RATE: Final = 24_000  # samples per second
LONGEST_SECONDS: Final = 10.0  # the longest recording, including the silence around the words
LOUDNESS: Final = -16.0  # LUFS: usual for speech on tablets and phones
BITS: Final = 24_000  # bits per second

_LEAST: Final = 3.0  # seconds that R128 needs to measure loudness; shorter pieces are repeated
_ROUNDS: Final = 4  # tries to reach LOUDNESS, because an mp3 can be softer than its source
_FRAME: Final = RATE // 100  # samples in a hundredth of a second
_CLIPPED: Final = 4  # with this many full-scale samples in a row, a recording counts as clipped
_CLEAR: Final = 12.0  # dB by which speech must be louder than the background noise
_SOFT: Final = 0.003  # speech must be louder than this share of full scale (root mean square)
_KNEE: Final = 0.6  # samples above this share of full scale are compressed, to allow more gain
_PEAK: Final = 0.84  # the limit for compressed samples: -1.5 dB
_BEFORE, _AFTER = 3, 6  # frames to keep around the loud part: words may begin and end softly


@dataclass(frozen=True, slots=True)
class Prepared:
    """A piece that is ready to play: an mp3 (24 kHz, mono), its loudness (LUFS) and length (ms)."""

    sound: bytes
    loudness: float
    ms: int


def prepared(recorded: bytes) -> Prepared:
    """Make a piece from a wave file (16 bits, mono, 24 kHz). Raises Refused: "voice_no_sound" for
    any other file, "voice_long", "voice_clipped", or "voice_quiet" if nothing is clearly louder
    than the background noise."""
    samples = _read(recorded)
    if len(samples) > LONGEST_SECONDS * RATE:
        raise Refused("voice_long")
    if _is_clipped(samples):
        raise Refused("voice_clipped")
    cut = _faded(_trimmed(samples))
    goal, sound, heard = LOUDNESS, b"", 0.0
    for _ in range(_ROUNDS):
        sound = _encoded(_evened(cut, goal))
        heard = loudness(decoded(io.BytesIO(sound)))
        goal += LOUDNESS - heard
    return Prepared(sound, round(heard, 2), len(cut) * 1000 // RATE)


def checked(sound: bytes) -> Prepared:
    """A piece from an mp3 that was prepared earlier, for an imported pack. Raises
    Refused("voice_no_sound") if it cannot be played, or is too short or too long."""
    import av

    try:
        samples = decoded(io.BytesIO(sound))
    except (av.error.FFmpegError, IndexError, ValueError) as error:
        raise Refused("voice_no_sound") from error
    if not RATE // 10 < len(samples) <= LONGEST_SECONDS * RATE:
        raise Refused("voice_no_sound")
    return Prepared(sound, round(loudness(samples), 2), len(samples) * 1000 // RATE)


@cache
def length(file: Path) -> int:
    """The length in ms of one of the program's recordings, without the silence around the words."""
    return len(_trimmed(decoded(file))) * 1000 // RATE


def loudness(samples: array[int]) -> float:
    """The integrated loudness (EBU R128, LUFS) of a sound, which is repeated if it is too short."""
    import av
    from av.filter import Graph

    graph = Graph()
    source = graph.add_abuffer(format="s16", sample_rate=RATE, layout="mono")
    meter, sink = graph.add("ebur128", "metadata=1"), graph.add("abuffersink")
    source.link_to(meter)
    meter.link_to(sink)
    graph.configure()
    source.push(_frame(samples * (1 + int(_LEAST * RATE / len(samples)))))
    source.push(None)
    found = float("-inf")
    with suppress(av.error.EOFError, av.error.BlockingIOError):
        while True:
            found = float(sink.pull().metadata.get("lavfi.r128.I", found))
    return found


def _read(recorded: bytes) -> array[int]:
    try:
        with wave.open(io.BytesIO(recorded)) as file:
            if (file.getnchannels(), file.getsampwidth(), file.getframerate()) != (1, 2, RATE):
                raise Refused("voice_no_sound")
            samples = array("h", file.readframes(int(LONGEST_SECONDS * RATE) + 1))
    except (wave.Error, EOFError, ValueError) as error:
        raise Refused("voice_no_sound") from error
    if len(samples) < RATE // 10:
        raise Refused("voice_no_sound")
    return samples


def _is_clipped(samples: array[int]) -> bool:
    runs = groupby(samples, key=lambda sample: abs(sample) >= 32_700)
    return any(loud and sum(1 for _ in run) >= _CLIPPED for loud, run in runs)


def _levels(samples: array[int]) -> list[float]:
    """The loudness of each hundredth of a second: the root mean square, from 0 to 1."""
    found = []
    for at in range(0, len(samples) - _FRAME + 1, _FRAME):
        part = samples[at : at + _FRAME]
        mean = sum(part) / _FRAME
        found.append(sqrt(sum((one - mean) ** 2 for one in part) / _FRAME) / 32_768)
    return found


def _trimmed(samples: array[int]) -> array[int]:
    """The samples without the silence before and after the words. Raises Refused("voice_quiet")."""
    levels = _levels(samples)
    loud, room = max(levels), sorted(levels)[len(levels) // 10]
    if loud < _SOFT or 20 * log10(loud / max(room, 1e-6)) < _CLEAR:
        raise Refused("voice_quiet")
    least = max(0.02 * loud, 2.5 * room)
    heard = [at for at, level in enumerate(levels) if level > least]
    begin, end = max(0, heard[0] - _BEFORE), heard[-1] + 1 + _AFTER
    return samples[begin * _FRAME : end * _FRAME]


def _faded(samples: array[int]) -> array[int]:
    faded, edge = samples[:], min(int(0.012 * RATE), len(samples) // 2)
    for at in range(edge):
        faded[at] = faded[at] * at // edge
        faded[-1 - at] = faded[-1 - at] * at // edge
    return faded


def _evened(samples: array[int], goal: float) -> array[int]:
    """The samples at the loudness `goal` (LUFS), with compressed peaks."""
    room, even = _PEAK - _KNEE, samples
    for _ in range(3):  # compressing the peaks makes the piece softer again
        gain = 10 ** ((goal - loudness(even)) / 20) / 32_768
        even = array("h", (_rounded(one * gain, room) for one in even))
    return even


def _rounded(value: float, room: float) -> int:
    over = abs(value) - _KNEE
    if over > 0:
        value = (1 if value > 0 else -1) * (_KNEE + room * over / (room + over))
    return int(value * 32_767)


# ---- sound files, with PyAV


def _frame(samples: array[int]) -> Any:
    import av

    frame = av.AudioFrame(format="s16", layout="mono", samples=len(samples))
    plane = frame.planes[0]
    plane.update(samples.tobytes().ljust(plane.buffer_size, b"\0"))
    frame.rate, frame.pts = RATE, 0
    return frame


def _encoded(samples: array[int]) -> bytes:
    import av

    file = io.BytesIO()
    plain = {"write_xing": "0", "id3v2_version": "0"}
    with av.open(file, "w", format="mp3", options=plain) as target:
        stream = target.add_stream("libmp3lame", rate=RATE, layout="mono", bit_rate=BITS)
        resampler = av.AudioResampler(format=stream.format, layout="mono", rate=RATE)
        for frame in resampler.resample(_frame(samples)):
            target.mux(stream.encode(frame))
        target.mux(stream.encode(None))
    return file.getvalue()


def decoded(file: Path | io.BytesIO) -> array[int]:
    """The samples of a sound file, from -32768 to 32767; at most about LONGEST_SECONDS of them."""
    import av

    samples = array("h")
    with av.open(str(file) if isinstance(file, Path) else file, "r") as source:
        resampler = av.AudioResampler(format="s16", layout="mono", rate=RATE)
        for frame in (*source.decode(audio=0), None):
            for part in resampler.resample(frame):
                samples.frombytes(bytes(part.planes[0])[: 2 * part.samples])
            if len(samples) > LONGEST_SECONDS * RATE:
                break
    return samples
