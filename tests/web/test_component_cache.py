"""Components that are drawn once: a page is the same whether their text was kept or is drawn
again."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask, g
from jinja2.runtime import Macro
from markupsafe import Markup

from classroom.games import GAMES
from classroom.web.http import pages
from tests.bench.bench_pages import draw, positions
from tests.playing import without_random_parts


@pytest.fixture
def page(app: Flask) -> Iterator[Flask]:
    """A request in which parts of pages can be drawn."""
    pages._drawn.cache_clear()
    with app.test_request_context():
        g.token = g.device = ""
        yield app


@pytest.mark.walk(4)
@pytest.mark.parametrize("game", GAMES)
def test_a_table_looks_the_same_with_kept_and_with_redrawn_pieces(page: Flask, game: str) -> None:
    seen = positions(game, GAMES[game].rules.seats[0])[:6]
    first = [without_random_parts(draw(game, one)) for one in seen]
    assert [without_random_parts(draw(game, one)) for one in seen] == first
    assert pages._drawn.cache_info().hits > 0
    for one, text in zip(seen, first, strict=True):
        pages._drawn.cache_clear()
        assert without_random_parts(draw(game, one)) == text


def macro(page: Flask) -> Macro:
    module = page.jinja_env.from_string("{% macro say(it) %}<b>{{ it }}</b>{% endmacro %}").module
    return module.say  # type: ignore[attr-defined, no-any-return]


def test_escaped_and_unescaped_text_are_kept_apart(page: Flask) -> None:
    say = macro(page)
    assert pages.once(say, Markup("&lt;")) == "<b>&lt;</b>"
    assert pages.once(say, "&lt;") == "<b>&amp;lt;</b>"
    assert pages.once(say, Markup("&lt;")) == "<b>&lt;</b>"


def test_mutable_arguments_are_refused(page: Flask) -> None:
    with pytest.raises(TypeError):
        pages.once(macro(page), ["a list"])
