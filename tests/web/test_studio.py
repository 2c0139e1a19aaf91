"""Voices on the web: who hears which, the studio, and recordings that are sent."""

from __future__ import annotations

import io
import re

import pytest

from classroom.services.school import voice_packs
from classroom.web.voice import pieces
from classroom.web.words import phrases
from tests.recordings import spoken
from tests.web.test_spanish import give_spanish
from tests.world import Visitor, World


def packs_of(page: str) -> list[str]:
    found = re.search(r'data-packs="([^"]*)"', page)
    return found[1].split() if found else []


def test_a_childs_pages_name_the_voices_of_its_class_and_load_their_script(world: World) -> None:
    page = world.visitor("Miaqua").get("/play/").text
    assert packs_of(page) == [f"/voice/{world.voices['sunfish']}/1/"]
    assert "js/recorded.js" in page
    with world.app.app_context():
        voice_packs.withdraw(world.voices["sunfish"], world.adults["lake"])
    page = world.visitor("Miaqua").get("/play/").text
    assert packs_of(page) == []
    assert "js/recorded.js" not in page


def test_a_child_who_reads_spanish_hears_the_voice_that_speaks_spanish(world: World) -> None:
    give_spanish(world, "Miaqua")
    page = world.visitor("Miaqua").get("/play/").text
    assert packs_of(page) == [], "the class has a voice in English only"
    how = {"language": "es", "licence": "school", "agrees": True}
    with world.app.app_context():
        voice = voice_packs.begin(world.adults["mere"], world.classes["sunfish"], **how)
        voice_packs.put(voice, "yes", "¡Sí!", spoken("yes"), None)
    page = world.visitor("Miaqua").get("/play/").text
    assert packs_of(page) == [f"/voice/{voice}/1/"]


def test_a_voice_is_listed_below_the_language_that_it_speaks(world: World) -> None:
    how = {"language": "es", "licence": "school", "agrees": True}
    with world.app.app_context():
        voice_packs.begin(world.adults["mere"], world.classes["sunfish"], **how)
    page = world.visitor("lake").get(f"/teach/classes/{world.classes['sunfish']}/voices").text
    english, spanish = page.split("<h2>Spanish</h2>")
    assert "<b>Lakeqadult</b>" in english
    assert "<b>Lakeqadult</b>" not in spanish
    assert "<b>Mereqadult</b>" in spanish
    assert "<b>Mereqadult</b>" not in english


def test_a_parent_finds_the_request_to_read_until_they_agree(world: World) -> None:
    reed, asks = world.visitor("reed"), "A teacher has asked you to lend your voice"
    assert asks not in reed.get("/family/").text
    with world.app.app_context():
        room, lake = world.classes["sunfish"], world.adults["lake"]
        asked = voice_packs.ask(room, world.adults["reed"], "en", lake)
    assert asks in reed.get("/family/").text
    assert reed.post(f"/voice/{asked}/agree", {"agrees": "1"}).status_code == 303
    assert asks not in reed.get("/family/").text


def test_a_browser_may_keep_a_piece_but_nobody_between(world: World) -> None:
    answer = world.visitor("Miaqua").get(f"/voice/{world.voices['sunfish']}/1/yes.mp3")
    assert answer.content_type == "audio/mpeg"
    assert answer.headers["Cache-Control"].startswith("private, max-age=")
    listed = world.visitor("Miaqua").get(f"/voice/{world.voices['sunfish']}/1/pieces.json")
    assert listed.json == {"yes": 1}


def test_only_the_studio_may_use_a_microphone(world: World) -> None:
    lake = world.visitor("lake")
    studio = lake.get(f"/voice/{world.voices['sunfish']}/read")
    assert "microphone=(self)" in studio.headers["Permissions-Policy"]
    for page in ("/voice/", "/teach/", "/account"):
        assert "microphone=()" in lake.get(page).headers["Permissions-Policy"]


def sent(visitor: Visitor, pack_id: int, name: str, body: bytes) -> object:
    headers = {"X-Token": visitor.token(), "Content-Type": "audio/wav"}
    return visitor.client.post(f"/voice/{pack_id}/read/{name}", data=body, headers=headers)


def test_a_piece_that_was_read_is_kept_and_heard(world: World) -> None:
    lake, pack_id = world.visitor("lake"), world.voices["sunfish"]
    answer = sent(lake, pack_id, "go-fish", spoken("go-fish"))
    assert answer.status_code == 200  # type: ignore[attr-defined]
    assert abs(answer.json["loudness"] + 16) < 1  # type: ignore[attr-defined]
    address = packs_of(world.visitor("Miaqua").get("/play/").text)[0]
    assert world.visitor("Miaqua").get(f"{address}pieces.json").json == {"go-fish": 2, "yes": 1}
    assert world.visitor("Miaqua").get(f"{address}go-fish.mp3").status_code == 200


def test_a_recording_that_is_no_good_is_refused_in_one_sentence(world: World) -> None:
    lake, pack_id = world.visitor("lake"), world.voices["sunfish"]
    for body, words in ((b"picture", "Nothing was saved"), (spoken("yes", gain=9), "too loud")):
        answer = sent(lake, pack_id, "go-fish", body)
        assert answer.status_code == 422  # type: ignore[attr-defined]
        assert words in answer.json["problem"]  # type: ignore[attr-defined]
    assert sent(lake, pack_id, "no-such-piece", b"").status_code == 404  # type: ignore[attr-defined]
    with world.app.app_context():
        assert set(voice_packs.names(pack_id)) == {"yes"}


@pytest.mark.parametrize("who", ["Miaqua", "reed", "rush", "sedge", "mere", "eddy", "device"])
def test_nobody_reads_into_the_voice_of_somebody_else(world: World, who: str) -> None:
    answer = sent(world.visitor(who), world.voices["sunfish"], "yes", spoken("yes"))
    assert answer.status_code == 404  # type: ignore[attr-defined]


def test_only_an_administrator_reads_for_the_whole_school(world: World) -> None:
    what = {"room": "", "language": "en", "agrees": "1"}
    for who, status in (("lake", 400), ("admin", 303)):
        assert world.visitor(who).post("/voice/", what).status_code == status, who


def test_a_voice_is_taken_in_from_a_file_and_anything_else_is_refused(world: World) -> None:
    lake, marsh = world.visitor("lake"), world.visitor("marsh")
    file = lake.get(f"/voice/{world.voices['sunfish']}/voice.zip").data

    def take(body: bytes) -> int:
        data = {"token": marsh.token(), "room": world.classes["carp"]}
        data["file"] = (io.BytesIO(body), "voice.zip")  # type: ignore[assignment]
        return marsh.client.post("/voice/file", data=data).status_code

    assert take(b"no zip") == 422
    assert take(file) == 303
    with world.app.app_context():
        assert voice_packs.of_reader(world.adults["marsh"])[0].role == "imported"


# ---- the pieces of a language


def test_two_hundred_pieces_say_what_is_heard_most() -> None:
    first = list(pieces.to_read("en"))[: pieces.ENOUGH]
    assert {"go-fish", "your-turn", "for-7", "bear-asks", "fox", "n-10"} <= set(first)
    assert not any("+" in name for name in first)  # frames are put together from their parts


@pytest.mark.parametrize("spoken_language", ["es"])
def test_a_sentence_of_the_device_falls_apart_into_pieces_that_can_be_read(
    spoken_language: str,
) -> None:
    from classroom.web.child.card_faces import ClassFace

    known, table = pieces.to_read(spoken_language), phrases.table(spoken_language)
    assert table is not None
    first = list(known)[: pieces.ENOUGH]
    sevens = ClassFace("7", 7, "rank")
    for key, tags, slots in (
        ("step.asked", (), {"who": "bear", "other": "fox", "thing": sevens}),
        ("step.asked", ("me",), {"who": "bear", "other": "fox", "thing": sevens}),
        ("step.gave", ("me",), {"other": "fox", "n": 2}),
        ("step.gofish", (), {}),
        ("step.turn", ("me",), {}),
    ):
        said = table.phrase(key, tags, slots).say
        parts = [name for part in re.split(r"[=|]", said) if (name := pieces.name_of(part))]
        assert set(parts) <= set(first), said
