"""A whole round of Go Fish, by mouse and by the keys alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser import hands
from tests.browser.conftest import Child_, Served

Open = Callable[..., Child_]


@pytest.mark.hasty
@pytest.mark.whole  # every day instead: test_tide.py plays a round to its end by mouse
def test_a_whole_round_by_mouse(open_child: Open, served: Served) -> None:
    served.set("Mia", opponents=2, deck="small")
    child = open_child("Mia", "tablet")
    page = child.page
    asks = 0
    while asks < 3:  # a round can end before my turn
        now, asks = hands.start(page, child.url), 0
        while now == "mine":
            hands.ask(page, asks, asks)
            asks += 1
            now = hands.settle(page)
    expect(page.locator("#tally .endrow")).to_have_count(3)
    counted = page.locator(".endrow__book").count()
    shown = [int(text) for text in page.locator(".endrow__n").all_inner_texts()]
    assert sum(shown) == counted == 7
    expect(page.locator("#made")).to_be_visible()
    page.click("#again")
    page.wait_for_selector("#table.table")
    assert hands.number(page) < 30


@pytest.mark.hasty
@pytest.mark.usefixtures("few")
def test_a_whole_round_by_the_keys_alone(open_child: Open, served: Served) -> None:
    served.set("Ben", opponents=1, deck="five")
    child = open_child("Ben", "tablet")
    page = child.page
    page.goto(child.url + "/play/")
    tab_to(page, "play-classic")
    page.keyboard.press("Enter")
    page.wait_for_selector("#table")
    now, asks = hands.settle(page), 0
    while now == "mine":
        before = hands.number(page)
        if asks:  # Ask cannot be pressed yet, so the focus is on a card
            expect(page.locator("#hand .fan:focus")).to_have_count(1)
        tab_to(page, "fan-", asks % 3)
        page.keyboard.press("Enter")
        # the only other player is already chosen, so the focus moves on to Ask
        expect(page.locator("#go")).to_be_focused()
        page.keyboard.press("Enter")
        while hands.number(page) == before and hands.state(page) == "mine":
            page.wait_for_timeout(10)
        asks += 1
        now = hands.settle(page)
    assert asks > 2
    tab_to(page, "again")
    page.keyboard.press("Enter")
    page.wait_for_selector("#table.table")


def tab_to(page: Page, prefix: str, skip: int = 0) -> None:
    """Press Tab until the focus is on an element whose id begins with `prefix`. `skip`: how many of
    them to pass over, but never the last one."""
    found = 0
    for _ in range(60):
        name = str(page.evaluate("() => document.activeElement.id"))
        if name.startswith(prefix):
            if found >= skip:
                return
            found += 1
        elif found:
            return tab_back(page, prefix)
        page.keyboard.press("Tab")
    raise AssertionError(f"the keys do not reach {prefix}")


def tab_back(page: Page, prefix: str) -> None:
    for _ in range(20):
        page.keyboard.press("Shift+Tab")
        if str(page.evaluate("() => document.activeElement.id")).startswith(prefix):
            return
    raise AssertionError(prefix)


SHOWN_BY_THE_POND = """() => {
  window.pond = [];
  const look = () => {
    const shown = Number(document.querySelector('.pond__n')?.textContent);
    if (shown !== window.pond.at(-1)) window.pond.push(shown);
  };
  look();
  new MutationObserver(look).observe(document.body,
    { subtree: true, childList: true, characterData: true });
}"""


@pytest.mark.hasty
def test_the_pond_counts_down_card_by_card_while_moves_are_shown(
    open_child: Open, served: Served, whole: bool
) -> None:
    served.set("Noor", opponents=2, deck="short")
    child = open_child("Noor", "tablet")
    page = child.sit()
    page.evaluate(SHOWN_BY_THE_POND)
    drawn = 0
    for turn in range(4 if whole else 3):
        hands.ask(page, turn, turn)
        if hands.settle(page) != "mine":
            break
        shown = page.evaluate("() => window.pond")
        drawn = shown[0] - shown[-1]
        assert shown == list(range(shown[0], shown[-1] - 1, -1))
    assert drawn > 1


@pytest.mark.hasty
def test_the_focus_stays_where_it_was_when_the_table_is_redrawn(
    open_child: Open, served: Served
) -> None:
    served.set("Ada", opponents=2, deck="short")
    child = open_child("Ada")
    page = child.sit()
    page.locator("#sound").focus()
    hands.take(page)
    page.locator("#sound").focus()
    hands.send(page)
    hands.settle(page)
    expect(page.locator("#sound")).to_be_focused()


@pytest.mark.hasty
def test_the_focus_leaves_the_table_for_a_button_when_the_turn_comes(
    open_child: Open, served: Served
) -> None:
    served.set("Ada", opponents=2, deck="short")
    child = open_child("Ada")
    page = child.sit()
    hands.take(page)
    page.keyboard.press("Shift")
    page.locator("#table").focus()
    hands.send(page)
    assert hands.settle(page) == "mine"
    expect(page.locator("button:focus")).to_have_count(1)


def test_arrow_keys_go_from_fan_to_fan(open_child: Open, served: Served) -> None:
    served.set("Ada", opponents=2, deck="short")
    child = open_child("Ada")
    page = child.sit()
    fans = page.locator("#hand .fan")
    page.keyboard.press("ArrowRight")  # nothing has the focus on a new page
    expect(fans.first).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(fans.nth(1)).to_be_focused()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(fans.last).to_be_focused()


# An ask is over soon, so one script looks for the element and taps it.
TAP = """(what) => {
  const found = document.querySelector(what);
  found?.click();
  return Boolean(found);
}"""
# noted as the answer is shown: the next step may soon be told
NOTE_ANSWERS = """
window.answers = [];
let shown = false;
new MutationObserver(() => {
  const before = shown;
  shown = Boolean(document.querySelector("#table:not(.is-guessing) .is-guess"));
  if (shown && !before) window.answers.push({
    heard: document.querySelector("#heard").textContent,
    right: Boolean(document.querySelector("#table .is-right")),
  });
}).observe(document, { subtree: true, childList: true, attributes: true });
"""


@pytest.mark.hasty
@pytest.mark.walk(2)
@pytest.mark.parametrize("guess", ["#pond", ".is-picked"])
def test_a_guess_of_who_has_the_card_is_answered_at_once(
    open_child: Open, served: Served, guess: str, whole: bool
) -> None:
    served.set("Theo", opponents=2, deck="short", pace="calm", questions="off")
    child = open_child("Theo", "tablet")
    page = child.page
    answers: list[dict[str, object]] = []
    page.add_init_script(NOTE_ANSWERS)
    page.goto(child.url + "/play/")
    page.click("#play-classic")
    page.wait_for_selector("#table")
    turns = 0
    while len(answers) < (3 if whole else 1):
        if page.evaluate(TAP, f".is-guessing {guess}"):
            page.wait_for_function("() => window.answers.length", polling=20)
            answers += page.evaluate("() => window.answers.splice(0)")
            page.wait_for_function("() => !document.querySelector('.is-guess')", polling=20)
        elif page.locator("#pond.is-now").count():
            page.click("#pond")
        elif hands.state(page) == "mine":
            hands.ask(page, turns, turns)
            turns += 1
        elif hands.state(page) == "over":
            page.click("#again")
        page.wait_for_timeout(20)
    for answer in answers:
        fished = "Go fish" in str(answer["heard"])
        assert answer["right"] == (fished == (guess == "#pond")), answers
