"""How smoothly a telling, a catch and a new table are shown, in Chromium with its processor slowed
down: `python -m tests.bench.bench_frames [SLOWER [SECONDS]]`.

A frame is late if more than a frame and a half passed since the one before. On a machine with other
work, or without a graphics card, the late frames count that as well; so the processor time that a
second of each part costs the page is measured too, by what it was spent on. It counts only the
page's own work, and a frame is free of trouble while this stays far below 1000 ms.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from tests.browser import conftest, hands

SLOWER: Final = 4.0
SECONDS: Final = 40.0
FRAME: Final = 1000 / 60
SIZES: Final = {"laptop": (1366, 768), "phone": (360, 640)}
WORK: Final = {
    "FunctionCall": "scripts",
    "EvaluateScript": "scripts",
    "RunMicrotasks": "scripts",
    "FireAnimationFrame": "scripts",
    "UpdateLayoutTree": "style",
    "Layout": "layout",
    "PrePaint": "paint",
    "Paint": "paint",
    "Layerize": "paint",
    "Commit": "paint",
    "RasterTask": "raster",
}
# Notes each frame: since the last one, and the part that was shown in it. What is in the air at a
# catch are cards with faces or backs that fly between players; a line or a hook means fishing.
NOTE: Final = """
window.frames_ = [];
(() => {
  let last = performance.now(), opened = last;
  const part = () => {
    const table = document.querySelector('#table');
    if (last - opened < 1500) return 'a new table';
    if (!table?.classList.contains('is-playing')) return 'waiting';
    if (document.querySelector('#air .hook, #air .cast')) return 'fishing';
    return document.querySelector('#air .card') ? 'cards that fly' : 'words';
  };
  const frame = (now) => {
    window.frames_.push([now - last, part()]);
    last = now;
    requestAnimationFrame(frame);
  };
  addEventListener('load', () => { opened = last = performance.now(); });
  requestAnimationFrame(frame);
})();
"""


@dataclass
class Part:
    """The frames of one part of the page's life."""

    frames: list[float] = field(default_factory=list)

    @property
    def dropped(self) -> float:
        """The share of frames that were not shown, of those that the time had room for."""
        room = sum(max(1, round(took / FRAME)) for took in self.frames)
        return 1 - len(self.frames) / room

    @property
    def slowest(self) -> float:
        return max(self.frames)


def traced(cdp: CDPSession) -> list[dict[str, Any]]:
    """End the trace, and return its events."""
    events: list[dict[str, Any]] = []
    done: list[bool] = []
    cdp.on("Tracing.dataCollected", lambda chunk: events.extend(chunk["value"]))
    cdp.on("Tracing.tracingComplete", lambda _: done.append(True))
    cdp.send("Tracing.end")
    until = time.monotonic() + 60
    while not done and time.monotonic() < until:
        cdp.send("Performance.getMetrics")  # lets events arrive
        time.sleep(0.05)
    return events


def spent(events: Iterable[dict[str, Any]]) -> Counter[str]:
    """Milliseconds of processor time by kind of work, of all threads."""
    found: Counter[str] = Counter()
    for event in events:
        if event.get("ph") == "X" and event["name"] in WORK:
            found[WORK[event["name"]]] += event.get("tdur", 0) / 1000
    return found


def measure(
    browser: Browser, served: conftest.Served, size: str, slower: float, wanted: float
) -> None:
    width, height = SIZES[size]
    context = browser.new_context(viewport={"width": width, "height": height})
    context.add_cookies(served.cookies("Mia"))
    page = context.new_page()
    page.add_init_script(NOTE)
    page.goto(served.url + "/play/")
    page.click("#play-classic")
    page.wait_for_selector("#table")
    hands.settle(page)
    cdp = context.new_cdp_session(page)
    cdp.send("Performance.enable")
    cdp.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    cdp.send(
        "Tracing.start",
        {"categories": "devtools.timeline,cc", "transferMode": "ReportEvents"},
    )
    page.reload()
    began = time.monotonic()
    frames = played(page, wanted)
    took = time.monotonic() - began
    costs = spent(traced(cdp))
    context.close()
    report(size, frames, costs, took)


def played(page: Page, seconds: float) -> list[tuple[float, str]]:
    """Play for this long without hurrying. Returns all frames."""
    frames: list[tuple[float, str]] = []
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if page.locator(hands.OVER).count():
            frames += page.evaluate("window.frames_")
            page.click("#again")
            page.wait_for_selector("#table.table")
        elif page.locator("#pond.is-now").count():
            page.click("#pond", force=True)
        elif page.locator(hands.READY).count():
            hands.ask(page, fan=len(frames))
        page.wait_for_timeout(200)
    return frames + page.evaluate("window.frames_")


def report(size: str, frames: list[tuple[float, str]], costs: Counter[str], took: float) -> None:
    parts: dict[str, Part] = {}
    for one, name in frames:
        parts.setdefault(name, Part()).frames.append(one)
    for name, part in sorted(parts.items()):
        print(
            f"{size}, {name}: {len(part.frames)} frames, {100 * part.dropped:.1f} % dropped, "
            f"slowest {part.slowest:.0f} ms"
        )
    work = ", ".join(f"{name} {ms / took:.0f}" for name, ms in costs.most_common())
    print(f"{size}, processor time in a second: {work} ms")


def main(slower: float = SLOWER, seconds: float = SECONDS) -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playing:
        browser = playing.chromium.launch(
            executable_path=conftest.CHROMIUM, args=conftest.ARGUMENTS
        )
        with conftest.serving(Path(folder)) as served:
            served.set("Mia", opponents=3, deck="short", pace="calm", questions="off")
            for size in SIZES:
                measure(browser, served, size, slower, seconds)


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
