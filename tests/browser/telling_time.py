"""How long it takes to tell computer players' turns, in the page's own time.

Every wait, movement and spoken piece lasts as long as for a child, but the page's time jumps ahead
while something is told, so a busy machine changes nothing.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass

from playwright.sync_api import Page

from tests.browser import hands

JUMP = 60  # milliseconds of the page at a time
_ASK = re.compile(r"^.+ asks? ")
_END = ("Your turn!", "Hmm")
_MORE = re.compile(r"wish|book|four: |make (ten|five)|basket|ew cards? for|keeps|gets a card")

# Playwright's clock drives timers; movements and the voice have clocks of their own. Here they
# follow the timers: a movement ends, and a piece has been said, when a timer of its length is over.
# Requests never time out here, because the page's clock may run ahead while one is under way.
# `told` notes when each sentence was shown.
_OWN_TIME = """
Element.prototype.animate = (_frames, { duration, delay = 0 }) => {
  let finish;
  const finished = new Promise((resolve) => (finish = resolve));
  setTimeout(finish, duration + delay);
  return { finished, finish };
};
window.AudioContext = class extends OfflineAudioContext {
  constructor() { super(1, 1, 24000); }
  get state() { return "running"; }
  get currentTime() { return performance.now() / 1000; }
  createBufferSource() {
    const source = super.createBufferSource();
    source.start = (at) => {
      const left = at + source.buffer.duration - performance.now() / 1000;
      setTimeout(() => source.onended?.(), left * 1000);
    };
    source.stop = () => {};
    return source;
  }
};
AbortController.prototype.abort = () => {};
window.told = [];
addEventListener("DOMContentLoaded", () => {
  const heard = document.querySelector("#heard");
  if (!heard) return;
  new MutationObserver(() => window.told.push([performance.now(), heard.textContent]))
    .observe(heard, { childList: true, characterData: true, subtree: true });
});
"""


@dataclass(frozen=True)
class Turn:
    """How long a computer player's turn was told, and what was said in it."""

    seconds: float
    words: tuple[str, ...]

    @property
    def plain(self) -> bool:
        """Only an ask and its answer: no wish came true, no book was made."""
        return not any(_MORE.search(words) for words in self.words[1:])


def begin(page: Page) -> None:
    """Give this page, which is not open yet, a time of its own."""
    page.clock.install()
    page.add_init_script(_OWN_TIME)


def play(page: Page, number: int, patience: float, *, plain: bool = False) -> list[Turn]:
    """Play until this many turns of computer players have been told, or for this many seconds.
    `plain`: until this many of them were plain."""
    page.keyboard.press("Shift")  # browsers are silent before the first touch
    found: list[Turn] = []
    until, moves = time.monotonic() + patience, 0
    while sum(turn.plain or not plain for turn in found) < number and time.monotonic() < until:
        if page.locator(hands.OVER).count():
            page.click("#again")
            page.wait_for_selector("#table.table")
        elif page.locator("#pond.is-now").count():
            page.click("#pond")
        elif hands.state(page) == "mine":
            hands.move(page, moves)
            moves += 1
        elif hands.state(page) == "playing":
            page.clock.run_for(JUMP)
        else:
            page.wait_for_timeout(5)  # lets the school answer
        found = list(turns(page.evaluate("window.told")))
    return found


def waits(told: list[tuple[float, str]]) -> list[float]:
    """Seconds from each ask of my own to my next one in the same round; the taps take no time."""
    found: list[float] = []
    since: float | None = None
    for at, said in told:
        if ", do you have " in said:
            if since is not None:
                found.append((at - since) / 1000)
            since = at
        elif said == "The round is over.":
            since = None
    return found


def turns(told: list[tuple[float, str]]) -> Iterator[Turn]:
    """A turn lasts from an ask of a computer player until the next player thinks or asks, or until
    it is my turn."""
    since: float | None = None
    words: list[str] = []
    for at, said in told:
        asks = bool(_ASK.match(said))
        if since is not None and (asks or said.startswith(_END)):
            yield Turn((at - since) / 1000, tuple(words))
            since = None
        if asks and not said.startswith(_END):
            since, words = at, []
        words.append(said)
