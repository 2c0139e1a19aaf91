"""The navigation of adults' pages fits one row on every screen, and shows the current page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.adults import make_adults, sign_in
from tests.browser.conftest import EACH_SIZE, Child_, Served

Open = Callable[..., Child_]

NAV = """() => {
  const nav = document.querySelector('.mast__nav');
  const frame = nav.getBoundingClientRect();
  const here = nav.querySelector('[aria-current]').getBoundingClientRect();
  const links = [...nav.querySelectorAll('a')];
  links.at(-1).focus();
  const last = links.at(-1).getBoundingClientRect();
  return {rows: new Set(links.map((link) => Math.round(link.getBoundingClientRect().top))).size,
    height: frame.height, wide: document.documentElement.scrollWidth - innerWidth,
    here: here.left >= frame.left - 1 && here.right <= frame.right + 1,
    last: last.left >= frame.left - 1 && last.right <= frame.right + 1};
}"""


@pytest.mark.parametrize("size", EACH_SIZE)
@pytest.mark.parametrize(
    ("login", "pages"),
    [
        ("lake", ("", "/skills", "/live", "/games", "/settings")),
        ("reed", ("",)),
    ],
)
def test_the_navigation_is_one_row_and_shows_the_current_page(
    open_child: Open, served: Served, size: str, login: str, pages: tuple[str, ...]
) -> None:
    make_adults(served)
    adult = open_child(size=size)
    page = sign_in(adult, login)
    teacher = f"/teach/classes/{served.room.class_id}"
    parent = f"/family/children/{served.room.children['Mia']}"
    for part in pages:
        page.goto(adult.url + (teacher if login == "lake" else parent) + part)
        found: dict[str, Any] = page.evaluate(NAV)
        assert found["rows"] == 1, (part, found)
        assert found["height"] <= 52, (part, found)
        assert found["here"], (part, found)
        assert found["last"], (part, found)  # the keyboard brings a hidden link into view
        assert found["wide"] <= 0, (part, found)
