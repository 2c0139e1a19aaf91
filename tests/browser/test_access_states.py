"""Checkers find nothing in any state of a child's page, and what is read aloud is what is seen.

The screens are a small phone, a phone on its side and a school laptop. An ordinary run checks each
state on one of them in turn; `--long` checks it on all three, and in every game.
"""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Callable, Iterator
from itertools import cycle

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from classroom.database import write_unit
from classroom.games import GAMES
from classroom.services.base import clock
from classroom.services.lesson import lessons
from classroom.services.operation import background
from classroom.services.quiz import posing, question_settings
from classroom.services.table import matches, rounds
from tests.browser import checkers, hands
from tests.browser.conftest import Child_, Served
from tests.questioning import put_kind

Open = Callable[..., Child_]

SCREENS: tuple[ViewportSize, ...] = (
    {"width": 360, "height": 640},
    {"width": 844, "height": 390},
    {"width": 1366, "height": 620},
)
RULES = {"label-content-name-mismatch": {"enabled": True}}  # experimental, so it is in no level
NAMES = ("Mia", "Ben", "Ada", "Noor", "Theo", "Lina")
QUESTIONS = ("count_hand", "most_cards", "numeral_to_dots", "give", "who_asked")  # one of each look


class Look:
    """Checks pages: each on all screens if `every`, otherwise on one of them in turn."""

    def __init__(self, every: bool, whole: bool) -> None:
        self.every, self.whole, self.turns = every, whole, cycle(SCREENS)
        self.wrong: list[str] = []
        self.pages: dict[str, str] = {}  # as the scripts have made them

    def __call__(self, page: Page, state: str) -> None:
        for screen in SCREENS if self.every else (next(self.turns),):
            page.set_viewport_size(screen)
            where = f"{state}, {screen['width']}x{screen['height']}"
            self.wrong += checkers.axe(page, where, rules=RULES)
            if checkers.IBM.exists():
                self.wrong += checkers.ibm(page, where)
        self.pages[state] = page.content()

    def read(self) -> None:
        """Check the text of the pages; where a checker is missing, test_access.py says so."""
        if self.whole and shutil.which("java") and checkers.NU.exists():
            self.wrong += checkers.nu(self.pages)
        if shutil.which("node") and checkers.HTML_VALIDATE.exists():
            self.wrong += checkers.html_validate(self.pages)


@pytest.fixture
def look(request: pytest.FixtureRequest, whole: bool) -> Iterator[Look]:
    looking = Look(request.config.getoption("--long"), whole)
    yield looking
    if looking.pages:
        looking.read()
    assert not looking.wrong, "\n".join(looking.wrong)


@pytest.fixture(autouse=True)
def _at_rest(served: Served) -> Iterator[None]:
    yield
    with served.room.app.app_context():
        question_settings.write(
            None, "class", served.room.class_id, question_settings.QuestionChoice("off")
        )
        with write_unit():
            lessons.put_away(served.room.class_id)


def table_of(served: Served, game: str, names: tuple[str, ...]) -> tuple[int, tuple[str, ...]]:
    """Seat these children at a new table. Returns the round, and their names from the one whose
    turn it is."""
    children = [served.room.children[name] for name in names]
    with served.room.app.app_context():
        with write_unit():
            round_id = matches.together(served.room.class_id, game, children)
        turn = rounds.table(round_id, 0).observation.turn or 0
    return round_id, (*names[turn:], *names[:turn])


@pytest.mark.whole  # every day instead: the end of a round, and axe on every page
@pytest.mark.walk(4, of="axe in every state")
def test_a_table_of_six_in_every_state(open_child: Open, served: Served, look: Look) -> None:
    for name in NAMES:
        served.set(name, board="open")  # a peek would shut by itself
    round_id, (mia, ben, *_) = table_of(served, "classic", NAMES)
    path = f"/play/rounds/{round_id}"
    page, other = open_child(mia).go(path), open_child(ben).go(path)
    expect(page.locator("#ask")).to_be_visible()
    look(page, "my turn")
    look(other, "waiting")
    page.locator("#hand .fan:not([aria-disabled])").first.click()
    look(page, "card chosen")
    page.locator("#ring .seat:not([aria-disabled])").first.click()
    look(page, "friend chosen")
    page.click("#line")
    page.wait_for_selector(".veil")
    look(page, "the board")
    page.click("#shut")
    page.click("#fish")
    page.wait_for_selector(".hintsay")
    look(page, "a hint")
    page.click("#go")
    page.wait_for_selector("#tell .told")
    look(page, "a move is told")
    with served.room.app.app_context():
        lessons.pause(served.room.class_id)
    expect(other.locator("#rest")).to_be_visible()
    look(other, "eyes on the teacher")
    with served.room.app.app_context():
        lessons.go_on(served.room.class_id)


@pytest.mark.walk(4, of="axe in every state")
def test_the_pages_where_friends_meet(open_child: Open, served: Served, look: Look) -> None:
    mia, ben = open_child("Mia"), open_child("Ben")
    page, other = mia.go("/play/friends"), ben.go("/play/friends")
    page.click("#new-classic")
    other.wait_for_selector(".opentable")
    look(other, "friends")
    other.click("#new-classic")
    page.wait_for_selector(".joinfriend")
    look(page, "a table beside mine")
    page.click(".joinfriend")
    expect(other.locator(".place .chip")).to_have_count(2)
    other.click("#ready")
    look(other, "ready")
    look(mia.go("/play/"), "home, friends wait")


@pytest.mark.walk(4, of="axe in every state")
def test_questions(open_child: Open, served: Served, look: Look) -> None:
    child_id = served.room.children["Noor"]
    child = open_child("Noor")
    for kind in QUESTIONS:
        with served.room.app.app_context():
            table = put_kind(child_id, kind)
        page = child.go(f"/play/rounds/{table.round_id}")
        page.wait_for_selector("#q")
        look(page, kind)
        with served.room.app.app_context():
            for step in range(1, 4):  # said again, look again, count together
                with clock.clock_at(clock.now() + 10 * step):
                    posing.hint(table.round_id, child_id, table.seq)
        page.reload()
        page.wait_for_selector("#q.is-helped")
        look(page, f"{kind}, helped")


@pytest.mark.walk(4, of="axe in every state")
def test_the_end_of_a_round_and_of_the_day(open_child: Open, served: Served, look: Look) -> None:
    child_id = served.room.children["Sam"]
    with served.room.app.app_context():
        round_id = matches.start_match(child_id)
        play_out(round_id)
    child = open_child("Sam")
    page = child.go(f"/play/rounds/{round_id}")
    page.wait_for_selector(hands.OVER)
    look(page, "the end")
    with served.room.app.app_context():
        round_id = matches.start_match(child_id)
    served.set("Sam", minutes_a_day=0)
    look(child.go("/play/"), "home, time is over")
    look(child.go(f"/play/rounds/{round_id}"), "table, time is over")


def test_cards_and_choices_are_seen_in_forced_colours(open_child: Open, served: Served) -> None:
    """Forced colours take away the backgrounds and shadows that otherwise show a choice."""
    round_id, (mia, *_) = table_of(served, "classic", NAMES[:4])
    page = open_child(mia, forced_colors="active").go(f"/play/rounds/{round_id}")
    assert hands.settle(page) == "mine"
    fans, seats = page.locator("#hand .fan"), page.locator("#ring .seat")
    fans.first.click()
    seats.first.click()
    rings = "(one) => [getComputedStyle(one).outlineStyle, getComputedStyle(one).borderStyle]"
    assert fans.first.locator(".card").first.evaluate(rings) == ["solid", "solid"]
    assert fans.last.locator(".card").first.evaluate(rings) == ["none", "solid"]
    assert seats.first.locator(".pad").evaluate(rings)[0] == "solid"
    assert seats.last.locator(".pad").evaluate(rings)[0] == "none"
    paper = "(one) => getComputedStyle(one).backgroundImage"
    assert "gradient" in fans.last.locator(".card").first.evaluate(paper), "a card has its paper"


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_every_game(open_child: Open, served: Served, look: Look, game: str) -> None:
    fewest, most = GAMES[game].rules.seats
    round_id, (mia, *_) = table_of(served, game, NAMES[: min(max(3, fewest), most)])
    page = open_child(mia).go(f"/play/rounds/{round_id}")
    shown = set[str]()

    def shot(state: str) -> None:
        if state not in shown:
            shown.add(state)
            look(page, f"{game}, {state}")

    assert hands.settle(page) == "mine"
    shot("my turn")
    hands.move(page, shot=shot)
    with served.room.app.app_context():
        play_out(round_id)
    page.reload()
    page.wait_for_selector(hands.OVER)
    look(page, f"{game}, the end")


def play_out(round_id: int) -> None:
    """Play the round to its end; children always make the first of their legal moves."""
    while not (table := rounds.table(round_id, rounds.WATCHER)).over:
        seat = table.observation.turn
        assert seat is not None
        if table.players[seat].child_id is None:
            background.play_now(round_id)
            continue
        own = rounds.table(round_id, seat)
        rounds.play(round_id, seat, own.observation.legal[0], secrets.token_hex(8), own.seq)
