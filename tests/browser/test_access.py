"""axe-core finds nothing on any page: names, roles, contrast, order, languages. No page has an
error in a script, and no text of adults is cut off on a phone.

axe-core finds only some of the barriers that people meet; docs/folder/accessibility.md says what
else was tried, and what was not.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Route
from werkzeug.routing import Rule

from tests import sample
from tests.browser.adults import CUT
from tests.browser.conftest import SIZES
from tests.web.people import kinds, whose
from tests.web.routes import addresses, is_own, rules
from tests.world import KIND, Visitor, World

LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
WHO = ("nobody", "device", "Miaqua", "home device", "Miaqua at home", "lake", "rush", "admin")
ADULTS = ("teacher", "parent", "admin")
NO_PAGE = ("text/event-stream", "text/csv", "application/json", "text/plain")
HOST = "http://school.test"
UNSEEN = (
    ".svg",
    ".png",
    ".woff2",
    ".mp3",
)  # axe-core looks at words and their colours


def shown(world: World, who: str) -> Iterator[tuple[str, Rule]]:
    """The address of each page that this person may open, once. For an administrator, pages that a
    teacher may open too are left out."""
    for rule in rules(world.app):
        if "GET" not in (rule.methods or ()) or rule.endpoint == "static":
            continue
        may = kinds(rule.endpoint)
        if KIND[who] not in may or (who == "admin" and KIND["lake"] in may):
            continue
        for address in addresses(world, rule):
            if address.thing == "" or is_own(whose(rule.endpoint), who, address.thing):
                yield address.path, rule
                break


def serve(page: Page, visitor: Visitor) -> None:
    """Let the app answer the browser without a server; streams stay closed."""

    def answer(route: Route) -> None:
        path = route.request.url.removeprefix(HOST)
        if "events" in path.rsplit("/", 1)[-1] or path.partition("?")[0].endswith(UNSEEN):
            return route.abort()
        found = visitor.client.get(path, buffered=True)
        headers = {name: value for name, value in found.headers if name != "Set-Cookie"}
        return route.fulfill(status=found.status_code, headers=headers, body=found.data)

    page.route("**/*", answer)


@pytest.mark.parametrize("who", WHO)
def test_axe_finds_nothing_on_any_page(
    chromium: Browser, world: World, who: str, whole: bool
) -> None:
    visitor, looked, wrong = world.visitor(who), 0, list[str]()
    width, height = SIZES["phone" if who == "rush" else "tablet"]
    context = chromium.new_context(
        viewport={"width": width, "height": height}, reduced_motion="reduce"
    )
    page = context.new_page()
    page.on("pageerror", lambda error: wrong.append(f"{page.url}: {error}"))
    serve(page, visitor)
    pages = [path for path, _ in shown(world, who) if is_page(visitor, path)]
    for path in sample.part(pages, 7, whole):
        page.goto(HOST + path, wait_until="load")
        page.evaluate(OPEN)
        found = Axe().run(page, options={"runOnly": LEVELS, "resultTypes": ["violations"]})
        wrong += [said(path, one) for one in found.response["violations"]]
        if KIND[who] in ADULTS:
            page.set_viewport_size({"width": 360, "height": 740})
            wrong += [f"{path}: cut off at 360: {text}" for text in page.evaluate(CUT)]
            page.set_viewport_size({"width": width, "height": height})
        looked += 1
    context.close()
    assert looked
    assert not wrong, "\n".join(sorted(set(wrong)))


# Open every fold, so that what it hides is looked at too.
OPEN = "() => document.querySelectorAll('details').forEach((one) => { one.open = true; })"


def is_page(visitor: Visitor, path: str) -> bool:
    answer = visitor.get(path)
    return answer.status_code == 200 and "<html" in answer.text[:200]


def said(path: str, found: dict[str, Any]) -> str:
    where = " ".join(found["nodes"][0]["target"])
    return f"{path}: {found['id']} ({len(found['nodes'])}) {where}: {found['help']}"
