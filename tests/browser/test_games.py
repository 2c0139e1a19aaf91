"""From the question mark on the shelf through the pictures to the end of a practice round."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from classroom.engine.cards import deck_of
from classroom.games import GAMES
from classroom.services.lesson import own_games
from classroom.services.table import offers
from tests.browser import hands
from tests.browser.conftest import Child_, Served
from tests.browser.test_sizes import check
from tests.playing import stacked

Open = Callable[..., Child_]
pytestmark = pytest.mark.hasty


def try_out(page: Page, url: str, game: str) -> None:
    """Go from home through all pictures of the game, and play its practice round to the end."""
    page.goto(url + "/play/")
    page.click(f"#how-{game}")
    page.wait_for_selector(".scene")
    scenes = page.locator(".scene")
    for number in range(scenes.count() - 1):
        expect(scenes.nth(number)).to_be_visible()
        page.locator(".scene:visible .scene__next").click()
    expect(scenes.last).to_be_visible()
    page.click("#practice")
    page.wait_for_selector("#table.is-practice")
    turn, now = 0, hands.settle(page)
    while now == "mine":
        held = page.locator("#ring .seat__n").all_inner_texts()
        assert page.locator(".seat__open .card").count() == sum(map(int, held))
        hands.move(page, turn)
        turn += 1
        now = hands.settle(page)


def totals(page: Page) -> list[int]:
    return [int(text) for text in page.locator(".endrow__n").all_inner_texts()]


@pytest.mark.walk(4, of="games that are not asked for ranks")
def test_a_round_of_fours_from_the_first_ask_to_the_four(open_child: Open, served: Served) -> None:
    """The friend has the fourth red square: ask by two traits, catch it, and lay the four."""
    first = "RS1 RS4 RS2 YC3 RS3 GC4 YT1 BH1 GH2 BT2".split()
    rest = [card for card in deck_of(GAMES["fours"].rules).cards if card not in first]
    child = open_child("Mia", size="tablet")
    with stacked([*first, *rest], dealer=1):
        try_out(child.page, child.url, "fours")
    assert totals(child.page) == [1, 0]
    expect(child.page.locator("#tally .book--traits")).to_have_count(1)


@pytest.mark.long
def test_the_old_fish_costs_its_holder_three_books(open_child: Open, served: Served) -> None:
    child = open_child("Ben", size="phone")
    try_out(child.page, child.url, "old_fish")
    holder = child.page.locator(".endrow:has(.endsum__fish)")
    expect(holder).to_have_count(1)
    books, taken = holder.locator(".endrow__book"), holder.locator(".endrow__book--taken")
    assert taken.count() == min(3, books.count())
    left = int(holder.locator(".endrow__n").inner_text())
    assert left == max(0, books.count() - 3)
    check(child.page, "the end of Old Fish", touch=48, apart=8)


@pytest.mark.long
def test_make_ten_asks_for_what_is_missing(open_child: Open, served: Served) -> None:
    child = open_child("Ada", size="tablet")
    page = child.page
    try_out(page, child.url, "make_ten")
    assert sum(totals(page)) == page.locator(".endrow__book").count() == 11
    for book in page.locator(".endrow__book .book").all():
        assert sum(map(int, book.locator("span").all_inner_texts())) == 10


@pytest.mark.walk(4, of="games that are not asked for ranks")
def test_pairs_for_two_go_into_baskets(open_child: Open, served: Served) -> None:
    child = open_child("Noor", size="laptop")
    try_out(child.page, child.url, "wish_pairs")
    assert sum(totals(child.page)) == 24
    child.page.click("#again")  # the next round counts
    child.page.wait_for_selector("#table.table:not(.is-practice)")
    assert child.page.locator(".seat__open").count() == 0


@pytest.mark.walk(4, of="big and apart")
@pytest.mark.parametrize("size", ["phone", "tablet"])
def test_the_pictures_are_big_and_apart_and_turn_by_the_keys(
    open_child: Open, served: Served, size: str
) -> None:
    child = open_child("Theo", size=size)
    page = child.go("/play/games/make_five")
    check(page, "how it is played")
    page.locator(".scene:visible .scene__next").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#scene-2 .scene__next")).to_be_focused()
    check(page, "the second picture")


@pytest.mark.walk(4, of="games that are not asked for ranks")
@pytest.mark.parametrize("screen", [(360, 740), (360, 640), (320, 568)])
def test_a_hand_stays_whole_on_a_phone_while_a_card_is_shown(
    open_child: Open, served: Served, screen: tuple[int, int]
) -> None:
    page = open_child("Lina", "phone").go("/play/games/fours")
    page.set_viewport_size({"width": screen[0], "height": screen[1]})
    page.locator("#practice").evaluate("(button) => button.click()")
    page.wait_for_selector("#table.is-practice")
    assert hands.settle(page) == "mine"
    hands._choose(page, 0, lambda _: None)
    page.click("#go")
    page.wait_for_selector(".ask--watch > .card")
    assert page.evaluate("document.documentElement.scrollHeight") == screen[1]


@pytest.mark.parametrize("width", [320, 360, 414])
def test_all_of_an_ask_that_is_told_is_in_sight_on_a_phone(
    open_child: Open, served: Served, width: int
) -> None:
    page = open_child("Lina", "phone").go("/play/games/classic")
    page.set_viewport_size({"width": width, "height": 740})
    page.locator("#practice").evaluate("(button) => button.click()")
    page.wait_for_selector("#table.is-practice")
    assert hands.settle(page) == "mine"
    hands.take(page)
    page.click("#go")
    page.wait_for_selector(".ask--watch > .card")
    outside = page.eval_on_selector_all(
        ".ask--watch > *, .ask--watch .told",
        """(parts) => parts.map((part) => part.getBoundingClientRect())
          .filter((at) => at.width && (at.left < 0 || at.right > innerWidth))
          .map((at) => [at.left, at.right])""",
    )
    assert outside == []


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_every_game_can_be_tried_to_its_end(open_child: Open, served: Served, game: str) -> None:
    with served.room.app.app_context():
        own_games.put_on_shelf(served.room.class_id, [game], by=None)
    child = open_child("Ada", size="tablet")
    try:
        try_out(child.page, child.url, game)
    finally:
        with served.room.app.app_context():
            own_games.put_on_shelf(served.room.class_id, offers.DEFAULT, by=None)
    together = GAMES[game].rules.end_tide is not None  # one shell has the books of everybody
    assert child.page.locator(".endrow").count() == (1 if together else 2)


SHOWN_CARD = """() => {
  const card = document.querySelector('#air [data-bait]');
  if (!card || !card.getAnimations().length) return null;
  if (card.getAnimations().some((motion) => motion.playState !== 'finished')) return null;
  const boxes = (which) => [...document.querySelectorAll(which)]
    .map((one) => [one.className, one.getBoundingClientRect()]);
  const meet = (a, b) =>
    a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top;
  const inAir = boxes('#air [data-bait], #air .say');
  const pads = boxes('.ring .seat .pad, .me .pad');
  const hides = inAir.filter(([, one]) => pads.some(([, pad]) => meet(one, pad)));
  const whole = inAir.filter(([, { left, right, top }]) =>
    left >= 0 && right <= innerWidth && top >= 0);
  return { hides: hides.map(([name]) => name), whole: whole.length };
}"""


@pytest.mark.whole  # every day instead: test_a_hand_stays_whole_on_a_phone_...
@pytest.mark.walk(4, of="games that are not asked for ranks")
@pytest.mark.parametrize("screen", [(1366, 768), (1024, 768), (360, 740), (320, 568)])
def test_a_card_that_is_shown_hides_no_face(
    open_child: Open, served: Served, screen: tuple[int, int]
) -> None:
    served.set("Sam", opponents=3, questions="off")
    page = open_child("Sam").page
    page.set_viewport_size({"width": screen[0], "height": screen[1]})
    page.goto(served.deal("Sam", "fours"))
    for seat in range(3):
        assert hands.settle(page) == "mine"
        card_shown(page, seat)


def card_shown(page: Page, seat: int) -> None:
    """Ask this player with the first card, and look where the card is shown."""
    page.locator("#hand .fan:not([aria-disabled])").first.click()
    for trait in (0, 1):
        page.locator("#traits .trait").nth(trait).click()
    page.locator("#ring .seat").nth(seat).click()
    page.click("#go")
    shown = page.wait_for_function(SHOWN_CARD, polling=20).json_value()
    assert shown == {"hides": [], "whole": 2}  # the balloon and the card
