"""Voices that adults lend: whose there are, which is heard, and what is refused."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import func, select

from classroom.database import db, write_unit
from classroom.models import AuditEntry, VoicePack, VoicePiece
from classroom.services.access import sessions
from classroom.services.base import disk, tombstones
from classroom.services.base.errors import NotFound, Refused
from classroom.services.operation import restored
from classroom.services.school import family_links, removals, voice_packs
from tests.recordings import VOICE, spoken
from tests.world import World

Pieces = tuple[str, ...]


@pytest.fixture
def here(world: World) -> Iterator[World]:
    with world.app.app_context():
        yield world
        db.session.rollback()


def begun(world: World, who: str = "mere", room: str | None = "sunfish", **more: str) -> int:
    class_id = world.classes[room] if room else None
    how = {"language": "en", "licence": "school", **more}
    return voice_packs.begin(world.adults[who], class_id, **how, agrees=True)


def put(pack_id: int, *names: str) -> None:
    for name in names:
        voice_packs.put(pack_id, name, name, spoken(name), None)


def heard(world: World, room: str, language: str = "en") -> list[int]:
    return [pack_id for pack_id, _version in voice_packs.heard(world.classes[room], language)]


def count(model: type) -> int:
    return db.session.scalar(select(func.count()).select_from(model)) or 0


def refusal(act: object) -> str:
    with pytest.raises(Refused) as refused:
        act()  # type: ignore[operator]
    return refused.value.code


# ---- which voice is heard


def test_the_newest_voice_of_a_class_comes_first_and_the_schools_after_it(here: World) -> None:
    school, own = begun(here, "admin", None), begun(here, "mere")
    for pack_id in (school, own):
        put(pack_id, "yes")
    assert heard(here, "sunfish") == [own, here.voices["sunfish"], school]
    assert heard(here, "perch") == [here.voices["perch"], school]
    assert heard(here, "carp") == [here.voices["carp"]]  # another school
    assert heard(here, "sunfish", "es") == []


def test_nothing_is_heard_before_somebody_agreed_and_read(here: World) -> None:
    reed, room = here.adults["reed"], here.classes["sunfish"]
    asked = voice_packs.ask(room, reed, "en", here.adults["lake"])
    assert asked not in heard(here, "sunfish")
    assert refusal(lambda: voice_packs.put(asked, "yes", "Yes!", spoken("yes"), None)) == (
        "voice_agree"
    )
    assert refusal(lambda: voice_packs.agree(asked, "school", agrees=False)) == "voice_agree"
    voice_packs.agree(asked, "school", agrees=True)
    assert asked not in heard(here, "sunfish")
    put(asked, "yes")
    assert heard(here, "sunfish")[0] == asked


def test_a_version_changes_with_each_piece_and_a_piece_can_be_read_again(here: World) -> None:
    pack_id = begun(here)
    versions = [voice_packs.pack(pack_id).changes]
    for name in ("yes", "hello", "yes"):
        put(pack_id, name)
        versions.append(voice_packs.pack(pack_id).changes)
    assert versions == sorted(set(versions))
    assert voice_packs.names(pack_id) == {"hello": 1, "yes": 1}
    with pytest.raises(NotFound):
        voice_packs.sound(pack_id, "go-fish")


# ---- what is refused, and then nothing is kept


def test_a_voice_needs_the_tick_and_there_is_one_of_each_adult(here: World) -> None:
    mere, room = here.adults["mere"], here.classes["sunfish"]
    before = count(VoicePack)
    assert refusal(lambda: voice_packs.begin(mere, room, "en", "school", agrees=False)) == (
        "voice_agree"
    )
    begun(here)
    assert refusal(lambda: begun(here)) == "voice_known"
    begun(here, language="es")
    assert count(VoicePack) == before + 2


def test_only_a_parent_of_the_class_can_be_asked(here: World) -> None:
    room, lake = here.classes["perch"], here.adults["lake"]
    for who in ("reed", "sedge", "mere"):
        with pytest.raises(NotFound):
            voice_packs.ask(room, here.adults[who], "en", lake)


@pytest.mark.walk(2)
@pytest.mark.parametrize(
    ("recorded", "example", "code"),
    [
        (b"no sound at all", None, "voice_no_sound"),
        (spoken("how-deal"), 300, "voice_long"),
        (spoken("yes"), 9_000, "voice_short"),
        (spoken("yes", gain=9), 600, "voice_clipped"),
    ],
)
def test_a_recording_that_is_no_good_is_not_kept(
    here: World, recorded: bytes, example: int | None, code: str
) -> None:
    pack_id, before = begun(here), count(VoicePiece)
    assert refusal(lambda: voice_packs.put(pack_id, "yes", "Yes!", recorded, example)) == code
    assert (count(VoicePiece), voice_packs.pack(pack_id).changes) == (before, 0)


# ---- withdrawing


def test_a_withdrawn_voice_is_gone_at_once_and_no_backup_brings_it_back(here: World) -> None:
    pack_id, lake = here.voices["sunfish"], here.adults["lake"]
    kept = db.session.get_one(VoicePack, pack_id)
    facts = {column.name: getattr(kept, column.name) for column in VoicePack.__table__.columns}
    voice_packs.withdraw(pack_id, lake)
    assert heard(here, "sunfish") == []
    assert db.session.get(VoicePack, pack_id) is None
    left = select(VoicePiece.name).where(VoicePiece.pack_id == pack_id)
    assert db.session.scalars(left).all() == []
    folder = disk.folder_of(db.engine)
    assert folder is not None
    assert any(line[0] == "voice" for line in tombstones.lines(folder))
    with write_unit():  # as in a backup
        db.session.add(VoicePack(**facts))
    assert ("voice", pack_id) in restored.replay()
    assert db.session.get(VoicePack, pack_id) is None


@pytest.mark.sqlite
def test_no_byte_of_a_withdrawn_voice_is_left(here: World) -> None:
    pack_id = begun(here)
    put(pack_id, "yes")
    piece = voice_packs.sound(pack_id, "yes")[200:240]

    def is_left() -> bool:
        db.session.remove()
        files = (path for path in Path(here.app.instance_path).rglob("*") if path.is_file())
        return any(piece in path.read_bytes() for path in files)

    assert is_left()
    voice_packs.withdraw(pack_id, here.adults["mere"])
    assert not is_left()


def test_a_parents_voice_goes_with_the_link_to_the_last_child_of_the_class(here: World) -> None:
    reed, mia = here.adults["reed"], here.children["Miaqua"]
    voice_packs.ask(here.classes["sunfish"], reed, "en", here.adults["lake"])
    family_links.unlink(mia, reed, by=here.adults["lake"])
    assert not voice_packs.of_reader(reed)


def test_a_parents_voice_stays_while_another_child_of_theirs_is_in_the_class(here: World) -> None:
    reed, mia, ben = here.adults["reed"], here.children["Miaqua"], here.children["Benquill"]
    family_links.link(reed, family_links.make_code(ben))
    asked = voice_packs.ask(here.classes["sunfish"], reed, "en", here.adults["lake"])
    family_links.unlink(mia, reed, by=here.adults["lake"])
    assert [one.pack_id for one in voice_packs.of_reader(reed)] == [asked]
    family_links.unlink(ben, reed, by=here.adults["lake"])
    assert not voice_packs.of_reader(reed)


def test_a_voice_goes_with_its_readers_account(here: World) -> None:
    from classroom.models import Adult

    pack_id = begun(here, "brook", "perch", language="es")
    with write_unit():
        removals.take_out_adult(db.session.get_one(Adult, here.adults["brook"]))
    assert db.session.get(VoicePack, pack_id) is None


@pytest.mark.parametrize(("who", "may"), [("mere", True), ("lake", True), ("eddy", False)])
def test_a_substitute_withdraws_no_voice_of_the_class(here: World, who: str, may: bool) -> None:
    assert sessions.keeps_pack(here.adults[who], begun(here)) == may


# ---- as a file


def test_a_voice_comes_out_of_its_file_as_it_went_in(here: World) -> None:
    pack_id = begun(here, licence="free")
    put(pack_id, "yes", "go-fish", "bear-asks+fox")
    file = voice_packs.exported(pack_id)
    taken = voice_packs.imported(here.adults["marsh"], here.classes["carp"], file)
    assert voice_packs.names(taken) == voice_packs.names(pack_id)
    for name in voice_packs.names(taken):
        assert voice_packs.sound(taken, name) == voice_packs.sound(pack_id, name)
    assert heard(here, "carp")[0] == taken
    found = voice_packs.pack(taken)
    assert (found.role, found.language, found.licence) == ("imported", "en", "free")
    assert db.session.scalar(select(func.count()).where(AuditEntry.action == "voice_begun")) == 2


def test_a_voice_for_one_school_does_not_come_to_another(here: World) -> None:
    pack_id = begun(here)
    put(pack_id, "yes")
    file, before = voice_packs.exported(pack_id), count(VoicePack)
    marsh, room = here.adults["marsh"], here.classes["carp"]
    assert refusal(lambda: voice_packs.imported(marsh, room, file)) == "voice_licence"
    assert count(VoicePack) == before


def zipped(manifest: object, **files: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as target:
        target.writestr("manifest.json", json.dumps(manifest))
        for name, content in files.items():
            target.writestr(f"{name}.mp3", content)
    return file.getvalue()


def one_piece(name: str = "yes", words: object = "Yes!", **more: object) -> dict[str, object]:
    return {"language": "en", "licence": "free", "pieces": {name: {"words": words}}, **more}


YES = (VOICE / "yes.mp3").read_bytes()
WHOLE = zipped(one_piece(), yes=YES)
BAD = {
    "damaged": WHOLE[:80] + bytes(one ^ 255 for one in WHOLE[80:400]) + WHOLE[400:],
    "nothing": b"",
    "not a zip": b"PK\3\4 and then nothing",
    "no manifest": zipped([]),
    "a list for pieces": zipped({**one_piece(), "pieces": ["yes"]}, yes=YES),
    "no pieces": zipped({**one_piece(), "pieces": {}}),
    "another language": zipped(one_piece(language="xx"), yes=YES),
    "a name that leads out": zipped(one_piece("../../key"), **{"../../key": YES}),
    "a piece that is not there": zipped(one_piece()),
    "no words": zipped(one_piece(words=""), yes=YES),
    "words that are a number": zipped(one_piece(words=3), yes=YES),
    "a sound that is a program": zipped(one_piece(), yes=b"MZ" * 4_000),
    "a bomb": zipped(one_piece(), yes=b"\0" * 40_000_000),
    "deep": zipped(one_piece(), yes=YES).replace(b"manifest.json", b"manifest_json"),
}


@pytest.mark.parametrize("what", BAD)
def test_a_file_that_is_no_voice_is_refused_and_nothing_kept(here: World, what: str) -> None:
    before = count(VoicePack), count(VoicePiece)
    act = lambda: voice_packs.imported(here.adults["lake"], None, BAD[what])  # noqa: E731
    assert refusal(act) == (
        "voice_no_sound" if what == "a sound that is a program" else "voice_file"
    )
    assert (count(VoicePack), count(VoicePiece)) == before
