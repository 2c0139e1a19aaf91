"""The administrator says where the school is. Every page follows it, in one variant of English."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from babel.support import Translations

from classroom.services.base import clock
from tests.web.people import ADMIN, NOBODY, PARENT, TEACHER, may, whose
from tests.web.routes import addresses, is_own, rules
from tests.web.test_forms import START
from tests.world import Visitor, World

AMERICAN = Path(__file__).parents[2] / "translations" / "en_US" / "LC_MESSAGES"
PLACE = {
    "time_zone": "Asia/Tokyo", "dates": "month_first", "words": "en_US", "paper": "letter",
    "standards": "england",
}  # fmt: skip
# Words that only one of the two variants of English uses.
ONLY_BRITISH = re.compile(
    r"\b(colour\w*|maths|tick|ticks|ticked|ticking|grey\w*|favourite\w*|centre\w*|practis\w+"
    r"|organis\w+|recognis\w+|neighbour\w*|behaviour\w*|programmes?|metres?|catalogues?)\b",
    re.IGNORECASE,
)
ONLY_AMERICAN = re.compile(
    r"\b(color\w*|math|gray\w*|favorite\w*|center\w*|practicing|practiced|organiz\w+|recogniz\w+"
    r"|neighbor\w*|behavior\w*|checked|check up to|check at least)\b",
    re.IGNORECASE,
)
WHO = {NOBODY: "nobody", TEACHER: "lake", PARENT: "reed", ADMIN: "admin"}
UNTOLD = re.compile(r"<(script|style|optgroup)\b.*?</\1>|<[^>]*>", re.DOTALL)


@pytest.fixture
def admin(world: World) -> Iterator[Visitor]:
    with clock.clock_at(START):
        yield world.visitor("admin")


def pages(world: World) -> Iterator[tuple[str, str]]:
    """The text of each page that adults can open."""
    for kind, person in WHO.items():
        visitor = world.visitor(person)
        for rule in rules(world.app):
            if may(kind, "GET", rule.endpoint) and "static" not in rule.endpoint:
                for address in addresses(world, rule):
                    mine = is_own(whose(rule.endpoint), person, address.thing)
                    if "events" in rule.endpoint or not mine:
                        continue
                    answer = visitor.get(address.path)
                    if answer.status_code == 200 and answer.mimetype == "text/html":
                        yield rule.endpoint, unescape(UNTOLD.sub(" ", answer.text))


@pytest.mark.whole  # every day instead: the catalogue of texts
@pytest.mark.parametrize(("words", "foreign"), [("en_GB", ONLY_AMERICAN), ("en_US", ONLY_BRITISH)])
def test_no_page_has_a_word_of_the_other_variant(
    world: World, admin: Visitor, words: str, foreign: re.Pattern[str]
) -> None:
    assert admin.post("/school/settings", PLACE | {"words": words}).status_code == 303
    seen = set()
    for endpoint, text in pages(world):
        seen.add(endpoint)
        # the settings form shows an example of each
        text = text.replace("maths · colour", "").replace("math · color", "")
        assert not foreign.findall(text), endpoint
    assert {"teach.settings", "teach.games", "teach.mix", "family.child", "school.settings"} <= seen
    assert {"teach.skills", "teach.class_report", "auth.privacy_page", "auth.adult_in"} <= seen


def test_the_catalogue_turns_every_british_text_into_an_american_one() -> None:
    with (AMERICAN / "messages.po").open("rb") as file:
        catalogue = read_po(file, locale="en_US")
    with (AMERICAN.parents[1] / "messages.pot").open("rb") as file:
        written = read_po(file)
    for message in written:
        for text in message.id if isinstance(message.id, tuple) else (message.id,):
            assert not ONLY_AMERICAN.search(text), text
            if ONLY_BRITISH.search(text):
                assert message.id in catalogue, text
    for message in catalogue:
        if message.id:
            assert not ONLY_BRITISH.search(str(message.string)), message.id
            assert message.string != message.id


def test_the_compiled_catalogue_is_that_of_today() -> None:
    """If this fails, run `.venv/bin/python -m babel.messages.frontend compile -d translations`."""
    with (AMERICAN / "messages.po").open("rb") as file:
        written = read_po(file, locale="en_US")
    with (AMERICAN / "messages.mo").open("rb") as file:
        compiled = Translations(file)
    assert len(written) > 15
    texts = [message for message in written if message.id]
    assert all(compiled.gettext(str(message.id)) == message.string for message in texts)
    assert len(compiled._catalog) == len(written) + 1  # type: ignore[attr-defined]


def test_times_dates_and_paper_are_the_schools_on_the_pages_of_a_class(
    world: World, admin: Visitor
) -> None:
    lake, mia = world.visitor("lake"), world.children["Miaqua"]
    before = lake.get(f"/teach/children/{mia}").text
    assert "paper_a4" in before
    admin.post("/school/settings", PLACE)
    with world.app.app_context():
        assert clock.here().paper == "letter"
    page = lake.get(f"/teach/children/{mia}/sheet").text
    assert "paper_letter" in page
    assert '<html lang="en-US">' in page
    assert re.search(r"[A-Z][a-z]+ \d{1,2}, 20\d\d", page)
    record = lake.get(f"/teach/children/{mia}/record.json").text
    assert re.search(r'"made_at": "20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\+09:00"', record)


def test_the_classes_go_by_the_standards_of_the_school(world: World, admin: Visitor) -> None:
    lake = world.visitor("lake")
    path = f"/teach/classes/{world.classes['sunfish']}/settings"
    assert "Now: Common Core." in lake.get(path).text
    admin.post("/school/settings", PLACE)
    assert "Now: England." in lake.get(path).text


@pytest.mark.parametrize("field", sorted(PLACE))
def test_a_value_that_is_not_offered_changes_nothing(
    world: World, admin: Visitor, field: str
) -> None:
    answer = admin.post("/school/settings", PLACE | {field: "mars"})
    assert answer.status_code == 400
    assert ("The program does not know this time zone" in answer.text) == (field == "time_zone")
    with world.app.app_context():
        assert clock.here() == clock.SchoolPlace()


def test_the_school_sets_how_children_usually_play(world: World, admin: Visitor) -> None:
    usual = {
        "opponents": "1", "level": "pike", "deck": "full", "board": "off", "hints": "0",
        "pace": "quick", "voice": "1", "lit": "1", "switch": "off",
    }  # fmt: skip
    assert admin.post("/school/settings/play", usual).status_code == 303
    told = "The school’s usual settings: one friend, Pike, all the cards, nothing to look up, "
    told += "no hints, a quick pace, the voice on, words that light up and no switch."
    assert (
        told
        in world.visitor("lake").get(f"/teach/classes/{world.classes['sunfish']}/settings").text
    )
    assert (
        admin.post("/school/settings/play", usual | {"level": "open-to-others"}).status_code == 400
    )
    asked = {"questions": "rarely", "numbers": "0-5"}
    answer = admin.post("/school/settings/questions", asked)
    assert (answer.status_code, "at least one skill" in answer.text) == (400, True)


def test_the_last_day_of_a_class_is_a_full_date(world: World) -> None:
    page = world.visitor("lake").get(f"/teach/classes/{world.classes['sunfish']}/about").text
    assert re.search(r"Ends on \d{1,2} [A-Z][a-z]+ 20\d\d", page)
