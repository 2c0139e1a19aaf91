"""How long it takes to tell a computer player's turn in each game, at each pace, with sound on:
`python -m tests.bench.bench_turns [TURNS [GAME ...]]`.

The times are those of the page (tests/browser/telling_time.py); turns in which a wish comes true or
a book is made are longer, and counted apart. Then comes how long a child of four years waits from
its own ask to its next one in Go Fish, as its age suggests and with two friends and ten kinds of
card; its own taps take no time there. At the end comes what each step takes at the usual pace, in
moves of the child's own and in those of others: the seconds of SHOWN
(classroom/services/table/round_lengths.py), where the child taps the pond and the backs at once.

`python -m tests.bench.bench_turns --share [ROUNDS]` measures whose time a round is, for the ages of
four to six and with one and three computer friends. The child taps at the speed of a person: it
thinks THOUGHT seconds before it asks, WONDERED before it answers a question and REACHED before it
taps the pond, and leaves every third question. Its own seconds are those in which it has something
to do: its turn, a question, and, counted apart, the time in which it may guess who has the card.
While its own ask is told, it only looks on, so those seconds are not its own. Questions do not
count in the time from its ask to its next turn.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Route, sync_playwright

from classroom.games import GAMES
from classroom.services.lesson import own_games
from classroom.services.quiz import question_settings
from classroom.services.table.choices import PACES
from classroom.services.table.round_lengths import THOUGHT
from tests.browser import conftest, hands, telling_time
from tests.browser.telling_time import Turn

YOUNGEST: dict[str, dict[str, Any]] = {
    "as suits four years": {"opponents": 0, "deck": "age", "pace": "age"},
    "two friends, ten kinds": {"opponents": 2, "deck": "short", "pace": "age"},
}
SHARED: dict[str, dict[str, Any]] = {
    f"{age}, {friends} computer friend{'s' if friends > 1 else ''}": {
        "opponents": friends,
        "deck": deck,
        "pace": "calm",
    }
    for age, deck in (("four years, numbers to five", "five"), ("five years", "small"))
    for friends in (1, 3)
}
WONDERED = 6.0  # seconds in which a child answers a question
REACHED = 1.0  # seconds until it taps the pond
SPEEDS = {"turn": THOUGHT, "question": WONDERED, "pond": REACHED}
ROUNDS = 3
# What the child has to do now. Between its own ask and the next ask of somebody else, its own move
# is told.
TO_DO = """() => {
  const find = (query) => document.querySelector(query);
  if (find('#question[data-found]')) return 'praise';
  if (find('#q')) return 'question';
  const table = find('#table');
  if (table.classList.contains('ending'))
    return find('#tally:not(.is-counting)') ? 'over' : 'counting';
  if (find('#pond.is-now')) return 'pond';
  if (table.classList.contains('is-guessing')) return 'guess';
  if (table.classList.contains('is-playing')) return 'told';
  return table.dataset.next ? 'turn' : 'waiting';
}"""
ANSWER = """(number) => {
  const picks = document.querySelectorAll('#q .pick:not([disabled])');
  const tapped = number % 3 && picks[number % picks.length];
  (tapped || document.querySelector('#q-on'))?.click();
}"""
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


def share(browser: Browser, served: conftest.Served, rounds: int, **chosen: Any) -> None:
    """Play whole rounds, and print whose their seconds were, and how long the child waited."""
    served.set("Mia", **chosen)
    context = browser.new_context(viewport={"width": 1024, "height": 768})
    context.add_cookies(served.cookies("Mia"))
    page = context.new_page()
    telling_time.begin(page)
    page.goto(served.url + "/play/")
    page.click("#play-classic")
    page.wait_for_selector("#table")
    page.keyboard.press("Shift")
    spent: Counter[str] = Counter()
    waited: list[float] = []
    idle = [0.0]  # seconds in a row with nothing to do
    taps, since = 0, 0.0
    asked_at: float | None = None
    own = False  # what is told is the child's own move
    while rounds:
        now = page.evaluate(TO_DO)
        own &= now not in ("guess", "turn", "counting")
        if now == "over":
            page.evaluate("document.querySelector('#again').click()")
            page.wait_for_timeout(300)
            if page.locator("#table.table").count():
                rounds, asked_at = rounds - 1, None
            else:  # the tap has only hurried the end
                page.clock.run_for(telling_time.JUMP)
        elif now == "waiting":
            page.wait_for_timeout(5)
        elif since >= SPEEDS.get(now, float("inf")):
            taps, since = taps + 1, 0.0
            if now == "question":
                page.evaluate(ANSWER, taps)
            elif now == "pond":
                page.click("#pond")
            else:
                hands.move(page, taps)
                asked_at, own = told_in(spent), True
            page.wait_for_timeout(50)
        else:
            if now == "turn" and asked_at is not None:
                waited.append(told_in(spent) - asked_at)
                asked_at = None
            page.clock.run_for(telling_time.JUMP)
            if now in (*SPEEDS, "guess"):
                idle.append(0.0)
            else:
                idle[-1] += telling_time.JUMP / 1000
            since = since + telling_time.JUMP / 1000 if now in SPEEDS else 0.0
            spent["own move" if own and now == "told" else now] += telling_time.JUMP / 1000
    context.close()
    report_share(spent, waited, max(idle))


def told_in(spent: Counter[str]) -> float:
    """The seconds so far without questions, which are the child's own."""
    return sum(spent.values()) - spent["question"] - spent["praise"]


def report_share(spent: Counter[str], waited: list[float], idle: float) -> None:
    whole = sum(spent.values())
    shares = {name: 100 * seconds / whole for name, seconds in spent.most_common()}
    doing = sum(shares.get(name, 0) for name in SPEEDS)
    guessing = shares.get("guess", 0)
    print(
        f"  the child's: {doing:.0f} % turns and questions, {guessing:.0f} % guessing, "
        f"{doing + guessing:.0f} % together, of {whole:.0f} s\n"
        f"  from ask to turn: {len(waited)}, middle {statistics.median(waited):.1f} s, "
        f"longest {max(waited):.1f} s, longest with nothing to do {idle:.1f} s\n"
        f"  {', '.join(f'{name} {share:.0f} %' for name, share in shares.items())}",
        flush=True,
    )


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


def main_share(rounds: int) -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playing:
        browser = playing.chromium.launch(
            executable_path=conftest.CHROMIUM, args=conftest.ARGUMENTS
        )
        with conftest.serving(Path(folder)) as served:
            with served.room.app.app_context():
                often = question_settings.QuestionChoice("sometimes")
                question_settings.write(None, "class", served.room.class_id, often)
            for name, chosen in SHARED.items():
                print(name, flush=True)
                share(browser, served, rounds, **chosen)


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


if __name__ == "__main__" and sys.argv[1:2] == ["--share"]:
    main_share(int(sys.argv[2]) if len(sys.argv) > 2 else ROUNDS)
elif __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20, sys.argv[2:] or list(GAMES))
