"""Each kind of question that the program can ask is whole on every screen: what can be tapped and
what is to be counted lies inside the panel, is large enough and is covered by nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from random import Random

import pytest
from flask import g, render_template
from playwright.sync_api import Browser, Page

from classroom.engine import legal_actions, observe, play
from classroom.engine.actions import Lots
from classroom.engine.observation import Observation
from classroom.engine.state import Table
from classroom.learning.drafts import Draft
from classroom.learning.questions import COVERS, _arranged, drafts
from classroom.learning.skills import AGE_BANDS, SKILL_OF, SKILLS, Bounds, bounds_at
from classroom.services.quiz.posing import AGAIN, COUNT, NARROW, SHOW, Put
from classroom.services.table import matches, rounds, states
from classroom.web.child.play_questions import question_view
from classroom.web.http.assets import SOURCES
from tests import sample
from tests.browser.test_screens import SPOIL, WHOLE, School, make_school, open_page, show

SIZES = {
    **WHOLE,
    "1366x560": (1366, 560),  # a Chromebook that shows its bookmarks bar
    "1280x620": (1280, 620),
    "800x600": (800, 600),
    "768x1024": (768, 1024),  # a tablet held upright
}
TOUCH, APART = 44, 4  # CSS pixels: the least side of what is tapped, and its least distance
LEAST, AT_ONCE = 15, 10  # the side of a thing to count; the same before scripts fit it
# Each kind of question is in one of the first, third and fifth, which an everyday run plays.
PLAYED = (("classic", 4), ("fours", 6), ("old_fish", 3), ("make_ten", 2), ("low_tide", 4))
SHARE = 11  # an everyday run takes the first question in eleven, and so all of the six states
ROUNDS = 3  # random rounds, in which the largest question of each kind is looked for

FIT = (SOURCES / "child" / "fit.js").read_text("utf-8").partition("export ")[2]
FAULTS = (
    f"([pages, least, apart, small, scripts]) => {{ {FIT}"
    + """return pages.map((text) => {
  document.querySelector('#question').outerHTML = text;
  if (scripts) fit();
  const faults = [], panel = document.querySelector('#q');
  const name = (one) => one.id || one.closest('[id^=pick]')?.id
    || `${one.parentElement.getAttribute('class')} > ${one.getAttribute('class') || one.tagName}`;
  const add = (what, one) => faults.push(`${name(one)}: ${what}`);
  const root = document.documentElement;
  for (const one of [root, panel]) {
    if (one.scrollWidth > one.clientWidth + 1) faults.push(`scrolls sideways ${one.scrollWidth}`);
    if (one.scrollHeight > one.clientHeight + 1) faults.push(`scrolls ${one.scrollHeight}`);
  }
  const box = (one) => one.getBoundingClientRect();
  const seen = (one) => one.checkVisibility({visibilityProperty: true}) && !one.closest('.vh');
  const all = (which) => [...document.querySelectorAll(which)].filter(seen);
  const within = (one, frame) => { const a = box(one); return a.left >= frame.left - 1.5
    && a.right <= frame.right + 1.5 && a.top >= frame.top - 1.5
    && a.bottom <= frame.bottom + 1.5; };
  const owner = (one) => one.closest('.pick,.take,.q__card,.q__who,.q__one,.btn,button,a') || one;
  const covered = (one) => { // at its middle and near its corners
    const a = box(one), mine = owner(one);
    for (const [x, y] of [[.5, .5], [.2, .2], [.8, .2], [.2, .8], [.8, .8]]) {
      const hit = document.elementFromPoint(a.left + a.width * x, a.top + a.height * y);
      if (!hit || !(mine.contains(hit) || hit.contains(one))) return hit ? name(hit) : 'nothing';
    } };
  const whole = (one, frame) => {
    if (!within(one, frame)) return add('cut', one);
    const by = covered(one);
    if (by) add(`covered by ${by}`, one);
  };
  const screen = new DOMRect(0, 0, innerWidth, innerHeight), paper = box(panel);
  whole(panel.querySelector('.q__say'), paper);
  if (!within(panel, screen)) add('cut', panel);
  const mine = all('#q button, #q a, #q label.take');
  const around = all('#home, #sound, .raise button');
  around.forEach((one) => whole(one, screen));
  for (const one of mine) {
    whole(one, paper);
    const side = Math.min(box(one).width, box(one).height);
    if (side < least - .5) add(`${side.toFixed(0)} px`, one);
  }
  [...mine, ...around].forEach((one, i, them) => them.slice(i + 1).forEach((other) => {
    const a = box(one), b = box(other);
    const near = Math.max(a.left - b.right, b.left - a.right, a.top - b.bottom, b.top - a.bottom);
    const wanted = mine.includes(other) ? apart - 1 : 2;
    if (near < wanted) add(`${near.toFixed(0)} from ${name(other)}`, one);
  }));
  const things = all(`.q__look :is(.card, .book, .pad, .chip, i, b, svg, .q__gap),
    .pick :is(.card, .pad, b, svg, span:not(.drawn)), .basket i`)
    .filter((one) => !one.parentElement.closest('.card, .book, .pad, svg'));
  for (const one of things) {
    const a = box(one), deep = one.closest('.q__heap, .q__hops, .pick__both, .q__pond, .q__shell');
    const frame = one.closest('.pick') ? box(one.closest('.pick')) : paper;
    if (deep ? !within(one, frame) : false) add('cut', one);
    if (!deep) whole(one, frame);
    if (Math.min(a.width, a.height) < small && !one.matches('.chip, b, .ico, .pick__dots, span'))
      add(`${Math.min(a.width, a.height).toFixed(0)} px`, one);
    if (one.scrollWidth > one.clientWidth + 1 && one.matches('.chip, .pick span'))
      add('words cut', one);
  }
  return faults;
}); }"""
)


@dataclass(frozen=True)
class Asked:
    """A question as a page shows it. `look`: its kind, its options and how far it has come."""

    kind: str
    look: str
    html: str


def largest(school: School, game: str, seats: int) -> Iterator[tuple[Draft, Observation, Bounds]]:
    """Of each kind and way of answering, the question with most to show in a few rounds, whose
    cards and moves follow from the name of the game."""
    found: dict[tuple[str, str, str], tuple[int, Draft, Observation, Bounds]] = {}
    lots = Random(game)
    for _ in range(ROUNDS):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(matches, "_random", lots)
            round_id = school.begin(game, seats)
        table = Table(states.read(round_id).state, Lots(lots))
        while True:
            seen = observe(table.state(), 0)
            for band in (AGE_BANDS[0], AGE_BANDS[-1]):
                bounds = bounds_at(band)
                for skill in map(SKILLS.__getitem__, sorted(bounds.skills)):
                    for draft in drafts(seen, skill, bounds.of(skill)):
                        key, size = (draft.kind, draft.face, band), _size(draft)
                        if key not in found or found[key][0] < size:
                            found[key] = size, draft, seen, bounds.of(SKILLS[SKILL_OF[draft.kind]])
            if table.ended_by is not None:
                break
            play(table, lots.choice(list(legal_actions(table))))
    return (one[1:] for one in found.values())


def _size(draft: Draft) -> int:
    stem = draft.stem
    return 10 * len(stem.seats) + len(stem.cards) + sum(stem.numbers)


def asked(school: School, game: str, seats: int) -> Iterator[Asked]:
    """Each kind of question that this game has, in each state."""
    table = rounds.table(school.begin(game, seats), 0)
    for draft, seen, bounds in largest(school, game, seats):
        made = _arranged(draft, Random(draft.kind), bounds)
        if made is None:
            continue
        options, right = made
        places = tuple(range(len(options)))
        wrong = 0 if right else 1
        first = Put(
            round_id=table.round_id, seq=seen.seq, kind=draft.kind, stem=draft.stem,
            face=draft.face, options=options, covers=COVERS.get(draft.kind, frozenset()),
            offered=places, tried=(), step=0, right=None, found=False,
        )  # fmt: skip
        tried = replace(
            first, tried=(wrong,), step=AGAIN, offered=tuple(at for at in places if at != wrong)
        )
        two = tuple(sorted({right, places[-1] if right != places[-1] else places[0]}))
        for state, put in {
            "first": first,
            "tried": replace(tried, step=AGAIN + 1),
            "count": replace(tried, step=COUNT),
            "narrow": replace(tried, step=NARROW, offered=two),
            "show": replace(tried, step=SHOW, right=right, offered=(right,)),
            "found": replace(tried, step=COUNT, right=right, found=True),
        }.items():
            view = question_view(put, replace(table, observation=seen))
            html = render_template("partials/child/question.html", q=view, key="k")
            yield Asked(draft.kind, f"{draft.kind}, {len(options)} {draft.face}, {state}", html)


@pytest.fixture(scope="module")
def school(tmp_path_factory: pytest.TempPathFactory) -> School:
    return make_school(tmp_path_factory.mktemp("questions"))


@pytest.fixture(scope="module")
def page(chromium: Browser, school: School) -> Iterator[Page]:
    with closing(open_page(chromium, school)) as opened:
        yield opened


@pytest.fixture(scope="module")
def questions(school: School, whole: bool) -> list[Asked]:
    """Of all questions that look alike in very different games, the one with most to show."""
    found: dict[str, Asked] = {}
    with school.room.app.test_request_context("/"):
        g.token, g.device = "token", "device"
        for game, seats in sample.part(PLAYED, 2, whole):
            for one in asked(school, game, seats):
                if one.look not in found or len(found[one.look].html) < len(one.html):
                    found[one.look] = one
    return list(found.values())


def wrong(
    page: Page, size: tuple[int, int], questions: list[Asked], *, scripts: bool = True
) -> dict[str, list[str]]:
    """The faults of these questions in a window of this size. `scripts`: whether they have fitted
    the question to the window."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    least = LEAST if scripts else AT_ONCE
    found = page.evaluate(FAULTS, [[one.html for one in questions], TOUCH, APART, least, scripts])
    return {one.look: its[:2] for one, its in zip(questions, found, strict=True) if its}


def begin(page: Page, school: School) -> None:
    with school.room.app.app_context():
        path = f"/play/rounds/{school.begin('classic', 4)}"
    show(page, school, path)
    page.evaluate("() => Promise.all([...document.fonts].map((one) => one.load())).then(() => 0)")


@pytest.mark.walk(15)
@pytest.mark.parametrize("size", SIZES)
def test_every_question_is_whole_in_every_state(
    page: Page, school: School, questions: list[Asked], size: str, whole: bool
) -> None:
    begin(page, school)
    assert {one.kind for one in questions} >= set(SKILL_OF)
    found = wrong(page, SIZES[size], sample.part(questions, SHARE, whole))
    assert not found


@pytest.mark.walk(15)
@pytest.mark.parametrize("size", SIZES)
def test_nearly_every_question_is_whole_before_scripts_have_fitted_it(
    page: Page, school: School, questions: list[Asked], size: str
) -> None:
    begin(page, school)
    some = sample.part(questions, SHARE, whole=False)
    found = wrong(page, SIZES[size], some, scripts=False)
    assert len(found) <= len(some) * 0.05, found


@pytest.mark.parametrize(
    ("rule", "fault"),
    [
        (".q { translate: 0 400px; }", "cut"),
        (".pick { min-height: 0; height: 30px; }", "30 px"),
        (".q__picks { margin-top: -90px; }", "covered by"),
    ],
)
def test_a_fault_of_a_question_is_found(
    page: Page, school: School, questions: list[Asked], rule: str, fault: str
) -> None:
    begin(page, school)
    page.evaluate(SPOIL, rule)
    try:
        found = wrong(page, (1280, 620), questions[:40])
    finally:
        page.evaluate("() => document.querySelector('#spoilt').remove()")
    assert any(fault in one for its in found.values() for one in its)
