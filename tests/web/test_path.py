"""The numbered path: a straight line from 0 on which each animal stands at the number of its
books."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from flask import Flask, g

from classroom.engine import observe
from classroom.engine.cards import most_books
from classroom.engine.rules import Rules
from classroom.games import GAMES
from classroom.web.child.table_view import (
    STAGES,
    Stone,
    TableView,
    numbered_path,
    table_view,
)
from classroom.web.http.pages import render
from tests.web.test_table_view import played, table


@pytest.fixture
def request_(app: Flask) -> Iterator[None]:
    with app.test_request_context("/"):
        g.token = g.device = ""
        yield


# Not the games against the pond: there all books go into one shell, and the tide has its own track.
ON_A_PATH = [key for key, game in GAMES.items() if game.rules.end_tide is None]


def standing(stones: tuple[Stone, ...]) -> dict[int, int]:
    """The number at which each seat stands."""
    return {seat: stone.number for stone in stones for seat in stone.seats}


def seen_from(state: object, game: str, viewer: int = 0) -> TableView:
    return table_view(table(observe(state, viewer), game))  # type: ignore[arg-type]


@pytest.mark.walk(4)
@pytest.mark.parametrize("game", ON_A_PATH)
def test_everybody_stands_at_the_number_of_its_books_at_every_moment(game: str) -> None:
    fewest, most = GAMES[game].rules.seats
    for state in played(game, min(max(fewest, 3), most), seed=4)[:-1]:
        shown = seen_from(state, game)
        made = {who.seat: len(who.books) if who.pot is None else who.pot for who in shown.seats}
        assert standing(shown.path) == made


@pytest.mark.parametrize("game", ON_A_PATH)
def test_the_numbers_begin_with_none_and_have_no_gap(game: str) -> None:
    fewest, most = GAMES[game].rules.seats
    for state in played(game, min(max(fewest, 2), most), seed=2)[::10]:
        numbers = [stone.number for stone in seen_from(state, game).path]
        gap = 2 if game == "wish_pairs" else 1
        assert numbers == list(range(0, gap * len(numbers), gap))


def test_the_path_is_as_long_as_the_game_has_books() -> None:
    classic = GAMES["classic"].rules
    assert [stone.number for stone in numbered_path(classic, (0, 0), 0)] == list(range(14))
    few = classic.changed({"deck.ranks": "A234567"})
    assert numbered_path(few, (0, 0), 0)[-1].number == 7
    to_four = GAMES["fours_wild"].rules
    assert numbered_path(to_four, (0, 0), 0)[-1].number == to_four.end_books_target == 4


def test_a_path_of_many_books_begins_short_and_grows_when_it_is_needed() -> None:
    many = GAMES["rank_pairs"].rules
    assert most_books(many) == 26
    lengths = [len(numbered_path(many, (best, 3), 0)) - 1 for best in (0, 10, 11, 20, 21, 26)]
    assert lengths == [STAGES[0], STAGES[0], STAGES[1], STAGES[1], 26, 26]


def test_no_seat_falls_off_a_path_even_with_more_books_than_were_expected() -> None:
    assert standing(numbered_path(Rules(), (15, 2), 0)) == {0: 15, 1: 2}


def test_my_animal_comes_last_where_several_stand_on_one_number() -> None:
    assert numbered_path(Rules(), (1, 1, 1, 0), 1)[1].seats == (0, 2, 1)


def test_what_is_taken_away_at_the_end_leads_back_on_the_path() -> None:
    shown = seen_from(played("guru_deduct", 3, seed=1)[-1], "guru_deduct")
    assert any(who.sum.minus for who in shown.seats)
    at = standing(shown.path)
    for who in shown.seats:
        assert at[who.seat] == max(0, len(who.books) - who.sum.minus)


def test_the_page_has_one_path_with_every_animal_in_its_place(request_: None) -> None:
    shown = seen_from(played("classic", 3, seed=6)[-2], "classic")
    page = render("partials/child/table.html", notice=None, hint=None, t=shown, key="k")
    assert page.count('id="path"') == 1
    stones = re.findall(r'<span class="path__step">(.*?)</span></span>', page)
    assert [re.findall(r"<b>(\d+)</b>", stone) for stone in stones] == [
        [str(stone.number)] for stone in shown.path
    ]
    for stone, text in zip(shown.path, stones, strict=True):
        assert re.findall(r'id="walks-(\d)"', text) == [str(seat) for seat in stone.seats]


def test_only_a_step_that_makes_a_book_carries_the_books_of_all(request_: None) -> None:
    states = played("classic", 3, seed=6)
    for move in range(8, len(states) - 1, 8):
        shown = table_view(table(observe(states[move], 0)), move - 8)
        page = render("partials/child/table.html", notice=None, hint=None, t=shown, key="k")
        steps = dict(re.findall(r'<li id="(s[\d-]+)"([^>]*)>', page))
        for step in shown.steps:
            books = " ".join(map(str, step.counts.books))
            found = re.findall(r'data-books="([^"]*)"', steps[step.id])
            assert found == ([books] if step.kind == "book" else [])
