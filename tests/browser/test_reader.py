"""What a screen reader says at a table, as a text for each game in tests/browser/heard.

A virtual screen reader reads the page in order (the tree of names and roles that the browser gives
to every reader), says what the focus goes to, and what appears in a live region. The child plays
by keys alone; deck, faces and computer friends are fixed, so the text changes only if the page
does.

    FISH_HEARD=1 python -m pytest --whole tests/browser/test_reader.py    writes the texts again
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Locator, Page

from classroom.games import GAMES
from classroom.services.table import matches, rounds
from tests.browser import hands
from tests.browser.conftest import Child_, Served
from tests.games.playthrough import FixedChance, fixed_deck

Open = Callable[..., Child_]
pytestmark = pytest.mark.hasty

HEARD = Path(__file__).parent / "heard"
TURNS = 4  # own turns that are written down; the rest of the round is played unheard
SAYS = """
window.said = [];
const LIVE = "[aria-live], [role=status], [role=alert]";
const words = (element) => {
  const label = element.getAttribute("aria-label");
  if (label) return label;
  const copy = element.cloneNode(true);
  for (const hidden of copy.querySelectorAll("[aria-hidden=true], svg")) hidden.remove();
  return copy.textContent.replace(/\\s+/g, " ").trim();
};
const state = (element) => ({ true: ", chosen", false: "", null: "" })[
  element.getAttribute("aria-pressed")];
addEventListener("focusin", ({ target }) => {
  if (target.matches("button, a, summary"))
    window.said.push("on: " + words(target) + state(target));
});
new MutationObserver((changes) => {
  const regions = new Set(changes.flatMap(({ target, addedNodes }) => [
    (target.nodeType == 1 ? target : target.parentElement)?.closest(LIVE),
    ...[...addedNodes].flatMap((node) => node.nodeType == 1
      ? [node.matches(LIVE) ? node : node.querySelector(LIVE)] : []),
  ]));
  for (const region of regions)
    if (region?.isConnected && region.checkVisibility() && words(region))
      window.said.push("says: " + words(region));
}).observe(document, { subtree: true, childList: true, characterData: true });
"""


FOCUSED = "() => !document.activeElement.matches('body, #go')"


class Reader:
    """Writes down what is said on a page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.lines: list[str] = []

    def read(self, what: str) -> None:
        """Read this part of the page from its beginning to its end."""
        self.hear()
        for line in self.page.locator(what).first.aria_snapshot().splitlines():
            if "/url:" not in line:
                self.lines.append(re.sub(r"^(\s*)- (.*?):?$", r"\1\2", line))
        self.lines.append("")

    def hear(self) -> None:
        """Write down what was said since the last time."""
        self.lines += self.page.evaluate("() => window.said.splice(0)")

    def enter(self, button: Locator) -> None:
        """Go to this button by the keys, and press it."""
        button.focus()
        self.hear()
        self.lines.append("key: Enter")
        self.page.keyboard.press("Enter")
        self.page.wait_for_timeout(50)
        self.hear()


def transcript(page: Page) -> str:
    """Play a round, and return what is said in its first turns and at its end."""
    reader, turn = Reader(page), 0
    now = hands.settle(page)
    reader.read("main")
    while now == "mine" and turn < TURNS:
        hands.move(page, turn, tap=reader.enter)
        now, turn = hands.settle(page), turn + 1
        if now == "mine":
            page.wait_for_function(FOCUSED)  # the focus comes a little later
        reader.hear()
        if now == "mine":
            reader.lines.append("")
            for part in ("#ring", "#mid", "#hand"):
                reader.read(part)
    if now == "mine" and page.locator("#line").count():
        reader.enter(page.locator("#line"))
        page.wait_for_selector("#shut")
        reader.read("#board")
        page.keyboard.press("Escape")
    while now == "mine":
        hands.move(page, turn)
        now, turn = hands.settle(page), turn + 1
        page.evaluate("() => window.said.splice(0)")
    reader.read("main")
    return "\n".join(reader.lines)


def table_of(served: Served, patch: pytest.MonkeyPatch, game: str) -> str:
    """Deal a round in which every draw of lots is fixed; return its address."""
    lots = Random(3)
    draw = lots.randrange
    last = lambda many: many - 1 if many < 10 else draw(many)  # noqa: E731 -- the last player deals
    patch.setattr(lots, "randrange", last)
    patch.setattr(matches, "_random", lots)
    patch.setattr(matches, "shuffled", lambda rules, _lots: fixed_deck(rules, game))
    patch.setattr(rounds, "_chance", FixedChance())
    with served.room.app.app_context():
        return f"/play/rounds/{matches.start_match(served.room.children['Mia'], game)}"


@pytest.mark.parametrize(
    "game",
    [game if game == "classic" else pytest.param(game, marks=pytest.mark.whole) for game in GAMES],
)
def test_a_round_is_said_in_order(
    open_child: Open, served: Served, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    deck = "five" if game == "classic" else "small"
    served.set("Mia", opponents=1, deck=deck, board="open", questions="off", pace="quick")
    child = open_child("Mia", "tablet", reduced_motion="reduce")
    child.page.add_init_script(SAYS)
    text = transcript(child.go(table_of(served, monkeypatch, game))) + "\n"
    golden = HEARD / f"{game}.txt"
    if "FISH_HEARD" in os.environ:
        golden.write_text(text, "utf-8")
    assert text.splitlines() == golden.read_text("utf-8").splitlines()
