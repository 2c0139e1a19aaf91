"""On every screen that schools have, a child sees all of the table at once: the cards, the faces,
the pond and what can be tapped."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Browser, Frame, Page, Route, expect
from sqlalchemy import update

from classroom.database import db, write_unit
from classroom.engine import legal_actions, play
from classroom.engine.actions import Lots
from classroom.engine.state import State, Table
from classroom.games import GAMES
from classroom.models import Player
from classroom.services.lesson import own_games
from classroom.services.table import matches, states
from tests import sample
from tests.playing import Classroom, client_with, make_classroom, re_deal, settings, signed_in

HOST = "http://school.test"
UNSENT = ("Set-Cookie", "X-Frame-Options", "Content-Security-Policy")  # so that a frame can show it
WHOLE = {  # width and height of a window; the first three are those of tests/browser/conftest.py
    "1366x768": (1366, 768),
    "1024x768": (1024, 768),
    "360x740": (360, 740),
    "1366x620": (1366, 620),  # a Chromebook with tabs and shelf
    "1280x600": (1280, 600),
    "1024x640": (1024, 640),  # a tablet's browser
    "844x390": (844, 390),  # phones on their side
    "740x360": (740, 360),
    "360x640": (360, 640),
    "320x568": (320, 568),
    "1920x1080": (1920, 1080),
}
ZOOMED = {"683x384": (683, 384), "512x384": (512, 384), "640x300": (640, 300)}  # at 200 %
SIZES = WHOLE | ZOOMED
ROOMY = ("1366x768", "1024x768", "1366x620", "1024x640", "1920x1080")
FULL, SINGLES = 36, 14  # the most cards in a hand: in fans, and each by itself
SAMPLE = {"classic": 4, "old_fish": 6, "fours": 6, "make_ten": 2}  # players in very different games
LONG = "Maximilian"  # longer than any animal; wider than its place on a tablet
SHORT = ("start", "full, ready", "end")
PHONES = ("360x740", "360x640", "320x568")
SIX = ("2C", "3D", "3H", "5S", "8C", "9D", "TH", "TS")  # eight cards of six kinds

# Every fault of the page, as [fault, element]. `scrolls`: the page may be scrolled, but only down.
FAULTS = """({least, card, scrolls}) => {
  const faults = [];
  const add = (what, one) => faults.push([what, one.id
    || `${owner(one).id || ''} ${one.getAttribute('class') || one.tagName}`]);
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth + 1) faults.push(['scrolls sideways', root.scrollWidth]);
  if (!scrolls && root.scrollHeight > innerHeight + 1) faults.push(['scrolls', root.scrollHeight]);
  const seen = (one) => one.checkVisibility({visibilityProperty: true}) && !one.closest('.vh');
  const all = (which) => [...document.querySelectorAll(which)].filter(seen);
  const owner = (one) => one?.closest('.fan,.seat,.me,.pond,.btn,.trait,.opt,.ask,.line__form,'
    + '.hintfish,.lost,.oldfish,.goal,.endrow,.crew__one,.single,.sheet__foot,button,a') || one;
  const box = (one) => { const b = one.getBoundingClientRect();
    return {l: b.left, r: b.right, t: b.top, b: b.bottom, w: b.width, h: b.height}; };
  const cut = (one, by) => { const b = box(one);
    return b.l < -by || b.r > innerWidth + by || b.t < -by || b.b > innerHeight + by; };
  const covered = (one) => { // asked at nine points of it, without its round corners
    const b = box(one), mine = owner(one);
    for (const x of [.2, .5, .8]) for (const y of [.2, .5, .8]) {
      const hit = document.elementFromPoint(b.l + b.w * x, b.t + b.h * y);
      if (!hit || !(mine.contains(hit) || hit.contains(one)))
        return (hit && (owner(hit).id || hit.getAttribute('class'))) || 'nothing';
    }
    return ''; };
  const whole = (one, by = 3) => {
    if (scrolls) one.scrollIntoView({block: 'nearest'});
    if (cut(one, by)) add('cut', one);
    else if (covered(one)) add('covered by ' + covered(one), one);
  };
  const open = document.querySelector('details[open] .sheet__paper');
  const here = (one) => open ? open.contains(one) : !one.closest('details:not([open]) .veil');
  const controls = all('button, a[href], summary').filter(here)
    .filter((one) => !one.matches('.single') || one.getAttribute('aria-disabled') !== 'true');
  for (const one of controls) {
    const b = box(one);
    if (Math.min(b.w, b.h) < least - .5) add(`${Math.min(b.w, b.h).toFixed(0)} px`, one);
    if (!one.matches('.single')) whole(one);
  }
  if (open) return faults;
  for (const one of all('.fan, .seat .pad, .ask__go'))
    if (Math.min(box(one).w, box(one).h) < card - .5)
      add(`${Math.min(box(one).w, box(one).h).toFixed(0)} px, not ${card}`, one);
  for (const one of all('.hand .card')) {
    if (scrolls) one.scrollIntoView({block: 'nearest'});
    if (cut(one, 4)) add('cut card', one.closest('.fan'));
  }
  for (const one of all('.seat .pad, .me .pad, .endrow .pad, .pond__n, .seat__n, .boat__n, .pot__n,'
    + '.seat__p, .goal, .ask__slot, .ask__words, .hintfish > svg, .me .chip, .seat .chip,'
    + '.crew .pad, .crew .chip'))
    if (!one.matches('.ask--rest *')) whole(one);
  for (const one of all('.pond__cards, .oldfish, .lost, .seat__backs, .boat, .pot, .shelf, '
    + '.seat__books .book, .shelf .book, .ask, .endrow__n, .endsum, .seat__open .card, .bait')) {
    if (scrolls) one.scrollIntoView({block: 'nearest'});
    if (cut(one, 3)) add('cut', one);
  }
  for (const sign of all('.goal')) for (const pile of all('.pond__cards')) {
    const p = box(sign), q = box(pile);
    if (Math.min(p.r, q.r) - Math.max(p.l, q.l) > 3 && Math.min(p.b, q.b) - Math.max(p.t, q.t) > 3)
      add('on the pile', sign);
  }
  // no number lies on another number, but where a full hand has the smallest cards
  const numbers = all('.fan__count, .hand .card__n, .seat__n, .boat__n, .seat__p, .pond__n,'
    + '.pot__n').map((one) => [one, box(one)]);
  numbers.forEach(([a, p], i) => numbers.slice(i + 1).forEach(([b, q]) => {
    if (a.matches('.card__n') && b.matches('.card__n')) return; // cards of one fan
    const w = Math.min(p.r, q.r) - Math.max(p.l, q.l), h = Math.min(p.b, q.b) - Math.max(p.t, q.t);
    if (w > 3 && h > 3 && innerHeight > 479)
      faults.push(['number on a number', `${owner(a).id} ${a.className} / ${b.className}`]);
  }));
  // nothing of one player lies on another player, on the pond, on the path or on the bar
  const marks = all('.seat .pad, .seat__n, .seat__p, .seat__books .book, .seat .boat, .seat .pot,'
    + '.seat__backs, .pond__cards, .oldfish, .path__step, .pond__n, .goal, .me .pad, .me .shelf,'
    + '.me .boat, .me .pot, .hintfish, .ask:not(.ask--rest),'
    + '.lost svg, .seat .chip, .endrow__n, .endrow .book, .endsum')
    .map((one) => [one, owner(one), box(one)]);
  marks.forEach(([a, mine, p], i) => marks.slice(i + 1).forEach(([b, other, q]) => {
    if (mine === other || mine.contains(other) || other.contains(mine)) return;
    const w = Math.min(p.r, q.r) - Math.max(p.l, q.l), h = Math.min(p.b, q.b) - Math.max(p.t, q.t);
    const name = (one, whose) => `${whose.id} ${one.getAttribute('class')}`;
    if (w > 7 && h > 7) faults.push(['on top of another', `${name(a, mine)} / ${name(b, other)}`]);
  }));
  return faults;
}"""
SPOIL = """(rule) => {
  const style = document.createElement('style');
  style.id = 'spoilt';
  style.textContent = rule;
  document.head.append(style);
}"""
UNSPOIL = "document.querySelector('#spoilt').remove()"
SWAP = """(text) => {
  const found = new DOMParser().parseFromString(text, 'text/html');
  const styles = (page) => [...page.querySelectorAll('[rel=stylesheet]')].map((one) => one.href);
  if (`${styles(found)}` !== `${styles(document)}`) return false; // low tide has its own
  document.body.replaceWith(document.adoptNode(found.body));
  scrollTo(0, 0);
  return true;
}"""


@dataclass(frozen=True)
class Moment:
    """A table at one moment: its game, what is special about it, and the address of its page."""

    game: str
    what: str
    path: str


@dataclass
class School:
    """A school whose tables can be put into any position."""

    room: Classroom
    client: FlaskClient

    @property
    def mia(self) -> int:
        return self.room.children["Mia"]

    def begin(self, game: str, seats: int, *, practice: bool = False) -> int:
        """Begin a round with players who have long names."""
        settings(self.mia, opponents=seats - 1)
        begin = matches.start_practice if practice else matches.start_match
        round_id = begin(self.mia, game)
        with write_unit():
            db.session.execute(update(Player).values(name=LONG))
        return round_id

    def put(self, round_id: int, state: State) -> None:
        """Let the round be at this position, as if its moves had been made."""
        fold = states.read(round_id).fold
        times = (fold.last_at,) * (state.seq + 1)
        re_deal(round_id, moves=state.seq)
        states.keep(round_id, replace(fold, state=state, last_key="", times=times, memories={}))

    def moments(self, game: str, seats: int) -> Iterator[Moment]:
        """The start, each kind of action, the fullest hand and the end of a random round, and a
        practice round."""
        name = f"{game}, {seats} players"
        for what, state in self._found(game, seats).items():
            round_id = self.begin(game, seats)
            self.put(round_id, state)
            path = f"/play/rounds/{round_id}"
            yield Moment(name, what, path)
            if what in ("start", "full"):
                yield from _chosen(name, what, path, state)
            if what in ("Lay", "Claim"):
                card = next(a for a in legal(Table(state)) if type(a).__name__ == what).cards[0]
                yield Moment(name, f"{what}: the sheet", f"{path}?take={card}")
        yield Moment(name, "practice", f"/play/rounds/{self.begin(game, 2, practice=True)}")

    def _found(self, game: str, seats: int) -> dict[str, State]:
        """States of one round, by what is special about them. The name of the game is the seed of
        cards and moves."""
        rng = Random(game)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(matches, "_random", rng)
            round_id = self.begin(game, seats)
        table = Table(states.read(round_id).state, Lots(rng))
        found: dict[str, State] = {}
        while table.ended_by is None:
            actions = legal(table)
            if table.turn == 0:
                _note(found, table, {type(action).__name__ for action in actions})
            elif "start" in found:
                found.setdefault("not my turn", table.state())
            play(table, rng.choice(actions))
        found["end"] = table.state()
        return found | {"full": full(found["middle"])}


def legal(table: Table) -> list[Any]:
    return list(legal_actions(table))


def _note(found: dict[str, State], table: Table, kinds: Collection[str]) -> None:
    """Keep my first ask, the one with my fullest hand, and the first of each other action."""
    if "Ask" in kinds and table.hands[0]:
        found.setdefault("start", table.state())
        most = len(found["middle"].hands[0]) if "middle" in found else 0
        if len(table.hands[0]) > most:
            found["middle"] = table.state()
    for kind in sorted({*kinds} - {"Ask", "Pass"}):
        found.setdefault(kind, table.state())


def _chosen(name: str, what: str, path: str, state: State) -> Iterator[Moment]:
    """The same moment with a card tapped, if it allows different asks, and then ready to ask."""
    ask = next(a for a in legal(Table(state)) if type(a).__name__ == "Ask")
    target = "" if ask.target == "all" else f"&target={ask.target}"
    if ask.bait or ask.class_ in state.setup.deck.place:
        card = ask.bait or next(iter(state.hands[0]))
        yield Moment(name, f"{what}, a card", f"{path}?card={card}")
    yield Moment(name, f"{what}, ready", f"{path}?card={ask.bait or ''}&class={ask.class_}{target}")


def full(state: State) -> State:
    """The same table, but my hand has as many cards as it can hold without a book, up to FULL
    or SINGLES."""
    finder, hand = state.setup.finder, frozenset(state.hands[0])
    alone = state.rules.deck_kind == "fours" or state.rules.book_size == 2
    most = SINGLES if alone else FULL
    others = (card for cards in state.hands[1:] for card in sorted(cards)[1:])
    for card in (*state.stock, *others):
        if len(hand) < most and not finder.possible(hand | {card}):
            hand |= {card}
    return with_hand(state, hand)


def with_hand(state: State, hand: frozenset[str]) -> State:
    """The same table, but my hand has these cards."""
    hands = (hand, *(cards - hand for cards in state.hands[1:]))
    stock = tuple(card for card in state.stock if card not in hand)
    return replace(state, hands=hands, stock=stock)


@pytest.fixture(scope="module")
def school(tmp_path_factory: pytest.TempPathFactory) -> School:
    return make_school(tmp_path_factory.mktemp("screens"))


def make_school(folder: Path) -> School:
    room = make_classroom(folder, 1)
    with room.app.app_context():
        own_games.put_on_shelf(room.class_id, list(GAMES), by=None)
        cookies = signed_in(class_id=room.class_id, child_id=room.children["Mia"])
    return School(room, client_with(room.app, cookies))


@pytest.fixture(scope="module")
def page(chromium: Browser, school: School) -> Iterator[Page]:
    with closing(open_page(chromium, school)) as opened:
        yield opened


def open_page(chromium: Browser, school: School) -> Page:
    """A page without scripts, which the app answers without a server."""
    page = chromium.new_page(java_script_enabled=False, reduced_motion="reduce")

    def answer(route: Route) -> None:
        found = school.client.get(route.request.url.removeprefix(HOST), buffered=True)
        headers = {name: value for name, value in found.headers if name not in UNSENT}
        route.fulfill(status=found.status_code, headers=headers, body=found.data)

    page.route("**/*", answer)
    return page


def show(page: Page | Frame, school: School, path: str) -> None:
    """Open the page. Only the body is changed if that is enough, which is quick."""
    if not (page.url.startswith(HOST) and page.evaluate(SWAP, school.client.get(path).text)):
        page.goto(HOST + path, wait_until="load")


def faults(page: Page, size: str, what: str) -> list[list[Any]]:
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    card = 76 if size in ROOMY and what.startswith("start") else 44
    found: list[list[Any]] = page.evaluate(
        FAULTS, {"least": 44, "card": card, "scrolls": size in ZOOMED}
    )
    return found


def walk(
    page: Page,
    school: School,
    game: str,
    seats: int,
    only: Collection[str] = (),
    sizes: Collection[str] = tuple(SIZES),
) -> dict[str, list[Any]]:
    """The faults of the tables of a game, by the size of the screen."""
    with school.room.app.app_context():
        moments = [one for one in school.moments(game, seats) if not only or one.what in only]
    found: dict[str, list[Any]] = {size: [] for size in sizes}
    for moment in moments:
        show(page, school, moment.path)
        for size in found:
            found[size] += [[moment.what, *one] for one in faults(page, size, moment.what)]
    return found


def shown(found: dict[str, list[Any]]) -> str:
    return "\n".join(f"{size}: {wrong}" for size, many in found.items() for wrong in many)


@pytest.mark.parametrize("game", SAMPLE)
def test_a_table_is_whole_on_every_screen(
    page: Page, school: School, game: str, whole: bool
) -> None:
    found = walk(page, school, game, SAMPLE[game], SHORT, sample.part(SIZES, 2, whole))
    assert not any(found.values()), shown(found)


def few_and_many(game: str) -> list[int]:
    """Numbers of players that look different at a table of this game."""
    fewest, most = GAMES[game].rules.seats
    return sorted({fewest, min(4, most), min(6, most)})


@pytest.mark.whole  # every day instead: four games on these screens and others
@pytest.mark.parametrize(
    ("game", "seats"), [(game, seats) for game in GAMES for seats in few_and_many(game)]
)
def test_a_full_table_and_an_end_are_whole_on_a_small_phone(
    page: Page, school: School, game: str, seats: int
) -> None:
    found = walk(page, school, game, seats, SHORT[1:], PHONES[1:])
    assert not any(found.values()), shown(found)


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_every_table_of_every_game_is_whole_on_every_screen(
    page: Page, school: School, game: str
) -> None:
    for seats in few_and_many(game):
        found = walk(page, school, game, seats)
        assert not any(found.values()), f"{seats} players\n{shown(found)}"


WIDTHS, HEIGHTS = range(360, 1921, 40), range(560, 1201, 40)
EVERYWHERE = {"start", "not my turn", "full, ready", "end"}


SWEEP = """(sizes) => {
  const faults = %s;
  return sizes.flatMap(([width, height]) => {
    frameElement.style.cssText = `width: ${width}px; height: ${height}px`;
    const found = faults({least: 44, card: 44, scrolls: false});
    return found.length ? [[width, height, found.slice(0, 2)]] : [];
  });
}"""


@pytest.fixture(scope="module")
def frame(chromium: Browser, school: School) -> Iterator[Frame]:
    """A frame within a page: it takes another size much faster than a window does."""
    with closing(open_page(chromium, school)) as outer:
        outer.route("**/outer", lambda route: route.fulfill(body=OUTER, content_type="text/html"))
        outer.goto(f"{HOST}/outer")
        yield outer.frames[1]


OUTER = "<!doctype html><iframe></iframe>"


@pytest.mark.whole  # every day instead: ..._on_every_screen
@pytest.mark.parametrize(
    ("game", "seats"),
    [("classic", 2), ("classic", 4), ("old_fish", 6), ("fours", 4), ("rank_pairs", 2)],
)
def test_a_table_is_whole_at_every_width_and_height(
    frame: Frame, school: School, game: str, seats: int, whole: bool
) -> None:
    """No list can have all sizes, because a window may be of any size."""
    with school.room.app.app_context():
        moments = [one for one in school.moments(game, seats) if one.what in EVERYWHERE]
    sizes = [
        (width, height)
        for number, width in enumerate(sample.part(WIDTHS, 5, whole))
        for height in HEIGHTS[number % 3 :: 3]  # every third, others for each width
    ]
    found = {}
    for moment in moments:
        show(frame, school, moment.path)
        for width, height, wrong in frame.evaluate(SWEEP % FAULTS, sizes):
            smallest = width < 480 and height < 640 and moment.what.startswith("full")
            if not smallest:  # 36 cards on the lowest phone
                found[moment.what, width, height] = wrong
    assert not found


def test_a_frame_is_a_window_of_its_size(frame: Frame, school: School) -> None:
    with school.room.app.app_context():
        path = f"/play/rounds/{school.begin('classic', 4)}"
    show(frame, school, path)
    assert not frame.evaluate(SWEEP % FAULTS, [(1366, 620)])
    assert frame.evaluate("[innerWidth, innerHeight]") == [1366, 620]
    frame.evaluate(SPOIL, ".hand { transform: translateY(300px); }")
    found = frame.evaluate(SWEEP % FAULTS, [(1366, 620)])
    frame.evaluate(UNSPOIL)
    assert found


@pytest.mark.parametrize("size", [(1366, 560), (1280, 620), (1366, 620), (1024, 640), (800, 600)])
@pytest.mark.parametrize("seats", [2, 4])
def test_cards_are_large_in_a_low_window(
    page: Page, school: School, size: tuple[int, int], seats: int
) -> None:
    with school.room.app.app_context():
        state = school._found("classic", seats)["middle"]
        round_id = school.begin("classic", seats)
        school.put(round_id, with_hand(state, frozenset(SIX)))
    show(page, school, f"/play/rounds/{round_id}")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    wide = page.locator(".hand .card").evaluate_all(
        "(cards) => cards.map((card) => card.offsetWidth)"
    )
    assert len(wide) == len(SIX)
    assert min(wide) >= 80
    assert not page.evaluate(FAULTS, {"least": 44, "card": 44, "scrolls": False})


def test_what_is_alike_is_chosen_on_copies_of_the_tapped_card(page: Page, school: School) -> None:
    with school.room.app.app_context():
        paths = {one.what: one.path for one in school.moments("fours", 4)}
    show(page, school, paths["start"])
    assert not page.locator(".trait:visible").count()
    show(page, school, paths["start, a card"])
    html = "(cards) => cards.map((card) => card.outerHTML)"
    tapped = page.locator(".fan[aria-pressed=true] .card").evaluate_all(html)
    assert page.locator(".trait:visible .card").evaluate_all(html) == tapped * 3


TOKEN, SEEN = re.compile(r'name="token" value="([^"]+)"'), re.compile(r'name="seen" value="(\d+)"')
HIDDEN = """() => {
  const said = document.querySelector('.hintsay').getBoundingClientRect();
  return [...document.querySelectorAll('.seat .pad, .seat__n, .seat .chip, .seat__backs, .fan,'
    + '.seat__books .book, .seat .boat, .ask')].filter((one) => one.checkVisibility())
    .filter((one) => {
      const box = one.getBoundingClientRect();
      return Math.min(box.right, said.right) - Math.max(box.left, said.left) > 2
        && Math.min(box.bottom, said.bottom) - Math.max(box.top, said.top) > 2;
    }).map((one) => `${one.closest('[id]').id} ${one.className}`);
}"""


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_what_the_fish_says_hides_no_player_and_no_card(
    page: Page, school: School, seats: int
) -> None:
    with school.room.app.app_context():
        round_id = school.begin("classic", seats)
        settings(school.mia, hints=True)
        school.put(round_id, school._found("classic", seats)["middle"])
    path = f"/play/rounds/{round_id}"
    table = school.client.get(path).text
    fields = {"token": TOKEN.findall(table)[0], "seen": SEEN.findall(table)[0]}
    for step in range(4):
        show(page, school, path)
        page.evaluate(SWAP, school.client.post(f"{path}/hint", data=fields).text)
        for width, height in WHOLE.values():
            page.set_viewport_size({"width": width, "height": height})
            assert not page.evaluate(HIDDEN), (step, width, height)


CUT_LABELS = """() => [...document.querySelectorAll('.book--sum span')].flatMap((label) => {
  const text = document.createRange();
  text.selectNodeContents(label);
  const inner = text.getBoundingClientRect();
  const book = label.closest('.book').getBoundingClientRect();
  const half = parseFloat(getComputedStyle(label).fontSize) * 0.4; // of the height of a digit
  const middle = (inner.top + inner.bottom) / 2;
  const cover = book.bottom - (label.closest('.endrow') ? 7 : 0); // white pages are below it
  const whole = inner.left >= book.left - 0.5 && inner.right <= book.right + 0.5
    && middle - half >= book.top && middle + half <= cover;
  return whole || !label.checkVisibility({visibilityProperty: true}) ? [] : [label.textContent];
})"""


def test_the_labels_of_sums_are_whole_on_every_book(page: Page, school: School) -> None:
    with school.room.app.app_context():
        moments = [one for one in school.moments("make_ten", 4) if one.what in ("middle", "end")]
    assert len(moments) == 2
    for moment in moments:
        show(page, school, moment.path)
        for width, height in WHOLE.values():
            page.set_viewport_size({"width": width, "height": height})
            assert not page.evaluate(CUT_LABELS), (moment.what, width, height)


ROOM = """() => {
  const box = (one) => one.getBoundingClientRect();
  const fans = [...document.querySelectorAll('.fan')].map(box);
  const bar = box(document.querySelector('#ask')).bottom;
  return {
    empty: Math.min(...fans.map((fan) => fan.top)) - bar
      + innerHeight - Math.max(...fans.map((fan) => fan.bottom)),
    card: document.querySelector('.hand .card').offsetWidth,
  };
}"""


def room(page: Page, size: str) -> dict[str, int]:
    """How wide a card is, and how many pixels are empty above and below the cards."""
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    found: dict[str, int] = page.evaluate(ROOM)
    return found


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_on_a_phone_no_room_is_left_empty_around_the_cards(
    page: Page, school: School, seats: int
) -> None:
    with school.room.app.app_context():
        moments = [one for one in school.moments("classic", seats) if one.what in ("start", "full")]
    for moment in moments:
        show(page, school, moment.path)
        for size in PHONES:
            assert room(page, size)["empty"] <= 40, (moment.what, size)


def test_a_few_cards_are_large_on_a_phone(page: Page, school: School) -> None:
    with school.room.app.app_context():
        state = school._found("classic", 4)["start"]
        round_id = school.begin("classic", 4)
        school.put(round_id, with_hand(state, frozenset("2C 3C 3D 4C 5C 5D 5H".split())))
    show(page, school, f"/play/rounds/{round_id}")
    for size, least in {"360x740": 90, "360x640": 72, "320x568": 66}.items():
        assert room(page, size)["card"] >= least, size
    with school.room.app.app_context():
        school.put(round_id, with_hand(state, frozenset({"2C"})))
    show(page, school, f"/play/rounds/{round_id}")
    assert 110 <= room(page, "360x740")["card"] <= 120
    expect(page.locator(".ring .chip").first).to_be_visible()  # a friend's name


@pytest.mark.parametrize(
    ("rule", "fault"),
    [
        (".hand { transform: translateY(300px); }", "cut"),
        (".pond { z-index: 9; } .pond__cards { transform: scale(4); }", "covered"),
        ("#home { width: 40px; min-width: 0; }", "40 px"),
        (".table { min-width: 1400px; }", "scrolls sideways"),
    ],
)
def test_a_fault_is_found(page: Page, school: School, rule: str, fault: str) -> None:
    with school.room.app.app_context():
        path = f"/play/rounds/{school.begin('classic', 4)}"
    show(page, school, path)
    assert not faults(page, "1366x620", "start")
    page.evaluate(SPOIL, rule)
    found = faults(page, "1366x620", "start")
    page.evaluate(UNSPOIL)
    assert any(what.startswith(fault) for what, _ in found)
