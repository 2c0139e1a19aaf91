"""How smooth a table is in Chromium with its processor slowed down, as on a cheap tablet:
`python -m tests.bench.bench_frames [--memory] [SLOWER [SECONDS [TURNS]]]`. It measures

- each animation of a standing table alone, beside a page where only a square moves;
- the frames of a telling, a catch and a new table while a child plays for SECONDS;
- how long a tap waits for the next frame, also in processor time, and tasks that are long once the
  table stands;
- what the page keeps in memory over TURNS turns (with `--memory` only this): the heap of its
  scripts after a forced collection, nodes, listeners, and the recordings that are still held.

Frames are counted by Chromium itself (PipelineReporter in its trace). On a machine with other work
the square drops frames too: compare with its line. The processor time of the page's main thread
counts no other work, and is what to compare between two versions. Slowing down only makes the main
thread pause, so `SLOWER 1` and six times the processor time say the same on a busy machine.

Only the main thread is slowed down, and `--disable-gpu` (tests/browser/conftest.py) is needed: it
draws only what has changed. With `--use-angle=swiftshader` a still table drops 9 % at full speed,
because the processor then plays a graphics card that draws the whole window for each frame.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from tests.browser import conftest, hands

SLOWER: Final = 6.0
SECONDS: Final = 40.0
TURNS: Final = 200
SIZES: Final = {"tablet": (1024, 768), "phone": (360, 640)}
STANDS: Final = 1500  # milliseconds until a new table is at rest
LONG: Final = 200  # milliseconds of a task
BETWEEN: Final = 500  # milliseconds from one tap of a child to the next
HEARD_FOR: Final = 200  # milliseconds for which a turn is told before it is skipped
WATCHED: Final = 3  # seconds for which each animation is watched
# Each animation of the style sheets at a table, and what starts it.
ALONE: Final = {
    "none": "",
    "breathe": "the('.seat').classList.add('is-turn')",
    "turn": "the('#ring').classList.add('is-next')",
    "nudge": "the('.ask__slot').classList.add('is-next')",
    "nudge of all": "the('#table').classList.add('is-nudged')",
    "sway": "the('#help').append('')",
    "wave": "the('#fish').classList.add('is-waving')",
    "swing": "the('.line__tags').innerHTML = '<li class=\"tag is-new\">7</li>'",
    "shine of cards": "all('.fan').forEach((one) => one.classList.add('is-new'))",
    "shine of a book": "the('#shelf').innerHTML = '<b class=\"book is-new\">7</b>'",
    "pop": "the('#hint').innerHTML = '<div class=\"hintsay\">7</div>'",
    "rise": "the('#lost').hidden = false",
    "fade": "the('#board').innerHTML = '<div class=\"veil\"></div>'",
    "ponder": "the('#air').innerHTML = '<span class=\"say\"><svg class=\"say__fish\"/></span>'",
    "held": "the('#sound').classList.add('is-held')",
}
# Runs one animation of ALONE again and again, and no other; returns how many are running.
RUN: Final = """([name, start]) => {
  const the = (query) => document.querySelector(query);
  const all = (query) => document.querySelectorAll(query);
  eval(start);
  for (const one of document.getAnimations()) {
    if (one.animationName !== name.split(' ')[0]) one.cancel();
    else one.effect.updateTiming({iterations: Infinity});
  }
  return document.getAnimations().length;
}"""
# A page with a busy script, where one square moves: by a transform, as in all our animations, or by
# its `left`, which needs the main thread for every frame. The second must drop frames, or the bench
# measures nothing.
EMPTY: Final = """<!doctype html><style>
@keyframes sway { 50% { MOVES } }
i { position: absolute; left: 0; width: 90px; height: 90px; background: teal }
i { animation: sway 3s infinite }
</style><i></i><script>
setInterval(() => { for (const began = performance.now(); performance.now() < began + 80;); }, 100)
</script>"""
MOVES: Final = {"moved": "transform: translateX(200px)", "placed": "left: 200px"}
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
# Marks in the trace where each part begins. Cards in the air fly between players after a catch; a
# hook or a cast line means fishing. It does not ask for every frame, because then the main thread
# would have to draw every frame.
NOTE: Final = """
window.taps_ = [];
window.tasks_ = [];
(() => {
  let opened = performance.now(), was = '';
  const part = () => {
    const table = document.querySelector('#table');
    if (performance.now() - opened < STANDS) return 'a new table';
    if (!table?.classList.contains('is-playing')) return 'waiting';
    if (document.querySelector('#air .hook, #air .cast')) return 'fishing';
    return document.querySelector('#air .card') ? 'cards that fly' : 'words';
  };
  const mark = () => {
    const now = part();
    if (now !== was) performance.mark('part:' + (was = now));
  };
  addEventListener('load', () => {
    opened = performance.now();
    mark();
    setTimeout(mark, STANDS + 1);
  });
  new MutationObserver(mark).observe(document, {
    subtree: true, childList: true, attributes: true, attributeFilter: ['class'],
  });
  new PerformanceObserver((list) => list.getEntries().forEach((tap) => {
    if (tap.interactionId) window.taps_.push(tap.duration);
  })).observe({type: 'event', durationThreshold: 16});
  new PerformanceObserver((list) => list.getEntries().forEach((task) => {
    if (task.startTime - opened > STANDS) window.tasks_.push(task.duration);
  })).observe({type: 'longtask'});
})();
""".replace("STANDS", str(STANDS))
# Counts the bytes of sound that are still held. Before the page is opened.
HEARD: Final = """
(() => {
  const held = [];
  const note = (buffer) => (held.push(new WeakRef(buffer)), buffer);
  const { decodeAudioData, createBuffer } = BaseAudioContext.prototype;
  BaseAudioContext.prototype.decodeAudioData = function (...all) {
    return decodeAudioData.apply(this, all).then(note);
  };
  BaseAudioContext.prototype.createBuffer = function (...all) {
    return note(createBuffer.apply(this, all));
  };
  window.heard_ = () => {
    const alive = held.map((one) => one.deref()).filter(Boolean);
    return [alive.length, alive.reduce((sum, one) => sum + 4 * one.length, 0)];
  };
})();
"""
# Where a child would tap next, if there is anything to tap.
OFFERED: Final = """(turn) => {
  const all = (query) => [...document.querySelectorAll(query)];
  const one = () => {
    const pond = document.querySelector('#pond.is-now');
    if (pond || !document.querySelector(READY)) return pond;
    const open = (query) => all(query + ':not([aria-disabled])');
    if (!document.querySelector('#hand .fan[aria-pressed="true"]')) {
      const fans = open('#hand .fan');
      return fans[turn % fans.length];
    }
    const seats = open('#ring .seat');
    const chosen = seats.some((seat) => seat.matches('[aria-pressed="true"]'));
    return chosen ? document.querySelector('#go') : seats[turn % seats.length];
  };
  const box = one()?.getBoundingClientRect();
  return box && [box.left + box.width / 2, box.top + box.height / 2];
}""".replace("READY", repr(hands.READY))


def trace(cdp: CDPSession) -> None:
    categories = "devtools.timeline,cc,benchmark,blink.user_timing"
    cdp.send("Tracing.start", {"categories": categories, "transferMode": "ReportEvents"})


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


def shown(events: Iterable[dict[str, Any]]) -> dict[str, Counter[bool]]:
    """For each part of the page's life, how many frames were on time (True) and how many were
    dropped (False), as Chromium reports them. A frame is dropped if something should have moved in
    it and did not."""
    parts: dict[str, Counter[bool]] = {}
    part = "a new table"
    for event in sorted(events, key=lambda one: one.get("ts", 0)):
        if event["name"].startswith("part:"):
            part = event["name"].removeprefix("part:")
        elif event["name"] == "PipelineReporter" and event["ph"] == "b":
            about = event["args"]["frame_reporter"]
            if about["state"] != "STATE_NO_UPDATE_DESIRED":
                parts.setdefault(part, Counter())[not about["affects_smoothness"]] += 1
    return parts


def answered(events: Iterable[dict[str, Any]]) -> list[float]:
    """Milliseconds of processor time of the main thread from each touch until what its tap changed
    is handed over to be shown."""
    found: list[float] = []
    thread: int | None = None
    clicked = False
    spent = until = 0.0
    for event in sorted(events, key=lambda one: one.get("ts", 0)):
        kind = event["args"].get("data", {}).get("type") if event["name"] == "EventDispatch" else ""
        if kind == "pointerdown":
            thread, clicked, spent = event["tid"], False, 0.0
        if thread is None or event["tid"] != thread or event.get("ph") != "X":
            continue
        clicked |= kind == "click"
        if event["ts"] >= until:  # not a part of what is counted
            spent += event.get("tdur", 0) / 1000
            until = event["ts"] + event["dur"]
        if clicked and event["name"] == "Layerize":  # the last of a frame
            found.append(spent)
            thread = None
    return found


def at_table(browser: Browser, served: conftest.Served, size: str) -> tuple[Page, CDPSession]:
    """A page of its own at a new table, where it is the child's turn."""
    width, height = SIZES[size]
    context = browser.new_context(viewport={"width": width, "height": height}, bypass_csp=True)
    context.add_cookies(served.cookies("Mia"))
    page = context.new_page()
    page.add_init_script(NOTE)
    page.goto(served.deal("Mia"))
    hands.settle(page)
    page.wait_for_timeout(STANDS)
    cdp = context.new_cdp_session(page)
    cdp.send("Performance.enable", {"timeDomain": "threadTicks"})
    return page, cdp


def metrics(cdp: CDPSession) -> dict[str, float]:
    return {one["name"]: one["value"] for one in cdp.send("Performance.getMetrics")["metrics"]}


def alone(browser: Browser, served: conftest.Served, slower: float) -> None:
    """Watch the square, then each animation by itself."""
    page, cdp = at_table(browser, served, "tablet")
    cdp.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    for way, moves in MOVES.items():
        page.set_content(EMPTY.replace("MOVES", moves))
        print(f"a square, {way}: {watched(page, cdp, 'sway', '')}")
    for name, start in ALONE.items():
        page.goto(served.deal("Mia"))
        hands.settle(page)
        page.wait_for_timeout(STANDS)
        print(f"{name}: {watched(page, cdp, name, start)}")
    page.context.close()


def watched(page: Page, cdp: CDPSession, name: str, start: str) -> str:
    """What one animation costs, in words."""
    before = metrics(cdp)
    trace(cdp)
    running = page.evaluate(RUN, [name, start])
    page.wait_for_timeout(1000 * WATCHED)
    busy = metrics(cdp)["TaskDuration"] - before["TaskDuration"]
    frames = sum(shown(traced(cdp)).values(), Counter[bool]())
    return (
        f"{dropped(frames)}; {1000 * busy / WATCHED:.0f} ms of the main thread in a second, "
        f"{running} running"
    )


def dropped(frames: Counter[bool]) -> str:
    share = frames[False] / max(1, frames.total())
    return f"{frames.total()} frames, {100 * share:.1f} % dropped"


def measure(
    browser: Browser, served: conftest.Served, size: str, slower: float, wanted: float
) -> None:
    page, cdp = at_table(browser, served, size)
    cdp.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    trace(cdp)
    page.reload()
    began = time.monotonic()
    noted = played(page, wanted)
    took = time.monotonic() - began
    events = traced(cdp)
    page.context.close()
    report(size, shown(events), noted, spent(events), took)
    costs = answered(events)
    print(
        f"{size}, processor time from a touch to its answer: middle "
        f"{statistics.median(costs):.0f} ms, longest {max(costs):.0f} ms"
    )


@dataclass
class Noted:
    """What a page has noted about itself."""

    taps: list[float] = field(default_factory=list)
    tasks: list[float] = field(default_factory=list)

    def add(self, page: Page) -> None:
        for name, values in vars(self).items():
            values += page.evaluate(f"window.{name}_")


def played(page: Page, seconds: float) -> Noted:
    """Play for this long as a child does, one unhurried tap after another. It taps with the mouse
    alone: a click of Playwright's checks the page again and again, and the page would be blamed for
    that work."""
    noted = Noted()
    until = time.monotonic() + seconds
    turn = 0
    while time.monotonic() < until:
        if page.locator(hands.OVER).count():
            noted.add(page)
            page.click("#again")
            page.wait_for_selector("#table.table")
        elif at := page.evaluate(OFFERED, turn):
            turn += 1
            page.mouse.click(*at)
        page.wait_for_timeout(BETWEEN)
    noted.add(page)
    return noted


def report(
    size: str, parts: dict[str, Counter[bool]], noted: Noted, costs: Counter[str], took: float
) -> None:
    for name, frames in sorted(parts.items()):
        print(f"{size}, {name}: {dropped(frames)}")
    work = ", ".join(f"{name} {ms / took:.0f}" for name, ms in costs.most_common())
    print(f"{size}, processor time in a second: {work} ms")
    late = sum(tap > 100 for tap in noted.taps)
    print(
        f"{size}, taps: {len(noted.taps)}, middle {statistics.median(noted.taps):.0f} ms, "
        f"longest {max(noted.taps):.0f} ms, {late} over 100 ms"
    )
    tasks = noted.tasks
    print(
        f"{size}, tasks over 50 ms: {len(tasks)}, over {LONG} ms: "
        f"{sum(task > LONG for task in tasks)}, longest {max(tasks, default=0):.0f} ms"
    )


def kept(browser: Browser, served: conftest.Served, turns: int) -> None:
    """What one page keeps early, in the middle and at the end, without what it no longer needs."""
    page, cdp = at_table(browser, served, "tablet")
    page.add_init_script(HEARD)
    page.reload()
    for turn in range(1, turns + 1):
        if hands.settle(page) == "over":
            page.click("#again")
            page.wait_for_selector("#table.table")
            hands.settle(page)
        else:
            hands.ask(page, fan=turn, seat=turn)
            page.wait_for_timeout(HEARD_FOR)
        if turn in (turns // 10, turns * 11 // 20, turns):
            hands.settle(page)
            cdp.send("HeapProfiler.collectGarbage")
            now = metrics(cdp)
            sounds, size = page.evaluate("window.heard_()")
            print(
                f"after {turn} turns: {now['JSHeapUsedSize'] / 1e6:.1f} MB, "
                f"{now['Nodes']:.0f} nodes, {now['JSEventListeners']:.0f} listeners, "
                f"{sounds} recordings of {size / 1e6:.1f} MB"
            )
    page.context.close()


def main(slower: float, seconds: float, turns: int, *, memory: bool) -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playing:
        browser = playing.chromium.launch(
            executable_path=conftest.CHROMIUM, args=conftest.ARGUMENTS
        )
        with conftest.serving(Path(folder)) as served:
            served.set("Mia", opponents=3, deck="short", pace="calm", questions="off")
            if not memory:
                alone(browser, served, slower)
                for size in SIZES:
                    measure(browser, served, size, slower, seconds)
            kept(browser, served, turns)


if __name__ == "__main__":
    given = argparse.ArgumentParser()
    given.add_argument("slower", nargs="?", type=float, default=SLOWER)
    given.add_argument("seconds", nargs="?", type=float, default=SECONDS)
    given.add_argument("turns", nargs="?", type=int, default=TURNS)
    given.add_argument("--memory", action="store_true")
    main(**vars(given.parse_args()))
