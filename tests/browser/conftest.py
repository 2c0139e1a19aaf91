"""A served school, and a child in Chromium. Every page is checked: it must not violate the content
security policy, raise an error in a script, or contact another host."""

from __future__ import annotations

import os
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Page,
    Playwright,
    expect,
    sync_playwright,
)

from classroom.database import db, write_unit
from classroom.games import variants
from classroom.live.asgi import Front
from classroom.models import Child, SchoolClass
from classroom.services.access import sessions, sign_in
from classroom.services.lesson import gatherings
from classroom.services.quiz import question_settings
from classroom.services.table import matches
from tests.browser import hands
from tests.playing import Classroom, make_classroom, settings, stacked

CHROMIUM = os.environ.get("FISH_CHROMIUM", "/usr/bin/chromium")  # run.py sets it
ARGUMENTS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
SIZES = {"phone": (360, 740), "tablet": (1024, 768), "laptop": (1366, 768)}
# The laptop is the tablet with more room at the sides, so the other two are enough.
EACH_SIZE = ["phone", "tablet", pytest.param("laptop", marks=pytest.mark.long)]
SHARES = {
    "size": 2,
    "paper": 2,
    "motion": 2,
    "rate": 2,
    "corner": 3,
    "kind": 3,
}  # of a walk over such cases: tests/sample.py
SEATS = 6  # at the largest table
PATIENCE = 20_000.0  # milliseconds; a busy machine is not the page's fault
WATCH = """
window.violations = [];
addEventListener('securitypolicyviolation',
  (event) => window.violations.push(event.violatedDirective + ' ' + event.blockedURI));
"""

# In a test that is marked `hasty` a page's waits and animations take a sixth of their time; only
# things that close by themselves stay for their full time, and a silent server gets its full time
# to answer.
HASTY = """
const { setTimeout: later } = window;
window.setTimeout = (done, ms = 0, ...more) => later(done, ms >= 5000 ? ms : ms / 6, ...more);
const { animate } = Element.prototype;
Element.prototype.animate = function (...how) {
  const moves = animate.apply(this, how);
  moves.playbackRate = 6;
  return moves;
};
"""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the browser tests, and those that are walks."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker("browser")
            _mark_walk(item)


def _mark_walk(item: pytest.Item) -> None:
    """Make a walk of each test with many cases, and one of all other tests of a file, unless a test
    itself names its walk. An everyday run takes all of test_round.py."""
    cases = getattr(item, "callspec", None)
    shares = [SHARES[name] for name in (cases.params if cases else ()) if name in SHARES]
    if item.get_closest_marker("walk"):
        return
    if item.name.startswith("test_controls_are_big_and_apart"):
        item.add_marker(pytest.mark.walk(4, of="big and apart"))
    elif shares:
        item.add_marker(pytest.mark.walk(shares[0]))
    elif item.path.name != "test_round.py":
        item.add_marker(pytest.mark.walk(6, of=item.path.name))


@dataclass(frozen=True)
class Served:
    """A school at an address, with the cookies and pictures of its children."""

    room: Classroom
    url: str

    def cookies(self, name: str) -> list[Any]:
        device = secrets.token_hex(16)
        with self.room.app.app_context(), write_unit():
            token = sessions.start(
                device, class_id=self.room.class_id, child_id=self.room.children[name]
            )
        pairs = {"school": token, "school-device": device}
        return [{"name": key, "value": value, "url": self.url} for key, value in pairs.items()]

    def set(self, name: str, **values: Any) -> None:
        """Change this child's settings."""
        with self.room.app.app_context():
            settings(self.room.children[name], **values)

    def deal(self, name: str, game: str = "classic") -> str:
        """Deal a round in which this child has the first turn. Returns the address of its table."""
        with self.room.app.app_context(), pytest.MonkeyPatch.context() as patch:
            draw = matches._random.randrange
            last = lambda many: many - 1 if many <= SEATS else draw(many)  # noqa: E731
            patch.setattr(matches._random, "randrange", last)  # the last player deals
            return f"{self.url}/play/rounds/{matches.start_match(self.room.children[name], game)}"

    def code(self) -> str:
        with self.room.app.app_context():
            room = db.session.get(SchoolClass, self.room.class_id)
            assert room is not None
            return room.code

    def pictures(self, name: str) -> tuple[str, ...]:
        with self.room.app.app_context():
            child = db.session.get(Child, self.room.children[name])
            assert child is not None
            return sign_in.pictures_of(child)


@dataclass
class Child_:
    """A child's page in a browser, and its errors."""

    page: Page
    context: BrowserContext
    url: str
    deal: Callable[[], str]  # deals a round for this child, and returns its address
    troubles: list[str] = field(default_factory=list)
    allowed: set[str] = field(default_factory=set)

    def go(self, path: str) -> Page:
        self.page.goto(self.url + path)
        return self.page

    def sit(self) -> Page:
        """Go to a new table of Go Fish where it is this child's turn."""
        self.page.goto(self.deal())
        assert hands.settle(self.page) == "mine"
        return self.page

    def check(self) -> None:
        """Check that no page has had an error so far."""
        if not self.page.is_closed() and self.page.url.startswith(self.url):
            self.troubles += self.page.evaluate("() => window.violations || []")
        assert not self.troubles


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("school")) as school:
        yield school


@contextmanager
def serving(folder: Path, pace: float = 0.05) -> Iterator[Served]:
    """Serve a school from this folder. `pace`: the seconds that a computer player takes."""
    room = make_classroom(folder, 8, COMPANION_PACE=pace)
    config = uvicorn.Config(
        Front(room.app), host="127.0.0.1", port=0, log_level="warning", access_log=False,
        timeout_graceful_shutdown=1, ws="none",
    )  # fmt: skip
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    until = time.monotonic() + 20
    while not server.started:
        assert time.monotonic() < until, "the server did not start"
        time.sleep(0.02)
    port = server.servers[0].sockets[0].getsockname()[1]
    with pytest.MonkeyPatch.context() as patch:  # children of earlier tests are still signed in
        patch.setattr(gatherings, "anybody_free", lambda *_: False)
        yield Served(room, f"http://127.0.0.1:{port}")
    config.app.end_streams()
    server.should_exit = True
    thread.join(10)
    with room.app.app_context():
        db.session.remove()
        db.engine.dispose()


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as playing:
        yield playing


@pytest.fixture
def eager(served: Served) -> Iterator[Served]:
    """A class where a question comes every turn."""
    with served.room.app.app_context():
        question_settings.write(
            None, "class", served.room.class_id, question_settings.QuestionChoice("every_turn")
        )
    yield served
    with served.room.app.app_context():
        question_settings.write(
            None, "class", served.room.class_id, question_settings.QuestionChoice("off")
        )


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A deck "five" of three kinds, so that a round of two players is short: the player who begins
    catches a card with each of the first two asks."""
    monkeypatch.setitem(variants.DECKS, "five", replace(variants.DECKS["five"], kinds=3, deal=2))
    with stacked([rank + suit for two in ("CD", "HS") for rank in "A23" for suit in two], 1):
        yield


@pytest.fixture(scope="session")
def chromium(playwright: Playwright) -> Iterator[Browser]:
    if not Path(CHROMIUM).exists():
        pytest.fail("Chromium is missing: apt-get install chromium; or leave out --no-browser")
    expect.set_options(timeout=PATIENCE)
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
    yield browser
    browser.close()


class Contexts:
    """Browsers that the tests of a module use one after the other, as the children of a school do.
    What one has loaded, the next finds in the cache; cookies, routes and pages are gone."""

    def __init__(self, chromium: Browser) -> None:
        self._chromium = chromium
        self._free: dict[str, list[BrowserContext]] = {}
        self._closed: list[BrowserContext] = []

    def take(self, options: dict[str, Any]) -> BrowserContext:
        free = self._free.get(repr(options))
        return free.pop() if free else self.new(options)

    def new(self, options: dict[str, Any]) -> BrowserContext:
        context = self._chromium.new_context(**options)
        context.set_default_timeout(PATIENCE)
        context.on("close", lambda it: self._closed.append(it))
        return context

    def give_back(self, context: BrowserContext, options: dict[str, Any]) -> None:
        if context in self._closed:  # by the test itself
            return
        for page in context.pages:
            page.close()
        context.unroute_all(behavior="ignoreErrors")
        context.set_offline(False)
        context.clear_cookies()
        self._free.setdefault(repr(options), []).append(context)

    def close(self) -> None:
        for free in self._free.values():
            for context in free:
                context.close()


@pytest.fixture(scope="module")
def contexts(chromium: Browser) -> Iterator[Contexts]:
    made = Contexts(chromium)
    yield made
    made.close()


@pytest.fixture
def open_child(
    contexts: Contexts, served: Served, request: pytest.FixtureRequest
) -> Iterator[Callable[..., Child_]]:
    """Open a browser: `open_child("Mia", size="phone", ...)`. Without a name, no child is signed
    in. `fresh`: an empty cache, and a context that is used by no other test, since a clock that is
    installed stays."""
    opened: list[tuple[Child_, dict[str, Any]]] = []

    def open_(
        name: str | None = None, size: str = "laptop", fresh: bool = False, **options: Any
    ) -> Child_:
        width, height = SIZES[size]
        options["viewport"] = {"width": width, "height": height}
        context = contexts.new(options) if fresh else contexts.take(options)
        if name:
            context.add_cookies(served.cookies(name))
        deal = partial(served.deal, name or "")
        child = Child_(context.new_page(), context, served.url, deal)
        _watch(child)
        if request.node.get_closest_marker("hasty"):
            child.page.add_init_script(HASTY)
        opened.append((child, {} if fresh else options))
        return child

    yield open_
    for child, options in opened:
        child.check()
        if options:
            contexts.give_back(child.context, options)
        else:
            child.context.close()


def _watch(child: Child_) -> None:
    page = child.page
    page.add_init_script(WATCH)
    page.on("pageerror", lambda error: child.troubles.append(f"script: {error}"))
    page.on("request", lambda request: _foreign(child, request.url))
    page.on(
        "console",
        lambda line: child.troubles.append(line.text)
        if line.type == "error" and "the server responded with a status" not in line.text
        and "SSE reconnect failed with status 401" not in line.text  # it has just signed out
        and not any(words in line.text for words in child.allowed)
        else None,
    )  # fmt: skip


def _foreign(child: Child_, url: str) -> None:
    if not url.startswith((child.url + "/", "data:", "blob:")):
        child.troubles.append(f"another host: {url}")
