"""The children of a table: the first name, age band and id of each. The rest is dropped here."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from classroom.services.base import names
from classroom.services.school.lists import ages
from classroom.services.school.lists.columns import BULLET, Guess, plain
from classroom.services.school.lists.tables import Bundle, LeftOut, ListedClass, Person, Row, Table

# The columns whose text is stored for a child, all or in part. Of the other columns, at most an age
# band or an initial is.
KEPT: Final = ("first", "preferred", "name", "age", "class", "sourced_id")
AGED: Final = ("grade", "birth")  # the columns from which an age band is worked out
MOST_LETTERS: Final = 3  # of a last name, to tell two children of one first name apart
_TOTAL: Final = re.compile(
    r"(?:grand ?)?(?:total|totals|totale|totaux|summe|gesamt|insgesamt|anzahl|count|sum|suma)\b.*|"
    r"\d+ (?:students|pupils|children|schüler|kinder|élèves|alumnos)",
    re.IGNORECASE,
)
_BOUND: Final = ("عبد", "أبو", "ابو")  # words that begin a name of two words


def of_table(table: Table, guess: Guess, today: date) -> Bundle:
    """Take the children from the rows below the headings.

    Classes are named by the class column; without one, there is a single class with no name.
    `dropped` and `aged` name columns by heading or number.
    """
    rows, left_out = _children(table.rows[guess.begins :], guess)
    births = [row.cell(guess.at("birth")) for row in rows]
    month_first, loud = ages.month_comes_first(births), _is_loud(rows, guess)
    classes: dict[str, list[Person]] = {}
    for row in rows:
        person = _person(row, guess, today, month_first)
        if not person.name:
            left_out.append(LeftOut(row.number, "no_name"))
            continue
        person = replace(person, name=person.name.title()) if loud else person
        classes.setdefault(row.cell(guess.at("class")), []).append(person)
    return Bundle(
        kind="",
        classes=tuple(ListedClass("", name, tuple(people)) for name, people in classes.items()),
        left_out=tuple(sorted(left_out, key=lambda line: line.number)),
        dropped=tuple(called for kind, called in _columns(guess) if kind not in KEPT),
        aged=tuple(called for kind, called in _columns(guess) if kind in AGED),
    )


def told_apart(people: Iterable[Person], present: Collection[str] = ()) -> tuple[Person, ...]:
    """The people, with the initial of the last name for those who share a first name; with more
    letters of it for those who share the initial too ("Mia Sm.", "Mia St.").

    `present`: the names of the children in the class. A child who is there with an initial keeps
    it.
    """
    tidy = [replace(one, name=names.tidy(one.name)) for one in people]
    mates = _namesakes(tidy)
    found = []
    for one, same, letters in zip(tidy, mates, last_letters(tidy), strict=True):
        known = f"{one.name} {letters[:1]}."
        if letters and known in present:
            found.append(replace(one, name=known, last=""))
        elif letters and len(same) > 1:
            found.append(replace(one, name=f"{one.name} {letters}.", last=""))
        else:
            found.append(replace(one, last=""))
    return tuple(found)


def last_letters(people: Sequence[Person]) -> tuple[str, ...]:
    """For each of these people as many letters of the last name as tell those of one first name
    apart: one letter, or up to MOST_LETTERS where two share it."""
    found = []
    for one, same in zip(people, _namesakes(people), strict=True):
        found.append(_beginning(one.last, _letters([people[at].last for at in same])))
    return tuple(found)


def _namesakes(people: Sequence[Person]) -> list[list[int]]:
    """For each of these people, the places of all who have its first name, its own too."""
    looks = [names.looks(one.name) for one in people]
    return [[at for at, other in enumerate(looks) if mine & other] for mine in looks]


def _letters(lasts: Sequence[str]) -> int:
    """The fewest letters that tell the most of these last names apart."""

    def apart(letters: int) -> int:
        return len({_beginning(last, letters).casefold() for last in lasts})

    return max(range(1, MOST_LETTERS + 1), key=lambda letters: (apart(letters), -letters))


# ---- rows


def _children(rows: Sequence[Row], guess: Guess) -> tuple[list[Row], list[LeftOut]]:
    """The rows with a child, and the lines left out because they hold a total or a note."""
    found, left_out = [], []
    filled = sorted(sum(map(bool, row.cells)) for row in rows)
    usual = filled[len(filled) // 2] if filled else 0
    for row in rows:
        words = [cell for cell in row.cells if cell]
        if row.cells == guess.headings or set(map(plain, words)) == set(map(plain, guess.headings)):
            continue  # the headings again, at the top of a printed page
        if _TOTAL.fullmatch(words[0]):
            left_out.append(LeftOut(row.number, "total"))
        elif usual >= 3 and len(words) == 1:
            left_out.append(LeftOut(row.number, "note"))
        elif row.cell(guess.at("role")).casefold() in ("", "student", "pupil", "learner"):
            found.append(row)
    return found, left_out


def _person(row: Row, guess: Guess, today: date, month_first: bool) -> Person:
    first, last = _names(row, guess)
    band = (
        ages.of_age(row.cell(guess.at("age")))
        or ages.of_birth(row.cell(guess.at("birth")), today, month_first)
        or ages.of_grade(row.cell(guess.at("grade")), guess.english)
        or ages.of_grade(row.cell(guess.at("class")), guess.english)
    )
    return Person(row.number, first, last, band, row.cell(guess.at("sourced_id")))


def _names(row: Row, guess: Guess) -> tuple[str, str]:
    """The first name and the last name of a row."""
    first, last = row.cell(guess.at("first")), row.cell(guess.at("last"))
    if not first:
        first, other = split(row.cell(guess.at("name")))
        last = last or other
    elif not last and "," in first:
        first, last = split(first)
    return BULLET.sub("", row.cell(guess.at("preferred")) or first), last


def split(name: str) -> tuple[str, str]:
    """The first name and the last name of `Smith, Mia` and of `Mia Smith`.

    >>> split("Smith, Mia Sophie"), split("Mia van der Berg"), split("Mia")
    (('Mia', 'Smith'), ('Mia', 'van der Berg'), ('Mia', ''))
    """
    name = BULLET.sub("", name)
    last, comma, first = (part.strip() for part in name.partition(","))
    if comma and first:
        return first.split()[0], last
    words = last.split()
    if len(words) > 1 and _is_east_asian(words[0]):
        return " ".join(words[1:]), words[0]
    if len(words) > 2 and words[0] in _BOUND:
        return " ".join(words[:2]), " ".join(words[2:])
    return (words[0], " ".join(words[1:])) if words else ("", "")


def _is_east_asian(word: str) -> bool:
    """Whether this is written in Han, Kana or Hangul, where the family's name comes first."""
    return all("\u3040" <= sign <= "\u9fff" or "\uac00" <= sign <= "\ud7a3" for sign in word)


def _beginning(last: str, letters: int) -> str:
    """The first letters of a last name; for `van der Berg`, those of the word with a capital."""
    words = last.split()
    word = next((word for word in words if word[:1].isupper()), words[0] if words else "")
    found = [sign for sign in word if sign.isalpha()][:letters]
    return "".join([*map(str.upper, found[:1]), *map(str.lower, found[1:])])


def _is_loud(rows: Sequence[Row], guess: Guess) -> bool:
    """Whether all names are in capitals, as some programs write them."""
    found = [name for row in rows if (name := _names(row, guess)[0])]
    return len(found) > 2 and all(name.isupper() for name in found if name != name.casefold())


def _columns(guess: Guess) -> Iterator[tuple[str, str]]:
    """The kind of each column, and its heading, else its number. With headings, columns that have
    none are left out."""
    for at, kind in enumerate(guess.kinds):
        heading = guess.headings[at] if at < len(guess.headings) else ""
        if heading or not guess.headings:
            yield kind, heading or str(at + 1)
