"""What moves at the table: the animals on the numbered path, and the pond."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser import hands
from tests.browser.conftest import SIZES, Child_, Served

Open = Callable[..., Child_]

# Notes each step that an animal takes on the path: its seat, the number it leaves and the new one.
STEPS = """() => {
  const at = {};
  window.walked = [];
  const look = () => document.querySelectorAll('.path__face').forEach((face) => {
    const number = Number(face.closest('.path__step').querySelector('b').textContent);
    if (face.id in at && at[face.id] !== number)
      window.walked.push([face.id, at[face.id], number]);
    at[face.id] = number;
  });
  look();
  new MutationObserver(look).observe(document.body, {childList: true, subtree: true});
}"""
PLACES = """() => Object.fromEntries([...document.querySelectorAll('.path__face')].map((face) =>
  [face.id.slice(6), Number(face.closest('.path__step').querySelector('b').textContent)]))"""

ROWS = """() => Object.fromEntries([...document.querySelectorAll('#tally .endrow')].map((row) =>
  [row.dataset.seat, Number(row.querySelector('.endrow__n').textContent)]))"""

THREE_TOUCHES = """([query, x, y]) => {
  window.moved = 0;
  const one = document.querySelector(query);
  one.animate = (...how) => (window.moved++, Element.prototype.animate.apply(one, how));
  for (let i = 0; i < 3; i++)
    document.elementFromPoint(x, y).dispatchEvent(
      new MouseEvent('click', {bubbles: true, clientX: x, clientY: y, detail: 1}));
  return window.moved;
}"""

RESTS = """(query) =>
  document.querySelector(query).getAnimations().every((one) => one instanceof CSSAnimation)"""


def to_the_end(page: Page, url: str) -> None:
    """Play a round until everything is counted."""
    now, asks = hands.start(page, url), 0
    page.evaluate(STEPS)
    while now == "mine":
        hands.ask(page, asks, asks)
        asks += 1
        now = hands.settle(page)


@pytest.mark.whole  # every day instead: the path in test_round.py
def test_every_animal_walks_to_the_number_of_its_books_and_is_counted_there(
    open_child: Open, served: Served
) -> None:
    served.set("Mia", opponents=1, deck="small", questions="off")
    page = open_child("Mia", "tablet").page
    to_the_end(page, served.url)
    made = page.evaluate(ROWS)
    assert sum(made.values()) == 7
    assert page.evaluate(PLACES) == made
    walked = page.evaluate("() => window.walked")
    back = [step for step in walked if step[2] == 0]
    assert len(back) == sum(1 for books in made.values() if books), (
        "they start from 0 to be counted"
    )
    counted = walked[walked.index(back[-1]) + 1 :]
    for seat, books in made.items():
        mine = [step[1:] for step in counted if step[0] == f"walks-{seat}"]
        assert mine == [[n, n + 1] for n in range(books)], "a step for each book, none left out"


def test_the_path_is_big_enough_to_count_on_and_all_of_it_is_on_the_screen(
    open_child: Open, served: Served
) -> None:
    served.set("Ben", opponents=3, deck="full", questions="off")
    child = open_child("Ben")
    page = child.sit()
    path = page.locator("#path")
    for width, height in (*SIZES.values(), (844, 390), (1366, 620)):
        page.set_viewport_size({"width": width, "height": height})
        expect(path).to_be_visible()
        boxes = page.evaluate(
            """() => [...document.querySelectorAll('#path .path__step')].map((one) => {
              const box = one.getBoundingClientRect();
              return [box.left, box.right, box.width];
            })"""
        )
        assert len(boxes) == 14
        assert boxes[0][0] >= 0
        assert boxes[-1][1] <= width
        assert max(box[2] for box in boxes) - min(box[2] for box in boxes) < 1.1, "equal steps"
        faces = page.locator(".path__face svg")
        tops = [faces.nth(i).bounding_box() for i in range(4)]
        stone = page.locator("#path .path__step").first.bounding_box()
        assert stone
        least = min(width, height)
        high = max(56, 0.1 * least)
        assert all(top and stone["y"] + stone["height"] - top["y"] <= high for top in tops)
        numeral = path.locator("b").first.evaluate(
            "(one) => parseFloat(getComputedStyle(one).fontSize)"
        )
        if least >= 730:
            assert numeral >= 24
            assert all(top and top["height"] >= 40 for top in tops)
        assert all(top and 0 <= top["x"] <= width - top["width"] for top in tops), "none is cut"
    page.set_viewport_size({"width": 320, "height": 568})  # the path would leave no room for a card
    expect(path).to_be_hidden()


def test_the_pond_answers_a_touch_once_and_then_rests(open_child: Open, served: Served) -> None:
    served.set("Noor", questions="off")
    child = open_child("Noor")
    page = child.sit()
    for critter in (".critter--fly", ".critter--reeds"):
        box = page.locator(critter).bounding_box()
        assert box
        x, y = box["x"] + box["width"] / 2, box["y"] + 12
        assert page.evaluate(THREE_TOUCHES, [critter, x, y]) == 1, "three touches move it once"
        page.wait_for_function(RESTS, arg=critter)
        assert page.locator(critter).bounding_box() == box, "it rests where it was"
        page.mouse.click(x, y)
        assert page.evaluate("() => window.moved") == 2
    page.mouse.click(600, 190)
    page.wait_for_selector(".bubbles")
    page.wait_for_selector(".bubbles", state="detached")
    assert hands.state(page) == "mine"


def test_the_pond_is_still_for_those_who_asked_for_it(open_child: Open, served: Served) -> None:
    served.set("Noor", questions="off")
    child = open_child("Noor", reduced_motion="reduce")
    page = child.sit()
    for x, y in ((960, 260), (440, 330), (1205, 620)):
        page.mouse.click(x, y)
    page.wait_for_timeout(200)
    assert page.locator(".bubbles").count() == 0
    assert page.evaluate("document.getAnimations().length") == 0


BALLOON = """() => {
  const said = document.createElement('span');
  said.className = 'say say--r';
  said.innerHTML = '<b class="say__n">9</b>?';
  said.style.left = said.style.top = '180px';
  document.body.append(said);
}"""
NO_TAIL = "() => document.styleSheets[0].insertRule('.say::after { display: none !important }')"


def test_the_tail_of_a_balloon_hides_nothing_that_is_said(open_child: Open, served: Served) -> None:
    page = open_child("Sam", size="phone").sit()
    page.evaluate(BALLOON)
    number = page.locator("body > .say .say__n")
    with_tail = number.screenshot(animations="disabled")
    page.evaluate(NO_TAIL)
    assert number.screenshot(animations="disabled") == with_tail


# Notes each line that is cast, and the faces that it crosses.
CASTS = """() => {
  window.casts = [];
  new MutationObserver((changes) => changes.forEach((change) => change.addedNodes.forEach((one) => {
    if (!one.matches?.('.cast')) return;
    const path = one.querySelector('path'), length = path.getTotalLength();
    const points = Array.from({length: 41}, (_, i) => path.getPointAtLength(length * i / 40));
    const faces = [...document.querySelectorAll('.pad__face')].filter((face) => {
      const box = face.getBoundingClientRect();
      return points.some(({x, y}) =>
        x > box.left && x < box.right && y > box.top && y < box.bottom);
    });
    window.casts.push(faces.map((face) => face.closest('[data-animal]').dataset.animal));
  }))).observe(document.querySelector('#air'), {childList: true});
}"""


@pytest.mark.hasty
@pytest.mark.walk(3)
@pytest.mark.parametrize("size", SIZES)
def test_a_line_is_cast_across_no_face(open_child: Open, served: Served, size: str) -> None:
    served.set("Ben", opponents=3, deck="short", questions="off")
    page = open_child("Ben", size).page
    page.goto(served.deal("Ben"))
    assert hands.settle(page) == "mine"
    page.evaluate(CASTS)
    for turn in range(12):
        hands.ask(page, turn, turn)
        page.wait_for_timeout(1000)  # so that it is not skipped
        if len(page.evaluate("window.casts")) >= 2 or hands.settle(page) == "over":
            break
    casts = page.evaluate("window.casts")
    assert casts
    assert not any(casts), casts
