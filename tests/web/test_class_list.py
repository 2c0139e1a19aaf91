"""The page that reads a class list: a messy one takes two clicks, and dropped columns are not
kept."""

from __future__ import annotations

from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from werkzeug.datastructures import MultiDict
from werkzeug.test import TestResponse

from classroom.database import db, write_unit
from classroom.models import AuditEntry, Child, ClassTeacher, SchoolClass
from classroom.services.base import clock
from classroom.services.school.lists.tabular import FILE_BYTES
from tests.listed import csv_text, delta, oneroster, xlsx
from tests.world import Visitor, World

LAST = ("Zanzibarov", "Quixotely", "Wobblecroft")  # last names that nothing else contains
MESSY = (
    "Surname;Forename;Date of birth;E-mail\r\n"
    f"{LAST[0]};Zora;03.04.2020;z@mail.example\r\n"
    f"{LAST[1]};Tom;05.06.2021;t@mail.example\r\n"
    f"{LAST[2]};Tom;07.08.2020;u@mail.example\r\n"
    "Total;3;;\r\n"
)


@pytest.fixture
def lake(world: World) -> Visitor:
    return world.visitor("lake")


def address(world: World, room: str = "sunfish") -> str:
    return f"/teach/classes/{world.classes[room]}/list"


def upload(visitor: Visitor, path: str, data: bytes, **more: str) -> TestResponse:
    """Send a file. The test client would put a large one on the disk, so the form is made here."""
    fields = {"token": visitor.token(), "step": "read", **more}
    parts = [f'name="{name}"\r\n\r\n{value}'.encode() for name, value in fields.items()]
    parts.append(b'name="file"; filename="list.csv"\r\n\r\n' + data)
    lines = b"".join(b"--limit\r\nContent-Disposition: form-data; " + p + b"\r\n" for p in parts)
    kind = "multipart/form-data; boundary=limit"
    return visitor.client.post(path, data=lines + b"--limit--\r\n", content_type=kind)


def paste(world: World, visitor: Visitor, text: str, **more: str) -> TestResponse:
    return visitor.post(address(world), {"step": "read", "list": text, **more})


class Forms(HTMLParser):
    """The forms of a page, with the fields that a browser would send if nothing is touched."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[MultiDict[str, str]] = []
        self._select, self._options = "", list[tuple[str, bool]]()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        name, value = given.get("name") or "", given.get("value") or ""
        if tag == "form":
            self.found.append(MultiDict())
        elif tag == "select":
            self._select, self._options = name, []
        elif tag == "option":
            self._options.append((value, "selected" in given))
        elif tag == "input" and name and _is_sent(given):
            self.found[-1].add(name, value)

    def handle_endtag(self, tag: str) -> None:
        if tag == "select":
            chosen = [value for value, selected in self._options if selected]
            self.found[-1].add(self._select, (chosen or [self._options[0][0]])[0])


def _is_sent(given: dict[str, str | None]) -> bool:
    kind = given.get("type")
    return kind != "file" and (kind != "checkbox" or "checked" in given)


def form_of(answer: TestResponse, step: str) -> MultiDict[str, str]:
    """The fields of the page's form for this step, untouched."""
    (fields,) = (form for form in Forms(answer.text).found if form.get("step") == step)
    fields.pop("token", None)
    return fields


def press(visitor: Visitor, path: str, fields: MultiDict[str, str]) -> TestResponse:
    return visitor.client.post(
        path, data=MultiDict([*fields.items(multi=True), ("token", visitor.token())])
    )


def children(world: World, room: str = "sunfish") -> dict[str, tuple[str, str | None]]:
    with world.app.app_context():
        query = select(Child).where(Child.class_id == world.classes[room]).order_by(Child.id)
        return {
            child.name: (child.age_band, child.sourced_id) for child in db.session.scalars(query)
        }


# ---- a list with columns


def test_a_messy_list_is_pasted_read_and_added_with_two_clicks(world: World, lake: Visitor) -> None:
    rows = [(f"Last{n}", f"Kid{chr(97 + n % 26)}{chr(97 + n // 26)}", 5) for n in range(31)]
    pasted = csv_text([("Surname", "First name", "Age"), *rows], "\t")
    shown = paste(world, lake, pasted)
    assert shown.status_code == 200
    assert "Add 31 children" in shown.text
    done = press(lake, address(world), form_of(shown, "apply"))
    assert done.status_code == 303
    assert len(children(world)) == 33


def test_the_page_shows_what_it_takes_each_column_for_and_what_is_not_kept(
    world: World, lake: Visitor
) -> None:
    page = upload(lake, address(world), MESSY.encode("cp1252"))
    assert page.status_code == 200
    text = unescape(page.text)
    kinds = form_of(page, "columns").getlist("kind")
    assert kinds == ["last", "first", "birth", "none"]
    assert "<b>Not kept:</b> Surname, Date of birth (used for the age), E-mail" in text
    assert "Line 5 is a total." in text
    assert form_of(page, "apply").getlist("name") == ["Zora", "Tom Q.", "Tom W."]


def test_wrong_columns_can_be_corrected_without_a_script(world: World, lake: Visitor) -> None:
    page = paste(world, lake, "Last name,Name\nZora,Hill\n")
    fields = form_of(page, "columns")
    assert fields.getlist("kind") == ["last", "first"]
    assert form_of(page, "apply").getlist("name") == ["Hill"]
    fields.setlist("kind", ["first", "last"])
    page = press(lake, address(world), fields)
    assert form_of(page, "apply").getlist("name") == ["Zora"]
    assert "your choice" in page.text


@pytest.mark.parametrize(
    "pasted",
    [
        "Smith\tAnna\t6\nLee\tBen\t5\nOrtiz\tZoe\t7\n",
        "Smith, Anna\nLee, Ben\nOrtiz, Zoe\n",
        "SIS ID,School SIS ID,Username\nSmith,Anna,x\nLee,Ben,y\nOrtiz,Zoe,z\n",
    ],
)
def test_two_columns_that_could_be_first_names_are_asked_for(
    world: World, lake: Visitor, pasted: str
) -> None:
    page = paste(world, lake, pasted)
    assert page.status_code == 200
    assert "Which column holds the names?" in page.text
    assert 'value="apply"' not in page.text
    fields = form_of(page, "columns")
    fields.setlist("kind", ["last", "first"])
    page = press(lake, address(world), fields)
    assert form_of(page, "apply").getlist("name") == ["Anna", "Ben", "Zoe"]


@pytest.mark.parametrize(
    ("pasted", "first"),
    [
        ("Anna Smith\nBen Jones\nMary Lou\n", ["Anna", "Ben", "Mary"]),
        ("1. Anna Smith, 6\n2. Ben Jones, 5\n3. Zoe\n", ["Anna", "Ben", "Zoe"]),
    ],
)
def test_pasted_whole_names_are_shown_before_they_are_added(
    world: World, lake: Visitor, pasted: str, first: list[str]
) -> None:
    before = children(world)
    page = paste(world, lake, pasted)
    assert page.status_code == 200
    assert form_of(page, "columns").getlist("kind")[0] == "name"
    assert form_of(page, "apply").getlist("name") == first
    assert children(world) == before


def test_columns_without_a_first_name_are_refused_beside_them(world: World, lake: Visitor) -> None:
    page = paste(world, lake, "Zora,Hill\nTom,Lake\n")
    fields = form_of(page, "columns")
    fields.setlist("kind", ["none", "last"])
    answer = press(lake, address(world), fields)
    assert answer.status_code == 400
    assert "which column has the first names" in answer.text
    assert "Zora" in form_of(answer, "columns")["table"]


def test_names_and_ages_can_be_edited_and_unticked_before_they_are_added(
    world: World, lake: Visitor
) -> None:
    page = upload(lake, address(world), MESSY.encode())
    fields = form_of(page, "apply")
    fields.setlist("name", ["Zoe", "Tom", "Tim"])
    fields.setlist("band", ["7-9", "4-5", "4-5"])
    fields.setlist("add", fields.getlist("add")[:2])
    assert press(lake, address(world), fields).status_code == 303
    assert list(children(world).items())[2:] == [("Zoe", ("7-9", None)), ("Tom", ("4-5", None))]


def test_an_error_stands_beside_its_line_and_everything_is_kept(
    world: World, lake: Visitor
) -> None:
    page = upload(lake, address(world), MESSY.encode())
    before = children(world)
    fields = form_of(page, "apply")
    fields.setlist("name", ["Benquill", "Tom", "Tom"])
    fields.setlist("band", ["7-9", "5-6", "6-7"])
    answer = press(lake, address(world), fields)
    assert answer.status_code == 400
    text = unescape(answer.text)
    assert "“Tom” is also on line 3" in text
    assert "1 new child" not in text
    again = form_of(answer, "apply")
    assert again.getlist("name") == ["Tom", "Tom"]  # Benquill is in the class already
    assert again.getlist("band") == ["5-6", "6-7"]
    assert children(world) == before


def test_nothing_of_the_dropped_columns_is_stored_or_sent_on(
    world: World, lake: Visitor, caplog: pytest.LogCaptureFixture
) -> None:
    page = upload(lake, address(world), MESSY.encode())
    confirm = str(form_of(page, "apply"))
    assert press(lake, address(world), form_of(page, "apply")).status_code == 303
    with world.app.app_context():
        stored = str(world.rows())
    logs = caplog.text + "".join(
        path.read_text(encoding="utf-8", errors="replace")
        for path in Path(world.app.instance_path).rglob("*")
        if path.is_file() and path.suffix in (".log", ".jsonl", "")
    )
    for secret in (*LAST, "03.04.2020", "mail.example"):
        assert secret not in confirm
        assert secret not in stored
        assert secret not in logs


def test_a_plain_list_is_shown_as_it_is_and_added(world: World, lake: Visitor) -> None:
    page = paste(world, lake, "1. Lin\r\n2. Tom, 7\r\n3. Ada B.\r\n", age_band="5-6")
    assert press(lake, address(world), form_of(page, "apply")).status_code == 303
    assert list(children(world).items())[2:] == [
        ("Lin", ("5-6", None)),
        ("Tom", ("7-9", None)),
        ("Ada B.", ("5-6", None)),
    ]


def test_a_list_with_odd_lines_adds_no_child_and_names_each_line(
    world: World, lake: Visitor
) -> None:
    before = children(world)
    page = paste(world, lake, "Lin\nReed: Tom\nLin\n<b>7\nBenquill")
    text = unescape(page.text)
    for words in (
        "“Reed: Tom” does not look like a name",
        "“Lin” is also on line 1",
        "“<b>7” does not look like a name",
    ):
        assert words in text
    assert "<b>7" not in page.text.replace("&lt;b&gt;7", "")
    assert "1 child on the list is already in the class." in text
    answer = press(lake, address(world), form_of(page, "apply"))
    assert answer.status_code == 400
    assert "check some lines" in answer.text
    assert children(world) == before


def test_a_list_larger_than_any_is_refused_kindly(world: World, lake: Visitor) -> None:
    answer = paste(world, lake, "Lin\n" * 40_000)
    assert answer.status_code == 400
    assert "A list can have 2,000 lines" in answer.text.replace("2000", "2,000")
    assert lake.post(address(world), {"list": "x" * 2_000_000}).status_code == 413


def test_the_page_people_of_google_classroom_is_not_taken_for_names(
    world: World, lake: Visitor
) -> None:
    pasted = "Teachers\nTia Lake\nStudents\n2 students\nZora Hill\nTom Gray\n"
    page = paste(world, lake, pasted)
    assert form_of(page, "apply").getlist("name") == ["Zora", "Tom"]


# ---- files


def test_a_spreadsheet_is_read(world: World, lake: Visitor) -> None:
    page = upload(lake, address(world), xlsx([["First name", "Age"], ["Zora", 6]]))
    assert form_of(page, "apply").getlist("band") == ["6-7"]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"%PDF-1.7 \0\1", "not a class list that we can read"),
        (b"", "no names in this list"),
        (b"PK\3\4", "damaged"),
        (b"Name\n" + b"x," * 61, "Line 2 has more"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_in_words(
    world: World, lake: Visitor, data: bytes, words: str
) -> None:
    answer = upload(lake, address(world), data)
    assert answer.status_code == 400
    assert words in unescape(answer.text)


def test_pasted_text_that_cannot_be_read_is_kept(world: World, lake: Visitor) -> None:
    answer = paste(world, lake, "12,13\n14,15\n")
    assert answer.status_code == 400
    assert "12,13\n14,15" in answer.text


def test_a_file_that_is_too_large_is_refused(world: World, lake: Visitor) -> None:
    answer = upload(lake, address(world), b"Name\n" + b"x" * FILE_BYTES)
    assert answer.status_code == 400
    assert "too large" in answer.text
    assert upload(lake, address(world), b"x" * 2_000_000).status_code == 413
    grows = "Name\n" + f"{'ô' * 190}\n" * 1_900  # the page would send it back in more bytes
    answer = upload(lake, address(world), grows.encode())
    assert answer.status_code == 400
    assert "too large" in answer.text


def test_files_are_taken_nowhere_else(world: World, lake: Visitor) -> None:
    path = f"/teach/classes/{world.classes['sunfish']}/children"
    assert upload(lake, path, b"Name\nZora\n").status_code == 400


# ---- OneRoster


def test_the_class_of_a_zip_is_chosen_and_its_ids_are_kept(world: World, lake: Visitor) -> None:
    page = upload(lake, address(world), oneroster(folder="export/"))
    assert "OneRoster 1.1" in page.text
    assert 'name="step" value="apply"' not in page.text  # no class in the zip has this name
    fields = form_of(page, "room")
    assert fields["room"] == ""
    assert "Smith" not in fields["bundle"]
    fields["room"] = "1"
    page = press(lake, address(world), fields)
    assert press(lake, address(world), form_of(page, "apply")).status_code == 303
    assert children(world)["Mia"] == ("6-7", "u1")
    with world.app.app_context():
        assert db.session.get_one(SchoolClass, world.classes["sunfish"]).sourced_id == "c1"


def test_a_zip_of_changes_is_still_one_when_it_is_applied(world: World, lake: Visitor) -> None:
    fields = form_of(upload(lake, address(world), oneroster(folder="export/")), "room")
    fields["room"] = "1"
    press(lake, address(world), form_of(press(lake, address(world), fields), "apply"))
    page = upload(lake, address(world), delta(users=[("u1", "active", "Mila")]))
    assert form_of(page, "apply")["delta"] == "1"


def test_the_same_zip_again_shows_that_nothing_changes_and_changes_nothing(
    world: World, lake: Visitor
) -> None:
    fields = form_of(upload(lake, address(world, "sunfish"), oneroster()), "room")
    fields["room"] = "1"
    press(lake, address(world), form_of(press(lake, address(world), fields), "apply"))
    before = world.rows()
    page = upload(lake, address(world), oneroster())
    assert "nothing to change" in page.text
    answer = press(lake, address(world), form_of(page, "apply"))
    assert answer.headers["Location"].endswith("done=nothing_listed")
    after = world.rows()
    before.pop("sessions"), after.pop("sessions")
    assert after == before


def test_a_child_who_is_not_on_the_list_is_named_and_leads_to_the_page_of_removal(
    world: World, lake: Visitor
) -> None:
    page = paste(world, lake, "Name,Age\nBenquill,4\nZora,6\n")
    assert f"/teach/children/{world.children['Miaqua']}/remove" in page.text
    assert "This is Miaqua under a new name" in page.text
    assert press(lake, address(world), form_of(page, "apply")).status_code == 303
    assert list(children(world)) == ["Miaqua", "Benquill", "Zora"]


def test_a_new_name_is_taken_if_it_is_ticked(world: World, lake: Visitor) -> None:
    page = paste(world, lake, "Name,Age\nBenquill,4\nZora,6\n")
    fields = form_of(page, "apply")
    fields.add("rename", str(world.children["Miaqua"]))
    assert press(lake, address(world), fields).status_code == 303
    assert list(children(world)) == ["Zora", "Benquill"]


def test_a_new_name_that_is_refused_stays_ticked_and_shows_signs_that_cannot_be_read(
    world: World, lake: Visitor
) -> None:
    listed = "Name,Age\nBenquill,4\nZo\ufffdra,6\n".encode()
    fields = form_of(upload(lake, address(world), listed), "apply")
    assert fields["name"] == "Zo?ra"
    fields["name"] = "Benquill"
    fields.add("rename", str(world.children["Miaqua"]))
    refused = press(lake, address(world), fields)
    assert refused.status_code == 400
    again = form_of(refused, "apply")
    assert (again["name"], again["rename"]) == ("Benquill", str(world.children["Miaqua"]))


def test_a_new_name_that_is_none_names_its_line_and_is_refused(world: World, lake: Visitor) -> None:
    with world.app.app_context(), write_unit():
        db.session.get_one(Child, world.children["Miaqua"]).sourced_id = "u9"
    page = paste(world, lake, "sourcedId,givenName\nu9,Zo{ra\n")
    assert "Line 2: “Zo{ra” does not look like a name." in page.text
    fields = form_of(page, "apply")
    assert 'name="rename"' not in page.text
    fields.add("rename", str(world.children["Miaqua"]))  # from a page of an earlier version
    refused = press(lake, address(world), fields)
    assert refused.status_code == 400
    assert "Line 2: “Zo{ra” does not look like a name." in refused.text
    assert "please check some lines" in refused.text
    assert list(children(world)) == ["Miaqua", "Benquill"]


def test_a_child_of_another_class_leads_to_its_page_only_for_its_teachers(
    world: World, lake: Visitor
) -> None:
    child_id = world.children["Adaquist"]
    with world.app.app_context(), write_unit():
        db.session.get_one(Child, child_id).sourced_id = "u9"
    listed = "sourcedId,givenName\nu9,Adaquist\n"
    page = paste(world, lake, listed).text
    assert "Adaquist is in Perchqroom" in page
    assert f'href="/teach/children/{child_id}"' not in page
    with world.app.app_context(), write_unit():
        perch, mine = world.classes["perch"], world.adults["lake"]
        db.session.add(ClassTeacher(class_id=perch, adult_id=mine, since=0.0))
    assert f'href="/teach/children/{child_id}"' in paste(world, lake, listed).text


def test_names_that_are_only_in_the_class_are_a_look_on_record(world: World, lake: Visitor) -> None:
    def looks() -> list[Any]:
        with world.app.app_context():
            return list(db.session.scalars(select(AuditEntry).where(AuditEntry.action == "read")))

    paste(world, lake, "Name,Age\nBenquill,4\nMiaqua,4\n")
    assert not looks()
    page = paste(world, lake, "Name,Age\nBenquill,4\nZora,6\n")
    assert [(row.thing, row.thing_id) for row in looks()] == [("class", world.classes["sunfish"])]
    fields = form_of(page, "apply")
    fields.setlist("name", ["7"])
    with clock.clock_at(clock.now() + 3600):  # refused, so the names are shown again
        assert press(lake, address(world), fields).status_code == 400
    assert len(looks()) == 2


# ---- forms that no page of ours sends


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"step": "all"},
        {"step": "apply", "name": "Zora"},
        {"step": "apply", "name": "Zora", "band": "4-5", "number": "x", "sourced_id": ""},
        {"step": "apply", "rest": "[[1]]"},
        {"step": "columns", "table": "[" * 5_000},
        {"step": "columns", "table": "[true,[[1,2]]]"},
        {"step": "columns", "table": '[true,[[-1,"Mia"]]]'},
        {"step": "room", "bundle": "{}"},
        {"step": "room", "bundle": '["a",false,[[1,2,3,4,5]],[],[],[],[]]'},
        {"step": "read", "age_band": "3", "list": "Zora"},
    ],
)
def test_invented_fields_are_refused_and_change_nothing(
    world: World, lake: Visitor, fields: dict[str, str]
) -> None:
    before = children(world)
    assert lake.post(address(world), fields).status_code == 400
    assert children(world) == before


@pytest.mark.parametrize("pasted", ["First name,Age\n", "Teachers\nTia\nStudents\n0 students\n"])
def test_headings_without_children_are_refused_and_kept(
    world: World, lake: Visitor, pasted: str
) -> None:
    answer = paste(world, lake, pasted)
    assert answer.status_code == 400
    assert "There are no names in this list." in answer.text
    assert pasted.strip() in answer.text


def test_a_list_of_a_whole_school_for_one_class_is_refused(world: World, lake: Visitor) -> None:
    pasted = "Name,Age\n" + "Zora,6\n" * 501
    answer = paste(world, lake, pasted)
    assert answer.status_code == 400
    assert "more than 500 children for one class" in answer.text
