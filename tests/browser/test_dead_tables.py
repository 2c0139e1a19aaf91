"""A child's table never stays stuck, even if an answer never comes, a voice never ends or a step of
the telling fails."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from classroom.services.lesson import lessons
from tests.browser import hands
from tests.browser.conftest import Child_, Served

Open = Callable[..., Child_]

# The page waits 8 seconds for an answer, and is loaded again when it stands still for 40. Here both
# times are shorter.
SOON = """
const [later, again] = [setTimeout, setInterval];
window.setTimeout = (act, ms, ...more) => later(act, ms === 8000 ? 400 : ms, ...more);
window.setInterval = (act, ms, ...more) => again(act, ms / 8, ...more);
"""
LONG = 6500  # milliseconds; it would be loaded again after 5000
MUTE = "Object.defineProperty(AudioScheduledSourceNode.prototype, 'onended', { set() {} });"
# The picture at the end of what is told never comes into the page.
STICK = """() => {
  const swap = htmx.swap.bind(htmx);
  htmx.swap = (how) => (how.played ? new Promise(() => {}) : swap(how));
}"""


def sit(open_child: Open, served: Served, name: str, *scripts: str, pace: str = "quick") -> Page:
    """A table of Go Fish in a browser of its own, where it is this child's turn."""
    served.set(name, opponents=2, deck="short", pace=pace)
    child = open_child(name, "tablet", fresh=True)
    child.allowed |= {"htmx: htmx:error", "Failed to fetch", "ERR_"}
    for script in scripts:
        child.context.add_init_script(script)
    return child.sit()


def hold(context: BrowserContext, address: str) -> list[Route]:
    """The requests to this address from now on; none is answered."""
    held: list[Route] = []
    context.route(address, lambda route: held.append(route))
    return held


def goes_on(page: Page, tells: int = 5, seconds: float = 30.0) -> None:
    """Ask, and see that the page tells this much of what happens, without a tap."""
    page.evaluate(
        """() => {
          window.lines = new Set();
          const heard = document.querySelector('#heard');
          new MutationObserver(() => window.lines.add(heard.textContent))
            .observe(heard, { childList: true, characterData: true, subtree: true });
        }"""
    )
    hands.ask(page)
    enough = """(tells) => window.lines.size >= tells
      || document.querySelector('#table.is-mine:not(.is-playing) .fan[aria-pressed=false]')"""
    page.wait_for_timeout(300)
    page.wait_for_function(enough, arg=tells, timeout=seconds * 1000)


def test_a_voice_that_does_not_load_does_not_stop_what_is_told(
    open_child: Open, served: Served
) -> None:
    page = sit(open_child, served, "Mia", SOON, pace="usual")
    held = hold(page.context, "**/voice/**")
    goes_on(page, tells=3)
    assert held


def test_a_voice_that_does_not_end_does_not_stop_what_is_told(
    open_child: Open, served: Served
) -> None:
    goes_on(sit(open_child, served, "Ben", MUTE, pace="usual"))


@pytest.mark.usefixtures("eager")
def test_a_question_that_does_not_come_stops_nothing(open_child: Open, served: Served) -> None:
    page = sit(open_child, served, "Ada", SOON)
    held = hold(page.context, "**/questions")
    for turn in range(4):  # one that passes the turn on, so that more is told afterwards
        before = len(held)
        hands.ask(page, turn, turn)
        while len(held) == before:
            page.wait_for_timeout(50)
        if hands.settle(page) == "over":
            return


def test_a_slow_school_is_asked_for_news_once_at_a_time(open_child: Open, served: Served) -> None:
    page = sit(open_child, served, "Theo")
    page.context.route("**/events*", lambda route: route.abort())
    held = hold(page.context, "**/table?*")
    page.reload()
    page.wait_for_timeout(7500)  # from 3.5 seconds on, the page would ask each second
    assert len(held) == 1


def test_a_table_that_stands_still_is_loaded_again(open_child: Open, served: Served) -> None:
    page = sit(open_child, served, "Lina", SOON)
    page.evaluate(STICK)
    hands.ask(page)
    with page.expect_event("load"):
        pass
    assert hands.settle(page) in ("mine", "over")


def test_a_table_that_waits_for_an_answer_is_left_alone(open_child: Open, served: Served) -> None:
    page = sit(open_child, served, "Sam", SOON)
    page.evaluate(STICK)
    page.evaluate("window.same = true")
    hands.ask(page)
    page.evaluate("document.querySelector('#question').innerHTML = '<p>How many?</p>'")
    page.wait_for_timeout(LONG)
    assert page.evaluate("window.same")
    with page.expect_event("load"):  # without the question it would not be
        page.evaluate("document.querySelector('#question').textContent = ''")


def test_a_table_that_waits_for_the_teacher_is_left_alone(open_child: Open, served: Served) -> None:
    page = sit(open_child, served, "Noor", SOON)
    page.evaluate("window.same = true")
    hands.ask(page)
    with served.room.app.app_context():
        lessons.pause(served.room.class_id)
        expect(page.locator(".rest--now")).to_be_visible()
        page.wait_for_timeout(LONG)
        lessons.go_on(served.room.class_id)
    assert page.evaluate("window.same")
