"""What adults are told at the edges: after their last day, at an address that only takes forms, and
on the pages of a class."""

from __future__ import annotations

import re
from html import unescape

import pytest

from classroom.services.reports import overview
from classroom.services.school import classes
from tests.world import PASSWORD, World


def test_a_substitute_whose_days_are_over_is_told_so(world: World) -> None:
    nobody = world.visitor("nobody")
    login = {"login": "past", "password": PASSWORD}
    assert "last day here is over" in unescape(nobody.post("/in", login).text)
    wrong = nobody.post("/in", login | {"password": "not my password"}).text
    assert "do not match" in wrong


@pytest.mark.parametrize(
    ("who", "path", "to"),
    [
        ("reed", "/family/children/{Miaqua}/settings", "/family/children/{Miaqua}"),
        ("lake", "/teach/classes/{sunfish}/open", "/teach/classes/{sunfish}"),
        ("lake", "/teach/classes", "/teach/"),
        ("admin", "/school/year/undo", "/school/year"),
        ("Miaqua", "/play/rounds", "/play/"),
        ("lake", "/teach/classes/{carp}/open", "/teach/"),
    ],
)
def test_an_address_that_only_takes_forms_leads_to_the_page_above(
    world: World, who: str, path: str, to: str
) -> None:
    ids = {**world.children, **world.classes}
    visitor, address = world.visitor(who), path.format(**ids)
    assert visitor.get(address).status_code == 405
    answer = visitor.get(address, headers={"Sec-Fetch-Mode": "navigate"})
    assert (answer.status_code, answer.headers["Location"]) == (303, to.format(**ids))


def test_the_live_page_has_one_line_of_faces_for_those_who_are_not_here(world: World) -> None:
    with world.app.app_context():
        classes.open_class(world.classes["sunfish"])
    world.visitor("Miaqua")
    page = world.visitor("lake").get(f"/teach/classes/{world.classes['sunfish']}/live").text
    assert "Not signed in." not in page
    away = page[page.index('class="absent"') :]
    assert "Benquill" in away[: away.index("</ul>")]


def test_the_head_of_a_class_counts_children_and_not_their_seats(world: World) -> None:
    with world.app.app_context():
        page = overview.class_page(world.classes["sunfish"])
        played = sum(page.day in child.days for child in page.children)
        assert page.played_today == played <= len(page.children)
    text = world.visitor("lake").get(f"/teach/classes/{world.classes['sunfish']}").text
    assert re.search(r"2 children · [0-2] played today · [0-2] in seven days", text)
