"""Everything bright can be tapped: Home, the raised hand and the ear work everywhere, and the rest
is dimmed. At the end of a child's time only one way out is left."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, Request, expect
from sqlalchemy import update

from classroom.database import db, write_unit
from classroom.models import QuestionRow
from classroom.services.base import clock
from classroom.services.lesson import lessons
from classroom.services.table import matches
from tests.browser import hands
from tests.browser.conftest import EACH_SIZE, Child_, Served
from tests.questioning import put_question

Open = Callable[..., Child_]

LIVE = """() => [...document.querySelectorAll('a[href], button')]
  .filter((one) => one.checkVisibility({visibilityProperty: true}) && !one.closest('[inert]'))
  .map((one) => one.id)"""


@pytest.fixture(autouse=True)
def _nothing_left_open(served: Served) -> Iterator[None]:
    yield
    with served.room.app.app_context(), write_unit():
        db.session.execute(
            update(QuestionRow).where(QuestionRow.closed_at.is_(None)).values(closed_at=clock.now())
        )


def at_a_question(served: Served, name: str) -> str:
    with served.room.app.app_context():
        child_id = served.room.children[name]
        round_id = matches.start_match(child_id)
        put_question(child_id, round_id, 0)
    return f"/play/rounds/{round_id}"


def heard(page: Page) -> list[str]:
    """A list that fills with the files of the voice that the page loads from now on, without the
    one that is loaded early, for when the network goes."""
    pieces: list[str] = []

    def note(asked: Request) -> None:
        name = asked.url.rsplit("/", 1)[-1]
        if name.endswith(".mp3") and name != "wait-little.mp3":
            pieces.append(name)

    page.on("request", note)
    return pieces


def test_a_tap_on_the_hand_raises_it_while_moves_are_shown(
    open_child: Open, served: Served
) -> None:
    served.set("Ben", opponents=2, deck="short")
    page = open_child("Ben", "tablet").sit()
    hands.ask(page)
    page.wait_for_selector("#table.is-playing")
    page.click("#raise")
    expect(page.locator("#raise")).to_have_attribute("aria-pressed", "true")
    hands.settle(page)
    expect(page.locator("#raise")).to_have_attribute("aria-pressed", "true")


@pytest.mark.parametrize("size", EACH_SIZE)
def test_home_the_hand_and_the_ear_work_over_a_question(
    open_child: Open, served: Served, size: str
) -> None:
    page = open_child("Mia", size).go(at_a_question(served, "Mia"))
    page.wait_for_selector("#q")
    said = heard(page)
    with page.expect_request("**/voice/*.mp3"):
        page.click("#sound")
    assert said
    page.click("#raise")
    expect(page.locator("#raise")).to_have_attribute("aria-pressed", "true")
    page.click("#raise")
    expect(page.locator("#raise")).to_have_attribute("aria-pressed", "false")
    expect(page.locator("#q")).to_be_visible()
    page.click("#home")
    page.wait_for_selector("#go-on")


def test_what_a_question_shuts_off_is_dimmed(open_child: Open, served: Served) -> None:
    page = open_child("Ben").go(at_a_question(served, "Ben"))
    page.wait_for_selector("#q")
    live = set(page.evaluate(LIVE))
    assert live == {"home", "how", "sound", "raise", "q-fish", "q-on", "pick-0", "pick-1", "pick-2"}
    expect(page.locator("#line")).not_to_be_visible()
    look = page.locator("#hand .card").first.evaluate("(card) => getComputedStyle(card).filter")
    assert "brightness" in look
    page.click("#q-on")
    expect(page.locator("#q")).to_have_count(0)
    expect(page.locator("#line")).to_be_visible()


def test_the_ear_says_it_again_by_finger_and_by_key(open_child: Open, served: Served) -> None:
    page = open_child("Ada").go("/play/")
    said = heard(page)
    with page.expect_request("**/voice/hello.mp3"):
        page.click("#sound")
    child = open_child("Ada")
    page = child.go("/play/games/classic")
    page.locator("#sound").focus()
    with page.expect_request("**/voice/how-deal.mp3"):
        page.keyboard.press("Enter")
    expect(page.locator("#sound")).not_to_have_class(re.compile("is-quiet"))
    page.keyboard.down("Enter")
    expect(page.locator("#sound")).to_have_class(re.compile("is-quiet"))
    page.keyboard.up("Enter")
    assert said == ["hello.mp3"]


def test_wrong_pictures_say_so_aloud(open_child: Open, served: Served) -> None:
    child = open_child()
    page = child.go("/")
    for sign in served.code():
        page.click(f'.key[value="{sign}"]')
    page.click('.animal[data-animal="duck"]')
    page.wait_for_selector("#pics")
    page.wait_for_timeout(900)  # for the greeting
    said = heard(page)
    right = served.pictures("Ruby")
    with page.expect_request("**/not-these.mp3"):
        for picture in (*right[:3], *(set(page_pictures(page)) - set(right))):
            page.click(f'.pic[value="{picture}"]')
            if page.locator("#pearls .is-set").count() == 4:
                break
        page.wait_for_selector(".again-card")
        expect(page.locator("[data-greet]")).to_have_attribute("data-say", "not-these")
    assert "tap-pictures.mp3" not in said


@pytest.mark.parametrize("size", ["phone", "tablet"])
def test_no_picture_moves_when_one_is_tapped(open_child: Open, served: Served, size: str) -> None:
    page = open_child(size=size).go("/")
    for sign in served.code():
        page.click(f'.key[value="{sign}"]')
    page.click('.animal[data-animal="duck"]')
    last = page.locator(".pic").last
    before = last.bounding_box()
    last.dblclick()
    assert page.locator("#pearls .is-set").count() == 2
    page.mouse.move(0, 0)
    page.wait_for_timeout(300)  # a picture below the mouse rises
    assert last.bounding_box() == before
    page.click("#undo")
    page.click("#undo")
    expect(page.locator("#undo")).to_be_hidden()
    assert last.bounding_box() == before


def page_pictures(page: Page) -> list[str]:
    return [str(one.get_attribute("value")) for one in page.locator(".pic").all()]


def test_a_child_whose_time_is_over_finds_the_pond_at_dusk_and_one_door(
    open_child: Open, served: Served
) -> None:
    served.set("Theo", minutes_a_day=None)
    page = open_child("Theo").go("/play/")
    page.wait_for_selector("#play-classic")
    served.set("Theo", minutes_a_day=0)
    page.reload()
    expect(page.locator("body")).to_have_class(re.compile("dusk"))
    expect(page.locator('use[href$="#z-turtle"]')).to_be_visible()  # Theo's animal sleeps
    assert sorted(page.evaluate(LIVE)) == ["bye", "sound"]
    with page.expect_request("**/voice/time-over.mp3"):
        page.click("#sound")
    page.click("#bye")
    page.wait_for_selector(".animals")


def test_the_page_at_home_goes_to_rest_and_comes_back_by_itself(
    open_child: Open, served: Served
) -> None:
    page = open_child("Lina").go("/play/")
    page.wait_for_selector("#play-classic")
    with served.room.app.app_context():
        lessons.pause(served.room.class_id)
    expect(page.locator("#why-paused")).to_be_visible()
    assert page.evaluate(LIVE) == ["sound"]
    with served.room.app.app_context():
        lessons.go_on(served.room.class_id)
    expect(page.locator("#play-classic")).to_be_visible()


def test_the_door_leads_over_a_goodbye_from_which_a_child_can_go_back(
    open_child: Open, served: Served
) -> None:
    page = open_child("Sam").go("/play/")
    page.click("#leave")
    expect(page.locator(".waving")).to_be_visible()
    page.click("#home")
    page.wait_for_selector("#play-classic, #go-on")
    page.click("#leave")
    page.click("#bye")
    page.wait_for_selector(".animals")


def test_goodbye_stands_still_for_those_who_want_no_motion(
    open_child: Open, served: Served
) -> None:
    child = open_child("Noor", reduced_motion="reduce")
    page = child.go("/play/rest")
    page.wait_for_selector(".waving")
    running = "() => document.getAnimations().filter((a) => a.playState === 'running').length"
    assert page.evaluate(running) == 0
