"""A page that is told only what changed shows the picture that the server would draw.

A child looks on while the others play, in a real browser and by a real stream. After each message
its table is compared with the page's own route, asked for the same moves.
"""

from __future__ import annotations

import random
import secrets
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from classroom.database import db, write_unit
from classroom.games import GAMES
from classroom.services.lesson import gatherings, lessons, open_tables, own_games
from classroom.services.operation import background
from classroom.services.table import rounds
from classroom.web.child import play
from classroom.web.child.play import ToldParts, told_parts
from tests import sample
from tests.browser import hands
from tests.browser.conftest import Child_, Served, serving

Open = Callable[..., Child_]
pytestmark = pytest.mark.hasty

NAMES = ("Mia", "Ben", "Ada", "Noor")
NEVER = 3600.0  # seconds a computer player waits: the test plays for it
FEW = ("classic", "fours", "guru")
MANY = 200
NOTE = """
Object.defineProperty(Document.prototype, 'hidden', { get: () => !window.shows });
window.news = { told: 0, whole: 0, asked: 0 };
window.note = (text, told) => {
  document.documentElement.dataset.heard = '';
  const since = /^<div id="told"[^>]* data-since="(\\d+)"/.exec(text.trim())?.[1];
  window.since = since;
  window.news[since === undefined ? 'whole' : 'told'] += 1;
};
document.addEventListener('htmx-sse-before-message', (event) => note(event.detail.message.data));
const get = window.fetch;
window.fetch = async (address, how) => {
  const answer = await get(address, how);
  if (how?.method?.toUpperCase() === 'POST') note(await answer.clone().text());
  else if (/\\/table\\?seen/.test(address) && !how.compares) window.news.asked += 1;
  return answer;
};
"""
# What the page tells in words while it shows what happened.
HEARS = """
window.heard = [];
addEventListener('DOMContentLoaded', () => {
  const words = document.querySelector('#heard');
  new MutationObserver(() => heard.push(words.textContent)).observe(words, { childList: true });
});
"""
# What a picture shows: every element with its classes, attributes and own text, but not what is
# drawn by lot or what a page adds for its own use.
COMPARE = """async () => {
  const table = document.querySelector('#table');
  if (window.since === undefined) return '';
  const { part } = document.querySelector('#live').dataset;
  const headers = { 'HX-Request': 'true' };
  const answer = await fetch(part + '?seen=' + window.since, { headers, compares: true });
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const own = new Set(['inert', 'style', 'data-htmx-powered']);
  const lines = (root) => [root, ...root.querySelectorAll('*')].map((one) => {
    const lot = one.matches('[name=token],[name=key]');
    const about = [...one.attributes]
      .filter(({ name }) => !own.has(name) && !(lot && name === 'value') && name !== 'class')
      .map(({ name, value }) => name + '=' + value).sort();
    const text = [...one.childNodes].filter((node) => node.nodeType === 3)
      .map((node) => node.textContent.trim()).join('');
    const path = one.parentElement?.closest('[id]')?.id ?? '';
    const looks = [...one.classList].sort().join('.');
    return [path, one.localName, looks, ...about, text].join(' ');
  });
  const [here, there] = [lines(table), lines(page.querySelector('#table'))];
  const at = here.findIndex((line, i) => line !== there[i]);
  if (at < 0 && here.length === there.length) return '';
  return `page: ${here[at] ?? here.length} / server: ${there[at] ?? there.length}`;
}"""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("told"), pace=NEVER) as school:
        yield school


def test_a_page_that_is_told_what_changed_shows_what_the_server_draws(
    open_child: Open, served: Served, whole: bool
) -> None:
    news = Counter[str]()
    games = sample.part(FEW, len(FEW), whole)
    for number, game in enumerate(games):
        news += watched_round(open_child, served, game, random.Random(number), moves=9)
    print(dict(news))
    assert news["told"] > 2 * len(games)
    assert news["asked"] == 0, "the page could not use what it was told"


def with_wrong_number(news: ToldParts) -> ToldParts:
    return replace(news, seats=tuple(replace(one, cards=one.cards + 1) for one in news.seats))


def without_last_step(news: ToldParts) -> ToldParts:
    return replace(news, t=replace(news.t, steps=news.t.steps[:-1]))


@pytest.mark.parametrize("spoil", [with_wrong_number, without_last_step])
def test_the_comparison_finds_what_is_told_wrongly(
    open_child: Open,
    served: Served,
    monkeypatch: pytest.MonkeyPatch,
    spoil: Callable[[ToldParts], ToldParts],
) -> None:
    def spoilt(*args: Any, **options: Any) -> ToldParts | None:
        news = told_parts(*args, **options)
        return spoil(news) if news else None

    monkeypatch.setattr(play, "told_parts", spoilt)
    with pytest.raises(AssertionError, match=r"page: .+ / server: "):
        watched_round(open_child, served, "classic", random.Random(1))


def test_a_page_asks_for_its_table_where_the_news_does_not_fit(
    open_child: Open, served: Served
) -> None:
    """Mia's own move is made without her page: the bar and the hand of her turn are out of date,
    and the news has neither."""
    lots = random.Random(4)
    round_id = seated(served, "classic", 4, lots)
    child = open_child("Mia")
    child.page.add_init_script(NOTE)
    child.go(f"/play/rounds/{round_id}")
    child.page.wait_for_selector("[data-heard]", state="attached")
    for _ in range(60):
        seq = moves_of(served, round_id)
        child.page.wait_for_selector(f'#table[data-v="{seq}"]', state="attached")
        if child.page.evaluate("() => window.news.asked"):
            assert hands.state(child.page) == "waiting"
            return
        move(served, round_id, lots)
    raise AssertionError("Mia caught something at each ask")


def test_a_move_is_told_if_the_stream_overtakes_its_answer(
    open_child: Open, served: Served
) -> None:
    """Mia's page gets the answer to her ask only after the picture of her next turn."""
    lots = random.Random(5)
    round_id = seated(served, "classic", 2, lots)
    child = open_child("Mia")
    page = child.page
    page.add_init_script(NOTE + HEARS)
    child.go(f"/play/rounds/{round_id}")
    page.wait_for_selector("[data-heard]", state="attached")
    held: list[tuple[Any, Any]] = []
    page.route("**/asks", lambda route: held.append((route, route.fetch())))
    for _ in range(60):
        seq = moves_of(served, round_id)
        page.wait_for_selector(f'#table[data-v="{seq}"]', state="attached")
        if hands.state(page) != "mine":
            move(served, round_id, lots)
            continue
        hands.take(page)
        page.click("#go")
        while not held:
            page.wait_for_timeout(20)
        route, answer = held.pop()
        if not is_next(served, round_id, "Mia"):
            page.evaluate("() => { shows = true; news.told = news.whole = 0; }")
            move(served, round_id, lots)
            if is_next(served, round_id, "Mia"):
                break
        route.fulfill(response=answer)
    else:
        raise AssertionError("there was always a second catch")
    page.wait_for_function("() => news.told + news.whole")
    route.fulfill(response=answer)
    page.wait_for_selector(f'#table[data-v="{seq + 2}"]', state="attached")
    asked, *_ = page.evaluate("() => window.heard")
    assert "do you have" in asked


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_whole_rounds_of_every_game_are_told_as_the_server_draws_them(
    open_child: Open, served: Served, game: str
) -> None:
    news = Counter[str]()
    for number in range(-(-MANY // len(GAMES))):
        news += watched_round(open_child, served, game, random.Random(number))
    print(game, dict(news))
    assert news["asked"] == 0


def watched_round(
    open_child: Open, served: Served, game: str, lots: random.Random, moves: int = 400
) -> Counter[str]:
    """Play a round at random, with one child in a browser, and compare after each message. Returns
    how many messages were told and how many were whole pictures."""
    low, high = GAMES[game].rules.seats
    size = min(high, lots.choice(range(max(low, 3), len(NAMES) + 1)))
    round_id = seated(served, game, size, lots)
    child = open_child("Mia")
    page = child.page
    page.add_init_script(NOTE)
    page.goto(f"{child.url}/play/rounds/{round_id}")
    page.wait_for_selector("[data-heard]", state="attached")  # the stream begins with a picture
    for turn in range(moves):
        seq = moves_of(served, round_id)
        page.wait_for_selector(f'#table[data-v="{seq}"]', state="attached")
        assert not (wrong := page.evaluate(COMPARE)), f"{game}, move {seq}: {wrong}"
        if hands.state(page) == "over":
            break
        if hands.state(page) == "mine":
            hands.move(page, turn)
        else:
            move(served, round_id, lots)
    news = Counter(page.evaluate("() => window.news"))
    child.context.close()
    return news


def seated(served: Served, game: str, size: int, lots: random.Random) -> int:
    """Seat Mia with classmates and computer friends, in any order, and begin. Returns the round."""
    children = NAMES[: lots.randint(1, size)]
    for name in children:
        served.cookies(name)
    room = served.room
    with room.app.app_context():
        with write_unit():
            lessons.put_away(room.class_id)
        own_games.put_on_shelf(room.class_id, [game], by=None)
        ids = lots.sample([room.children[name] for name in children], len(children))
        gatherings.make(ids[0], game)
        mine = open_tables.friends(ids[0]).mine
        assert mine is not None
        for child_id in ids[1:]:
            gatherings.sit(child_id, mine.gathering_id)
        for seat in range(len(children), size):
            gatherings.computer_friend(ids[0], seat, there=True)
        round_id = [gatherings.ready(child_id) for child_id in ids][-1]
        db.session.rollback()
    assert round_id is not None
    return round_id


def moves_of(served: Served, round_id: int) -> int:
    with served.room.app.app_context():
        moves, _ = rounds.version(round_id)
        db.session.rollback()
    return moves


def is_next(served: Served, round_id: int, name: str) -> bool:
    with served.room.app.app_context():
        seat = rounds.seat_of(round_id, served.room.children[name], at_home=False)
        turn = rounds.table(round_id, rounds.WATCHER).observation.turn
        db.session.rollback()
    return turn == seat


def move(served: Served, round_id: int, lots: random.Random) -> None:
    """Let whoever is next make any legal move."""
    with served.room.app.app_context():
        if not background.play_one(round_id):
            seat = rounds.table(round_id, rounds.WATCHER).observation.turn
            assert seat is not None
            own = rounds.table(round_id, seat)
            action = lots.choice(own.observation.legal)
            rounds.play(round_id, seat, action, secrets.token_hex(8), own.seq)
        db.session.rollback()
