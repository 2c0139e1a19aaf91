"""A form that came too late, in a browser and by keyboard alone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect
from sqlalchemy import update

from classroom.database import db, write_unit
from classroom.models import Adult, Child, ClassTeacher, School, Session
from classroom.services.access import passwords
from classroom.services.base import clock
from tests.browser.conftest import EACH_SIZE, PATIENCE, SIZES, Served

PASSWORD = "seven quiet herons wade"


@pytest.fixture
def teacher(served: Served) -> Served:
    with served.room.app.app_context():
        hashed, now = passwords.hash_of(PASSWORD), clock.now()
        if db.session.query(Adult).count() == 0:
            with write_unit():
                school = db.session.query(School).first()
                assert school is not None
                row = Adult(
                    school_id=school.id,
                    role="teacher",
                    login="ortiz",
                    name="Ms Ortiz",
                    password_hash=hashed,
                    created_at=now,
                )
                db.session.add(row)
                db.session.flush()
                db.session.add(ClassTeacher(class_id=served.room.class_id, adult_id=row.id))
    return served


def sign_in(page: Page) -> None:
    page.locator("#f-login").focus()
    page.keyboard.type("ortiz")
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")


@pytest.mark.parametrize("size", EACH_SIZE)
def test_a_list_survives_the_end_of_the_session_by_keyboard(
    chromium: Browser, teacher: Served, size: str
) -> None:
    width, height = SIZES[size]
    context = chromium.new_context(viewport={"width": width, "height": height})
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(f"{teacher.url}/teach/classes/{teacher.room.class_id}/children")
    sign_in(page)
    expect(page.locator("#f-list")).to_be_visible()
    page.locator("#f-list").fill(f"Ottoline-{size}\nBarnaby-{size}, 6")
    with teacher.room.app.app_context(), write_unit():
        db.session.execute(update(Session).values(seen_at=clock.now() - 4 * 3600))
    page.locator("form:has(#f-list) button").focus()
    page.keyboard.press("Enter")
    sign_in(page)
    expect(page.get_by_text(f"Ottoline-{size}")).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    button = page.get_by_role("button", name="Go on")
    expect(button).to_be_focused()
    assert "rgb(255, 201, 77)" in button.evaluate("one => getComputedStyle(one).boxShadow")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Add 2 children").first.press("Enter")
    page.wait_for_url("**done=listed**")
    with teacher.room.app.app_context():
        assert f"Barnaby-{size}" in db.session.scalars(db.select(Child.name)).all()
    context.close()
