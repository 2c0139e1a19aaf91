"""Lists as text for the hidden field of a form, because nothing of a list is kept on the server.

A table is carried as it was read, so that its columns can be corrected. Of the children that were
taken from it, names, bands and ids are carried, and as many letters of the last name as it takes to
tell two children apart, mostly one.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from classroom.services.school.lists import people
from classroom.services.school.lists.tables import (
    CELL,
    COLUMNS,
    FILE_BYTES,
    ROWS,
    Bundle,
    LeftOut,
    ListedClass,
    Person,
    Row,
    Table,
    UnreadableList,
)


def of_table(table: Table) -> str:
    return _packed([[row.number, *row.cells] for row in table.rows])


def to_table(text: str) -> Table:
    """The table that a form carries. Raises UnreadableList if it is not what our pages send."""
    rows = _lists(_unpacked(text))[:ROWS]
    return Table(tuple(Row(_number(row[0]), _words(row[1 : COLUMNS + 1])) for row in rows))


def of_bundle(bundle: Bundle) -> str:
    """The bundle as text. Raises UnreadableList if it is too large for a form."""
    return _packed(
        [
            bundle.kind,
            bundle.delta,
            [
                [one.sourced_id, one.name, one.gone, one.home, _of(one.people)]
                for one in bundle.classes
            ],
            _of(bundle.loose),
            [[line.number, line.why, line.file] for line in bundle.left_out[:50]],
            list(bundle.dropped),
            list(bundle.aged),
        ]
    )


def to_bundle(text: str) -> Bundle:
    """The bundle that a form carries. Raises UnreadableList if it is not what our pages send."""
    kind, delta, classes, loose, left_out, dropped, aged = _unpacked(text, 7)
    return Bundle(
        kind=_word(kind),
        classes=tuple(
            ListedClass(_word(key), _word(name), _people(inside), gone is True, home is True)
            for key, name, gone, home, inside in _lists(classes, 5)
        ),
        delta=delta is True,
        loose=_people(loose),
        left_out=tuple(
            LeftOut(_number(number), _word(why), _word(file))
            for number, why, file in _lists(left_out, 3)
        ),
        dropped=_words(_list(dropped)),
        aged=_words(_list(aged)),
    )


def of_people(found: Sequence[Person]) -> str:
    return _packed(_of(found))


def to_people(text: str) -> tuple[Person, ...]:
    return _people(_unpacked(text))


def _of(found: Sequence[Person]) -> list[list[object]]:
    return [
        [one.number, one.name, last, one.band or "", one.sourced_id, one.gone]
        for one, last in zip(found, people.last_letters(found), strict=True)
    ]


def _people(found: object) -> tuple[Person, ...]:
    return tuple(
        Person(
            _number(number), _word(name), _word(last), _word(band) or None, _word(key), gone is True
        )
        for number, name, last, band, key, gone in _lists(found, 6)
    )


# ---- JSON that a stranger may have written


def _packed(value: object) -> str:
    text = json.dumps(value, separators=(",", ":"))
    if len(text) > FILE_BYTES:
        raise UnreadableList("list_large", most=FILE_BYTES // 1000)
    return text


def _unpacked(text: str, length: int | None = None) -> list[Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableList("list_damaged") from error
    return _list(found, length)


def _list(value: object, length: int | None = None) -> list[Any]:
    if not isinstance(value, list) or (length is not None and len(value) != length):
        raise UnreadableList("list_damaged")
    return value


def _lists(value: object, length: int | None = None) -> list[list[Any]]:
    rows = [_list(one, length) for one in _list(value)]
    if not all(rows):
        raise UnreadableList("list_damaged")
    return rows


def _number(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**31:
        raise UnreadableList("list_damaged")
    return value


def _word(value: object) -> str:
    if not isinstance(value, str) or len(value) > 2 * CELL:
        raise UnreadableList("list_damaged")
    return value


def _words(values: Sequence[object]) -> tuple[str, ...]:
    return tuple(_word(value) for value in values)
