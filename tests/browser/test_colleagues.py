"""A second teacher starts work with a code on paper, by keyboard alone. The pages for colleagues
fit every screen."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from classroom.database import db, write_unit
from classroom.models import Adult, School
from classroom.services.access import accounts, passwords
from tests.browser.adults import PASSWORD, fits, hard_to_read, make_adults, pages_of, sign_in
from tests.browser.conftest import EACH_SIZE, Child_, Served

Open = Callable[..., Child_]
CODE = ".slip__c"


@pytest.fixture(autouse=True)
def _adults(served: Served) -> Iterator[None]:
    made = make_adults(served)
    if "head" not in made:
        with served.room.app.app_context():
            hashed = passwords.hash_of(PASSWORD)
            with write_unit():
                school_id = db.session.query(School.id).scalar()
                accounts.add_adult(school_id, "admin", "Dr Head", "head", hashed)
    yield
    with served.room.app.app_context(), write_unit():
        for row in db.session.query(Adult).filter(Adult.login.in_(("second", "sub"))):
            db.session.delete(row)


def press_to(page: Page, words: str) -> None:
    """Go to the link, button or field with these words by the Tab key."""
    for _ in range(60):
        page.keyboard.press("Tab")
        focused = page.evaluate(
            "(document.activeElement.labels?.[0]?.innerText || document.activeElement.innerText)"
        )
        if re.search(words, focused or ""):
            return
    raise AssertionError(f"the Tab key does not reach {words}")


def enter(page: Page) -> None:
    """Press Enter, which leads to another page."""
    with page.expect_navigation():
        page.keyboard.press("Enter")


def join(page: Page, url: str, code: str, name: str, login: str) -> None:
    """Make an account by keyboard alone."""
    page.goto(url + "/colleague")
    fields = ((r"code", code), (r"Your name", name), (r"sign-in name", login), (r"pass", PASSWORD))
    for words, typed in fields:
        press_to(page, words)
        page.keyboard.type(typed)
    press_to(page, "Show the password")
    for seen in ("text", "password", "text"):
        page.keyboard.press("Enter")
        expect(page.get_by_label("A password")).to_have_attribute("type", seen)
    press_to(page, "Create my account")
    enter(page)
    page.wait_for_selector("h1:has-text('My classes')")


def test_a_second_teacher_is_at_work_by_keyboard_alone(open_child: Open, served: Served) -> None:
    head = sign_in(open_child(size="laptop"), "head")
    head.goto(served.url + "/school/")
    press_to(head, "^People$")
    enter(head)
    press_to(head, "Class they will teach")
    head.keyboard.press("ArrowDown")
    press_to(head, "Make a code to print")
    enter(head)
    code = head.locator(CODE).inner_text()
    colleague = open_child(size="tablet")
    join(colleague.page, colleague.url, code, "Mr Second", "second")
    press_to(colleague.page, "^Start a lesson|^Show the code")
    enter(colleague.page)
    assert f"/classes/{served.room.class_id}" in colleague.page.url


@pytest.mark.walk(4, of="pages of adults fit every screen")
@pytest.mark.parametrize("size", EACH_SIZE)
def test_the_new_pages_fit_and_are_easy_to_read(
    open_child: Open, served: Served, size: str
) -> None:
    head = sign_in(open_child(size=size), "head")
    lake = sign_in(open_child(size=size), "lake")
    stranger = open_child(size=size)
    of_class = f"/teach/classes/{served.room.class_id}/colleagues"
    shown = [(head, f"/school/{path}") for path in ("", "people", "classes")]
    for page, path in (*shown, (lake, of_class), (stranger.page, "/colleague")):
        page.goto(stranger.url + path)
        assert fits(page), path
        assert hard_to_read(page) == [], path
    lake.goto(stranger.url + of_class)
    lake.get_by_role("button", name="Make a code", exact=True).click()
    lake.wait_for_selector(CODE)
    assert fits(lake)
    assert [pages_of(lake.pdf(format=paper)) for paper in ("A4", "Letter")] == [1, 1]
    assert hard_to_read(lake) == []


def test_a_substitute_runs_a_lesson_on_a_phone(open_child: Open, served: Served) -> None:
    lake = sign_in(open_child(size="laptop"), "lake")
    lake.goto(f"{served.url}/teach/classes/{served.room.class_id}/colleagues")
    lake.get_by_role("button", name="Make a code", exact=True).click()
    code = lake.locator(CODE).inner_text()
    substitute = open_child(size="phone")
    page = substitute.page
    join(page, substitute.url, code, "Mrs Sub", "sub")
    for path in ("", "/live", "/seats", "/code"):
        page.goto(f"{substitute.url}/teach/classes/{served.room.class_id}{path}")
        assert fits(page), path
    expect(page.locator("nav")).not_to_contain_text("Skills")
