"""Turns ages, grades and dates of birth, as schools write them, into age bands.

A band is all that is kept of them. What cannot be read gives None, and the page asks.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import date
from typing import Final

from classroom.learning.skills import AGE_BANDS

YOUNGEST, OLDEST = 2, 12  # ages that a list of young children can have

# The age at which children begin each of these grades. Numbers alone are grades of the United
# States, where grade 1 is for children of six; English years of the same number are for children a
# year younger.
_STARTING: Final = {
    4: "pk prek prekindergarten preschool tk transitionalkindergarten pr it n nursery ps ms fs1 "
    "fs2 eyfs r rec reception yr",
    5: "k kg kindergarten gs y0 p1",
    6: "cp",
    7: "ce1",
    8: "ce2",
    9: "cm1",
}
_AGE_OF: Final = {word: age for age, words in _STARTING.items() for word in words.split()}
_GRADE: Final = re.compile(
    r"(?:grade|gr|g|class|klasse|kl|grado|clase)?0*([0-9])(?:st|nd|rd|th|er|re|e|º|ª|\.)?"
    r"(?:grade|klasse|kl|grado|primaria)?[a-h]?"
)
_YEAR: Final = re.compile(r"(?:year|yr|y|ks1year|ks2year)0*([1-9])[a-z]?")
_DATE: Final = re.compile(r"(\d{1,4})[-./ ](\d{1,2})[-./ ](\d{1,4})(?:[T ].*)?")


def of_age(word: str) -> str | None:
    """The band of an age like `6`, `6.5`, `6y 4m`, or of a band like `5–6`."""
    plain = word.replace("–", "-").replace(" ", "")
    if plain in AGE_BANDS:
        return plain
    found = re.match(r"(\d{1,2})(?!\d|-)", plain)
    return _band(int(found[1])) if found else None


def of_grade(word: str, english: bool = False) -> str | None:
    """The band of a grade. `english`: numbers alone are years of an English school."""
    plain = re.sub(r"[\s_\-]", "", word.casefold())
    if plain in _AGE_OF:
        return _band(_AGE_OF[plain])
    year = _YEAR.fullmatch(plain)
    if year:
        return _band(int(year[1]) + 4)
    grade = _GRADE.fullmatch(plain)
    return _band(int(grade[1]) + (4 if english else 5)) if grade else None


def of_birth(word: str, today: date, month_first: bool = False) -> str | None:
    """The band of a date of birth, or of a year of birth, on this day."""
    if re.fullmatch(r"(19|20)\d\d", word):
        return _band(today.year - int(word) - (today.month < 7))
    born = birth_date(word, month_first)
    if born is None:
        return None
    return _band(today.year - born.year - ((today.month, today.day) < (born.month, born.day)))


def birth_date(word: str, month_first: bool = False) -> date | None:
    """The date that is written in numbers: `2019-08-31`, `31.8.19`, or `8/31/2019`."""
    found = _DATE.fullmatch(word.strip())
    if not found:
        return None
    one, two, three = (int(part) for part in found.groups())
    if len(found[1]) < 3:
        day, month, year = (two, one, three) if month_first else (one, two, three)
        year += 2000 if year < 100 else 0
    else:
        year, month, day = one, two, three
    try:
        return date(year, month, day)
    except ValueError:
        return None


def month_comes_first(words: Collection[str]) -> bool:
    """Whether these dates are written like 8/31/2019: in some, the second number is too large for a
    month."""
    found = [match for word in words if (match := _DATE.fullmatch(word.strip()))]
    return any(int(match[2]) > 12 for match in found if len(match[1]) < 3)


def _band(age: int) -> str | None:
    if not YOUNGEST <= age <= OLDEST:
        return None
    return AGE_BANDS[min(max(age, 4), 7) - 4]
