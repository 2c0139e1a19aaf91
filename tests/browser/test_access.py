"""Other people's checkers find nothing on any page: names, roles, contrast, order, languages, and
whether it is valid HTML. No page has an error in a script, and no text of adults is cut off on a
phone.

They find only some of the barriers that people meet; templates/papers/accessibility.md says what
else was tried, and what was not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Browser, Page, Route
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from tests import sample
from tests.browser import checkers
from tests.browser.adults import CUT
from tests.browser.conftest import SIZES
from tests.web.people import kinds, whose
from tests.web.routes import addresses, is_own, rules
from tests.world import KIND, Visitor, World

WHO = (
    "nobody",
    "device",
    "Miaqua",
    "tablet",
    "home device",
    "Miaqua at home",
    "lake",
    "rush",
    "admin",
)
ADULTS = ("teacher", "parent", "admin")
NO_PAGE = ("text/event-stream", "text/csv", "application/json", "text/plain")
HOST = "http://school.test"
UNSEEN = (
    ".svg",
    ".png",
    ".woff2",
    ".mp3",
)  # axe-core looks only at words and their colours


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


@dataclass
class Found:
    """What was found on the pages of a person."""

    axe: list[str] = field(default_factory=list)
    ibm: list[str] = field(default_factory=list)
    ours: list[str] = field(default_factory=list)


Pages = dict[str, str]  # the text by the address


@pytest.fixture(scope="module")
def kept() -> tuple[dict[str, Pages], dict[str, Found]]:
    """The pages of each person and what was found on them, so that one walk serves all checkers."""
    return {}, {}


@pytest.fixture
def pages(world: World, kept: tuple[dict[str, Pages], object]) -> Callable[[str], Pages]:
    """All pages of a person."""

    def get(who: str) -> Pages:
        if who not in kept[0]:
            visitor = world.visitor(who)
            answers = {path: visitor.get(path) for path, _ in shown(world, who)}
            kept[0][who] = {path: one.text for path, one in answers.items() if is_page(one)}
        return kept[0][who]

    return get


@pytest.fixture
def found(
    chromium: Browser,
    world: World,
    pages: Callable[[str], Pages],
    kept: tuple[object, dict[str, Found]],
    whole: bool,
) -> Callable[[str], Found]:
    """What is found on a person's pages in a browser."""

    def look(who: str) -> Found:
        if who not in kept[1]:
            some = sample.part(pages(who), 7, whole)
            assert some
            kept[1][who] = look_at(chromium, world.visitor(who), who, some)
        return kept[1][who]

    return look


def look_at(chromium: Browser, visitor: Visitor, who: str, paths: list[str]) -> Found:
    found = Found()
    width, height = SIZES["phone" if who == "rush" else "tablet"]
    context = chromium.new_context(
        viewport={"width": width, "height": height}, reduced_motion="reduce"
    )
    page = context.new_page()
    page.on("pageerror", lambda error: found.ours.append(f"{page.url}: {error}"))
    serve(page, visitor)
    for path in paths:
        page.goto(HOST + path, wait_until="load")
        page.evaluate(OPEN)
        found.axe += checkers.axe(page, path)
        if checkers.IBM.exists():
            found.ibm += checkers.ibm(page, path)
        if KIND[who] in ADULTS:
            page.set_viewport_size({"width": 360, "height": 740})
            found.ours += [f"{path}: cut off at 360: {text}" for text in page.evaluate(CUT)]
            page.set_viewport_size({"width": width, "height": height})
    context.close()
    return found


@pytest.mark.walk(9, of="axe on every page")
@pytest.mark.parametrize("who", WHO)
def test_axe_finds_nothing_on_any_page(found: Callable[[str], Found], who: str) -> None:
    wrong = {*found(who).axe, *found(who).ours}
    assert not wrong, "\n".join(sorted(wrong))


@pytest.mark.walk(9, of="IBM's checker on every page")  # the same people, so one walk is enough
@pytest.mark.parametrize("who", WHO)
def test_the_checker_of_ibm_finds_nothing_on_any_page(
    found: Callable[[str], Found], who: str
) -> None:
    checkers.need(checkers.IBM)
    assert not found(who).ibm, "\n".join(sorted({*found(who).ibm}))


@pytest.mark.whole  # every day: html-validate
def test_the_nu_html_checker_finds_no_error_on_any_page(
    pages: Callable[[str], Pages], whole: bool
) -> None:
    checkers.need("java", checkers.NU)
    wrong = checkers.nu(some_of(pages, whole))
    assert not wrong, "\n".join(sorted({*wrong}))


@pytest.mark.walk(1)
def test_html_validate_finds_nothing_on_any_page(
    pages: Callable[[str], Pages], whole: bool
) -> None:
    checkers.need("node", checkers.HTML_VALIDATE)
    wrong = checkers.html_validate(some_of(pages, whole))
    assert not wrong, "\n".join(sorted({*wrong}))


def some_of(pages: Callable[[str], Pages], whole: bool) -> Pages:
    """Pages of everybody, in an everyday run one in seven."""
    all_ = [(f"{who}, {path}", text) for who in WHO for path, text in pages(who).items()]
    return dict(sample.part(all_, 7, whole))


# Open every fold, so that what it hides is looked at too.
OPEN = "() => document.querySelectorAll('details').forEach((one) => { one.open = true; })"


def is_page(answer: TestResponse) -> bool:
    return (
        answer.status_code == 200
        and answer.mimetype == "text/html"
        and "<html" in answer.text[:200]
    )
