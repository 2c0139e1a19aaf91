"""Spanish is longer than English: what a child and an adult read in it is whole on every screen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing

import pytest
from flask import g
from playwright.sync_api import Browser, Page, Route

from classroom.database import db, write_unit
from classroom.models import Child
from classroom.web.http.pages import render
from classroom.web.words import language
from tests import sample
from tests.browser import hands, test_question_sizes as questions_, test_screens as screens
from tests.browser.adults import CUT, fits, unfold
from tests.browser.conftest import SIZES, Child_, Served
from tests.browser.test_access import is_page, serve, shown
from tests.browser.test_question_sizes import Asked, asked, wrong
from tests.browser.test_screens import HOST, UNSENT, School, make_school, open_page
from tests.web import child_pages
from tests.web.test_marked import spaniard
from tests.world import World

MOST = ("1024x768", "360x740", "844x390", "320x568")

# Texts that overlap, and texts that are cut off by what they are in.
OVERLAPS = """() => {
  const found = [], texts = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const one = walk.currentNode.parentElement, text = walk.currentNode.textContent.trim();
    const apart = '.vh, svg, noscript, .notice, .board, .card, .tile__art, .rtable__pond';
    if (!text || one.closest(apart)) continue;
    if (!one.checkVisibility({visibilityProperty: true, opacityProperty: true})) continue;
    const range = document.createRange();
    range.selectNodeContents(walk.currentNode);
    const box = range.getBoundingClientRect();
    if (box.width > 1) texts.push([text.slice(0, 30), box, one]);
    const holds = one.closest('button, .chip, .banner, .tile');
    const outer = holds?.getBoundingClientRect();
    if (outer && (box.bottom > outer.bottom + 2 || box.top < outer.top - 2
      || box.right > outer.right + 2 || box.left < outer.left - 2))
      found.push(`${text.slice(0, 30)} leaves ${holds.id || holds.className}`);
  }
  texts.forEach(([a, p], i) => texts.slice(i + 1).forEach(([b, q]) => {
    const w = Math.min(p.right, q.right) - Math.max(p.left, q.left);
    const h = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top);
    if (w > 3 && h > 3) found.push(`${a} on ${b}`);
  }));
  return found;
}"""


@pytest.fixture(scope="module")
def school(tmp_path_factory: pytest.TempPathFactory) -> School:
    return spanish(make_school(tmp_path_factory.mktemp("spanish")))


def spanish(school: School) -> School:
    with school.room.app.app_context(), write_unit():
        db.session.get_one(Child, school.mia).language = "es"
    return school


@pytest.fixture(scope="module")
def page(chromium: Browser, school: School) -> Iterator[Page]:
    with closing(open_page(chromium, school)) as opened:
        yield opened


@pytest.mark.parametrize("game", screens.SAMPLE)
def test_a_table_in_spanish_is_whole_on_every_screen(
    page: Page, school: School, game: str, whole: bool
) -> None:
    sizes = sample.part(screens.SIZES, 3, whole)
    found = screens.walk(page, school, game, screens.SAMPLE[game], screens.SHORT, sizes)
    assert "Toca" in page.content() or "Fin" in page.content() or "¡" in page.content()
    assert not any(found.values()), screens.shown(found)


def test_a_tapped_friend_is_called_by_its_spanish_name(
    open_child: Callable[..., Child_], served: Served
) -> None:
    with served.room.app.app_context(), write_unit():
        db.session.get_one(Child, served.room.children["Noor"]).language = "es"
    child = open_child("Noor")
    child.page.goto(served.deal("Noor"))
    hands.settle(child.page)
    hands.take(child.page, 0, 0)
    words = child.page.locator("#words")
    name = child.page.locator("[name=target].is-picked .chip").text_content()
    assert name
    assert (words.text_content() or "").startswith(f"{name}, ¿tienes ")
    said = (words.get_attribute("data-say") or "").replace("|", "")  # between parts of a sentence
    assert said.startswith(f"={name}, ¿tienes ")


@pytest.fixture(scope="module")
def questions(school: School, whole: bool) -> list[Asked]:
    found: dict[str, Asked] = {}
    with school.room.app.test_request_context("/"), language.speaking("es"):
        g.token, g.device = "token", "device"
        for game, seats in sample.part(questions_.PLAYED, 5, whole):
            for one in asked(school, game, seats):
                if one.look not in found or len(found[one.look].html) < len(one.html):
                    found[one.look] = one
    return list(found.values())


@pytest.mark.walk(15)
@pytest.mark.parametrize("size", questions_.SIZES)
def test_a_question_in_spanish_is_whole_in_every_state(
    page: Page, school: School, questions: list[Asked], size: str, whole: bool
) -> None:
    questions_.begin(page, school)
    assert any("¿" in one.html for one in questions)
    found = wrong(page, questions_.SIZES[size], sample.part(questions, questions_.SHARE, whole))
    assert not found


def drawn(school: School) -> list[str]:
    """The pages of a child in Spanish, in each state."""
    with school.room.app.test_request_context("/"), language.speaking("es"):
        g.token = g.device = ""
        pages = (render(name, **values) for name, values in child_pages.pages() if "pages/" in name)
        return list(dict.fromkeys(pages))


def test_a_page_of_a_child_in_spanish_is_whole_on_every_screen(
    chromium: Browser, school: School, whole: bool
) -> None:
    found, texts = [], drawn(school)
    page = chromium.new_page(java_script_enabled=False, reduced_motion="reduce")

    def answer(route: Route) -> None:
        path = route.request.url.removeprefix(HOST)
        if path.startswith("/page/"):
            route.fulfill(body=texts[int(path[6:])], content_type="text/html")
            return
        its = school.client.get(path, buffered=True)
        headers = {name: value for name, value in its.headers if name not in UNSENT}
        route.fulfill(status=its.status_code, headers=headers, body=its.data)

    page.route("**/*", answer)
    with closing(page):
        for number in sample.part(range(len(texts)), 18, whole):
            page.goto(f"{HOST}/page/{number}", wait_until="load")
            for size in MOST:
                width, height = screens.WHOLE[size]
                page.set_viewport_size({"width": width, "height": height})
                wrong_ = [*page.evaluate(CUT), *page.evaluate(OVERLAPS)]
                wrong_ += [] if fits(page) else ["too wide"]
                found += [(number, page.title(), size, one) for one in wrong_]
    assert not found, "\n".join(map(str, found))


@pytest.mark.walk(4)
@pytest.mark.parametrize("who", ["lake", "reed", "admin", "nobody"])
def test_a_page_of_an_adult_in_spanish_is_whole(
    chromium: Browser, world: World, who: str, whole: bool
) -> None:
    visitor, found = spaniard(world, who), []
    page = chromium.new_page(reduced_motion="reduce")
    serve(page, visitor)
    paths = [path for path, _ in shown(world, who) if is_page(visitor.get(path))]
    with closing(page):
        for path in sample.part(paths, 7, whole):
            page.goto(HOST + path, wait_until="load")
            if page.locator("body.adult--print").count():
                continue  # a sheet of paper cannot be narrower
            unfold(page)
            for size, (width, height) in SIZES.items():
                page.set_viewport_size({"width": width, "height": height})
                wrong_ = [*page.evaluate(CUT)] + ([] if fits(page) else ["too wide"])
                found += [(path, size, one) for one in wrong_]
    assert not found, "\n".join(map(str, found))
