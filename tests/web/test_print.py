"""A game on paper and the weekly sheet: what is on them, and which choices there are."""

from __future__ import annotations

import re

import pytest
from sqlalchemy import select

from classroom.database import db
from classroom.engine.cards import deck_of
from classroom.games import GAMES
from classroom.games.variants import deck_rules
from classroom.models import AuditEntry
from classroom.web.words import rule_words
from tests.world import Visitor, World


@pytest.fixture
def lake(world: World) -> Visitor:
    return world.visitor("lake")


def path(world: World, rest: str) -> str:
    return f"/teach/classes/{world.classes['sunfish']}/{rest}"


def words(page: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", page).split())


def cards_on(page: str) -> int:
    return len(re.findall(r'class="card[ "]', page))


@pytest.mark.walk(4)
@pytest.mark.parametrize("key", GAMES)
def test_a_round_can_be_played_from_the_sheets_alone(world: World, lake: Visitor, key: str) -> None:
    page = lake.get(path(world, f"print?game={key}&deck=full")).text
    rules = deck_rules(GAMES[key], GAMES[key].seats, "full")
    cards = deck_of(rules).cards
    assert cards_on(page) == len(cards)
    assert page.count('class="setsign"') >= len(cards)
    for line in rule_words.rule_sentences(rules):
        assert line in words(page).replace("&#39;", "'")
    captions = re.findall(r'class="krule".*?<p>(.*?)</p>', page)
    assert 5 <= len(captions) <= 6
    assert not [said for said in captions if re.search(r"\btap\b|\blog\b", said, re.I)]
    assert len(re.findall(r'class="kcard kprompt"', page)) == 9


@pytest.mark.parametrize("key", GAMES)
def test_all_prompts_are_questions(key: str) -> None:
    rules = GAMES[key].rules
    asked = (*rule_words.prompts(rules), *rule_words.questions(rules, 7))
    assert len(asked) == 12
    assert all(one.endswith("?") for one in asked)
    assert all("%" not in one for one in (*asked, *rule_words.practised(rules, 7)))
    assert rule_words.needed(rules).endswith(".")


def test_only_the_chosen_sheets_are_shown(world: World, lake: Visitor) -> None:
    page = lake.get(path(world, "print?game=classic&sheet=mat&sheet=label&mark=star")).text
    assert page.count('class="kpage') == 2
    assert "sign-star" in page
    small = lake.get(path(world, "print?game=classic&sheet=deck&deck=small")).text
    seats = GAMES["classic"].seats
    cards = deck_of(deck_rules(GAMES["classic"], seats, "small")).cards
    assert cards_on(small) == len(cards)


def test_black_and_white_takes_the_pale_drawings(world: World, lake: Visitor) -> None:
    page = lake.get(path(world, "print?game=fours&ink=black")).text
    drawings = set(re.findall(r'<use href="([^?"#]*)', page))
    assert drawings
    assert all(one.startswith("/static/art/pale/") for one in drawings)
    for one in drawings:
        drawn = lake.get(one).text
        paints = set(re.findall(r'(?:fill|stroke)="#(\w+)"', drawn))
        assert all(len(set(re.findall("..", paint))) == 1 for paint in paints)
        assert min(re.findall(r'fill="#(\w+)"', drawn)) > "e0", "surfaces take little ink"


@pytest.mark.parametrize("wrong", ["ink=red", "size=a3", "mark=x", "deck=huge"])
def test_what_is_not_on_offer_is_refused(world: World, lake: Visitor, wrong: str) -> None:
    assert lake.get(path(world, f"print?{wrong}")).status_code == 400
    assert lake.get(path(world, "print?game=poker")).status_code == 404
    assert lake.get(path(world, "week?whose=school")).status_code == 400


@pytest.mark.parametrize(("whose", "looks"), [("class", 0), ("child", 1)])
def test_sheets_of_the_week_for_each_child_are_a_look_on_record(
    world: World, lake: Visitor, whose: str, looks: int
) -> None:
    lake.get(path(world, f"week?whose={whose}"))
    with world.app.app_context():
        read = select(AuditEntry).filter_by(action="read", thing="class")
        assert len(db.session.scalars(read).all()) == looks


def test_the_sheet_of_the_week_has_no_code_and_no_score(world: World, lake: Visitor) -> None:
    for whose in ("class", "child"):
        page = lake.get(path(world, f"week?game=classic&whose={whose}")).text
        sheets = re.findall(r'<section class="kpage kweek"[^>]*>.*?</section>', page, re.S)
        assert sheets
        for sheet in map(words, sheets):
            assert sheet.count("?") >= 3
            assert not re.search(r"\bcode\b|\blevel\b|\bscore\b|\d+ of \d+|\d{4}|%", sheet)
    names = set(re.findall(r"For (\w+) and family", words(page)))
    assert names
    assert names <= set(world.children)
