"""The door of the class: digits are copied from the board, and the last one opens it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from classroom.services.base import budgets
from classroom.services.school import classes
from tests.browser.adults import fits
from tests.browser.conftest import EACH_SIZE, Child_, Served

Open = Callable[..., Child_]


def new_code(served: Served, keep: bool) -> str:
    with served.room.app.app_context():
        classes.new_code(served.room.class_id, keep)
    return served.code()


def shells(page: Page) -> int:
    return page.locator(".door__shell:visible").count()


def type_in(page: Page, code: str) -> None:
    for digit in code:
        page.click(f'.key[value="{digit}"]')


@pytest.mark.parametrize("size", EACH_SIZE)
@pytest.mark.parametrize(("keep", "digits"), [(False, 6), (True, 8)])
def test_there_is_a_shell_for_each_digit_and_the_last_digit_opens(
    open_child: Open, served: Served, size: str, keep: bool, digits: int
) -> None:
    code = new_code(served, keep)
    page = open_child(size=size).go("/")
    type_in(page, code[0])
    assert shells(page) == digits == len(code)
    type_in(page, code[1:-1])
    assert fits(page)
    expect(page.locator(".door__go")).to_be_hidden()
    type_in(page, code[-1])
    page.wait_for_selector(".animals")


def test_a_wrong_first_digit_is_taken_back_with_its_shells(
    open_child: Open, served: Served
) -> None:
    code = new_code(served, keep=False)
    page = open_child(size="tablet").go("/")
    type_in(page, "91")
    assert shells(page) == 8
    page.click(".key--back")
    page.click(".key--back")
    assert shells(page) == 6
    type_in(page, code)
    page.wait_for_selector(".animals")


def test_a_child_who_had_to_wait_finds_the_code_typed_and_one_button(
    open_child: Open, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = new_code(served, keep=True)
    monkeypatch.setattr(budgets, "CODE_TRIES", 2)
    page = open_child(size="tablet").go("/")
    for _ in range(budgets.CODE_TRIES):
        type_in(page, "111111")
        page.wait_for_selector(".again-card")
        page.goto(page.url.replace("/join", "/"))
    type_in(page, code)
    page.wait_for_selector("text=Wait a moment.")
    assert shells(page) == 8
    monkeypatch.setattr(budgets, "CODE_WAIT", 0.0)
    page.click(".door__go")
    page.wait_for_selector(".animals")
