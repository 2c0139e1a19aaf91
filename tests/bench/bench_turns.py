"""How long it takes to tell a computer player's turn, at each pace, in Chromium with sound on:
`python -m tests.bench.bench_turns [TURNS]`.

A turn is counted from the moment an ask is told until the next ask, or until it is the child's
turn. The child plays at once, so that there is a turn to measure every few seconds.
"""

from __future__ import annotations

import re
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from classroom.services.table.paces import PACES
from tests.browser import conftest, hands

CLOCK = """
window.told = [];
addEventListener('DOMContentLoaded', () => {
  const heard = document.querySelector('#heard');
  if (!heard) return;
  new MutationObserver(() => window.told.push([performance.now(), heard.textContent]))
    .observe(heard, {childList: true, characterData: true, subtree: true});
});
"""
ASK = re.compile(r"^\w+ asks ")
PATIENCE = 1200  # seconds at most for one pace


def turns(told: list[tuple[float, str]]) -> Iterator[tuple[float, bool]]:
    """Seconds of each computer player's turn, and whether a book was laid in it."""
    since: float | None = None
    book = False
    for at, words in told:
        asks = bool(ASK.match(words))
        if since is not None and (asks or words == "Your turn!" or words.startswith("Hmm")):
            yield (at - since) / 1000, book
            since = None
        if asks:
            since, book = at, False
        book = book or "make a book" in words


def measure(page: Page, number: int) -> list[tuple[float, bool]]:
    """Play until this many turns have been told. Returns what `turns` yields for them."""
    found: list[tuple[float, bool]] = []
    until = time.monotonic() + PATIENCE
    while len(found) < number and time.monotonic() < until:
        if page.locator(hands.OVER).count():
            page.click("#again")
        elif page.locator(hands.READY).count():
            hands.ask(page, fan=len(found))
        elif page.locator("#pond.is-now").count():
            page.click("#pond")
        page.wait_for_timeout(60)
        found = list(turns(page.evaluate("window.told")))
    return found


def main(number: int) -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playing:
        browser = playing.chromium.launch(
            executable_path=conftest.CHROMIUM,
            args=[*conftest.ARGUMENTS, "--autoplay-policy=no-user-gesture-required"],
        )
        with conftest.serving(Path(folder)) as served:
            for pace in PACES:
                served.set("Mia", opponents=2, deck="short", pace=pace, questions="off")
                context = browser.new_context(viewport={"width": 1024, "height": 768})
                context.add_cookies(served.cookies("Mia"))
                page = context.new_page()
                page.add_init_script(CLOCK)
                page.goto(served.url + "/play/")
                page.click("#play-classic")
                page.wait_for_selector("#table")
                report(pace, measure(page, number))
                context.close()


def report(pace: str, found: list[tuple[float, bool]]) -> None:
    plain = [seconds for seconds, book in found if not book]
    for name, some in (("without a book", plain), ("all", [seconds for seconds, _ in found])):
        if len(some) > 1:
            middle, high = statistics.median(some), statistics.quantiles(some, n=20)[-1]
            print(f"{pace}, {name}: {len(some)} turns, median {middle:.1f} s, p95 {high:.1f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 40)
