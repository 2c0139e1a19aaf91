"""A parent on a phone types the teacher's code, makes an account and changes the child's
settings."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from classroom.services.table import matches
from tests.browser.adults import (
    PASSWORD,
    everything,
    family_code,
    finished_round,
    fits,
    hard_to_read,
    make_adults,
    sign_in,
    unfold,
)
from tests.browser.conftest import EACH_SIZE, Child_, Served

Open = Callable[..., Child_]


@pytest.fixture(autouse=True)
def _adults(served: Served) -> None:
    make_adults(served)


def choose(page: Page, radio: str) -> None:
    page.locator(f".opt:has({radio})").click()
    expect(page.locator(radio)).to_be_checked()


def test_a_parent_joins_by_code_on_a_phone_and_sets_how_hard_it_is(
    open_child: Open, served: Served
) -> None:
    parent = open_child(size="phone")
    page = parent.page
    page.goto(parent.url + "/in")
    page.click("text=I have a family code")
    page.fill("[name=code]", family_code(served, "Lina").lower())
    page.fill("[name=name]", "Lina’s mother")
    page.fill("[name=login]", "lina-mother")
    page.fill("[name=password]", "too short")
    page.click("text=Create my account")
    expect(page.locator(".field__n")).to_contain_text("15")
    expect(page.locator("[name=name]")).to_have_value("Lina’s mother")
    page.fill("[name=password]", PASSWORD)
    page.click("text=Create my account")
    page.click("text=Change difficulty")
    choose(page, "[name=opponents][value='1']")
    choose(page, "[name=level][value=perch]")
    choose(page, "[name=deck][value=full]")
    choose(page, "[name=board][value=peek]")
    choose(page, "[name=minutes_a_day][value='20']")
    page.click("button:has-text('Save')")
    expect(page.locator("text=Saved. This applies from the next round.")).to_be_visible()
    expect(page.locator("[name=deck][value=full]")).to_be_checked()
    expect(page.locator("[name=minutes_a_day][value='20']")).to_be_checked()
    with served.room.app.app_context():
        chosen = matches.settings_for(served.room.children["Lina"])
    assert (chosen.opponents, chosen.level, chosen.deck) == (1, "perch", "full")
    assert chosen.board == "peek"
    page.click("text=My children")
    page.fill("[name=code]", family_code(served, "Theo"))
    page.click("text=Link this child")
    expect(page.locator("h1")).to_contain_text("Theo")
    page.click("text=Sign out")
    page.goto(parent.url + "/family/")
    expect(page.locator("[name=password]")).to_be_visible()


def test_the_settings_can_be_chosen_by_the_keys_alone(open_child: Open, served: Served) -> None:
    parent = open_child(size="tablet")
    page = sign_in(parent, "reed")
    page.goto(f"{parent.url}/family/children/{served.room.children['Mia']}")
    page.focus("[name=opponents]:checked")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Tab")
    expect(page.locator("[name=level]:focus")).to_have_count(1)
    page.keyboard.press("ArrowRight")
    level = page.locator("[name=level]:focus").get_attribute("value")
    choices = page.locator("form:has(.acts--stay) input:is([type=radio], [type=checkbox])")
    groups = choices.evaluate_all("all => new Set(all.map((one) => one.name)).size")
    for _ in range(groups - 1):  # one stop for each choice after the first, then Save
        page.keyboard.press("Tab")
    expect(page.locator(".acts--stay button")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("[role=status]")).to_contain_text("Saved")
    expect(page.locator(f"[name=level][value={level}]")).to_be_checked()


def test_the_settings_can_be_saved_without_scripts(open_child: Open, served: Served) -> None:
    parent = open_child(size="phone", java_script_enabled=False)
    page = sign_in(parent, "reed")
    page.goto(f"{parent.url}/family/children/{served.room.children['Mia']}")
    choose(page, "[name=deck][value=small]")
    page.click("button:has-text('Save')")
    expect(page.locator("text=Saved. This applies from the next round.")).to_be_visible()


@pytest.mark.walk(4, of="pages of adults fit every screen")
@pytest.mark.parametrize("size", EACH_SIZE)
def test_every_page_fits_the_screen_and_is_readable(
    open_child: Open, served: Served, size: str
) -> None:
    finished_round(served, "Mia")
    parent = open_child(size=size)
    parent.go("/family/join")
    assert fits(parent.page)
    assert hard_to_read(parent.page) == []
    page = sign_in(parent, "reed")
    everything(served, "Mia")
    mia = f"/family/children/{served.room.children['Mia']}"
    for path in ("/family/", mia, mia + "/progress", mia + "/sheet", "/account"):
        page.goto(parent.url + path)
        if path.endswith("progress"):
            unfold(page)
        assert fits(page), path
        assert hard_to_read(page) == [], path
