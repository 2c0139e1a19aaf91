"""Two children and their teacher in three browsers: sitting down together, seeing each other's
moves, a friend who plays for an absent child, and a class that is seated and started."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, Page, expect
from sqlalchemy import select

from classroom.database import db, write_unit
from classroom.models import ClassSettings, QuestionRow
from classroom.services.lesson import lessons
from classroom.services.table import matches
from tests.browser.adults import make_adults, sign_in
from tests.browser.conftest import EACH_SIZE, Child_, Served
from tests.browser.hands import number, settle, state
from tests.browser.test_sizes import check
from tests.questioning import put_question

Open = Callable[..., Child_]


@pytest.fixture(autouse=True)
def _lesson(served: Served) -> Iterator[None]:
    make_adults(served)
    yield
    with served.room.app.app_context():
        lessons.go_on(served.room.class_id)  # a test that failed may have left it paused
    with served.room.app.app_context(), write_unit():
        lessons.put_away(served.room.class_id)
        for row in db.session.query(ClassSettings):
            row.nudge_after, row.stand_in_after = lessons.NUDGE_AFTER, lessons.STAND_IN_AFTER


def sit_together(served: Served, mia: Page, ben: Page) -> None:
    """Seat Mia and Ben at a table of two, and open it."""
    pair = [served.room.children[name] for name in ("Mia", "Ben")]
    with served.room.app.app_context(), write_unit():
        round_id = matches.together(served.room.class_id, "rank_pairs", pair)
    for page in (mia, ben):
        page.goto(f"{served.url}/play/rounds/{round_id}")
        page.wait_for_selector("#table.table")


@pytest.mark.walk(4, of="big and apart")
@pytest.mark.parametrize("size", EACH_SIZE)
def test_the_tables_of_friends_are_easy_to_touch(
    open_child: Open, served: Served, size: str
) -> None:
    mia, ben = open_child("Mia", size=size), open_child("Ben", size=size)
    for page in (mia.page, ben.page):
        page.goto(mia.url + "/play/friends")
    mia.page.click("#new-classic")
    ben.page.wait_for_selector(".opentable")
    for page in (mia.page, ben.page):
        check(page, f"friends, {size}")


@pytest.mark.whole  # every day instead: test_two_who_tap_the_same_game_play_together
def test_two_who_tap_the_same_game_are_led_to_each_other(open_child: Open, served: Served) -> None:
    mia, ben, ada = open_child("Mia", size="tablet"), open_child("Ben"), open_child("Ada", "phone")
    for page in (mia.page, ben.page, ada.page):
        page.goto(mia.url + "/play/friends")
    for page in (mia.page, ben.page):
        page.evaluate("() => document.querySelector('#new-old_fish').click()")  # without waiting
    for page in (mia.page, ben.page):
        expect(page.locator(".joinfriend.is-next")).to_have_count(1)
        expect(page.locator("#ready")).to_have_attribute("aria-disabled", "true")
        check(page, "a table beside mine")
    ada.page.click("#new-old_fish")
    expect(ada.page.locator(".joinfriend")).to_have_count(2)
    expect(ada.page.locator(".joinfriend.is-next")).to_have_count(1)  # only one is lit
    check(ada.page, "two tables beside mine")
    for page in (mia.page, ben.page):
        page.evaluate("() => document.querySelector('.joinfriend').click()")
    seats = ".place .chip"
    for page in (mia.page, ben.page):
        expect(page.locator(seats)).to_have_count(2)
        expect(page.locator(".joinfriend, #notice")).to_have_count(0)
    expect(ada.page.locator(".joinfriend")).to_have_count(1)
    expect(ada.page.locator(".joinfriend .pad")).to_have_count(2)
    ada.page.click(".joinfriend")
    for page in (mia.page, ben.page, ada.page):
        expect(page.locator(seats)).to_have_count(3)
        expect(page.locator(".joinfriend")).to_have_count(0)


def test_a_child_sees_that_a_friend_is_thinking(open_child: Open, eager: Served) -> None:
    """The sign comes to an open page and goes again, without a tap there."""
    mia, ben = open_child("Mia", size="tablet"), open_child("Ben")
    sit_together(eager, mia.page, ben.page)
    sign = ".say--ponder"
    for _ in range(12):
        on_turn, other = mia.page, ben.page
        if not on_turn.locator("#table.is-mine").count():
            on_turn, other = other, on_turn
        assert settle(on_turn) == "mine", "no question came before the end"
        before = number(on_turn)
        tap_a_move(on_turn)
        until(lambda page=on_turn, before=before: number(page) > before, on_turn)
        for page in (on_turn, other):
            until(lambda page=page: state(page) != "playing", page)
        mia.page.wait_for_timeout(500)
        for thinks, waits in ((on_turn, other), (other, on_turn)):
            if thinks.locator("#q").count():
                expect(waits.locator(sign)).to_be_visible()
                thinks.click("#q-on")
                expect(thinks.locator("#q")).to_have_count(0)
                expect(waits.locator(sign)).to_have_count(0)
                return
    raise AssertionError("no question came")


def tap_a_move(page: Page) -> None:
    """Tap the first card, and Ask. The only friend is chosen already."""
    page.locator("#hand .fan:not([aria-disabled=true])").first.click()
    page.locator("#go:not([aria-disabled=true])").click()


def test_two_children_see_each_others_moves_in_order(open_child: Open, served: Served) -> None:
    mia, ben = open_child("Mia", size="tablet"), open_child("Ben")
    sit_together(served, mia.page, ben.page)
    for _ in range(3):
        on_turn, other = mia.page, ben.page
        if not mia.page.locator("#table.is-mine").count():
            on_turn, other = other, on_turn
        if settle(on_turn) == "over":
            break
        before = number(on_turn)
        tap_a_move(on_turn)
        for page in (on_turn, other):
            until(lambda page=page, before=before: number(page) > before, page)
        for page in (on_turn, other):
            until(lambda page=page: state(page) != "playing", page)
    assert number(mia.page) == number(ben.page)


def until(true: Callable[[], bool], page: Page, seconds: float = 40.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not happen"
        if state(page) == "playing":
            page.keyboard.press("Escape")
        page.wait_for_timeout(20)


def hurry_everyone(served: Served, *, stand_in_after: int = 6) -> None:
    """Remind after one second and let a friend play after a few, which is less than a teacher can
    set."""
    adult_id = make_adults(served)["lake"]
    with served.room.app.app_context():
        lessons.set_times(served.room.class_id, lessons.Times(10, 10), by=adult_id)
        with write_unit():
            row = db.session.get_one(ClassSettings, served.room.class_id)
            row.nudge_after, row.stand_in_after = 1, stand_in_after


def test_a_friend_plays_for_an_absent_child_until_the_next_touch(
    open_child: Open, served: Served
) -> None:
    hurry_everyone(served, stand_in_after=600)  # a slow browser may need long until the nudge
    mia, ben = open_child("Mia", size="tablet"), open_child("Ben", size="phone")
    sit_together(served, mia.page, ben.page)
    away = mia.page if mia.page.locator("#table.is-mine").count() else ben.page
    expect(away.locator("#table.is-nudged")).to_be_visible()
    hurry_everyone(served, stand_in_after=1)
    here = away.locator("#here")
    expect(here).to_be_visible()
    away.mouse.click(5, 200)  # a touch anywhere
    expect(here).to_be_hidden()  # without first showing all that the friend did
    expect(here).to_have_count(0)


def test_a_touch_of_a_question_wakes_the_seat_and_answers_nothing(
    open_child: Open, served: Served
) -> None:
    """The touch works without a network, too, because it is sent again until it arrives."""
    hurry_everyone(served)
    mia, ben = open_child("Mia", size="tablet", has_touch=True), open_child("Ben", has_touch=True)
    sit_together(served, mia.page, ben.page)
    away = mia if mia.page.locator("#table.is-mine").count() else ben
    child_id = served.room.children["Mia" if away is mia else "Ben"]
    round_id = int(away.page.url.rpartition("/")[2])
    with served.room.app.app_context():
        put_question(child_id, round_id, number(away.page))
    away.page.reload()
    over = away.page.locator(".rest--asleep")
    expect(over).to_be_visible()  # it covers the question
    away.allowed |= {"ERR_INTERNET_DISCONNECTED", "Failed to fetch", "htmx: htmx:error"}
    away.context.set_offline(True)
    box = away.page.locator("#pick-0").bounding_box()
    assert box is not None
    away.page.touchscreen.tap(box["x"] + 30, box["y"] + 30)
    expect(over).to_be_hidden()
    away.page.wait_for_timeout(2000)
    expect(over).to_be_hidden()
    away.context.set_offline(False)
    expect(over).to_have_count(0)
    expect(away.page.locator("#pick-0")).to_be_enabled()
    with served.room.app.app_context():
        mine = select(QuestionRow).filter_by(child_id=child_id, round_id=round_id)
        assert db.session.scalars(mine).one().answers == []


def test_eyes_on_me_shows_at_once_and_the_story_continues_afterwards(
    open_child: Open, served: Served
) -> None:
    for name in ("Mia", "Ben"):  # a story long enough for a pause in the middle of it
        served.set(name, pace="calm")
    mia, ben = open_child("Mia", size="tablet"), open_child("Ben")
    sit_together(served, mia.page, ben.page)
    on_turn, other = mia.page, ben.page
    for page in (on_turn, other):  # first the table says who is who
        until(lambda page=page: state(page) != "playing", page)
    if not mia.page.locator("#table.is-mine").count():
        on_turn, other = other, on_turn
    tap_a_move(on_turn)
    expect(other.locator("#table.is-playing #tell .told").first).to_be_visible()
    with served.room.app.app_context():
        lessons.pause(served.room.class_id)
    for page in (on_turn, other):
        expect(page.locator("#rest.rest--now")).to_be_visible()
    other.wait_for_timeout(1500)
    assert state(other) == "playing", "nothing is told meanwhile, and nothing is left out"
    with served.room.app.app_context():
        lessons.go_on(served.room.class_id)
    for page in (on_turn, other):
        expect(page.locator("#rest")).to_have_count(0)
        until(lambda page=page: state(page) != "playing", page)
    assert number(on_turn) == number(other) == 1


def test_the_teacher_seats_starts_and_pauses_the_class(open_child: Open, served: Served) -> None:
    mia, ben, adult = open_child("Mia", size="tablet"), open_child("Ben"), open_child()
    for child in (mia, ben):
        child.go("/play/")
    teacher = sign_in(adult, "lake")
    teacher.goto(f"{adult.url}/teach/classes/{served.room.class_id}/seats")
    teacher.select_option("select[name=size]", "2")
    teacher.click("button:has-text('Seat everyone')")
    teacher.click("button:has-text('Start all tables')")
    for child in (mia, ben):
        child.page.wait_for_selector("#table.table")  # the page goes there by itself
    teacher.click("text=Eyes on me")
    for child in (mia, ben):
        expect(child.page.locator("#rest")).to_be_visible()
    teacher.click("text=Continue")
    for child in (mia, ben):
        expect(child.page.locator("#rest")).to_have_count(0)
    mia.page.click("#raise")
    expect(teacher.locator(".need .kid--help")).to_contain_text("Mia")
    teacher.click("text=Lower hand")
    expect(mia.page.locator("#raise.is-up")).to_have_count(0)


def test_a_child_can_be_moved_to_another_table_by_mouse_and_by_finger(
    open_child: Open, served: Served
) -> None:
    for name in ("Mia", "Ben", "Ada", "Noor"):
        served.cookies(name)  # all four are signed in
    teacher = sign_in(open_child(has_touch=True), "lake")
    teacher.goto(f"{served.url}/teach/classes/{served.room.class_id}/seats")
    teacher.select_option("select[name=size]", "2")
    teacher.click("button:has-text('Seat everyone')")
    seats = teacher.locator(".tbox .seatplace")
    one, other = (seats.nth(at).locator("b").inner_text() for at in (0, 3))
    seats.nth(0).locator(".seatkid").drag_to(seats.nth(3))
    expect(seats.nth(0)).to_contain_text(other)
    expect(seats.nth(3)).to_contain_text(one)
    by_finger(teacher, seats.nth(3).locator(".pad"), seats.nth(0))
    expect(seats.nth(0)).to_contain_text(one)
    expect(seats.nth(3)).to_contain_text(other)


def by_finger(page: Page, what: Locator, where: Locator) -> None:
    """Put a finger on one element, move it to another, and lift it."""
    start, end = what.bounding_box(), where.bounding_box()
    assert start is not None
    assert end is not None
    points = [{"x": box["x"] + 20, "y": box["y"] + box["height"] / 2} for box in (start, end)]
    touch = page.context.new_cdp_session(page)
    for kind, at in (("Start", points[:1]), ("Move", points[1:]), ("End", [])):
        touch.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": at})
