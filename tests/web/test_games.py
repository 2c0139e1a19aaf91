"""Every game over HTTP, without scripts: a round is played to its end with the page's own forms."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urlencode

import pytest

from classroom.games import GAMES
from classroom.services.operation import background
from classroom.services.table import offers
from tests.playing import Browser, Classroom, browser

# ---- a page as a browser without scripts sees it


@dataclass
class Form:
    method: str
    action: str
    fields: list[tuple[str, str]] = field(default_factory=list)


@dataclass
class Button:
    """A button: its attributes, and the form that it sends."""

    of: dict[str, str]
    form: Form | str

    def has(self, name: str) -> bool:
        return name in self.of.get("class", "").split()

    @property
    def pressed(self) -> bool:
        return self.of.get("aria-pressed") == "true"


class Page(HTMLParser):
    """The forms of a page, and the buttons that can be pressed now."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.forms: dict[str, Form] = {}
        self.open: Form | None = None
        self.pressable: list[Button] = []
        self.next = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        of = {name: value or "" for name, value in attrs}
        if of.get("id") == "table":
            self.next = of["data-next"]
        if tag == "form":
            self.open = Form(of.get("method", "get"), of.get("action", ""))
            self.forms[of.get("id", f"_{len(self.forms)}")] = self.open
        elif tag == "input" and self.open is not None:
            self.open.fields.append((of.get("name", ""), of.get("value", "")))
        elif tag == "button" and of.get("aria-disabled") != "true":
            form = of.get("form") or self.open
            if form is not None:
                self.pressable.append(Button(of, form))

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.open = None

    def buttons(self, name: str) -> list[Button]:
        return [button for button in self.pressable if button.has(name)]

    def of_move(self, kind: str) -> list[Button]:
        """The buttons that send this kind of action."""
        return [
            button
            for button in self.pressable
            if isinstance(button.form, Form) and ("type", kind) in button.form.fields
        ]


def press(mia: Browser, page: Page, button: Button) -> Page:
    form = page.forms[button.form] if isinstance(button.form, str) else button.form
    sent = [*form.fields]
    if "name" in button.of:
        sent.append((button.of["name"], button.of.get("value", "")))
    if form.method == "get":
        return Page(mia.get(f"{form.action}?{urlencode(sent)}").text)
    answer = mia.client.post(form.action, data=dict(sent))
    assert answer.status_code == 303, answer.status
    return Page(mia.get(answer.location).text)


def choice(page: Page, lots: random.Random) -> Button:
    """A button that brings the child one step closer to an action."""
    four = page.of_move("lay") + page.of_move("claim")
    if four or page.buttons("single"):
        return (four or [one for one in page.buttons("single") if not one.pressed])[0]
    if page.next in ("class", "option", "target", "ask"):
        wanted = {
            "class": page.buttons("fan"),
            "option": [b for b in page.buttons("trait") if not b.pressed]
            or [b for b in page.buttons("opt") if "hidden" not in b.of],
            "target": page.buttons("seat"),
            "ask": page.buttons("ask__go"),
        }[page.next]
        return lots.choice(wanted)
    return lots.choice(page.of_move(page.next) or page.of_move("layoff") or page.of_move("declare"))


EVERY_DAY = (
    "classic_face_down colour_pairs guru_exact_card guru_ask_all guru_hand_fishing guru_how_many "
    "wish_pairs fours_wild old_fish make_ten"
).split()
"""One game for each kind of table; the others are played in the long tests."""


@pytest.mark.walk(3)
@pytest.mark.parametrize(
    "game", [g if g in EVERY_DAY else pytest.param(g, marks=pytest.mark.long) for g in GAMES]
)
def test_a_round_can_be_played_to_its_end_with_the_pages_forms(
    room: Classroom, mia: Browser, game: str
) -> None:
    lots = random.Random(game)
    here = mia.post(f"/play/games/{game}/practice", htmx=False).location
    seen: set[str] = set()
    for _ in range(600):
        with room.app.app_context():
            background.play_now(int(here.rsplit("/", 1)[-1]))
        page = Page(mia.get(here).text)
        while page.next not in ("", "over"):
            seen.add(page.next)
            before = page.next
            page = press(mia, page, choice(page, lots))
            if before in ("ask", "name", "show", "answer", "pass"):
                break
        if page.next == "over":
            break
    assert page.next == "over"
    assert "ask" in seen
    assert {"guru_how_many": "name", "fours_wild": "show"}.get(game, "ask") in seen


# ---- how a game is played


@pytest.mark.walk(4)
@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_explained_in_pictures_without_a_script(mia: Browser, game: str) -> None:
    page = mia.get(f"/play/games/{game}").text
    scenes = page.count('class="scene"')
    assert 1 < scenes <= 6
    for number in range(1, scenes + 1):
        assert f'id="scene-{number}"' in page
        assert f'href="#scene-{number}"' in page
    assert ('id="play"' in page) == (game in offers.DEFAULT)
    assert 'id="practice"' in page


def test_the_way_back_from_the_pictures_is_the_childs_own_table_or_home(
    room: Classroom, mia: Browser
) -> None:
    own = mia.post("/play/rounds", htmx=False, game="classic").location
    number = own.rsplit("/", 1)[-1]
    assert f'href="{own}"' in mia.get(f"/play/games/classic?round={number}").text
    ben = browser(room, "Ben")
    for other in (number, "0", "x", "987654"):
        page = ben.get(f"/play/games/classic?round={other}")
        assert page.status_code == 200
        assert f'href="{own}"' not in page.text
        assert 'href="/play/"' in page.text


def test_an_unknown_game_cannot_be_explained_or_tried(mia: Browser) -> None:
    assert mia.get("/play/games/poker").status_code == 404
    assert mia.get("/play/games/own-5").status_code == 404
    assert mia.post("/play/games/poker/practice", htmx=False).status_code == 404


def test_home_has_each_game_of_the_shelf_once_with_links_to_play_and_to_learn_it(
    mia: Browser,
) -> None:
    page = mia.get("/play/").text
    for game in offers.DEFAULT:
        assert page.count(f'id="play-{game}"') == 1
        assert page.count(f'href="/play/games/{game}"') == 1
