"""A passkey, made and used by a browser."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import CDPSession, expect

from tests.browser.adults import make_adults
from tests.browser.conftest import Child_, Served
from tests.world import PASSWORD

Open = Callable[..., Child_]


def authenticator(teacher: Child_) -> CDPSession:
    """A passkey device that says yes to everything, as if a finger lay on it."""
    found = teacher.context.new_cdp_session(teacher.page)
    found.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2", "transport": "internal", "hasResidentKey": True,
        "hasUserVerification": True, "isUserVerified": True, "automaticPresenceSimulation": True,
    }  # fmt: skip
    found.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    return found


def test_a_passkey_is_made_and_then_asked_for(open_child: Open, served: Served) -> None:
    make_adults(served)
    teacher = open_child()
    teacher.url = served.url.replace("127.0.0.1", "localhost")
    authenticator(teacher)
    page = teacher.go("/in")
    password(teacher)
    page.wait_for_url("**/teach/")
    teacher.go("/account/second")
    page.click("text=Add a passkey")
    expect(
        page.locator("text=From now on, you will be asked for it when you sign in.")
    ).to_be_visible()
    teacher.context.clear_cookies()
    teacher.go("/in")
    password(teacher)
    page.click("button:has-text('Use a passkey')")
    page.wait_for_url("**/teach/")
    teacher.go("/account/second")
    page.click("text=Remove")
    expect(page.locator("text=Removed.")).to_be_visible()


def password(teacher: Child_) -> None:
    page = teacher.page
    page.fill("[name=login]", "lake")
    page.fill("[name=password]", PASSWORD)
    page.click("main form button[type=submit]")
