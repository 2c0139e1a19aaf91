"""Notes on a child: on its page for teachers, and on no other page."""

from __future__ import annotations

import json
import re

import pytest

from tests.web.test_class_page import plain
from tests.world import Visitor, World

TEXT = "Counts <on> from five & likes it."
SHOWN = "Counts &lt;on&gt; from five &amp; likes it."


@pytest.fixture
def mere(world: World) -> Visitor:
    """The author of a note on Miaqua."""
    visitor = world.visitor("mere")
    answer = visitor.post(mia(world, "teach", "/notes"), {"note": TEXT})
    assert answer.status_code == 303
    return visitor


def mia(world: World, side: str = "teach", page: str = "") -> str:
    return f"/{side}/children/{world.children['Miaqua']}{page}"


def test_the_teachers_of_the_class_read_it_with_its_day_and_author(
    world: World, mere: Visitor
) -> None:
    for reader in ("mere", "lake", "admin"):
        page = world.visitor(reader).get(mia(world)).text
        assert SHOWN in page
        assert "Mereqadult" in page
    assert re.search(r"today|\d:\d\d", plain(page.split(SHOWN)[1])[:60])


def test_nobody_else_finds_it_on_any_page(world: World, mere: Visitor) -> None:
    for reader in ("reed", "eddy", "brook", "head", "Miaqua"):
        visitor = world.visitor(reader)
        for path in (
            *(mia(world), mia(world, "family"), mia(world, "family", "/progress")),
            *("/teach/", f"/teach/classes/{world.classes['sunfish']}", "/school/", "/play/"),
        ):
            assert "from five" not in visitor.get(path).text, (reader, path)


def test_the_family_reads_it_in_the_childs_record(world: World, mere: Visitor) -> None:
    record = json.loads(world.visitor("reed").get(mia(world, "family", "/record.json")).data)
    assert TEXT in json.dumps(record, ensure_ascii=False)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("  ", "Please type a note first."),
        ("y" * 523, "That is 23 characters too long: a note can have 500."),
        ("a\x07b", "Something in this note cannot be read."),
    ],
)
def test_what_was_typed_is_not_lost_when_a_note_is_refused(
    world: World, mere: Visitor, typed: str, said: str
) -> None:
    answer = mere.post(mia(world, "teach", "/notes"), {"note": typed})
    assert answer.status_code == 400
    assert answer.text.count(said) == 2, "above all and beside the field"
    assert f">{typed}</textarea>" in answer.text
    for page in (answer.text, mere.get(mia(world)).text):
        assert '<details class="tool" open' not in page, "the child is not renamed"


def test_a_note_is_deleted_with_its_button(world: World, mere: Visitor) -> None:
    (button,) = re.findall(r'name="id" value="(\d+)"', mere.get(mia(world)).text)
    assert mere.post(mia(world, "teach", "/notes/delete"), {"id": button}).status_code == 303
    assert SHOWN not in mere.get(mia(world)).text


def test_in_the_archive_notes_are_deleted_and_not_written(world: World, mere: Visitor) -> None:
    mere.post(f"/teach/classes/{world.classes['sunfish']}/archive", {})
    page = mere.get(mia(world)).text
    assert "</textarea>" not in page
    (button,) = re.findall(r'name="id" value="(\d+)"', page)
    assert mere.post(mia(world, "teach", "/notes/delete"), {"id": button}).status_code == 303
    assert SHOWN not in mere.get(mia(world)).text
