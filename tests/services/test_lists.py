"""Class lists as schools have them: each is read right, or refused with a reason."""

from __future__ import annotations

import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from hashlib import sha256
from io import BytesIO

import pytest
from hypothesis import given, strategies as st

from classroom.learning.skills import AGE_BANDS
from classroom.services.base import secrets_
from classroom.services.school.lists import columns, list_children, reading, tabular
from classroom.services.school.lists.reading import Files
from classroom.services.school.lists.tabular import (
    COLUMNS,
    FILE_BYTES,
    ROWS,
    UNZIPPED_BYTES,
    Bundle,
    LeftOut,
    ListRow,
    ListTable,
    UnreadableList,
)
from tests.listed import (
    SITS_IN,
    TODAY,
    USERS,
    clever,
    csv_text,
    delta,
    ods,
    ods_of,
    oneroster,
    xlsx,
    xlsx_of,
    zipped,
)

Names = list[tuple[str, str | None]]


@pytest.fixture(scope="module", autouse=True)
def _signed() -> Iterator[None]:
    """Sign lists without the key of a school, for there is no school here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(secrets_, "sign", lambda *parts: sha256(repr(parts).encode()).digest())
        yield


def kept(data: bytes | str) -> dict[str, Names]:
    """The classes of a list, and what is kept of each child."""
    found = reading.read_text(data) if isinstance(data, str) else reading.read_file(data)
    if isinstance(found, ListTable):
        bundle = list_children.of_table(found, columns.guess(found), TODAY)
    else:
        bundle = list_children.of_zip(found, TODAY)
    return {
        one.name: [(child.name, child.band) for child in tabular.told_apart(one.people)]
        for one in bundle.classes
    }


def bundle(data: bytes) -> Bundle:
    found = reading.read_file(data)
    assert isinstance(found, Files)
    return list_children.of_zip(found, TODAY)


def listed(text: str) -> Bundle:
    table = reading.read_text(text)
    return list_children.of_table(table, columns.guess(table), TODAY)


# ---- twenty lists


@pytest.mark.walk(3)
@dataclass(frozen=True)
class Example:
    data: bytes | str
    kept: dict[str, Names]


MIA_AND_BEN: Names = [("Mia", "6-7"), ("Ben", "5-6")]
EXAMPLES = {
    "comma, headings": Example(
        "First name,Last name,Age\nMia,Smith,6\nBen,Brown,5\n", {"": MIA_AND_BEN}
    ),
    "Windows-1252 with umlauts and semicolons": Example(
        "Nachname;Vorname;Klasse;Geburtsdatum\r\nGroß;Jürgen;1b;03.05.2020\r\n"
        "Müller;Zoë;1b;31.12.2020\r\n".encode("cp1252"),
        {"1b": [("Jürgen", "6-7"), ("Zoë", "5-6")]},
    ),
    "last name, comma, first name": Example(
        "Surname, Name\nSmith, Mia\nvan der Berg, Jo Anne\nO'Neil, Ben\n",
        {"": [("Mia", None), ("Jo Anne", None), ("Ben", None)]},
    ),
    "last, first in quotes, in one column": Example(
        '"Name","Year","Email"\n"Smith, Mia",Year 2,m@x.example\n"Brown, Ben",Reception,b@x\n',
        {"": [("Mia", "6-7"), ("Ben", "4-5")]},
    ),
    "twins and two Mias": Example(
        "Forename\tSurname\nMia\tSmith\nMia\tBrown\nTom\tGray\nTim\tGray\n",
        {"": [("Mia S.", None), ("Mia B.", None), ("Tom", None), ("Tim", None)]},
    ),
    "a preferred name beside the legal one": Example(
        "Legal First Name|Preferred Name|Last Name|Grade\nElizabeth|Lily|Hill|K\nMia||Smith|1\n",
        {"": [("Lily", "5-6"), ("Mia", "6-7")]},
    ),
    "xlsx with titles above the headings": Example(
        xlsx(
            [
                ["Pond Primary School"],
                ["Class 1A", "", "printed 22/11/2026"],
                ["No", "Surname", "First Name", "DOB", "Year Group"],
                [1, "Smith", "Mia", "2020-03-04", 2],
                [2, "Brown", "Ben", "2021-03-04", 1],
            ],
            skipped=2,
        ),
        {"": MIA_AND_BEN},
    ),
    "ods": Example(
        ods([["Name", "Age"], ["Mia", 6], [], ["Ben", 5]]), {"": MIA_AND_BEN}
    ),
    "empty columns and rows": Example(
        ",,,\n,First name,,Age\n,,,\n,Mia,,6\n,,,\n,Ben,,5\n,,,\n", {"": MIA_AND_BEN}
    ),
    "a row of totals at the end": Example(
        "First name,Last name,Age\nMia,Smith,6\nBen,Brown,5\nTotal,2,\n\nPrinted by Ms Lake\n",
        {"": MIA_AND_BEN},
    ),
    "grades of the United States": Example(
        "Student Name,Grade\nMia Smith,1\nBen Brown,K\nZoe Hill,3\nTom Gray,PK\n",
        {"": [*MIA_AND_BEN, ("Zoe", "7-9"), ("Tom", "4-5")]},
    ),
    "years of an English school": Example(
        "Forename,Year\nMia,2\nBen,1\nZoe,R\nTom,4\n",
        {"": [*MIA_AND_BEN, ("Zoe", "4-5"), ("Tom", "7-9")]},
    ),
    "years of birth": Example(
        "Vorname;Geburtsjahr\nMia;2020\nBen;2021\n", {"": MIA_AND_BEN}
    ),
    "the page People of Google Classroom": Example(
        "Teachers\nperson_add\nTia Lake\nStudents\n2 students\nperson_add\nActions\n"
        "sort_by_alpha\nMia Smith\nmore_vert\nBen Brown (invited)\nmore_vert\n",
        {"": [("Mia", None), ("Ben", None)]},
    ),
    "OneRoster 1.1": Example(
        oneroster(), {"Perch": [("Zoë", "6-7")], "Sunfish": MIA_AND_BEN}
    ),
    "OneRoster 1.2": Example(
        oneroster("1.2"), {"Perch": [("Zoë", "6-7")], "Sunfish": MIA_AND_BEN}
    ),
    "OneRoster in Windows-1252": Example(
        oneroster(**{"classes.csv": "sourcedId,title\nc1,Bären\n".encode("cp1252")}),
        {"Bären": MIA_AND_BEN},
    ),
    "OneRoster in a folder, zipped by a Mac": Example(
        oneroster(folder="Export 2026/", **{"../__MACOSX/._users.csv": "\0\5"}),
        {"Perch": [("Zoë", "6-7")], "Sunfish": MIA_AND_BEN},
    ),
    "Clever": Example(clever("clever/"), {"Homeroom 1A": MIA_AND_BEN}),
    "Clever, saved by Excel for an old Mac": Example(
        clever(end="\r"), {"Homeroom 1A": MIA_AND_BEN}
    ),
    "UTF-16": Example(
        "\ufeffFirst name\tAge\r\nMia\t6\r\nBen\t5\r\n".encode("utf-16-le"), {"": MIA_AND_BEN}
    ),
    "UTF-8 with a mark": Example(
        b"\xef\xbb\xbf" + "First name;Alter\nJürgen;6\n".encode(), {"": [("Jürgen", "6-7")]}
    ),
    "a line break within quotes": Example(
        'First name,Address,Age\nMia,"1 High Street\nPond",6\nBen,"2 High Street",5\n',
        {"": MIA_AND_BEN},
    ),
    "Arabic": Example(
        "الاسم,العمر\nمحمد علي,5\nعبد الله حسن,6\n", {"": [("محمد", "5-6"), ("عبد الله", "6-7")]}
    ),
    "Chinese": Example(
        "姓名\t年级\n王 小明\t1\n李 小红\t2\n", {"": [("小明", "6-7"), ("小红", "7-9")]}
    ),
    "a column of names alone": Example(
        "Mia\nBen\nZoë\n", {"": [("Mia", None), ("Ben", None), ("Zoë", None)]}
    ),
    "capitals": Example(
        "SURNAME;FORENAME\nSMITH;MIA\nO'NEIL;JO-ANN\nHILL;BEN\n",
        {"": [("Mia", None), ("Jo-Ann", None), ("Ben", None)]},
    ),
    "Excel's own first line": Example("sep=|\nFirst name|Age\nMia|6\nBen|5\n", {"": MIA_AND_BEN}),
    "one table in a zip": Example(
        zipped({"list/class.csv": "First name,Age\nMia,6\nBen,5\n"}), {"": MIA_AND_BEN}
    ),
}  # fmt: skip


@pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES)
def test_a_list_as_a_school_has_it_is_read_right(example: Example) -> None:
    assert kept(example.data) == example.kept


# ---- what is kept, and what is said about the rest


def test_the_page_can_say_what_is_not_kept() -> None:
    found = listed(
        "First name,Last name,Birth date,Email,Age\nMia,Smith,2020-01-02,m@x.example,6\n"
    )
    assert found.dropped == ("Last name", "Birth date", "Email")
    assert found.aged == ("Birth date",)


def test_a_column_that_means_nothing_to_this_program_is_named_as_not_kept() -> None:
    files = {
        "students.csv": "Student_id,First_name,Status,Role\ns1,Mia,active,student\n",
        "sections.csv": "Section_id,Name\nx1,Sunfish\n",
        "enrollments.csv": "Section_id,Student_id\nx1,s1\n",
    }
    assert bundle(zipped(files)).dropped == ("Status", "Role")


def test_lines_of_which_nothing_is_taken_are_named() -> None:
    children = "Mia,Smith,6\nBen,Brown,5\nZoe,Hill,6\n,Gray,5\n"
    text = f"First name,Last name,Age\n{children}Total: 2,,\nPrinted by Ms Lake\n"
    assert [(line.number, line.why) for line in listed(text).left_out] == [
        (5, "no_name"),
        (6, "total"),
        (7, "note"),
    ]


def test_nothing_but_an_initial_is_left_of_a_last_name() -> None:
    (room,) = listed("First name,Last name\nMia,Smith\nMia,van der Berg\nBen,Brown\n").classes
    found = tabular.told_apart(room.people)
    assert [child.name for child in found] == ["Mia S.", "Mia B.", "Ben"]
    assert {child.last for child in found} == {""}


def named(rows: str, *present: str) -> list[str]:
    """The names of a list of first and last names, beside these who are in the class already."""
    (room,) = listed(f"First name,Last name\n{rows}").classes
    packed = tabular.unpack_bundle(tabular.pack_bundle(Bundle(kind="", classes=(room,))))
    found = [child.name for child in tabular.told_apart(room.people, present)]
    carried_names = tabular.told_apart(packed.classes[0].people, present)
    assert [child.name for child in carried_names] == found
    return found


def test_only_what_our_pages_sent_is_read() -> None:
    (room,) = listed("First name\nMia\nBen\n").classes
    text = tabular.pack_people(room.people)
    assert tabular.unpack_people(text) == room.people
    for other in (text.replace("Mia", "Lea"), text[64:], "0" * 64 + text[64:], "", "[]"):
        with pytest.raises(UnreadableList, match="list_damaged"):
            tabular.unpack_people(other)
    with pytest.raises(UnreadableList, match="list_damaged"):
        tabular.unpack_bundle(text)


def test_a_form_carries_all_of_a_list() -> None:
    table = ListTable((ListRow(2, ("Mia", "5")), ListRow(7, ("Ben", ""))))
    assert tabular.unpack_table(tabular.pack_table(table)) == table
    (room,) = listed("First name\nMia\n").classes
    gone = replace(room, sourced_id="c1", gone=True, home=True)
    bundle = Bundle(
        kind="oneroster", classes=(gone,), delta=True, loose=room.people,
        left_out=(LeftOut(3, "no_name", "users.csv"),), dropped=("Phone",), aged=("Age",),
    )  # fmt: skip
    assert tabular.unpack_bundle(tabular.pack_bundle(bundle)) == bundle


def test_two_of_the_same_initial_get_more_letters() -> None:
    assert named("Mia,Smith\nMia,Stone\nBen,Smith\n") == ["Mia Sm.", "Mia St.", "Ben"]
    assert named("Mia,Stevens\nMia,Stone\nMia,Hill\n") == ["Mia Ste.", "Mia Sto.", "Mia Hil."]


def test_who_is_there_with_an_initial_keeps_it() -> None:
    assert named("Mia,Smith\nMia,Hill\n", "Mia S.") == ["Mia S.", "Mia H."]


def test_two_of_one_last_name_are_left_for_the_teacher() -> None:
    assert named("Mia,Smith\nMia,Smith\n") == ["Mia S.", "Mia S."]


@pytest.mark.parametrize(
    "headings",
    ["SIS ID,School SIS ID,Username", "Student ID,Email,Grade", "Username,Password"],
)
def test_headings_that_name_no_names_are_headings(headings: str) -> None:
    found = columns.guess(reading.read_text(f"{headings}\nSmith,Mia,x\nBrown,Ben,y\n"))
    assert found.begins == 1
    assert found.asks


@pytest.mark.parametrize("between", [",", ", ", "\t", ";"])
def test_columns_without_headings_that_could_both_be_first_names_are_asked_for(
    between: str,
) -> None:
    rows = (("Smith", "Anna", "6"), ("Lee", "Ben", "5"), ("Ortiz", "Zoe", "7"))
    found = columns.guess(reading.read_text("\n".join(map(between.join, rows))))
    assert found.asks
    assert found.kinds == ("none", "none", "age")
    fixed = columns.correct(found, ["last", "first", "age"])
    assert not fixed.asks


def test_headings_that_come_again_on_each_page_are_no_children() -> None:
    (room,) = listed("Name,Age\nMia,6\nName,Age\nBen,5\n").classes
    assert [child.name for child in room.people] == ["Mia", "Ben"]


def test_a_column_of_classes_divides_the_list() -> None:
    assert kept("Class,First name\n1A,Mia\n1B,Ben\n1A,Zoe\n") == {
        "1A": [("Mia", "6-7"), ("Zoe", "6-7")],
        "1B": [("Ben", "6-7")],
    }


def test_staff_of_a_table_with_roles_are_left_out() -> None:
    assert kept("role,givenName\nteacher,Tia\nstudent,Mia\n") == {"": [("Mia", None)]}


def test_the_columns_can_be_corrected() -> None:
    table = reading.read_text("Mia,Smith\nBen,Brown\n")
    found = columns.guess(table)
    assert found.asks
    fixed = columns.correct(found, ["first", "last"])
    assert (fixed.kinds, fixed.why) == (("first", "last"), ("chosen", "chosen"))
    (room,) = list_children.of_table(table, fixed, TODAY).classes
    assert [child.name for child in room.people] == ["Mia", "Ben"]


def test_columns_without_a_name_among_them_are_refused() -> None:
    found = columns.guess(reading.read_text("First name,Age\nMia,6\n"))
    with pytest.raises(UnreadableList, match="list_no_name"):
        columns.correct(found, ["none", "age"])


# ---- names alone, one on each line


@pytest.mark.parametrize(
    "typed",
    ["Mia", "  Mia  ", "1. Mia", "12) Mia", "3 Mia", "- Mia", "•Mia", "* Mia", "Mia,", "\tMia"],
)
def test_bullets_numbers_and_spaces_around_a_name_are_left_out(typed: str) -> None:
    assert kept(typed) == {"": [("Mia", None)]}


@pytest.mark.parametrize(
    ("typed", "band"),
    [
        ("Mia, 5", "5-6"),
        ("Mia;7-9", "7-9"),
        ("Mia\t6", "6-7"),
        ("Mia, 7 – 9", "7-9"),
        ("Mia; 2019-04-01", "7-9"),
    ],
)
def test_an_age_can_follow_the_name(typed: str, band: str) -> None:
    assert kept(f"Ben\n{typed}") == {"": [("Ben", None), ("Mia", band)]}


@pytest.mark.parametrize("ages", [("4", "5", "6"), ("5", "7-9", "4-5")])
def test_ages_are_not_taken_for_numbers_of_lines(ages: tuple[str, str, str]) -> None:
    text = "\n".join(map(", ".join, zip(("Mia", "Ben", "Ada"), ages, strict=True)))
    assert [band for _, band in kept(text)[""]] == [columns.of_age(age) for age in ages]


def test_a_heading_and_empty_lines_are_not_children() -> None:
    (room,) = listed("First name\n\nMia\n   \nBen\n").classes
    assert [(child.number, child.name) for child in room.people] == [(3, "Mia"), (5, "Ben")]


def test_a_child_with_the_name_of_a_heading_stays_a_child() -> None:
    assert kept("Mia\nIme\nBen\n") == {"": [("Mia", None), ("Ime", None), ("Ben", None)]}


@pytest.mark.parametrize(
    "line",
    [
        "Total",
        "Total: 2",
        "Total students: 2",
        "Sum 2",
        "Anzahl der Kinder: 2",
        "2 pupils",
        "Total: 2 girls and 0 boys",
    ],
)
def test_a_total_is_left_out(line: str) -> None:
    assert kept(f"Name\nMia\nBen\n{line}\n") == {"": [("Mia", None), ("Ben", None)]}


def test_a_child_whose_name_begins_like_a_total_stays_a_child() -> None:
    assert kept("First name,Last name,Age\nSum,Yi,6\nMia,Smith,6\n")[""][0][0] == "Sum"
    assert kept("Name\nMia\nTotal B.\n")[""][1] == ("Total B.", None)


@pytest.mark.parametrize("heading", ["", "Name\n"])
def test_initials_and_double_names_are_kept(heading: str) -> None:
    found = [name for name, _ in kept(f"{heading}Lin\nAda B.\nMia 2\nQ\n")[""]]
    assert found == ["Lin", "Ada B.", "Mia 2", "Q"]
    assert kept("Lin\nMary Lou\nTom\n")[""][1] == ("Mary Lou", None)


@given(st.lists(st.text(st.characters(categories=["L"]), min_size=1, max_size=9), min_size=1))
def test_no_line_with_a_name_is_lost(typed: list[str]) -> None:
    (room,) = listed("\n".join(["Name", *(f"{name} B." for name in typed)])).classes
    assert len(room.people) == len(typed)


# ---- ages


@pytest.mark.parametrize(
    ("born", "band"),
    [
        ("2021-11-22", "5-6"),
        ("2021-11-23", "4-5"),
        ("22.11.2020", "6-7"),
        ("2016-01-01", "7-9"),
        ("1990-01-01", None),
        ("2020-02-30", None),
    ],
)
def test_a_date_of_birth_gives_the_age_on_the_day(born: str, band: str | None) -> None:
    assert columns.of_birth(born, TODAY) == band


def test_american_dates_are_known_by_a_day_after_the_twelfth() -> None:
    text = "First name,DOB\nMia,11/2/2020\nBen,12/25/2020\n"
    assert kept(text) == {"": [("Mia", "6-7"), ("Ben", "5-6")]}


# ---- OneRoster


def test_ids_of_the_schools_system_come_with_a_bundle() -> None:
    found = bundle(oneroster())
    assert (found.kind, found.delta) == ("OneRoster 1.1", False)
    assert [(room.sourced_id, room.home) for room in found.classes] == [("c2", True), ("c1", True)]
    assert [child.sourced_id for child in found.classes[1].people] == ["u1", "u2"]
    assert "familyName" in found.dropped
    assert "sourcedId" not in found.dropped


def test_a_delta_names_who_came_and_who_went() -> None:
    found = bundle(
        delta(
            users=[("u1", "active", "Mila"), ("u9", "active", "Ann"), ("u2", "tobedeleted", "Ben")],
            enrollments=[("active", "c1", "u9"), ("tobedeleted", "c1", "u3")],
        )
    )
    assert found.delta
    (room,) = found.classes
    assert [(one.sourced_id, one.name, one.gone) for one in room.people] == [
        ("u9", "Ann", False),
        ("u3", "", True),
    ]
    assert [(one.sourced_id, one.gone) for one in found.loose] == [("u1", False), ("u2", True)]


def test_references_to_nobody_are_named_by_their_lines() -> None:
    found = bundle(oneroster(sits_in=[*SITS_IN, ("u77", "c1"), ("u1", "c77")]))
    assert [(line.file, line.number, line.why) for line in found.left_out] == [
        ("enrollments.csv", 6, "unknown_child"),
        ("enrollments.csv", 7, "unknown_class"),
    ]


def test_a_date_of_birth_says_more_than_a_grade() -> None:
    births = csv_text([["sourcedId", "birthDate", "sex"], ["u1", "2021-01-01", "female"]])
    found = bundle(oneroster(**{"demographics.csv": births}))
    assert found.classes[1].people[0].band == "5-6"
    assert "birthDate" in found.dropped
    assert "birthDate" in found.aged


def test_a_preferred_name_of_version_1_2_is_taken() -> None:
    text = "sourcedId,givenName,preferredGivenName,familyName\nu1,Elizabeth,Lily,Hill\n"
    more = {
        "users.csv": text,
        "roles.csv": "userSourcedId,roleType,role\nu1,primary,student\n",
    }
    found = bundle(oneroster("1.2", sits_in=[("u1", "c1")], **more))
    assert [child.name for room in found.classes for child in room.people] == ["Lily"]


# ---- refusals


def code(data: bytes | str) -> str:
    with pytest.raises(UnreadableList) as refused:
        kept(data)
    return refused.value.code


@pytest.mark.walk(3)
@pytest.mark.parametrize(
    ("data", "why"),
    [
        ("", "list_empty"),
        ("\n \n,,\n", "list_empty"),
        (b"%PDF-1.7\n\0\1\2", "list_kind"),
        (b"\x89PNG\r\n\x1a\n\0\0", "list_kind"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "list_damaged"),
        (b"PK\3\4 not a zip", "list_damaged"),
        (xlsx([["Name"], ["Mia"]])[:-40], "list_damaged"),
        (zipped({"photo.jpg": b"x"}), "list_zip"),
        (zipped({"users.csv": "x", "classes.csv": "x"}), "list_no_enrollments"),
        (xlsx([]), "list_empty"),
        ("6,7\n5,6\n7,7\n", "list_empty"),
        (b"Name\n" + b"Mia\n" * 300_000, "list_large"),
    ],
)  # fmt: skip
def test_what_is_no_list_is_refused_with_a_reason(data: bytes | str, why: str) -> None:
    assert code(data) == why


def test_a_list_of_too_many_rows_or_columns_is_refused_with_the_line() -> None:
    with pytest.raises(UnreadableList) as refused:
        reading.read_text("Name\n" + "Mia\n" * ROWS)
    assert (refused.value.code, refused.value.facts["line"]) == ("list_rows", ROWS + 1)
    with pytest.raises(UnreadableList) as refused:
        reading.read_text("Mia,6\n" * 9 + ",".join("x" * (COLUMNS + 1)))
    assert (refused.value.code, refused.value.facts["line"]) == ("list_columns", 10)


def test_a_zip_that_would_grow_too_large_is_refused_before_it_is_unpacked() -> None:
    bomb = zipped({"users.csv": "u" * (UNZIPPED_BYTES + 1), "enrollments.csv": ""})
    assert len(bomb) < FILE_BYTES
    assert code(bomb) == "list_unzipped"


def test_a_zip_that_lies_about_its_size_gives_no_more_than_it_said() -> None:
    bomb = bytearray(zipped({"a.csv": "Name\n" + "Mia\n" * 1_000_000}))
    size = (4_000_005).to_bytes(4, "little")
    while (at := bomb.find(size)) >= 0:
        bomb[at : at + 4] = (9).to_bytes(4, "little")
    with zipfile.ZipFile(BytesIO(bytes(bomb))) as packed:
        assert packed.infolist()[0].file_size == 9
    assert code(bytes(bomb)) == "list_damaged"


@pytest.mark.parametrize(
    "bomb",
    [
        xlsx_of(
            '<sheetData><row r="1"><c r="A1"><v>1</v></c></row>'
            '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>'
        ),
        ods_of(
            '<table:table-row table:number-rows-repeated="1000000"><table:table-cell '
            'table:number-columns-repeated="16000" office:value-type="float" office:value="1"/>'
            "</table:table-row>"
        ),
    ],
    ids=["xlsx", "ods"],
)
@pytest.mark.skipif(sys.platform == "win32", reason="memory is not limited there, only the time")
def test_a_spreadsheet_that_asks_for_all_memory_ends_only_its_own_process(bomb: bytes) -> None:
    assert len(bomb) < 4_000
    assert code(bomb) in ("list_damaged", "list_rows", "list_columns")


def test_the_server_itself_never_loads_the_reader_of_spreadsheets() -> None:
    reading.sheet_rows(xlsx([["Mia"]]))
    assert "python_calamine" not in sys.modules


# ---- anything at all


def reads_or_refuses(data: bytes | str) -> None:
    try:
        found = kept(data)
    except UnreadableList:
        return
    for children in found.values():
        for name, band in children:
            assert name
            assert band is None or band in AGE_BANDS


@given(st.binary(max_size=400))
def test_reading_any_bytes_raises_nothing_but_a_refusal(data: bytes) -> None:
    reads_or_refuses(data)


@given(
    st.text(alphabet=st.sampled_from("Mia,Smith;\t|\"'\r\n 0167/.-Kéß王ا\ufeff\0"), max_size=120)
)
def test_reading_any_text_raises_nothing_but_a_refusal(text: str) -> None:
    reads_or_refuses(text)
    reads_or_refuses(text.encode("utf-16"))


cell = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
columns_of_users = "sourcedId status role givenName familyName preferredGivenName grades".split()


@given(
    st.lists(st.lists(cell, min_size=7, max_size=7), max_size=5),
    st.lists(st.lists(cell, min_size=4, max_size=4), max_size=5),
    cell,
)
def test_reading_any_bundle_raises_nothing_but_a_refusal(
    users: list[list[str]], enrolled: list[list[str]], fact: str
) -> None:
    reads_or_refuses(
        zipped(
            {
                "manifest.csv": csv_text([["propertyName", "value"], ["file.users", fact]]),
                "users.csv": csv_text([columns_of_users, *users]).encode("utf-8", "replace"),
                "enrollments.csv": csv_text(
                    ["classSourcedId userSourcedId role status".split(), *enrolled]
                ).encode("utf-8", "replace"),
            }
        )
    )


@given(st.integers(0, 3_000), st.binary(min_size=1, max_size=8))
def test_reading_a_damaged_zip_raises_nothing_but_a_refusal(at: int, noise: bytes) -> None:
    data = bytearray(oneroster(users=USERS))
    at %= len(data)
    data[at : at + len(noise)] = noise
    reads_or_refuses(bytes(data))


def test_the_age_counts_from_the_day_that_is_given() -> None:
    table = reading.read_text("Name,DOB\nMia,2020-11-22\n")
    guess = columns.guess(table)
    for today, band in ((date(2026, 11, 21), "5-6"), (TODAY, "6-7")):
        assert list_children.of_table(table, guess, today).classes[0].people[0].band == band
