"""Three, four and six children, each in a browser of its own, play a game to its end at one table.

Nothing may go wrong in any of the browsers: no error in a console, no answer that refuses a tap, no
request that fails. A whole run takes the shortest of them; `--long` takes all.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Page, Request, Response, expect

from classroom.database import write_unit
from classroom.engine.cards import deck_of
from classroom.games import GAMES
from classroom.games.variants import deck_rules
from classroom.services.lesson import lessons, own_games
from classroom.services.quiz import question_settings
from classroom.services.table import offers
from tests.browser import hands
from tests.browser.conftest import SIZES, Child_, Served

Open = Callable[..., Child_]

NAMES = ("Mia", "Ben", "Ada", "Noor", "Theo", "Lina")
TABLES = [
    (game, size)
    for game in GAMES
    for size in ((2,) if GAMES[game].rules.seats[1] == 2 else (3, 4, 6))
    if GAMES[game].rules.seats[0] <= size <= GAMES[game].rules.seats[1]
]
FIRST = 60_000.0  # milliseconds; the first table of a server takes long on a busy machine
LONGEST = 1_200.0  # seconds; only a table that stands still takes as long, on any machine
SHORTEST = min(
    (game for game, size in TABLES if size == 3),
    key=lambda game: len(deck_of(deck_rules(GAMES[game], 3, "small")).cards),
)


@pytest.mark.long
@pytest.mark.parametrize(("game", "size"), TABLES)
def test_children_play_every_game_to_its_end(
    open_child: Open, served: Served, game: str, size: int
) -> None:
    with prepared(served, game):
        ends = play_out(sit_down(open_child, game, NAMES[:size]), seconds=LONGEST)
    together = GAMES[game].rules.end_tide is not None  # one shell has the books of everybody
    assert len(ends) == (1 if together else size)


@pytest.mark.whole
def test_three_children_play_the_shortest_game_to_its_end(open_child: Open, served: Served) -> None:
    with prepared(served, SHORTEST):
        ends = play_out(sit_down(open_child, SHORTEST, NAMES[:3]), seconds=LONGEST)
    assert len(ends) == 3


@contextmanager
def prepared(served: Served, game: str) -> Iterator[None]:
    """During the block, have no open tables in the class, only this game on its shelf, few cards,
    and a question every turn."""
    shelf, every = own_games.put_on_shelf, question_settings.write
    room = served.room.class_id
    for name in NAMES:
        served.set(name, deck="small")
    with served.room.app.app_context():
        with write_unit():
            lessons.put_away(room)
        shelf(room, [game], by=None)
        every(None, "class", room, question_settings.QuestionChoice("every_turn"))
    try:
        yield
    finally:
        with served.room.app.app_context():
            shelf(room, offers.DEFAULT, by=None)
            every(None, "class", room, question_settings.QuestionChoice("off"))


def sit_down(open_child: Open, game: str, names: tuple[str, ...]) -> list[Page]:
    """Let the first child open a table and the others sit down there, until all are ready. Returns
    their pages."""
    pages = []
    for at, name in enumerate(names):
        still = "reduce" if at else "no-preference"  # moving pictures are slow to paint
        child = open_child(name, size=list(SIZES)[at % len(SIZES)], reduced_motion=still)
        _watch(child)
        pages.append(child.go("/play/friends"))
    pages[0].click(f"#new-{game}")
    for page in pages[1:]:
        page.click(".opentable")
    for page in pages:
        expect(page.locator(".place .pad")).to_have_count(len(pages))
    for page in pages:
        page.click("#ready")
    for page in pages:
        page.wait_for_selector("#table.table", timeout=FIRST)
    return pages


def _watch(child: Child_) -> None:
    """Note each answer that is an error, and each request without an answer."""

    def answered(response: Response) -> None:
        if response.status >= 400:
            child.troubles.append(f"{response.status}: {response.url}")

    def failed(request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":  # the browser itself ends the stream of a page
            child.troubles.append(f"{request.failure}: {request.url}")

    child.page.on("response", answered)
    child.page.on("requestfailed", failed)


def play_out(pages: list[Page], seconds: float) -> tuple[str, ...]:
    """Let every child do what its page offers, until all pages show the same end. Returns the
    numbers of books that they show."""
    until, turn, questions = time.monotonic() + seconds, 0, 0
    over = set[int]()
    while len(over) < len(pages):
        assert time.monotonic() < until, [page.evaluate(SEEN) for page in pages]
        for at, page in enumerate(pages):
            match page.evaluate(SEEN):
                case "question":
                    questions += 1
                    _answer(page, questions)
                case "playing":
                    page.keyboard.press("Escape")  # skips it
                case "mine":
                    hands.move(page, turn)
                    turn += 1
                case "over":
                    over.add(at)
        pages[0].wait_for_timeout(15)
    ends = {tuple(page.locator(".endrow__n").all_text_contents()) for page in pages}
    assert len(ends) == 1, "the pages show different ends"
    return next(iter(ends))


SEEN = """() => {
  if (document.querySelector('#question[data-found], .is-busy')) return 'waiting';
  if (document.querySelector('#q')) return 'question';
  const table = document.querySelector('#table');
  const counts = document.querySelector('.is-counting');
  if (table.classList.contains('ending')) return counts ? 'playing' : 'over';
  if (table.classList.contains('is-playing')) return 'playing';
  return table.dataset.next ? 'mine' : 'waiting';
}"""


def _answer(page: Page, number: int) -> None:
    """Tap an answer that is still offered, but leave every third question. One script does this,
    since the panel may change between two steps."""
    page.evaluate(ANSWER, number)


ANSWER = """(number) => {
  const picks = document.querySelectorAll('#q .pick:not([disabled])');
  const tapped = number % 3 && picks[number % picks.length];
  (tapped || document.querySelector('#q-on'))?.click();
}"""
