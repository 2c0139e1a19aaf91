"""One sign has one meaning on the pages of children."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from werkzeug.exceptions import HTTPException

from classroom.services.table import matches, rounds
from tests.questioning import put_question
from tests.world import World

SPRITE = Path(__file__).parents[2] / "static" / "art" / "sprite.svg"

# What each sign on a control leads to: a route, or what happens in the page.
MEANS = {
    "play": {"play.start", "play.table"},  # begin a game, or go on with it
    "skip": {"play.question_leave"},
    "go": {"next picture", "auth.front"},  # on to the next, also after an error
    "ask": {"play.ask"},
    "how": {"play.how"},
    "home": {"play.home"},
    "hand": {"play.hand", "auth.wait"},  # I need my teacher
    "ear": {"in the page"},
    "eye": {"play.practice", "play.board"},  # look
    "door": {"play.rest", "auth.bye"},  # leave
    "in": {"auth.join"},
    "back": {"auth.bye", "auth.animals", "auth.pictures", "in the page", "play.table"},
    "friends": {"auth.adult_in"},
    "again": {"first picture"},
}
DIFFERENT = ("play", "skip", "go", "ask", "door")


class Controls(HTMLParser):
    """Collects the first sign in each link and button, with the address that it leads to."""

    def __init__(self) -> None:
        super().__init__()
        self.action = ""
        self.leads: str | None = None
        self.found: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.action = given.get("action", "")
        elif tag == "a":
            self.leads = given.get("href", "")
        elif tag == "button" and "seat" not in given.get("class", ""):  # a seat shows its state
            self.leads = "" if given.get("type") == "button" else self.action
        elif tag == "use" and self.leads is not None:
            self._sign(given.get("href", ""))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def _sign(self, href: str) -> None:
        if (sign := re.search(r"sprite\.svg[^#]*#i-(\w+)", href)) and self.leads is not None:
            self.found.append((sign[1], self.leads))
            self.leads = None

    def handle_endtag(self, tag: str) -> None:
        if tag in ("a", "button"):
            self.leads = None
        elif tag == "form":
            self.action = ""


def signs_of(html: str) -> list[tuple[str, str]]:
    reader = Controls()
    reader.feed(html)
    return reader.found


def meaning(world: World, address: str) -> str:
    if not address:
        return "in the page"
    if address.startswith("#"):
        return "first picture" if address == "#scene-1" else "next picture"
    routes = world.app.url_map.bind("localhost")
    for method in ("GET", "POST"):
        try:
            return str(routes.match(address.split("?")[0].split("#")[0], method=method)[0])
        except HTTPException:
            continue
    raise AssertionError(address)


def pages(world: World) -> dict[str, str]:
    """Pages that children see, by their address."""
    child_id = world.children["Miaqua"]
    with world.app.app_context():
        round_id = next(filter(my_turn, (matches.start_match(child_id) for _ in range(50))))
        put_question(child_id, round_id, 0)
    device, mia = world.visitor("device"), world.visitor("Miaqua")
    table = f"/play/rounds/{round_id}"
    at_door = ["/", "/animals", f"/animals/{child_id}", "/c/123456"]
    inside = ["/play/", "/play/rest", "/play/games/classic", "/play/friends", table, "/nowhere"]
    found = {path: device.get(path, follow_redirects=True).text for path in at_door}
    return found | {path: mia.get(path, follow_redirects=True).text for path in inside}


def my_turn(round_id: int) -> bool:
    return rounds.table(round_id, 0).observation.turn == 0


def test_one_sign_has_one_meaning(world: World) -> None:
    seen: dict[str, set[str]] = {}
    for path, html in pages(world).items():
        for sign, address in signs_of(html):
            means = meaning(world, address)
            assert means in MEANS.get(sign, ()), f"{path}: {sign} leads to {means}"
            seen.setdefault(sign, set()).add(means)
    assert seen.keys() >= set("play skip go ask how home hand ear door back".split())


def test_play_leave_next_and_ask_are_different_drawings_for_different_things() -> None:
    drawn = {
        one.get("id"): ElementTree.tostring(one).split(b">", 1)[1]
        for one in ElementTree.parse(SPRITE).iter("{http://www.w3.org/2000/svg}symbol")
    }
    assert len({drawn[f"i-{sign}"] for sign in DIFFERENT}) == len(DIFFERENT)
    for sign in DIFFERENT:
        for other in DIFFERENT:
            assert sign == other or not MEANS[sign] & MEANS[other]


@pytest.mark.parametrize("who", ["device", "Miaqua"])
def test_every_page_of_a_child_has_an_ear(world: World, who: str) -> None:
    visitor, child_id = world.visitor(who), world.children["Miaqua"]
    paths = ["/animals", f"/animals/{child_id}", f"/animals/{child_id}/wait", "/c/123456"]
    if who == "Miaqua":
        paths = ["/play/", "/play/rest", "/play/games/classic", "/play/friends", "/nowhere"]
    for path in paths:
        html = visitor.get(path, follow_redirects=True).text
        assert 'class="child' in html, path
        assert html.count('id="sound"') == 1, path
