"""The whole record of a child in one JSON file, for its parents, its teacher or another school."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final

from flask import Response, g, stream_with_context

from classroom.learning.report import Report, lines
from classroom.services.base import clock
from classroom.services.reports import overview, skill_reports
from classroom.services.school import exports
from classroom.web.reports.progress import EXPORT, attached
from classroom.web.words.language import N_
from classroom.web.words.language import gettext as _

TYPE: Final = "application/json"
PIECE: Final = 64_000  # about how many characters are sent at once
ABOUT: Final = N_(
    "Everything that Fish School keeps about one child. `columns` says what each column is for; "
    "`numbers` are the numbers on the child's page; `tables` are the rows as stored; `ratings` "
    "decide which question comes next. Ratings, levels (`strand_tracks`) and the pace of answers "
    "(`skill_windows`) are a profile of the child. "
    "Moments are seconds since 1970-01-01 UTC, days are counted from 1970-01-01. The cards of a "
    "round in progress are left out, and its questions are added a day later. The last few "
    "answers are in `numbers`, but not yet in the tallies and windows. Other children are not "
    "named and their moves are left out: for a round with them, `seen` holds what this child could "
    "see, in order and without times. `audit` says who looked at the child's data: teachers of the "
    "child by name, other adults by their role."
)


def child_record(child_id: int) -> Response:
    """Everything that is kept about a child, as a download. The child is looked up before the
    response begins, and everything sent comes from that same moment."""
    overview.looked(g.who.adult_id, "child", child_id, EXPORT)
    name, found = overview.name_of(child_id), skill_reports.of_child(child_id)
    texts = _in_pieces(_written(child_id, name, found, g.who.adult_id))
    answer = Response(stream_with_context(texts), content_type=TYPE)
    return attached(answer, f"{name} record", "json")


def _written(child_id: int, name: str, found: Report, reader_id: int) -> Iterator[str]:
    head = {
        "about": _(ABOUT),
        "child": name,
        "made_at": clock.local(clock.now()).isoformat(timespec="seconds"),
        "columns": exports.columns(),
    }
    yield "{"
    for key, value in head.items():
        yield f"{_json(key)}: {_json(value)},\n"
    yield '"numbers": '
    yield from _list(lines(found))
    yield ',\n"ratings": '
    yield from _list(exports.ratings(child_id))
    yield ',\n"tables": {'
    for number, (table, rows) in enumerate(exports.record(child_id, reader_id)):
        yield f"{',' if number else ''}\n{_json(table)}: "
        yield from _list(rows)
    yield "\n}}\n"


def _list(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Write a JSON list with one row per line."""
    yield "["
    for number, row in enumerate(rows):
        yield f"{',' if number else ''}\n{_json(row)}"
    yield "]"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _in_pieces(texts: Iterable[str]) -> Iterator[str]:
    kept: list[str] = []
    size = 0
    for text in texts:
        kept.append(text)
        size += len(text)
        if size >= PIECE:
            yield "".join(kept)
            kept, size = [], 0
    yield "".join(kept)
