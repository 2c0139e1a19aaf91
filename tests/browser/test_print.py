"""A game on paper, measured: on the page as it is printed, and in the PDF that Chromium makes of it
where poppler can read it."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from classroom.games import GAMES
from classroom.services.lesson import own_games
from classroom.services.table import offers
from tests.browser.adults import Open, make_adults, pages_of, sign_in
from tests.browser.conftest import Served

SIZES = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}  # millimetres
WHITE = 6.0  # millimetres at each edge that printers leave
CARD = (63.0, 88.0)
TRUE = 0.2  # millimetres
INK = 5.0  # percent of a page
DOTS = 50  # an inch, to measure ink
poppler = pytest.mark.skipif(not shutil.which("pdftoppm"), reason="poppler-utils is not installed")

# On each page: the boxes of its cards, the lines to cut along, the text or picture that reaches
# furthest to each side, in millimetres from the corner of the page; and what is cut off.
MEASURED = """() => [...document.querySelectorAll('.kpage')].map((page) => {
  const mm = 96 / 25.4, at = page.getBoundingClientRect();
  const of = (box) => [box.left - at.left, box.top - at.top, box.right - at.left,
    box.bottom - at.top].map((length) => length / mm);
  const path = page.querySelector('.cuts path');
  const svg = path && of(page.querySelector('.cuts').getBoundingClientRect());
  const ends = path ? path.getAttribute('d').match(/[MHV][\\d. ]+/g) : [];
  const lines = [];
  for (let at = 0; at < ends.length; at += 2) {
    const [x, y] = ends[at].slice(1).trim().split(' ').map(Number);
    const end = Number(ends[at + 1].slice(1));
    const [right, bottom] = ends[at + 1][0] === 'V' ? [x, end] : [end, y];
    lines.push([x + svg[0], y + svg[1], right + svg[0], bottom + svg[1]]);
  }
  return {size: of(at), lines,
    cards: [...page.querySelectorAll('.kcard')].map((one) => of(one.getBoundingClientRect())),
    cut: page.scrollHeight > page.clientHeight || page.scrollWidth > page.clientWidth};
})"""


@pytest.fixture
def own(served: Served) -> Iterator[str]:
    """A game of the class's own, on its shelf."""
    rules = GAMES["classic"].rules.changed({"deck.ranks": "A2345"})
    with served.room.app.app_context():
        own_id = own_games.save(served.room.class_id, "classic", "Our pond", rules, "both", by=None)
    yield offers.own_key(own_id)
    with served.room.app.app_context():
        own_games.remove(served.room.class_id, own_id, by=None)


@pytest.fixture
def lake(open_child: Open, served: Served) -> Page:
    make_adults(served)
    return sign_in(open_child(), "lake")


def show(page: Page, served: Served, rest: str) -> None:
    page.goto(f"{served.url}/teach/classes/{served.room.class_id}/{rest}")
    page.emulate_media(media="print")
    page.evaluate("document.fonts.ready.then(() => null)")  # other letters may be wider


def printed(page: Page) -> bytes:
    return page.pdf(prefer_css_page_size=True)


def pictures(pdf: bytes, folder: Path) -> list[tuple[int, int, bytes]]:
    """The pages in grey: width, height, and a byte for each dot."""
    (folder / "sheets.pdf").write_bytes(pdf)
    words = ["pdftoppm", "-r", str(DOTS), "-gray", "sheets.pdf", "page"]
    subprocess.run(words, cwd=folder, check=True)
    found = []
    for path in sorted(folder.glob("page-*.pgm")):
        head = re.match(rb"P5\s+(\d+)\s+(\d+)\s+255\s", data := path.read_bytes())
        assert head
        found.append((int(head[1]), int(head[2]), data[head.end() :]))
    return found


def ink(dots: bytes) -> float:
    return 100 * (1 - sum(dots) / len(dots) / 255)


@pytest.mark.walk(99)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", [*GAMES, "own"])
def test_every_card_is_63_by_88_and_every_line_is_at_the_edge_of_a_card(
    lake: Page, served: Served, own: str, game: str, size: str
) -> None:
    show(lake, served, f"print?game={own if game == 'own' else game}&deck=full&size={size}")
    width, height = (length - 2 * WHITE for length in SIZES[size])
    first = None
    for sheet in lake.evaluate(MEASURED):
        assert sheet["size"][2] <= width
        assert sheet["size"][3] <= height
        assert not sheet["cut"]
        for left, top, right, bottom in sheet["cards"]:
            assert right - left == pytest.approx(CARD[0], abs=TRUE)
            assert bottom - top == pytest.approx(CARD[1], abs=TRUE)
        if not sheet["lines"]:
            continue
        first = first or sheet
        for line, before in zip(sheet["lines"], first["lines"], strict=True):
            assert line == pytest.approx(before, abs=TRUE)  # a stack is cut at once
        across = {round(x, 1) for x, _, right, _ in sheet["lines"] if x == right}
        down = {round(y, 1) for _, y, _, bottom in sheet["lines"] if y == bottom}
        edges = sheet["cards"] or first["cards"]
        assert {round(one[side], 1) for one in edges for side in (0, 2)} <= across
        assert {round(one[side], 1) for one in edges for side in (1, 3)} <= down
        for x, y, right, bottom in sheet["lines"]:
            outside = x < 4 or right > 193.1 or bottom < min(down) or y > max(down)
            assert outside, "a line is on a card"
    assert first
    assert pages_of(printed(lake)) == lake.locator(".kpage").count()


def test_a_card_of_another_size_is_noticed(lake: Page, served: Served) -> None:
    show(lake, served, "print?game=classic&sheet=deck")
    lake.evaluate("document.querySelectorAll('.kcard')[1].style.width = '63.3mm'")
    cards = lake.evaluate(MEASURED)[0]["cards"]
    assert [round(one[2] - one[0], 1) for one in cards[:3]] == [63.0, 63.3, 63.0]


@poppler
@pytest.mark.walk(99)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", [*GAMES, "own"])
def test_black_and_white_saves_ink_and_nothing_is_at_the_edge(
    lake: Page, served: Served, own: str, game: str, size: str, tmp_path: Path
) -> None:
    key = own if game == "own" else game
    show(lake, served, f"print?game={key}&deck=full&size={size}&ink=black")
    for width, height, dots in pictures(printed(lake), tmp_path):
        assert (width, height) == pytest.approx([mm / 25.4 * DOTS for mm in SIZES[size]], abs=1)
        assert ink(dots) <= INK
        edge = int((WHITE - 0.5) / 25.4 * DOTS)
        rows = [dots[at : at + width] for at in range(0, len(dots), width)]
        assert set(b"".join(rows[:edge] + rows[-edge:])) == {255}
        assert {dot for row in rows for dot in row[:edge] + row[-edge:]} == {255}


@poppler
def test_the_lines_of_five_pages_lie_on_one_another(
    lake: Page, served: Served, tmp_path: Path
) -> None:
    """Above the cards there are only the four lines across which a stack is cut."""
    show(lake, served, "print?game=classic&deck=full&sheet=deck&size=a4")
    sheets = pictures(printed(lake), tmp_path)
    assert len(sheets) == 6
    tops = [dots[: int(15.4 / 25.4 * DOTS) * width] for width, _, dots in sheets]
    assert len(set(tops)) == 1
    assert min(tops[0]) < 255


@pytest.mark.walk(99)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", GAMES)
def test_the_sheet_of_the_week_is_one_page_for_each_child(
    lake: Page, served: Served, game: str, size: str
) -> None:
    show(lake, served, f"week?game={game}&whose=child&size={size}&ink=black")
    sheets = lake.evaluate(MEASURED)
    assert len(sheets) == len(served.room.children)
    assert not any(one["cut"] for one in sheets)
    assert pages_of(printed(lake)) == len(sheets)
