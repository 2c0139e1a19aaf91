"""The shelf of games at home: whole on the screens of schools, each game a tile of its own."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect
from sqlalchemy import delete

from classroom.database import db, write_unit
from classroom.models import Gathering, Place, Round
from classroom.services.base import clock
from classroom.services.lesson import gatherings
from classroom.services.table import matches
from tests.browser import hands
from tests.browser.conftest import Child_, Served

Open = Callable[..., Child_]

WITHOUT_SCROLLING = [(1366, 620), (1280, 600), (1024, 640), (1024, 768), (844, 390), (740, 360)]
SMALL = [(360, 740), (320, 568)]
HITS = """(tile) => {
  const box = tile.getBoundingClientRect();
  const how = tile.closest('.game').querySelector('.game__how');
  const at = [...Array(9).keys()].map((i) => (i + 0.5) / 9);
  const hits = at.flatMap((x) => at.map((y) =>
    document.elementFromPoint(box.x + x * box.width, box.y + y * box.height)));
  return [hits.filter((hit) => hit.closest('.tile') === tile).length,
    hits.filter((hit) => hit.closest('.game__how') === how).length, hits.length];
}"""

MIDDLE = """(tile) => {
  const { x, y, width, height } = tile.getBoundingClientRect();
  return document.elementFromPoint(x + width / 2, y + height / 2).closest('.tile') === tile;
}"""


def test_the_shelf_is_whole_on_the_screens_that_schools_have(
    open_child: Open, served: Served
) -> None:
    page = open_child("Mia").go("/play/")
    for width, height in WITHOUT_SCROLLING:
        page.set_viewport_size({"width": width, "height": height})
        for tile in page.locator(".home .tile").all():
            box = tile.bounding_box()
            assert box is not None
            assert box["y"] + box["height"] <= height, f"{width}x{height} cuts a tile"
            assert min(box["width"], box["height"]) >= 76
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
    for width, height in SMALL:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
        big = page.locator(".game--big .tile").bounding_box()
        assert big is not None
        assert big["y"] + big["height"] <= height


def test_the_shelf_does_not_scroll_in_a_window_of_any_size(
    open_child: Open, served: Served
) -> None:
    page = open_child("Mia").go("/play/")
    sizes = [(1366, 560), (1280, 620), (800, 600)]
    for number, width in enumerate(range(760, 1921, 290)):
        sizes += [(width, height) for height in range(560 + 40 * (number % 2), 1000, 120)]
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        high = page.evaluate("document.documentElement.scrollHeight")
        assert high <= height, f"{width}x{height}: {high} px high"


def test_on_the_narrowest_screen_the_middle_of_a_tile_starts_its_game(
    open_child: Open, served: Served
) -> None:
    page = open_child("Theo").go("/play/")
    page.set_viewport_size({"width": 320, "height": 568})
    tiles = page.locator(".game:not(.game--big) form .tile").all()
    assert tiles
    for tile in tiles:
        tile.scroll_into_view_if_needed()
        assert tile.evaluate(MIDDLE), tile.get_attribute("id")


@pytest.mark.parametrize("size", ["laptop", "phone"])
def test_the_whole_tile_starts_the_game(open_child: Open, served: Served, size: str) -> None:
    page = open_child("Ben", size).go("/play/")
    for tile in page.locator(".home form .tile").all():
        tile.scroll_into_view_if_needed()
        starts, tells, points = tile.evaluate(HITS)
        assert starts + tells >= points - 4  # its corners are round
        assert starts >= points * 0.6
    small = page.locator(".game:not(.game--big) .game__how").first
    box = small.locator(".ico").bounding_box()
    assert box is not None
    assert max(box["width"], box["height"]) <= 44


@pytest.mark.parametrize("corner", [(0.06, 0.06), (0.06, 0.94), (0.94, 0.94)])
def test_a_tap_in_a_corner_of_a_tile_starts_the_game(
    open_child: Open, served: Served, corner: tuple[float, float]
) -> None:
    page = open_child("Ada").go("/play/")
    tile = page.locator("#play-rank_pairs")
    box = tile.bounding_box()
    assert box is not None
    x, y = corner
    tile.click(position={"x": box["width"] * x, "y": box["height"] * y})
    page.wait_for_selector("#table")


def test_each_game_has_its_own_colour_and_drawing(open_child: Open, served: Served) -> None:
    page = open_child("Lina").go("/play/")
    looks = page.evaluate(
        """() => [...document.querySelectorAll('.home form .tile__art')].map(
          (art) => [getComputedStyle(art).backgroundImage, art.innerHTML])"""
    )
    colours, drawings = zip(*looks, strict=True)
    assert len(looks) == len(set(colours)) == len(set(drawings)) > 5


def test_the_game_played_last_is_big_and_lit(open_child: Open, served: Served) -> None:
    child = open_child("Noor")
    page = child.go("/play/")
    expect(page.locator(".game--big .tile.is-next")).to_have_attribute("id", "play-classic")
    page.click("#play-make_five")
    hands.settle(page)
    page.goto(child.url + "/play/")
    expect(page.locator(".game--big .tile.is-next")).to_have_attribute("id", "go-on")
    with served.room.app.app_context(), write_unit():
        round_id = matches.current_round(served.room.children["Noor"])
        db.session.get_one(Round, round_id).ended_at = clock.now()
    page.reload()
    expect(page.locator(".game--big .tile.is-next")).to_have_attribute("id", "play-make_five")
    expect(page.locator(".home .is-next")).to_have_count(1)


def test_a_friend_who_waits_is_seen_at_a_table_with_an_arrow_to_it(
    open_child: Open, served: Served
) -> None:
    page = open_child("Sam").go("/play/")
    expect(page.locator("#with-friends")).not_to_have_class(re.compile("is-next"))
    with served.room.app.app_context():
        gatherings.make(served.room.children["Theo"], "classic")
    page.reload()
    tile = page.locator("#with-friends")
    expect(tile).to_have_class(re.compile("is-next"))
    faces = tile.locator('.tile__faces use[href$="#a-turtle"], .rtable use[href$="#a-turtle"]')
    assert faces.count() == 2  # among the faces, and at the table
    expect(tile.locator('use[href$="#i-go"]')).to_be_visible()
    with served.room.app.app_context(), write_unit():
        for kind in (Place, Gathering):
            db.session.execute(delete(kind))


@pytest.mark.parametrize("screen", [(844, 390), (740, 360)])
@pytest.mark.parametrize("tables", [0, 1, 2])
def test_with_friends_is_whole_on_a_phone_on_its_side(
    open_child: Open, served: Served, screen: tuple[int, int], tables: int
) -> None:
    with served.room.app.app_context():
        for name in ("Theo", "Ruby")[:tables]:
            gatherings.make(served.room.children[name], "classic")
    page = open_child("Sam").page
    page.set_viewport_size({"width": screen[0], "height": screen[1]})
    page.goto(served.url + "/play/friends")
    tiles = page.locator(".opentable, .newtables .tile").all()
    assert len(tiles) > tables
    for tile in tiles:
        box = tile.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= screen[1], tile.get_attribute("id")
        assert min(box["width"], box["height"]) >= 76
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    with served.room.app.app_context(), write_unit():
        for kind in (Place, Gathering):
            db.session.execute(delete(kind))


def test_a_game_is_started_by_the_keys_alone(open_child: Open, served: Served) -> None:
    page = open_child("Ruby").go("/play/")
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "play-old_fish":
            break
    page.keyboard.press("Enter")
    page.wait_for_selector("#table")
