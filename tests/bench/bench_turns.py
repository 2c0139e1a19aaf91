"""How long it takes to tell a computer player's turn in each game, at each pace, with sound on:
`python -m tests.bench.bench_turns [TURNS [GAME ...]]`.

The times are those of the page (tests/browser/telling_time.py); those in which a wish comes true or
a book is made are longer, and counted apart. Then comes how long a child of four years waits from
its own ask to its next one in Go Fish, as its age suggests and with two friends and ten kinds of
card; its own taps take no time there. At the end comes what each step takes at the usual
pace, in moves of the child's own and in those of others: the seconds of SHOWN
(classroom/services/table/round_lengths.py), where the child taps the pond and the backs at once.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Route, sync_playwright

from classroom.games import GAMES
from classroom.services.lesson import own_games
from classroom.services.table.choices import PACES
from tests.browser import conftest, telling_time
from tests.browser.telling_time import Turn

YOUNGEST: dict[str, dict[str, Any]] = {
    "as suits four years": {"opponents": 0, "deck": "age", "pace": "age"},
    "two friends, ten kinds": {"opponents": 2, "deck": "short", "pace": "age"},
}
PATIENCE = 300.0  # seconds at most for one game at one pace
USUAL = "usual"
# The page notes each step that it has shown: its move, kind and seat, and how long it took. The
# counting of the books is one more.
NOTE = """
window.steps = [];
window.timed = async (about, shown) => {
  const began = performance.now();
  await shown;
  window.steps.push([about.seq, about.kind, about.seat, performance.now() - began]);
};
"""
SHOWS = {
    "await show(step,steps[i+1]);": "await timed(step.dataset,show(step,steps[i+1]));",
    "await tally();": "await timed({seq:-1,kind:'tally',seat:-1},tally());",
}


@dataclass(frozen=True)
class Step:
    kind: str
    mine: bool  # part of the child's own move
    seconds: float


def noting(route: Route) -> None:
    answer = route.fetch()
    script = answer.text()
    for plain, timed in SHOWS.items():
        if script.count(plain) != 1:
            raise SystemExit(f"the script was changed: {plain}")
        script = script.replace(plain, timed)
    route.fulfill(response=answer, body=script)


def steps_of(page: Page) -> Iterable[Step]:
    """The steps that the page has shown. A move begins with a step of the seat that moves."""
    me = page.locator("#table").get_attribute("data-me")
    movers: dict[str, str] = {}
    for move, kind, seat, took in page.evaluate("window.steps"):
        yield Step(kind, movers.setdefault(move, seat) == me, took / 1000)


def measure(
    browser: Browser, served: conftest.Served, game: str, turns: int, **chosen: Any
) -> tuple[list[Turn], list[Step], list[float]]:
    served.set("Mia", questions="off", **chosen)
    context = browser.new_context(viewport={"width": 1024, "height": 768})
    context.add_cookies(served.cookies("Mia"))
    page = context.new_page()
    telling_time.begin(page)
    page.add_init_script(NOTE)
    page.route("**/bundle.js*", noting)
    page.goto(served.url + "/play/")
    page.click(f"#play-{game}")
    page.wait_for_selector("#table")
    found = telling_time.play(page, turns, PATIENCE)
    steps = list(steps_of(page))
    waited = list(telling_time.waits(page.evaluate("window.told")))
    context.close()
    return found, steps, waited


def report(what: str, seconds: list[float]) -> None:
    if len(seconds) > 1:
        middle, high = statistics.median(seconds), statistics.quantiles(seconds, n=20)[-1]
        print(
            f"{what}: {len(seconds)} turns, p50 {middle:.1f}, p95 {min(high, max(seconds)):.1f}, "
            f"longest {max(seconds):.1f} s",
            flush=True,
        )


def report_steps(steps: Iterable[Step]) -> None:
    kinds: dict[str, dict[bool, list[float]]] = defaultdict(lambda: {True: [], False: []})
    for step in steps:
        kinds[step.kind][step.mine].append(step.seconds)
    for kind, both in sorted(kinds.items()):
        cells = ", ".join(
            f"{whose} {statistics.mean(both[mine]):.2f} s ({len(both[mine])})"
            for whose, mine in (("own", True), ("others'", False))
            if both[mine]
        )
        print(f"{USUAL}, {kind}: {cells}")


def main(turns: int, games: list[str]) -> None:
    plain: dict[str, list[float]] = {pace: [] for pace in PACES}
    usual: list[Step] = []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playing:
        browser = playing.chromium.launch(
            executable_path=conftest.CHROMIUM, args=conftest.ARGUMENTS
        )
        with conftest.serving(Path(folder)) as served:
            with served.room.app.app_context():
                own_games.put_on_shelf(served.room.class_id, games, by=None)
            for game in games:
                opponents = min(2, GAMES[game].rules.seats[1] - 1)
                for pace in PACES:
                    chosen = {"opponents": opponents, "deck": "short", "pace": pace}
                    found, steps, _ = measure(browser, served, game, turns, **chosen)
                    some = [turn.seconds for turn in found if turn.plain]
                    plain[pace] += some
                    usual += steps if pace == USUAL else []
                    report(f"{game}, {pace}", some)
                    more = [turn.seconds for turn in found if not turn.plain]
                    report(f"{game}, {pace}, with more than an answer", more)
            for name, chosen in YOUNGEST.items():
                *_, waited = measure(browser, served, "classic", 3 * turns, **chosen)
                report(f"from ask to ask, {name}", waited)
    for pace, some in plain.items():
        report(f"all games, {pace}", some)
    report_steps(usual)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20, sys.argv[2:] or list(GAMES))
