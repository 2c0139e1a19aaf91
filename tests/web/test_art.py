"""The drawings of the games: small, allowed by the content security policy, and showing
the right numbers."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from flask import Flask

from classroom.games import GAMES
from classroom.services.access.knocks import COLOURS, SHAPES
from classroom.services.access.sign_in import PICTURES
from classroom.services.base import names
from classroom.web.words import phrases
from tools import make_voice

ART = Path(__file__).parents[2] / "static" / "art"
SHEETS = ("sprite", "games", "how", "signs", "pictures")
SVG = "{http://www.w3.org/2000/svg}"


def _symbols(sheet: str) -> dict[str, ElementTree.Element]:
    tree = ElementTree.parse(ART / f"{sheet}.svg")
    return {each.get("id", ""): each for each in tree.iter(f"{SVG}symbol")}


@pytest.fixture(scope="module")
def drawn() -> dict[str, ElementTree.Element]:
    return _symbols("games")


@pytest.fixture
def how(app: Flask) -> Iterator[Any]:
    """The scenes and captions of components/how_words.html."""
    with app.test_request_context():
        yield app.jinja_env.get_template("components/how_words.html").module


def captions() -> dict[str, phrases.Phrase]:
    """What is said of each scene, in English."""
    english = phrases.table(phrases.FIRST)
    assert english
    return {key: english.phrase(f"how.{key}", (), {}) for key in english.entries["how"]}


def _strokes(symbol: ElementTree.Element, wanted: str) -> int:
    """The number of strokes of this kind in a symbol; dots are strokes of no length."""
    return sum(len(re.findall(wanted, path.get("d", ""))) for path in symbol.iter(f"{SVG}path"))


@pytest.mark.parametrize("sheet", SHEETS)
def test_a_sheet_has_no_address_style_or_script_and_no_missing_symbol(sheet: str) -> None:
    text = re.sub(r"<!--.*?-->", "", (ART / f"{sheet}.svg").read_text(), flags=re.DOTALL)
    assert not re.search(r"url\(|<style|style=|<script|\son\w+=|href=\"(?!#)", text)
    ids = re.findall(r' id="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]+)"', text)) <= set(ids)


def test_each_sign_at_the_door_has_its_drawing_and_its_colour() -> None:
    assert set(_symbols("signs")) == {f"sign-{shape}" for shape in SHAPES}
    outlines = {next(each.iter(f"{SVG}path")).get("d") for each in _symbols("signs").values()}
    assert len(outlines) == len(SHAPES)
    look = (ART.parent / "css" / "look.css").read_text()
    found = dict(re.findall(r"\.sign--(\w+) \{\s*color: (#[0-9a-f]{6});", look))
    assert set(found) == set(COLOURS)
    assert len(set(found.values())) == len(COLOURS)


def test_the_sheet_of_scenes_is_small() -> None:
    text = (ART / "how.svg").read_bytes()
    assert len(text) < 90_000
    assert len(gzip.compress(text)) < 20_000


def test_every_game_is_explained_in_at_most_six_existing_scenes(how: Any) -> None:
    told = {f"how-{picture}" for each in how.scenes.values() for picture, _ in each}
    assert set(how.scenes) == set(GAMES)
    assert all(5 <= len(each) <= 6 for each in how.scenes.values())
    assert told == set(_symbols("how"))
    assert {say for each in how.scenes.values() for _, say in each} == set(captions())


def test_the_captions_are_short_enough_to_listen_to() -> None:
    said = {key: caption.words for key, caption in captions().items()}
    assert max(len(text.split()) for text in said.values()) <= 24
    assert len(set(said.values())) == len(said)
    assert captions()["deal"].say == "how-deal"


@pytest.mark.parametrize("n", range(11))
def test_a_ten_frame_a_tally_and_the_fingers_show_their_number(
    drawn: dict[str, ElementTree.Element], n: int
) -> None:
    assert _strokes(drawn[f"t-{n}"], r"h0") == n
    assert _strokes(drawn[f"tw-{n}"], r"h0") == n
    assert len(list(drawn[f"tw-{n}"].iter(f"{SVG}circle"))) == 10 - n
    assert _strokes(drawn[f"tp-{n}"], r"h0") == n
    assert len(list(drawn[f"tp-{n}"].iter(f"{SVG}circle"))) == 10 - n
    marks = _strokes(drawn[f"y-{n}"], r"V\d+") + _strokes(drawn[f"y-{n}"], r"L")
    assert marks == n
    hands = [each.get("href", "") for each in drawn[f"h-{n}"].iter(f"{SVG}use")]
    assert sum(int(each.removeprefix("#_h")) for each in hands) == n


@pytest.mark.parametrize("n", range(6))
def test_a_hand_shows_as_many_fingers_as_its_number(n: int) -> None:
    text = (ART / "games.svg").read_text()
    hand = re.search(rf'<g id="_h{n}">(.*?)</g>\n', text)
    assert hand is not None
    tips = re.findall(r'stroke-width="10"', hand[1])
    assert len(tips) == n


@pytest.mark.parametrize("n", range(6))
def test_a_five_frame_shows_its_number(drawn: dict[str, ElementTree.Element], n: int) -> None:
    assert _strokes(drawn[f"v-{n}"], r"h0") == n
    assert len(list(drawn[f"vw-{n}"].iter(f"{SVG}circle"))) == 5 - n
    assert len(list(drawn[f"vp-{n}"].iter(f"{SVG}circle"))) == 5 - n


@pytest.mark.parametrize("n", range(1, 11))
def test_a_ten_frame_fills_from_the_left_upper_row_first(
    drawn: dict[str, ElementTree.Element], n: int
) -> None:
    paths = "".join(path.get("d", "") for path in drawn[f"t-{n}"].iter(f"{SVG}path"))
    places = [(float(y), float(x)) for x, y in re.findall(r"M([\d.]+) ([\d.]+)h0", paths)]
    assert places == sorted(places)
    assert len({y for y, _ in places[:5]}) == 1


def test_every_card_of_the_other_decks_has_its_drawings(
    drawn: dict[str, ElementTree.Element],
) -> None:
    shapes = ("square", "triangle", "heart", "circle", "blob")
    colours = ("coral", "sand", "weed", "night", "black")
    suits = ("rock", "lizard", "frog", "shell", "weed")
    wanted = {f"f-{shape}-{colour}" for shape in shapes for colour in colours}
    wanted |= {f"fc-{colour}" for colour in colours}
    wanted |= {f"{kind}-{shape}" for kind in ("fs", "fg") for shape in shapes}
    wanted |= {f"{kind}-{suit}" for kind in ("o", "os", "o-joker") for suit in suits}
    wanted |= {f"p-{n}-{suit}" for n in range(1, 14) for suit in suits}
    wanted |= {f"d-{n}" for n in range(21)} | {"d-q"}
    assert wanted <= set(drawn)


def test_a_five_suit_card_has_as_many_signs_as_its_number() -> None:
    text = (ART / "games.svg").read_text()
    rows = {"_frog1": 1}
    for k in range(2, 6):
        assert f'<g id="_frog{k}"><use href="#_frog{k - 1}"/><use href="#os-frog"' in text
        rows[f"_frog{k}"] = k
    for n in range(1, 14):
        card = re.search(rf'<symbol id="p-{n}-frog".*?</symbol>', text)
        assert card is not None
        used = re.findall(r'href="#([^"]+)"', card[0])
        assert sum(rows.get(each, 1) for each in used) == n


FEELINGS = ("glad", "thinks", "oh")


def test_every_animal_is_spoken_and_drawn_awake_asleep_and_waving() -> None:
    assert tuple(make_voice.ANIMALS) == names.ANIMALS
    assert {f"a-{animal}" for animal in names.ANIMALS} <= _symbols("sprite").keys()
    wanted = {f"{kind}-{animal}" for kind in "zw" for animal in names.ANIMALS}
    assert set(_symbols("asleep")) == wanted


@pytest.mark.parametrize("animal", make_voice.ANIMALS)
def test_every_animal_has_a_calm_face_and_three_others_on_the_same_head(animal: str) -> None:
    sprite = _symbols("sprite")
    calm = sprite[f"a-{animal}"]
    assert [each.get("id") for each in calm.iter(f"{SVG}g") if each.get("id")] == [f"_{animal}"]
    drawn = set()
    for feeling in FEELINGS:
        symbol = sprite[f"a-{animal}-{feeling}"]
        head, *face = symbol
        assert head.get("href") == f"#_{animal}"
        assert face
        drawn.add(ElementTree.tostring(symbol))
    assert len(drawn) == len(FEELINGS)


def test_the_script_and_the_table_name_only_faces_that_are_drawn() -> None:
    script = (ART.parents[1] / "scripts" / "child" / "faces.js").read_text("utf-8")
    seats = (ART.parents[1] / "templates" / "components" / "seats.html").read_text("utf-8")
    causes = re.search(r"causes = .*?\(\{(.*?)\}\);", script, re.DOTALL)
    assert causes
    assert set(re.findall(r'"(\w+)"', causes[1])) == set(FEELINGS)
    assert '"thinks" if waiting' in seats


def test_the_pictures_of_sign_in_are_all_on_their_sheet() -> None:
    assert {name for name in _symbols("pictures") if name.startswith("q-")} == set(PICTURES)
