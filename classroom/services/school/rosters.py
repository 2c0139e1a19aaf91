"""A pasted class list, one child on each line, read forgivingly but without guessing.

A line may have a bullet or number before the name, and an age or age band after a comma, semicolon
or tab. Anything else is reported line by line; only a heading and empty lines are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final

from classroom.learning.skills import AGE_BANDS
from classroom.services.base import names

_BULLET: Final = re.compile(r"^(?:\d{1,3}\s*[.):]\s*|\d{1,3}\s+|[-*•–]\s*)")
_NEVER: Final = frozenset(':<>="|{}[]\\')  # in no name: a label, a formula, a piece of a program
_HEADINGS: Final = frozenset(
    {"name", "names", "first name", "firstname", "child", "children", "student", "pupil"}
)
_BAND_OF_AGE: Final = {"4": "4-5", "5": "5-6", "6": "6-7", "7": "7-9", "8": "7-9", "9": "7-9"}


@dataclass(frozen=True, slots=True, kw_only=True)
class RosterLine:
    """One line of the list. `number` counts from 1, as the teacher sees it; `text` is as typed.

    `trouble`: None, `long`, `odd`, `more` (something besides a name and an age), `twice` (also in
    line `twin`), `known` (a child of this class has the name), `full` (no face left in the class).
    """

    number: int
    text: str
    name: str
    band: str
    trouble: str | None = None
    twin: int | None = None


def read(
    text: str, band: str, present: Collection[str], room: int
) -> tuple[tuple[RosterLine, ...], bool]:
    """Read a list; returns its lines, and whether all of them are accepted.

    `band`: the age band for lines that give none. `present`: the names already in the class.
    `room`: how many more children the class can take.
    """
    taken = {look: 0 for name in present for look in names.looks(name)}
    lines: list[RosterLine] = []
    for number, typed in enumerate(text.splitlines(), start=1):
        line = _line(number, typed, band)
        if line is None:
            continue
        line = _beside_others(line, taken, room - len(lines))
        for look in names.looks(line.name):
            taken.setdefault(look, number)
        lines.append(line)
    return tuple(lines), all(line.trouble is None for line in lines)


def has_whole_names(text: str) -> bool:
    """Whether most lines hold a first and a last name, of which only the first is wanted. An
    initial ("Mia S.") is no last name."""
    found = [
        line.name for n, typed in enumerate(text.splitlines(), 1) if (line := _line(n, typed, ""))
    ]
    whole = [name for name in found if " " in name and len(name.split()[-1].rstrip(".")) > 1]
    return len(whole) * 2 > len(found)


def _line(number: int, typed: str, band: str) -> RosterLine | None:
    parts = [names.tidy(part) for part in re.split(r"[,;\t]", typed)]
    first, *rest = [part for part in parts if part] or [""]
    name = names.tidy(_BULLET.sub("", first))
    if not first or (number == 1 and name.casefold() in _HEADINGS):
        return None
    line = RosterLine(number=number, text=typed, name=name, band=band)
    own_band = _band(rest[0]) if rest else band
    if len(rest) > 1 or own_band is None:
        return replace(line, trouble="more")
    trouble = "odd" if _NEVER & set(name) else names.trouble(name, names.CHILD_NAME)
    return replace(line, band=own_band, trouble="odd" if trouble == "empty" else trouble)


def _band(word: str) -> str | None:
    plain = word.replace("–", "-").replace(" ", "")
    return plain if plain in AGE_BANDS else _BAND_OF_AGE.get(plain)


def _beside_others(line: RosterLine, taken: dict[str, int], room: int) -> RosterLine:
    twin = min((taken[look] for look in names.looks(line.name) if look in taken), default=None)
    if line.trouble is not None:
        return line
    if twin == 0:
        return replace(line, trouble="known")
    if twin is not None:
        return replace(line, trouble="twice", twin=twin)
    return replace(line, trouble="full") if room < 1 else line
