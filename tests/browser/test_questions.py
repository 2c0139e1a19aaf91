"""A question in play: answered wrongly and then rightly, by mouse, by the keys, by giving cards."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest
from playwright.sync_api import Page, TimeoutError, expect
from sqlalchemy import select, update

from classroom.database import db, write_unit
from classroom.engine.cards import deck_of
from classroom.models import EvidenceRow, QuestionRow
from classroom.services.base import clock
from classroom.services.operation import background
from classroom.services.table import matches, rounds
from tests.browser import hands
from tests.browser.conftest import SIZES, Child_, Served
from tests.questioning import put_kind, put_question

Open = Callable[..., Child_]
pytestmark = pytest.mark.hasty
APART = """() => {
  const boxes = [...document.querySelectorAll('#q button, #q a, #q label.take')]
    .map((one) => one.getBoundingClientRect());
  let near = 1e9;
  boxes.forEach((a, i) => boxes.slice(i + 1).forEach((b) => {
    near = Math.min(near, Math.max(a.left - b.right, b.left - a.right, a.top - b.bottom, b.top - a.bottom));
  }));
  // Sides are sums of fractions: 75.99999 is 76.
  const least = Math.min(...boxes.flatMap((box) => [box.width, box.height]));
  return [least, near].map((side) => Math.round(side * 100) / 100);
}"""  # noqa: E501

FITTED = """() => {
  const panel = document.querySelector('#q');
  return panel.parentElement.style.getPropertyValue('--fit')
    && panel.offsetTop + panel.offsetHeight + 8 <= innerHeight;
}"""


@pytest.fixture(autouse=True)
def _nothing_left_open(served: Served) -> Iterator[None]:
    """Close open questions, since other tests use tables of the same children."""
    yield
    with served.room.app.app_context(), write_unit():
        db.session.execute(
            update(QuestionRow).where(QuestionRow.closed_at.is_(None)).values(closed_at=clock.now())
        )


def at_a_question(served: Served, name: str) -> str:
    """Start a round and ask a question whose options are three numbers, the right one in the
    middle. Returns the path of the table."""
    with served.room.app.app_context():
        child_id = served.room.children[name]
        round_id = matches.start_match(child_id)
        put_question(child_id, round_id, 0)
    return f"/play/rounds/{round_id}"


def last(served: Served, name: str) -> EvidenceRow:
    with served.room.app.app_context():
        db.session.rollback()
        row = db.session.scalars(
            select(EvidenceRow)
            .filter_by(child_id=served.room.children[name], source="question")
            .order_by(EvidenceRow.id.desc())
        ).first()
        assert row is not None
        db.session.expunge(row)
        return row


def test_wrong_then_right_by_mouse(open_child: Open, served: Served) -> None:
    child = open_child("Mia", "laptop")
    page = child.go(at_a_question(served, "Mia"))
    expect(page.locator(".near")).to_have_attribute("inert", "")
    page.click("#pick-0")
    expect(page.locator("#pick-0")).to_be_disabled()
    expect(page.locator("#q-words")).to_contain_text("look again")
    page.click("#pick-1")
    expect(page.locator("#question[data-found]")).to_be_attached()
    expect(page.locator("#q")).to_have_count(0)  # a small reward, then play goes on
    expect(page.locator(".near")).not_to_have_attribute("inert", "")
    row = last(served, "Mia")
    assert (row.first_answer, row.later_answers, row.right) == (0, [1], False)
    assert row.latency_ms is not None


def test_wrong_then_right_by_the_keys_alone(open_child: Open, served: Served) -> None:
    child = open_child("Ben", "tablet")
    page = child.go(at_a_question(served, "Ben"))
    page.wait_for_selector("#q")
    page.keyboard.press("Tab")
    while page.evaluate("document.activeElement.id") != "pick-0":
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#pick-0")).to_be_disabled()
    expect(page.locator("#pick-1")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#pick-2")).to_be_focused()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    expect(page.locator("#question[data-found] #q-on")).to_be_focused()
    expect(page.locator("#q")).to_have_count(0)
    assert last(served, "Ben").later_answers == [1]


def test_the_keys_go_on_without_an_answer(open_child: Open, served: Served) -> None:
    child = open_child("Ada", "phone")
    child.page.clock.set_fixed_time(1_000_000)
    page = child.go(at_a_question(served, "Ada"))
    page.wait_for_selector("#q:focus-within, #q:focus")
    page.keyboard.press("Escape")  # meant for what was shown before the question came
    page.clock.set_fixed_time(1_001_000)
    expect(page.locator("#q")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#q")).to_have_count(0)
    assert last(served, "Ada").first_answer is None


def test_a_tap_on_a_panel_that_has_only_just_come_loads_no_page(
    open_child: Open, served: Served
) -> None:
    page = open_child("Ada", "phone").go(at_a_question(served, "Ada"))
    page.wait_for_selector("#q")
    page.evaluate("""() => {
      window.before = true;
      const panel = document.querySelector('#question');
      panel.replaceWith(panel.cloneNode(true));  // as new to htmx as what was just swapped in
      document.querySelector('#q-on').click();
    }""")
    expect(page.locator("#q")).to_have_count(0)
    assert page.evaluate("window.before"), "the page was loaded again"


def test_the_wanted_number_of_cards_is_given(open_child: Open, served: Served) -> None:
    with served.room.app.app_context():
        table = put_kind(served.room.children["Noor"], "give")
    page = open_child("Noor", "phone").go(f"/play/rounds/{table.round_id}")
    expect(page.locator("#q-give")).to_have_attribute("aria-disabled", "true")
    words = page.locator("#q-words").inner_text()
    number = "zero one two three four five six seven eight nine ten".split().index(words.split()[2])
    for card in range(number):
        page.locator(".take").nth(card).click()
        expect(page.locator(".basket .is-in")).to_have_count(card + 1)
    page.locator(".take").nth(number).click()
    expect(page.locator(".basket .is-in")).to_have_count(number + 1)
    page.locator(".take").nth(number).click()  # it is taken back
    expect(page.locator(".basket .is-in")).to_have_count(number)
    page.click("#q-give")
    expect(page.locator("#q")).to_have_count(0)
    assert last(served, "Noor").right


def test_a_question_fits_the_window_whatever_happens(open_child: Open, served: Served) -> None:
    with served.room.app.app_context():
        table = put_kind(served.room.children["Sam"], "cards_of_two")
    page = open_child("Sam", "tablet").go(f"/play/rounds/{table.round_id}")
    page.wait_for_function(FITTED)
    page.set_viewport_size({"width": 700, "height": 420})
    page.wait_for_function(FITTED)
    for _ in range(9):  # steps of help, each of them a new panel
        if page.locator("#q.is-helped").count():
            break
        page.evaluate("document.querySelector('#q').dataset.old = ''")
        page.click("#q-fish")
        page.wait_for_selector("#q:not([data-old])")
        assert page.evaluate(FITTED)
    assert page.locator("#q.is-helped").count()
    assert page.evaluate(FITTED)


def test_questions_come_while_a_round_is_played(open_child: Open, eager: Served) -> None:
    eager.set("Theo", opponents=2, deck="small")
    child = open_child("Theo", "tablet")
    page = child.page
    page.goto(child.url + "/play/")
    page.click("#play-classic")
    page.wait_for_selector("#table")
    came = 0
    for turn in range(400):
        now = hands.state(page)
        if came >= 2 or now == "over":
            break
        if page.locator("#q-on").count():
            page.wait_for_function(FITTED)
            page.click("#q-on")
            expect(page.locator("#q")).to_have_count(0)
            came += 1
        elif now == "mine":
            ask_unless_asked(page, turn)
        elif now == "playing":
            page.keyboard.press("Escape")
        page.wait_for_timeout(50)
    assert came >= 2


def nearly_over(child_id: int) -> int:
    """Play a round until it is the child's turn and at most two books are missing. Returns its
    id."""
    while True:
        round_id = matches.start_match(child_id)
        while True:
            background.play_now(round_id)
            table = rounds.table(round_id, 0)
            seen = table.observation
            if table.over:
                break
            missing = len(deck_of(seen.rules).classes) - sum(map(len, seen.books))
            if missing <= 2:
                return round_id
            rounds.play(round_id, 0, seen.legal[0], secrets.token_hex(8), table.seq)


# the question at the end may follow another one so soon that no look falls between the two
GONE_OR_ENDING = "() => !document.querySelector('#q') || document.querySelector('#table.ending')"


# notes whether the books, or the banner with their number, were ever shown before they were counted
WATCH_THE_BOOKS = """() => {
  window.early = false;
  const look = () => {
    if (document.querySelector('.is-counted')) return;
    const banner = document.querySelector('.ending .banner');
    const told = banner && getComputedStyle(banner).visibility === 'visible';
    if (told || document.querySelector('#tally:not(.is-counting)')) window.early = true;
  };
  new MutationObserver(look).observe(document.body,
    { subtree: true, childList: true, attributes: true });
}"""


def test_a_question_at_the_end_comes_before_the_books_are_counted(
    open_child: Open, eager: Served
) -> None:
    eager.set("Ruby", opponents=1, deck="small")
    with eager.room.app.app_context():
        round_id = nearly_over(eager.room.children["Ruby"])
    page = open_child("Ruby", "tablet").go(f"/play/rounds/{round_id}")
    page.wait_for_selector("#table")
    page.evaluate(WATCH_THE_BOOKS)
    for turn in range(1500):
        if page.locator("#table.ending").count():
            break
        now = hands.state(page)
        if page.locator("#q-on").count():
            page.click("#q-on")
            page.wait_for_function(GONE_OR_ENDING, polling=20)
        elif now == "mine":
            ask_unless_asked(page, turn)
        elif now == "playing":
            page.keyboard.press("Escape")
        page.wait_for_timeout(30)
    expect(page.locator("#table.ending")).to_be_visible()
    expect(page.locator("#q")).to_be_visible()
    assert page.locator(".endrow__book.is-counted").count() == 0
    for below in ("#tally", "#again", "#made"):  # nothing below the question may be bright
        expect(page.locator(below)).not_to_be_visible()
    expect(page.locator("#home")).to_be_visible()
    page.set_viewport_size({"width": 360, "height": 740})
    home, question = page.locator("#home").bounding_box(), page.locator("#q").bounding_box()
    assert home
    assert question
    assert home["y"] + home["height"] <= question["y"]  # it can be tapped
    page.click("#q-on")
    expect(page.locator(".endrow__book.is-counted").first).to_be_attached()
    assert not page.evaluate("window.early")


def ask_unless_asked(page: Page, turn: int) -> None:
    """Ask for something, unless a question comes at this moment and stops the table."""
    with suppress(TimeoutError):
        fans = page.locator("#hand .fan:not([aria-disabled])")
        fans.nth(turn % fans.count()).click(timeout=700)
        if page.locator('#ring .seat[aria-pressed="true"]').count() == 0:
            page.locator("#ring .seat:not([aria-disabled])").first.click(timeout=700)
        page.click("#go", timeout=700)


@pytest.mark.walk(5)
@pytest.mark.parametrize(
    "kind", ["count_hand", "give", "complement_10", "who_asked", "which_asked"]
)
def test_everything_is_large_apart_and_on_the_screen(
    open_child: Open, served: Served, kind: str
) -> None:
    with served.room.app.app_context():
        table = put_kind(served.room.children["Lina"], kind)
    page = open_child("Lina").go(f"/play/rounds/{table.round_id}")
    page.wait_for_selector("#q")
    for size, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        least, near = page.evaluate(APART)
        roomy = size != "phone"  # there a tray has two rows of five, as everywhere
        assert least >= (76 if roomy else 44), size
        assert near >= (30 if roomy else 6), size
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), size
        ear, hand = (page.locator(one).bounding_box() for one in ("#sound", ".raise button"))
        assert ear
        assert hand
        assert not (ear["x"] < hand["x"] + hand["width"] and hand["x"] < ear["x"] + ear["width"])


def test_a_question_of_memory_hides_what_was_asked(open_child: Open, served: Served) -> None:
    served.set("Sam", board="open")
    with served.room.app.app_context():
        table = put_kind(served.room.children["Sam"], "what_asked")
    page = open_child("Sam", "laptop").go(f"/play/rounds/{table.round_id}")
    page.wait_for_selector("#q")
    for tag in page.locator(".tag").all():
        expect(tag).not_to_be_visible()


def test_a_question_is_answered_without_scripts(open_child: Open, served: Served) -> None:
    path = at_a_question(served, "Ruby")
    page = open_child("Ruby", "tablet", java_script_enabled=False).go(path)
    page.click("#pick-2")
    expect(page.locator("#pick-2")).to_be_disabled()
    page.click("#pick-1")
    expect(page.locator("#q-words")).to_contain_text("Yes!")
    page.click("#q-on")
    expect(page.locator("#q")).to_have_count(0)
    expect(page.locator("#table")).to_be_visible()
