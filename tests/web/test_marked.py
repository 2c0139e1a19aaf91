"""No page of adults shows a text in another language: a catalogue in which every text is wrapped
shows which texts are not in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import flask_babel
import pytest
from babel import dates
from flask import Flask
from werkzeug.test import TestResponse

from classroom.services.base import clock
from classroom.web.http import pages
from classroom.web.words import filters, language, phrases
from tests.web.people import ALLOWED, whose
from tests.web.routes import HIDDEN, addresses, is_own, rules
from tests.web.test_forms import FORMS, START, prepared
from tests.web.test_spanish import FILLED, give_spanish
from tests.world import CHILDREN, KIND, Visitor, World

ADULTS = ("lake", "admin", "head", "reed", "nobody", "device", "eddy", "home device")
VOID = ("br", "img", "input", "link", "meta", "use", "path", "circle", "rect")
READ = ("aria-label", "title", "alt", "placeholder", "data-l", "data-words", "data-on", "data-off")
MARKED = re.compile(r"⟦[^⟦⟧]*⟧")
WORD = re.compile(r"[^\W\d_]{2,}")
NAMES = "|".join((*CHILDREN, "Northpond", "Southpond"))
TYPED = "Second graders|Owls|Ours|Minnows|Nia|Mila|Ms Lake|Counts on her fingers"
TYPED += "|My phone|New Colleague|New Parent|Theirs|Retention schedule"
MONTHS = "|".join(dates.get_month_names("wide", locale="es").values())
DATA = re.compile(
    rf"\b(?:\w+q(?:adult|room|group)|{NAMES}|{MONTHS}|Fish School|SQLite|PostgreSQL|localhost"
    rf"|ABC|{TYPED}"
    r"|K\.[A-Z]+\.[A-Z]\.\d|[A-Z2-7]{32}|[A-Z2-9]{4}(?:-[A-Z2-9]{4}){2})\b|/[a-z][a-z/-]+"
)
"""Names, codes and addresses, the months in Spanish, and the sign of the other language."""


def wrapped(text: str) -> str:
    """A text with each part of it wrapped, but not what is filled in."""
    return "".join(
        part if FILLED.fullmatch(part) or not part.strip() else f"⟦{part}⟧"
        for part in re.split(f"({FILLED.pattern})", text)
    )


@pytest.fixture
def marked(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every text of the catalogue, every sentence and every date, wrapped."""
    one, many = flask_babel.gettext, phrases.spoken_in
    dated = filters._formatted
    kept = (language._translated, language._translated_by_number, phrases._phrase, pages._drawn)

    def phrase(*given: Any) -> phrases.Phrase:
        said = many(*given)
        return said._replace(words=type(said.words)(f"⟦{said.words}⟧"))

    def number(one_: str, many_: str, n: int) -> str:
        found: str = flask_babel.get_translations().ungettext(one_, many_, n)
        return wrapped(found)

    monkeypatch.setattr(language, "_translated", lambda _spoken, text: wrapped(one(text)))
    monkeypatch.setattr(language, "_translated_by_number", lambda _spoken, *given: number(*given))
    monkeypatch.setattr(phrases, "spoken_in", phrase)
    monkeypatch.setattr(filters, "_formatted", lambda *given: f"⟦{dated(*given)}⟧")
    for cached in kept:
        getattr(cached, "cache_clear", lambda: None)()
    yield
    for cached in kept:
        getattr(cached, "cache_clear", lambda: None)()


class Texts(HTMLParser):
    """What a page shows or says in Spanish: an element in another language, and one that is not to
    be translated, are left out."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.body = ""
        self._left_out: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag in VOID and self._left_out:
            return
        apart = given.get("translate") == "no" or given.get("lang", "es") != "es"
        if self._left_out or apart or tag in ("script", "style", "code", "kbd"):
            self._left_out.append(tag)
            return
        self.found += [value for name, value in attrs if name in READ and value]

    def handle_endtag(self, tag: str) -> None:
        if self._left_out and self._left_out[-1] == tag:
            self._left_out.pop()

    def handle_data(self, data: str) -> None:
        if not self._left_out:
            self.body += data + "\n"

    def left(self) -> set[str]:
        """What is in no catalogue: no text, sentence or date, and no data of the tests' world."""
        bare = (MARKED.sub("\n", MARKED.sub("\n", text)) for text in (self.body, *self.found))
        lines = {line.strip() for text in bare for line in DATA.sub("", text).split("\n")}
        return {line for line in lines if WORD.search(line)}


def speaks_spanish(visitor: Visitor, path: str) -> bool:
    """Look at a page; returns whether it is one."""
    return is_spanish(visitor.get(path))


def is_spanish(answer: TestResponse) -> bool:
    is_page = "text/html" in answer.headers.get("Content-Type", "")
    if not is_page or 300 <= answer.status_code < 400:
        return False
    if answer.request.path.startswith("/school/folder"):
        return True  # papers are written in each language, and in no catalogue
    assert Texts(answer.text).left() == set(), answer.request.path
    return True


def spaniard(world: World, who: str) -> Visitor:
    for name in world.children:  # what their families get on paper is checked too
        give_spanish(world, name)
    visitor = world.visitor(who)
    visitor.client.set_cookie("school-language", "es")
    return visitor


@pytest.mark.walk(3)
@pytest.mark.parametrize("who", [*ADULTS, "Benquill", "Miaqua"])
def test_every_page_is_in_one_language(world: World, marked: None, who: str) -> None:
    visitor, seen = spaniard(world, who), 0
    for rule in rules(world.app):
        if (KIND[who], "GET", rule.endpoint) in ALLOWED and rule.endpoint not in HIDDEN:
            for address in addresses(world, rule):
                if is_own(whose(rule.endpoint), who, address.thing):
                    seen += speaks_spanish(visitor, address.path)
    assert seen > 4
    assert speaks_spanish(visitor, "/nowhere")


TO_PLAY = {"auth.pictures_try", "auth.home_try"}
OF_ADULTS = [name for name, (who, *_) in FORMS.items() if who in ADULTS and name not in TO_PLAY]


@pytest.mark.walk(14)
@pytest.mark.parametrize("endpoint", OF_ADULTS)
def test_what_a_form_answers_is_in_one_language(world: World, marked: None, endpoint: str) -> None:
    visitor, path, fields = prepared(world, endpoint)
    visitor.client.set_cookie("school-language", "es")
    with clock.clock_at(START):
        for given in ({}, dict.fromkeys(fields, "?"), fields):
            is_spanish(visitor.post(path, given, follow_redirects=True))
