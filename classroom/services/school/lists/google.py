"""The page "People" of Google Classroom, pasted as text: the names below "Students"."""

from __future__ import annotations

import re
from typing import Final

from classroom.services.school.lists.tables import ROWS, Row

_TEACHERS: Final = {"teachers", "lehrkräfte", "profesores", "docentes", "enseignants", "insegnanti"}
_STUDENTS: Final = {
    "students", "classmates", "schüler", "schüler/innen", "teilnehmer", "alumnos", "alumnado",
    "estudiantes", "élèves", "étudiants", "studenti", "alunos", "compañeros", "compañeros de clase",
}  # fmt: skip
# The words of buttons and icons between the names. An icon is copied as its name.
_BUTTONS: Final = re.compile(
    r"[a-z]+(_[a-z]+)+|actions|select all( students)?|select|sort by (first|last) name|invite|"
    r"invite (students|teachers)|invite guardians?|sort|more|guardians?|\d+ \w+|"
    r"e-?mail( student| all)?|profile (photo|picture) of .*",
    re.IGNORECASE,
)
_INVITED: Final = re.compile(r"\s*\((invited|eingeladen|invitado|invité)\)$", re.IGNORECASE)


def people_page(text: str) -> tuple[Row, ...] | None:
    """The children of a pasted page, one in each row below a heading; None for other text."""
    lines = [" ".join(line.split()) for line in text.splitlines()]
    begins = next((at for at, line in enumerate(lines) if line.casefold() in _STUDENTS), None)
    if begins is None or not any(_is_teachers(line) for line in lines[:begins]):
        return None
    rows = [Row(begins + 1, ("Full name",))]
    for number, line in enumerate(lines[begins + 1 :], start=begins + 2):
        name = _INVITED.sub("", line)
        if name and "@" not in name and not _BUTTONS.fullmatch(name):
            rows.append(Row(number, (name[:200],)))
    return tuple(rows[: ROWS + 1])


def _is_teachers(line: str) -> bool:
    return line.casefold() in _TEACHERS
