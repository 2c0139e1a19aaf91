"""Class lists as files, shaped like those of schools: spreadsheets, and zips of tables.

Everything in them is invented. Spreadsheets are written by hand here, as small as they can be.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from html import escape

from sqlalchemy import select

from classroom.database import db
from classroom.models import Child
from classroom.services.school import class_lists
from classroom.services.school.class_lists import Ticked
from classroom.services.school.lists import columns, list_children, reading

Rows = Sequence[Sequence[object]]

TODAY = date(2026, 11, 22)
_NS = "http://schemas.openxmlformats.org"
_OASIS = "urn:oasis:names:tc:opendocument:xmlns"


def add_list(class_id: int, text: str, by: int | None = None) -> list[int]:
    """Add all children of a pasted list to a class; returns their ids."""
    table = reading.read_text(text)
    bundle = list_children.of_table(table, columns.guess(table), TODAY)
    lines = class_lists.lines_of(class_id, bundle, bundle.classes[0], "4-5")
    here = select(Child.id).where(Child.class_id == class_id).order_by(Child.id)
    before = set(db.session.scalars(here))
    class_lists.apply(class_id, lines, Ticked(add=[line.number for line in lines]), by)
    return [child_id for child_id in db.session.scalars(here) if child_id not in before]


def csv_text(rows: Rows, separator: str = ",", end: str = "\r\n") -> str:
    return end.join(separator.join(_quoted(cell, separator) for cell in row) for row in rows) + end


def _quoted(cell: object, separator: str) -> str:
    text = str(cell)
    return '"' + text.replace('"', '""') + '"' if set(text) & {separator, '"', "\n"} else text


def zipped(files: Mapping[str, str | bytes], folder: str = "") -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in files.items():
            packed.writestr(folder + name, content)
    return made.getvalue()


def xlsx(rows: Rows, skipped: int = 0) -> bytes:
    """A workbook with one sheet; the first `skipped` lines of it are empty."""
    lines = "".join(
        f'<row r="{number}">{"".join(_cell(cell, at, number) for at, cell in enumerate(row))}</row>'
        for number, row in enumerate(rows, start=skipped + 1)
    )
    return xlsx_of(f"<sheetData>{lines}</sheetData>")


def xlsx_of(sheet: str) -> bytes:
    kind = f"{_NS}/officeDocument/2006/relationships"
    types = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    return zipped(
        {
            "[Content_Types].xml": f'<Types xmlns="{_NS}/package/2006/content-types">'
            '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.'
            'relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>'
            f'<Override PartName="/xl/workbook.xml" ContentType="{types}.sheet.main+xml"/>'
            f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{types}.worksheet+xml"/>'
            "</Types>",
            "_rels/.rels": f'<Relationships xmlns="{_NS}/package/2006/relationships">'
            f'<Relationship Id="r1" Type="{kind}/officeDocument" Target="xl/workbook.xml"/>'
            "</Relationships>",
            "xl/workbook.xml": f'<workbook xmlns="{_NS}/spreadsheetml/2006/main" xmlns:r="{kind}">'
            '<sheets><sheet name="Class" sheetId="1" r:id="r1"/></sheets></workbook>',
            "xl/_rels/workbook.xml.rels": "<Relationships "
            f'xmlns="{_NS}/package/2006/relationships"><Relationship Id="r1" '
            f'Type="{kind}/worksheet" Target="worksheets/sheet1.xml"/>'
            "</Relationships>",
            "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{_NS}/spreadsheetml/2006/main">{sheet}'
            "</worksheet>",
        }
    )


def _cell(value: object, at: int, number: int) -> str:
    place = f"{chr(65 + at)}{number}"
    if isinstance(value, int):
        return f'<c r="{place}"><v>{value}</v></c>'
    return f'<c r="{place}" t="inlineStr"><is><t>{escape(str(value))}</t></is></c>' if value else ""


def ods(rows: Rows) -> bytes:
    lines = "".join(
        "<table:table-row>" + "".join(_ods_cell(cell) for cell in row) + "</table:table-row>"
        for row in rows
    )
    return ods_of(lines)


def ods_of(lines: str) -> bytes:
    content = (
        f'<office:document-content xmlns:office="{_OASIS}:office:1.0" '
        f'xmlns:table="{_OASIS}:table:1.0" xmlns:text="{_OASIS}:text:1.0">'
        f'<office:body><office:spreadsheet><table:table table:name="Class">{lines}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    return zipped(
        {
            "mimetype": "application/vnd.oasis.opendocument.spreadsheet",
            "content.xml": content,
            "META-INF/manifest.xml": "<manifest/>",
        }
    )


def _ods_cell(value: object) -> str:
    if isinstance(value, int):
        return f'<table:table-cell office:value-type="float" office:value="{value}"/>'
    if not value:
        return "<table:table-cell/>"
    text = escape(str(value))
    return (
        f'<table:table-cell office:value-type="string"><text:p>{text}</text:p></table:table-cell>'
    )


# ---- OneRoster

USERS = (
    ("u1", "Mia", "Smith", "01"),
    ("u2", "Ben", "Brown", "KG"),
    ("u3", "Zoë", "O'Neil", "01"),
)
CLASSES = (("c1", "Sunfish", "homeroom"), ("c2", "Perch", "homeroom"))
SITS_IN = (("u1", "c1"), ("u2", "c1"), ("u3", "c2"))
_BLANK = ("", "")  # status and dateLastModified, which a bulk file leaves empty


def oneroster(
    version: str = "1.1",
    users: Iterable[tuple[str, str, str, str]] = USERS,
    classes: Iterable[tuple[str, str, str]] = CLASSES,
    sits_in: Iterable[tuple[str, str]] = SITS_IN,
    folder: str = "",
    **more: str | bytes,
) -> bytes:
    """A bulk export. In version 1.2 the roles are in a table of their own."""
    files: dict[str, str | bytes] = {
        "manifest.csv": manifest(version, "bulk"),
        "classes.csv": csv_text(
            [
                "sourcedId status dateLastModified title grades courseSourcedId classCode "
                "classType location schoolSourcedId termSourcedIds".split(),
                *(
                    (key, *_BLANK, title, "01", "k1", "", kind, "", "o1", "t1")
                    for key, title, kind in classes
                ),
            ]
        ),
        "enrollments.csv": csv_text(
            [
                "sourcedId status dateLastModified classSourcedId schoolSourcedId userSourcedId "
                "role primary beginDate endDate".split(),
                ("e0", *_BLANK, "c1", "o1", "teach1", "teacher", "true", "", ""),
                *(
                    (f"e{n}", *_BLANK, room, "o1", user, "student", "false", "", "")
                    for n, (user, room) in enumerate(sits_in, start=1)
                ),
            ]
        ),
    }
    files |= _users_1_1(users) if version == "1.1" else _users_1_2(users)
    return zipped(files | more, folder)


def manifest(version: str, how: str) -> str:
    tables = "academicSessions classes courses enrollments orgs users".split()
    rows = [("propertyName", "value"), ("manifest.version", "1.0"), ("oneroster.version", version)]
    return csv_text(
        [*rows, *((f"file.{name}", how) for name in tables), ("file.results", "absent")]
    )


def _users_1_1(users: Iterable[tuple[str, str, str, str]]) -> dict[str, str]:
    head = (
        "sourcedId status dateLastModified enabledUser orgSourcedIds role username userIds "
        "givenName familyName middleName identifier email sms phone agentSourcedIds grades password"
    )
    student = {"enabledUser": "true", "orgSourcedIds": "o1", "role": "student", "password": "x"}
    rows = [
        {**student, "sourcedId": key, "givenName": first, "familyName": last, "grades": grade}
        for key, first, last, grade in users
    ]
    teacher = {"sourcedId": "teach1", "role": "teacher", "givenName": "Tia", "familyName": "Lake"}
    return {"users.csv": _records(head, teacher, *rows)}


def _records(head: str, *records: Mapping[str, str]) -> str:
    """A table with these columns; a field that a record does not have is empty."""
    columns = head.split()
    return csv_text([columns, *([record.get(name, "") for name in columns] for record in records)])


def _users_1_2(users: Iterable[tuple[str, str, str, str]]) -> dict[str, str]:
    users = [*users]
    head = (
        "sourcedId status dateLastModified enabledUser username userIds givenName familyName "
        "middleName identifier email sms phone agentSourcedIds grades password "
        "userMasterIdentifier resourceSourcedIds preferredGivenName preferredMiddleName "
        "preferredFamilyName primaryOrgSourcedId pronouns"
    )
    rows = [
        {"sourcedId": key, "givenName": first, "familyName": last, "grades": grade}
        for key, first, last, grade in users
    ]
    teacher = {"sourcedId": "teach1", "givenName": "Tia", "familyName": "Lake"}
    roles = [
        "sourcedId status dateLastModified userSourcedId roleType role beginDate endDate "
        "orgSourcedId userProfileSourcedId".split(),
        ("r0", *_BLANK, "teach1", "primary", "teacher", "", "", "o1", ""),
        *((f"r{key}", *_BLANK, key, "primary", "student", "", "", "o1", "") for key, *_ in users),
    ]
    return {
        "users.csv": _records(head, teacher, *rows),
        "roles.csv": csv_text(roles),
    }


def delta(users: Rows = (), enrollments: Rows = (), version: str = "1.1") -> bytes:
    """Changes only. `users`: id, status, first name; `enrollments`: status, class, user."""
    at = "2026-11-01T08:00:00.000Z"
    return zipped(
        {
            "manifest.csv": manifest(version, "delta"),
            "users.csv": csv_text(
                [
                    "sourcedId status dateLastModified role givenName familyName grades".split(),
                    *((key, state, at, "student", first, "", "") for key, state, first in users),
                ]
            ),
            "enrollments.csv": csv_text(
                [
                    "sourcedId status dateLastModified classSourcedId userSourcedId role".split(),
                    *(
                        (f"e{n}", state, at, room, user, "student")
                        for n, (state, room, user) in enumerate(enrollments)
                    ),
                ]
            ),
        }
    )


def clever(folder: str = "", end: str = "\r\n") -> bytes:
    """The files of Clever, with this at the end of each line."""
    students = [
        "School_id Student_id Student_number Last_name Middle_name First_name Grade Gender DOB "
        "Race Student_email".split(),
        ("o1", "s1", "900", "Smith", "", "Mia", "1", "F", "3/4/2020", "", "m@x.example"),
        ("o1", "s2", "901", "Brown", "", "Ben", "Kindergarten", "M", "5/6/2021", "", ""),
    ]
    sections = [
        "School_id Section_id Teacher_id Name Grade".split(),
        ("o1", "x1", "t1", "Homeroom 1A", "1"),
    ]
    enrolled = ["School_id Section_id Student_id".split(), ("o1", "x1", "s1"), ("o1", "x1", "s2")]
    files = {
        "students.csv": csv_text(students),
        "sections.csv": csv_text(sections),
        "enrollments.csv": csv_text(enrolled),
        "teachers.csv": "School_id,Teacher_id,First_name\r\no1,t1,Tia\r\n",
    }
    ended = {name: end.join(text.splitlines()) + end for name, text in files.items()}
    return zipped(ended, folder)
