"""A child that plays with one switch: a key, or a tap anywhere."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from sqlalchemy import select

from classroom.database import db
from classroom.games import GAMES
from classroom.models import EvidenceRow
from classroom.services.table import matches
from tests.browser import hands
from tests.browser.conftest import Child_, Served
from tests.questioning import put_kind, put_question

Open = Callable[..., Child_]

QUICK = 1500  # ms that a thing is lit
BOUNCE = 500  # ms after which a press counts again
FASTER = """(() => {
  const now = Date.now, begun = now();
  Date.now = () => begun + 5 * (now() - begun);
})()"""  # the light, and a press that counts again, come five times as soon
LIT = """() => {
  const boxes = [...document.querySelectorAll(".lights i")].map((one) =>
    one.getBoundingClientRect());
  const near = (a, b) => Math.abs(a.x - b.x) + Math.abs(a.y - b.y) < 3 && a.width &&
    Math.abs(a.width - b.width) < 3;
  return [...document.querySelectorAll("a, button, summary, label, #pond")]
    .filter((one) => boxes.some((box) => near(box, one.getBoundingClientRect())))
    .map((one) => one.id || one.value || one.className);
}"""
PRESS = f"""([wanted, wait]) => new Promise((done, fail) => {{
  const begun = performance.now();
  let since = 0;
  const press = () => document.body.dispatchEvent(
    new KeyboardEvent("keydown", {{ key: " ", bubbles: true, cancelable: true }}));
  const look = () => {{
    const now = performance.now(), lit = ({LIT})();
    since = lit.length === 1 && lit[0].startsWith(wanted) && (since || now);
    if (since && now - since >= wait) {{
      done();
      setTimeout(press);
    }} else if (now - begun > 20000) fail(new Error(wanted + " is never lit"));
    else setTimeout(look, 20);
  }};
  look();
}})"""  # in the page, where a slow machine cannot move the light on before the press


def lit(page: Page) -> list[str]:
    """The ids of what is lit."""
    found: list[str] = page.evaluate(LIT)
    return found


def wait_for_light(page: Page, wanted: str) -> None:
    """Wait until one thing is lit whose id begins with `wanted`."""
    page.wait_for_function(
        f"(wanted) => {{ const lit = ({LIT})(); return lit.length == 1 && "
        "lit[0].startsWith(wanted); }",
        arg=wanted,
        polling=50,
    )


def press(page: Page, wait: int = BOUNCE) -> None:
    page.keyboard.press(" ")
    page.wait_for_timeout(wait + 50)


def take(page: Page, wanted: str, wait: int = BOUNCE) -> None:
    """Press the key when this one thing is lit, but not too early to be meant."""
    page.evaluate(PRESS, [wanted, wait])
    page.wait_for_timeout(BOUNCE + 50)


def play_to_the_end(page: Page, most: int = 900) -> None:
    """Press the key again and again, and nothing else, until the round is over."""
    page.wait_for_selector("#table")
    for _ in range(most):
        if page.locator(hands.OVER).count():
            return
        press(page, BOUNCE // 5)
    raise AssertionError(f"the round does not end: {hands.state(page)}, {lit(page)}")


@pytest.mark.hasty
@pytest.mark.usefixtures("few")
def test_a_whole_round_by_one_key(open_child: Open, served: Served) -> None:
    served.set("Ben", opponents=1, deck="five", switch="quick", pace="quick")
    page = open_child("Ben", "tablet").page
    page.add_init_script(FASTER)
    page.goto(served.url + "/play/")
    take(page, "play-classic", BOUNCE // 5)
    play_to_the_end(page)
    take(page, "again", BOUNCE // 5)
    page.wait_for_selector("#table.table")


@pytest.mark.long  # about a minute each; the test above plays Go Fish every day
@pytest.mark.parametrize("game", GAMES)
def test_a_whole_round_of_each_game_by_one_key(open_child: Open, served: Served, game: str) -> None:
    served.set("Ada", opponents=1, deck="small", switch="quick", pace="quick")
    page = open_child("Ada", "tablet").page
    page.add_init_script(FASTER)
    page.goto(served.deal("Ada", game))
    play_to_the_end(page)
    wait_for_light(page, "again")


def press_until(page: Page, there: str, most: int = 400) -> None:
    """Press the key again and again until this is on the page."""
    for _ in range(most):
        if page.locator(there).count():
            return
        if page.locator(hands.OVER).count():
            wait_for_light(page, "again")
        press(page, BOUNCE // 5)
    raise AssertionError(f"{there} never comes: {hands.state(page)}, {lit(page)}")


def test_a_guess_by_one_key(open_child: Open, served: Served) -> None:
    served.set("Theo", opponents=2, deck="small", switch="quick", pace="quick", questions="off")
    page = open_child("Theo", "tablet").page
    page.add_init_script(FASTER)
    page.goto(served.deal("Theo", "classic"))
    press_until(page, ".is-guessing .is-guess")


def test_the_light_goes_to_what_is_needed_next_and_on_by_itself(
    open_child: Open, served: Served
) -> None:
    served.set("Mia", opponents=2, deck="small", switch="quick")
    page = open_child("Mia", "tablet").sit()
    fans = [one.get_attribute("id") or "" for one in page.locator("#hand .fan").all()]
    wait_for_light(page, fans[0])
    take(page, fans[1])
    expect(page.locator(f"#{fans[1]}")).to_have_attribute("aria-pressed", "true")
    take(page, "seat-")
    wait_for_light(page, "go")
    assert hands.number(page) == 0


def test_what_is_needed_less_is_lit_in_groups_when_nothing_is_pressed(
    open_child: Open, served: Served
) -> None:
    served.set("Mia", opponents=1, deck="five", switch="quick")
    page = open_child("Mia", "tablet").sit()
    seen: list[list[str]] = []
    while ["home", "how", "line", "raise", "sound"] not in seen:
        now = sorted(lit(page))
        if now and (not seen or seen[-1] != now):
            seen.append(now)
        assert len(seen) < 40, seen
        page.wait_for_timeout(100)
    assert ["fish"] in seen
    press(page)
    wait_for_light(page, "home")
    wait_for_light(page, "how")


def test_a_tap_anywhere_takes_what_is_lit_and_not_what_it_hits(
    open_child: Open, served: Served
) -> None:
    served.set("Ada", opponents=2, deck="short", switch="slow")
    page = open_child("Ada", "tablet").sit()
    first, last = page.locator("#hand .fan").first, page.locator("#hand .fan").last
    wait_for_light(page, first.get_attribute("id") or "")
    page.wait_for_timeout(BOUNCE)
    last.click()
    expect(first).to_have_attribute("aria-pressed", "true")
    expect(last).to_have_attribute("aria-pressed", "false")
    wait_for_light(page, "seat-")
    page.wait_for_timeout(BOUNCE)
    page.mouse.click(1020, 400)  # where nothing is
    expect(page.locator('#ring .seat[aria-pressed="true"]')).to_have_count(1)


def test_a_trembling_hand_presses_once(open_child: Open, served: Served) -> None:
    served.set("Ada", opponents=2, deck="short", switch="slow")
    page = open_child("Ada", "tablet").sit()
    wait_for_light(page, "fan-")
    page.wait_for_timeout(BOUNCE)
    for _ in range(4):
        page.keyboard.press(" ")
    expect(page.locator('#hand .fan[aria-pressed="true"]')).to_have_count(1)
    expect(page.locator('#ring .seat[aria-pressed="true"]')).to_have_count(0)
    assert not page.locator("#go").is_enabled() or lit(page) != ["go"]


def test_shells_are_taken_one_after_the_other_and_given(open_child: Open, served: Served) -> None:
    served.set("Theo", switch="quick")
    with served.room.app.app_context():
        round_id = put_kind(served.room.children["Theo"], "give").round_id
    page = open_child("Theo", "tablet").go(f"/play/rounds/{round_id}")
    for taken in (1, 2, 3):
        take(page, "take")
        expect(page.locator(".take__in:checked")).to_have_count(taken)
    wait_for_light(page, "q-give")
    take(page, "take")  # the last shell, to be put back
    expect(page.locator(".take__in:checked")).to_have_count(2)


def test_an_answer_by_switch_is_never_fast(open_child: Open, served: Served) -> None:
    served.set("Noor", switch="quick")
    with served.room.app.app_context():
        child_id = served.room.children["Noor"]
        round_id = matches.start_match(child_id)
        put_question(child_id, round_id, 0)
    page = open_child("Noor", "tablet").go(f"/play/rounds/{round_id}")
    wait_for_light(page, "pick-0")
    take(page, "pick-1")
    expect(page.locator("#q")).to_have_count(0)
    with served.room.app.app_context():
        row = db.session.scalars(select(EvidenceRow).filter_by(child_id=child_id)).one()
        assert (row.source, row.right, row.latency_ms) == ("question", True, None)


def test_a_child_signs_in_by_one_key(open_child: Open, served: Served) -> None:
    """At the door nobody's choice is known, so the first press switches the light on."""
    child = open_child(size="tablet", fresh=True)
    page = child.go("/")
    for sign in served.code():
        page.click(f'.key[value="{sign}"]')
    page.click('.animal[data-animal="duck"]')
    page.wait_for_selector("#pics")
    page.clock.install()
    page.reload()
    assert not lit(page)
    for number, picture in enumerate(served.pictures("Ruby")):
        page.keyboard.press(" ")
        if not number:
            page.clock.run_for(200)
        find(page, picture)
    page.wait_for_selector("#play-classic, #go-on")


def find(page: Page, value: str) -> None:
    """Press the key when a group with this thing, and then the thing, is lit."""
    for _ in range(60):
        page.clock.run_for(BOUNCE + 100)
        now = lit(page)
        if value not in now:
            page.clock.run_for(2 * QUICK)
            continue
        page.keyboard.press(" ")
        if len(now) == 1:
            return
    raise AssertionError(f"{value} is never lit")


def test_a_touch_at_the_door_switches_the_light_off(open_child: Open, served: Served) -> None:
    page = open_child(size="tablet").go("/")
    page.keyboard.press(" ")
    page.wait_for_selector(".lights i")
    page.click(f'.key[value="{served.code()[0]}"]')
    expect(page.locator(".lights i")).to_have_count(0)
    expect(page.locator(".door__shell.is-set")).to_have_count(1)


def test_without_a_switch_no_key_brings_the_light(open_child: Open, served: Served) -> None:
    served.set("Sam", switch="off")
    page = open_child("Sam", "tablet").go("/play/")
    page.keyboard.press(" ")
    page.wait_for_timeout(400)
    expect(page.locator(".lights")).to_have_count(0)
