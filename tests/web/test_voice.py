"""Everything that a child's page says can be heard, piece by piece."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest
from flask import Flask, g

from classroom.engine import observe
from classroom.engine.observation import Observation
from classroom.games import GAMES
from classroom.minds.hints import STEPS, hint
from classroom.web.child.card_faces import LOOKS
from classroom.web.child.helping import help_view
from classroom.web.child.table_view import TableView, table_view
from classroom.web.http.pages import render
from tests.web.test_table_view import played, table
from tools import make_voice
from tools.voice import recording

ROOT = Path(__file__).parents[2]
PIECES = {path.stem for path in (ROOT / "static" / "voice").glob("*.mp3")}
SAID = re.compile(r'data-(?:[a-z]+-)?say="([^"]*)"')
CAPTION = re.compile(r'<(p|h1)\b[^>]*? data-say="([^"]*)"[^>]*>(.*?)</\1>', re.DOTALL)
TAG = re.compile(r"<[^>]+>")
COUNTS = json.loads(recording.WORDS.read_text("utf-8"))
FILLED = re.compile(r"\{\w+\}")


def said(page: str) -> set[str]:
    """Every piece that this page names."""
    found = {name for text in SAID.findall(page) for name in text.split()}
    return {name for name in found if not FILLED.search(name)}


@pytest.fixture
def request_(app: Flask) -> Iterator[None]:
    with app.test_request_context("/"):
        g.token = g.device = ""
        yield


@pytest.mark.walk(4)
@pytest.mark.parametrize("game", GAMES)
def test_every_piece_that_a_table_says_exists(game: str, request_: None) -> None:
    fewest, most = GAMES[game].rules.seats
    states = played(game, min(max(fewest, 3), most), seed=1)
    missing: set[str] = set()
    for move in {*range(0, len(states), 8), len(states) - 1}:
        seen = observe(states[move], 0)
        shown = table_view(table(seen, game), max(0, move - 8))
        page = render("partials/child/table.html", hint=None, t=shown, key="k", notice="not_held")
        assert 'data-kind="' in page or move == 0
        missing |= said(page) - PIECES
        assert not unlike(page)
        if seen.legal and not move % 24:
            missing |= said(hints(seen, shown)) - PIECES
    assert not missing


def unlike(page: str) -> list[tuple[str, str]]:
    """The captions of this page, with their pieces, that do not have as many words as the pieces
    together: such a caption is not lit word by word. What the script fills in is left out."""
    found = []
    for _, pieces, inner in CAPTION.findall(page):
        caption = unescape(TAG.sub("", inner))
        many = sum(COUNTS.get(name, 0) for name in pieces.split())
        if not FILLED.search(pieces) and many != len(recording.WORD.findall(caption)):
            found.append((pieces, caption))
    return found


def test_a_caption_that_its_pieces_do_not_say_is_found() -> None:
    said = '<p class="told" data-say="go-fish">{}</p>'
    assert not unlike(said.format("<b>Go</b> fish!"))
    assert unlike(said.format("Go!")) == [("go-fish", "Go!")]


def test_it_is_known_how_many_words_each_piece_has() -> None:
    assert {name: recording.words_in(name, say) for name, say in make_voice.phrases()} == COUNTS
    assert (COUNTS["n-7"], COUNTS["n-26"], COUNTS["bear-asks+fox"]) == (1, 1, 3)


def test_every_winner_of_a_match_can_be_heard(request_: None) -> None:
    last = observe(played("guru_points", 3, seed=1)[-1], 0)
    shown = table_view(table(last, "guru_points"), 0)
    others = [replace(shown.seats[1], animal=animal) for animal in make_voice.ANIMALS]
    for who in (shown.me, *others):
        won = f"{'you' if who == shown.me else who.animal}-won"
        page = render(
            "partials/child/table.html",
            notice=None,
            hint=None,
            t=replace(shown, champion=who),
            key="k",
        )
        assert f'id="made" data-say="{won}"' in page
        assert won in PIECES


def hints(seen: Observation, shown: TableView) -> str:
    steps = (help_view(hint(seen, step), seen, LOOKS[0]) for step in STEPS)
    return "".join(render("partials/child/hint.html", t=shown, hint=step) for step in steps)


def test_a_games_name_and_explanation_can_be_heard() -> None:
    table = (ROOT / "translations" / "sentences" / "en.toml").read_text("utf-8")
    told = tomllib.loads(table)["how"].values()
    assert {(one["other"] if isinstance(one, dict) else one)[1] for one in told} <= PIECES
    assert {f"game-{key}" for key in GAMES} <= PIECES


def test_every_piece_that_another_page_says_exists() -> None:
    pages = [*(ROOT / "templates" / "pages" / "child").glob("*.html")]
    pages += [ROOT / "templates" / "partials" / "child" / "notice.html"]
    text = "".join(path.read_text("utf-8") for path in pages)
    plain = set(re.findall(r'data-say="([a-z0-9 -]+)"', text))
    assert {name for line in plain for name in line.split()} <= PIECES


def test_the_script_makes_exactly_the_pieces_that_exist() -> None:
    assert dict(make_voice.phrases()).keys() == PIECES


def test_every_piece_was_recorded_with_its_present_words_by_one_voice() -> None:
    recorded = recording.recorded()
    assert {name: words for name, (_, words) in recorded.items()} == dict(make_voice.phrases())
    assert len({voice for voice, _ in recorded.values()}) == 1


def test_every_frame_can_be_joined_from_its_parts() -> None:
    frames = [name for name in PIECES if "+" in name]
    assert frames
    assert {part for name in frames for part in name.split("+")} <= PIECES


def test_the_voice_is_small() -> None:
    sizes = [path.stat().st_size for path in (ROOT / "static" / "voice").glob("*.mp3")]
    assert max(sizes) < 32_000
    assert sum(sizes) < 7_200_000


def test_htmx_keeps_nothing_and_loads_both_extensions() -> None:
    base = (ROOT / "templates" / "layouts" / "base.html").read_text("utf-8")
    found = re.search(r"htmx-config\" content='([^']+)'", base)
    assert found
    settings = json.loads(found[1])
    assert settings["history"] == "reload"
    assert settings["extensions"] == "sse,newest"
