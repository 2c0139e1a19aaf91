"""How soon two children see an ask: from the click on Ask until the screen changes, on the child's
own screen and on the friend's, in two Chromium contexts.

    python -m tests.bench.bench_clicks [asks]

After each ask comes a click on a bare Flask page with the same htmx (bench_stack.py), which commits
one row, shows it, and sends it to a second page by a stream. The time ends with the first frame
after the change, so a frame's 17 ms are part of it.
"""

from __future__ import annotations

import queue
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from multiprocessing.queues import Queue
from pathlib import Path
from typing import Any, Final

from flask import Flask, Response
from playwright.sync_api import Browser, Page, sync_playwright

from classroom.app import create_app
from classroom.database import db, write_unit
from classroom.services.access import sessions
from classroom.services.table import matches
from classroom.web.http.assets import SOURCES, VENDORED, vendored
from tests.bench import bench_stack
from tests.browser import conftest, hands
from tests.playing import Classroom, fill, settings

ASKS: Final = 100
SEATED: Final = ("Mia", "Ben")
ANSWER: Final = 12_000  # bytes of the bare answer, as many as an answer to an ask has
PATIENCE: Final = 20.0
# Notes when a button was clicked, and the first frame after the text of an element has changed.
NOTE: Final = """(selector) => {
  const now = () => performance.timeOrigin + performance.now();
  addEventListener('click', (event) => {
    window.clicked = performance.timeOrigin + event.timeStamp;
  }, true);
  window.changed = 0;
  new MutationObserver(() => {
    if (!window.changed) requestAnimationFrame(() => { window.changed ||= now(); });
  }).observe(document.querySelector(selector),
    { childList: true, characterData: true, subtree: true });
}"""


# ---- the bare pages


def bare(folder: Path, size: int) -> Flask:
    """The bare app of bench_stack.py with two pages: one sends its form, the other has a stream."""
    app = bench_stack.bare(folder, size)
    commit = app.view_functions["commit"]
    news: queue.SimpleQueue[str] = queue.SimpleQueue()
    script = ";\n".join(vendored(SOURCES / "vendor" / name) for name in VENDORED)

    def page(body: str) -> str:
        return f'<!doctype html><script src="/htmx.js"></script>{body}<div id="seen"></div>'

    @app.get("/htmx.js")
    def htmx() -> Response:
        return Response(script, mimetype="text/javascript")

    @app.get("/own")
    def own() -> str:
        form = '<form data-hx-post="/tell" data-hx-target="#seen">'
        return page(f'{form}<button id="go">Ask</button></form>')

    @app.get("/other")
    def other() -> str:
        return page('<div data-hx-sse:connect="/news" data-hx-target="#seen"></div>')

    @app.post("/tell")
    def tell() -> str:
        shown = str(commit())
        news.put(shown)
        return shown

    @app.get("/news")
    def stream() -> Response:
        def lines() -> Iterator[str]:
            while True:
                try:
                    yield f"data: {news.get(timeout=1)}\n\n"
                except queue.Empty:
                    yield ":\n\n"  # ends the stream if its page is gone

        return Response(lines(), mimetype="text/event-stream")

    return app


def serve_bare(folder: str, port: Queue[int], size: int) -> None:
    bench_stack.serve_app(bare(Path(folder), size), port)


# ---- two children at a table


def seat(folder: str) -> Classroom:
    room = fill(create_app({"INSTANCE": folder, **bench_stack.SETTINGS}))
    with room.app.app_context():
        for name in SEATED:
            settings(room.children[name], deck="full", questions="off")
    return room


def lay_table(room: Classroom) -> int:
    """Deal the two a round, and return its id. Each round is dealt when the one before it is over,
    because a friend would soon play for a child that keeps another waiting, and cover its table."""
    pair = [room.children[name] for name in SEATED]
    with room.app.app_context(), write_unit():
        return matches.together(room.class_id, "classic", pair)


def cookies(room: Classroom, name: str, url: str) -> list[Any]:
    with room.app.app_context(), write_unit():
        token = sessions.start(name * 8, class_id=room.class_id, child_id=room.children[name])
        db.session.flush()
    pairs = {"school": token, "school-device": name * 8}
    return [{"name": key, "value": value, "url": url} for key, value in pairs.items()]


# ---- measuring


@dataclass
class Times:
    """Milliseconds from a click to the change, on the screen that was clicked and on the other."""

    own: list[float] = field(default_factory=list)
    other: list[float] = field(default_factory=list)

    def add(self, own: Page, other: Page) -> None:
        """Wait until both have changed after a click on the first."""
        clicked = own.evaluate("window.clicked")
        for page, times in ((own, self.own), (other, self.other)):
            times.append(changed(page) - clicked)


def changed(page: Page) -> float:
    until = time.monotonic() + PATIENCE
    while not (at := page.evaluate("window.changed")):
        if time.monotonic() > until:
            raise SystemExit(f"nothing changed at {page.url}")
        page.wait_for_timeout(20)
    return float(at)


def forget(*pages: Page) -> None:
    for page in pages:
        page.evaluate("window.changed = 0")


def at_rest(pages: list[Page]) -> Page | None:
    """Skip what is shown on both pages. Returns the page of the child whose turn it is, None at the
    end."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        states = [hands.state(page) for page in pages]
        if "over" in states:
            return None
        if sorted(states) == ["mine", "waiting"]:
            return pages[states.index("mine")]
        for page, state in zip(pages, states, strict=True):
            if state == "playing":
                page.keyboard.press("Escape")
        pages[0].wait_for_timeout(20)
    raise SystemExit("the table stands still")


def play(pages: list[Page], plain: list[Page], asks: int) -> Iterator[tuple[str, Times]]:
    """Ask until the round is over, with a click on the bare page after each ask."""
    for turn in range(asks):
        mine = at_rest(pages)
        if mine is None:
            return
        friend = pages[1 - pages.index(mine)]
        hands.take(mine, fan=turn)
        for name, own, other in (("an ask", mine, friend), ("a bare page", *plain)):
            forget(own, other)
            own.click("#go")
            times = Times()
            times.add(own, other)
            yield name, times


@contextmanager
def alone(browser: Browser) -> Iterator[Page]:
    """A page in a context of its own: a page behind another one is painted only once a second."""
    context = browser.new_context()
    yield context.new_page()
    context.close()


def measure(browser: Browser, folder: str, asks: int) -> dict[str, Times]:
    room = seat(folder)
    found: dict[str, Times] = defaultdict(Times)
    with ExitStack() as stack:
        school, bare_ = (
            stack.enter_context(bench_stack.served(target, folder, *more))
            for target, more in ((bench_stack.serve_school, ()), (serve_bare, (ANSWER,)))
        )
        url, plain_url = (f"http://127.0.0.1:{one.port}" for one in (school, bare_))
        pages, plain = (
            [stack.enter_context(alone(browser)) for _ in SEATED] for _ in ("school", "bare")
        )
        for page, name in zip(pages, SEATED, strict=True):
            page.context.add_cookies(cookies(room, name, url))
        for page, path in zip(plain, ("own", "other"), strict=True):
            page.goto(f"{plain_url}/{path}")
            page.evaluate(NOTE, "#seen")
        while len(found["an ask"].own) < asks:
            round_id = lay_table(room)
            for page in pages:
                page.goto(f"{url}/play/rounds/{round_id}")
                page.wait_for_selector("#table.table")
                page.evaluate(NOTE, "#heard")
            for name, times in play(pages, plain, asks - len(found["an ask"].own)):
                found[name].own += times.own
                found[name].other += times.other
    return found


def main(asks: int = ASKS) -> None:
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder, sync_playwright() as playing:
        browser = playing.chromium.launch(
            executable_path=conftest.CHROMIUM, args=conftest.ARGUMENTS
        )
        found = measure(browser, folder, asks)
    for name, both in found.items():
        for screen, times in (("own", both.own), ("other", both.other)):
            p50, p95 = statistics.median(times), sorted(times)[int(0.95 * len(times))]
            print(f"{name}, {screen} screen: {len(times)}, p50 {p50:.0f} ms, p95 {p95:.0f} ms")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
