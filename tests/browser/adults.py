"""A teacher and a parent in the served school, and finished rounds."""

from __future__ import annotations

import random
import re
import secrets
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page
from sqlalchemy import select

from classroom.database import db, write_unit
from classroom.models import Adult, Child, ClassTeacher, School
from classroom.services.access import accounts, knocks, passwords
from classroom.services.base import clock
from classroom.services.operation import background
from classroom.services.school import family_links
from classroom.services.table import evidence_log, matches, rounds
from tests.browser.conftest import Child_, Served
from tests.learning.rows import rows

PASSWORD = "seven quiet herons wade"
Open = Callable[..., Child_]
STRANDS = (  # a skill of each strand, except memory
    ("counting", "how_many"),
    ("comparing", "who_has_more"),
    ("adding", "add_books"),
    ("sorting", "sorting"),
)

# Every visible text: its colour, its background and its size. Text over a picture is left out,
# because no single colour lies behind it.
TEXTS = """() => {
  const numbers = (colour) => (colour.match(/[\\d.]+/g) || []).map(Number);
  const found = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const text = walk.currentNode.textContent.trim();
    const one = walk.currentNode.parentElement;
    if (!text || !one.checkVisibility({visibilityProperty: true, opacityProperty: true})) continue;
    if (one.closest('.vh, [aria-disabled=true], svg, .mast, .doorway, .rstage, select')) continue;
    let at = one, ground = null, seen = 1;
    for (; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      seen *= Number(style.opacity);
      if (ground) continue;
      if (style.backgroundImage !== 'none') { ground = 'picture'; continue; }
      const colour = numbers(style.backgroundColor);
      if (colour.length === 3 || colour[3] === 1) ground = colour.slice(0, 3);
    }
    if (!ground || ground === 'picture') continue;
    const style = getComputedStyle(one);
    found.push({text: text.slice(0, 40), colour: numbers(style.color).slice(0, 3), ground, seen,
      size: parseFloat(style.fontSize), bold: Number(style.fontWeight) >= 700});
  }
  return found;
}"""


# Every visible text that reaches beyond the screen or beyond what clips it. Tables may scroll.
CUT = """() => {
  const found = [];
  const scrolls = (at) => at.matches('nav, textarea') || at.querySelector('table');
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const text = walk.currentNode.textContent.trim();
    const one = walk.currentNode.parentElement;
    if (!text || !one.checkVisibility({visibilityProperty: true, opacityProperty: true})) continue;
    if (one.closest('.vh, .skip, svg, select')) continue;
    let edge = innerWidth;
    for (let at = one; at; at = at.parentElement) {
      if (getComputedStyle(at).overflowX === 'visible') continue;
      if (scrolls(at)) { edge = Infinity; break; }
      edge = Math.min(edge, at.getBoundingClientRect().right);
    }
    const range = document.createRange();
    range.selectNodeContents(walk.currentNode);
    const boxes = [...range.getClientRects()].filter((box) => box.width > 1);
    if (boxes.some((box) => box.right > edge + 1 || box.left < -1)) found.push(text.slice(0, 40));
  }
  return found;
}"""


def make_adults(served: Served) -> dict[str, int]:
    """Make a teacher of the class and a parent of Mia, once for the served school. Returns their
    ids."""
    with served.room.app.app_context():
        found = {row.login: row.id for row in db.session.scalars(select(Adult))}
        db.session.rollback()
        if found:
            return found
        hashed = passwords.hash_of(PASSWORD)
        with write_unit():
            school_id = db.session.scalars(select(School.id)).one()
            teacher = accounts.add_adult(school_id, "teacher", "Ms Lake", "lake", hashed)
            db.session.add(ClassTeacher(class_id=served.room.class_id, adult_id=teacher))
        code = family_links.make_code(served.room.children["Mia"])
        parent = family_links.register(code, "Mr Reed", "reed", PASSWORD)
        return {"lake": teacher, "reed": parent}


def sign_in(child: Child_, login: str) -> Page:
    """Sign in without looking at a page. Returns the browser's page, which is still empty."""
    school, address = child.context.request, f"{child.url}/in"
    token = re.search(r'name="token" value="([^"]+)"', school.get(address).text())
    assert token
    form = {"token": token[1], "login": login, "password": PASSWORD}
    assert school.post(address, form=form, max_redirects=0).status == 303
    return child.page


def family_code(served: Served, name: str) -> str:
    with served.room.app.app_context():
        return family_links.make_code(served.room.children[name])


def wait_at_the_door(served: Served, name: str, wrong: int) -> None:
    """Record that a device is at this child's door, after this many wrong tries."""
    with served.room.app.app_context(), write_unit():
        child = db.session.get_one(Child, served.room.children[name])
        knocks.stand(secrets.token_hex(16), child).tries = wrong


def finished_round(served: Served, name: str) -> int:
    """Play a new round of this child to its end. Returns its id."""
    with served.room.app.app_context():
        child_id = served.room.children[name]
        round_id = matches.start_match(child_id)
        seat = rounds.seat_of(round_id, child_id)
        assert seat is not None
        lots = random.Random(11)
        while not rounds.table(round_id, seat).over:
            background.play_now(round_id)
            table = rounds.table(round_id, seat)
            if table.observation.legal:
                action = lots.choice(table.observation.legal)
                rounds.play(round_id, seat, action, secrets.token_hex(8), table.seq)
        db.session.rollback()
        return round_id


def fits(page: Page) -> bool:
    """Whether nothing on the page is wider than the screen."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def hard_to_read(page: Page) -> list[str]:
    """The texts whose contrast is below WCAG 2.2 AA: 4.5, or 3 for large text."""
    return [
        f"{text['text']!r} {ratio:.1f}"
        for text in page.evaluate(TEXTS)
        if (ratio := _contrast(text)) < (3 if _large(text) else 4.5)
    ]


def _large(text: dict[str, Any]) -> bool:
    return bool(text["size"] >= 24 or (text["bold"] and text["size"] >= 18.66))


def _contrast(text: dict[str, Any]) -> float:
    shown = [
        ground + (colour - ground) * text["seen"]
        for colour, ground in zip(text["colour"], text["ground"], strict=True)
    ]
    light, dark = sorted((_luminance(shown), _luminance(text["ground"])), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: list[float]) -> float:
    parts = [c / 255 for c in colour]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def pages_of(pdf: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


def everything(served: Served, name: str) -> None:
    """Give a child answers in each strand and each range, from 160 days ago and from 60 days ago,
    so that its sheet has every line."""
    lags = (2, 4, 8, 20)
    with served.room.app.app_context(), write_unit():
        for long_ago in (160, 60):
            for strand, skill in (*STRANDS, ("recall", "what_asked")):
                recall = strand == "recall"
                for place, top in enumerate(lags if recall else (4, 9, 18, 30)):
                    how = {"lag": top} if recall else {"number": top}
                    found = rows(8, 12, skill=skill, difficulty=place - 1.0, round_id=None,
                                 day=clock.day() - long_ago, start=place * 50.0, **how)  # fmt: skip
                    evidence_log.append(served.room.children[name], found)
        for lag in lags:
            play = rows(3, 9, skill="recall_ask", source="play", lag=lag, round_id=None,
                        day=clock.day() - 60)  # fmt: skip
            evidence_log.append(served.room.children[name], play)


def unfold(page: Page) -> None:
    """Open every fold of the page."""
    page.evaluate("document.querySelectorAll('details').forEach((fold) => { fold.open = true })")
