"""How long it takes to tell a computer player's turn in each game, at each pace, with sound on:
`python -m tests.bench.bench_turns [TURNS [GAME ...]]`.

The times are those of the page (tests/browser/telling_time.py); those in which a wish comes true or
a book is made are longer, and counted apart.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from classroom.games import GAMES
from classroom.services.lesson import own_games
from classroom.services.table.paces import PACES
from tests.browser import conftest, telling_time
from tests.browser.telling_time import Turn

PATIENCE = 300.0  # seconds at most for one game at one pace


def measure(
    browser: Browser, served: conftest.Served, game: str, pace: str, turns: int
) -> list[Turn]:
    opponents = min(2, GAMES[game].rules.seats[1] - 1)
    served.set("Mia", opponents=opponents, deck="short", pace=pace, questions="off")
    context = browser.new_context(viewport={"width": 1024, "height": 768})
    context.add_cookies(served.cookies("Mia"))
    page = context.new_page()
    telling_time.begin(page)
    page.goto(served.url + "/play/")
    page.click(f"#play-{game}")
    page.wait_for_selector("#table")
    found = telling_time.play(page, turns, PATIENCE)
    context.close()
    return found


def report(what: str, seconds: list[float]) -> None:
    if len(seconds) > 1:
        middle, high = statistics.median(seconds), statistics.quantiles(seconds, n=20)[-1]
        print(
            f"{what}: {len(seconds)} turns, p50 {middle:.1f}, p95 {min(high, max(seconds)):.1f}, "
            f"longest {max(seconds):.1f} s"
        )


def main(turns: int, games: list[str]) -> None:
    plain: dict[str, list[float]] = {pace: [] for pace in PACES}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playing:
        browser = playing.chromium.launch(
            executable_path=conftest.CHROMIUM, args=conftest.ARGUMENTS
        )
        with conftest.serving(Path(folder)) as served:
            with served.room.app.app_context():
                own_games.put_on_shelf(served.room.class_id, games, by=None)
            for game in games:
                for pace in PACES:
                    found = measure(browser, served, game, pace, turns)
                    some = [turn.seconds for turn in found if turn.plain]
                    plain[pace] += some
                    report(f"{game}, {pace}", some)
                    more = [turn.seconds for turn in found if not turn.plain]
                    report(f"{game}, {pace}, with more than an answer", more)
    for pace, some in plain.items():
        report(f"all games, {pace}", some)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20, sys.argv[2:] or list(GAMES))
